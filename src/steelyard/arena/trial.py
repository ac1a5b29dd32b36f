"""A challenge on trial: its workspaces for a few seeds, the answers that should win them, and what any answer comes to."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec

from steelyard.arena.challenge import GENERATOR, Challenge
from steelyard.arena.generation import Workspace, generate
from steelyard.errors import SpecError
from steelyard.foreign import caught
from steelyard.sandbox.protocol import Sandbox
from steelyard.spec.answers import right_submission
from steelyard.spec.evaluation import Evaluation
from steelyard.spec.evaluator import evaluate
from steelyard.spec.floor import has_target

# The first, the last, and some between: every match gets one from this range.
SEEDS: Final = (0, 1, 7, 2**31, 2**53 - 1)
MOST_SECONDS: Final = 2.0
PATIENCE: Final = 30.0  # seconds on the wall, on a machine that has much to do
_FEW = 2
_IDLE: dict[str, list[Any]] = {"steps": []}  # the cheapest trajectory that there is

Level = Literal["error", "warning"]


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """What a gate has to say: an error keeps the challenge out, a warning is for the author to think about."""

    gate: str
    path: str
    message: str
    level: Level = "error"

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


class Trial:
    """What the gates share, made once."""

    def __init__(
        self, challenge: Challenge, sandbox: Sandbox | None, made: Mapping[int, Workspace]
    ) -> None:
        self.challenge, self.sandbox, self.made = challenge, sandbox, made

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds to try answers with; where each answer runs programs, a few are enough."""
        every = tuple(self.made)
        return every[:_FEW] if self.challenge.sandboxed else every

    def answer(self, seed: int) -> Any:
        """An answer that should win: the generator's, else the truth itself where that is one; else UNSET."""
        made, spec = self.made[seed], self.challenge.spec
        if made.answer is not msgspec.UNSET:
            return made.answer
        known = all(has_target(spec, dimension) for dimension in spec.dimensions)
        return (
            right_submission(spec, made.truth)
            if known and isinstance(made.truth, Mapping)
            else msgspec.UNSET
        )

    def outcome(self, seed: int, answer: Any) -> Evaluation:
        """What the answer comes to in a match with this seed, at its best: at once, and with not a token spent."""
        return self.scored(
            answer, self.made[seed].truth, time_used=0, trajectory=_IDLE, verified=True
        )

    def scored(self, answer: Any, truth: Any, **facts: Any) -> Evaluation:
        """What the answer comes to, with these facts and the limits of the challenge."""
        limits = self.challenge.constraints
        return evaluate(
            self.challenge.spec, answer, truth, sandbox=self.sandbox, constraints=limits, **facts
        )


def begin_trial(challenge: Challenge, sandbox: Sandbox | None) -> tuple[Trial, list[Fault]]:
    """The trial, with what already went wrong in making the workspaces and in reading the ground truths."""
    faults: list[Fault] = []
    made: dict[int, Workspace] = {}
    seeds = SEEDS if GENERATOR in challenge.files else SEEDS[:1]
    trial = Trial(challenge, sandbox, made)
    for seed in seeds:
        try:
            found, took = _timed(challenge, seed)
            if took > MOST_SECONDS:
                said = f"generate({seed}) took {took:.1f} s; {MOST_SECONDS:g} are allowed, since an agent waits for it"
                faults.append(Fault(gate="generate", path=GENERATOR, message=said))
            trial.scored({}, found.truth, time_used=0)
            made[seed] = found
        except SpecError as wrong:
            said = f"seed {seed}: "
            faults += [
                Fault(gate="generate", path=path, message=said + why)
                for path, why in wrong.problems
            ]
            break  # the other seeds would most likely say the same again
    return trial, faults


def _timed(challenge: Challenge, seed: int) -> tuple[Workspace, float]:
    """The workspace and the processor time that it took; a generator that does not end is left behind."""
    box: list[tuple[Workspace | None, BaseException | None, float]] = []

    def work() -> None:
        began = time.thread_time()
        made, wrong = caught(generate, challenge, seed)
        box.append((made, wrong, time.thread_time() - began))

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    worker.join(PATIENCE)
    if not box:
        raise SpecError(f"generate({seed}) has not ended after {PATIENCE:g} s", path=GENERATOR)
    made, wrong, took = box[0]
    if wrong is not None:
        raise wrong
    assert made is not None
    return made, took

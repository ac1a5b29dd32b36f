"""The gates that a challenge passes before it is published; everything that they find is told at once.

They are tried on the challenge as it would be played: with its own generator, spec and scripts, in the sandbox.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from steelyard.arena.challenge import ABOUT, GENERATOR, SPEC, Challenge
from steelyard.arena.gate_examples import examples_come_out, why
from steelyard.arena.gate_leaks import workspace_is_clean
from steelyard.arena.gate_probes import cheats_lose
from steelyard.arena.gate_seeds import replays_lose, seeds_differ, seeds_repeat
from steelyard.arena.trial import SEEDS, Fault, Trial, begin_trial
from steelyard.errors import Problem, SpecError
from steelyard.sandbox.protocol import Sandbox
from steelyard.spec.lint import lint_spec
from steelyard.spec.result import Result
from steelyard.spec.running import sandbox_for

MOST_WORKSPACE: Final = 8 * 2**20


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What the gates say of a challenge."""

    slug: str
    version: int
    digest: str
    scorer: str
    faults: tuple[Fault, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether it may be published."""
        return not any(fault.level == "error" for fault in self.faults)

    def tell(self, label: str = "") -> None:
        """Raise a SpecError with everything that keeps the challenge out, if anything does."""
        if not self.ok:
            wrong = [
                Problem(fault.path, fault.message)
                for fault in self.faults
                if fault.level == "error"
            ]
            error = SpecError(problems=wrong)
            error.args = ("\n".join(f"{label or self.slug}: {problem}" for problem in wrong),)
            raise error


def check_challenge(challenge: Challenge, *, sandbox: Sandbox | None = None) -> Report:
    """Everything that is wrong with the challenge. One that runs programs needs a sandbox: without, a SandboxError."""
    faults = list(_policies(challenge))
    trial, wrong = begin_trial(challenge, sandbox_for(challenge.spec, sandbox))
    faults += wrong
    if len(trial.made) == (len(SEEDS) if GENERATOR in challenge.files else 1):
        for gate in GATES.values():
            faults += gate(trial)
    return Report(
        slug=challenge.slug,
        version=challenge.about.version,
        digest=challenge.digest,
        scorer=challenge.scorer,
        faults=tuple(faults),
    )


def _policies(challenge: Challenge) -> Iterator[Fault]:
    if challenge.about.static and challenge.about.disclosure == "full":
        said = "is 'full', so the reasons name what a static challenge will want again: choose 'breakdown' or 'score'"
        yield Fault(gate="policies", path=f"{ABOUT}.disclosure", message=said)


def _lint(trial: Trial) -> Iterator[Fault]:
    """The spec's own lint, with generated truths: full marks for the truth, at most a Loss for nothing."""
    told: set[str] = set()
    for seed in trial.seeds:
        report = lint_spec(trial.challenge.spec, trial.made[seed].truth, sandbox=trial.sandbox)
        for found in report.findings:
            if found.level == "note" or found.message in told:
                continue
            told.add(found.message)
            fix = f"; fix: {found.fix}" if found.fix else ""
            yield Fault(
                gate="lint",
                path=f"{SPEC}.{found.path}",
                message=f"{found.message}{fix} (seed {seed})",
                level="error" if found.level == "error" else "warning",
            )


def _can_be_won(trial: Trial) -> Iterator[Fault]:
    """With every seed there is an answer that wins; for a static challenge its examples show that."""
    for seed in trial.seeds:
        answer = trial.answer(seed)
        if answer is msgspec.UNSET:
            if GENERATOR in trial.challenge.files and not trial.challenge.about.static:
                said = "generate(seed) gives no 'answer', so nobody knows whether the challenge can be won"
                yield Fault(gate="ceiling", path=GENERATOR, message=said)
            return
        found = trial.outcome(seed, answer)
        if found.result != Result.WIN:
            said = f"the answer of seed {seed} gets {found.score} points, which is no win: {why(found)}"
            yield Fault(gate="ceiling", path=GENERATOR, message=said)
            return


def _fits(trial: Trial) -> Iterator[Fault]:
    for seed, made in trial.made.items():
        if (size := sum(map(len, made.files.values()))) > MOST_WORKSPACE:
            said = f"the workspace of seed {seed} has {size / 2**20:.1f} MB; {MOST_WORKSPACE >> 20} are allowed"
            yield Fault(gate="size", path=GENERATOR, message=said)
            return


GATES: Final[dict[str, Callable[[Trial], Iterator[Fault]]]] = {
    "lint": _lint,
    "ceiling": _can_be_won,
    "determinism": seeds_repeat,
    "seeds differ": seeds_differ,
    "replay": replays_lose,
    "examples": examples_come_out,
    "probes": cheats_lose,
    "leaks": workspace_is_clean,
    "size": _fits,
}

"""A model as the judge of reference solutions: the door that pure code asks through, one question at a time."""

from __future__ import annotations

import asyncio
import hashlib
import weakref
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

import msgspec

from steelyard.doors import Pairing
from steelyard.doors import Verdict as Said
from steelyard.errors import JudgeError
from steelyard.judge.asking import Answered, Asker, Pacing, Unpaced, Unreadable, was_cut
from steelyard.judge.checklist import judge_criterion
from steelyard.judge.choice import YES_NO
from steelyard.judge.config import JudgeScoringConfig
from steelyard.judge.prompt import JudgePrompt, Task
from steelyard.judge.reading import Verdict, read_choice, read_object
from steelyard.judge.store import JudgeStore
from steelyard.judge.wording import fill, prompt_text, words
from steelyard.models.types import Model, Reply

T = TypeVar("T")
PROMPTS = (
    "fence",
    "equivalent",
    "equivalent_form",
    "assign",
    "assign_form",
    "explained",
    "criterion_form",
    "closing",
    "again",
)


class ModelJudge:
    """Asks a model whether texts are equivalent and criteria are met; what it cannot say is a JudgeError.

    It has an event loop of its own and must not be used inside another one. ``close`` ends both; when it is forgotten,
    they end with the object.
    """

    def __init__(
        self,
        model: Model,
        *,
        pacer: Pacing | None = None,
        store: JudgeStore | None = None,
        config: JudgeScoringConfig | None = None,
    ) -> None:
        self._config = config or JudgeScoringConfig()
        kept = JudgeStore(None) if store is None else store
        self._asker = Asker(model, pacer or Unpaced(), kept, self._config.parameters)
        self._loop = _Loop(model, kept)
        self._ending = weakref.finalize(self, self._loop.close)

    @property
    def name(self) -> str:
        """The model's name, and a hash of everything that shapes its verdicts."""
        shaped = [
            self._asker.identity,
            self._config.parameters,
            self._config.system_prompt,
            self._config.seed,
            self._config.tries,
            words(),
            [prompt_text(name) for name in PROMPTS],
        ]
        digest = hashlib.sha256(msgspec.json.encode(shaped, order="deterministic")).hexdigest()
        return f"{self._asker.name}:{digest[:16]}"

    def equivalent(self, reference: str, entry: str, question: str) -> Said:
        """Whether the entry says what the reference says."""
        task = self._task("equivalent", {"question": question, "reference": reference}, entry)
        return self._said(
            self._loop.run(self._asker.decide(task, _read_yes_no, tries=self._config.tries))
        )

    def criterion(self, criterion: str, rules: str, explanation: str) -> Said:
        """Whether the explanation meets the criterion, with words of the explanation as the evidence."""
        task = self._task(
            "explained",
            {"criterion": criterion, "rules": rules},
            explanation,
            form="criterion_form",
        )
        return self._said(self._loop.run(judge_criterion(self._asker, task, self._config)))

    def assign(self, items: Sequence[str], references: Sequence[str], question: str) -> Pairing:
        """Which items say what which references say."""
        task = self._task(
            "assign", {"question": question, "references": _numbered(references)}, _numbered(items)
        )
        read = _pair_reader(len(items), len(references))
        found = self._loop.run(self._asker.decide(task, read, tries=self._config.tries))
        return _usable(found)

    def close(self) -> None:
        """Let go of the model, the store and the loop."""
        self._ending()

    def _task(self, name: str, fields: dict[str, object], work: str, *, form: str = "") -> Task:
        return Task(
            text=fill(prompt_text(name), fields),
            form=prompt_text(form or f"{name}_form"),
            works=(work,),
            system_prompt=self._config.system_prompt,
            seed=self._config.seed,
        )

    def _said(self, found: Answered[Verdict]) -> Said:
        verdict = _usable(found)
        return Said(value=verdict.value == "yes", reason=verdict.reason, evidence=verdict.evidence)


class _Loop:
    """A loop that begins with the first question, and what has to be closed on it."""

    def __init__(self, model: Model, store: JudgeStore) -> None:
        self._model, self._store = model, store
        self._runner: asyncio.Runner | None = None

    def run(self, asking: Coroutine[Any, Any, T]) -> T:
        """The result of one question."""
        if self._runner is None:
            self._runner = asyncio.Runner()
        return self._runner.run(asking)

    def close(self) -> None:
        """Close all three."""
        if self._runner is not None:
            self._runner.run(self._model.close())
            self._runner.close()
            self._runner = None
        self._store.close()


def _usable(found: Answered[T]) -> T:
    if found.value is None:
        raise JudgeError(
            f"the judge's verdict could not be read in {len(found.calls)} tries: {found.why}"
        )
    return found.value


def _read_yes_no(reply: Reply, prompt: JudgePrompt) -> Verdict | Unreadable:
    found = read_choice(
        reply.text, YES_NO, work=prompt.work, markers=prompt.markers, truncated=was_cut(reply)
    )
    return Unreadable(found.why) if found.value is None else found


def _pair_reader(
    items: int, references: int
) -> Callable[[Reply, JudgePrompt], Pairing | Unreadable]:
    def read(reply: Reply, prompt: JudgePrompt) -> Pairing | Unreadable:
        found = read_object(reply.text, "pairs", work=prompt.work, markers=prompt.markers)
        try:
            pairs = msgspec.convert(found.value, tuple[tuple[int, int], ...])
        except msgspec.ValidationError:
            return Unreadable(found.why or "the pairs are no list of two numbers each")
        for item, reference in pairs:
            if not (1 <= item <= items and 1 <= reference <= references):
                return Unreadable(
                    f"there is no pair [{item}, {reference}] of {items} items and {references} references"
                )
        return Pairing(
            pairs=tuple((item - 1, reference - 1) for item, reference in pairs),
            reason=found.reason,
            evidence=found.evidence,
        )

    return read


def _numbered(texts: Sequence[str]) -> str:
    """One text a line behind its number; a text cannot begin a line of its own."""
    return "\n".join(f"{number}. {' '.join(text.split())}" for number, text in enumerate(texts, 1))

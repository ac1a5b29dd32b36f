"""A model as the judge that reference solutions ask, one question at a time."""

from __future__ import annotations

import asyncio
import hashlib
import weakref
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

import msgspec

from steelyard.doors import Pairing, Verdict
from steelyard.errors import JudgeError
from steelyard.judge.checklist import judge_criterion, named_task
from steelyard.judge.client import CallLimiter, JudgeAnswer, JudgeClient, NoLimit
from steelyard.judge.config import JudgeScoringConfig
from steelyard.judge.prompt import prompt_text
from steelyard.judge.store import JudgeStore
from steelyard.judge.verdict_parser import YES_NO, ParsedVerdict, VerdictKind, pairs_kind
from steelyard.models.types import Model

T = TypeVar("T")
PROMPTS = (
    *("fence", "opening", "closing", "again", "control_tokens", "explained", "criterion_form"),
    *("equivalent", "equivalent_form", "assign", "assign_form"),
)


class ModelJudge:
    """Asks a model whether texts are equivalent and criteria are met.

    What the model cannot say is a JudgeError. The judge has an event loop of its own and must not
    be used inside another one. ``close`` ends model, store and loop, as does the end of the object.
    """

    def __init__(
        self,
        model: Model,
        *,
        limiter: CallLimiter | None = None,
        store: JudgeStore | None = None,
        config: JudgeScoringConfig | None = None,
    ) -> None:
        self._config = config or JudgeScoringConfig()
        store = JudgeStore(None) if store is None else store
        self._client = JudgeClient(model, limiter or NoLimit(), store, self._config.parameters)
        self._loop = _EventLoop(model, store)
        self._finalizer = weakref.finalize(self, self._loop.close)

    @property
    def name(self) -> str:
        """The model's name, and a hash of everything that shapes its verdicts."""
        config = self._config
        ingredients = [
            self._client.identity,
            config.parameters,
            config.system_prompt,
            config.seed,
            config.tries,
            [prompt_text(name) for name in PROMPTS],
        ]
        digest = hashlib.sha256(msgspec.json.encode(ingredients, order="deterministic")).hexdigest()
        return f"{self._client.name}:{digest[:16]}"

    def equivalent(self, reference: str, entry: str, question: str) -> Verdict:
        """Judge whether the entry says what the reference says."""
        fields: dict[str, object] = {"question": question, "reference": reference}
        return _verdict(self._ask("equivalent", fields, entry, YES_NO))

    def criterion(self, criterion: str, rules: str, explanation: str) -> Verdict:
        """Judge whether the explanation meets the criterion, with words of it as the evidence."""
        fields = {"criterion": criterion, "rules": rules}
        task = named_task("explained", fields, (explanation,), self._config, form="criterion")
        return _verdict(_usable(self._loop.run(judge_criterion(self._client, task, self._config))))

    def assign(self, items: Sequence[str], references: Sequence[str], question: str) -> Pairing:
        """Judge which items say what which references say."""
        fields: dict[str, object] = {"question": question, "references": _numbered(references)}
        kind = pairs_kind(len(items), len(references))
        found = self._ask("assign", fields, _numbered(items), kind)
        pairs = tuple((item - 1, reference - 1) for item, reference in found.value)
        return Pairing(pairs=pairs, reason=found.reason, evidence=found.evidence)

    def close(self) -> None:
        """Close the model, the store and the event loop."""
        self._finalizer()

    def _ask(
        self, name: str, fields: dict[str, object], answer: str, kind: VerdictKind
    ) -> ParsedVerdict:
        task = named_task(name, fields, (answer,), self._config)
        asking = self._client.ask_until_readable(task, kind, tries=self._config.tries)
        return _usable(self._loop.run(asking))


class _EventLoop:
    """An event loop that starts with the first question, and what is closed on it."""

    def __init__(self, model: Model, store: JudgeStore) -> None:
        self._model, self._store = model, store
        self._runner: asyncio.Runner | None = None

    def run(self, asking: Coroutine[Any, Any, T]) -> T:
        """Return the result of one question."""
        if self._runner is None:
            self._runner = asyncio.Runner()
        return self._runner.run(asking)

    def close(self) -> None:
        """Close model, event loop and store."""
        if self._runner is not None:
            self._runner.run(self._model.close())
            self._runner.close()
            self._runner = None
        self._store.close()


def _usable(found: JudgeAnswer[ParsedVerdict]) -> ParsedVerdict:
    if found.value is None:
        raise JudgeError(
            f"the judge's verdict could not be read in {len(found.calls)} tries: {found.why}"
        )
    return found.value


def _verdict(found: ParsedVerdict) -> Verdict:
    return Verdict(value=found.value == "yes", reason=found.reason, evidence=found.evidence)


def _numbered(texts: Sequence[str]) -> str:
    """Return one text a line behind its number; a text cannot begin a line of its own."""
    return "\n".join(f"{number}. {' '.join(text.split())}" for number, text in enumerate(texts, 1))

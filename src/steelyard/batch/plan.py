"""What a run scores with, described so that every worker can make it anew."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from steelyard.batch.answers import JudgedRows, Way, note_answers, score_answer
from steelyard.batch.own import OwnFile, guarded, own_file
from steelyard.batch.rows import ANSWER_FIELDS, JUDGED_FIELDS, Rows
from steelyard.batch.score_block import BlockScorer
from steelyard.batch.tally import as_text
from steelyard.engine import run_apart, usable_cores
from steelyard.errors import DataError, SandboxError, SpecError, SteelyardError
from steelyard.foreign import caught, told
from steelyard.registry import SCORERS, Registered
from steelyard.score import Score
from steelyard.scoring.cascade import JUDGE_MISSING, check_reads
from steelyard.scoring.pattern import READERS
from steelyard.scoring.types import ScorerInput

if TYPE_CHECKING:  # most files are scored without a judge
    from steelyard.batch.answer_judge import JudgeAddress


class Plan(Protocol):
    """A scorer or a spec with all that shapes its numbers."""

    @property
    def identity(self) -> dict[str, Any]:
        """What the signature says of it: name, version, parameters."""

    @property
    def files(self) -> tuple[str, ...]:
        """The files it was made from, which no output may replace."""

    @property
    def needs(self) -> tuple[str, ...]:
        """The fields without which no row can be scored."""

    @property
    def by(self) -> str | None:
        """The key of the groups, if there are any."""

    @property
    def apart(self) -> bool:
        """Whether code of the user runs, which must not share a process with ours."""

    @property
    def slow(self) -> bool:
        """Whether a row may take so long that workers pay off for a few of them."""

    @property
    def at_once(self) -> int:
        """How many rows one process scores at the same time."""

    def with_options(self, *, strict: bool, with_file: bool) -> Plan:
        """The plan for this way of running it, bound to what its files hold now."""

    def check(self) -> None:
        """Refuse what could not score a single row."""

    def build(self) -> BlockScorer:
        """The work itself; called once in every worker."""


class ScorerPlan(msgspec.Struct, frozen=True, kw_only=True):
    """Score responses against targets with one scorer.

    ``cascade`` has the outcomes of reading that the ``judge`` decides.

    >>> plan = ScorerPlan(scorer="exact_match")
    >>> plan.identity["name"]
    'exact_match'
    """

    scorer: str
    params: dict[str, Any] = {}
    fields: dict[str, str] = {}
    by: str | None = None
    no_target: bool = False
    strict: bool = False
    with_file: bool = False
    own: OwnFile | None = None
    judge: JudgeAddress | None = None
    cascade: tuple[str, ...] = ()

    @property
    def identity(self) -> dict[str, Any]:
        """The scorer's name and version, and of what it was given all that is not so anyway."""
        own = self.own or own_file(self.scorer)
        found = None if own else SCORERS.get(self.scorer)
        named = (
            (own.function, own.version)
            if own
            else (SCORERS.get(self.scorer).name, SCORERS.get(self.scorer).version)
        )
        known: dict[str, Any] = {
            "kind": "scorer",
            "name": named[0],
            "version": named[1],
            "params": _beyond_defaults(found, self.params) if found else self.params,
            "fields": renamed(self.fields),
        }
        if self.no_target and self._need(found) != "nothing":
            known["no_target"] = True
        if self.judge is not None:
            known |= {"judge": self.judge.identity, "cascade": self.cascade}
        return known

    @property
    def needs(self) -> tuple[str, ...]:
        """A response, and a target unless the scorer can do without."""
        own = self.own or own_file(self.scorer)
        need = (
            "nothing" if self.no_target else self._need(None if own else SCORERS.get(self.scorer))
        )
        return ("response",) if need in {"nothing", "answers"} else ("response", "target")

    def _need(self, found: Registered | None) -> str:
        """What the scorer compares with; of a user's function it is known that this is a target."""
        if found is None:
            return "target"
        return "nothing" if found.needs in self.params else found.needs

    @property
    def apart(self) -> bool:
        """A user's file is run in processes of its own, however little there is to score."""
        return self.own is not None

    @property
    def slow(self) -> bool:
        """Nobody knows what a user's function does."""
        return self.own is not None

    @property
    def at_once(self) -> int:
        """What waits for a judge or a sandbox leaves a core idle."""
        if self.judge is not None:
            from steelyard.batch.answer_judge import CONCURRENCY

            return CONCURRENCY
        return (
            usable_cores()
            if self.own is None and hasattr(SCORERS.get(self.scorer).fn, "ready")
            else 1
        )

    @property
    def files(self) -> tuple[str, ...]:
        """The user's own file, if the scorer is in one."""
        path = self.scorer.rpartition(":")[0]
        return (path,) if path else ()

    def with_options(self, *, strict: bool, with_file: bool) -> ScorerPlan:
        """The plan for this way of running it; a user's file is read here, and never again."""
        own = self.own or own_file(self.scorer)
        return msgspec.structs.replace(self, strict=strict, with_file=with_file, own=own)

    def check(self) -> None:
        """Refuse, with a SpecError or a DataError, what could not score a single row."""
        check_fields(self.fields, self._known_fields)
        own = self.own or own_file(self.scorer)
        self._check_judge(None if own else SCORERS.get(self.scorer))
        if own is not None:
            run_apart(_binder, Binding(own, self.params), doing="loading")
            return
        found = SCORERS.get(self.scorer)
        if self.no_target and _is_stock(found) and found.needs in {"target", "answers"}:
            raise DataError(
                f"--no-target does not go with {self.scorer}, which compares with a target"
            )
        bound = found.bind(self.params)
        if not _is_stock(found):
            return
        if (ready := getattr(found.fn, "ready", None)) is not None:
            ready(**self.params)  # it needs more than its parameters, and knows what
        else:
            _try_out(bound, self.params)

    @property
    def _known_fields(self) -> dict[str, Any]:
        return ANSWER_FIELDS if self.judge is None else JUDGED_FIELDS

    def _check_judge(self, found: Registered | None) -> None:
        """Refuse answers that are left to no judge, and a judge that no answer is left to."""
        if self.cascade and self.judge is None:
            raise DataError(f"--{self.cascade[0]} judge {JUDGE_MISSING}")
        if found is not None and _is_stock(found):
            check_reads(found.name, self.cascade)
            if self.judge is not None and not (self.cascade or found.judged):
                raise DataError(
                    "the judge would not be asked; --unclear judge leaves unclear answers to it"
                )
        if self.judge is not None:
            self.judge.check()

    def build(self) -> BlockScorer:
        """The scorer, bound, with its reader."""
        found = SCORERS.get(self.scorer) if self.own is None else self.own.load()
        need = "nothing" if self.no_target else self._need(found)
        stock = self.own is None and _is_stock(found)
        # Several correct answers stand in the metadata, and a number among them is the one that is written.
        exact = stock and need == "answers"
        rows = Rows(self._known_fields, self.fields, group=self.by, exact=exact)
        way = Way(need, self.fields, stock, stock and found.name in READERS)
        score: Callable[[Any], Score]
        score = functools.partial(score_answer, self._callable(found), way)
        stop = None
        if self.judge is not None:
            score = judged = JudgedRows(score, self.judge, self.cascade, way)
            stop = judged.stop
        return BlockScorer(
            rows,
            score,
            note_answers,
            by=self.by,
            strict=self.strict,
            with_file=self.with_file,
            threads=self.at_once,
            stop=stop,
        )

    def _callable(self, found: Registered) -> Callable[[ScorerInput], Score]:
        bound: Callable[..., Any] = found.bind(self.params)
        stock = self.own is None and _is_stock(found)
        return bound if stock else guarded(bound, apart=self.apart)


def _beyond_defaults(found: Registered, params: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters without those that are as they would be anyway."""
    usual = {name: known.default for name, known in found.params.items()}
    return {
        name: value
        for name, value in params.items()
        if not (type(value) is type(usual.get(name)) and value == usual[name])
    }


def renamed(fields: Mapping[str, str]) -> dict[str, str]:
    """The fields that have another name than ours.

    >>> renamed({"response": "output", "target": "target"})
    {'response': 'output'}
    """
    return {ours: theirs for ours, theirs in fields.items() if ours != theirs}


class Binding(msgspec.Struct, frozen=True):
    """A user's file with the parameters for its function."""

    own: OwnFile
    params: dict[str, Any]

    def __str__(self) -> str:
        return self.own.path


def _binder() -> Callable[[Binding], None]:
    return _bind


def _bind(given: Binding) -> None:
    given.own.load().bind(given.params)


def _try_out(bound: Callable[..., Any], params: Mapping[str, Any]) -> None:
    """A stock scorer looks at the values of its parameters, and for an extra that it needs, when it is called."""
    _, failed = caught(bound, ScorerInput("1", "1"))
    if failed is None or (isinstance(failed, SpecError) and not params):
        return  # without parameters it may still find what it needs in the metadata of the rows
    if not isinstance(failed, Exception):
        raise failed  # somebody wants us to end
    if isinstance(failed, SandboxError):
        raise DataError(str(failed)) from None  # as for every command that needs one
    if isinstance(failed, SteelyardError):
        raise failed
    given = ", ".join(f"{name}={as_text(value)}" for name, value in params.items())
    raise SpecError(f"cannot be used: {told(failed)}", path=f"--param {given}")


def check_fields(fields: Mapping[str, str], known: Mapping[str, Any]) -> None:
    """Refuse a rename of a field that rows of this kind do not have."""
    for ours, theirs in fields.items():
        if ours not in known:
            raise DataError(f"--field {ours}={theirs}: rows have {', '.join(known)}")


def _is_stock(found: Registered) -> bool:
    return getattr(found.fn, "__module__", "").startswith("steelyard.")

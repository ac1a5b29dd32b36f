"""Metrics for ``<fuzzy>`` references: who says that two texts mean the same."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType
from typing import Any

import msgspec

from steelyard.doors import Judge, Pairing, Verdict
from steelyard.errors import EngineError, JudgeError, SpecError
from steelyard.primitives.fuzzy import MAX_WORK, fuzzy_string, normal
from steelyard.primitives.values import describe, number
from steelyard.reference.normal import key_of, normalise_entry
from steelyard.registry import Registry, call, decorate
from steelyard.score import Score, exact, full, unscored, zero

FUZZY = Registry("fuzzy metric", "steelyard.reference", group="steelyard.fuzzy")
DEFAULT_THRESHOLD = 0.8
NOTHING: Mapping[str, Any] = MappingProxyType({})


class Metric(msgspec.Struct, frozen=True, kw_only=True):
    """A metric that is ready to be used: its parameters are set, and its judge is there if it needs one.

    ``match_all`` says of many texts at once which of them match, where that is faster than one by one.
    """

    name: str
    version: str
    run: Callable[..., Any]
    params: Mapping[str, Any] = NOTHING
    judge: Judge | None = None
    match_all: Callable[[Sequence[str], Sequence[str]], Iterable[tuple[int, int]]] | None = None

    def compare(self, got: str, want: str, question: str = "") -> Score:
        """The Score of one entry against one reference; equal ones are never in doubt."""
        if (same := key_of(got)) is None:
            return zero("the answer is empty")
        if same == key_of(want):
            return full("the answer equals the reference")
        if self.judge is None:
            return call(self.run, got, want)
        return call(self.run, got, want, self.judge, question)

    def candidates(
        self, items: Mapping[Any, str], references: Mapping[Any, str], question: str
    ) -> Pairing:
        """The positions that match, of texts by their normal forms; an EngineError where that cannot be said."""
        place = {key: position for position, key in enumerate(references)}
        equal = tuple((i, place[key]) for i, key in enumerate(items) if key in place)
        if len(equal) == len(items):
            return Pairing(pairs=equal)
        ours, theirs = list(items.values()), list(references.values())
        if self.judge is not None:
            told = ask_pairs(self.judge, ours, theirs, question)
            return msgspec.structs.replace(told, pairs=equal + told.pairs)
        pairs = self.match_all or self._each
        return Pairing(pairs=(*equal, *pairs(ours, theirs)))

    def _each(self, items: Sequence[str], references: Sequence[str]) -> Iterator[tuple[int, int]]:
        for (i, item), (r, reference) in itertools.product(enumerate(items), enumerate(references)):
            score = call(self.run, item, reference)
            if score.value is None:
                raise EngineError(score.reason)
            if score.correct:
                yield i, r


def bind_fuzzy(
    fuzzy: str | Metric | Callable[..., Any] = "llm",
    params: Mapping[str, Any] | None = None,
    *,
    judge: Judge | None = None,
) -> Metric:
    """The metric of that name with its parameters; a SpecError where it needs a judge and there is none.

    A function ``(got, want) -> Score, bool or number`` serves as well as a name.

    >>> bind_fuzzy("similarity", {"threshold": 0.9}).compare("the dog slept", "the dog sleeps").value
    0.0
    >>> bind_fuzzy("llm")
    Traceback (most recent call last):
    steelyard.errors.SpecError: the fuzzy metric 'llm' needs a judge: give one, or choose exact or similarity
    """
    if isinstance(fuzzy, Metric):
        return fuzzy
    if not isinstance(fuzzy, str):
        return Metric(name=getattr(fuzzy, "__name__", type(fuzzy).__name__), version="", run=fuzzy)
    thing = FUZZY.get(fuzzy)
    if thing.reads == "judge" and judge is None:
        others = " or ".join(other.name for other in FUZZY if other.reads != "judge")
        raise SpecError(f"the fuzzy metric {fuzzy!r} needs a judge: give one, or choose {others}")
    if thing.reads == "judge" and params:
        raise SpecError(f"{fuzzy} has no parameter {next(iter(params))!r}; the judge has them")
    run = thing.fn if thing.reads == "judge" else thing.bind(params)
    metric = Metric(
        name=thing.name,
        version=thing.version,
        run=run,
        params=dict(params or {}),
        judge=judge if thing.reads == "judge" else None,
        match_all=functools.partial(similar_pairs, **(params or {}))
        if thing.fn is similarity
        else None,
    )
    if metric.judge is None and params:
        call(run, "one", "another")  # a parameter's value is checked before anything is scored
    return metric


def asks_judge(fuzzy: str | Metric | Callable[..., Any]) -> bool:
    """Whether a metric asks a judge.

    >>> asks_judge("llm"), asks_judge("exact")
    (True, False)
    """
    if isinstance(fuzzy, Metric):
        return fuzzy.judge is not None
    return isinstance(fuzzy, str) and FUZZY.get(fuzzy).reads == "judge"


def fuzzy_metric(
    fn: Callable[..., Any] | None = None, /, *, name: str = "", version: str = ""
) -> Any:
    """Make a fuzzy metric of a function ``(got, want, **params)`` that returns a Score, a bool or a number.

    In a fuzzy select an item matches a reference where the Score is ``correct``.

    >>> @fuzzy_metric
    ... def same_length(got, want):
    ...     return len(got) == len(want)
    >>> bind_fuzzy("same_length").compare("abc", "xyz").value
    1.0
    """
    return decorate(FUZZY, fn, name, version)


@FUZZY.register("exact")
def exact_metric(got: str, want: str, /) -> Score:
    """Only what is equal in its normal form is equivalent.

    >>> exact_metric("[A].", "a").value
    1.0
    """
    if key_of(got) == key_of(want) is not None:
        return full("the answer equals the reference")
    return zero(f"expected {describe(want)}, got {describe(got)}")


@FUZZY.register("similarity")
def similarity(got: str, want: str, /, *, threshold: float = DEFAULT_THRESHOLD) -> Score:
    """Texts are equivalent whose Levenshtein similarity, apart from case and spacing, reaches the threshold.

    >>> similarity("The dog sleeps.", "the dogs sleep").detail
    {'similarity': 0.8571428571428571, 'threshold': 0.8}
    """
    bound = _bound(threshold)
    alike = fuzzy_string(normalise_entry(got), normalise_entry(want))
    value = alike.value or 0.0
    detail = {"similarity": value, "threshold": float(bound)}
    reached = exact(value) >= exact(bound)
    said = f"the similarity {value:.4g} {'reaches' if reached else 'is below'} the threshold {float(bound):g}"
    return full(said, detail=detail) if reached else zero(said, detail=detail)


def similar_pairs(
    items: Sequence[str], references: Sequence[str], threshold: float = DEFAULT_THRESHOLD
) -> Iterator[tuple[int, int]]:
    """The positions of texts that are similar; each text is normalised once.

    Lengths that lie too far apart need no look at the letters. All others together may take the work that
    one comparison may take; what goes beyond it does not match.

    >>> list(similar_pairs(["the dog sleeps", "x"], ["a cat", "The dogs sleep"]))
    [(0, 1)]
    """
    from rapidfuzz.distance import Levenshtein

    bound, left = exact(_bound(threshold)), MAX_WORK
    wanted = [normal(normalise_entry(text)) for text in references]
    for i, mine in enumerate(normal(normalise_entry(text)) for text in items):
        for r, theirs in enumerate(wanted):
            shortest, longest = sorted((len(mine), len(theirs)))
            if not mine or exact(shortest / longest) < bound:
                continue
            work = 0 if mine == theirs else shortest * longest
            if work > left:
                continue
            left -= work
            if exact((longest - Levenshtein.distance(mine, theirs)) / longest) >= bound:
                yield i, r


def _bound(threshold: object) -> int | Decimal:
    bound = number(threshold)
    if bound is None or not 0 < bound <= 1:
        raise SpecError(
            f"must be more than 0 and at most 1, not {describe(threshold)}", path="threshold"
        )
    return bound


@FUZZY.register("llm", reads="judge")
def llm(got: str, want: str, judge: Judge, question: str = "", /) -> Score:
    """A judge says whether the two are equivalent as answers to the question."""
    return judged(judge, lambda: judge.equivalent(want, got, question))


def judged(judge: Judge, ask: Callable[[], Verdict]) -> Score:
    """A verdict as a Score; a judge that fails leaves it without a value."""
    try:
        verdict = ask()
    except EngineError as failed:
        return unscored(str(failed) or "the judge failed", detail={"judge": judge.name})
    detail = {"judge": judge.name, "evidence": verdict.evidence}
    if not isinstance(verdict.value, bool):
        return unscored(
            f"the judge's verdict is {describe(verdict.value)}, not yes or no", detail=detail
        )
    reason = verdict.reason or f"the judge says {'yes' if verdict.value else 'no'}"
    return full(reason, detail=detail) if verdict.value else zero(reason, detail=detail)


def ask_pairs(judge: Judge, items: list[str], references: list[str], question: str) -> Pairing:
    """What a judge says, with why; a pair of what is not there is a JudgeError."""
    found: Pairing = judge.assign(items, references, question)
    return msgspec.structs.replace(
        found, pairs=tuple(_checked(found.pairs, len(items), len(references)))
    )


def _checked(
    pairs: Iterable[tuple[int, int]], items: int, references: int
) -> Iterable[tuple[int, int]]:
    for item, reference in pairs:
        whole = type(item) is int and type(reference) is int
        if not (whole and 0 <= item < items and 0 <= reference < references):
            raise JudgeError(
                f"the judge paired item {describe(item)} with reference {describe(reference)}; "
                f"there are {items} items and {references} references, from 0"
            )
        yield item, reference

"""Matching one entry with its reference."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from typing import Any, Literal

from steelyard.doors import Judge
from steelyard.errors import EngineError, SpecError
from steelyard.primitives.values import describe, keys_of
from steelyard.reference.compat import lobster_entry
from steelyard.reference.fuzzy import Metric, bind_fuzzy
from steelyard.reference.normal import key_of
from steelyard.reference.notation import Reference, parse_reference
from steelyard.reference.pairing import best_pairs
from steelyard.score import Score, full, unscored, zero

Compat = Literal["lobster"]
Fuzzy = str | Metric | Callable[..., Any]
PROFILES: tuple[Compat, ...] = ("lobster",)
_SHOWN_ITEMS, _SHOWN_LENGTH = 20, 200


def match_entry(
    reference: Reference | str,
    entry: object,
    *,
    fuzzy: Fuzzy = "llm",
    fuzzy_params: Mapping[str, Any] | None = None,
    judge: Judge | None = None,
    question: str = "",
    compat: Compat | None = None,
) -> Score:
    """The Score of a solver's entry; no entry makes it raise. A reference that cannot be read is a SpecError.

    ``fuzzy`` is used only where the reference is a fuzzy one: the name of a metric, one that is bound already,
    or a function. ``compat="lobster"`` gives what the published evaluator of that benchmark gives.

    >>> match_entry("kala", " kala. ").value
    1.0
    >>> match_entry("<select2,1,3>['ka', 'lo', 'mi']", ["lo", "ka", "xa"]).reason
    '2 of 2 wanted items are right, less 1 for 1 item too many'
    >>> match_entry("<fuzzy>the dog sleeps", "The dog sleeps!", fuzzy="similarity").value
    1.0
    """
    if isinstance(reference, str):
        reference = parse_reference(reference)
    if compat is not None:
        check_compat(compat)
        if not reference.is_fuzzy:
            return lobster_entry(reference, entry)
    if reference.kind == "exact":
        return _match_exact(reference, entry)
    if reference.kind == "select":
        return _match_select(reference, entry)
    metric = bind_fuzzy(fuzzy, fuzzy_params, judge=judge)
    if reference.kind == "fuzzy":
        return _match_fuzzy(reference, entry, metric, question)
    return _match_fuzzy_select(reference, entry, metric, question)


def check_compat(compat: object) -> None:
    """A SpecError for a profile that is not known."""
    if compat is not None and compat not in PROFILES:
        raise SpecError(
            f"unknown profile {describe(compat)}; there is {', '.join(PROFILES)}", path="compat"
        )


def _match_exact(reference: Reference, entry: object) -> Score:
    if not isinstance(entry, str):
        return zero(f"expected a string, got {describe(entry)}", detail={"matching": "exact"})
    key = key_of(entry)
    if key is None:
        return zero("the answer is empty", detail={"matching": "exact"})
    if key == reference.key:
        return full("the answer equals the reference", detail={"matching": "exact"})
    said = f"expected {describe(reference.text)}, got {describe(entry)}"
    return zero(said, detail={"matching": "exact"})


def _match_fuzzy(reference: Reference, entry: object, metric: Metric, question: str) -> Score:
    detail = {"matching": "fuzzy", "metric": metric.name}
    if not isinstance(entry, str):
        return zero(f"expected a string, got {describe(entry)}", detail=detail)
    score = metric.compare(entry, reference.text.strip(), question)
    return _with_detail(score, detail)


def _with_detail(score: Score, detail: Mapping[str, Any]) -> Score:
    import msgspec

    return msgspec.structs.replace(score, detail={**score.detail, **detail})


def _match_select(reference: Reference, entry: object) -> Score:
    given = distinct_items(reference, entry)
    if isinstance(given, Score):
        return given
    wanted = reference.distinct
    return count_items(reference, given, {key for key in given if key in wanted})


def _match_fuzzy_select(
    reference: Reference, entry: object, metric: Metric, question: str
) -> Score:
    given = distinct_items(reference, entry)
    if isinstance(given, Score):
        return given
    asked = {key: item for key, item in given.items() if isinstance(item, str) and item.strip()}
    if not asked or not reference.minlen <= len(given) <= reference.maxlen:
        return _with_detail(count_items(reference, given, set()), {"metric": metric.name})
    try:
        candidates = metric.candidates(asked, reference.distinct, question)
    except EngineError as failed:
        detail = {"matching": reference.kind, "metric": metric.name}
        return unscored(str(failed) or "the metric failed", detail=detail)
    pairs, keys, wanted = (
        best_pairs(candidates.pairs),
        list(asked),
        list(reference.distinct.values()),
    )
    told = {
        "metric": metric.name,
        "pairs": [[brief(asked[keys[i]]), brief(wanted[r])] for i, r in pairs.items()],
    }
    if metric.judge is not None:
        told |= {
            "judge": metric.judge.name,
            "judge_reason": candidates.reason,
            "evidence": candidates.evidence,
        }
    return _with_detail(count_items(reference, given, {keys[i] for i in pairs}), told)


def distinct_items(reference: Reference, entry: object) -> dict[Hashable, Any] | Score:
    """The entry's items by their normal forms, or the zero that it earns without a look at them all.

    A string is a list of one. An item that is no string, or is empty, counts as given and is never right.
    """
    if isinstance(entry, str):
        items: Iterable[Any] = (entry,)
    elif isinstance(entry, (list, tuple, set, frozenset)):
        items = entry
    else:
        said = f"expected a list of strings or a string, got {describe(entry)}"
        return zero(said, detail={"matching": reference.kind})
    # So many items cost more than any can earn.
    hopeless = min(reference.maxlen + 1, 2 * reference.reflen)
    given: dict[Hashable, Any] = {}
    for item in items:
        if isinstance(item, str):
            given.setdefault(key_of(item), item)
        else:
            given.setdefault(("not a string", *keys_of([item])), item)
        if len(given) >= hopeless:
            return _too_many(reference, len(given))
    return given


def _too_many(reference: Reference, given: int) -> Score:
    limit = "" if given <= reference.maxlen else f" and at most {reference.maxlen} are allowed"
    wanted = reference.reflen
    said = f"{given} or more different items are given, where {wanted} {_are(wanted)} wanted"
    return zero(
        said + limit, detail={"matching": reference.kind, "earned": 0, "of": reference.reflen}
    )


def count_items(reference: Reference, given: Mapping[Hashable, Any], right: set[Any]) -> Score:
    """What the right ones among the given items earn: the counting is the same for all metrics."""
    n, h, reflen = len(given), len(right), reference.reflen
    earned, said = 0, _outside(reference, n)
    if not said:
        earned = max(0, min(h, reflen) - max(0, n - reflen))
        said = (
            f"{min(h, reflen)} of {reflen} wanted {'item is' if reflen == 1 else 'items are'} right"
        )
        if n > reflen:
            said += f", less {n - reflen} for {_items(n - reflen)} too many"
    wrong = [brief(item) for key, item in given.items() if key not in right] if h < n else []
    detail = {
        "matching": reference.kind,
        "earned": earned,
        "of": reflen,
        "given": n,
        "right": h,
        "wrong": wrong[:_SHOWN_ITEMS],
    }
    return Score(value=earned / reflen, correct=earned == reflen, reason=said, detail=detail)


def _outside(reference: Reference, n: int) -> str:
    """Why so many items earn nothing, whatever they are."""
    if n < reference.minlen:
        return f"{_items(n)} {_are(n)} given, and at least {reference.minlen} {_are(reference.minlen)} needed"
    if n > reference.maxlen:
        return f"{_items(n)} {_are(n)} given, and at most {reference.maxlen} {_are(reference.maxlen)} allowed"
    return ""


def _items(count: int) -> str:
    return f"{count} item" if count == 1 else f"{count} items"


def _are(count: float) -> str:
    return "is" if count == 1 else "are"


def brief(item: object) -> str:
    """An item as evidence shows it: short, and fit for any file."""
    if isinstance(item, str) and len(item) <= _SHOWN_LENGTH and (item.isascii() or _is_text(item)):
        return item
    return describe(item)


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


_ENDS = {0.0: Fraction(0), 1.0: Fraction(1)}


@functools.lru_cache(maxsize=1_024)
def _share(earned: int, of: int) -> Fraction:
    return Fraction(earned, of)


def exact_value(score: Score) -> Fraction | None:
    """The value of an entry's Score without a float's rounding: two thirds are two thirds.

    >>> exact_value(match_entry("<select3,1,3>['a', 'b', 'c']", ["a", "b"]))
    Fraction(2, 3)
    """
    if score.value is None:
        return None
    if score.value in _ENDS:  # nearly all are, and no fraction need be made of these
        return _ENDS[score.value]
    if "of" in score.detail and score.detail.get("matching") in {"select", "fuzzy_select"}:
        return _share(score.detail["earned"], score.detail["of"])
    from steelyard.score import exact

    return exact(score.value)


def perfect_entry(reference: Reference) -> str | list[str]:
    """The entry that earns as much as any: full marks, unless the lengths forbid them.

    >>> perfect_entry(parse_reference("<select2,1,3>['ka', 'lo', 'mi']"))
    ['ka', 'lo']
    """
    if not reference.is_select:
        return reference.text
    items = list(reference.distinct.values())
    return items[: int(min(reference.reflen, reference.maxlen))]

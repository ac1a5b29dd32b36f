"""The profile ``lobster``: the numbers of that benchmark's published evaluator, for whoever must reproduce them.

It differs from the default on purpose, and only where no judge is asked:

- no NFC and no stripping; of an exact reference only the solver's side is normalised, so that a reference with
  brackets or a final full stop does not match itself;
- select: both lists are sets, and the penalty may be negative: one wrong item where three are wanted earns two thirds;
- ``inf`` is 20;
- where that evaluator breaks off (an item that is no string, an entry of which nothing is left, an apostrophe in
  a reference's list) there is no number to reproduce, and the entry is unscored.
"""

from __future__ import annotations

import json
import math

from steelyard.primitives.values import describe
from steelyard.reference.notation import Reference
from steelyard.score import Score, full, unscored, zero

INFINITY = 20


def lobster_entry(reference: Reference, entry: object) -> Score:
    """The published evaluator's score of an entry with an exact or a select reference.

    >>> from steelyard.reference import parse_reference
    >>> lobster_entry(parse_reference("<select3,1,3>['a', 'b', 'c']"), ["x"]).value
    0.6666666666666666
    >>> lobster_entry(parse_reference("[ka]"), "[ka]").value
    0.0
    """
    detail = {"matching": reference.kind, "compat": "lobster"}
    if entry is None:
        return zero("there is no answer", detail=detail)
    if reference.kind == "exact":
        return _exact(reference, entry, detail)
    return _select(reference, entry, detail)


def _exact(reference: Reference, entry: object, detail: dict[str, str]) -> Score:
    if not isinstance(entry, str):
        return zero(f"expected a string, got {describe(entry)}", detail=detail)
    normal = _normal(entry)
    if normal is None:
        return _no_number(entry, detail)
    if normal == reference.source:
        return full("the normalised answer is the reference as it is written", detail=detail)
    return zero(f"expected {describe(reference.source)}, got {describe(normal)}", detail=detail)


def _select(reference: Reference, entry: object, detail: dict[str, str]) -> Score:
    if not isinstance(entry, (str, list)):
        return zero(f"expected a list or a string, got {describe(entry)}", detail=detail)
    wanted = _reference_set(reference)
    if wanted is None:
        return unscored("the published evaluator cannot read the list of this reference", detail=detail)
    given: set[str] = set()
    for item in [entry] if isinstance(entry, str) else entry:
        normal = _normal(item) if isinstance(item, str) else None
        if normal is None:
            return _no_number(item, detail)
        given.add(normal)
    return _count(reference, len(given), len(given & wanted), detail)


def _count(reference: Reference, n: int, hits: int, detail: dict[str, str]) -> Score:
    maxlen = INFINITY if reference.maxlen == math.inf else reference.maxlen
    reflen = reference.reflen
    if not reference.minlen <= n <= maxlen:
        return zero(f"{n} items are given; {reference.minlen} to {maxlen} are allowed", detail=detail)
    earned = max(0, min(hits, reflen) - (n - reflen))
    said = f"{min(hits, reflen)} of {reflen}, and {n - reflen} taken off for {n} items"
    counted = {**detail, "earned": earned, "of": reflen, "given": n, "right": hits}
    return Score(value=earned / reflen, correct=earned == reflen, reason=said, detail=counted)


def _normal(text: str) -> str | None:
    """That evaluator's normal form; None where it breaks off."""
    if not text:
        return ""
    for name in ("sg", "du", "pl"):
        text = text.replace(f"_{{{name}}}", f"({name})").replace(f" ({name})", f"({name})")
    for mark in ("[", "]", "**", "_"):
        text = text.replace(mark, "")
    if not text:
        return None
    text = text.removesuffix(".")
    return text.lower() if len(text) == 1 and text.isupper() else text


def _reference_set(reference: Reference) -> set[str] | None:
    """The reference's list as that evaluator reads it: every apostrophe is a quote, and <fuzzy> stands first."""
    written = reference.source.partition(">")[2]
    try:
        items = json.loads(written.replace("'", '"'))
    except (ValueError, RecursionError):
        return None
    normal = [_normal(item) if isinstance(item, str) else None for item in items]
    return None if None in normal else {item for item in normal if item is not None}


def _no_number(item: object, detail: dict[str, str]) -> Score:
    return unscored(f"the published evaluator breaks off at {describe(item)}", detail=detail)

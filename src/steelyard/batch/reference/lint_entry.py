"""What lint says of one entry of a reference: can it be read, and can it be matched?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from steelyard.batch.reference.evidence import kind_of, quoted
from steelyard.batch.reference.findings import Found
from steelyard.batch.reference.lint_text import lint_text
from steelyard.errors import SpecError
from steelyard.reference import Reference, match_entry, parse_reference, perfect_entry
from steelyard.reference.normal import key_of

READABLE = 'write a string such as "word", "<fuzzy>text" or "<select2,1,3>[…]"'


def lint_entry(question: str, text: Any) -> Iterator[Found]:
    """What is wrong with the reference of one question.

    >>> [said for _, _, said, _ in lint_entry("1", "<select3,1,1>['a', 'b', 'c']")]
    ['at most 1 item may be given, but 3 are needed for full marks']
    """
    if not isinstance(text, str):
        yield "error", question, f"the reference must be a string, not {kind_of(text)}", READABLE
        return
    try:
        reference = parse_reference(text)
    except SpecError as wrong:
        yield "error", question, "; ".join(p.message for p in wrong.problems), READABLE
        yield from lint_text(question, text)
        return
    yield from _lint_kind(question, reference)
    yield from _texts(question, reference)


def _texts(question: str, reference: Reference) -> Iterator[Found]:
    """The texts that answers are held against: what is written as an escape in a list is looked at as it reads."""
    if not reference.is_select:
        yield from lint_text(question, reference.text)
    for item in dict.fromkeys(reference.items):
        yield from lint_text(question, item, what=f"the item {quoted(item)}")


def _lint_kind(question: str, reference: Reference) -> Iterator[Found]:
    impossible = list(_lengths(question, reference)) if reference.is_select else []
    yield from impossible
    if reference.is_select:
        yield from _items(question, reference)
    if not impossible:
        yield from _self_match(question, reference)


def _lengths(question: str, reference: Reference) -> Iterator[Found]:
    """Numbers that keep every answer from full marks; which are earned by exactly reflen right items."""
    need, distinct = reference.reflen, len(reference.distinct)
    if reference.maxlen < need:
        most = _items_told(int(reference.maxlen))
        said = f"at most {most} may be given, but {need} are needed for full marks"
        yield (
            "error",
            question,
            said,
            f"make maxlen at least {need}, or reflen at most {reference.maxlen}",
        )
    if reference.minlen > need:
        least = _items_told(reference.minlen)
        said = f"at least {least} must be given, but every one beyond {need} costs a point"
        yield (
            "error",
            question,
            said,
            f"make minlen at most {need}, or reflen at least {reference.minlen}",
        )
    if distinct < need:
        said = f"{need} right items are needed for full marks, but the list has {distinct} different ones"
        yield "error", question, said, f"add items to the list, or make reflen at most {distinct}"


def _items(question: str, reference: Reference) -> Iterator[Found]:
    seen: dict[Any, str] = {}
    for item in reference.items:
        key = key_of(item)
        if key is None:
            yield (
                "error",
                question,
                "an item of the list is empty; no answer matches it",
                "remove the item",
            )
            continue
        if key in seen:
            how = (
                "twice"
                if seen[key] == item
                else f"twice, as {quoted(seen[key])} and {quoted(item)}"
            )
            said = f"the item {quoted(item)} is in the list {how}; after normalisation they are one"
            yield "error", question, said, "keep one of them"
        seen.setdefault(key, item)
    if (
        len(seen) == 1
        and reference.reflen == 1
        and len(reference.items) == 1
        and reference.kind == "select"
    ):
        yield (
            "note",
            question,
            "a list of one item is an exact match in disguise",
            "nothing, if that is meant",
        )


def _self_match(question: str, reference: Reference) -> Iterator[Found]:
    """A reference that does not match itself could be matched by nobody."""
    found = match_entry(reference, perfect_entry(reference), fuzzy="exact")
    if found.value != 1:
        yield (
            "error",
            question,
            f"the reference does not match itself: {found.reason}",
            "write another reference",
        )


def _items_told(count: int) -> str:
    return f"{count} item" if count == 1 else f"{count} items"

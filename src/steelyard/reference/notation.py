"""The notation of references: ``<fuzzy>``, ``<select2,1,3>['a', 'b']``, both of them, or a plain text."""

from __future__ import annotations

import difflib
import functools
import math
import re
from typing import Literal

import msgspec

from steelyard.errors import SpecError
from steelyard.primitives.values import describe
from steelyard.reference.lists import read_list
from steelyard.reference.normal import Key, key_of

Kind = Literal["exact", "fuzzy", "select", "fuzzy_select"]

_TAG = re.compile(r"<\s*/?\s*([^\W\d_]+)([^<>]*)(>?)")
_TAGS = ("fuzzy", "select")
_MAX_DIGITS = 9
_USUAL = re.compile(r"<select([0-9]{1,9}),([0-9]{1,9}),([0-9]{1,9}|inf)>(?=\[)")
_CACHED_LENGTH = 10_000


class Reference(msgspec.Struct, frozen=True, kw_only=True, dict=True, repr_omit_defaults=True):
    """A parsed reference. Where nothing is selected, ``text`` is the answer, and the three lengths are 1.

    ``maxlen`` is an infinity where the number of items has no upper bound.
    """

    kind: Kind
    source: str
    text: str = ""
    items: tuple[str, ...] = ()
    reflen: int = 1
    minlen: int = 1
    maxlen: int | float = 1

    @property
    def is_fuzzy(self) -> bool:
        """Whether equivalents count that are not equal."""
        return self.kind in {"fuzzy", "fuzzy_select"}

    @property
    def is_select(self) -> bool:
        """Whether the answer is a list of items."""
        return self.kind in {"select", "fuzzy_select"}

    @functools.cached_property
    def key(self) -> Key | None:
        """The normal form of the text."""
        return key_of(self.text)

    @functools.cached_property
    def keys(self) -> frozenset[Key]:
        """The normal forms of the items."""
        return frozenset(self.distinct)

    @functools.cached_property
    def distinct(self) -> dict[Key, str]:
        """The items without those that are empty or equal an earlier one, by their normal forms."""
        found: dict[Key, str] = {}
        for item in self.items:
            key = key_of(item)
            if key is not None:
                found.setdefault(key, item)
        return found


def parse_reference(text: str) -> Reference:
    """The reference that a text denotes; what cannot be read is a SpecError with the reason.

    >>> parse_reference("<fuzzy>the dog sleeps").kind
    'fuzzy'
    >>> reference = parse_reference("<select2,1,inf>['ka', \\"t'o\\"]")
    >>> reference.kind, reference.reflen, reference.minlen, reference.maxlen, reference.items
    ('select', 2, 1, inf, ('ka', "t'o"))
    """
    if not isinstance(text, str):
        raise SpecError(f"the reference must be a string, not {describe(text)}")
    return _parse_cached(text) if len(text) <= _CACHED_LENGTH else _parse(text)


def _parse(text: str) -> Reference:
    fuzzy, lengths, rest = _read_tags(text)
    if lengths is None:
        if not rest.strip():
            raise SpecError("the reference is empty; no answer could match it")
        return Reference(kind="fuzzy" if fuzzy else "exact", source=text, text=rest)
    reflen, minlen, maxlen = lengths
    items = read_list(rest)
    if not any(item.strip() for item in items):
        raise SpecError("the list of the select tag has no item; no answer could match it")
    return Reference(
        kind="fuzzy_select" if fuzzy else "select",
        source=text,
        items=items,
        reflen=reflen,
        minlen=minlen,
        maxlen=maxlen,
    )


_parse_cached = functools.lru_cache(maxsize=20_000)(_parse)


def _read_tags(text: str) -> tuple[bool, tuple[int, int, int | float] | None, str]:
    """Whether the text is fuzzy, the lengths where it selects, and what follows the tags."""
    if text[:1] != "<" and not text[:1].isspace():
        return False, None, text
    if usual := _USUAL.match(text):
        return False, _check_lengths(usual[0], *usual.groups()), text[usual.end() :]
    fuzzy, lengths, rest = False, None, text
    while (found := _TAG.match(rest.lstrip())) and _is_tag(found[1]):
        tag = found[0]
        if tag == "<fuzzy>":
            if fuzzy:
                raise SpecError("the tag <fuzzy> is given twice")
            fuzzy = True
        elif tag.startswith("<select") and tag.endswith(">"):
            if lengths is not None:
                raise SpecError("there are two select tags")
            lengths = _read_lengths(tag)
        else:
            raise SpecError(
                f"the tag {describe(tag)} cannot be read; "
                "the tags are <fuzzy> and <select{reflen},{minlen},{maxlen}>"
            )
        rest = rest.lstrip()[len(tag) :]
    return fuzzy, lengths, rest


def _is_tag(word: str) -> bool:
    """A word that is, begins with, or is nearly, the name of a tag."""
    word = word[:20].casefold()
    return word.startswith(_TAGS) or bool(difflib.get_close_matches(word, _TAGS, n=1, cutoff=0.8))


def _read_lengths(tag: str) -> tuple[int, int, int | float]:
    numbers = tag[len("<select") : -1].split(",")
    if len(numbers) != 3:
        raise SpecError(
            f"the tag {describe(tag)} needs three numbers: <select{{reflen}},{{minlen}},{{maxlen}}>"
        )
    reflen, minlen = (
        _read_length(tag, "reflen", numbers[0]),
        _read_length(tag, "minlen", numbers[1]),
    )
    maxlen = "inf" if numbers[2].strip() == "inf" else _read_length(tag, "maxlen", numbers[2])
    return _check_lengths(tag, reflen, minlen, maxlen)


def _check_lengths(tag: str, *numbers: str) -> tuple[int, int, int | float]:
    reflen, minlen = int(numbers[0]), int(numbers[1])
    maxlen = math.inf if numbers[2] == "inf" else int(numbers[2])
    if reflen < 1:
        raise SpecError(f"in {describe(tag)} reflen must be at least 1")
    if minlen > maxlen:
        raise SpecError(f"in {describe(tag)} minlen is more than maxlen, so no answer could score")
    return reflen, minlen, maxlen


def _read_length(tag: str, name: str, written: str) -> str:
    digits = written.strip()
    if digits == "inf":
        raise SpecError(f"in {describe(tag)} {name} cannot be inf; only maxlen can")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= _MAX_DIGITS):
        raise SpecError(f"in {describe(tag)} {name} must be a whole number, not {describe(digits)}")
    return digits

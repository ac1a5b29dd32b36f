"""The normal form of an entry: what counts as the same answer, and nothing more."""

from __future__ import annotations

import re

from steelyard.values.compose import compose

# Equal for entries that match. A text of which nothing is left stands for itself, in a tuple of its own.
Key = str | tuple[str]

_NUMBERS = tuple((f"_{{{name}}}", f"({name})", f" ({name})") for name in ("sg", "du", "pl"))
_DELETED = ("[", "]", "**", "_")
_is_marked = re.compile(r"[\[\]*_(.]").search


def normalise_entry(text: str) -> str:
    """The entry in its normal form; it is empty where nothing but marks was written.

    In this order, once: NFC; strip; ``_{sg}``, ``_{du}``, ``_{pl}`` become ``(sg)``, ``(du)``, ``(pl)``, and one
    space before these goes; every ``[``, ``]``, ``**`` and ``_`` goes; strip; one final full stop goes; a single
    capital letter is lowered. Case, diacritics, inner punctuation and inner spaces count.

    >>> normalise_entry(" **you** _{pl} saw. "), normalise_entry("[B]"), normalise_entry("Ba")
    ('you(pl) saw', 'b', 'Ba')
    """
    # Stripping first gives the same, and leaves less to compose.
    return _reduce(compose(text.strip()))


def _reduce(text: str) -> str:
    """What comes after composing and stripping."""
    if _is_marked(text):
        for lowered, plain, spaced in _NUMBERS:
            text = text.replace(lowered, plain).replace(spaced, plain)
        for mark in _DELETED:
            text = text.replace(mark, "")
        text = text.strip().removesuffix(".")
    if len(text) == 1 and text.isupper() and text.isalpha():
        return text.lower()
    return text


def key_of(text: str) -> Key | None:
    """What two matching entries have in common; None for an empty one, which matches nothing.

    >>> key_of("[A]") == key_of("a "), key_of("_"), key_of(" ")
    (True, ('_',), None)
    """
    bare = text.strip()
    if not bare.isascii():
        bare = compose(bare)
    if len(bare) > 1 and not _is_marked(bare):
        return bare
    return _reduce(bare) or ((bare,) if bare else None)

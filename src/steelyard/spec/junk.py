"""Values that have nothing of the truth, and cannot be it in another dress: whatever they earn is had for nothing."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from steelyard.primitives.values import Unreadable, array, key, keys_of, number, wide

# A prime, so that no sum of angles, dates or remainders brings a number back to the truth.
_FAR = 7919
_MANY = 500
_LONGEST = 100_000
# Of a text or an array this much is looked at for the words that must not be in it.
_LOOKED_AT = 1_000_000


def junk(wants: Iterable[Any], words: Iterable[str]) -> Iterator[Any]:
    """Unrelated text, lists, objects and numbers, as long as each truth and in its shape; none is one of the truths.

    ``words`` mean nothing; the first that is in no truth is used.

    >>> list(junk(["a zxqj"], ["zxqj", "vkwp"]))[:2], list(junk([True, 5], ["zxqj"]))[:3]
    (['vkwpvk', ['vkwp']], [False, Decimal('47514'), Decimal('-47514')])
    """
    known = list(wants)
    text = "\n".join(_written(want) for want in known).casefold()
    word = next((word for word in words if word not in text), "")
    taken = set(keys_of(known))
    for value in (*_shaped(known, word), *_any_shape(known, word, text)) if word else ():
        # What holds the word is none of the truths.
        if isinstance(value, (str, list, dict)) or key(value) not in taken:
            yield value


def _shaped(wants: list[Any], word: str) -> Iterator[Any]:
    for want in wants:
        if isinstance(want, str) and want:
            length = max(
                min(len(want), _LONGEST), len(word)
            )  # part of a word could be in the truth
            yield (word * (length // len(word) + 1))[:length]
            yield [word]
        elif items := array(want):
            yield [word] * min(len(items), _LONGEST)
        elif isinstance(want, Mapping) and want:
            yield dict.fromkeys(want, word)
        elif isinstance(want, bool):
            yield not want
        elif (found := number(want)) is not None:
            context = wide(found, _FAR, 1)
            far = context.multiply(
                context.add(Decimal(found).copy_abs(), Decimal(1)), Decimal(_FAR)
            )
            yield from (far, far.copy_negate())


def _any_shape(wants: list[Any], word: str, text: str) -> Iterator[Any]:
    yield from (word, {"value": word}, _many(word))
    if not any(number(want) is not None for want in wants) and not any(map(str.isdigit, text)):
        yield _FAR


@functools.cache
def _many(word: str) -> list[str]:
    return [f"{word} {i}" for i in range(_MANY)]


def _written(want: object) -> str:
    """The texts and numbers that a truth holds."""
    try:
        found = key(want)
    except Unreadable:
        return ""
    tokens = found if isinstance(found, tuple) else (found,)
    return "\n".join(str(token) for token in tokens if isinstance(token, str))[:_LOOKED_AT]

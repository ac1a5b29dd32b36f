"""The comma that parts a decimal fraction, told from the one that parts a list and the one that groups digits."""

from __future__ import annotations

import functools
import re
from collections import deque
from pathlib import Path

from steelyard.text.late import late

#: A comma that may be one: after a digit, and with no group of three behind it; a zero alone has no group to part.
COMMA = late(r",(?<=\d,)(?:\d{1,2}|\d{4,15}|(?<=(?<!\d)0,)\d{3})(?!\d|,\d)")
_BRACED = late(r"(?<=\d)\{,\}(\d{1,2})(?!\d|\{,\})")
_WHOLE = late(r"(?<![\d.,])(?:[1-9]\d{0,2}(?:[ \u00a0\u202f\u2009]\d{3}){1,4}|\d{1,15})\Z")
_SPACES = str.maketrans(dict.fromkeys(" \u202f\u2009", "\u00a0"))
_MONEY_BEFORE = late(r"(?:[€£₽]|R\$|\b(?:EUR|CHF|BRL))[ \u00a0]?\Z")
_CYRILLIC = late("[а-яё]{2}", re.IGNORECASE)
_OPENING, _CLOSING = frozenset("([{⟨"), frozenset(")]}⟩\\")
_NEAR = 300  # characters on either side tell the language
_MANY = 40  # of a text's commas, the last ones: the answer stands at the end


def with_points(text: str) -> str:
    r"""The text with a point for each comma that can only part a decimal fraction; all offsets stay as they were.

    >>> with_points("2,50 €"), with_points("0,25"), with_points("3,5"), with_points("(0,25)"), with_points(r"2{,}5")
    ('2.50 €', '0.25', '3,5', '(0,25)', '2.500')
    """
    if "{,}" in text:
        # Noughts behind the digits fill the place of the braces.
        text = _BRACED.sub(lambda found: f".{found[1]}00", text)
    for comma in deque(COMMA.finditer(text), maxlen=_MANY):
        whole = _WHOLE.search(text, max(0, comma.start() - 24), comma.start())
        if whole and _parts_decimal(text, whole, comma.end()):
            number = f"{whole[0].translate(_SPACES)}.{text[comma.start() + 1 : comma.end()]}"
            text = text[: whole.start()] + number + text[comma.end() :]
    return text


def _parts_decimal(text: str, whole: re.Match[str], end: int) -> bool:
    before, after = text[whole.start() - 1 : whole.start()], text[end : end + 1]
    if after in _CLOSING and after and before in _OPENING:
        return False
    if len(whole[0]) > 4 and not whole[0].isdecimal():
        return True  # 1 234,5: what groups digits by blanks has the comma left for this
    units, _ = _signs()
    if units.match(text, end) or _MONEY_BEFORE.search(
        text, max(0, whole.start() - 5), whole.start()
    ):
        return True
    if whole[0] == "0":
        return not after.isalnum()
    return (
        after not in _CLOSING - {"\\"} and len(whole[0]) < 8 and _is_written_so(text, whole.start())
    )


def _is_written_so(text: str, at: int) -> bool:
    """Whether the text there is in a language with decimal commas, and so its commas between digits are some."""
    _, words = _signs()
    low, high = max(0, at - _NEAR), at + _NEAR
    return (
        words.search(text, low, high) is not None or _CYRILLIC.search(text, low, high) is not None
    )


@functools.cache
def _signs() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What may follow the number, and the words by which the language is known."""
    lines = (Path(__file__).parent / "comma.txt").read_text(encoding="utf-8").splitlines()
    at = lines.index("words")
    units = sorted(
        (word for line in lines[lines.index("units") + 1 : at] for word in line.split()), key=len
    )
    words = [word for line in lines[at + 1 :] for word in line.split()]
    return (
        re.compile(
            rf"[ \u00a0\u202f]?\\?(?:{'|'.join(map(re.escape, reversed(units)))})(?![^\W\d_])"
        ),
        re.compile(rf"(?<![^\W\d])(?:{'|'.join(words)})(?![^\W\d])"),
    )

"""When an output is the wanted one: as text, line by line, token by token, or number by number.

``exact``   the same bytes, but for CRLF in place of LF and for one newline at the end, which may be there or not.
``lines``   (the default) as exact, and blanks at the ends of lines and empty lines at the end do not count.
``tokens``  the same tokens in the same order, whatever white space is between them.
``float``   as tokens; where both tokens are numbers, the stated tolerance decides, and integers are compared exactly.

Outputs are bytes and are never decoded as a whole, so an output that is no text is merely a wrong one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from itertools import zip_longest

from steelyard.grading.equal import Tolerance

PRINTED = Tolerance(rel=1e-6, abs=1e-9)
_SHOWN = 40
# A longer run of digits is not read as a number: no honest program prints one.
_LONGEST_NUMBER = 400
_TOKEN = re.compile(rb"[^ \t\n\v\f\r]+")
_INTEGER = re.compile(rb"[+-]?[0-9]+\Z")
_NUMBER = re.compile(
    rb"[+-]?(?:[0-9]+\.?[0-9]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?|inf(?:inity)?|nan)\Z",
    re.IGNORECASE,
)

Compare = Callable[[bytes, bytes, Tolerance | None], str | None]


def exact(got: bytes, want: bytes, tolerance: Tolerance | None = None) -> str | None:
    """None if both are the same text; a final newline may be there or not, and CRLF counts as LF.

    >>> exact(b"a\\r\\n", b"a"), exact(b"a ", b"a")
    (None, "line 1 is 'a ', which is not the expected line")
    """
    return _first_line(
        _lines(_one_newline_less(got)), _lines(_one_newline_less(want)), _without_return
    )


def lines(got: bytes, want: bytes, tolerance: Tolerance | None = None) -> str | None:
    """None if both have the same lines; blanks at the ends of lines and empty last lines do not count.

    >>> lines(b"a \\nb\\n\\n", b"a\\nb") is None, lines(b" a", b"a") is None
    (True, False)
    """
    return _first_line(_lines(got.rstrip()), _lines(want.rstrip()), bytes.rstrip)


def tokens(got: bytes, want: bytes, tolerance: Tolerance | None = None) -> str | None:
    """None if both have the same tokens in the same order.

    >>> tokens(b"1  2\\n3", b"1 2 3 "), tokens(b"1 3", b"1 2")
    (None, "token 2 is '3', which is not the expected one")
    """
    return _first_token(got, want, bytes.__eq__)


def floats(got: bytes, want: bytes, tolerance: Tolerance | None = None) -> str | None:
    """As tokens, but numbers need only lie within the tolerance.

    >>> floats(b"0.3333333 yes", b"0.3333334 yes") is None, floats(b"7", b"8") is None
    (True, False)
    """
    room = tolerance or PRINTED
    return _first_token(got, want, lambda ours, theirs: ours == theirs or _near(ours, theirs, room))


COMPARISONS: dict[str, Compare] = {
    "exact": exact,
    "lines": lines,
    "tokens": tokens,
    "float": floats,
}


def _one_newline_less(text: bytes) -> bytes:
    return text[: -2 if text.endswith(b"\r\n") else -1] if text.endswith(b"\n") else text


def _without_return(line: bytes) -> bytes:
    return line[:-1] if line.endswith(b"\r") else line


def _lines(text: bytes) -> Iterator[bytes]:
    """Line by line, so that an output of nothing but newlines does not become a list of millions."""
    start = 0
    while (end := text.find(b"\n", start)) >= 0:
        yield text[start:end]
        start = end + 1
    yield text[start:]


def _first_line(
    got: Iterator[bytes], want: Iterator[bytes], form: Callable[[bytes], bytes]
) -> str | None:
    for number, (ours, theirs) in enumerate(zip_longest(got, want), start=1):
        if ours is None:
            return f"the output ends before line {number}"
        if theirs is None:
            return f"line {number} is {shown_bytes(ours)}, where nothing more was expected"
        if form(ours) != form(theirs):
            return f"line {number} is {shown_bytes(ours)}, which is not the expected line"
    return None


def _first_token(got: bytes, want: bytes, same: Callable[[bytes, bytes], bool]) -> str | None:
    found = zip_longest(_TOKEN.finditer(got), _TOKEN.finditer(want))
    for number, (ours, theirs) in enumerate(found, start=1):
        if ours is None:
            return f"the output ends before token {number}"
        if theirs is None:
            return f"token {number} is {shown_bytes(ours[0])}, where nothing more was expected"
        if not same(ours[0], theirs[0]):
            return f"token {number} is {shown_bytes(ours[0])}, which is not the expected one"
    return None


def _near(got: bytes, want: bytes, room: Tolerance) -> bool:
    if max(len(got), len(want)) > _LONGEST_NUMBER or not (
        _NUMBER.match(got) and _NUMBER.match(want)
    ):
        return False
    if _INTEGER.match(got) and _INTEGER.match(want):
        return int(got) == int(want)
    ours, theirs = float(got), float(want)
    return room.allows(ours, theirs) or (math.isnan(ours) and math.isnan(theirs))


def shown_bytes(data: bytes) -> str:
    """The beginning of some bytes as a quoted text that is safe to print.

    >>> shown_bytes(b"a\\x1b\\xff")
    "'a\\\\x1b�'"
    """
    text = data[: _SHOWN * 4].decode("utf-8", "replace")
    return repr(text[:_SHOWN] + ("…" if len(text) > _SHOWN else ""))

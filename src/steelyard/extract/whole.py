"""The whole text after "Answer:", for a target of several lines: a poem, a list, a system of equations."""

from __future__ import annotations

from steelyard.extract.answer import after_last_colon
from steelyard.extract.found import Found
from steelyard.text.correction.settled import settled
from steelyard.text.equal import same_answer
from steelyard.text.wrap import unwrap


def whole_answer(text: str) -> Found | None:
    r"""All that follows the last "Answer:", or all there is, without its wrappers; nothing where a part of it was left aside.

    >>> whole_answer("Sorted.\nAnswer:\napple\nbanana").value, whole_answer("```\n0 1\n1 0\n```").value
    ('apple\nbanana', '0 1\n1 0')
    """
    shown = settled(text)
    line = after_last_colon(shown)
    start, end = unwrap(shown, (line[0] if line else 0, len(shown)))
    value = shown[start:end]
    return Found(value, (start, end), "answer line") if text[start:end] == value else None


def same_lines(got: str, want: str) -> bool:
    r"""Whether the two have the same lines in the same order; blank ones mean nothing.

    >>> same_lines("x = 2\n\ny = 3.0", "x = 2\ny = 3"), same_lines("b\na", "a\nb"), same_lines("1\n23", "12\n3")
    (True, False, False)
    """
    left, right = _lines(got), _lines(want)
    return len(left) == len(right) > 1 and all(map(same_answer, left, right))


def _lines(text: str) -> list[str]:
    return [line for line in map(str.strip, text.split("\n")) if line]

r"""A \boxed{} that its sentence takes back: "it is not \boxed{12}", "\boxed{12} is wrong"."""

from __future__ import annotations

from steelyard.extract import markers
from steelyard.text.denial import number_denied
from steelyard.text.late import late
from steelyard.text.wrap import closing_brace

_AROUND = "$*_`([{\\"
_BEHIND = ("\\)", "\\]", "$", "*", "`", ")", "]")


# "\\boxed{A} is wrong, and so is \\boxed{B}."
_SO_IS = late(r"\b(?:wrong|incorrect|not[ ](?:correct|right))\b[^.!?\n]{0,15}\band[ ]so[ ]is[ ]?\Z")


def is_denied_box(text: str, start: int, close: int) -> bool:
    r"""Whether the box that begins at ``start``, its brace closed at ``close``, is denied where it stands.

    >>> is_denied_box(r"It is not $\boxed{12}$.", 11, 20), is_denied_box(r"Not 11 but \boxed{12}", 11, 20)
    (True, False)
    """
    while start > 0 and text[start - 1] in _AROUND:
        start -= 1
    end = close + 1
    while text.startswith(_BEHIND, end):
        end += 2 if text[end] == "\\" else 1
    return number_denied(text, start, end) or _SO_IS.search(text, max(0, start - 60), start) is not None


def without_denied_boxes(shown: str) -> str:
    r"""The text with blanks for each box that is denied; all offsets stay as they were.

    >>> without_denied_boxes(r"not \boxed{1}, \boxed{2}")
    'not          , \\boxed{2}'
    """
    if "\\" not in shown:
        return shown
    for mark in reversed(list(markers.BOXED.finditer(shown))[-5:]):
        close = closing_brace(shown, mark.end())
        if close is not None and is_denied_box(shown, mark.start(), close):
            shown = shown[: mark.start()] + " " * (close + 1 - mark.start()) + shown[close + 1 :]
    return shown

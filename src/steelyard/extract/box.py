r"""A \boxed{} that its sentence takes back: "it is not \boxed{12}", "\boxed{12} is wrong"; and one that holds a formula."""

from __future__ import annotations

import re

from steelyard.extract import markers
from steelyard.text.claim.denial import number_denied
from steelyard.text.late import late
from steelyard.text.wrap import closing_brace

_AROUND = "$*_`([{\\"
_BEHIND = ("\\)", "\\]", "$", "*", "`", ")", "]")


# "\\boxed{A} is wrong, and so is \\boxed{B}."
_SO_IS = late(r"\b(?:wrong|incorrect|not[ ](?:correct|right))\b[^.!?\n]{0,15}\band[ ]so[ ]is[ ]?\Z")

# What takes a letter as its operand: -b, \\sqrt{b}, |A|.
_OPERAND = (
    r"(?:[-+−±|]|\\(?:[dtc]?frac|sqrt|vec|hat|bar|tilde|dot|overline|angle|triangle|log|ln|sin|cos|tan|det|exp|d?binom)"
    r"(?![a-z]))"
)
# What a formula goes on with after a letter, and the text of an option never: a^2, A < B, A', a(b + c).
_OPERATOR = (
    r"\s*(?:[\^<>≤≥≠×·÷√±∪∩∈⊂⊆+−]|\|(?=\s*(?:\\|[A-Za-z](?![A-Za-z])))|/(?=\s*[\w\\({])|\*(?!\*)|_[\w{\\]|\\(?:cdot|times|div|pm|mp|cup|cap|subset(?:eq)?|supset(?:eq)?|in|notin|leq?"
    r"|geq?|lt|gt|neq?|land|lor|wedge|vee|oplus|otimes|setminus|mid|parallel|perp|equiv|sim|cong|circ|bmod|choose|over)(?![a-z])"
    r"|\\(?:to|(?:long)?(?:right|left)arrow|implies|iff)(?![a-z])\s*[A-Za-z](?![A-Za-z]))|['′]|\((?=[A-Za-z](?![A-Za-z]))"
    r"|\\(?:sqrt|[dtc]?frac|left\(|vec|pi|sin|cos|tan|log|ln|exp)"
)
# After a small letter a minus or a root is one even behind a blank; "A - 5" may be an option and its text.
_SMALL = r"\s*(?:-(?!\s*(?:\\text|[A-Za-z]{3}))|\\(?:sqrt|[dtc]?frac|left|vec|pi|sin|cos|tan|log|ln|exp))"
_FORMULA = late(
    rf"[\s{{]*(?:(?:{_OPERAND}[\s{{(]*)+[A-Za-z](?![A-Za-z])|[A-Za-z](?![A-Za-z])\}}?(?:{_OPERATOR}|(?<=[a-z]){_SMALL}))"
)
# Two prices are none, "$A + 5 for one. The other is $20": the closing sign stands close, before no digit, and in the sentence.
_TYPESET = late(
    r"(?<![\\\w$])\$(?!\$)(?:(?=\s)(?:[^$\n.!?]|[.!?](?![ ])){2,200}|(?:[^$\n.!?]|[.!?](?![ ])){2,200}(?<!\s))\$(?!\d)"
    r"|\\\((?:[^\n\\]|\\(?![()])){2,200}\\\)"
)
# The letter of the option that is named beside its formula: \\boxed{a^2 \\text{ (A)}}.
_NAMED_BESIDE = late(r"\\text\w{0,2}\{\s*\([A-Z]\)|\([A-Z]\)\s*\Z")


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
    return (
        number_denied(text, start, end)
        or _SO_IS.search(text, max(0, start - 60), start) is not None
    )


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


def without_typeset(shown: str) -> str:
    r"""The text with a nought for each typeset formula that begins as only a formula does; offsets stay as they were.

    >>> without_typeset(r"Hence $\det A \in S$, so $B$."), without_typeset(r"\(A \cup B\)")
    ('Hence 0             , so $B$.', '0           ')
    """
    return _TYPESET.sub(_blank_formula, shown)


def _blank_formula(found: re.Match[str]) -> str:
    start = 1 if found[0][0] == "$" else 2
    if "\\boxed" in found[0] or "\\text" in found[0] or _FORMULA.match(found[0], start) is None:
        return found[0]
    return "0".ljust(len(found[0]))


def without_formulas(shown: str) -> str:
    r"""The text with a nought for each formula in a box, which then gives a letter as little as a number does.

    >>> without_formulas(r"\boxed{a^2 + b^2}"), without_formulas(r"\boxed{\text{(A)} a^2}")
    ('\\boxed{0        }', '\\boxed{\\text{(A)} a^2}')
    """
    for mark in list(markers.BOXED.finditer(shown))[-5:]:
        close = closing_brace(shown, mark.end())
        if close is not None and _FORMULA.match(shown, mark.end(), close):
            named = _NAMED_BESIDE.search(shown, mark.end(), close)
            end = named.start() if named else close
            shown = shown[: mark.end()] + "0".ljust(end - mark.end()) + shown[end:]
    return shown

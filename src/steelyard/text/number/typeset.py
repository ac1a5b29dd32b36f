r"""Numbers that LaTeX or a printer has set, in plain writing: every character keeps its place.

What only lays a page out (``\\[4pt]``, ``\tag{3}``) holds no number and becomes blanks; a relation or a fraction that is a
command becomes the sign that it stands for, a decimal comma a point. So a span found in the result is one of the text itself.
"""

from __future__ import annotations

import re

from steelyard.text.late import late
from steelyard.text.number.comma import COMMA, with_points

#: Stands for the blank between a typographic minus, or a hyphen that a no-break space binds, and its number: no bullet.
SIGN_GAP = "\u2060"
_SET_APART = late(
    r"(?:^|[:=(\[{$*,>])[ ]{0,3}(?:[−－][ \u00a0]|-[\u00a0\u202f])(?=[\d.\\√])", re.MULTILINE
)
_LENGTH = r"-?[\d.]{1,9}\s?(?:pt|em|ex|mm|cm|in|px|mu|bp|pc|sp)"
_LAYOUT = late(
    rf"\\\\\*?\s?\[\s?{_LENGTH}\s?\]"
    rf"|\\(?:[hvm]skip|[mh]?kern)\s?{_LENGTH}"
    r"|\\(?:tag|label|ref|eqref|cite|[hv]space|[hv]?phantom|cline|textcolor|color)\*?\s?\{[^{}]{0,80}\}"
    r"|\\q?quad\s{0,3}\(\s?\d{1,3}\s?\)(?=\s{0,3}(?:\$\$|\\[\\\]]|\n|\Z))"  # the number of an equation
    r"|\\(?:rule|fontsize|multicolumn)\s?\{[^{}]{0,40}\}\s?\{[^{}]{0,40}\}"
)
# A unit set as a fraction: 9.8 \\frac{\\text{m}}{\\text{s}^2}. Bare letters are one only where they can hardly be anything else.
_POWER = r"\s?(?:\^\s?(?:-?\d|\{\s?-?\d\s?\})\s?)?"
_NAMED_UNIT = (
    rf"\s?\\(?:text|mathrm|textrm|mbox|rm)\s?\{{\s?[^\W\d_][^{{}}\d\\+=-]{{0,30}}\}}{_POWER}"
)
_PRODUCT = rf"{_NAMED_UNIT}(?:(?:\\cdot|\\,|\\ |·){_NAMED_UNIT}){{0,3}}"
_LONG_UNIT = r"(?:[kcm]m|k?g|mg|m?L|mol|k?J|mi|ft|rad|rev|hr?|min|m|s|K|N|W)"
_UNIT_FRACTION = late(
    rf"(?P<kept>\d(?:\\[,;:! ]|[\s~]){{0,3}})\\[dtc]?frac\s?(?:\{{{_PRODUCT}\}}\s?\{{{_PRODUCT}\}}"
    rf"|\{{\s?m{_POWER}\}}\s?\{{\s?s{_POWER}\}}"
    rf"|\{{\s?{_LONG_UNIT}{_POWER}\}}\s?\{{\s?(?:[kcm]m|kg|mg|mL|mol|hr|min){_POWER}\}}"
    rf"|\{{\s?(?:[kcm]m|kg|mg|mL|mol|kJ|mi|ft|rad|rev){_POWER}\}}\s?\{{\s?{_LONG_UNIT}{_POWER}\}})"
)
_SIGNS = {
    "le": "≤",
    "leq": "≤",
    "leqslant": "≤",
    "lt": "<",
    "ge": "≥",
    "geq": "≥",
    "geqslant": "≥",
    "gt": ">",
    "equiv": "=",
    "approx": "≈",
    "simeq": "≈",
    "cong": "≈",
}
_SIGN = late(rf"\\({'|'.join(sorted(_SIGNS, key=len, reverse=True))})(?![a-zA-Z])")
_JOINED = late(
    r"(?<=[^\W\d_])—(?=[$€£]?\d)"
)  # "Profit—15 dollars": no minus, and no part of the word
_OVER = late(r"(?<=[\d.])(\s{0,3}\\over\s{0,3})(?=[\d.])")
# 0.\overline{45}, 0.1\dot{6}, 0.\dot{1}4285\dot{7}: what stands under the bar, or from dot to dot, comes again and again.
_REPEATING = late(
    r"(?<![\d.,}])(?P<whole>\d{1,6})\.(?P<once>\d{0,6})(?:\\overline\s?\{\s?(?P<bar>\d{1,6})\s?\}"
    r"|\\dot\s?\{?(?P<first>\d)\}?(?:(?P<amid>\d{0,6})\\dot\s?\{?(?P<last>\d)\}?)?)(?!\d|\\(?:overline|dot))"
)
_MODULUS = late(
    r"\\pmod\s?(?:\{[^{}]{0,40}\}|\w{1,9})"
    r"|\(\s?(?:\\?b?mod|\\(?:text|mathrm|operatorname)\s?\{\s?mod\s?\})\s?\{?\w{1,20}\}?\s?\)"
)
_REMAINDER = late(r"(?<==)([^=\n]{1,40}?)\\b?mod(?![a-zA-Z])\s?(?:\{[^{}]{0,40}\}|\w{1,9})")


def plainly_set(text: str) -> str:
    r"""The text with its numbers in plain writing and what holds none gone; all offsets stay as they were.

    >>> plainly_set(r"x \ge 3 \tag{12}"), plainly_set("2,50 €"), plainly_set(r"3 \pmod{7}")
    ('x   ≥ 3         ', '2.50 €', '3         ')
    """
    if text.isascii() and "\\" not in text and not ("mod" in text and "(" in text):
        return with_points(text) if "," in text and ("{,}" in text or COMMA.search(text)) else text
    if "\\" in text and not (text.count("\\") == 1 and "\\boxed" in text):
        text = _LAYOUT.sub(_blank, text)
        if "frac" in text:
            text = _UNIT_FRACTION.sub(lambda found: found["kept"].ljust(len(found[0])), text)
        # A sign stands where its command ends, beside what it relates to.
        text = _SIGN.sub(lambda found: _SIGNS[found[1]].rjust(len(found[0])), text)
        text = text.replace("\\{", " {").replace("\\}", "} ")
    if "mod" in text:
        text = _MODULUS.sub(_blank, text)
        text = _REMAINDER.sub(lambda found: found[1] + " " * (len(found[0]) - len(found[1])), text)
    return plain_figures(text)


def plain_figures(text: str) -> str:
    r"""The text with each number that is set in a way of its own in plain writing; all offsets stay as they were.

    >>> plain_figures("2,50 €"), plain_figures(r"5 \over 8")
    ('2.50 €', '5/0000008')
    """
    if "—" in text:
        text = _JOINED.sub(" ", text)
    if "," in text and ("{,}" in text or COMMA.search(text)):
        text = with_points(text)
    if "\\over" in text:
        # Noughts before the denominator fill the place.
        text = _OVER.sub(lambda found: "/" + "0" * (len(found[1]) - 1), text)
    if "." in text and ("\\overline" in text or "\\dot" in text):
        text = _REPEATING.sub(_as_fraction, text)
    if "− " in text or "−\u00a0" in text or "－ " in text or "-\u00a0" in text or "-\u202f" in text:
        text = _SET_APART.sub(lambda found: found[0][:-1] + SIGN_GAP, text)
    return text


def _as_fraction(found: re.Match[str]) -> str:
    """The repeating decimal as the fraction that it is, with noughts to fill its place; as it stands where that is too long."""
    again = found["bar"] or f"{found['first']}{found['amid'] or ''}{found['last'] or ''}"
    before = found["whole"] + found["once"]
    top, low = int(before + again) - int(before), "9" * len(again) + "0" * len(found["once"])
    room = len(found[0]) - len(f"{top}/")
    return f"{top}/{low.rjust(room, '0')}" if len(low) <= room else found[0]


def without_layout(text: str) -> str:
    r"""The text without the commands that only lay it out.

    >>> without_layout(r"x = 7 \tag{3}")
    'x = 7  '
    """
    if "\\" not in text:
        return text
    # In a matrix the line break itself says where a row ends.
    return _LAYOUT.sub(_break if "\\begin" in text else " ", text)


def _break(found: re.Match[str]) -> str:
    return "\\\\ " if found[0][:2] == "\\\\" else " "


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])

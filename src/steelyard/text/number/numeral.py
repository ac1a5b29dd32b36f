"""The patterns of a number as it is written; what its parts are worth is told in ``value``."""

from __future__ import annotations

import re

from steelyard.text.late import late
from steelyard.text.number.value import MYRIADS, SCALES

_FRAC = (
    r"\\[dtc]?frac\s?(?:\{\s?(?P<top>-?[0-9.,]{1,300})\s?\}|(?P<top1>[0-9]))"
    r"\s?(?:\{\s?(?P<low>-?[0-9.,]{1,300})\s?\}|(?P<low1>[0-9]))"
)


def _any_of(*, ascii_only: bool = False) -> str:
    """The words of scale, the longer ones first; by their first letters, since that is what nearly always differs."""
    words = sorted(
        (word for word in SCALES if word.isascii() or not ascii_only), key=len, reverse=True
    )
    first = dict.fromkeys(word[0] for word in words)
    return "|".join(
        f"{letter}(?:{'|'.join(word[1:] for word in words if word[0] == letter)})"
        for letter in first
    )


# Repetitions are bounded: a hostile text must not make the search quadratic.
_BODY = r"""
    (?P<int>[0-9](?:
        (?<!0)[0-9]{0,2}(?:\.[0-9]{3}){1,12},[0-9]{1,2}(?![0-9]|[,.][0-9])
      | (?<!0)[0-9]{0,2}(?:\.[0-9]{3}){2}(?![0-9]|[,.][0-9])
      | (?<!0)[0-9]{0,2}(?:,[0-9]{2,3}){0,12},[0-9]{3}(?![0-9])(?!,[0-9])
      | (?<!0)[0-9]{0,2}(?:(?:[\u00a0'_]|\{,\}|,?\\[!,;])[0-9]{3}){1,12}(?![0-9])
      | (?<!0)[0-9]{0,2}(?:[ ]0[0-9]{2}|[ ][0-9]{3}(?=[ ]0[0-9]{2}))(?:[ ][0-9]{3}){0,12}(?![0-9])
      | (?<!0)[0-9]?(?:[ ][0-9]{3}){2,12}(?![0-9]|[ ][0-9])
      | (?<!0)[0-9]{0,2}[ ][0-9]{3}(?=(?:\.[0-9]{1,30})?[ .*_$]{0,6}(?:\n|\Z))
      | [0-9]*))
    (?P<point>(?:\.[0-9]+)+)?
    (?P<exp>[eE][-+]?[0-9]+(?![0-9A-Za-z]|\.[0-9]))?
    (?:THIN(?:[x×*·⋅]|\\times|\\cdot)THIN10\s?
        (?:(?:(?:\^|\*\*)\s?(?P<round>[{(]\s?)?|<sup>)(?P<ten>[-+]?[0-9]{1,9})(?(round)\s?[)}])(?:</sup>)?
        |(?P<tens>[⁻⁺]?[⁰¹²³⁴-⁹]{1,9})))?
    (?:(?:\^(?P<brace>[{(])?|\*\*(?P<bracket>\((?=[-+]))?|<sup>)(?P<up>[-+]?[0-9]{1,9})(?(brace)[)}])(?(bracket)\))(?:</sup>)?
        |(?P<ups>[⁻⁺]?[⁰¹²³⁴-⁹]{1,9}))?
    (?:(?P<vulgar>\s?[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])
      |[ ](?P<over>[0-9]{1,9})/(?P<under>[0-9]{1,9})(?![0-9/])
      |\s?/\s?(?P<by>[0-9]{1,300}(?:\.[0-9]{1,300})?)(?![0-9/]|\.[0-9]))?
    (?P<percent>\s?\\?%)?
    (?:GAP(?P<scale>(?i:SCALES))s?\bEND)?
"""
_TEXT = r"\\(?:text|mathrm|textrm|mbox)\s?\{\s?"
#: A number in a plain text.
NUMBER = late(
    _BODY.replace("THIN", r"\s?")
    .replace("GAP", r"\s?-?")
    .replace("END", "")
    .replace("SCALES", _any_of(ascii_only=True)),
    re.VERBOSE,
)
# In LaTeX, thin spaces stand around a sign and text around a word.
_SET_BODY = (
    _BODY.replace("THIN", r"(?:\\[,;:!\ ]|[\s{}~]){0,4}")
    .replace("GAP", rf"(?:\s?-?|(?:\\[,;\ ]|[\s~]){{0,2}}(?P<set>{_TEXT}))")
    .replace("END", r"(?(set)\s?\})")
    .replace("SCALES", _any_of())
)
# 12万, 1億2000万; but 5千米 and 3千克 are in units of a thousand.
_MYRIAD = rf"(?:\s?(?P<myriad>(?!千[克米瓦卡赫字])[{MYRIADS}]{{1,3}}(?:[0-9]{{1,4}}[{MYRIADS}]{{1,3}}){{0,3}}(?:[0-9]{{1,4}}(?![0-9.]))?))?"
#: What may follow the digits of a number without LaTeX and belong to it: a percent sign, a word of scale, a letter for one.
SCALED = late(rf"[kKmMbB]|\s?(?:%|-?(?i:{_any_of()}))")
#: A number that nothing has to be known for, most of all.
PLAIN = late(r"-?(?:[1-9][0-9]{0,2}(?:,[0-9]{3}){1,12}|[0-9]{1,300})(?:\.[0-9]{1,300})?")
#: A number in any text, LaTeX's fractions included.
SET_NUMBER = late(
    rf"(?:(?P<whole>[0-9]{{1,300}})\s?)?{_FRAC}|(?P<alone>[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])|{_SET_BODY}{_MYRIAD}",
    re.VERBOSE,
)

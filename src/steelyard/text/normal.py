"""The normal form in which two short texts are compared.

Case, articles, punctuation and wrappers vanish; what makes a difference stays: a sign, a decimal point,
a fraction bar, an operator, and the marks of a name such as C++, C# and .NET.
"""

from __future__ import annotations

import re

from steelyard.text.fold import fold
from steelyard.text.latex import without_latex

_WORD = r"[^\s!-/:-@\[-`{-~]"
_LETTER = r"[^\W\d_]"
# An article counts as one only where a word of two or more letters follows it directly: in "A, B" it is a name.
_ARTICLE = re.compile(
    rf"(?<![\w'.+#/&-])(?:an?|the)\s+(?=[*_\"`(\[$]*{_WORD}{_WORD}|\d)(?!(?:an?|the)\b(?![-.'+#&/]))"
)
_GROUPED = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{2,3})*,\d{3}(?!\d)(?!,\d)")
_UNDERSCORED = re.compile(r"(?<=\d)_(?=\d{3}(?:_|\b))")
_INITIALS = re.compile(rf"(?<!\w)({_LETTER}\.) (?={_LETTER}\.)")
_ABBREVIATION = re.compile(rf"(?<![\w.])(?=(?:{_LETTER}{{2}}\.)*{_LETTER}\b)(?:{_LETTER}{{1,2}}\.)+{_LETTER}{{1,2}}\b\.?")
_TOKEN = re.compile(
    rf"""
      (?:(?<![\w)\]])(?<!\d[ ])-)?(?:\d|(?<!\w)\.\d)(?:{_WORD}|\.(?=\d))*[+#]*   # a number, with its sign and unit
    | (?<![\w.])\.(?={_LETTER}){_WORD}+                                          # .NET
    | {_WORD}+(?:\+\+?|\#)?(?!{_WORD})                                           # a word, C++, C#, A+
    | {_WORD}+
    | (?<={_WORD})\*(?={_WORD})                                                  # 2*3, not **bold**
    | (?<=\d)_(?=\d)
    | /(?=[ ]?\d)|(?<=\d)/|(?<=\d[ ])/
    | [+<>=~|^]
    """,
    re.VERBOSE,
)
_SIMPLE = str.maketrans({**{chr(c): " " for c in range(33, 127) if not chr(c).isalnum()}, "'": "", "`": "", "$": ""})
_TRICKY = re.compile(r"[+<>=~|^\\/]|\w[#*_]|\d[.,]\d|-[$.]*\d|\.\w|\b[a-z]\. [a-z]\.")


def normalise(text: str) -> str:
    """The normal form; empty if nothing but wrappers, punctuation and blanks is there.

    >>> normalise("  The **Beatles**. "), normalise("U.S.A."), normalise("−1,500.5"), normalise("C++")
    ('beatles', 'usa', '-1500.5', 'c++')
    """
    low = fold(text)
    if low.isalnum():
        return low
    if "a " in low or "an " in low or "the " in low or "\n" in low or "\t" in low:
        low = _ARTICLE.sub("", low)
    if low.isascii() and not _TRICKY.search(low):
        return " ".join(low.translate(_SIMPLE).split())
    return " ".join(_tokens(low))


def unreduced(text: str) -> str:
    """The text with only case, width and outer blanks evened out, for what normalises to nothing.

    >>> unreduced(" ?! ")
    '?!'
    """
    return " ".join(fold(text).split())


def same_text(got: str, want: str) -> bool:
    """Whether the two are equal in normal form; what is empty equals nothing.

    >>> same_text("(Paris)", "paris"), same_text("", ""), same_text("?", "?"), same_text("C", "C++")
    (True, False, True, False)
    """
    left, right = normalise(got), normalise(want)
    if left or right:
        return left == right
    left = unreduced(got)
    return left != "" and left == unreduced(want)


def _tokens(low: str) -> list[str]:
    if "\\" in low:
        low = without_latex(low)
    low = low.replace("'", "").replace("$", "")
    low = _GROUPED.sub(lambda found: found[0].replace(",", ""), low)
    low = _UNDERSCORED.sub("", low)
    low = _INITIALS.sub(r"\1", low)
    low = _ABBREVIATION.sub(lambda found: found[0].replace(".", ""), low)
    return [_tidy(token) for token in _TOKEN.findall(low)]


def _tidy(token: str) -> str:
    if token == "*":
        return "×"
    return token.replace(".", "0.", 1) if token[0] == "." and token[1:2].isdigit() else token


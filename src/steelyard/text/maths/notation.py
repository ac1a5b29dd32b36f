r"""One way of writing for the same mathematics: Unicode, ASCII and LaTeX spelled alike, as tokens."""

from __future__ import annotations

import functools
import re
import unicodedata
from pathlib import Path
from typing import NamedTuple

from steelyard.text.compose import compose
from steelyard.text.fold import fold_in_place
from steelyard.text.late import late

FUNCTIONS = frozenset((Path(__file__).parent / "functions.txt").read_text(encoding="utf-8").split())
_WRAPPERS = (
    r"text|textbf|textit|textrm|texttt|textsf|mbox|emph|operatorname\*?|boxed|fbox"
    r"|mathrm|mathbf|mathit|mathsf|mathtt|mathbb|mathcal|boldsymbol|displaystyle|textstyle"
)
_WRAPPED = late(rf"\\(?:{_WRAPPERS})\s*\{{([^{{}}]*)\}}")
_STYLE = late(
    r"\\(?:left|right|[bB]igg?[lrm]?)(?![a-zA-Z])\.?|\\(?:displaystyle|textstyle|limits|quad|qquad)(?![a-zA-Z])"
    r"|(?<!\\)\\[,;:! ()\[\]]|\\?[$%]|~|`"
)
_GROUPING = late(r"(?<=\d)(?:\{,\}|,\s?\\!|\\,|,\\,)(?=\d{3}(?!\d))")
_GROUPED = late(r"(?<![\d.,])[1-9]\d{0,2}(?:,\d{3}){1,12}(?!\d|,\d)")
_DEGREES = late(r"\^\s*(?:\{\s*\\circ\s*\}|\\circ(?![a-zA-Z]))|\\degree(?![a-zA-Z])|\^°|\^\{°\}")
_PRIMES = late(r"\^\s*(?:\{\s*((?:(?:\\prime|')\s*){1,4})\}|(\\prime)(?![a-zA-Z]))")
_RAISED_TAG = late(r"<su([pb])>([^<>]{1,40})</su\1>")
_STYLE_TAG = late(r"</?(?:i|b|em|strong|var)>")
_POWER = late(r"(?<=[\w)\]}])\s?\*\*(?=\s?[\w({\\-])")
_BETWEEN_NUMBERS = late(r"(?<=\d)\s?[xX]\s?(?=\d)")
_MATRIX = late(
    r"\\(begin|end)\s*\{(?:([pbBvV]?)(?:small)?matrix\*?\}|array\}(?:\s*\{[lcr|\s]{0,20}\})?)"
)
_RAISED = late("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿ]+")
_LOWERED = late("[₀-₎]+")
_VULGAR = late("[¼½¾⅐-⅞]")
_TOKEN = late(
    r"(\s*)(\d+(?:\.\d+)?(?:[eE][-+]?\d{1,3}(?![\w.]))?|\.\d+|\\[a-zA-Z]+|\\.|[a-zA-Z]+|\S)",
    re.DOTALL,
)


class Token(NamedTuple):
    """A sign, a number or a letter; ``glued`` if no space stands before it."""

    text: str
    glued: bool


@functools.cache
def _signs() -> tuple[dict[str, str], re.Pattern[str]]:
    """What each way of writing stands for, and the pattern that finds the ones without a letter in them."""
    lines = (Path(__file__).parent / "signs.txt").read_text(encoding="utf-8").splitlines()
    table = dict(line.split(" ") for line in lines if not line.startswith("#"))
    marks = sorted(
        (w for w in table if w[0] != "\\" and not (w.isascii() and w.isalpha())), key=len
    )
    return table, re.compile("|".join(map(re.escape, reversed(marks))))


def sign_words() -> list[str]:
    """The words of plain text that stand for one sign.

    >>> "infinity" in sign_words()
    True
    """
    return [word for word in _signs()[0] if word.isascii() and word.isalpha()]


def spelled(text: str) -> str:
    r"""The text with styling gone and every sign written in one way.

    >>> spelled(r"x \leq 2 \text{ cm}"), spelled("x₁ ≥ ½"), spelled(r"90^{\circ}")
    ('x \\leq 2   cm ', 'x_{1} ≥ \\frac{1}{2}', '90°')
    """
    for _ in range(4):  # one round a level of nesting; answers do not nest deeper
        text, changed = _WRAPPED.subn(r" \1 ", text)
        if not changed:
            break
    if not text.isascii():
        text = _from_unicode(text)
    text = _DEGREES.sub("°", _MATRIX.sub(_matrix, text))
    if "prime" in text:
        text = _PRIMES.sub(lambda found: "'" * max(found[0].count("prime"), 1), text)
    if "</su" in text:
        text = _STYLE_TAG.sub("", text)
        text = _RAISED_TAG.sub(
            lambda found: f"{'^' if found[1] == 'p' else '_'}{{{found[2]}}}", text
        )
    text = _STYLE.sub(" ", _GROUPING.sub("", text))
    if "," in text and not any(mark in text for mark in ("(", "[", "\\{")):
        # Inside brackets a comma parts the members of a list: [1,234] is no number.
        text = _GROUPED.sub(lambda found: found[0].replace(",", ""), text)
    text = _POWER.sub("^", text).replace("**", " ")
    table, marks = _signs()
    return _BETWEEN_NUMBERS.sub("*", marks.sub(lambda found: table[found[0]], text))


def tokens(text: str) -> list[Token]:
    r"""The signs, numbers and single letters of a text, alike however they were written.

    >>> [token.text for token in tokens(r"2\pi X")] == [token.text for token in tokens("2π x")]
    True
    """
    found: list[Token] = []
    table, _ = _signs()
    for space, piece in _TOKEN.findall(spelled(text)):
        glued = not space and bool(found)
        name = piece[1:] if piece[0] == "\\" else piece.lower()
        if sign := table.get(piece) or table.get(name if piece.isalpha() else piece):
            found.append(Token(sign, glued))
        elif name in FUNCTIONS or piece[0] == "\\":
            found.append(Token(name if name in FUNCTIONS else piece, glued))
        elif piece.isascii() and piece.isalpha():
            found.extend(Token(letter, glued or at > 0) for at, letter in enumerate(name))
        else:
            # Greek capitals are other symbols than the small letters; elsewhere case does not count.
            found.append(Token(piece if "Ͱ" <= piece <= "Ͽ" else piece.casefold(), glued))
    return found


def _from_unicode(text: str) -> str:
    text = _RAISED.sub(lambda run: f"^{{{unicodedata.normalize('NFKC', run[0])}}}", text)
    text = _LOWERED.sub(lambda run: f"_{{{unicodedata.normalize('NFKC', run[0])}}}", text)
    text = _VULGAR.sub(_fraction, text)
    # The fold makes one character of one; NFKC then takes the styled letters, such as ℝ.
    return compose(fold_in_place(text), "NFKC")


def _fraction(found: re.Match[str]) -> str:
    over, _, under = unicodedata.normalize("NFKC", found[0]).partition("⁄")
    return rf"\frac{{{over}}}{{{under}}}"


def _matrix(found: re.Match[str]) -> str:
    """Round and square brackets make the same matrix; bars make its determinant."""
    if found[1] == "end":
        return r" \closematrix "
    return r" \opendeterminant " if found[2] in {"v", "V"} else r" \openmatrix "

"""The layout-free form of formulas, so that equal LaTeX in two layouts compares equal."""

from __future__ import annotations

import re

from steelyard.values.normal import WRAPPERS, closes_at_end, same_text
from steelyard.values.quantities import same_number

# Commands and spaces that change only the layout: \text, \quad, \left, "\,", "$".
_LAYOUT = re.compile(
    rf"\\\\?(?:(?:{WRAPPERS}|quad|qquad|limits|big|bigl|bigr|Big)(?![a-zA-Z])|[,;:! ()\[\]])"
    r"|[\s$`~]"
)
# What each sign becomes, and how else it is written; in this order.
_SYNONYMS = (
    (r"\frac", (r"\dfrac", r"\tfrac")),
    ("*", (r"\cdot", r"\times", "×", "·")),
    ("^", ("**",)),
    ("-", ("−", "–")),
    ("<=", (r"\leq", r"\le", "≤")),
    (">=", (r"\geq", r"\ge", "≥")),
    ("π", (r"\pi",)),
    ("∞", (r"\infty",)),
    ("%", (r"\%",)),
    ("√", (r"\sqrt", "sqrt")),
    ("±", (r"\pm",)),
    ("≠", (r"\neq",)),
    ("°", (r"^{\circ}", r"^\circ")),
)
# \frac{1}{x}, \frac1x
_FRACTION = re.compile(r"\\frac(?:\{([^{}]*)\}|(\w))(?:\{([^{}]*)\}|(\w))")
# Brackets around one name or number: x^{2}, (5), but not x^{2y}, 2(3) or f(x)
_SIMPLE = re.compile(r"(?<!\w)\((\w|[\d.]+)\)(?!\w)|\{(\w|[\d.]+|[^\W\d]+)\}(?!\w)")
# A sign that only formulas have; and a word, which formulas do not have.
_FORMULA = re.compile(r"[\\^=<>+*/√π∞≤≥°(\[{]|\d\s?[-−,]")
_WORD = re.compile(r"(?<![\\a-zA-Z])[a-zA-Z]{4,}")
_DIGIT = re.compile(r"[\d\\]")
# A bound for hostile texts: nested fractions take quadratic time.
_LONGEST = 4000


def is_formula(text: str) -> bool:
    """Say whether a text looks like a formula: an operator or bracket, and no long word.

    >>> is_formula("x^2 + 1"), is_formula("[1, 2)"), is_formula("Paris (France)")
    (True, True, False)
    """
    return bool(_FORMULA.search(text)) and not _WORD.search(_LAYOUT.sub("", text))


def formula_form(text: str) -> str:
    r"""Remove layout: spacing, font commands, needless braces and brackets.

    >>> formula_form(r"$\dfrac{1}{x}$") == formula_form("1/x")
    True
    >>> formula_form("(x + 1)"), formula_form(r"\left[1, 2\right)")
    ('x+1', '[1,2)')
    """
    form = _LAYOUT.sub("", text)
    for sign, synonyms in _SYNONYMS:
        for synonym in synonyms:
            form = form.replace(synonym, sign)
    while (flat := _FRACTION.sub(_flat_fraction, form)) != form:
        form = flat
    form = _SIMPLE.sub(r"\1\2", form).replace("{", "(").replace("}", ")").rstrip(".")
    while len(form) > 2 and "," not in form and closes_at_end(form):
        form = form[1:-1]
    return form


def same_formula(got: str, want: str) -> bool:
    """Compare two formulas; brackets around a list count only where both sides have them.

    >>> same_formula("(1, 2)", "1,2"), same_formula("(1, 2)", "[1, 2]")
    (True, False)
    """
    form, wanted = formula_form(got), formula_form(want)
    if closes_at_end(form) and not closes_at_end(wanted):
        form = form[1:-1]
    elif closes_at_end(wanted) and not closes_at_end(form):
        wanted = wanted[1:-1]
    return form == wanted != ""


def _flat_fraction(match: re.Match[str]) -> str:
    """Write a fraction with a slash."""
    top, bottom = match[1] or match[2] or "", match[3] or match[4] or ""
    return f"({top})/({bottom})"


def same_value(got: str, want: str) -> bool:
    """Compare two answers: as numbers, else as formulas, else as text in normal form.

    >>> same_value("3.0", "3"), same_value("the Beatles", "Beatles"), same_value("(1,2)", "(12)")
    (True, True, False)
    """
    return compare_values(got, want)[0]


def compare_values(got: str, want: str) -> tuple[bool, str]:
    """Compare two answers as ``same_value`` does, and say how they are compared.

    >>> compare_values("3.0", "3"), compare_values("x^{2}", "x^2")
    ((True, 'by value'), (True, 'as formulas'))
    """
    by_number = same_number(got, want)
    if by_number is not None:
        return by_number, "by value"
    if len(got) + len(want) < _LONGEST and is_formula(want) and is_formula(got):
        # N/A and n/a are words.
        if got.casefold() == want.casefold() and not _DIGIT.search(got):
            return True, "in normal form"
        return same_formula(got, want), "as formulas"
    return same_text(got, want), "in normal form"

"""The little LaTeX that answers are wrapped in."""

from __future__ import annotations

import re

from steelyard.text.late import late
from steelyard.text.wrap import closing_brace

_WRAPPERS = r"boxed|fbox|framebox|text|textbf|textit|textrm|texttt|mathrm|mathbf|mathit|mathsf|operatorname|emph|underline"
_WRAPPER = late(rf"\\(?:{_WRAPPERS})\s*\{{")
_MOST_WRAPPERS = 1000  # more is not an answer but an attack
_FRACTION = late(
    r"(?<!\d)\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}|(\d)\s?\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}"
)
_SHORT_FRACTION = late(r"\\[dt]?frac\s*(\d)\s*(\d)")
_ROOT = late(r"\\sqrt\s?(?:\{(\w{1,9})\}|(\d))(?=(\w?))")
_SPACING = late(r"\\(?:[,;:! ]|quad\b|qquad\b)|~")
_DELIMITERS = late(r"\\(?:left|right|[()\[\]])\.?")
_SIGNS = {
    r"\times": "×",
    r"\cdot": "×",
    r"\div": "÷",
    r"\pm": "±",
    r"\leq": "≤",
    r"\le": "≤",
    r"\geq": "≥",
    r"\ge": "≥",
    r"\neq": "≠",
    r"\ne": "≠",
    r"\pi": "π",
    r"\infty": "∞",
    r"\circ": "°",
    r"\degree": "°",
}
_SIGN = late(r"\\(?:times|cdot|div|pm|leq|le|geq|ge|neq|ne|pi|infty|circ|degree)(?![a-zA-Z])")


def without_latex(text: str) -> str:
    r"""The text with wrapping commands gone and simple fractions written with a bar.

    >>> without_latex(r"\boxed{\text{Paris}}"), without_latex(r"\dfrac{1}{2}")
    ('Paris', '1/2')
    """
    text = _SPACING.sub(" ", text.replace("{,}", ","))
    text = (
        text.replace(r"\$", "$")
        .replace(r"\%", "%")
        .replace(r"\_", "_")
        .replace(r"\#", "#")
        .replace(r"\&", "&")
        .replace(r"\*", "*")
    )
    text = _DELIMITERS.sub(lambda found: found[0][-1] if found[0][-1] in "()[]" else "", text)
    text = text.replace("^\\circ", "°").replace("^{\\circ}", "°")
    text = _SIGN.sub(lambda found: "π" if found[0] == r"\pi" else f" {_SIGNS[found[0]]} ", text)
    text = _without_wrappers(text)
    if "\\sqrt" in text:
        text = _ROOT.sub(lambda root: f" √ {root[1] or root[2]}{' ' if root[3] else ''}", text)
    for _ in range(4):  # one round a level of nesting; answers do not nest deeper
        before = text
        text = _SHORT_FRACTION.sub(r"\1/\2", text)
        text = _FRACTION.sub(_with_bar, text)
        if text == before:
            break
    return re.sub(r"\^\{([^{}]{1,20})\}", r"^\1", text)


def _without_wrappers(text: str) -> str:
    """The text with the commands gone that only wrap, whatever braces stand inside."""
    at = 0
    for _ in range(_MOST_WRAPPERS):
        command = _WRAPPER.search(text, at)
        if command is None:
            break
        at, close = command.start(), closing_brace(text, command.end())
        if close is None:
            at = command.end()
        else:
            text = text[:at] + text[command.end() : close] + text[close + 1 :]
    return text


def _with_bar(found: re.Match[str]) -> str:
    """``\\frac{a}{b}`` as a/b; a digit before it makes a mixed number, which needs a space."""
    whole, over, under = (found[3], found[4], found[5]) if found[3] else ("", found[1], found[2])
    return f"{whole + ' ' if whole else ''}{_grouped(over)}/{_grouped(under)}"


def _grouped(term: str) -> str:
    term = term.strip()
    return term if re.fullmatch(r"-?[\w.]+", term) else f"({term})"

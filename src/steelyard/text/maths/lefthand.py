r"""The left-hand side of an equation that only names what the right-hand side gives: ``f(2) = 7``, ``\angle ABC = 45^\circ``."""

from __future__ import annotations

from steelyard.text.late import late

_GREEK = (
    r"\\(?:var)?(?:alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|rho|sigma|tau|phi|chi|psi|omega"
    r"|Gamma|Delta|Theta|Lambda|Sigma|Phi|Psi|Omega|ell)(?![a-zA-Z])"
)
_INDEX = r"(?:_(?:\w|\{[\w,]{1,5}\}))?"
_LETTERS = rf"(?:[A-Za-zα-ωΑ-Ω]{{1,3}}'{{0,2}}|{_GREEK}){_INDEX}"
_DRESSED = (
    r"\\(?:overline|overrightarrow|widehat|widetilde|vec|hat|bar|tilde|mathbf|boldsymbol|mathbb|mathcal|mathrm|text"
    r"|operatorname)\s?(?:\{[A-Za-z ]{1,20}\}|[A-Za-z](?![A-Za-z]))"
)
_SHAPE = r"(?:m\s?)?(?:\\(?:angle|measuredangle|triangle)(?![a-zA-Z])|[∠△])\s?\{?[A-Za-z]{1,4}\}?"
_INSIDE = r"[^()=]{1,40}(?:\([^()=]{0,20}\)[^()=]{0,20})?"
# f(2), P(A ∩ B), E[X], gcd(12, 18); a letter that is an unknown as a rule multiplies what is in brackets: x(x+1).
_CALL = (
    rf"(?:(?![xyznkabc]\W)(?:\\?[A-Za-z]{{1,6}}|{_DRESSED}){_INDEX}|[a-z](?=\s?\(-?\d{{1,4}}\)))(?:'{{1,3}}|\^\{{-1\}}|\^\{{\(\d\)\}})?"
    rf"\s?(?:\\left\s?)?(?:\({_INSIDE}\)|\[[^\[\]=]{{1,40}}\])"
)
_TRIGONOMETRIC = rf"\\?(?:arc)?(?:sin|cos|tan|cot|sec|csc)(?:\^\{{?-?\d\}}?)?(?:\s?\d)?\s?(?:{_LETTERS}|{_SHAPE}|\({_INSIDE}\))"
_OF_MATRIX = (
    rf"\\?(?:det|dim|rank|tr|deg|arg|Re|Im)(?![a-z])\s?(?:{_DRESSED}|{_LETTERS}|\({_INSIDE}\))"
)
_BARS = r"(?:\\left\s?)?(?:\\?\||\\[lr][vV]ert\s?)(?![xyz]\|)(?:[^|=\d]|_\d){1,40}?(?:\\right\s?)?(?:\\?\||\\[lr][vV]ert)"
_RATIO = rf"\\[dt]?frac\s?\{{\s?{_LETTERS}\s?\}}\s?\{{\s?{_LETTERS}\s?\}}"
_TURNED = r"[A-Z]\^(?:\{-1\}|\{?T\}?|\{?\\top\}?)"
_PART = rf"(?:{_CALL}|{_TRIGONOMETRIC}|{_OF_MATRIX}|{_DRESSED}{_INDEX}|{_SHAPE}|{_BARS}|{_RATIO}|{_TURNED}|{_LETTERS})"
_NAMES = late(rf"{_PART}(?:\s?(?:[-+/]|\\cdot(?![a-z])|\\times(?![a-z]))\s?{_PART}){{0,5}}")
_TUPLE = late(rf"(?:\\left\s?)?\(\s?{_LETTERS}(?:\s?,\s?{_LETTERS}){{1,3}}\s?(?:\\right\s?)?\)")
#: A limit, an integral or a sum, whatever stands in it.
_BIG = late(r"\\(?:lim|int|iint|sum|prod)(?![a-zA-Z])[^\n]{1,200}")


def names(head: str) -> bool:
    r"""Whether what stands before "=" only names what is asked for; an equation to solve, as ``2x = 42``, does not.

    >>> names("a + b"), names("f(2)"), names(r"\sin\theta"), names("2x"), names("x^2"), names("x - 3")
    (True, True, True, False, False, False)
    """
    head = head.strip()
    return bool(_NAMES.fullmatch(head) or _TUPLE.fullmatch(head)) or is_big(head)


def is_big(head: str) -> bool:
    r"""Whether it is a limit, an integral or a sum: these may have an "=" of their own.

    >>> is_big(r"\sum_{k=1}^{4} k"), is_big("k")
    (True, False)
    """
    return head[:1] == "\\" and _BIG.fullmatch(head.strip()) is not None

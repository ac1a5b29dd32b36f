"""Whether a text is mathematical, so that its brackets and signs have to be compared too."""

from __future__ import annotations

import re

from steelyard.text.late import late
from steelyard.text.maths.notation import FUNCTIONS

_LETTER = r"(?<![^\W\d_])[^\W\d_](?![^\W\d_])"
_MARK = late(
    rf"""
      \\(?:[a-zA-Z]|[{{}}\\])                                       # a command of LaTeX
    | [+<>=^√∞∪∩∈∉⊂⊆≤≥≠≈±∓×÷∅→°²³¹⁰⁴-⁹⁺⁻ⁿ₀-₉−]
    | (?<![A-Za-z_])[A-Za-z]_(?=[\w{{])                             # x_1, but not my_name
    | (?<=[\w)\]}}])\s?\*\s?(?=[\w(\\])
    | (?:\d|[)}}\]]|{_LETTER})\s?/\s?(?:[\d({{\\]|{_LETTER})        # a/b, but not and/or
    | (?:^|[\s,(\[{{]|[)\]}}]|\d|{_LETTER}|(?<=\d)[a-z])\s?[-–]\s?(?:\d|[(\[{{\\π√∞]|{_LETTER})
    | (?:[)\]}}]|(?<![^\W\d_])[a-z])!
    | (?<![\w'’])[A-Za-z]['’′]{{1,3}}\( | (?<!\w)[A-Za-z][′″]              # f'(x) is not f(x)
    | [(\[{{](?=[^()\[\]{{}}]*\d)[^()\[\]{{}},]*,[^()\[\]{{}}]*[)\]}}]      # a list with a number in it
    """,
    re.VERBOSE,
)
# Most answers have none of these, and then the long pattern need not be tried.
_HINT = late(r"[-\\+<>=^_*/!(\[{]|[^\x00-\x7f]")
_FACTORIAL = late(rf"(?:\d|\)|{_LETTER})!")
_PRIMED = late(r"[A-Za-z](?:_\w)?['’′]{1,3}")
_PRIME = late(r"(?<![\w'’])[A-Za-z]['’′]{1,3}(?=\()|(?<!\w)[A-Za-z][′″]")
_WORD = late(r"(?<![\\A-Za-z])[^\W\d_]{3,}")
_ENVIRONMENT = late(r"\\(?:begin|end)\s*\{\w+\*?\}")
_OPERATOR = late(
    r"[+*/^=<>√∪∩∈≤≥≠±×÷]|(?<=\s)[-−–](?=\s)|(?<![\w\s])[-−–](?=[\w(\\])|(?<=[^A-Za-z][a-z])[-−–](?=[\d(\\])"
)
_BRACKETED = late(r"([(\[{])([^()\[\]{}]*)([)\]}])")
_IN_BRACKETS = late(r"[-+*/^=<>\\]|\d")


def mathematical(text: str, *, certain: bool = False) -> bool:
    r"""Whether a short text has an operator, a script, a LaTeX command, or brackets around a list in it.

    Where it is ``certain`` that marks mean something, as in a target, so has 7! and x'; elsewhere they may cheer or quote.

    >>> mathematical("2x - 3"), mathematical("[3, 5)"), mathematical(r"\pi"), mathematical("well-known")
    (True, True, True, False)
    """
    if certain and (("!" in text and _FACTORIAL.search(text)) or _PRIMED.fullmatch(text)):
        return True
    if _HINT.search(text) is None:
        return False
    # A list of words in brackets is a remark: Paris (France, Europe).
    return any(
        found[0] not in "([{" or found[-1] not in ")]}" or not wordy(found)
        for found in _MARK.findall(text)
    )


def wordy(text: str) -> bool:
    r"""Whether words of a language stand in the text, and not only names of variables and functions.

    >>> wordy("x > 5 and x < 7"), wordy(r"\sin x"), wordy("2xy")
    (True, False, False)
    """
    if "\\" in text:
        text = _ENVIRONMENT.sub(" ", text)
    return any(word.lower() not in FUNCTIONS for word in _WORD.findall(text))


def same_marks(got: str, want: str) -> bool:
    """Whether two texts have the same operators and primes, and the same brackets around numbers and sums.

    >>> same_marks("from [3,5) on", "from (3,5] on"), same_marks("so x + 1 (or so)", "so x+1 or so")
    (False, True)
    """
    return _marks(got) == _marks(want)


def _marks(text: str) -> tuple[list[str], list[str], list[int]]:
    brackets = [
        opening + closing
        for opening, inner, closing in _BRACKETED.findall(text)
        if _IN_BRACKETS.search(inner)
    ]
    return brackets, _OPERATOR.findall(text), [len(prime) for prime in _PRIME.findall(text)]

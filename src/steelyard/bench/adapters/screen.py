"""Which answers may be handed to a scorer that evaluates them as an expression.

Some generators of reasoning-gym read an answer with ``eval`` or a parser built on it. An answer comes from a model, so
only what is plainly numbers, lists of short texts, or a formula of known functions goes there; nothing that could call,
reach into an object, or grow without bound does.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from steelyard.bench.scorers import names_used

_EVALUATES = frozenset({"eval", "exec", "parse_expr", "sympify"})
_LONGEST = 2_000
_FUNCTIONS = frozenset(
    {"sin", "cos", "tan", "exp", "log", "ln", "sqrt", "pi", "asin", "acos", "atan", "Abs", "sec"}
)
_TEXT = re.compile(r"'[\w .+-]{0,40}'|\"[\w .+-]{0,40}\"")
_ALLOWED = re.compile(r"[\w\s+\-*/()\[\],.=^]*")
_NAME = re.compile(r"[^\W\d]\w*")
_REACHES = re.compile(r"\.\s*[^\W\d]|[\])\w]\s*\[")
_POWER = re.compile(r"(\S)?\s*(?:\*\*|\^)\s*(\S{0,4})")
_SMALL = re.compile(r"\d{1,2}(?!\d)|\(-?\d")
_MOST_POWERS_OF_BRACKETS = 3


def evaluates(score_answer: Callable[..., Any]) -> bool:
    """Whether a scorer's own code reads answers by evaluating them."""
    return bool(_EVALUATES & names_used(score_answer))


def is_plain(answer: str) -> bool:
    """Whether the answer can do nothing but be read.

    >>> is_plain("(8 - 4) * 6"), is_plain("['A', 'B']"), is_plain("x**2/2 + sin(x) + C")
    (True, True, True)
    >>> is_plain("__import__('os').system('id')"), is_plain("9**9**9"), is_plain("().__class__"), is_plain("exit()")
    (False, False, False, False)
    """
    bare = _TEXT.sub("0", answer)
    if len(answer) > _LONGEST or not _ALLOWED.fullmatch(bare) or _REACHES.search(bare):
        return False
    if "*" in bare and (bare != answer or set("[,") & set(bare)):
        return False  # a list or a text that is multiplied fills the memory
    names = _NAME.findall(bare)
    return all(len(name) == 1 or name in _FUNCTIONS for name in names) and _grows_little(bare)


def _grows_little(text: str) -> bool:
    powers = list(_POWER.finditer(text))
    if not all(_SMALL.match(power[2]) for power in powers) or re.search(
        r"(?:\*\*|\^)\s*\S{1,4}\s*(?:\*\*|\^)", text
    ):
        return False
    return sum(1 for power in powers if power[1] == ")") <= _MOST_POWERS_OF_BRACKETS

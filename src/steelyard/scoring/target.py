"""Targets that their scorer cannot read: the author's error, which is told before anything is scored by them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from steelyard.extract.choice.find import find_choice
from steelyard.scoring.pattern import wanted_letter, wanted_number
from steelyard.scoring.text import clip


def unreadable_target(scorer: str, target: str, params: Mapping[str, Any]) -> str:
    """Why the scorer of that name can find no answer right with this target; nothing where it can.

    >>> unreadable_target("numeric_match", "none", {}), unreadable_target("numeric_match", "42 km", {})
    ("'none' holds no number", '')
    """
    check = _CHECKS.get(scorer)
    return check(target, params) if check else ""


def _number(target: str, params: Mapping[str, Any]) -> str:
    return "" if wanted_number(target) is not None else f"{clip(target)} holds no number"


def _letter(target: str, params: Mapping[str, Any]) -> str:
    if params.get("pattern") is not None:
        return ""  # what a pattern captures is the author's to say
    letters = params.get("letters", "A-D")
    letter = wanted_letter(target, letters)
    known = letter is not None and find_choice(letter, letters=letters) is not None
    return "" if known else f"{clip(target)} is not one of {letters}"


_CHECKS: dict[str, Callable[[str, Mapping[str, Any]], str]] = {
    "numeric_match": _number,
    "multichoice_regex": _letter,
}

"""The letter that a tag other than <answer> holds alone: <choice>B</choice>, <final>B</final>."""

from __future__ import annotations

from itertools import islice

from steelyard.extract.choice.letters import Patterns, masked
from steelyard.extract.found import Found
from steelyard.text.late import late

_TAG = late(
    r"<(?P<name>(?i:choice|final|option|selection|selected|letter|pick|prediction|result|final[_-](?:answer|choice)|answer[_-]letter))>"
    r"[\s*_(\[]{0,6}(?P<letter>[A-Za-z])"
    r"(?P<text>[).:][*_]{0,2}[ ](?![A-Z]\.|(?:is|was|are|not|cannot|or|and|isn|none)\b)[^<>\n]{2,120})?"
    r"[\s*_)\].]{0,6}</(?i:(?P=name))>"
)
_LISTING = frozenset(("option", "result"))  # may hold an option with its text that is only listed
_MANY = 50  # tags; more is not an answer but an attack


def tagged(shown: str, use: Patterns) -> Found | None:
    """The letter that every such tag of one name holds, if no other name has another: options may be tagged one by one."""
    if "</" not in shown:
        return None
    held: dict[str, list[Found]] = {}
    for tag in islice(_TAG.finditer(shown), _MANY):
        letter, name = tag["letter"].upper(), tag["name"].lower()
        if use.one.fullmatch(letter) and not (tag["text"] and name in _LISTING):
            held.setdefault(name, []).append(Found(letter, tag.span("letter"), "tag"))
    agreed = [found[-1] for found in held.values() if len({one.value for one in found}) == 1]
    if len({one.value for one in agreed}) != 1 or use.standing.search(
        masked(shown), agreed[-1].span[1]
    ):
        return None  # what is said behind the tag is looked at as prose
    return agreed[-1]

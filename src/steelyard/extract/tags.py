"""The letter that a tag other than <answer> holds alone: <choice>B</choice>, <final>B</final>."""

from __future__ import annotations

from itertools import islice

from steelyard.extract.found import Found
from steelyard.extract.letters import Patterns, masked
from steelyard.text.late import late

_TAG = late(
    r"<(?P<name>(?i:choice|final|option|selection|selected|letter|pick|prediction|result|final[_-](?:answer|choice)|answer[_-]letter))>"
    r"[\s*_(\[]{0,6}(?P<letter>[A-Z])[\s*_)\].]{0,6}</(?P=name)>"
)
_MANY = 50  # tags; more is not an answer but an attack


def tagged(shown: str, use: Patterns) -> Found | None:
    """The letter that every such tag of one name holds, if no other name has another: options may be tagged one by one."""
    if "</" not in shown:
        return None
    held: dict[str, list[Found]] = {}
    for tag in islice(_TAG.finditer(shown), _MANY):
        if use.one.fullmatch(tag["letter"]):
            held.setdefault(tag["name"].lower(), []).append(Found(tag["letter"], tag.span("letter"), "tag"))
    agreed = [found[-1] for found in held.values() if len({one.value for one in found}) == 1]
    if len({one.value for one in agreed}) != 1 or use.standing.search(masked(shown), agreed[-1].span[1]):
        return None  # what is said behind the tag is looked at as prose
    return agreed[-1]

"""The letter after a label other than "Answer:" that begins a line: "Ans: C) B cells", "Choice: B", "#### B"."""

from __future__ import annotations

import re
from itertools import islice

from steelyard.extract.choice.commitment import commits
from steelyard.extract.choice.letters import Patterns, masked
from steelyard.extract.choice.options import lists_on
from steelyard.extract.found import Found
from steelyard.text.late import late

#: What may stand before a colon and the letter, besides "answer".
LABEL_WORDS = (
    "selected(?: option| answer| choice)?|chosen(?: option| answer)?|"
    "ans|anwser|asnwer|answr|solution|choice|pick|option|selection|letter|verdict|decision|conclusion|response|output"
)
_OPENING = r"[ \t*_#>]*"
_LINE = (
    rf"(?:(?:(?:my|final|correct|the)[ \t]+){{0,2}}(?:{LABEL_WORDS}|tl;?dr|in short|correct)(?:[ ]letter)?"
    r"[*_ \t]*[:=][*_ \t]*|best (?:fit|match|option|choice)[*_ \t]*:[*_ \t]*"
    r"|(?:(?:my|final|the|consensus)[ ]){0,2}answer[ ](?:by[ ](?:majority|plurality|elimination|vote|voting"
    r"|consensus|inspection)|after|via|based[ ]on|using)\b[\w \t'’-]{0,40}[*_]{0,2}:[*_ \t]*"
    r"|(?:choosing|selecting|picking)[ ](?:from|among|between|out[ ]of)[ ][\w \t]{1,40}:[*_ \t]*"
    r"|ans\.?[ ]?[–—-][ ]*|ans[ ]is[ ]+)"
)
_ANS, _MY = r"ans\.?[ ]?[:.=–-]?[ ]+", r"my[ ](?:choice|pick|selection)[ ]?:[ ]*"
_HASHES = r"####[ \t]+(?=[*_(]{0,3}[A-Z][*_).]{0,4}\s*\Z)"
_LABELS = late(
    rf"(?i:(?:^|\n){_OPENING}{_LINE}|(?<=[.!?;][ ]){_ANS}|(?<=[.!?][ ]){_MY})|\n{_HASHES}"
)
# The same, to be tried where a text begins, and behind the ends of its lines and sentences: most have no label at all.
_FIRST = late(rf"{_OPENING}{_LINE}", re.IGNORECASE)
_LATER = late(rf"[\n.!?;](?:(?<=\n)(?:{_OPENING}(?i:{_LINE})|{_HASHES})|[ ](?i:{_ANS}|{_MY}))")
# The letter closes, or its option's text follows; "Solution: D is the midpoint" gives no letter.
_CLOSES = late(r"[ \t*_]*(?:[().:,;!\n\]}-]|\Z|(?:because|since)\b)")
_MANY = 50  # labels; more is not an answer but an attack


def labelled(shown: str, use: Patterns) -> Found | None:
    """The letter that all such labels give."""
    if ":" not in shown and "=" not in shown and "####" not in shown and "ns" not in shown:
        return None
    if not _FIRST.match(shown) and not _LATER.search(shown):
        return None
    found: list[Found] = []
    for label in islice(_LABELS.finditer(shown), _MANY):
        raw = shown[label.end() : label.end() + 200]
        plain = masked(raw)
        letter = use.after_mark.match(plain)
        if (
            letter is None
            or not _CLOSES.match(raw, letter.end(1))
            or not commits(raw, plain, letter.span(1), use)
        ):
            continue
        if "\n" in raw[: letter.start(1)] and lists_on(shown, label.end() + letter.start(1), use):
            continue
        found.append(
            Found(
                letter[1].upper(),
                (label.end() + letter.start(1), label.end() + letter.end(1)),
                "label",
            )
        )
    return found[-1] if len({one.value for one in found}) == 1 else None

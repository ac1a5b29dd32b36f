"""The letter with which a text ends, beside what it stands for: "the third option says: C", "among the choices, 40 J is C"."""

from __future__ import annotations

import re
from collections import deque

from steelyard.extract.choice.commitment import is_article
from steelyard.extract.choice.conclusion import is_ours, sentence
from steelyard.extract.choice.elimination import not_denied
from steelyard.extract.choice.letters import Patterns
from steelyard.extract.found import Found
from steelyard.text.grammar import any_of
from steelyard.text.late import late

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_NTH = late(
    rf"\b(?P<nth>{'|'.join(_ORDINALS)}|last)[ ](?:option|choice|statement|one|answer|alternative|claim|sentence)"
    r"(?:[ ](?:says|states|describes|claims|gives|puts|reads))?[ ]?:[ ]+\Z",
    re.IGNORECASE,
)
# Before one of these the text has only begun to look at an option.
_WALKS = late(
    r"\b(?:consider|look|start|begin|take|examine|evaluate|check|analy[sz]e|turn|next|let|now|test|try)\w*\b",
    re.IGNORECASE,
)
# "Looking at the list, 17 is A.", "the options show that 73 m is B", ""True, False", which is D", "which is listed as option B"
_MATCHED = late(
    r"\b(?:options|choices|list|alternatives)(?:,|[ ](?:shows?|reveals?|confirms?|tells?|gives)(?:[ ]us)?(?:[ ]that)?)[ ]"
    r"(?!the[ ](?:first|second|third|fourth|fifth|last|next|one|other)\b)(?P<value>(?:[^.,;:!?\n]|\.(?=\d)){1,40})[ ]is[ ]+\Z"
    r"|(?<=[\"”])[ ]?,[ ]which[ ]is[ ]+\Z"
    r"|,[ ]which[ ]is[ ](?:listed|given|shown|stated|labell?ed|marked)[ ](?:as|under)[ ](?:option|choice|answer)[ ]+\Z",
    re.IGNORECASE,
)
# "This is the Treaty of Ghent, which is D."
_IDENTIFIED = late(
    r"\A[\s*_]{0,6}(?:(?:so|thus|therefore)[ ,]{1,3})?(?:this|that|it)(?:['’]s|[ ]is)[ ]the[ ]"
    r"[^.,;:!?\n]{3,60},[ ]which[ ]is[ ]+\Z",
    re.IGNORECASE,
)
_QUOTED = late(r"\"[^\"\n]{1,80}\"|“[^”\n]{1,80}”")
_NAMED = late(rf"\b(?:stage|phase|{any_of('named by a letter')})[ ][A-Z](?!\w)", re.IGNORECASE)
# "Among the choices, the least likely is B.": the opposite of a choice, unless the question asked for it.
_OPPOSITE = late(
    r"\b(?:least|worst|weakest|fewest|lowest|poorest|fail(?:s|ed|ing)?|wrong|incorrect|false)\b",
    re.IGNORECASE,
)
_THING = late(
    r"\b(?:letter|alphabet|language|key|unit|string|element|sign|digit|scale|blood|tone|semitone|tuning|drive"
    r"|mark|grade|group|class|plan)\b",
    re.IGNORECASE,
)


def pointed(shown: str, plain: str, use: Patterns) -> Found | None:
    """The last letter of the text, if its last sentence comes to it so, and names no other option."""
    if not _may_point(shown):
        return None
    last = deque(
        (m for m in use.standing.finditer(plain) if not is_article(shown, m.span(1))), maxlen=1
    )
    if not last or plain[last[0].end(1) :].strip(" .!\n'"):
        return None
    letter = last[0]
    start, _ = sentence(plain, letter.start(1))
    said = shown[start : letter.start(1)].rstrip("*_([") if letter.start(1) - start <= 300 else ""
    lead = _lead(said, letter[1])
    if lead is None:
        return None
    # What is quoted, named by a letter, or leads to the letter neither denies nor offers anything.
    rest = (
        _NAMED.sub(_blank, _QUOTED.sub(_blank, said[: lead[0]]))
        + " " * (lead[1] - lead[0])
        + said[lead[1] :]
    )
    cleaned = plain[:start] + rest.ljust(letter.start(1) - start) + plain[letter.start(1) :]
    others = {
        m[1] for m in use.standing.finditer(cleaned, start) if not is_article(shown, m.span(1))
    } - {letter[1]}
    if others or not is_ours(cleaned, letter.start(1)) or not not_denied(cleaned, letter):
        return None
    return Found(letter[1], letter.span(1), "pointed")


def _may_point(shown: str) -> bool:
    return (
        ":" in shown
        or " which is " in shown
        or "options" in shown
        or "choices" in shown
        or "list" in shown
    )


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _lead(said: str, letter: str) -> tuple[int, int] | None:
    """Where the words stand that lead to the letter; a value among them, and what is found, stand outside."""
    if nth := _NTH.search(said):
        place = nth["nth"].lower()
        agrees = letter >= "C" if place == "last" else letter == "ABCDEF"[_ORDINALS.index(place)]
        return (
            nth.span()
            if agrees and not _WALKS.search(said) and said[: nth.start()].count(" ") > 1
            else None
        )
    if matched := _MATCHED.search(said):
        if matched["value"] and _OPPOSITE.search(matched["value"]):
            return None
        return (matched.start(), matched.start("value") if matched["value"] else matched.end())
    identified = _IDENTIFIED.search(said)
    if identified is None or _THING.search(said):
        return None
    return (said.rindex(","), len(said))

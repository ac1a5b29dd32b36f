"""Whether an answer follows a correction, and where it begins: "42. No wait, it is 43.", but not "Wait, I know this one."."""

from __future__ import annotations

import re

from steelyard.text.correction.said import MARK, TRUTH, WRAPPING, edited_at, truth_in_cue
from steelyard.text.grammar import any_of, words
from steelyard.text.late import late

_LEAD = late(
    rf"(?:{any_of('before the new answer')}(?:[\s,:—–]+|(?<=:)\s*|$)){{0,6}}", re.IGNORECASE
)
_SUBJECT = late(
    r"(?:the|its|his|her|their)[ ](?P<of>(?:[\w'’-]+[ ]){0,5}?[\w'’-]+)[ ](?:is|was|are|were|should be|must be)[ ]+",
    re.IGNORECASE,
)
_NEW = late(
    r"(?P<new>\S+?(?:[ ]\S+?){0,4}?)(?P<by>[.!?…;,)*_\"”}$]*(?:\s*\n|\s*$|(?<=[.!?;,…)*_\"”}$])\s)"
    r"|[ ](?=(?:because|since|as|not|instead|which|who|is[ ](?:the[ ])?(?:correct|right|answer))\b|\())",
    re.IGNORECASE,
)
_VERB = late(rf"\b{any_of('verbs')}", re.IGNORECASE)
_TOLD = late(r"[ ](?:it|him|her|them|us|me|[a-z]{2,20}ed)\b")
_SHARE = late(r"\d[ ]of[ ](?:them|these|those|the)\b", re.IGNORECASE)
_FULL_STOPS = frozenset(
    ("", ".", "!", "\n")
)  # after them nothing more is told of the share: "no wait, 26 of them."
_PLURAL = late(r"[^.!?\n]*\b(?:are|were|have)\b", re.IGNORECASE)
_GOES_ON = frozenset(words("no new answer"))
_PRONOUNS = frozenset(("they", "he", "she", "we", "you", "there", "i"))
NO_NOUN = frozenset(words("no answer alone"))
VERDICTS = frozenset(("wrong", "incorrect", "invalid", "correct", "right"))
_PONDERS = late(rf"{any_of('ponders')}\Z", re.IGNORECASE)
_AFFIRMS = late(
    rf"(?:(?:that|it|this)(?:['’]s|[ ]is|[ ]was)[ ](?:\w+ly[ ]|still[ ]|the[ ])?{any_of('affirms')}|yes\b)",
    re.IGNORECASE,
)
# A correction that first tells what was wrong: "I made an error above: the total should be 18."
_LATER = late(
    r"[^.!?\n]{1,80}?\b(?:(?:it|total|answer|result|sum)(?:['’]s|[ ]is|[ ]should[ ]be|[ ]must[ ]be)|should[ ](?:be"
    r"|have[ ]been))[ ]+"
    r"(?=[*_$(]{0,4}(?:[-−]?\d|[A-D]\b))"
)
_AHEAD = 160
# What only closes the wrapper of the words before it: "(No.)", "<b>No.</b>"
_NOTHING = late(r"(?:[^\w<\\]|</\w{1,12}>){1,20}\Z")


def replacement(text: str, cue: re.Match[str]) -> int | None:
    """Where the answer begins that takes the other one's place, if one follows."""
    if (bare := truth_in_cue(text, cue)) is not None:
        return bare
    sure = bool(cue["sure"] or cue["surer"])
    if not cue["gap"] or (not cue["gap"].strip() and _PONDERS.search(cue["cues"])):
        return None
    start = (
        cue.end() - len(cue["gap"]) + len(cue["gap"].rstrip("*_"))
    )  # what wraps the new answer stays
    window = text[start : start + _AHEAD]
    if cue["edit"]:
        return edited_at(window, start)
    if sure and _affirms(text, cue, window):
        return None
    lead = _LEAD.match(window)
    at = lead.end() if lead else 0
    if subject := _SUBJECT.match(window):
        if not (sure or _is_subject(text[max(0, cue.start() - 200) : cue.start()], subject["of"])):
            return None
        at = max(at, subject.end())
    if sure and (later := _LATER.match(window)):
        return start + later.end()
    new = None if _NOTHING.match(window, at) else _NEW.match(window, at)
    return start + at if new and _is_answer(window, new, sure=sure) else None


def _affirms(text: str, cue: re.Match[str], window: str) -> bool:
    """Whether the second thought only says that all is well; "It's false. Wait, no, it's correct." does not."""
    said = text[max(0, cue.start() - 40) : cue.start()].rstrip(" \t\n.,;!?…—–-*_").split()
    return (
        bool(said)
        and said[-1].lower() not in TRUTH | VERDICTS
        and _AFFIRMS.match(window) is not None
    )


def _is_subject(before: str, of: str) -> bool:
    """Whether "the capital is …" speaks of what was answered: the text named it, or has but the answer."""
    return of.split()[-1].lower() in before.lower() or len(MARK.sub("", before).split()) <= 3


def _is_answer(window: str, new: re.Match[str], *, sure: bool) -> bool:
    first = new["new"].strip(WRAPPING).split(" ")[0].strip(",.;:!?")
    stem = first.lower().replace("’", "'").split("'")[0]  # "they're not" goes on with the thought
    goes_on = first.lower() in _GOES_ON or (stem != first.lower() and stem in _PRONOUNS)
    if not first or (goes_on and not (len(first) == 1 and first.isupper() and new["new"] == first)):
        return False
    if _VERB.search(new["new"]) or (
        _SHARE.search(new["new"]) and not (sure and new["by"][:1] in _FULL_STOPS)
    ):
        return False
    return sure or not (
        _remarks(new["new"]) or (new["by"][:1] == "," and _PLURAL.match(window, new.end()))
    )


def _remarks(said: str) -> bool:
    """Whether it only says something more: "Actually, Priestley found it", "No, really"."""
    bare = said.strip(WRAPPING + ".!?")
    if _TOLD.search(bare):
        return True
    return " " not in bare and bare.islower() and (bare.endswith("ly") or bare in NO_NOUN)

"""The letter to which the last sentence that names one comes: "A and B are acids. So the base is D."."""

from __future__ import annotations

import re

from steelyard.extract.commitment import commits, is_article
from steelyard.extract.elimination import kept_lists
from steelyard.extract.found import Found
from steelyard.extract.letters import Patterns
from steelyard.text.late import late

_END = late(r"[.!?](?=[\s\"'”’)*]|$)|\n")
_CONTRAST = late(r"\bbut\b(?![ ](?:also|not)\b)|;|(?<=[a-z])(?<!\bif),[ ]so\b|(?<=disagree):", re.IGNORECASE)
_NAMED = r"[ \t:,\"'“‘]*(?:(?:the|option|choice|letter|answer|statement|clearly|definitely|therefore|actually|simply|of course|in fact)[ \t,]+){0,3}['‘]?\Z"
# What leads to a choice: "… is B", "I say B", "that leads me to B".
_LEADS = late(
    r"(?:\b(?:is|are|was|be|remains?|becomes|stays|means|indicates|suggests|implies|that['’]s|it['’]s)"
    r"|\b(?:lead|bring|point|get|take|leave)s?[ ](?:me|us)(?:[ ](?:to|with|at))?|\b(?:described|stated|given|captured|expressed)[ ](?:in|by|as)"
    r"|(?:^|\b(?:i|we|let['’]s|i['’](?:d|ll|m|ve)|we['’](?:d|ll|re|ve)|to|would|will|must|going|therefore|so|then|just|still|have|am|are)[ ]+)"
    r"(?:say(?:ing)?|pick(?:ing)?|choos(?:e|ing)|select(?:ing)?|conclude|answer|mark|take|submit|guess|recommend|lock(?:ing)?[ ]in"
    r"|go(?:ing)?[ ](?:with|for)|settl(?:e|ed|ing)[ ](?:on|for)|stick(?:ing)?[ ](?:with|to)|opt(?:ing)?[ ]for|land(?:ed)?[ ]on|arrived?[ ]at"
    r"|bet(?:ting)?[ ]on|vote[ ]for|lean(?:ing)?[ ]to(?:wards?)?|put(?:ting)?[ ]down))" + _NAMED,
    re.IGNORECASE,
)
# "The right option here is the third one, B."
_APPOSED = late(r"\b(?:answer|option|choice|one|correct|right)\b[^.!?\n]*,[ ]+(?:namely[ ]|i\.e\.,?[ ]|that is,?[ ])?\Z", re.IGNORECASE)
# Who chooses is somebody else, nothing is chosen yet, or what is named is not the answer.
_NOT_OURS = late(
    r"\b(?:whether|were|suppose|assuming|might|may|could|can|maybe|perhaps|possibly|either|between|or|people|students|some|many"
    r"|others|they|he|she|everyone|everybody|someone|somebody|test-takers|candidates|friend|teacher|you|distractor|trap|decoy|mistake"
    r"|tempting|tempted|incorrect|wrong|worst|second|runner-up|first glance|initially|originally|thought|previously|compared|closer"
    r"|closest|nearest|similar|related|next|equal|vitamin|type|group|grade|symbol|note|class|plan|variable|point|vertex|angle|hepatitis"
    r"|side|row|column|team|drive|chord|opposite|refers|according|fig|figure|table|page|section|appendix|disagree|nor)\b"
    r"|n['’]t\b|\bnot\b|\bno\b|\bnever\b|\bnone\b",
    re.IGNORECASE,
)
_SUPPOSED = late(r"\b(?<!even )(?:if|unless|had)\b(?![ ](?:i|we|you)[ ](?:had|have|were|must|need)\b|[ ](?:forced|pressed|asked)\b)", re.IGNORECASE)
# Words of denial that deny nothing here: what is asked for may be the false one, and "nothing other than B" is B.
_HARMLESS = late(
    r"\b(?:incorrect|wrong|false|untrue)[ ](?:statement|sentence|claim|one|pair|definition|equation|match|step)s?\b"
    r"|\b(?:(?:can['’]t|cannot|could(?:n['’]t| not)?) be any(?:thing|one)?|no(?:thing|ne)?)(?:[ ]\w+)?[ ](?:other than|but|except)\b"
    r"|\bwhether or not\b|\bi can tell\b|\bno (?:doubt|question)\b|\bwithout (?:a )?(?:doubt|question)\b|\bdon['’]t see how it\b",
    re.IGNORECASE,
)
_OTHER_THAN = late(r"\bany(?:thing|one)?(?:[ ]\w+)?[ ](?:other than|but|except)[ ]+(?:option[ ]|choice[ ])?\Z", re.IGNORECASE)
_CLOSED = late(
    r"[ \t*_)\]\"”’'}$]*(?:[.,;:!]|\Z|\n|[-–—]|(?:because|since|as|given|due|for|rather|instead|on this|here|and)\b)", re.IGNORECASE
)
_UNDECIDED = late(
    r"\b(?:can(?:not|['’]t)|could(?:n['’]t| not)|unable to|not sure|unsure|do(?:n['’]t| not) know|hard to"
    r"|none of(?! the other)|neither)\b",
    re.IGNORECASE,
)
_NO_OPTION = late(r"\b(?:none|no (?:correct |right )?(?:option|answer|choice))\b(?! of the other)(?!['’]t)", re.IGNORECASE)


def concluded(shown: str, plain: str, use: Patterns) -> Found | None:
    """The one letter that the last sentence with a letter in it leads to, and commits to."""
    found = [m for m in use.standing.finditer(plain) if not is_article(shown, m.span(1))]
    if not found:
        return None
    start, end = _sentence(plain, found[-1].start(1))
    kept = kept_lists(plain, [m for m in found if m.start(1) >= start])
    if len({m[1] for letters in kept for m in letters}) != 1 or any(len(letters) > 1 for letters in kept):
        return None
    letter = kept[-1][0]
    if plain[end : end + 1] == "?" or _UNDECIDED.search(plain, end) or _NO_OPTION.search(plain, 0, start):
        return None
    if not (_leads(plain, start, letter) or _set_apart(shown, plain, letter, found)):
        return None
    if not _CLOSED.match(plain, letter.end(1)) or not commits(shown, plain, letter.span(1), use):
        return None
    return Found(letter[1], letter.span(1), "conclusion")


def _sentence(plain: str, at: int) -> tuple[int, int]:
    """The sentence that the place is in, or what stands after its last contrast."""
    before = [m.end() for m in _END.finditer(plain, 0, at)]
    start = before[-1] if before else 0
    contrast = [m.end() for m in _CONTRAST.finditer(plain, start, at)]
    after = _END.search(plain, at)
    return (contrast[-1] if contrast else start, after.start() if after else len(plain))


def _leads(plain: str, start: int, letter: re.Match[str]) -> bool:
    said = plain[start : letter.start(1)]
    if not (_LEADS.search(said) or _APPOSED.search(said) or _OTHER_THAN.search(said)):
        return False
    bare = _HARMLESS.sub("", said)
    return not _NOT_OURS.search(bare) and not _SUPPOSED.search(bare)


def _set_apart(shown: str, plain: str, letter: re.Match[str], found: list[re.Match[str]]) -> bool:
    """Whether the letter is a sentence of its own in brackets or bold, and no other letter is."""
    start, end = letter.span(1)
    if shown[start - 1 : start] not in {"(", "*", "["} or shown[end : end + 1] not in {")", "*", "]"}:
        return False
    alone = [m for m in found if not plain[_sentence(plain, m.start(1))[0] : m.start(1)].strip()]
    return {m[1] for m in alone} == {letter[1]}

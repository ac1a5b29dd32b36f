"""What a text takes back by a correction: "Canberra... Actually, Sydney." leaves Sydney.

The place of the new answer is kept and what it replaces is left aside, together with the words that correct; so
"Answer: 42, no wait, 43" reads as "Answer: 43" to everyone who reads an answer out of a text.
"""

from __future__ import annotations

import re

from steelyard.text.grammar import any_of, beginnings, hints, words
from steelyard.text.late import late
from steelyard.text.recount import recounted
from steelyard.text.said import (
    MARK,
    NEW_MARK,
    TRUTH,
    WRAPPING,
    after_copula,
    answers_a_question,
    edited_at,
    first_of_kind,
    fresh_name,
    is_no_thing,
    kind_of,
    last_told,
    name_in,
    next_told,
    opens_nothing,
    sentence_start,
    tells_of_options,
    truth_in_cue,
)
from steelyard.text.visible import Cut, cuts, unquoted, visible, without

Span = tuple[int, int]

_GAP = r"[\s,.:;!?…—–\-*_]"
_MAYBE = (
    rf"(?:{any_of('second thought')}(?![ \t]+than\b)"
    rf"|{any_of('second thought before a stop')}(?=[ \t]*(?:[^\w\s'’]|$|{any_of('second thought', 'correction')})))"
)
_CUES = late(
    rf"(?<![\w'’])(?:{any_of('before a correction')}[\s,]+){{0,2}}?"
    rf"(?P<cues>(?:(?P<sure>{any_of('correction')})|{_MAYBE})"
    rf"(?:{_GAP}+(?:(?P<surer>{any_of('correction')})|{_MAYBE}|so\b|but\b)){{0,4}}"
    rf"|(?P<edit>{any_of('edit')}(?!\s*{any_of('correction', 'second thought')})))(?P<gap>{_GAP}*)",
    re.IGNORECASE,
)
# A correction opens a clause; where none does, as in most texts, nothing else is looked at.
# No phrase begins with a character that may stand before it, so those need not be given back.
_OPENING = late(
    rf"[.,;!?…—–()*}}\"”\n>\-][\s*_(\"“]{{0,6}}+"
    rf"(?={hints('before a correction', 'correction', 'second thought', 'second thought before a stop', 'edit')})"
    rf"(?=(?:(?:{beginnings('before a correction')})[\s,]{{1,3}}){{0,2}}"
    rf"(?:{beginnings('correction', 'second thought', 'second thought before a stop', 'edit')}))"
)
_LEAD = late(rf"(?:{any_of('before the new answer')}(?:[\s,:—–]+|(?<=:)\s*|$)){{0,6}}", re.IGNORECASE)
_SUBJECT = late(
    r"(?:the|its|his|her|their)[ ](?P<of>(?:[\w'’-]+[ ]){0,5}?[\w'’-]+)[ ](?:is|was|are|were|should be|must be)[ ]+",
    re.IGNORECASE,
)
_NEW = late(
    r"(?P<new>\S+?(?:[ ]\S+?){0,4}?)(?P<by>[.!?…;,)*_\"”}$]*(?:\s*\n|\s*$|(?<=[.!?;,…)*_\"”}$])\s)"
    r"|[ ](?=(?:because|since|as|not|instead|which|who|is[ ](?:the[ ])?(?:correct|right|answer))\b|\())",
    re.IGNORECASE,
)
# A phrase of at most five words up to the end of its sentence.
_ALONE = late(
    r"[^\s,;:!?]+(?:[ ][^\s,;:!?]+){0,4}?(?:[.!…]?[*_)\"”’'}$`]*)(?=\s*\Z|\s*\n|(?<=[.!…*_)\"”])\s)"
)
_VERB = late(rf"\b{any_of('verbs')}", re.IGNORECASE)
_TOLD = late(r"[ ](?:it|him|her|them|us|me|[a-z]{2,20}ed)\b")
_SHARE = late(r"\d[ ]of[ ](?:them|these|those|the)\b", re.IGNORECASE)
_NEGATED = late(r"(?:\b(?:not|never|no)|\b\w+n['’]t)[ ](?:the[ ]|an?[ ])?$", re.IGNORECASE)
_THOUGHT = late(
    r"\b(?:I|we)[ ](?:\w+ly[ ]|first[ ]|had[ ]|at first[ ])?(?:thought|considered|guessed|picked|chose|said)[ ]"
    r"(?:of[ ]|that[ ])?(?:it[ ](?:is|was)[ ]|it['’]s[ ])?$",
    re.IGNORECASE,
)
_PLURAL = late(r"[^.!?\n]*\b(?:are|were|have)\b", re.IGNORECASE)
_GOES_ON = frozenset(words("no new answer"))
_PRONOUNS = frozenset(("they", "he", "she", "we", "you", "there", "i"))
_NO_NOUN = frozenset(words("no answer alone"))
_VERDICTS = frozenset(("wrong", "incorrect", "invalid", "correct", "right"))
_DISOWNS = late(rf"{any_of('disowning')}\Z", re.IGNORECASE)
_ENDS_THERE = late(
    rf"[*_)\"”]{{0,3}}(?:[.!…]|\s*\Z|\s*\n|[,;]?[ ](?:and|so|but)[ ]{any_of('no decision')}|,[ ](?:since|because|as)\b)",
    re.IGNORECASE,
)
_ADMITS = late(rf"{any_of('admits')}\Z", re.IGNORECASE)
_NO_MORE = late(r"(?:[ ](?:above|there|here|about that|in my (?:\w+ )?answer))?[.!,;:]")
_FIRM = late(rf"{any_of('firm correction')}\Z", re.IGNORECASE)
_PONDERS = late(rf"{any_of('ponders')}\Z", re.IGNORECASE)
_AFFIRMS = late(
    rf"(?:(?:that|it|this)(?:['’]s|[ ]is|[ ]was)[ ](?:\w+ly[ ]|still[ ]|the[ ])?{any_of('affirms')}|yes\b)", re.IGNORECASE
)
# A correction that first tells what was wrong: "I made an error above: the total should be 18."
_LATER = late(
    r"[^.!?\n]{1,80}?\b(?:(?:it|total|answer|result|sum)(?:['’]s|[ ]is|[ ]should[ ]be|[ ]must[ ]be)|should[ ](?:be"
    r"|have[ ]been))[ ]+"
    r"(?=[*_$(]{0,4}(?:[-−]?\d|[A-D]\b))"
)
_BEHIND, _AHEAD, _MOST = 400, 160, 40


def settled(text: str) -> str:
    """The visible text without what it takes back; all offsets stay as they were.

    >>> settled("Answer: 42, no wait, 43")
    'Answer:              43'
    """
    shown = visible(text)
    if ">" in shown:
        shown = unquoted(shown)
    return without(shown, _cuts(found)) if (found := withdrawn(shown)) else shown


def settled_cuts(text: str) -> list[Cut]:
    """What is left aside of a text: its reasoning, a run-on, and what it takes back.

    >>> [cut.why for cut in settled_cuts("<think>B?</think>A. Actually, C.")]
    ['reasoning', 'withdrawn by a correction']
    """
    return sorted([*cuts(text), *_cuts(withdrawn(visible(text)))])


def _cuts(found: list[Span]) -> list[Cut]:
    return [Cut(span, "withdrawn by a correction") for span in found]


def withdrawn(text: str) -> list[Span]:
    """What corrections take back, each with the words that correct, in order.

    >>> [(text[a:b]) for text in ["It is 42. No wait, 43."] for a, b in withdrawn(text)]
    ['42. No wait, ']
    """
    if not _OPENING.search(text):
        return []
    found: list[Span] = []
    for opening, _ in zip(_OPENING.finditer(text), range(_MOST * 10), strict=False):
        if opens_nothing(text, opening.start()):
            continue
        cue = _CUES.match(text, opening.end())
        done = found[-1][1] if found else 0
        if cue is None or cue.start() < done or is_no_thing(text, cue):
            continue
        if (span := _withdrawn_by(text, done, cue)) is not None:
            found.append(span)
    return found[:_MOST]


def _withdrawn_by(text: str, done: int, cue: re.Match[str]) -> Span | None:
    """What one correction takes back, up to the new answer, or to the mark or the sentence that gives it."""
    new = _replacement(text, cue)
    if tells_of_options(text, cue, new) or (new is not None and answers_a_question(text, cue, new)):
        return None
    if new is not None:
        old = _replaced(text, done, cue, new)
        return None if old is None else (old, _resumed(text, cue, new))
    if (old := _disowned(text, done, cue)) is not None:
        return (old, cue.end("cues"))
    # "My mistake was …" goes on with its own sentence; after a stop another one begins.
    if cue["gap"].strip() and _FIRM.search(cue["cues"]) and (retold := _retold(text, done, cue)) is not None:
        return retold
    told = _FIRM.search(cue["cues"]) or (_ADMITS.search(cue["cues"]) and _NO_MORE.match(text, cue.end("cues")))
    if told and (next_one := _told_next(text, done, cue)) is not None:
        return next_one
    return _recounted(text, done, cue)


def _recounted(text: str, done: int, cue: re.Match[str]) -> Span | None:
    """What a number takes the place of that is arrived at some sentences after the correction."""
    new = recounted(text, cue.end("cues"))
    old = None if new is None else _replaced(text, done, cue, new)
    return None if old is None or new is None or kind_of(text[old : old + 40]) != "number" else (old, new)


def _resumed(text: str, cue: re.Match[str], new: int) -> int:
    """From where the text counts again: the mark of the new answer, or the subject that a word is said of, stays."""
    if mark := NEW_MARK.search(text, cue.end("cues"), new):
        return mark.start()
    told = kind_of(text[new : new + 40]) == "word" and name_in(text, cue.end(), new) is not None
    return cue.end() if told else new


def _retold(text: str, done: int, cue: re.Match[str]) -> Span | None:
    """What a whole sentence takes the place of: "I'd say Stockholm... wait, no, the prize is awarded in Oslo."."""
    low, high = max(done, cue.start() - _BEHIND), len(text[: cue.start()].rstrip(' \t\n.,;!?…—–-(*_"“'))
    if not fresh_name(text, cue.end(), low):
        return None
    old = last_told(text, low, high)
    return None if old is None else (old, cue.end())


def _told_next(text: str, done: int, cue: re.Match[str]) -> Span | None:
    """What the sentence after a remark takes the place of: "It is Yangon. Wait, no, it moved. It's Naypyidaw."."""
    low, high = max(done, cue.start() - _BEHIND), len(text[: cue.start()].rstrip(' \t\n.,;!?…—–-(*_"“'))
    new = next_told(text, cue.end("cues"), low)
    old = None if new is None else last_told(text, low, high)
    return None if old is None or new is None else (old, new)


def _disowned(text: str, after: int, cue: re.Match[str]) -> int | None:
    """Where the answer begins that the next sentence calls wrong, and says no more: "Answer: A. That's wrong."."""
    if not _DISOWNS.search(cue["cues"]) or not _ENDS_THERE.match(text, cue.end("cues")):
        return None
    high = len(text[: cue.start()].rstrip(' \t\n.,;!?…—–-(*_"“'))
    start = sentence_start(text, max(after, cue.start() - _BEHIND), high)
    start = max(start, text.rfind(";", start, high) + 1)
    said = text[start:high].strip(WRAPPING + ": \t\n").lower()
    return None if not said or said.split()[-1] in TRUTH | _VERDICTS else start


def _replacement(text: str, cue: re.Match[str]) -> int | None:
    """Where the answer begins that takes the other one's place, if one follows."""
    if (bare := truth_in_cue(text, cue)) is not None:
        return bare
    sure = bool(cue["sure"] or cue["surer"])
    if not cue["gap"] or (not cue["gap"].strip() and _PONDERS.search(cue["cues"])):
        return None
    start = cue.end() - len(cue["gap"]) + len(cue["gap"].rstrip("*_"))  # what wraps the new answer stays
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
    new = _NEW.match(window, at)
    return start + at if new and _is_answer(window, new, sure=sure) else None


def _affirms(text: str, cue: re.Match[str], window: str) -> bool:
    """Whether the second thought only says that all is well; "It's false. Wait, no, it's correct." does not."""
    said = text[max(0, cue.start() - 40) : cue.start()].rstrip(" \t\n.,;!?…—–-*_").split()
    return bool(said) and said[-1].lower() not in TRUTH | _VERDICTS and _AFFIRMS.match(window) is not None


def _is_subject(before: str, of: str) -> bool:
    """Whether "the capital is …" speaks of what was answered: the text named it, or has but the answer."""
    return of.split()[-1].lower() in before.lower() or len(MARK.sub("", before).split()) <= 3


def _is_answer(window: str, new: re.Match[str], *, sure: bool) -> bool:
    first = new["new"].strip(WRAPPING).split(" ")[0].strip(",.;:!?")
    stem = first.lower().replace("’", "'").split("'")[0]  # "they're not" goes on with the thought
    goes_on = first.lower() in _GOES_ON or (stem != first.lower() and stem in _PRONOUNS)
    if not first or (goes_on and not (len(first) == 1 and first.isupper() and new["new"] == first)):
        return False
    if _VERB.search(new["new"]) or _SHARE.search(new["new"]):
        return False
    return sure or not (_remarks(new["new"]) or (new["by"][:1] == "," and _PLURAL.match(window, new.end())))


def _remarks(said: str) -> bool:
    """Whether it only says something more: "Actually, Priestley found it", "No, really"."""
    bare = said.strip(WRAPPING + ".!?")
    if _TOLD.search(bare):
        return True
    return " " not in bare and bare.islower() and (bare.endswith("ly") or bare in _NO_NOUN)


def _replaced(text: str, after: int, cue: re.Match[str], new: int) -> int | None:
    """Where the answer begins that is withdrawn: one of the new one's kind, in one of the last three sentences."""
    kind = kind_of(text[new : new + 40])
    low, high = max(after, cue.start() - _BEHIND), len(text[: cue.start()].rstrip(' \t\n.,;!?…—–-(*_"“'))
    last = high
    for _ in range(3):
        start = sentence_start(text, low, high)
        if (old := first_of_kind(text, start, high, kind)) is not None:
            led = _NEGATED.search(text, max(start, old - 20), old) or _THOUGHT.search(text, max(start, old - 40), old)
            return led.start() if led else old
        high = len(text[:start].rstrip())
        if high <= low:
            break
    sure, end = bool(cue["sure"] or cue["surer"]), len(text[: cue.start()].rstrip())
    if not sure and not _stands_alone(text, cue.end("cues"), new, kind):
        return None
    return after_copula(text, sentence_start(text, low, max(low, last)), end, last=sure)


def _stands_alone(text: str, cued: int, new: int, kind: str) -> bool:
    """Whether the new answer is all that its sentence says, so that it replaces one of any kind: "Actually, Rome."."""
    said = _ALONE.match(text, new, new + 60)
    if said is None:
        return False
    parts = said[0].lower().strip(WRAPPING + ".!").split()
    if kind == "name":
        return True
    if kind != "word":
        return len(parts) <= 2
    # After "it's" a small word describes: "It is Paris. Actually, it's small."
    bare = not text[cued:new].strip(' ,.:;!?…—–-*_\n"“')
    return bare and len(parts) <= 2 and not parts[-1].endswith("ly") and _NO_NOUN.isdisjoint(parts)

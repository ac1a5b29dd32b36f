"""What a text takes back by a correction: "Canberra... Actually, Sydney." leaves Sydney.

The place of the new answer is kept and what it replaces is left aside, together with the words that correct; so
"Answer: 42, no wait, 43" reads as "Answer: 43" to everyone who reads an answer out of a text.
"""

from __future__ import annotations

import re

from steelyard.text.claim.joined import joined
from steelyard.text.correction.disowned import disowned_lines
from steelyard.text.correction.recount import recounted
from steelyard.text.correction.replacement import NO_NOUN, VERDICTS, replacement
from steelyard.text.correction.said import (
    NEW_MARK,
    TRUTH,
    WRAPPING,
    after_copula,
    answers_a_question,
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
)
from steelyard.text.grammar import any_of, beginnings, hints
from steelyard.text.late import late
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
# A phrase of at most five words up to the end of its sentence.
_ALONE = late(
    r"[^\s,;:!?]+(?:[ ][^\s,;:!?]+){0,4}?(?:[.!…]?[*_)\"”’'}$`]*)(?=\s*\Z|\s*\n|(?<=[.!…*_)\"”])\s)"
)
_NEGATED = late(r"(?:\b(?:not|never|no)|\b\w+n['’]t)[ ](?:the[ ]|an?[ ])?$", re.IGNORECASE)
_THOUGHT = late(
    r"\b(?:I|we)[ ](?:\w+ly[ ]|first[ ]|had[ ]|at first[ ])?"
    r"(?:thought|considered|guessed|picked|chose|said|put|wrote|answered|selected)[ ]"
    r"(?:of[ ]|that[ ])?(?:it[ ](?:is|was)[ ]|it['’]s[ ])?$"
    # "I was going to say Perth, but actually …", "My first guess was Perth …": with the thought goes what leads up to it
    rf"|\b(?:(?:I|we)[ ](?:(?:was|were)[ ](?:going|about|tempted|inclined)[ ]to|used[ ]to)|{any_of('thinkers')}[ ]"
    rf"(?:{any_of('may think')}[ ]){{1,3}}(?:tempted[ ]to[ ])?)[ ]?{any_of('to think')}[ ]"
    r"(?:that[ ])?(?:it[ ](?:is|was)[ ]|it['’]s[ ])?$"
    rf"|\b(?:I|we)(?:['’]d|[ ]would)[ ]have[ ]{any_of('thought before')}[ ]$"
    rf"|\b(?:I|we)[ ](?:almost|nearly)[ ]{any_of('thought before')}[ ]$"
    rf"|\b(?:my|our)[ ]{any_of('came first')}[ ]{any_of('first thoughts')}[ ](?:is|was|would[ ]be)[ ](?:the[ ])?$",
    re.IGNORECASE,
)
_CHANGES = late(rf"{any_of('changes')}\Z", re.IGNORECASE)
_ANSWER_MARK = late(
    r"\banswer\b[*_]{0,3}(?:[^\n:.]{0,40}?\b(?:is|be)\b|[ \t]?:)[*_]{0,3}[ \t]*|####[ ]|(?=\\boxed)",
    re.IGNORECASE,
)
_ANSWERS = late(
    rf"(?:(?:so|thus|hence|therefore)\b,?[ ])?[*_]{{0,3}}(?:{NEW_MARK.pattern}|\\boxed|####)",
    re.IGNORECASE,
)
_LAST_STOP = late(r"[.!]\s{0,3}(?:(?:so|thus|hence|therefore)\b,?[ ]?)?\Z", re.IGNORECASE)
_DISOWNS = late(rf"{any_of('disowning')}\Z", re.IGNORECASE)
_ENDS_THERE = late(
    rf"[*_)\"”]{{0,3}}(?:[.!…;:]|\s*\Z|\s*\n|[,;]?[ ](?:and|so|but)[ ]{any_of('no decision')}|,[ ](?:since|because|as)\b)",
    re.IGNORECASE,
)
_ADMITS = late(rf"{any_of('admits')}\Z", re.IGNORECASE)
_NO_MORE = late(r"(?:[ ](?:above|there|here|about that|in my (?:\w+ )?answer))?[.!,;:]")
_FIRM = late(rf"{any_of('firm correction')}\Z", re.IGNORECASE)
_BEHIND, _MOST = 400, 40


def settled(text: str) -> str:
    """The visible text without what it takes back; all offsets stay as they were.

    >>> settled("Answer: 42, no wait, 43")
    'Answer:              43'
    """
    shown = visible(text)
    if ">" in shown:
        shown = unquoted(shown)
    if found := _left_aside(shown):
        shown = without(shown, _cuts(found))
    return joined(shown) if "nswer" in shown else shown


def settled_cuts(text: str) -> list[Cut]:
    """What is left aside of a text: its reasoning, a run-on, and what it takes back.

    >>> [cut.why for cut in settled_cuts("<think>B?</think>A. Actually, C.")]
    ['reasoning', 'withdrawn by a correction']
    """
    return sorted([*cuts(text), *_cuts(_left_aside(visible(text)))])


def _left_aside(shown: str) -> list[Span]:
    """What corrections take back, and the lines that are labelled as no answer."""
    found = withdrawn(shown)
    lines = disowned_lines(shown)
    apart = [
        line for line in lines if all(line[1] <= start or end <= line[0] for start, end in found)
    ]
    return sorted([*found, *apart]) if apart else found


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
            found.append(_up_to_stop(text, span))
    return found[:_MOST]


def _up_to_stop(text: str, span: Span) -> Span:
    """What is taken back, but for the full stop after which the answer is marked: that is a sentence of its own."""
    stop = _LAST_STOP.search(text, max(span[0], span[1] - 20), span[1])
    if (
        stop is None
        or not _ANSWERS.match(text, span[1])
        or text[: span[0]].rstrip(" *_").endswith(":")
    ):
        return span
    return (span[0], stop.start())


def _withdrawn_by(text: str, done: int, cue: re.Match[str]) -> Span | None:
    """What one correction takes back, up to the new answer, or to the mark or the sentence that gives it."""
    new = replacement(text, cue)
    if tells_of_options(text, cue, new) or (new is not None and answers_a_question(text, cue, new)):
        return None
    if new is not None:
        old = _marked(text, done, cue) or _replaced(text, done, cue, new)
        return None if old is None else (old, _resumed(text, cue, new))
    if (old := _disowned(text, done, cue)) is not None:
        end = cue.end("cues")
        return (old, end + (text[end : end + 1] in {".", "!", "…"}))
    # "My mistake was …" goes on with its own sentence; after a stop another one begins.
    if (
        cue["gap"].strip()
        and _FIRM.search(cue["cues"])
        and (retold := _retold(text, done, cue)) is not None
    ):
        return retold
    told = _FIRM.search(cue["cues"]) or (
        _ADMITS.search(cue["cues"]) and _NO_MORE.match(text, cue.end("cues"))
    )
    if told and (next_one := _told_next(text, done, cue)) is not None:
        return next_one
    return _recounted(text, done, cue)


def _marked(text: str, done: int, cue: re.Match[str]) -> int | None:
    """Where the marked answer begins that a change of the answer replaces, whatever was said of it in between."""
    if not _CHANGES.search(cue["cues"]):
        return None
    found = [
        mark.end()
        for mark in _ANSWER_MARK.finditer(text, max(done, cue.start() - _BEHIND), cue.start())
    ]
    return found[-1] if found else None


def _recounted(text: str, done: int, cue: re.Match[str]) -> Span | None:
    """What a number takes the place of that is arrived at some sentences after the correction."""
    new = recounted(text, cue.end("cues"))
    old = None if new is None else _replaced(text, done, cue, new)
    if old is None or new is None or kind_of(text[old : old + 40]) != kind_of(text[new : new + 40]):
        return None
    return (old, _resumed(text, cue, new))


def _resumed(text: str, cue: re.Match[str], new: int) -> int:
    """From where the text counts again: the mark of the new answer, or the subject that a word is said of, stays."""
    if mark := NEW_MARK.search(text, cue.end("cues"), new):
        return mark.start()
    told = kind_of(text[new : new + 40]) == "word" and name_in(text, cue.end(), new) is not None
    return cue.end() if told else new


def _said_before(text: str, cue: re.Match[str]) -> int:
    """Where that ends which was said before the correction."""
    return len(text[: cue.start()].rstrip(' \t\n.,;!?…—–-(*_"“'))


def _retold(text: str, done: int, cue: re.Match[str]) -> Span | None:
    """What a whole sentence takes the place of: "I'd say Stockholm... wait, no, the prize is awarded in Oslo."."""
    low, high = max(done, cue.start() - _BEHIND), _said_before(text, cue)
    if not fresh_name(text, cue.end(), low):
        return None
    old = last_told(text, low, high)
    return None if old is None else (old, cue.end())


def _told_next(text: str, done: int, cue: re.Match[str]) -> Span | None:
    """What the sentence after a remark takes the place of: "It is Yangon. Wait, no, it moved. It's Naypyidaw."."""
    low, high = max(done, cue.start() - _BEHIND), _said_before(text, cue)
    new = next_told(text, cue.end("cues"), low)
    old = None if new is None else last_told(text, low, high)
    return None if old is None or new is None else (old, new)


def _disowned(text: str, after: int, cue: re.Match[str]) -> int | None:
    """Where the answer begins that the next sentence calls wrong, and says no more: "Answer: A. That's wrong."."""
    if not _DISOWNS.search(cue["cues"]) or not _ENDS_THERE.match(text, cue.end("cues")):
        return None
    high = _said_before(text, cue)
    start = sentence_start(text, max(after, cue.start() - _BEHIND), high)
    start = max(start, text.rfind(";", start, high) + 1)
    said = text[start:high].strip(WRAPPING + ": \t\n").lower()
    # Right behind a mark it is the answer itself: "Answer: **This is incorrect!**"
    return None if not said or said.split()[-1] in TRUTH | VERDICTS | {"answer", "is"} else start


def _replaced(text: str, after: int, cue: re.Match[str], new: int) -> int | None:
    """Where the answer begins that is withdrawn: one of the new one's kind, in one of the last three sentences."""
    kind = kind_of(text[new : new + 40])
    low, high = max(after, cue.start() - _BEHIND), _said_before(text, cue)
    last = high
    for _ in range(3):
        start = sentence_start(text, low, high)
        if (old := first_of_kind(text, start, high, kind)) is not None:
            led = _NEGATED.search(text, max(start, old - 20), old) or _THOUGHT.search(
                text, max(start, old - 60), old
            )
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
    return bare and len(parts) <= 2 and not parts[-1].endswith("ly") and NO_NOUN.isdisjoint(parts)

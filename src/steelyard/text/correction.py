"""What a text takes back by a correction: "Canberra... Actually, Sydney." leaves Sydney.

The place of the new answer is kept and what it replaces is left aside, together with the words that correct; so
"Answer: 42, no wait, 43" reads as "Answer: 43" to everyone who reads an answer out of a text.
"""

from __future__ import annotations

import re

from steelyard.text.grammar import any_of, beginnings, hints, words
from steelyard.text.late import late
from steelyard.text.visible import Cut, cuts, unquoted, visible, without

Span = tuple[int, int]

_GAP = r"[\s,.:;!?…—–\-*_]"
_MAYBE = (
    rf"(?:{any_of('second thought')}(?![ \t]+than\b)"
    rf"|{any_of('second thought before a stop')}(?=[ \t]*(?:[^\w\s'’]|$|{any_of('second thought', 'correction')})))"
)
_CUES = late(
    rf"(?<![\w'’])(?:{any_of('before a correction')}[\s,]+){{0,2}}"
    rf"(?P<cues>(?:(?P<sure>{any_of('correction')})|{_MAYBE})"
    rf"(?:{_GAP}+(?:(?P<surer>{any_of('correction')})|{_MAYBE}|so\b|but\b)){{0,4}})(?P<gap>{_GAP}*)",
    re.IGNORECASE,
)
# A correction opens a clause; where none does, as in most texts, nothing else is looked at.
# No phrase begins with a character that may stand before it, so those need not be given back.
_OPENING = late(
    rf"[.,;!?…—–)*}}\"”\n\-][\s*_(\"“]{{0,6}}+"
    rf"(?={hints('before a correction', 'correction', 'second thought', 'second thought before a stop')})"
    rf"(?=(?:(?:{beginnings('before a correction')})[\s,]{{1,3}}){{0,2}}"
    rf"(?:{beginnings('correction', 'second thought', 'second thought before a stop')}))"
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
_WRAPPING = "*_`$\"'“”‘’([{\\#~<>"
# A phrase of at most five words up to the end of its sentence.
_ALONE = late(
    r"[^\s,;:!?]+(?:[ ][^\s,;:!?]+){0,4}?(?:[.!…]?[*_)\"”’'}$`]*)(?=\s*\Z|\s*\n|(?<=[.!…*_)\"”])\s)"
)
_VERB = late(rf"\b{any_of('verbs')}", re.IGNORECASE)
_TOLD = late(r"[ ](?:it|him|her|them|us|me|[a-z]{2,20}ed)\b")
_SHARE = late(r"\d[ ]of[ ](?:them|these|those|the)\b", re.IGNORECASE)
_NEGATED = late(r"(?:\b(?:not|never|no)|\b\w+n['’]t)[ ](?:the[ ]|an?[ ])?$", re.IGNORECASE)
_PLURAL = late(r"[^.!?\n]*\b(?:are|were|have)\b", re.IGNORECASE)
_GOES_ON = frozenset(words("no new answer"))
_NO_NAME = frozenset(words("opening words"))
_NO_NOUN = frozenset(words("no answer alone"))
_TRUTH = frozenset(("yes", "no", "true", "false"))
_SENTENCE_END = late(r"[.!?…](?=[\s\"”)*]|$)|\n")
_TITLES = (" Dr", " Mr", " Mrs", " Ms", " Prof")
_TITLE_DOT = late(r"\b(?:Dr|Mr|Mrs|Ms|St|Prof|[A-Z])\.$")
_MARK = late(
    r"(?:answer|option|choice)s?\b[*_]*(?:[^\n:.]{0,40}?\b(?:is|be))?[ \t*_]*:?|####", re.IGNORECASE
)
_COMMAND = late(r"\\(?:boxed|fbox|text|textbf|mathrm|mathbf)\s?\{")
_COPULA = late(r"(?:\b(?:is|was|are|were|be)|['’]s|:)[ \t*_]+", re.IGNORECASE)
_WORD = late(r"[^\s,;:!?()\[\]…]+")
_NUMBER = late(r"[-−+$£€¥.]*\d")
_VERDICTS = frozenset(("wrong", "incorrect", "invalid", "correct", "right"))
_DISOWNS = late(rf"{any_of('disowning')}\Z", re.IGNORECASE)
_ENDS_THERE = late(r"[*_)\"”]{0,3}(?:[.!…]|\s*\Z|\s*\n)")
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
        if _opens_nothing(text, opening.start()):
            continue
        cue = _CUES.match(text, opening.end())
        done = found[-1][1] if found else 0
        if cue is None or cue.start() < done:
            continue
        new = _replacement(text, cue)
        old = _replaced(text, done, cue, new) if new is not None else None
        if new is not None and old is not None:
            found.append((old, new))
        elif new is None and (old := _disowned(text, done, cue)) is not None:
            found.append((old, cue.end("cues")))
    return found[:_MOST]


def _disowned(text: str, after: int, cue: re.Match[str]) -> int | None:
    """Where the answer begins that the next sentence calls wrong, and says no more: "Answer: A. That's wrong."."""
    if not _DISOWNS.search(cue["cues"]) or not _ENDS_THERE.match(text, cue.end("cues")):
        return None
    high = len(text[: cue.start()].rstrip(' \t\n.,;!?…—–-(*_"“'))
    start = _sentence(text, max(after, cue.start() - _BEHIND), high)
    said = text[start:high].strip(_WRAPPING + ": \t\n").lower()
    return None if not said or said.split()[-1] in _TRUTH | _VERDICTS else start


def _opens_nothing(text: str, at: int) -> bool:
    """Whether the mark there ends no clause: a hyphen, or the full stop of a title ("Dr. No")."""
    if text[at] == "-":
        return not text[at - 1 : at].isspace()
    return text[at] == "." and text.endswith(_TITLES, max(0, at - 5), at)


def _replacement(text: str, cue: re.Match[str]) -> int | None:
    """Where the answer begins that takes the other one's place, if one follows."""
    if (bare := _truth_in_cue(text, cue)) is not None:
        return bare
    sure = bool(cue["sure"] or cue["surer"])
    if not cue["gap"]:
        return None
    start = cue.end() - len(cue["gap"]) + len(cue["gap"].rstrip("*_"))  # what wraps the new answer stays
    window = text[start : start + _AHEAD]
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


def _is_subject(before: str, of: str) -> bool:
    """Whether "the capital is …" speaks of what was answered: the text named it, or has but the answer."""
    return of.split()[-1].lower() in before.lower() or len(_MARK.sub("", before).split()) <= 3


def _truth_in_cue(text: str, cue: re.Match[str]) -> int | None:
    """ "Yes. Actually, no." corrects to no."""
    last = re.search(r"\w+$", cue["cues"])
    if last is None or last[0].lower() not in _TRUTH or last.start() == 0:
        return None
    rest = text[cue.end("cues") : cue.end("cues") + 3]
    return cue.start("cues") + last.start() if not rest.strip(" .!*_\n") else None


def _is_answer(window: str, new: re.Match[str], *, sure: bool) -> bool:
    first = new["new"].strip(_WRAPPING).split(" ")[0].strip(",.;:!?")
    if not first or (
        first.lower() in _GOES_ON and not (len(first) == 1 and first.isupper() and new["new"] == first)
    ):
        return False
    if _VERB.search(new["new"]) or _SHARE.search(new["new"]):
        return False
    return sure or not (_remarks(new["new"]) or (new["by"][:1] == "," and _PLURAL.match(window, new.end())))


def _remarks(said: str) -> bool:
    """Whether it only says something more: "Actually, Priestley found it", "No, really"."""
    bare = said.strip(_WRAPPING + ".!?")
    if _TOLD.search(bare):
        return True
    return " " not in bare and bare.islower() and (bare.endswith("ly") or bare in _NO_NOUN)


def _replaced(text: str, after: int, cue: re.Match[str], new: int) -> int | None:
    """Where the answer begins that is withdrawn: one of the new one's kind, in one of the last three sentences."""
    kind = _kind(text[new : new + 40])
    low, high = max(after, cue.start() - _BEHIND), len(text[: cue.start()].rstrip(' \t\n.,;!?…—–-(*_"“'))
    for _ in range(3):
        start = _sentence(text, low, high)
        if (old := _of_kind(text, start, high, kind)) is not None:
            negated = _NEGATED.search(text, max(start, old - 20), old)
            return negated.start() if negated else old
        high = len(text[:start].rstrip())
        if high <= low:
            break
    sure, end = bool(cue["sure"] or cue["surer"]), len(text[: cue.start()].rstrip())
    if not sure and not _stands_alone(text, cue.end("cues"), new, kind):
        return None
    return _after_copula(text, _sentence(text, low, max(low, end - 1)), end, last=sure)


def _stands_alone(text: str, cued: int, new: int, kind: str) -> bool:
    """Whether the new answer is all that its sentence says, so that it replaces one of any kind: "Actually, Rome."."""
    said = _ALONE.match(text, new, new + 60)
    if said is None:
        return False
    parts = said[0].lower().strip(_WRAPPING + ".!").split()
    if kind == "name":
        return True
    if kind != "word":
        return len(parts) <= 2
    # After "it's" a small word describes: "It is Paris. Actually, it's small."
    bare = not text[cued:new].strip(' ,.:;!?…—–-*_\n"“')
    return bare and len(parts) <= 2 and not parts[-1].endswith("ly") and _NO_NOUN.isdisjoint(parts)


def _sentence(text: str, low: int, high: int) -> int:
    """Where the sentence begins that ends there, or what its mark of an answer stands for."""
    start = low
    for end in _SENTENCE_END.finditer(text, low, max(low, high - 1)):
        if not _TITLE_DOT.search(text, max(low, end.end() - 5), end.end()):
            start = end.end()
    for mark in _MARK.finditer(text, start, high):
        if (
            mark.end() < high
            and text[mark.end() - 1 : mark.end() + 1].strip(" *_:") != text[mark.end() : mark.end() + 1]
        ):
            start = mark.end()
    return start


def _kind(piece: str) -> str:
    bare = _COMMAND.sub("", piece, count=1).lstrip(_WRAPPING + " ")
    word = (_WORD.match(bare) or [""])[0].strip(".*_`\"”’'})]$")
    if word.lower() in _TRUTH:
        return "truth"
    if _NUMBER.match(bare) or _NUMBER.match(piece.lstrip("*_ \\(")):
        return "number"
    return "name" if bare[:1].isupper() else "foreign" if bare[:1] and not bare[:1].isascii() else "word"


def _of_kind(text: str, start: int, end: int, kind: str) -> int | None:
    """Where the first answer of that kind begins in the sentence, with what wraps it."""
    tokens = [m for m, _ in zip(_WORD.finditer(text, start, end), range(80), strict=False)]
    kinds = [_kind(token[0]) for token in tokens]
    names = [i for i, k in enumerate(kinds) if k == "name" and not _is_opening(tokens, i)]
    if kind == "word":
        return None if names or not tokens or "number" in kinds else _after_copula(text, start, end)
    at = names if kind == "name" else [i for i, k in enumerate(kinds) if k == kind]
    if not at:
        return None
    begin = tokens[at[0]].start()
    boxed = text.rfind("\\boxed", start, begin)
    return boxed if boxed >= 0 else begin


def _is_opening(tokens: list[re.Match[str]], i: int) -> bool:
    bare = tokens[i][0].strip(_WRAPPING + ".,").lower()
    single = len(bare) == 1 and len(tokens) <= 2 and bare != "i"
    return bare in _NO_NAME and not single and not (len(bare) == 1 and i > 0 and bare != "i")


def _after_copula(text: str, start: int, end: int, *, last: bool = True) -> int | None:
    found = [m.end() for m, _ in zip(_COPULA.finditer(text, start, end), range(40), strict=False)]
    at = found[-1 if last else 0] if found else start
    piece = text[at:end]
    return at + len(piece) - len(piece.lstrip()) if piece.strip() else None

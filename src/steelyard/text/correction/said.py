"""Where a text has said an answer, and of what kind it is, for what a correction takes back."""

from __future__ import annotations

import re

from steelyard.text.grammar import any_of, phrases, words
from steelyard.text.late import late

WRAPPING = "*_`$\"'“”‘’([{\\#~<>"
TRUTH = frozenset(("yes", "no", "true", "false"))
_NO_NAME = frozenset(words("opening words"))
_SPEAKS = frozenset(words("speaks of the writer"))
_EDITS = frozenset(words("edited"))
_SENTENCE_END = late(r"[.!?…](?=[\s\"”)*]|$)|\n")
_AT_ONCE = late(r"[;:]")  # "I misspoke; it is …"
_TITLES = (" Dr", " Mr", " Mrs", " Ms", " Prof")
_TITLE_DOT = late(
    r"(?:\b(?:Dr|Mr|Mrs|Ms|St|Prof)|(?<![a-z] )\b[A-Z])\.$"
)  # "so C." ends a sentence
MARK = late(
    r"(?:answer|option|choice)s?\b[*_]*(?:[^\n:.]{0,40}?\b(?:is|be))?[ \t*_]*:?|####", re.IGNORECASE
)
# A mark of the answer between a correction and the new answer, which goes on marking it.
NEW_MARK = late(
    r"\b(?:(?:the|my)[ ])?(?:(?:correct|right|final|actual|best|true)[ ])?(?:answer|option|choice|letter)\b[*_]*"
    r"(?:[ ](?:is|was|should[ ]be|would[ ]be|must[ ]be|has[ ]to[ ]be)\b|[ ]?:)",
    re.IGNORECASE,
)
_CORRECT = late(r"\b(?:correct|right|actual|true)\b", re.IGNORECASE)
_COMMAND = late(r"\\(?:boxed|fbox|text|textbf|mathrm|mathbf)\s?\{")
_COPULA = late(r"(?:\b(?:is|was|are|were|be)|['’]s|:)[ \t*_]+", re.IGNORECASE)
_WORD = late(r"[^\s,;:!?()\[\]…]+")
# "It's Naypyidaw.", "2014 was Argentina.", "The director was Brian De Palma."
_IS_NAMED = late(
    r"\s*(?:(?:(?i:it|that)['’]s|(?:[^\s,;:.!?]+[ ]){1,5}?(?:is|was))[ ](?:actually[ ]|in[ ]fact[ ])?(?:by[ ]|from[ ])?"
    r"(?:the[ ])?)?[*_\"“]{0,3}(?P<name>[^\W\d_a-z]\w+)(?:[ ](?:[^\W\d_a-z][^\s,;:.!?]*|of|in|de|del|la|van|von|and|the)){0,4}"
    r"[*_\"”]{0,3}(?:[.!,;]|\s*\n|\s*\Z)",
)
# "Emily Stone wrote it.", "Emily Stone is the author."; but "Stone is a large town."
_NAME_IS = late(
    r"\s*[*_\"“]{0,3}(?P<name>[^\W\d_a-z]\w+)(?:[ ](?:[^\W\d_a-z][^\s,;:.!?]*|of|de|del|la|van|von)){0,4}[*_\"”]{0,3}[ ]"
    rf"(?:(?:{phrases('deeds')}|did)[ ](?:it|this|that|the|them)\b|(?:is|was)[ ](?:it|correct|right)\b"
    r"|(?:is|was)[ ]the(?![ ](?:second|third|next|other|\w+est)\b)(?:[ ][\w'’-]+){1,2}(?:[ ]of(?:[ ][\w'’-]+){1,3})?[.!])"
)
_REMARK_AFFIRMS = late(
    r"\b(?:right|correct|check|fine|sure)\b(?<!n['’]t right)(?<!not right)", re.IGNORECASE
)
_NUMBER = late(r"[-−+$£€¥.]*\d")


def sentence_start(text: str, low: int, high: int) -> int:
    """Where the sentence begins that ends there, or what its mark of an answer stands for."""
    start = low
    for end in _SENTENCE_END.finditer(text, low, max(low, high - 1)):
        decimal = text[end.end() : end.end() + 1].isdecimal()  # the search ends inside 3.5
        if not decimal and not _TITLE_DOT.search(text, max(low, end.end() - 5), end.end()):
            start = end.end()
    for mark in MARK.finditer(text, start, high):
        if (
            mark.end() < high
            and text[mark.end() - 1 : mark.end() + 1].strip(" *_:")
            != text[mark.end() : mark.end() + 1]
        ):
            start = mark.end()
    return start


def kind_of(piece: str) -> str:
    """What kind of answer a piece begins with: truth, number, name, foreign or word."""
    bare = _COMMAND.sub("", piece, count=1).lstrip(WRAPPING + " ")
    word = (_WORD.match(bare) or [""])[0].strip(".*_`\"”’'})]$")
    if word.lower() in TRUTH:
        return "truth"
    if _NUMBER.match(bare) or _NUMBER.match(piece.lstrip("*_ \\(")):
        return "number"
    return (
        "name"
        if bare[:1].isupper()
        else "foreign"
        if bare[:1] and not bare[:1].isascii()
        else "word"
    )


def first_of_kind(text: str, start: int, end: int, kind: str) -> int | None:
    """Where the first answer of that kind begins in the sentence, with what wraps it."""
    tokens = [m for m, _ in zip(_WORD.finditer(text, start, end), range(80), strict=False)]
    kinds = [kind_of(token[0]) for token in tokens]
    names = [i for i, k in enumerate(kinds) if k == "name" and not _is_opening(tokens, i)]
    if kind == "word":
        return None if names or not tokens or "number" in kinds else after_copula(text, start, end)
    at = names if kind == "name" else [i for i, k in enumerate(kinds) if k == kind]
    if not at:
        return None
    begin = tokens[at[0]].start()
    boxed = text.rfind("\\boxed", start, begin)
    return boxed if boxed >= 0 else begin


def _is_opening(tokens: list[re.Match[str]], i: int) -> bool:
    bare = tokens[i][0].strip(WRAPPING + ".,").lower()
    single = len(bare) == 1 and len(tokens) <= 2 and bare != "i"
    return bare in _NO_NAME and not single and not (len(bare) == 1 and i > 0 and bare != "i")


def after_copula(text: str, start: int, end: int, *, last: bool = True) -> int | None:
    """Where that begins which follows the last "is" of the sentence, or the first one; all of it if it has none."""
    found = [m.end() for m, _ in zip(_COPULA.finditer(text, start, end), range(40), strict=False)]
    at = found[-1 if last else 0] if found else start
    piece = text[at:end]
    return at + len(piece) - len(piece.lstrip()) if piece.strip() else None


def name_in(text: str, start: int, end: int) -> int | None:
    """Where the first name begins between two places."""
    return first_of_kind(text, start, end, "name")


def fresh_name(text: str, start: int, low: int) -> bool:
    """Whether the sentence that begins there tells of a name that was not there before, and not of the writer."""
    stop = _SENTENCE_END.search(text, start, start + 160)
    tokens = list(_WORD.finditer(text, start, stop.start() if stop else start + 160))
    bare = [token[0].strip(WRAPPING + ".,") for token in tokens]
    if len(bare) < 3 or bare[0].lower() in _SPEAKS:
        return False
    before = text[low:start].lower()
    return any(
        word[:1].isupper() and word.lower() not in _NO_NAME and word.lower() not in before
        for word in bare
    )


def last_told(text: str, low: int, high: int) -> int | None:
    """Where the name begins that the sentence before that place tells: after its copula, or the first in it."""
    start = sentence_start(text, low, high)
    told = after_copula(text, start, high)
    if told is not None and name_in(text, told, high) is not None:
        return told
    return name_in(text, start, high)


def next_told(text: str, start: int, low: int) -> int | None:
    """Where the sentence after the one that goes on there begins, if it is another name or says "It is" another."""
    stop = _AT_ONCE.match(text, start) or _SENTENCE_END.search(text, start, start + 120)
    told = (_IS_NAMED.match(text, stop.end()) or _NAME_IS.match(text, stop.end())) if stop else None
    if stop is None or told is None or _REMARK_AFFIRMS.search(text, start, stop.start()):
        return None
    name = told["name"].lower()
    return stop.end() if name not in _NO_NAME and name not in text[low:start].lower() else None


def opens_nothing(text: str, at: int) -> bool:
    """Whether the mark there ends no clause: a hyphen, or the full stop of a title ("Dr. No")."""
    if text[at] == "-":
        return not text[at - 1 : at].isspace()
    return text[at] == "." and text.endswith(_TITLES, max(0, at - 5), at)


def truth_in_cue(text: str, cue: re.Match[str]) -> int | None:
    """ "Yes. Actually, no." corrects to no."""
    last = re.search(r"(?<!\w)\w+$", cue["cues"])
    if last is None or last[0].lower() not in TRUTH or last.start() == 0:
        return None
    rest = text[cue.end("cues") : cue.end("cues") + 3]
    return cue.start("cues") + last.start() if not rest.strip(" .!*_\n") else None


# "Edit: it's Bergen.", "Update: 43."; a new answer fills its sentence, and a remark ("Edit: Fixed a typo.") does not.
_EDITED = late(
    r"\s*(?P<said>(?i:(?:actually,?[ ])?(?:(?:it|that)(?:['’]s|[ ]is|[ ]was|[ ]should[ ]be)|should[ ]be|make[ ](?:that|it))[ ]"
    r"(?:actually[ ]|really[ ]|in[ ]fact[ ]|the[ ])?))?"
    r"(?P<new>[*_\"“(]{0,3}(?:[^\W\d_a-z]\S*(?:[ ](?:[^\W\d_a-z]\S*|of|the|de|la|von|van)){0,3}|[-−$€£]{0,2}\d\S*(?:[ ]\w+)?))"
    r"[ \t]*(?:\n|\Z|(?<=[.!,;])\s)"
)


def edited_at(window: str, start: int) -> int | None:
    """Where an edit gives its answer: "Edit: …; the correct option is A", but not "the answer is explained below"."""
    if plainly := _EDITED.match(window):
        name = kind_of(plainly["new"]) == "name" and not plainly["said"]
        remark = name and (
            plainly["new"].split()[0].strip(WRAPPING + ".,;!").lower() in _NO_NAME | _EDITS
        )
        return None if remark else start + plainly.start("new")
    mark = NEW_MARK.search(window.split("\n\n", 1)[0])
    if mark is None or not window[mark.end() :].strip():
        return None
    plain = kind_of(window[mark.end() :].lstrip(" *_:")) == "word"
    return None if plain and not _CORRECT.search(mark[0]) else start + mark.end() + 1


_CONCLUDED = late(rf"\W*(?:{any_of('concludes')})\W*", re.IGNORECASE)
_ASKED = late(r"(?:^|[.!?…\n])\s*(?P<asked>[^.!?…\n]{3,120})\?\W*$")
_ASKS_TRUTH = late(r"\b(?:right|correct|true|sure|certain|so)\b", re.IGNORECASE)
_DESCRIBED = late(r"the[ ][^\W\d_a-z]\w*(?:[ ]\w+){0,2}?[ ][a-z]{3,}(?=[,.;!]|\s*$)")


def _asks_more(text: str, asked: re.Match[str]) -> bool:
    """Whether a question is about something else than the answer: it holds none, and does not ask whether one is right."""
    said = asked["asked"]
    if len(said.split()) < 4 or _ASKS_TRUTH.search(said) or _NUMBER.search(said):
        return False
    return name_in(text, asked.start("asked"), asked.end("asked")) is None


def answers_a_question(text: str, cue: re.Match[str], new: int) -> bool:
    """Whether a correction's "no" is the answer to what was asked, or "I mean the …" says which one is meant.

    So nothing is withdrawn in "So, no: different states." and in "Is it large? Well, no: that's Perth."
    """
    said = cue["cues"].lower()
    if said == "i mean":
        return _DESCRIBED.match(text, cue.end("cues") + 1) is not None
    if said not in {"no", "nope"}:
        return False
    before = text[max(0, cue.start() - 160) : cue.start("cues")]
    lead = before[max(before.rfind(mark) for mark in ".!?\n") + 1 :]
    if _CONCLUDED.fullmatch(lead) and kind_of(text[new : new + 40]) == "word":
        return True
    asked = _ASKED.search(before[: len(before) - len(lead)]) if "?" in before else None
    return asked is not None and _asks_more(before, asked)


_NO_THING = late(
    r"[ ]+(?!(?:it|its|it['’]s|that|that['’]s|this|the|i|i['’]d|he|she|they|we|not|sorry|actually|wait)\b)[a-z]{3,}\b"
)


def is_no_thing(text: str, cue: re.Match[str]) -> bool:
    """Whether the "no" with which a correction ends belongs to the next word: "Wait, no need to worry."."""
    return cue["cues"].lower().endswith("no") and _NO_THING.match(text, cue.end("cues")) is not None


# One of several lines that each tell of an option, so that "This is incorrect" is said of that option alone.
_OPTION_LINE = late(r"^[ \t*_]*(?:[-*•+][ ]+)?\(?(?:[A-H]|\d{1,2})[.):][*_ \t]", re.MULTILINE)
_LINES = 400  # of the characters around a verdict in which other lines of options are looked for


def tells_of_options(text: str, cue: re.Match[str], new: int | None) -> bool:
    """Whether the correction is the verdict in one of several lines of options, and the new answer is not in that line."""
    low = max(0, cue.start() - _LINES)
    line = text.rfind("\n", low, cue.start()) + 1 or low
    if _OPTION_LINE.match(text, line) is None or (
        new is not None and "\n" not in text[cue.end("cues") : new]
    ):
        return False
    return len(_OPTION_LINE.findall(text[low : cue.end() + _LINES])) > 1

"""The letter to which the last sentence that names one comes: "A and B are acids. So the base is D."."""

from __future__ import annotations

import re
from itertools import islice

from steelyard.extract.choice.commitment import CONCEDING, commits, is_article, is_one_case
from steelyard.extract.choice.elimination import kept_lists
from steelyard.extract.choice.letters import Patterns
from steelyard.extract.found import Found
from steelyard.text.grammar import any_of
from steelyard.text.late import late

# One set of characters first: so most of a text is passed over fast.
_END = late(r"[.!?\n](?:(?<=\n)|(?<!\.\.)(?<!\bi\.e\.)(?<!\be\.g\.)(?=[\s\"'”’)*]|$))")
_CONTRAST = late(
    r"(?<!thing )(?<!none )(?<!body )(?<!one )\bbut\b(?![ ](?:also|not)\b)|;|(?<=[a-z\d)])(?<!\bif),[ ]so\b|(?<=disagree):",
    re.IGNORECASE,
)
_CONCEDED = late(
    rf"\s*(?:but[ ])?{CONCEDING}\b(?:[^.!?\n,;]|(?<=\b[A-Z])\.){{1,160}},", re.IGNORECASE
)
_NAMED = (
    r"[.…]*[ \t:,\"'“‘]*(?:(?:the|option|choice|letter|answer|statement|ending|continuation|clearly|definitely|therefore|actually"
    r"|simply|of course|in fact)[ \t,]+){0,3}['‘]?\Z"
)
# What leads to a choice: "… is B", "I say B", "that leads me to B".
_LEADS = late(
    r"(?:\b(?:is|are|was|be|remains?|becomes|stays|means|indicates|suggests|implies|that['’]?s|it['’]s)"
    r"|\b(?:lead|bring|point|get|take|leave)s?[ ](?:me|us)(?:[ ](?:to|with|at))?"
    r"|\b(?:described|stated|given|captured|expressed|listed|shown)[ ](?:in|by|as|under)"
    r"|\b(?:vote[ ](?:goes[ ]to|is[ ]for)|money['’]?s?(?:[ ]is)?[ ]on|commit(?:ting)?[ ]to|(?:me|us)[ ]down[ ]for"
    r"|boils?[ ]down[ ]to|answered[ ](?:with|by))"
    r"|(?:^|\b(?:i|we|let['’]s|i['’](?:d|ll|m|ve)|we['’](?:d|ll|re|ve)|to|would|will|must|going|gonna|therefore|so|then|just|still|have"
    r"|am|are)[ ]+)"
    r"(?:say(?:ing)?|pick(?:ing)?|choos(?:e|ing)|select(?:ing)?|conclude|answer|mark|take|submit|guess|recommend"
    r"|lock(?:ing)?[ ]in|go(?:ing)?[ ](?:with|for)|settl(?:e|ed|ing)[ ](?:on|for)|stick(?:ing)?[ ](?:with|to)"
    r"|opt(?:ing)?[ ]for|land(?:ed)?[ ]on|arrived?[ ]at|bet(?:ting)?[ ]on|vote[ ]for|lean(?:ing)?[ ]to(?:wards?)?"
    r"|put(?:ting)?[ ]down|mark(?:ing)?[ ]down|tick(?:ing)?|circl(?:e|ing))|\bmost[ ]likely[ ][^.!?\n:,;]{1,40}:)"
    + _NAMED,
    re.IGNORECASE,
)
# "The right option here is the third one, B."
_APPOSED = late(
    r"\b(?:answer|option|choice|one|correct|right)\b[^.!?\n]*,[ ]+(?:namely[ ]|i\.e\.,?[ ]|that is,?[ ])?\Z"
    r"|,[ ]+(?:i\.e\.,?|namely,?|that is,)[ ]+\Z"
    r"|\w(?:[ ]?,|[ ][-–—])[ ]+(?:i\.e\.,?[ ]|that is,?[ ]|namely,?[ ])?(?:option|choice|answer|letter)[ ]+\Z",
    re.IGNORECASE,
)
# "It is 1.5. Choice B.", "Since the pressure is constant, C.", and "It is 12 J, which is B.": with which the text ends.
_LAST_SAID = late(
    r"\A\s*(?:(?:option|choice|answer|letter)|(?:since|because|as)\b[^.!?\n]*,)[ ]+\Z",
    re.IGNORECASE,
)
_WHICH_IS = late(r"\w,[ ]which[ ]is[ ]+\Z")
# "The answer, and this may surprise you, is B.", "The answer to the question "…" is B.", "I change my answer to B."
_ASIDE = late(
    r"(?:\bi(?:['’](?:m|ll)|[ ]am|[ ]will)?[ ](?:now[ ])?(?:chang|switch|revis)(?:e|ed|ing)?(?:[ ](?:my|the)[ ]answer)?[ ]to"
    r"|(?:^|[.!?\n,;:]|\bso|\bthus|\btherefore|\bhence)[ ]*(?:the|my)[ ](?:\w+[ ])?answer"
    r"(?:,[^.!?\n]{1,80},|[ ]to[ ](?:the|this|that|your)[ ](?:\w+[ ])?question[^.!\n]{1,120}"
    r"|[ ]to[ ]{1,3}(?:which|what|who|where|when|how)[^.!\n]{1,120})[ ]{1,3}(?:is|must be|would be))[ ]"
    + _NAMED,
    re.IGNORECASE,
)
# "Don't overthink it: B", "lol easy, B": where no other letter is named.
_POINTED = late(
    r"\b(?:it|that|this|answer|option|choice|asks for|correct|right|guess|elimination|pick)[ ]?:[ ]+\Z"
    r"|\A[ ]*(?:[a-z]{2,8}[ ]){0,2}(?:easy|simple|trivial|obvious|obviously|clearly|definitely|yeah|yep|yup|okay|fine),[ ]+\Z",
    re.IGNORECASE,
)
# A letter that "is" leads to is a choice where choices are spoken of, and no name: "The language is C."
_CHOICES = late(
    r"\b(?:answer|option|choice|letter|ending|continuation|step|pick|guess|vote|statement|sentence|claim|one|correct|right|best|likely|true|false|only|question"
    r"|so|thus|therefore|hence|conclusion|conclude|solution|i|we|me|us)\b"
    r"|\b(?:that|which)[ ](?:does|do|is|are|was)(?:[ ]not|n['’]t)\b",
    re.IGNORECASE,
)
_OPTION_TEXT = late(
    r"[ ]?[,:–—-][ ](?!(?:and|which|where|but|so|or|whose|while|as)\b)|[ ]{2,3}(?=[\w(])"
)
_THING = late(
    rf"\b(?:language|key|unit|string|element|sign|mark|{any_of('named by a letter')})\b",
    re.IGNORECASE,
)
_COPULA = late(r"\b(?:is|are|was|be)[ \t:,]*(?:\w+[ \t,]+){0,2}\Z", re.IGNORECASE)
# Who chooses is somebody else, nothing is chosen yet, or what is named is not the answer.
_NOT_OURS = late(
    rf"\b{any_of('no choice', 'named by a letter')}|n['’]t\b|\b(?:least likely|option)(?=[ ]*:)|[\u3400-\u9fff]",
    re.IGNORECASE,
)
_SUPPOSED = late(
    r"\b(?<!even )(?:if|unless|had)\b(?![ ](?:i|we|you)[ ](?:had|have|were|must|need)\b|[ ](?:forced|pressed|asked)\b)",
    re.IGNORECASE,
)
# Words of denial that deny nothing here: what is asked for may be the false one, and "nothing other than B" is B.
_HARMLESS = late(
    r"\b(?:incorrect|wrong|false|untrue)[ ](?:statement|sentence|claim|one|pair|definition|equation|match|step)s?\b"
    r"|\b(?:(?:can['’]t|cannot|could(?:n['’]t| not)?) be any(?:thing|one)?|no(?:thing|ne)?)(?:[ ]\w+)?"
    r"[ ](?:other than|but|except)\b"
    r"|\b(?:that|which|who)[ ](?:does|do|is|are|did|was|has|can|would)(?:[ ]not|n['’]t)\b[^.,;\n]*(?=[ ](?:is|was)[ ])"
    r"|\bwhether or not\b[^,.;]*|\bi can tell\b|\bno (?:doubt|question)\b|\bwithout (?:a )?(?:doubt|question)\b"
    r"|\b(?:freezing|boiling|melting|dew|flash|focal|turning|critical|equivalence|main|key|whole)[ ]points?\b"
    r"|\bdon['’]t (?:see how it\b|(?:overthink|worry|forget|panic|be fooled)\b[^:.;,]*)",
    re.IGNORECASE,
)
_OTHER_THAN = late(
    r"\bany(?:thing|one)?(?:[ ]\w+)?[ ](?:other than|but|except)[ ]+(?:option[ ]|choice[ ])?\Z",
    re.IGNORECASE,
)
_CLOSED = late(
    r"[ \t*_)\]\"”’'}$]*(?:[.,;:!]|\Z|\n|[-–—]|(?:because|since|as|given|due|for|rather|instead|on this|here|and|after"
    r"|on[ ](?:the|my)[ ]answer[ ]sheet)\b)",
    re.IGNORECASE,
)
_AS_WRONG = late(
    r"[ ]+as[ ](?:being[ ])?(?:wrong|incorrect|false|not)\b", re.IGNORECASE
)  # I'd mark C as wrong
# "The organism is C. difficile."
_SPECIES = late(
    r"\.[ ](?!(?:the|it|this|that|all|because|since|so|and|an?|in|other|we|you)\b)[a-z]{3}"
)
_UNDECIDED = late(
    r"\b(?:can(?:not|['’]t)|could(?:n['’]t| not)|unable to|not sure|unsure|do(?:n['’]t| not) know|hard to"
    r"|none of(?! the other)|neither)\b",
    re.IGNORECASE,
)
_NOTHING_FITS = late(
    r"\b(?:none|no (?:correct |right )?(?:option|answer|choice))\b(?! of the other)(?!['’]t)",
    re.IGNORECASE,
)
_WORDY_END = late(
    r"\S[ ]+(?:[^\W\d_]{1,20}[a-z]{3}|(?:do|can|are|is)?(?:not|n['’]t))[ ]{0,2}(?:[.!?]|\.{3}|…)[)\"”]?\Z"
)
_OPTION = late(r"(?:option|choice|answer)[ ]+\Z", re.IGNORECASE)
_GOES_THROUGH = late(
    r"\b(?:options?|choices?|answers?|each|following|these|statements?|steps?|consider|look|labell?ed|points?|vertex|line|begin|start|next|turn)\b",
    re.IGNORECASE,
)
_ORDINAL = late(
    r"\bonly (?:the )?(?:first|second|third|fourth|last)\b", re.IGNORECASE
)  # "Only the second fits: B."
_MANY = 100  # letters; more is not an answer but an attack
_STRETCH = 300  # of the characters before the letter that are looked at


def concluded(shown: str, plain: str, use: Patterns) -> Found | None:
    """The one letter that the last sentence with a letter in it leads to, and commits to."""
    letters_alone = (m for m in use.standing.finditer(plain) if not is_article(shown, m.span(1)))
    found = list(islice(letters_alone, _MANY + 1))
    if not 0 < len(found) <= _MANY:
        return None
    last = found[-1].start(1)
    if use.list_tail.search(plain, max(0, last - 14), last) and not _may_deny(plain):
        return None  # "It could be A or B", as most that choose nothing end
    start, end = sentence(plain, last)
    kept = kept_lists(plain, [m for m in found if m.start(1) >= start])
    if len({m[1] for letters in kept for m in letters}) != 1 or any(
        len(letters) > 1 for letters in kept
    ):
        return None
    letter = kept[-1][0]
    if (
        plain[end : end + 1] == "?"
        or _UNDECIDED.search(plain, end)
        or _NOTHING_FITS.search(plain, 0, start)
    ):
        return None
    if not (_leads(plain, start, letter, found) or _set_apart(shown, plain, letter, found)):
        return None
    closed = _CLOSED.match(plain, letter.end(1)) or shown[letter.end(1) :].lstrip(" *_")[:1] in {
        "(",
        ")",
    }
    if not closed or _is_no_choice(plain, *letter.span(1)):
        return None
    if not commits(shown, plain, letter.span(1), use):
        return None
    return Found(letter[1], letter.span(1), "conclusion")


def _may_deny(plain: str) -> bool:
    """Whether a word stands there by which one of two letters may be denied."""
    return (
        "not" in plain
        or "n't" in plain
        or " nor " in plain
        or "than" in plain
        or "over" in plain
        or "wrong" in plain
        or "ncorrect" in plain
        or "false" in plain
        or "limin" in plain
        or "rul" in plain
        or "either" in plain
    )


def _is_no_choice(plain: str, start: int, end: int) -> bool:
    """Whether the letter there is called wrong, begins the name of a species, or holds under a condition only."""
    return bool(_AS_WRONG.match(plain, end) or _SPECIES.match(plain, end)) or is_one_case(
        plain, start, end
    )


def sentence(plain: str, at: int) -> tuple[int, int]:
    """The sentence that the place is in, or what stands after its last contrast."""
    before = [m.end() for m in _END.finditer(plain, 0, at)]
    start = before[-1] if before else 0
    contrast = (
        [m.end() for m in _CONTRAST.finditer(plain, start, at)]
        if _may_contrast(plain[start:at].lower())
        else []
    )
    if conceded := _CONCEDED.match(plain, start, at):
        contrast.append(conceded.end())
    after = _END.search(plain, at)
    return (max(contrast, default=start), after.start() if after else len(plain))


def _may_contrast(low: str) -> bool:
    return "but" in low or ";" in low or ", so" in low or "disagree:" in low


def _leads(plain: str, start: int, letter: re.Match[str], found: list[re.Match[str]]) -> bool:
    """Whether what the sentence says before the letter comes to it as the response's own choice."""
    said = plain[max(start, letter.start(1) - _STRETCH) : letter.start(1)]
    low = max(0, letter.start(1) - _STRETCH)
    if _may_step_aside(plain[low : letter.start(1)].lower()) and _ASIDE.search(
        plain, low, letter.start(1)
    ):
        return True
    ends = not plain[letter.end(1) :].strip(" .!\n'")
    if ends and (_LAST_SAID.search(said) or (_WHICH_IS.search(said) and not _THING.search(said))):
        return _says_so(said)
    only = ends and all(m[1] == letter[1] for m in found)
    if not (
        _LEADS.search(said)
        or _APPOSED.search(said)
        or _OTHER_THAN.search(said)
        or (only and _POINTED.search(said))
    ):
        return False
    named = any(m[1] != letter[1] for m in found)
    if (
        not named
        and _COPULA.search(said)
        and not _CHOICES.search(said)
        and not _has_text(plain, said, letter)
    ):
        return False
    return _says_so(said)


def _may_step_aside(low: str) -> bool:
    """Whether the words are there without which there is no such aside, and no such change."""
    return (
        "answer," in low
        or "answer to" in low
        or "chang" in low
        or "switch" in low
        or "revis" in low
    )


def _has_text(plain: str, said: str, letter: re.Match[str]) -> bool:
    """Whether the text of the option follows, and the letter is not itself the thing: "The enzyme is D, phenylalanine …"."""
    return _OPTION_TEXT.match(plain, letter.end(1)) is not None and _THING.search(said) is None


def _says_so(said: str) -> bool:
    bare = _HARMLESS.sub("", said)
    return not _NOT_OURS.search(bare) and not _SUPPOSED.search(bare)


def is_ours(plain: str, at: int) -> bool:
    """Whether nothing in the sentence before that place makes it somebody else's choice, or none yet."""
    start, _ = sentence(plain, at)
    return _says_so(plain[max(start, at - _STRETCH) : at])


def _set_apart(shown: str, plain: str, letter: re.Match[str], found: list[re.Match[str]]) -> bool:
    """Whether the letter is a sentence of its own: the last one, or in brackets or bold, and no other letter is."""
    start, end = letter.span(1)
    wrapped = shown[start - 1 : start] in {"(", "*", "["} and shown[end : end + 1] in {
        ")",
        "*",
        "]",
    }
    if not plain[end:].strip(" .!\n") and _ends_text(plain, letter, found, wrapped=wrapped):
        return True
    if not wrapped:
        return False
    alone = [m for m in found if not plain[sentence(plain, m.start(1))[0] : m.start(1)].strip()]
    return {m[1] for m in alone} == {letter[1]}


def _tells(plain: str, last: str, letter: re.Match[str], *, named: bool) -> bool:
    """Whether the sentence before the colon says enough to come to the letter; an A needs its full stop, or "option"."""
    stopped = named or letter[1] != "A" or plain[letter.end(1) :].lstrip(" ").startswith((".", "!"))
    return stopped and last.count(" ") > (2 if named else 3)


def _last_words(said: str) -> int:
    """From where the last two words are told, however many blanks stand between them."""
    at = max(0, len(said) - 40)
    while at > 0 and said[at] == " ":
        at -= 1
    return at


def _ends_text(
    plain: str, letter: re.Match[str], found: list[re.Match[str]], *, wrapped: bool
) -> bool:
    """Whether the text ends with the letter as a sentence, after one that is no abbreviation; or, wrapped, after a colon."""
    low = max(0, letter.start(1) - _STRETCH)
    before = plain[low : letter.start(1)]
    said = _OPTION.sub("", before).rstrip()
    if said.endswith((":", " –", " —", " -")):
        last = said[sentence(said, len(said) - 1)[0] :]
        told = wrapped or (
            _tells(plain, last, letter, named=len(said) < len(before.rstrip()))
            and not _GOES_THROUGH.search(last)
        )
        return told and not _NOT_OURS.search(_ORDINAL.sub("", last))
    if not _WORDY_END.search(said, _last_words(said)) or (
        letter[1] == "A" and all(m[1] == "A" for m in found)
    ):
        return False
    return plain[letter.end(1) :].lstrip(" ").startswith((".", "!")) or letter[1] != "A"

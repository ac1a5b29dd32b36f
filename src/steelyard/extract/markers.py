r"""The words by which a response marks its answer: "Answer:", "the answer is", ####, \boxed{}."""

from __future__ import annotations

import re
from collections.abc import Iterator

from steelyard.extract.asserted import NO_CLAIM, is_asserted
from steelyard.text.late import late

_NAME = r"[Aa](?<![A-Za-z][Aa])(?:nswer|NSWER)s?"
_PAD = r"[ \t*_`\"']{0,6}"
_COLON = rf"{_PAD}(?:</(?:b|strong|em|i|u)>[ \t]{{0,3}})?(?:[(\[][^()\[\]\n]{{0,30}}[)\]][ \t]{{0,3}})?[:：]{_PAD}"
_HEADING = late(
    r"(?:^|\n)[ \t]{0,3}(?:#{1,6}[ \t]+)?[*_]{0,3}(?:(?:the|my|final|correct)[ ]){0,2}\Z",
    re.IGNORECASE,
)
_BETWEEN = (
    r"(?:[ ](?:to|of|for|in|on|here|then|now|the|this|that|your|my|question|problem|choice|option|letter|among|options|choices"
    r"|above|given)|,?[ ](?:therefore|thus|of[ ]course|clearly|hence),?){0,6}"
)
_VERB = (
    r"(?:is|IS|are|was|equals|(?:would|should|must|will)[ ]be|(?:has|appears|seems)[ ]to[ ]be|can[ ]only[ ]be"
    r"|becomes|comes[ ]out[ ]to(?:[ ]be)?)"
)

#: "Answer:" in any dress; the answer begins where the match ends.
COLON = late(rf"{_NAME}(?:{_COLON}|(?<=\[.{{6}})\])|<answer>", re.VERBOSE)
#: Every mark of a committed answer, the colon form in the group "colon".
ANY = late(
    rf"(?:(?P<colon>{_NAME}(?:{_COLON}|(?<=\[.{{6}})\])|<answer>)"
    rf"|{_NAME}{_PAD}{_BETWEEN}{_PAD}"
    rf"(?:[ ]{_VERB}\b|['’]s(?=[ ]+[*_$(]*[A-Z0-9\-])|[ ]?(?:=|→|->|⇒)|[ ][-–—]+[ ])[ \t*_`:：]{{0,8}})",
    re.VERBOSE,
)
_HEADED = late(rf"(?P<colon>{_NAME}[*_ \t]{{0,6}}\n\s{{0,3}}(?=\S))")
ANSWER_TAG = late(r"(?P<colon><answer>)")
BOXED = late(r"\\(?:boxed|fbox)\s?\{")
_FIND = (
    r"(?:determined?|known?|found|find|tell|told|say|computed?|calculated?|answer(?:ed)?|solved?)"
)
_NONE = (
    r"[ \t*_$\"'`]{0,6}(?:\\text\{)?(?:simply[ ]|currently[ ]|still[ ])?(?:undefined|unknown|indeterminate|undetermined"
    r"|(?:un|in)determinable|none|n/a|infinit(?:e|y)|\\infty|∞|impossible|no[ ](?:(?:real|such|valid|unique|finite)[ ])?"
    r"(?:answer|solution|number|value)s?(?:[ ]exists?)?|(?:impossible|not[ ]possible)[ ]to[ ]FIND"
    r"|can(?:not|['’]t|[ ]not)[ ]be[ ]FIND|not[ ](?:determinable|determined|computable|defined|known|possible)"
    r"|(?:not[ ]enough|insufficient)[ ](?:information|info|data)(?:[ ](?:given|provided|is[ ]given|to[ ]FIND))?)"
).replace("FIND", _FIND)
#: Says plainly that there is no number, and nothing more, or only why.
NONE = late(
    rf"(?i:{_NONE})[*_$\"'`)}}]{{0,4}}(?=[.,;!(\n]|\Z|[ ](?:because|since|as|from|without|given|based|due|[-–—(])(?!\w))"
)
# With words behind them they are a heading, unless the text ends with these and they say that there is no number.
HASHES = late(
    rf"####[ \t]*(?=[-+$*_`(\\]{{0,4}}[\d.]|(?i:{_NONE})[*_$\"'`)}}.!]{{0,4}}\s{{0,4}}\Z)"
)
_BOX_BESIDE = late(
    r"\\(?:boxed|fbox)\s?\{[^{}\n]{0,40}\}[ $)\\]*(?:,|;|/|\bor\b|\band\b)[ $(\\]*"
    r"(?:(?:or|and|maybe|perhaps|possibly)[ $]+)?\Z"
)
_CLAUSE = late(r"(?:[^.!?,;:\n]|\.(?=\w))*")


def is_one_of_boxes(text: str, start: int) -> bool:
    """Whether the box that begins there is offered beside another: \\boxed{1} or \\boxed{2}."""
    low = max(0, start - 80)
    return text.find("\\", low, start) >= 0 and _BOX_BESIDE.search(text, low, start) is not None


def marks(text: str, *, boxed: bool = True, hashes: bool = False) -> Iterator[re.Match[str]]:
    """The marks of an answer that nothing before them takes back, the last one first."""
    special = (boxed and "\\" in text) or (hashes and "####" in text) or "<answer>" in text
    found = _all(text, boxed, hashes) if special else _named(text, len(text))
    return (mark for mark in found if is_asserted(text, mark))


def without_disowned(text: str) -> str:
    """The text with blanks for answers that are marked and are nobody's: "It is not true that the answer is Paris".

    >>> without_disowned("A student claims the answer is Paris. It is Rome.").split()
    ['A', 'student', 'claims', 'the', '.', 'It', 'is', 'Rome.']
    """
    for mark, _ in zip(_named(text, len(text)), range(20), strict=False):
        if (
            mark.lastgroup != "colon"
            and not NO_CLAIM.match(text, mark.end())
            and not is_asserted(text, mark)
        ):
            clause = _CLAUSE.match(text, mark.end())
            end = clause.end() if clause else mark.end()
            text = text[: mark.start()] + " " * (end - mark.start()) + text[end:]
    return text


def colons(text: str) -> Iterator[re.Match[str]]:
    """The marks of the form "Answer:", the last one first."""
    found = _named(text, len(text), COLON)
    if "<answer>" not in text:
        return found
    both = [*found, *ANSWER_TAG.finditer(text)]
    return iter(sorted(both, key=lambda mark: mark.start(), reverse=True))


def _named(text: str, end: int, pattern: re.Pattern[str] = ANY) -> Iterator[re.Match[str]]:
    """The marks with the word "answer" in them, the last one first."""
    small, large = text.rfind("nswer", 0, end), text.rfind("NSWER", 0, end)
    while (end := max(small, large)) > 0:
        if mark := pattern.match(text, end - 1) or _headed(text, end - 1):
            yield mark
        if (
            end == small
        ):  # only what was used is looked for again: a search for what is not there takes the whole text
            small = text.rfind("nswer", 0, end)
        else:
            large = text.rfind("NSWER", 0, end)


def _headed(text: str, start: int) -> re.Match[str] | None:
    """The word as a heading, alone in its line."""
    mark = _HEADED.match(text, start)
    return mark if mark and _HEADING.search(text, max(0, start - 30), start) else None


def _all(text: str, boxed: bool, hashes: bool) -> list[re.Match[str]]:
    found = list(_named(text, len(text)))
    found += ANSWER_TAG.finditer(text) if "<answer>" in text else ()
    found += BOXED.finditer(text) if boxed else ()
    found += HASHES.finditer(text) if hashes else ()
    return sorted(found, key=lambda mark: mark.start(), reverse=True)

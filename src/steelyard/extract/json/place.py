"""Where in a text the JSON value may stand that is the answer, the best place first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from steelyard.extract.code import code_blocks
from steelyard.extract.json.scan import json_spans
from steelyard.extract.markers import marks
from steelyard.text.late import late
from steelyard.text.visible import cuts, visible, without

Span = tuple[int, int]
_LABELS = frozenset({"json", "jsonc", "json5", "jsonl", "application/json"})
_BLANK = " \t\r\n\ufeff"
_CITATION = late(r"\[\d{1,3}\]")  # [1] and [2] in one text are marks of its sources
# So far is looked for an introduction, and so many marks and blocks are looked at: more is not an answer but an attack.
_NEAR, _MANY, _BLOCKS = 120, 100, 1_000
# What may stand between the mark of an answer and the value: wrappers, the line of a fence, and words that name the value.
_LEAD = late(
    r"[\s*_`~\"'“(]{0,12}(?:(?:therefore|thus|hence|now|simply|as follows"
    r"|the|this|following|valid|json|object|array|list|value)\b[\s*_`:,]{1,8}){0,5}(?=[\[{])",
    re.IGNORECASE,
)
# Up to the value; the line of a fence that ends is no way to it.
_OPENING = r"(?:[\s*_(\"'“]|`(?!``)){0,6}(?:(?:```|~~~)[\w/]{0,20}\s{0,8})?\Z"
_HINTS = (
    "example",
    "instance",
    "such as",
    "g.",
    "form",
    "schema",
    "template",
    "structure",
    "shape",
    "input",
    "before",
    "initially",
    "originally",
    "previously",
    "earlier",
    "at first",
)
_KIND = r"(?:format|schema|template|structure|shape|form)"
_EXAMPLE = late(
    r"(?:\be\.\s?g\.|\bfor (?:example|instance)|\bsuch as|\bexamples?(?: \w{1,20}){0,3})[,:]?"
    + _OPENING
    + rf"|\b{_KIND}{_OPENING}"
    rf"|\b{_KIND}(?: \w{{1,20}}){{0,3}} (?:is|was|were|would be|should be|must be|looks like)[,:]?{_OPENING}"
    rf"|(?:^|\n)[\s*_#]{{0,8}}(?:\w{{1,20}} ){{0,2}}{_KIND}[\s*_]{{0,4}}:{_OPENING}"
    # What went in, and what was said at first.
    rf"|\binput(?: \w{{1,20}}){{0,2}}?(?: is| was)?[,:]?{_OPENING}|\b(?:before|initially|originally|previously|earlier|at first)"
    r"(?:,? (?:i|it|we|the|this|my|one|answer|value|json|output|result|object|is|was|had|said|wrote|gave|have|been)){0,4}:?"
    + _OPENING,
    re.IGNORECASE,
)
_FAULTS = ("wrong", "incorrect", "invalid", "following")
_DENIALS = (
    "not",
    "n't",
    "n’t",
    "never",
    " than",
    "instead",
    "unlike",
    "opposed",
    "replac",
    "wrong",
    "incorrect",
    "invalid",
)
# "not {…}", "rather than {…}", "do not write {…}", "a wrong answer would be {…}"; but "the corrected form of the wrong one: {…}".
_GIVEN = r"(?: (?:json|example|sample))? (?:answer|output|json|object|response|result|version|form|solution|attempt|one|format)"
_BAD = r"\b(?:wrong|incorrect|invalid)"
_LABEL = r"(?:^|[\n.!?;(])[\s*_#]{0,8}(?:(?:an?|the) )?"
# "XML is not JSON" and "it is not an object" are over with their line; and no JSON is denied by the words "not JSON:", which
# speak of what was there before, as "{…} is not the answer: {…}" does.
_OVER = (
    r"(?:(?<=[}\]`][ \n]is not)|(?<=that was not)) (?:the|an)(?: \w{1,20})? answer"
    r"| (?:json:|(?:(?:an?|the) )?(?:json )?(?:json|object|value)[ \t\r*_]{0,4}\n|(?:an?|the) (?:answer|output)[ \t\r*_]{0,4}\n)"
)
_DENIED = late(
    rf"(?:(?:(?<!why )(?<!if )(?<!or )\b(?:can)?not|n['’]t|\bnever)(?:(?<=and not)|(?<=, not)|(?<=\nnot)(?= the )|(?!{_OVER}))"
    r"|\b(?:rather than|instead of|unlike|as opposed to|replac(?:es|ing)))"
    r"[,:]?(?: (?:be|to|the|an?|this|just|simply|exactly|as|write|return|output|give|print|use|say|send|answer"
    rf"|submit|with|like|json|object|value|following)){{0,4}}:?{_OPENING}"
    rf"|\bfollowing(?: \w{{1,20}})? (?:is|are|was|were)(?: not|n['’]t) (?:the|an?)(?: \w{{1,20}})? (?:answer|output):?{_OPENING}"
    rf"|{_BAD}(?:{_GIVEN})? (?:is|was|(?:would|could|might) (?:be|have been))[,:]?{_OPENING}"
    rf"|{_LABEL}{_BAD}(?:{_GIVEN})?[\s*_]{{0,4}}:{_OPENING}",
    re.IGNORECASE,
)
# "The wrong ones are [1, 2]" and "the following is not valid: {…}" may be what was asked for.
_FAULTY = late(
    rf"{_BAD}(?:{_GIVEN}s)? (?:are|were|(?:would|could|might) (?:be|have been))[,:]?{_OPENING}"
    rf"|{_LABEL}{_BAD}{_GIVEN}s[\s*_]{{0,4}}:{_OPENING}"
    r"|\bfollowing(?: \w{1,20})? (?:(?:is|are|was|were|would|will)(?: not|n['’]t)(?: be)?(?: an?)?"
    r" (?:valid|correct|right|acceptable)|(?:is|are|was|were|would be) (?:wrong|incorrect|invalid))"
    rf"(?:{_GIVEN}s?)?[,:]?{_OPENING}",
    re.IGNORECASE,
)
_WRONG = late(
    r"[`\"'”*)\s]{0,4}(?:,? ?which )?(?:is|are|was|were|would be|would have been)"
    r"(?: not(?:(?: the)? (?:right|correct|answer)| an answer)| (?:wrong|incorrect|invalid|false))\b"
    # "{…} Scratch that.", "{…} but that was wrong"
    r"|[`\"'”*)\s.,;]{0,6}(?:(?:but|and|no,?|sorry,?) )?(?:(?:that|it|this)(?: is| was|['’]s) (?:wrong|incorrect)"
    r"|(?:scratch|strike|disregard|ignore) that|i (?:retract|withdraw) (?:that|it|this)|i take (?:that|it) back)\b",
    re.IGNORECASE,
)
_CHANGED = late(
    r"\b(?:wait|actually|correction|corrected|oops|sorry|scratch that|on second thoughts?|edit|update|revised|"
    r"(?:i|that) (?:was|is) (?:wrong|incorrect)|mistake)\b",
    re.IGNORECASE,
)


class Place(NamedTuple):
    """Where a value may stand, how that was found, and whether it is introduced as an example or a format."""

    stage: str
    span: Span
    is_example: bool = False


def seen(text: str) -> tuple[str, str]:
    """The text as it is read, and what of it is shown; offsets stay as they were.

    What a JSON string holds is text: a tag in it is none, and neither is the end of a text.

    >>> seen('so {"tag": "<think>"}<|im_end|> more')[1]
    'so {"tag": "<think>"}'
    """
    if "<" not in text and "~~" not in text:
        return text, visible(text)
    pieces, done = [], 0
    for start, end in json_spans(text):
        pieces += [text[done:start], text[start:end].replace("<", "\0").replace("~", "\0")]
        done = end
    read = "".join([*pieces, text[done:]])
    return read, without(text, cuts(read))


def places(text: str, read: str, shown: str) -> Iterator[Place]:
    """All places, the best first; one that holds an example comes as soon as another, and is told by ``is_example``."""
    # A text that is JSON from end to end is taken as it stands, whatever its strings look like.
    yield Place("whole", _trim(text, 0, len(text)))
    if not shown.strip(_BLANK):
        return
    if shown != text:
        yield Place("whole", _trim(shown, 0, len(shown)))
    leads = list(_leads(shown))
    if leads and (marked := _marked(shown, leads)) is not None:
        yield Place("mark", marked)
    for stage, span in _others(read, shown):
        if not _is_denied(shown, span):
            yield Place(stage, span, _is_example(shown, span[0]))


def _others(read: str, shown: str) -> Iterator[tuple[str, Span]]:
    yield from _fenced(read, shown)
    yield from (("prose", span) for span in _ranked(shown))


def _leads(shown: str) -> Iterator[int]:
    """Where a value may begin right after a mark of an answer, the last one first."""
    for mark in islice(marks(shown), _MANY):
        lead = _LEAD.match(shown, mark.end())
        if (
            lead is not None
            and not _is_example(shown, mark.start())
            and not _is_denied_before(shown, lead.end())
        ):
            yield lead.end()


def _marked(shown: str, leads: list[int]) -> Span | None:
    """The value right after the last mark of an answer, unless a correction leads on to another value."""
    spans = json_spans(shown)
    known = dict(spans)
    for start in leads:
        if start not in known:
            continue
        end = known[start]
        others = (
            at
            for at, to in islice(reversed(spans), _MANY)
            if at > end and not _is_example(shown, at) and not _is_denied(shown, (at, to))
        )
        later = next(others, end)
        return (
            None if _WRONG.match(shown, end) or _CHANGED.search(shown, end, later) else (start, end)
        )
    return None


def _fenced(read: str, shown: str) -> Iterator[tuple[str, Span]]:
    """The fenced blocks, those that are marked as JSON first, later ones first."""
    if "```" not in shown and "~~~" not in shown:
        return
    found = (
        block
        for block in reversed(code_blocks(read))
        if block.stage in {"fence", "open fence"} and block.code
    )
    blocks = list(islice(found, _BLOCKS))
    for block in blocks:
        if block.language in _LABELS:
            yield "fence", _trim(shown, *block.span)
    for block in blocks:
        if block.language not in _LABELS:
            yield "unmarked fence", _trim(shown, *block.span)


def _is_example(shown: str, start: int) -> bool:
    """Whether the value is no answer where there is another: an example, a format, what went in, or what is faulty."""
    before = shown[max(0, start - _NEAR) : start].lower()
    if any(word in before for word in _HINTS) and _EXAMPLE.search(before):
        return True
    return any(word in before for word in _FAULTS) and _FAULTY.search(before) is not None


def _is_denied(shown: str, span: Span) -> bool:
    """Whether the value is said to be wrong, before it or after it."""
    return _WRONG.match(shown, span[1]) is not None or _is_denied_before(shown, span[0])


def _is_denied_before(shown: str, start: int) -> bool:
    before = shown[max(0, start - _NEAR) : start].lower()
    return any(word in before for word in _DENIALS) and _DENIED.search(before) is not None


def _ranked(shown: str) -> list[Span]:
    """The values in the prose: objects and arrays of them, other arrays, empty ones; later ones first."""
    spans = json_spans(shown)
    cited = {span for span in spans if _CITATION.fullmatch(shown, *span)}
    if len(cited) > 1:
        spans = [span for span in spans if span not in cited]
    return sorted(spans, key=lambda span: (_rank(shown, span), -span[0]))


def _rank(shown: str, span: Span) -> int:
    start, end = span
    if not shown[start + 1 : end - 1].strip():
        return 2
    return 0 if shown[start] == "{" or shown.find("{", start, end) >= 0 else 1


def _trim(shown: str, start: int, end: int) -> Span:
    inner = shown[start:end]
    left = len(inner) - len(inner.lstrip(_BLANK))
    return (
        (start + left, start + len(inner.rstrip(_BLANK))) if left < len(inner) else (start, start)
    )

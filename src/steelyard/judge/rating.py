"""A rating on a scale, as judges write it: ``4``, ``4/5``, ``3 out of 10``, ``80%``, ``4.5``, in any digits."""

from __future__ import annotations

import collections
import functools
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, NamedTuple

from steelyard.judge.candidates import Candidate, Form, label_pattern
from steelyard.judge.folding import fold_in_place
from steelyard.judge.own_words import Reply, Span
from steelyard.judge.standing import context, rank_of
from steelyard.judge.wording import words

_RANGE = re.compile(r"[ \t]{0,2}(?:-|~|to\b|or\b|bis\b|à\b|/)[ \t]{0,2}\d|[eE][+-]?\d|,\d{3}")
_SCALE_NOTE = re.compile(
    r"(?:out of|of|/|-|to|max\w*|von|sur|de)[ \t]{0,3}(\d{1,4})\s*[)\]]?\s*\Z", re.IGNORECASE
)
_RECITED = re.compile(r"[ \t]{0,2}:[ \t]*[A-Za-z]")
_SENTENCE = re.compile(r"[.!?\n](?=\s|\Z)")
_LARGEST_SCALE = 1000
_MOST = 200
_REACH = 1000


class Rating(NamedTuple):
    """A score, and the scale that it is on."""

    score: Fraction
    scale: int

    @property
    def value(self) -> Fraction:
        """The share of the scale."""
        return self.score / self.scale


def rating_form(max_score: int) -> Form:
    """Ratings; where none is named, the scale is 1 to ``max_score``."""
    keys = tuple(words()["score_keys"])
    return Form(
        _value_pattern(),
        functools.partial(_read, max_score),
        keys,
        functools.partial(_take, max_score),
    )


@functools.cache
def _value_pattern() -> str:
    named, void = (_either(words()[name]) for name in ("numbers", "void"))
    over = _either(words()["out_of"])
    return (
        rf"(?:(?P<num>[-+]?\d{{1,9}}(?:\.\d{{1,6}}|,\d{{1,2}}(?!\d))?|(?:{named})(?!\w))"
        rf"[ \t*_]{{0,4}}(?:(?P<percent>%|percent\b)|[(\[]?[ \t]?(?:/|(?:{over})(?!\w))[ \t*_]{{0,4}}"
        rf"(?P<scale>\d{{1,9}}(?![\d.]*\d)|(?:{named})(?!\w)))?|(?P<void>(?:{void})(?!\w)))"
    )


def _either(options: Any) -> str:
    return "|".join(sorted(map(re.escape, options), key=len, reverse=True))


def _read(max_score: int, match: re.Match[str]) -> Candidate | None:
    found = match.groupdict()
    if found["void"] is not None:
        return Candidate(None, match.span(), f"the verdict is {found['void']!r}, not a number")
    if _RANGE.match(match.string, match.end()):
        return Candidate(None, match.span(), "the verdict is no single number")
    if _RECITED.match(match.string, match.end()) and not re.search("[:=]", match[0]):
        return None  # "Score 5: fully right" recites the scale
    corrected = _corrected(match.string, match.end())
    number = corrected or found["num"]
    return _candidate(
        number, _scale(found, max_score) if corrected is None else max_score, match.span()
    )


def _scale(found: Mapping[str, str | None], max_score: int) -> int:
    if found.get("percent"):
        return 100
    if found.get("scale"):
        return int(_number(found["scale"] or "") or 0)
    note = _SCALE_NOTE.search(found.get("note") or "")
    return int(note[1]) if note else max_score


def _corrected(text: str, end: int) -> str | None:
    """The number that a judge puts in the place of the one just given: ``a 3… no, 4``."""
    number = None
    pattern = re.compile(
        rf"[ \t]{{0,2}}[.…,;:-]{{0,4}}[ \t]{{0,2}}(?:{_either(words()['corrections'])})[ \t,:.…-]{{1,4}}"
        r"(?:(?:it'?s|it is|a|an|that is|that's|make that|make it|rather|i'd say)[ \t]+){0,2}"
        r"(\d{1,4}(?:[.,]\d{1,3})?)(?![\d/%]|[ \t]*(?:points|of|out)\b)",
        re.IGNORECASE,
    )
    while match := pattern.match(text, end):
        number, end = match[1], match.end()
    return number


def _take(max_score: int, fields: Mapping[str, Any], key: str, span: Span) -> Candidate:
    """A rating under a key of a JSON object; a text is read as prose is."""
    given = fields[key]
    scale = next(
        (fields[name] for name in words()["scale_keys"] if type(fields.get(name)) is int), max_score
    )
    if isinstance(given, str):
        text = fold_in_place(given).strip(" \t*_.\"'")
        match = re.fullmatch(_value_pattern(), text, re.IGNORECASE)
        if match is None or match["void"] is not None:
            return Candidate(None, span, f"the verdict is {given[:40]!r}, not a number")
        return _candidate(match["num"], _scale(match.groupdict(), scale), span)
    if isinstance(given, bool) or not isinstance(given, (int, float)):
        return Candidate(None, span, "the verdict is not a number")
    return _candidate(repr(given), scale, span)


def _number(text: str) -> Fraction | None:
    named = words()["numbers"].get(text.casefold())
    if named is not None:
        return Fraction(named)
    try:
        return Fraction(Decimal(text.replace(",", ".")))
    except (InvalidOperation, ValueError, OverflowError):
        return None


def _candidate(number: str | None, scale: int, span: Span) -> Candidate:
    score = _number(number or "")
    if score is None:
        return Candidate(None, span, "the verdict is not a number")
    if not 1 < scale <= _LARGEST_SCALE:
        return Candidate(None, span, f"the verdict is on a scale of {scale}")
    if score < 1:
        return Candidate(None, span, f"the verdict {_plain(score)} is below 1")
    if score > scale:
        return Candidate(None, span, f"the verdict {_plain(score)} is above {scale}")
    return Candidate(Rating(score, scale), span)


def _plain(score: Fraction) -> str:
    return f"{float(score):g}"


def spoken(reply: Reply, max_score: int) -> Iterator[Candidate]:
    """Ratings inside sentences: ``I'd give it a 4``. They count only where nothing settled is there."""
    for match in collections.deque(_spoken_pattern().finditer(reply.folded), maxlen=_MOST):
        sentence, before = _around(reply.folded, match)
        if _says(before, "denials") or _says(sentence, "conditions") or reply.quoted(match.span()):
            continue
        if reply.in_work(match.span()):
            continue
        if match["label"] and _says(before[-30:], "limits"):
            continue
        if match["ratio"] is not None and _scale(match.groupdict(), max_score) != max_score:
            continue  # "2/3 of the names are right" is no rating
        around = context(reply, match.span())
        candidate = _read(max_score, match)
        if candidate is not None and rank_of(around, is_object=False) is not None:
            yield candidate._replace(around=around)


@functools.cache
def _spoken_pattern() -> re.Pattern[str]:
    value = _value_pattern()
    return re.compile(
        rf"(?:(?:{label_pattern()}|(?<!\w)(?P<verb>{_either(words()['gives'][:-3])})(?!\w))"
        rf"(?:[ \t,*_]+(?!\d)[^\W\d][\w']*){{0,5}}[ \t*_]+|(?P<ratio>(?<![\w/.])(?=\d{{1,4}}[ \t]?(?:/|out of))))"
        rf"{value}",
        re.IGNORECASE,
    )


def _around(folded: str, match: re.Match[str]) -> tuple[str, str]:
    """The sentence that the rating stands in, and what of it stands before."""
    first, last = max(0, match.start() - _REACH), min(match.end() + _REACH, len(folded))
    start = max(
        (cut.end() for cut in _SENTENCE.finditer(folded, first, match.start())), default=first
    )
    cut = _SENTENCE.search(folded, match.end(), last)
    return folded[start : cut.start() if cut else last], folded[start : match.end()]


def _says(text: str, table: str) -> bool:
    return (
        re.search(rf"(?<!\w)(?:{_either(words()[table])})(?!\w)", text, re.IGNORECASE) is not None
    )

"""Where verdicts stand in a judge's reply: JSON values, labelled lines, brackets, tags, a line of its own.

A form says what a verdict looks like: a rating on a scale, or one of a few words. What all forms share is here:
where a verdict may stand, and whether it is the judge's own.
"""

from __future__ import annotations

import bisect
import functools
import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from steelyard.judge.breakage import broken_out
from steelyard.judge.own_words import CONTEXT, Reply, Span
from steelyard.judge.standing import Context, Rank, context, rank_of
from steelyard.judge.wording import words

_GAP = r"[ \t*_`\"'\\]{0,8}"
_MOST = 200


class Candidate(NamedTuple):
    """Something that looks like a verdict; a value of None is one that cannot be used."""

    value: Any
    span: Span
    why: str = ""
    fields: Mapping[str, Any] = {}
    rank: Rank = Rank.INLINE
    around: Context = Context("", "", "")


class Form(NamedTuple):
    """What a verdict looks like.

    ``pattern`` is how it is written in prose, ``read`` makes a candidate of a match (or None where it is none after
    all), ``keys`` are the JSON keys it may stand under, and ``take`` reads it from a JSON object that has one.
    """

    pattern: str
    read: Callable[[re.Match[str]], Candidate | None]
    keys: tuple[str, ...]
    take: Callable[[Mapping[str, Any], str, Span], Candidate]


def find_candidates(reply: Reply, form: Form) -> list[Candidate]:
    """The verdicts in the reply that are in a settled form and the judge's own, in order, each with its rank."""
    found = [*_in_objects(reply, form), *_in_text(reply, form)]
    bare = [candidate._replace(rank=Rank.BARE) for candidate in _on_own_line(reply, form)]
    latest = sorted([*found, *bare], key=lambda candidate: (candidate.span[1], -candidate.span[0]))[
        -_MOST:
    ]
    own = (candidate for candidate in latest if _is_own(reply, candidate))
    return [placed for candidate in own if (placed := _placed(reply, candidate)) is not None]


def _placed(reply: Reply, candidate: Candidate) -> Candidate | None:
    """The candidate with the words around it; None where these say that it is not the judge's verdict."""
    span = candidate.span
    block = next(
        (block for block in reply.blocks if block[0] <= span[0] and span[1] <= block[1]), None
    )
    around = context(reply, block or span)
    rank = rank_of(around, is_object=bool(candidate.fields) or block is not None)
    if rank is None:
        return None
    return candidate._replace(
        rank=max(rank, candidate.rank) if candidate.rank is Rank.BARE else rank, around=around
    )


def _is_own(reply: Reply, candidate: Candidate) -> bool:
    span = candidate.span
    if reply.quoted(span):
        return False
    # An object with a reason word for word as in the work is the work's; so is a verdict that is only mentioned.
    if reply.in_work(span) and (len(candidate.fields) > 1 or not reply.alone(span)):
        return False
    return not reply.copied(span) and not _is_rewritten(reply, candidate.fields)


def _is_rewritten(reply: Reply, fields: Mapping[str, Any]) -> bool:
    """Whether an object has the work's verdict and the work's reason, in whatever order."""
    told = [
        (key, fields[key]) for key in words()["reason_keys"] if isinstance(fields.get(key), str)
    ]
    if not reply.work or not any(_is_reason_of(reply, key, text) for key, text in told):
        return False
    return any(
        reply.has(f"{key} {fields[key]}")
        for key in (*words()["score_keys"], *words()["verdict_keys"])
        if key in fields
    )


def _is_reason_of(reply: Reply, key: str, text: str) -> bool:
    """Whether the work gives this reason; a few of its words may be the judge's too, unless it calls them the reason."""
    words_of_it = len(text.split())
    return (words_of_it >= CONTEXT and reply.has(text)) or (
        words_of_it > 1 and reply.has(f"{key} {text}")
    )


def _in_objects(reply: Reply, form: Form) -> Iterator[Candidate]:
    broken = broken_out(reply)
    for span in reply.objects:
        if span in broken:
            continue
        for item in _items(reply, _decoded(reply.text[slice(*span)])):
            holder = _unwrapped(item, form)
            fields = _by_key(holder)
            key = next((key for key in form.keys if key in fields), None)
            if key is not None:
                taken = form.take(fields, key, span)._replace(fields=fields)
                yield (
                    _doubtful(taken)
                    if key in holder.doubted and reply.has(f"{key} {fields[key]}")
                    else taken
                )


class _Object(dict[str, Any]):
    """A JSON object that knows which of its values a quotation may have brought: those given twice, and unlike."""

    doubted: frozenset[str] = frozenset()


def _decoded(text: str) -> Any:
    try:
        msgspec.json.decode(
            text
        )  # stricter than the one below: no half characters, no endless numbers
        return json.loads(text, object_pairs_hook=_noted)
    except (ValueError, RecursionError):
        return None


def _noted(pairs: list[tuple[str, Any]]) -> _Object:
    noted = _Object(pairs)
    if len(noted) < len(pairs) or len(_by_key(noted)) < len(pairs):
        last = {key.strip().casefold(): value for key, value in pairs}
        noted.doubted = frozenset(
            name for key, value in pairs if last[name := key.strip().casefold()] != value
        )
    return noted


def _by_key(item: Mapping[str, Any]) -> dict[str, Any]:
    return {key.strip().casefold(): value for key, value in item.items()}


def _items(reply: Reply, value: Any) -> list[_Object]:
    """The objects to look at; of a list, those that the work does not have, and the last in any case."""
    items = [
        item
        for item in (value if isinstance(value, list) else [value])
        if isinstance(item, _Object)
    ][-_MOST:]
    if len(items) < 2:
        return items
    own = [item for item in items if not reply.has(msgspec.json.encode(item).decode())]
    if own and own[-1] is items[-1]:
        return own
    items[-1].doubted = frozenset(_by_key(items[-1]))
    return [*own, items[-1]]


def _doubtful(candidate: Candidate) -> Candidate:
    """A quotation of the work may have brought the second verdict."""
    return candidate._replace(
        value=None, why="there are two verdicts in one value, and the work has the last one"
    )


def _unwrapped(item: _Object, form: Form) -> _Object:
    """The object, or the only one inside it that a wrapper like ``evaluation`` holds."""
    fields = _by_key(item)
    inner = [
        value
        for key, value in fields.items()
        if key in words()["wrappers"] and isinstance(value, _Object)
    ]
    if len(inner) == 1 and not any(
        key in fields and fields[key] is not inner[0] for key in form.keys
    ):
        return inner[0]
    return item


def _in_text(reply: Reply, form: Form) -> Iterator[Candidate]:
    for pattern in _settled(form.pattern):
        for match in pattern.finditer(reply.folded):
            if _inside(match.span(), reply.objects) or not _opens_well(reply.folded, match):
                continue
            candidate = form.read(match)
            if candidate is not None:
                yield candidate


def _on_own_line(reply: Reply, form: Form) -> Iterator[Candidate]:
    """A verdict that is all there is, or all of the last line."""
    body = reply.folded.rstrip()
    start = max(body.rfind("\n"), 0)
    if not body.strip() or _inside((start, len(body)), reply.objects):
        return
    # A lone "3." at the end of several lines is a list that broke off.
    end = r"[\s*_`\"'.!]*" if not body[:start].strip() else r"[\s*_`\"']*"
    match = re.compile(rf"[\s*_`\"'(#]*{form.pattern}{end}\Z", re.IGNORECASE).match(body, start)
    if match and (candidate := form.read(match)):
        yield candidate


@functools.lru_cache(maxsize=16)
def _settled(value: str) -> tuple[re.Pattern[str], ...]:
    """The forms that commit: ``Score: 4``, a heading with the value under it, ``[[4]]``, ``<score>4</score>``."""
    label = label_pattern()
    note = r"(?P<note>[ \t]{0,3}[(\[][^()\[\]\n]{0,40}[)\]]|[ \t]+(?:out of|on a scale|from|von|sur|de)\b[^:=\n]{0,40})?"
    opening = rf"{_GAP}(?:\\?\[{{1,2}}|\(|\{{|\\boxed\{{|\$)?{_GAP}"
    tag = "score|rating|grade|verdict|answer|final_score"
    between = rf"(?:[ \t]+is)?{_GAP}(?:[:=]|->|→|=>|[ \t]-[ \t]){_GAP}\s{{0,4}}"
    return (
        re.compile(rf"{label}{note}{between}{opening}{value}", re.IGNORECASE),
        re.compile(
            rf"^[ \t#*_]{{0,8}}{label}{note}{_GAP}\n\s{{0,4}}{opening}{value}[ \t*_]{{0,4}}$",
            re.IGNORECASE | re.MULTILINE,
        ),
        re.compile(
            rf"^[ \t#*_]{{0,8}}{label}[ \t*_]{{1,4}}{value}[ \t*_.!]{{0,4}}$",
            re.IGNORECASE | re.MULTILINE,
        ),
        re.compile(rf"(?P<label>)(?P<note>)\[\[[ \t]?{value}[ \t]?\]\]", re.IGNORECASE),
        re.compile(
            rf"(?P<label>)(?P<note>)\[(?:result|score|rating|verdict)\][ \t:*_]{{0,4}}{value}",
            re.IGNORECASE,
        ),
        re.compile(rf"(?P<label>)(?P<note>)\\boxed\{{{_GAP}{value}{_GAP}\}}", re.IGNORECASE),
        re.compile(
            rf"(?P<label>)(?P<note>)<(?:{tag})>\s{{0,4}}{value}\s{{0,4}}</[a-z_]{{0,12}}>?",
            re.IGNORECASE,
        ),
    )


def label_pattern() -> str:
    """The words before a verdict; those of scripts without spaces may stand inside a sentence."""
    plain, joined = (
        "|".join(sorted(map(re.escape, words()[name]), key=len, reverse=True))
        for name in ("labels", "joined_labels")
    )
    return rf"(?P<label>(?<!\w)(?:{plain})(?!\w)|(?:{joined}))"


def _opens_well(folded: str, match: re.Match[str]) -> bool:
    """Whether the label is that of the whole: ``Style score: 5`` is of a part, ``Maximum score: 5`` of the scale."""
    if not match["label"] or not match["label"].isascii():
        return True
    start = match.start("label")
    line = folded[folded.rfind("\n", 0, start) + 1 : start]
    before = re.search(r"(\w[\w']*)[ \t*_\"'`]{0,4}\Z", line)
    if before is None or before[1].isdigit():
        return True
    return before[1].casefold() in words()["openers"]


def _inside(span: Span, spans: tuple[Span, ...]) -> bool:
    """Whether it lies in one of the spans, which are in order and apart from each other."""
    place = bisect.bisect_right(spans, span[0], key=lambda one: one[0]) - 1
    return place >= 0 and span[1] <= spans[place][1]

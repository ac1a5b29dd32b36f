"""Find the marks of an answer, last one first.

The table is marks.tsv. Marks are found in the lower-case text: the last occurrence of each
anchor by str.rfind, then one pattern at that place. The text is never scanned mark by mark.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from importlib.resources import files
from typing import NamedTuple

from steelyard.values.normal import INVISIBLE


def _read_table() -> dict[str, tuple[str, ...]]:
    """Read marks.tsv: kind, language and text of each line."""
    table: dict[str, list[str]] = defaultdict(list)
    for line in files(__package__).joinpath("marks.tsv").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            kind, _, text = line.split("\t")
            table[kind].append(text)
    return {kind: tuple(texts) for kind, texts in table.items()}


TABLE = _read_table()


def alternatives(kind: str) -> str:
    """Return a pattern for the texts of a kind, longest first."""
    return "|".join(map(re.escape, sorted(TABLE[kind], key=len, reverse=True)))


# The kind of mark that each anchor starts: '"answer"' a key, "答案" a label.
_KINDS = {text: kind for kind in ("key", "tag", "box", "hash", "label") for text in TABLE[kind]}
# An anchor that has another one inside is looked for around that: '"answer"' around "answer".
_AROUND = {
    inner: [(outer, outer.index(inner)) for outer in _KINDS if inner in outer and inner != outer]
    for inner in _KINDS
}
_ANCHORS = tuple(
    text for text in _KINDS if not any(inner in text for inner in _KINDS if inner != text)
)
_ASCII_ANCHORS = tuple(anchor for anchor in _ANCHORS if anchor.isascii())
# How each kind goes on after its anchor, up to the value.
_PATTERNS = {
    "key": re.compile(r"[\"']\w+[\"']\s*:\s*"),
    "tag": re.compile(r"<\w+>\s*"),
    "box": re.compile(r"\\\w+\s?\{"),
    "hash": re.compile(r"####(?!#)[ \t]*"),
}
_LABEL = re.compile(
    rf"""
    (?:{alternatives("label")}) s?
    (?:[*_ ]{{0,4}} \([^()\n]{{0,60}}\))?                     # answer (Yes or No)
    (?:
        (?P<label>
            [*_ ]{{0,4}} 】 [ :：]*                           # 【答案】
          | [*_\])】」 \t]{{0,6}} [:：] [:*_]*                # Answer: and **Answer**:
        )
      | (?P<phrase>
            (?:\ (?:to|for|of|in)\b [^.:;,\n]{{1,60}}?)?      # answer to the question
            [*_ ]{{0,4}} (?:{alternatives("verb")})
            (?: (?![a-z]) | (?<=[^a-zà-ÿ]) )                  # not "isolated", but 答案是b
            (?:[*_ ]{{0,4}} [:：])?                           # answer is:
        )
      | (?P<line> [*_\])】」 \t]{{0,6}} \r?\n)                # a heading: ### Answer
    )
    """,
    re.X,
)
# Ends of clauses and markup that may stand directly before a label.
_CLAUSE_ENDS = ".…!?;:,。！？；：，、"
_MARKUP = INVISIBLE + "*_#>\"'([【「-–—•`"
_HEADS = frozenset(TABLE["head"])
_WIDE_HEADS = tuple(head for head in TABLE["head"] if not head.isascii())
_NEGATORS = frozenset(TABLE["negator"] + TABLE["condition"])
_CLAUSE = re.compile(r"[.,;:!?\n]")
# Any run of letters and apostrophes; "don't" is one word.
_WORDS = re.compile(r"[\w'’]+")
_LAST_WORD = re.compile(r"[\w'’]+\Z")
# A bound for hostile texts; a response has a few marks.
_MOST_MARKS = 2_000
_LONGEST_NAME = 40


class Mark(NamedTuple):
    """A mark in the text: its kind, where it starts, and where its value may start and end.

    The kind is key, tag, box, hash, label, or phrase ("the answer is").
    """

    kind: str
    start: int
    value: int
    limit: int


def mark_name(text: str, mark: Mark) -> str:
    """Return a mark as it is written, without markup and cut to a length that fits a reason.

    >>> mark_name("**Answer**: B", Mark("label", 2, 12, 13))
    'Answer:'
    """
    name = " ".join(text[mark.start : mark.value].replace("*", "").split()).strip("_` ")
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"


def lower(text: str) -> str:
    """Return the text in lower case with every character at its place.

    >>> len(lower("İstanbul")) == len("İstanbul")
    True
    """
    return text.lower() if text.isascii() else text.replace("\u0130", "I").lower()


def last_marks(low: str, end: int) -> Iterator[Mark]:
    r"""Yield the marks of a lower-case text, last one first.

    >>> [mark.kind for mark in last_marks("so the answer is 5.\n#### 5", 26)]
    ['hash', 'phrase']
    """
    anchors = _ASCII_ANCHORS if low.isascii() else _ANCHORS
    places = {a: place for a in anchors if (place := low.rfind(a, 0, end)) >= 0}
    limit = end
    for _ in range(_MOST_MARKS):
        if not places:
            return
        anchor = max(places, key=places.__getitem__) if len(places) > 1 else next(iter(places))
        place = places[anchor]
        mark = _mark_at(low, anchor, place, limit)
        if mark is not None:
            yield mark
            limit = mark.start
        earlier = low.rfind(anchor, 0, place)
        if earlier < 0:
            del places[anchor]
        else:
            places[anchor] = earlier


def _mark_at(low: str, anchor: str, place: int, limit: int) -> Mark | None:
    """Return the mark whose anchor, or an anchor around it, stands at a place, if it is one."""
    for outer, offset in _AROUND[anchor]:
        if low.startswith(outer, place - offset) and place >= offset:
            anchor, place = outer, place - offset
            break
    kind = _KINDS[anchor]
    if kind != "label":
        spot = _PATTERNS[kind].match(low, place)
        return Mark(kind, place, spot.end(), limit) if spot else None
    match = _LABEL.match(low, place)
    if match is None:
        return None
    kind = "phrase" if match["phrase"] is not None else "label"
    if not _may_start(low, place, is_line=match["line"] is not None):
        return None
    return Mark(kind, place, match.end(), limit)


def _may_start(low: str, place: int, *, is_line: bool) -> bool:
    """Say whether a label starts a line or a sentence, or follows "the", "final" or the like.

    A heading without a colon has nothing but such words before it on its line.
    """
    line = low.rfind("\n", max(0, place - 80), place)
    head = low[line + 1 if line >= 0 else max(0, place - 80) : place].rstrip(_MARKUP)
    if not head or head.endswith(("\\n", "{")):
        return True
    if is_line:
        return is_head(head)
    if head[-1] in _CLAUSE_ENDS or head.endswith(_WIDE_HEADS):
        return True
    word = _LAST_WORD.search(head, max(0, len(head) - _LONGEST_NAME))
    return word is not None and word[0] in _HEADS


def is_head(text: str) -> bool:
    """Say whether a text is nothing but words that may stand before a label.

    >>> is_head("The correct "), is_head("Paris")
    (True, False)
    """
    return len(text) < 60 and _HEADS.issuperset(_WORDS.findall(text.lower()))


def is_denied(low: str, mark: Mark) -> bool:
    """Say whether a negator stands at most three words before a mark, in its clause.

    >>> is_denied("i don't think the answer is 5", Mark("phrase", 18, 27, 29))
    True
    """
    head = low[max(0, mark.start - 48) : mark.start].rpartition("\n")[2]
    if not head:
        return False
    clause = _CLAUSE.split(head)[-1]
    words = [word for word in _WORDS.findall(clause) if word not in _HEADS][-3:]
    return any(word in _NEGATORS or word.endswith(("n't", "n’t")) for word in words)

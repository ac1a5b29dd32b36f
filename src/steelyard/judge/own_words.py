"""Which words of a judge's reply are the judge's own, and which come from the work that it judged.

A verdict does not count where it stands in the judge's reasoning, between the marks of the fence, in a quotation,
or in a stretch that is copied from the work. What the work says of itself must never be read as the verdict.
"""

from __future__ import annotations

import functools
import itertools
import re
from typing import NamedTuple

from steelyard.judge.folding import fold_in_place
from steelyard.judge.likeness import squeeze
from steelyard.judge.wording import words
from steelyard.reading.cuts import reasoning
from steelyard.reading.json_spans import json_spans

Span = tuple[int, int]
# A copy is known by so many words before the verdict, or by all there are.
CONTEXT = 5
_REACH = 1000
_QUOTES = (
    re.compile(r'(?<![\w"])"(?=[^\s"])[^"\n]{1,2000}(?<=\S)"(?!\w)'),
    re.compile(r"(?<![\w'])'(?=[^\s'])[^'\n]{1,2000}(?<=\S)'(?!\w)"),
    re.compile(r"(?<!`)`[^`\n]{1,2000}`(?!`)"),
    re.compile(r"「[^」\n]{1,2000}」|『[^』\n]{1,2000}』|„[^“”\"\n]{1,2000}[“”\"]"),
)
# Quoted whatever they hold: nobody puts a verdict of their own there.
_BLOCK_QUOTE = re.compile(
    r"^[ \t]*>[^\n]*|<(blockquote|quote|q|cite|excerpt)>.{0,4000}?</\1>", re.MULTILINE | re.DOTALL
)
_FENCE = re.compile(r"^[ \t]{0,3}(?:`{3,}|~{3,})[^\n`]*$", re.MULTILINE)
_LONG_QUOTE = re.compile(r'(?<![\w"])"(?=[^\s"])[^"]{1,2000}(?<=\S)"(?!\w)|```[^`]{1,2000}```')
_WORD = re.compile(r"\w+")
_BRACE = re.compile(r"[{}]")


class Reply(NamedTuple):
    """A reply made ready for reading: every offset is one of the reply itself."""

    text: str  # the reply as it came, with what is not the judge's own verdict blanked
    folded: str  # the same with plain digits, quotes and minus signs
    objects: tuple[Span, ...]  # the JSON values in it
    quotes: tuple[Span, ...]
    work: str  # the words of the work that was judged, one blank between two
    blocks: tuple[
        Span, ...
    ] = ()  # what stands in braces and is no JSON: the same in another notation
    fences: tuple[Span, ...] = ()  # code blocks
    prose: str = ""  # the folded reply with values and quotations made unreadable, so that only the judge's own words are left

    def quoted(self, span: Span) -> bool:
        """Whether the stretch stands in a quotation, with other words or as the work has it."""
        return any(start <= span[0] and span[1] <= end for start, end in self.quotes)

    def in_work(self, span: Span) -> bool:
        """Whether the words of the stretch stand in the work too."""
        return bool(self.work) and f" {self.words(span)} " in self.work

    def has(self, text: str) -> bool:
        """Whether the work has these words."""
        return _has(self.work, text)

    def copied(self, span: Span) -> bool:
        """Whether the stretch, with the few words before it, is a copy from the work; a bare verdict is the judge's."""
        if not self.in_work(span):
            return False
        before = self._before(span)
        whole = f" {' '.join(before)} {self.words(span)} "
        return bool(before) and whole in self.work

    def follows_work(self, span: Span) -> bool:
        """Whether the words right before the stretch are the work's, and the work has such a verdict next, respelled."""
        before, said = self._before(span), self.words(span).split()
        if len(before) < CONTEXT or not said:
            return False
        label = "".join(itertools.takewhile(str.isalpha, said[:-1]))
        values = "|".join(
            re.escape(word) for word in {*said[-1:], *(word for word in said if not word.isalpha())}
        )
        # The label may be in other letters or another language, or the value: a word like "no" is often not a value.
        respelled = rf"(?:\S+ ){{0,{1 if said[-1].isalpha() else 3}}}(?:{values}) "
        spaced = " ?".join(label) + r"(?![^\W\d_])" if label else "(?!)"
        return (
            re.search(rf" {re.escape(' '.join(before))} (?:{respelled}|{spaced})", self.work)
            is not None
        )

    def words(self, span: Span) -> str:
        """The words of the stretch as a reader takes them."""
        return _squeezed(self.text[slice(*span)])

    def _before(self, span: Span) -> list[str]:
        above = self.text[max(0, span[0] - _REACH) : span[0]]
        # Behind "Evidence:" the work speaks, however little it says before its verdict.
        return squeeze(_evidence_label().split(above)[-1]).split()[-CONTEXT:]

    def alone(self, span: Span) -> bool:
        """Whether nothing but marks and blanks stands beside it on its lines."""
        start = self.text.rfind("\n", 0, span[0]) + 1
        end = self.text.find("\n", span[1])
        beside = (
            self.text[start : span[0]] + self.text[span[1] : len(self.text) if end < 0 else end]
        )
        return not _WORD.search(beside)


def prepare(reply: str, work: str = "", markers: tuple[str, ...] = ()) -> Reply:
    """The reply with reasoning and fenced stretches blanked, and with its quotations known.

    >>> prepare("<think>Score: 5</think>Score: 2").text.strip()
    'Score: 2'
    """
    text, squeezed = reply, f" {squeeze(work)} "
    for marker in markers:
        text = _without_fence(text, marker)
    objects = [
        span for span in json_spans(text) if "{" in text[slice(*span)]
    ]  # [[4]] is a verdict in brackets
    quotes = _quotations(fold_in_place(blank(text, objects)), squeezed)
    # A tag that is quoted, or stands inside a JSON value, opens and closes nothing.
    shown = blank(text, [*objects, *quotes])
    thought = [(part.start, part.end) for part in reasoning(shown)] if "<" in shown else []
    text = blank(text, thought)
    outside = [span for span in objects if not any(a <= span[0] < b for a, b in thought)]
    folded = fold_in_place(text)
    blocks = _blocks(blank(folded, outside))
    return Reply(
        text,
        folded,
        tuple(outside),
        tuple(quotes),
        squeezed if work else "",
        blocks=tuple(blocks),
        fences=tuple(_fences(folded)),
        prose=blank(folded, [*outside, *quotes, *blocks], "·"),
    )


def _blocks(folded: str) -> list[Span]:
    """Stretches in braces, the outermost ones."""
    found, depth, start = [], 0, 0
    for match in _BRACE.finditer(folded):
        if match[0] == "{":
            start, depth = (match.start() if not depth else start), depth + 1
        elif depth:
            depth -= 1
            if not depth:
                found.append((start, match.end()))
    return found


def _fences(folded: str) -> list[Span]:
    marks = [match.start() for match in _FENCE.finditer(folded)]
    return list(zip(marks[::2], [*marks[1::2], len(folded)], strict=False))


def _without_fence(text: str, marker: str) -> str:
    """What stands between the marks is the work; after an opening mark that is not closed, all of it may be."""
    name = re.escape(marker)
    whole = re.compile(rf"<{name}>.*?(?:</{name}>|\Z)", re.DOTALL | re.IGNORECASE)
    return whole.sub(lambda found: _spaces(found[0]), text)


def _quotations(folded: str, work: str) -> list[Span]:
    """Stretches in quotation marks on one line, and longer ones where the work has their words."""
    found = [match.span() for pattern in _QUOTES for match in pattern.finditer(folded)]
    whole_lines = {span for span in found if _is_line(folded, span)}
    kept = [span for span in found if span not in whole_lines or _has(work, folded[slice(*span)])]
    long = [match.span() for match in _LONG_QUOTE.finditer(folded) if _has(work, match[0])]
    blocks = [match.span() for match in _BLOCK_QUOTE.finditer(folded)]
    return sorted({*kept, *long, *blocks})


def _is_line(folded: str, span: Span) -> bool:
    """Whether the quotation marks wrap a whole line: then they are decoration."""
    start, end = folded.rfind("\n", 0, span[0]) + 1, folded.find("\n", span[1])
    return not folded[start : span[0]].strip(" \t*_") and not folded[
        span[1] : None if end < 0 else end
    ].strip(" \t*_.")


@functools.lru_cache(maxsize=16)
def _squeezed(text: str) -> str:
    """The items of a list all stand in one long stretch, which is asked about for each."""
    return squeeze(text)


@functools.cache
def _evidence_label() -> re.Pattern[str]:
    return re.compile(
        rf"(?:^|\n)[ \t#*_\"]{{0,8}}(?:{'|'.join(words()['evidence_keys'])})[ \t*_\"]{{0,4}}[:=]",
        re.IGNORECASE,
    )


def _has(work: str, text: str) -> bool:
    squeezed = squeeze(text)
    return bool(squeezed) and f" {squeezed} " in work


def blank(text: str, spans: list[Span], mark: str = " ") -> str:
    """The text with these stretches made blank, and its lines kept."""
    chars = list(text)
    for start, end in spans:
        chars[start:end] = _spaces(text[start:end], mark)
    return "".join(chars)


def _spaces(text: str, mark: str = " ") -> str:
    """Blanks in the place of a text, with its lines."""
    return "".join("\n" if char == "\n" else mark for char in text)

"""Find accepted answers that a response mentions."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from steelyard.reading.cuts import cut, has_cuts, visible_text
from steelyard.reading.found import Trace
from steelyard.reading.lines import LINES
from steelyard.reading.marks import TABLE, alternatives
from steelyard.reading.outcome import ENCLOSED, Reading, found, missing, unclear
from steelyard.reading.rules import note_cuts, read_marked
from steelyard.values.normal import cached, is_blank, normal_form

# Scripts that do not separate words: Thai, Lao, Burmese, Khmer, kana, Han.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
# A Korean word may end in a particle: 서울입니다, 서울은.
_HANGUL = re.compile(r"[\uac00-\ud7a3]")
_PARTICLE = rf"(?:{alternatives('particle')})"
# A list is split by lines, or else by these; bullets and numbers of its items are dropped.
_COMMA = re.compile(r"\s*(?:(?<!\d),|,(?!\d)|[，、;])\s*(?:and\b|or\b|&)?\s*")
_BULLET = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s*")
_LIST_ITEMS = 4
_LONGEST_ITEM = 60
_MOST_SPACES = 4
_LONGEST_LIST = 2000


class _Spread(dict[int, str]):
    """Each character, with spaces around it if its script does not separate words."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        self[code] = f" {char} " if _UNSPACED.match(char) else char
        return self[code]


_SPREAD = _Spread()


def _words(text: str) -> str:
    """Return the words of a text in normal form, with spaces between and around them.

    Each character of a script that does not separate words is a word.

    >>> _words("I love 北京!")
    ' i love 北 京 '
    """
    form = normal_form(text)
    if not form.isascii():
        form = " ".join(form.translate(_SPREAD).split())
    return f" {form} " if form else ""


@cached
def _answer_words(answer: str) -> str:
    """Return the words of an accepted answer."""
    return _words(cut(answer))


_NEGATORS = tuple(map(_words, TABLE["negator"] + TABLE["contraction"]))


def read_mention(response: str, answers: Sequence[str], trace: Trace | None = None) -> Reading:
    """Find one of the answers in a response, as whole words in normal form.

    The value is the answer that is mentioned, or None.

    >>> read_mention("The capital is Canberra.", ["Canberra"]).outcome
    'found'
    >>> read_mention("It is not Canberra.", ["Canberra"]).outcome
    'unclear'
    """
    if is_blank(response):
        return missing("the response is empty")
    wanted = list(dict.fromkeys(filter(None, map(_answer_words, answers))))
    visible = visible_text(response)
    text = visible.text
    marked, end = read_marked(text, visible.low, LINES)
    if marked is None:
        reading = _read_part(text, 0, end, answers, wanted, "")
    elif marked.outcome == "found":
        end = marked.end if marked.rule == ENCLOSED else end
        reading = _read_part(text, marked.start, end, answers, wanted, marked.mark)
    else:
        reading = marked
    reading = visible.original(reading)
    if reading.value is None and _is_whole(response, answers, wanted):
        reading = found(response, 0, len(response), "the response equals an accepted answer")
    if trace is not None:
        note_cuts(trace, response, visible, end)
        trace.add("mention", f"{reading.outcome}: {reading.reason}", reading.span)
    return reading


def _is_whole(response: str, answers: Sequence[str], wanted: Collection[str]) -> bool:
    """Say whether a response is one of the answers and nothing else."""
    if response in answers:
        return True
    # A response much longer than the answers is not one of them in wrappers.
    longest = 2 * max(map(len, wanted), default=0) + 40
    if len(response) > longest and not has_cuts(response):
        return False
    short = cut(response).strip()
    return len(short) <= longest and _words(short) in wanted


def _read_part(
    text: str, start: int, end: int, answers: Sequence[str], wanted: Collection[str], mark: str
) -> Reading:
    """Find one of the answers in a part of a text: after the last mark, else all of it."""
    words = _words(text[start:end])
    if not words or not wanted:
        return _read_signs(text[start:end], answers)
    mentions = [answer for answer in wanted if _holds(words, answer)]
    if words in mentions:
        return found(words.strip(), start, end, "an accepted answer", mark)
    if not mentions:
        if any(words in answer for answer in wanted):
            return unclear("the response is only a part of the answer")
        return found(None, start, end, "no accepted answer is mentioned", mark)
    if all(_is_denied(words, answer) for answer in mentions):
        return unclear(f"denied: not{mentions[0].rstrip()}")
    if _is_list(text[start:end], wanted):
        return unclear("a list of answers, not all of them accepted")
    return found(mentions[0].strip(), start, end, "a mention of an accepted answer", mark)


def _holds(words: str, answer: str) -> bool:
    """Say whether words hold an answer, in Korean also with a particle."""
    if answer in words:
        return True
    stem = answer.rstrip()
    if stem not in words or not _HANGUL.search(words):
        return False
    return bool(re.search(rf"{re.escape(stem)}{_PARTICLE} ", words))


def _read_signs(text: str, answers: Sequence[str]) -> Reading:
    """Compare texts of which nothing is left in normal form, such as ")" or an emoji."""
    plain = text.strip()
    if is_blank(plain):
        return missing("the response is empty")
    if any(plain == answer.strip() for answer in answers):
        return found(plain, 0, len(text), "the response equals the answer")
    return found(None, 0, len(text), "no accepted answer is mentioned")


def _is_denied(words: str, answer: str) -> bool:
    """Say whether a negator stands directly before the only mention."""
    place = words.find(answer)
    if words.find(answer, place + 1) >= 0:
        return False
    return words.endswith(_NEGATORS, 0, place + 1)


def _is_sentence(line: str) -> bool:
    """Say whether a line is a sentence of three or more words."""
    return line.rstrip().endswith((".", "!", "?")) and line.count(" ") > 1


def _has_introduction(items: Sequence[str]) -> bool:
    """Say whether a list is introduced: "Some towns: Rome", or an item that ends in a colon."""
    return ": " in items[0] or any(item.rstrip().endswith((":", "：")) for item in items)


def _is_list(text: str, wanted: Collection[str]) -> bool:
    """Say whether a text is only a list of four or more short items, one of them not accepted."""
    text = text.strip()
    if len(text) > _LONGEST_LIST:
        return False
    if "\n" not in text and sum(map(text.count, ",，、;")) < _LIST_ITEMS - 1:
        return False
    items = text.split("\n") if "\n" in text else _COMMA.split(text)
    if len(items) < _LIST_ITEMS or len(text) > _LONGEST_ITEM * len(items):
        return False
    if _has_introduction(items) or 2 * sum(map(_is_sentence, items)) > len(items):
        return False
    items = [_BULLET.sub("", item).strip() for item in items if not is_blank(item)]
    if len(items) < _LIST_ITEMS or any(item.count(" ") > _MOST_SPACES for item in items):
        return False
    return any(_words(item) not in wanted for item in items)

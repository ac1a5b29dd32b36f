"""Read the letter of an option."""

from __future__ import annotations

import re
from functools import lru_cache

from steelyard.errors import SpecError
from steelyard.reading.found import Found, Trace
from steelyard.reading.marks import TABLE, Mark, alternatives, mark_name
from steelyard.reading.outcome import MARKED, Reading, excerpt, found, missing, unclear
from steelyard.reading.rules import read
from steelyard.registry import EXTRACTORS
from steelyard.values.normal import LETTERS, WRAPPERS

# What may stand between a mark and its letter: spaces, brackets, bold, LaTeX.
_OPEN = rf"(?:[\s*_$`\"'“‘«「『【（({{\[<:：.…=→]|\\\\?(?:{WRAPPERS})(?![a-z])|\\\\?[(\[]){{0,40}}"
# "option B", "选项 B"
_OPTION = rf"(?:(?i:{alternatives('option')})[\s*_(\[:：\"'“$]{{0,8}})?"
_OPENED = r"[(（「\[*_$\"'“]{0,6}"
_CLOSE = r"[)\]}*_$`\"'”’»」』】）>\\]{0,8}"
# What joins two letters: "A, B", "A/B", "A, and B", "A or B"
_JOIN = (
    r"[ \t]*(?:(?:,|、|/|&|\+|，)[ \t]*(?:and|or|和|或)?|and|or|to|through|和|或|与|及|か|または)"
    r"[ \t]*"
)
# The end of a letter that is a whole word: "Bです" and "B." end so, "Be", "B2" and "I'm" do not.
_END = rf"(?![{LETTERS}\d]|_[{LETTERS}\d{{]|['’][{LETTERS}])"
# Only short lines are tried as bare letters.
_LONGEST_BARE = 24
_LINE = re.compile(r"[^\n]+")
_RANGE = re.compile(r"([A-Z])-([A-Z])|[A-Z]+")


class Letters:
    """The letters of a range, such as A-D, as a kind of value."""

    name = "letter"

    def __init__(self, letters: str) -> None:
        """Compile the patterns of a range such as "A-D" or a list such as "ABCD"."""
        either_case = f"[{letters}{letters.lower()}]"
        # A lower-case letter, or I, is a letter only if no word follows it: "a dog", "I think".
        letter = rf"(?P<letter>(?!I)[{letters}]|{either_case}(?![ \t]\w)){_END}"
        bare = rf"[\s>({{\[*_$\"'“`]{{0,20}}{_OPTION}{_OPENED}(?P<letter>{either_case}){_END}"
        self.after_mark = re.compile(rf"{_OPEN}{_OPTION}{_OPENED}{letter}")
        # Another letter that is joined to this one, on the right and on the left.
        self.joined_after = re.compile(rf"{_CLOSE}(?:{_JOIN}|[-–—]){_OPTION}{_OPENED}{letter}")
        self.joined_before = re.compile(
            rf"(?<![{LETTERS}\d_'])[{letters}]{_CLOSE}{_JOIN}{_OPTION}(?:\$?\\boxed\{{)?{_OPENED}\Z"
        )
        # A line that is only a letter, and one that starts an option: "B. Paris", "(B) Paris"
        self.line = re.compile(rf"{bare}[)\]}}*_$`\"'”.:\s]{{0,20}}(?:\((?:option|choice)\))?\Z")
        self.option = re.compile(rf"{bare}[*_]*(?:\.(?!\.)|[):：\]])")
        # The letter before "is correct".
        self.before = re.compile(rf"(?:^|[\s({{\[*_$\"'“]){letter}{_CLOSE}\s*\Z")

    def read_after(self, text: str, mark: Mark, start: int, end: int) -> Reading | None:
        """Read the letter right after a mark; None where there is none."""
        match = self.after_mark.match(text, start, end)
        if match is None:
            return None
        return self._committed(text, match, MARKED, mark_name(text, mark))

    def _committed(self, text: str, match: re.Match[str], rule: str, mark: str = "") -> Reading:
        """Return the letter of a match, or unclear where it is joined to another one."""
        start, end = match.span("letter")
        other = self.joined_after.match(text, end, end + 40)
        if other:
            return unclear(f"several letters: {match['letter']} and {other['letter']}")
        if self.joined_before.search(text, max(0, start - 16), start):
            return unclear(f"several letters: {excerpt(text, start, end)}")
        return found(match["letter"].upper(), start, end, rule, mark)

    def read_alone(self, text: str, low: str) -> Reading:
        """Read a letter without a mark: a line of its own, an option line, or a sentence."""
        bare = [match for line in _LINE.finditer(text) if (match := self._bare_letter(text, line))]
        if len({match["letter"].upper() for match in bare}) == 1:
            start, end = bare[-1].span("letter")
            return found(bare[-1]["letter"].upper(), start, end, "the letter on its own line")
        option = self._single_option(text) if not bare else None
        return option or self._sentence(text, low) or missing("no option was chosen")

    def _bare_letter(self, text: str, line: re.Match[str]) -> re.Match[str] | None:
        """Return the letter of a line that has nothing else."""
        stripped = line[0].strip()
        if not 0 < len(stripped) < _LONGEST_BARE or stripped.startswith(("```", "~~~")):
            return None
        start = line.start() + line[0].index(stripped)
        return self.line.match(text, start, start + len(stripped))

    def _single_option(self, text: str) -> Reading | None:
        """Read a response whose first line is an option line and that has no other one."""
        first = self.option.match(text, len(text) - len(text.lstrip()))
        if first is None:
            return None
        start, end = first.span("letter")
        for line in text[end:].split("\n")[1:]:
            if self.option.match(line):
                return None
        return found(first["letter"].upper(), start, end, "the only option line")

    def _sentence(self, text: str, low: str) -> Reading | None:
        """Read the one letter that sentences such as "B is correct" name."""
        matches = {}
        for phrase in TABLE["before"]:
            place = low.find(phrase)
            while place >= 0:
                end = place + len(phrase)
                is_word = not low[place - 1 : place].isalpha() or not phrase.isascii()
                if is_word and (match := self.after_mark.match(text, end)):
                    matches[match["letter"].upper()] = match
                place = low.find(phrase, end)
        for phrase in TABLE["behind"]:
            place = low.find(phrase)
            while place >= 0:
                end = place + len(phrase)
                is_word = not low[end : end + 1].isalpha() or not phrase.isascii()
                if is_word and (match := self.before.search(text, max(0, place - 12), place)):
                    matches[match["letter"].upper()] = match
                place = low.find(phrase, end)
        if not matches:
            return None
        if len(matches) > 1:
            return unclear(f"several letters: {' and '.join(sorted(matches))}")
        (match,) = matches.values()
        return self._committed(text, match, "a sentence that names a letter")


@lru_cache(maxsize=64)
def letters_kind(letters: str) -> Letters:
    """Return the kind for a range such as "A-D" or a list such as "ABCD".

    >>> letters_kind("a-d").name
    'letter'
    >>> letters_kind("Z-A")
    Traceback (most recent call last):
    steelyard.errors.SpecError: letters: 'Z-A' is not a range such as 'A-D' or a list such as 'ABCD'
    """
    known = _RANGE.fullmatch(letters.upper()) if isinstance(letters, str) else None
    if known is None or (known[1] and known[1] > known[2]):
        why = f"{letters!r} is not a range such as 'A-D' or a list such as 'ABCD'"
        raise SpecError(why, path="letters")
    return Letters(letters.upper())


@EXTRACTORS.register("choice", version="2")
def find_choice(text: str, *, letters: str = "A-D", trace: Trace | None = None) -> Found | None:
    r"""Find the letter of the option that was chosen, in upper case.

    >>> find_choice("I think so. The answer is **b**.")
    Found(value='B', span=(28, 29), stage='the value after a mark')
    >>> find_choice("Answer: A or B") is None
    True
    """
    reading = read(text, letters_kind(letters), trace)
    return Found(reading.value, reading.span, reading.rule) if reading.span else None

"""A place in a text, underlined, whatever the text is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.cli.excerpt import LINES, MARGIN, brief, underlined, width
from steelyard.report.terminal import printable


@pytest.mark.parametrize(
    ("text", "span", "lines"),
    [
        ("It is 42.", (6, 8), ["It is 42.", "      ^^"]),
        ("one\nAnswer: B\nthree", (12, 13), ["Answer: B", "        ^"]),
        ("答え: 四十二", (4, 7), ["答え: 四十二", "      ^^^^^^"]),
        ("a\tb", (2, 3), ["a␉b", "  ^"]),
        ("a\x1b[31mb", (6, 7), ["a␛[31mb", "      ^"]),
        ("ab\ncd", (1, 4), ["ab", " ^", "cd", "^"]),
        ("abc", (3, 3), ["abc", "   ^"]),
        ("abc", (90, 95), ["abc", "   ^"]),
        ("", (0, 0), ["", "^"]),
    ],
)
def test_underlined(text: str, span: tuple[int, int], lines: list[str]) -> None:
    assert underlined(text, span) == lines


def test_a_long_line_is_shown_around_the_place() -> None:
    line, mark = underlined("x" * 1000 + "42" + "y" * 1000, (1000, 1002))
    assert line == "…" + "x" * MARGIN + "42" + "y" * MARGIN + "…"
    assert line[mark.index("^") : mark.index("^") + 2] == "42"


def test_a_place_of_many_lines_is_cut() -> None:
    shown = underlined("ab\n" * 1000, (0, 3000))
    assert len(shown) == 2 * LINES + 1
    assert shown[-1] == "… and 2988 more characters"


@given(st.text(st.characters()), st.integers(0, 50), st.integers(0, 50))
def test_no_text_breaks_it_or_reaches_the_terminal_raw(text: str, start: int, end: int) -> None:
    shown = "".join([*underlined(text, (start, max(start, end))), brief(text, 10)])
    assert shown.isprintable() or not {c for c in shown if ord(c) < 32 or 127 <= ord(c) < 160}
    shown.encode("utf-8")
    assert len(printable(text)) == len(text)
    assert width(text) >= 0

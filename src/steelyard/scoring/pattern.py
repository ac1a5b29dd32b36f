"""Scorers that read an answer out of the response before they compare: a letter, a line, a number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from steelyard.reading.cuts import cut, visible_text
from steelyard.reading.found import Trace
from steelyard.reading.letters import letters_kind
from steelyard.reading.lines import LINES
from steelyard.reading.numbers import Mode, check_mode, number_of, read_number
from steelyard.reading.patterns import read_pattern
from steelyard.reading.rules import read, read_marked
from steelyard.registry import SCORERS
from steelyard.score import Score
from steelyard.scoring.text import (
    clip,
    exact_match,
    fuzzy_match,
    read_whole,
    score_reading,
    unreadable_target,
)
from steelyard.scoring.types import ScorerInput
from steelyard.values.formulas import compare_values, same_value
from steelyard.values.normal import cached, is_blank, normal_form

_MOST_CHOICES = 26


@SCORERS.register("multichoice_regex", version="2", of_text=True)
def multichoice_regex(
    sample: ScorerInput,
    pattern: str | None = None,
    letters: str = "A-D",
    *,
    trace: Trace | None = None,
) -> Score:
    r"""Score whether the response chose the target's letter; ``pattern`` (RE2) replaces the reading.

    A list of ``choices`` in the metadata says how many letters there are.

    >>> multichoice_regex(ScorerInput(response="I think so.\nAnswer: B", target="B")).extracted
    'B'
    >>> multichoice_regex(ScorerInput(response="Answer: A or B", target="B")).reason
    'unclear: several letters: A and B'
    """
    response, target = sample.response, sample.target
    choices = sample.metadata.get("choices")
    if isinstance(choices, list) and choices:
        letters = f"A-{chr(64 + min(len(choices), _MOST_CHOICES))}"
    wanted = (
        _target_letter(target, letters) if pattern is None else _captured(target, pattern).upper()
    )
    if not wanted:
        return unreadable_target(target, f"one of the letters {letters}")
    if pattern is None:
        reading = read(response, letters_kind(letters), trace)
    else:
        reading = read_pattern(response, pattern, trace)
    value = reading.value.upper() if reading.value else None
    if value != wanted and (whole := read_whole(response, target, trace)):
        return score_reading(whole, True, target, wanted)
    if trace is not None and value is not None:
        trace.add("compare", f"{value} with {wanted}")
    return score_reading(reading, value == wanted, target, value)


@SCORERS.register("answer_line", version="2", of_text=True)
def answer_line(
    sample: ScorerInput, pattern: str | None = None, *, trace: Trace | None = None
) -> Score:
    r"""Score whether the text after the last mark, or the last line, equals the target.

    Numbers are compared by value. ``pattern`` (RE2) replaces how the text is found.

    >>> dict(answer_line(ScorerInput(response="Step 1: ...\nAnswer: 42.0", target="42")))
    {'correct': True, 'extracted': '42.0'}
    """
    response, target = sample.response, sample.target
    wanted = _target_text(target) if pattern is None else _captured(target, pattern)
    if is_blank(target):
        return unreadable_target(target, "text")
    if pattern is None:
        reading = read(response, LINES, trace)
    else:
        reading = read_pattern(response, pattern, trace)
    correct, how = False, ""
    if reading.value is not None:
        correct, how = compare_values(reading.value, wanted)
    whole = None if correct else read_whole(response, target, trace)
    if whole and (response == target or same_value(whole.value, wanted)):
        return score_reading(whole, True, target, whole.value)
    if trace is not None and reading.value is not None:
        if how == "in normal form":
            got, want = normal_form(reading.value), normal_form(wanted)
            trace.add("normalise", f"response {clip(got)}, target {clip(want)}")
        trace.add("compare", f"{clip(reading.value)} with {clip(wanted)}, {how}")
    return score_reading(reading, correct, target, response[reading.start : reading.end])


@SCORERS.register("numeric_match", version="2", of_text=True)
def numeric_match(
    sample: ScorerInput, *, mode: Mode = "marked", trace: Trace | None = None
) -> Score:
    """Score whether the number that the response gives has the exact value of the target.

    ``mode="last"`` takes the last number of the response, whatever stands around it.

    >>> numeric_match(ScorerInput(response="The total is 20 + 22 = 42", target="42")).extracted
    '42'
    >>> numeric_match(ScorerInput(response="about 100", target="1")).correct
    False
    """
    response, target = sample.response, sample.target
    check_mode(mode)
    wanted = number_of(target)
    if wanted.outcome != "found":
        return unreadable_target(target, f"a number ({wanted.reason})")
    reading = read_number(response, mode, trace)
    whole = None if reading.value == wanted.value else read_whole(response, target, trace)
    # The normal form has no brackets: -(5) is not 5.
    if whole and (response == target or number_of(whole.value).value == wanted.value):
        return score_reading(whole, True, target, whole.value)
    if trace is not None and reading.value is not None:
        trace.add("compare", f"{reading.value} with {wanted.value}, by value")
    written = response[reading.start : reading.end]
    return score_reading(reading, reading.value == wanted.value, target, written)


@lru_cache(maxsize=8192)
def _target_letter(target: str, letters: str) -> str | None:
    """Return the letter of a target such as "B", "(B)" or "B. Paris"."""
    value: str | None = read(target, letters_kind(letters)).value
    return value


@cached
def _target_text(target: str) -> str:
    """Return the text of a target: what its last mark marks, or all of it."""
    visible = visible_text(target)
    reading, _ = read_marked(visible.text, visible.low, LINES)
    return str(reading.value) if reading and reading.mark else cut(target)


@lru_cache(maxsize=8192)
def _captured(target: str, pattern: str) -> str:
    """Return what a pattern finds in a target, or the target."""
    return str(read_pattern(target, pattern).value or target).strip()


# The scorers that read an answer; they give no value only where the target cannot be read.
READERS: Mapping[str, Callable[..., Score]] = {
    fn.__name__: fn
    for fn in (exact_match, fuzzy_match, multichoice_regex, answer_line, numeric_match)
}


def target_error(scorer: str, target: str, params: Mapping[str, Any]) -> str:
    """Say why a scorer cannot read a target; an empty string where it can.

    >>> target_error("numeric_match", "none", {}), target_error("numeric_match", "42 km", {})
    ("the target 'none' is not a number (no number)", '')
    """
    if scorer not in READERS:
        return ""
    score = READERS[scorer](ScorerInput("", target), **params)
    return score.reason if score.value is None else ""

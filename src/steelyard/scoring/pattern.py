"""Scorers that read an answer out of the response before they compare: a letter, a line, a number."""

from __future__ import annotations

import functools
import re

from steelyard.errors import SpecError
from steelyard.extract.answer import readings
from steelyard.extract.choice.find import find_choice
from steelyard.extract.choice.letters import patterns
from steelyard.extract.custom import find_pattern
from steelyard.extract.found import Found, Trace
from steelyard.extract.number.find import Mode, find_value
from steelyard.extract.wanted import unmarked
from steelyard.extract.whole import same_lines, whole_answer
from steelyard.registry import SCORERS
from steelyard.score import Score, full, unscored, zero
from steelyard.scoring.text import clip, note_cuts, why_empty
from steelyard.scoring.types import ScorerInput
from steelyard.text.correction.settled import settled_cuts
from steelyard.text.equal import same_answer, signed
from steelyard.text.normal import is_blank, normalise
from steelyard.text.number.measure import same_measure
from steelyard.text.number.read import read_number
from steelyard.text.number.value import Value, same_value
from steelyard.text.visible import cuts
from steelyard.text.wrap import is_set, unwrapped

_STEPS = re.compile(r"\\Q.*?(?:\\E|$)|\\.", re.DOTALL)  # what is quoted, and single escapes


@SCORERS.register("multichoice_regex", of_text=True)
def multichoice_regex(
    sample: ScorerInput,
    *,
    pattern: str | None = None,
    letters: str = "A-D",
    trace: Trace | None = None,
) -> Score:
    r"""The letter that the response chose is the target's; ``pattern`` (RE2) replaces how it is found.

    >>> multichoice_regex(ScorerInput(response="The answer is B because...\nAnswer: B", target="B")).extracted
    'B'
    >>> multichoice_regex(ScorerInput(response="A or B", target="B")) == {"correct": False, "extracted": None}
    True
    """
    response = sample.response
    if trace is not None:
        note_cuts(trace, settled_cuts(response) if pattern is None else cuts(response))
    if pattern is None:
        found, want = (
            find_choice(response, letters=letters, trace=trace),
            wanted_letter(sample.target, letters),
        )
    else:
        _refuse_bytes(pattern)
        found, want = (
            find_pattern(response, pattern=pattern, trace=trace),
            _captured(sample.target, pattern),
        )
    if trace is not None:
        trace.add("compare", f"{found.value if found else None!r} with {want!r}")
    if want is None:
        return _no_target(
            sample, found, f"is not one of {letters}; letters= and pattern= say what is"
        )
    if found is None:
        return _not_found(sample, "no letter is committed to")
    return _verdict(found, found.value == want, sample.target)


@SCORERS.register("answer_line", of_text=True)
def answer_line(sample: ScorerInput, *, trace: Trace | None = None) -> Score:
    r"""The text after the last "Answer:", else the last line, is the target: by value if both are numbers.

    >>> dict(answer_line(ScorerInput(response="Step 1: ...\nAnswer: 42.0", target="42")))
    {'correct': True, 'extracted': '42.0'}
    """
    if trace is not None:
        note_cuts(trace, settled_cuts(sample.response))
    read = list(readings(sample.response, trace=trace))
    if not read:
        return _not_found(sample, "the response is empty")
    if trace is not None:
        _note_comparison(trace, read[0].value, sample.target)
    if is_blank(sample.target):
        return zero("the target is empty", extracted=read[0].value, span=read[0].span)
    want = unmarked(sample.target)
    for found in read:
        if same_answer(found.value, want, certain=is_set(sample.response, found.span)):
            return _verdict(found, True, sample.target)
    if "\n" in want and (whole := whole_answer(sample.response)) and same_lines(whole.value, want):
        return _verdict(whole, True, sample.target)
    return _verdict(read[0], sample.response == sample.target, sample.target)


def _note_comparison(trace: Trace, got: str, want: str) -> None:
    """Two numbers are compared as they are; of texts the normal forms are told too, which decide."""
    numbers = all(read_number(unwrapped(text)) is not None for text in (got, want))
    if not numbers:
        trace.add("normalise", f"response {normalise(got)!r}, target {normalise(want)!r}")
    trace.add("compare", f"{got!r} with {want!r}, {'by value' if numbers else 'in normal form'}")


@SCORERS.register("numeric_match", of_text=True)
def numeric_match(
    sample: ScorerInput, *, mode: Mode = "marked", trace: Trace | None = None
) -> Score:
    """The number that the response gives has the target's exact value; ``mode="last"`` takes the last number.

    >>> numeric_match(ScorerInput(response="The total is 20 + 22 = 42", target="42")).extracted
    '42'
    >>> numeric_match(ScorerInput(response="about 100", target="1")).correct
    False
    """
    response, target = sample.response, sample.target
    if trace is not None:
        note_cuts(trace, settled_cuts(response))
    found, want = find_value(response, mode=mode, trace=trace), wanted_number(target)
    at = Found(response[slice(*found[0].span)], found[0].span, found[1]) if found else None
    if trace is not None and found is not None:
        trace.add("compare", f"{found[0].value} with {want}")
    if want is None:
        return _no_target(sample, at, "holds no number")
    if found is None or at is None:
        return _not_found(sample, "no number is committed to")
    right = same_measure(at.value, target, want)
    return _verdict(at, same_value(found[0].value, want) if right is None else right, target)


@functools.lru_cache(maxsize=4096)
def wanted_number(target: str) -> Value | None:
    """The target's number: the target itself, or the one that it marks (``… #### 72``)."""
    whole = signed(target, certain=True)
    if (value := read_number(whole)) is not None or (
        value := read_number(unwrapped(whole))
    ) is not None:
        return value
    found = find_value(target)
    return found[0].value if found else None


@functools.lru_cache(maxsize=64)
def _refuse_bytes(pattern: str) -> None:
    r"""Refuse ``\C``, a single byte: a part of a character has no place in a text."""
    if not isinstance(pattern, str):
        raise SpecError(f"must be text, not {pattern!r}", path="pattern")
    if any(step[0] == r"\C" for step in _STEPS.finditer(pattern)):
        raise SpecError(
            rf"the pattern {pattern!r} has \C, which is a byte and not a character; . is any character",
            path="pattern",
        )


@functools.lru_cache(maxsize=4096)
def _captured(target: str, pattern: str) -> str:
    bare = unwrapped(target, brackets=True)
    found = find_pattern(target, pattern=pattern) if len(bare) > 1 else None
    return found.value if found else bare.upper()


@functools.lru_cache(maxsize=4096)
def wanted_letter(target: str, letters: str) -> str | None:
    """The target's letter, if it has one."""
    if len(target) == 1 and target.isalpha():
        return target.upper() if patterns(letters).one.fullmatch(target.upper()) else None
    found = find_choice(target, letters=letters)
    return found.value if found else None


def _verdict(found: Found, right: bool, target: str) -> Score:
    if right:
        return full(f"read by {found.stage}", extracted=found.value, span=found.span)
    return zero(
        f"expected {clip(target)}, got {clip(found.value)}", extracted=found.value, span=found.span
    )


def _no_target(sample: ScorerInput, found: Found | None, why: str) -> Score:
    """The target cannot be read, which is not the attempt's fault whatever it says; still, a target matches itself."""
    extracted, span = (found.value, found.span) if found else (None, None)
    if is_blank(sample.target):
        return zero("the target is empty", extracted=extracted, span=span)
    if sample.response == sample.target:
        return full("the response equals the target", extracted=extracted, span=span)
    return unscored(f"the target {clip(sample.target)} {why}", extracted=extracted)


def _not_found(sample: ScorerInput, why: str) -> Score:
    """Nothing was read; still, a target matches itself."""
    if sample.response == sample.target and not is_blank(sample.target):
        return full("the response equals the target", extracted=None)
    return zero(why_empty(sample.response, sample.target) or why, extracted=None)

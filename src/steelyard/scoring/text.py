"""Scorers that compare texts: the whole response, or an answer that it mentions."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from steelyard.errors import DataError
from steelyard.primitives.values import describe
from steelyard.reading.cuts import cut, cuts, has_cuts
from steelyard.reading.found import Trace
from steelyard.reading.mentions import read_mention
from steelyard.reading.outcome import Reading, found
from steelyard.registry import SCORERS
from steelyard.score import Score, full, unscored, zero
from steelyard.scoring.types import ScorerInput
from steelyard.values.normal import is_blank, normal_form, same_text, target_form, unwrap

WHOLE = "the response equals the target"
_ANSWERS = (str, int, float, Decimal)
_LONGEST_CLIP = 80


@SCORERS.register("exact_match", version="2", of_text=True)
def exact_match(sample: ScorerInput, *, trace: Trace | None = None) -> Score:
    """Score whether the whole response equals the target in normal form.

    >>> exact_match(ScorerInput(response="  Paris.  ", target="paris")) == {"correct": True}
    True
    """
    response, target = sample.response, sample.target
    if is_blank(target):
        return unreadable_target(target, "text")
    # What is cut leaves spaces.
    text, target = cut(response).strip(), cut(target)
    if trace is not None:
        for part in cuts(response):
            trace.add("cut", part.why, (part.start, part.end))
        trace.add(
            "normalise", f"response {clip(normal_form(text))}, target {clip(target_form(target))}"
        )
        trace.add("compare", f"{clip(text)} with {clip(target)}, in normal form")
    if is_blank(text) and response != sample.target:
        return zero("missing: the response is empty", detail={"reading": "missing"})
    detail = {"reading": "found"}
    if response == sample.target or same_text(text, target):
        return full(WHOLE, detail=detail)
    return zero(f"expected {clip(target)}", detail=detail)


@SCORERS.register("fuzzy_match", version="2", needs="answers", of_text=True)
def fuzzy_match(sample: ScorerInput, *, trace: Trace | None = None) -> Score:
    """Score whether the response mentions the target or one of ``metadata["correct_answers"]``.

    >>> fuzzy_match(ScorerInput(response="The capital is Canberra.", target="Canberra")).correct
    True
    >>> fuzzy_match(ScorerInput(response="Not Canberra.", target="Canberra")).reason
    'unclear: denied: not canberra'
    """
    answers = _accepted(sample)
    if all(map(is_blank, answers)):
        return unreadable_target(sample.target, "text")
    reading = read_mention(sample.response, answers, trace)
    correct = reading.value is not None
    if trace is not None:
        trace.add("compare", f"mentions one of {len(answers)} accepted answers: {correct}")
    span = (0, len(sample.response))
    return score_reading(reading, correct, answers[0], sample.response, span)


def _accepted(sample: ScorerInput) -> list[str]:
    """Return the accepted answers of a sample."""
    several: Any = sample.metadata.get("correct_answers")
    if not several:
        return [sample.target]
    listed = [several] if isinstance(several, _ANSWERS) else several
    wrong = [listed]
    if isinstance(listed, (list, tuple)):
        wrong = [item for item in listed if not isinstance(item, _ANSWERS)]
    if wrong:
        found = describe(wrong[0])
        raise DataError(
            f"metadata.correct_answers has {found}; an array of strings or numbers is needed"
        )
    return [str(item) for item in listed]


def score_reading(
    reading: Reading,
    correct: bool,
    target: str,
    extracted: str | None,
    span: tuple[int, int] | None = None,
) -> Score:
    """Return the Score of a reading; one that was not found is a zero without an extracted value.

    The span is where the extracted value stands, by default that of the reading.
    """
    detail = {"reading": reading.outcome}
    if reading.outcome != "found":
        return zero(f"{reading.outcome}: {reading.reason}", extracted=None, detail=detail)
    span = span or reading.span
    if correct:
        return full(reading.reason, extracted=extracted, span=span, detail=detail)
    got = f", got {clip(str(extracted))}" if reading.value is not None else ""
    reason = f"expected {clip(target)}{got}; {reading.reason}"
    return zero(reason, extracted=extracted, span=span, detail=detail)


def unreadable_target(target: str, kind: str) -> Score:
    """Return the Score of a row whose target is not of the scorer's kind: the author's error."""
    why = "is empty" if is_blank(target) else f"is not {kind}"
    return unscored(f"the target {clip(target)} {why}", extracted=None)


def read_whole(response: str, target: str, trace: Trace | None = None) -> Reading | None:
    """Read the whole response, without wrappers, where it equals the target in normal form.

    >>> read_whole("**Paris**", "paris").span
    (2, 7)
    """
    # A response much longer than the target is not the target in wrappers.
    longest = 2 * len(target) + 40
    if len(response) > longest and not has_cuts(response):
        return None
    text = response if response == target else cut(response)
    if len(text.strip()) > longest or is_blank(text):
        return None
    if response != target:
        target = cut(target)
    form = normal_form(text)
    if form != target_form(target) or not (form or same_text(text, target)):
        return None
    stripped = text.strip()
    start = text.index(stripped)
    start, end = unwrap(text, start, start + len(stripped))
    if trace is not None:
        trace.add("whole", f"found: {WHOLE}", (start, end))
        trace.add("compare", f"{clip(text[start:end])} with {clip(target)}, in normal form")
    return found(text[start:end], start, end, WHOLE)


def why_empty(response: str, target: str) -> str:
    """Say which side has nothing to compare, if one has not."""
    if is_blank(target):
        return "the target is empty"
    return "the response is empty" if is_blank(response) else ""


def clip(text: str) -> str:
    """Quote a text, cut to a length that fits a reason of one line."""
    return repr(text if len(text) <= _LONGEST_CLIP else text[: _LONGEST_CLIP - 3] + "…")

"""Scorers that compare texts: equal in normal form, or contained and claimed."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from steelyard.errors import DataError
from steelyard.extract.box import without_denied_boxes
from steelyard.extract.ending import ending_words
from steelyard.extract.found import Found, Trace
from steelyard.extract.lettered import chosen_option
from steelyard.extract.markers import without_disowned
from steelyard.extract.retraction import without_retracted
from steelyard.extract.statement import (
    answer_span,
    given_up,
    holds_number,
    holds_text,
    said_after_mark,
    strays,
)
from steelyard.extract.wanted import unmarked
from steelyard.extract.whole import same_lines, whole_answer
from steelyard.primitives.values import describe
from steelyard.registry import SCORERS
from steelyard.score import Score, full, zero
from steelyard.scoring.types import ScorerInput
from steelyard.text.claim.claims import contains
from steelyard.text.claim.glance import LONG, Look
from steelyard.text.correction.settled import settled, settled_cuts
from steelyard.text.equal import plain_number, same_plain_number, same_short
from steelyard.text.fold import fold
from steelyard.text.normal import is_blank, normal_target, normalise
from steelyard.text.number.read import read_number
from steelyard.text.number.value import Value
from steelyard.text.same import lies_in, same_normal
from steelyard.text.star import is_starred
from steelyard.text.visible import Cut, cuts, unquoted, visible
from steelyard.text.wrap import unwrapped

_ANSWERS = (str, int, float, Decimal)
# Around an answer these change nothing, whatever is inside; most right answers are known by that alone.
_PLAIN_WRAPPERS = '*`"“” \n'


@SCORERS.register("exact_match", of_text=True)
def exact_match(sample: ScorerInput, *, trace: Trace | None = None) -> Score:
    """The response equals the target, but for case, articles, punctuation and wrappers.

    >>> exact_match(ScorerInput(response="  Paris.  ", target="paris")) == {"correct": True}
    True
    """
    response, target = sample.response, sample.target
    shown = visible(response).strip()
    if shown[:1] == ">":
        shown = unquoted(shown).strip()
    if trace is not None:
        note_cuts(trace, cuts(response))
        trace.add("normalise", f"response {normalise(shown)!r}, target {normalise(target)!r}")
        trace.add("compare", f"{clip(shown)} with {clip(target)}, in normal form")
    if (
        shown.strip(_PLAIN_WRAPPERS) == target
        and not is_blank(target)
        and (shown == target or not _ends_in_star(shown))
    ):
        return full("the response equals the target")
    if same_short(shown, target) or _identical(response, target):
        return full("the response equals the target")
    return zero(why_empty(shown, target) or f"expected {clip(target)}")


@SCORERS.register("fuzzy_match", needs="answers", of_text=True)
def fuzzy_match(sample: ScorerInput, *, trace: Trace | None = None) -> Score:
    """The response holds the target, or one of ``metadata["correct_answers"]``, and claims it.

    >>> fuzzy_match(ScorerInput(response="The capital is Canberra.", target="Canberra")).correct
    True
    >>> fuzzy_match(ScorerInput(response="Sydney or Canberra", target="Canberra")).correct
    False
    """
    ending = ending_words(sample.response) if trace is None else None
    shown = (
        sample.response
        if ending
        else without_retracted(without_denied_boxes(settled(sample.response)))
    )
    start, end = span = ending or answer_span(shown)
    if ending is None and start == 0 and "nswer" in shown:
        shown = without_disowned(shown)
    text = _with_opening(shown, start, end) if "*" in shown else shown[start:end]
    written = _answers(sample)
    answers = list(map(unmarked, written))
    wanted = tuple(map(normal_target, answers))
    if trace is not None:
        note_cuts(trace, settled_cuts(sample.response))
        trace.add("normalise", f"response {normalise(text)!r}, answers {list(wanted)!r}", span)
        trace.add(
            "compare",
            f"is one of {len(answers)} held and claimed, and neither denied nor one of several?",
        )
    extracted = sample.response[start:end]
    held, why = _held(sample, text, answers, wanted)
    if held is not None and (why := _why_not_meant(shown, span, held)) == "":
        return full(f"the response holds {clip(held)}", extracted=extracted, span=span)
    # A response that plainly ends with its answer has been compared, unless that is the letter of an option.
    if held is None and (ending is None or end - start == 1) and _is_marked(shown, answers):
        return full(
            "what is marked as the answer equals the target", extracted=extracted, span=span
        )
    if whole := _as_written(sample.response, written, answers):
        return full("the response equals the target", extracted=whole.value, span=whole.span)
    return zero(why, extracted=extracted or None, span=span if extracted else None)


def _why_not_meant(shown: str, span: tuple[int, int], held: str) -> str:
    """Why what the marked text holds is still not its answer; nothing where it is."""
    if (span[0] or shown[span[0] : span[0] + 1] == "\\") and strays(shown, span, held):
        return f"{clip(held)} is not what is marked as the answer"
    return f"{clip(held)} is withdrawn after it" if given_up(shown, span, held) else ""


def _is_marked(shown: str, answers: list[str]) -> bool:
    """Whether what is marked as the answer, or the option whose letter is, is one of them: its own marks then deny nothing."""
    if (
        "\n" in shown
        and (option := chosen_option(shown))
        and any(same_short(option, answer) for answer in answers)
    ):
        return True
    said = said_after_mark(shown)
    if not said or said[:2] == "- " or ("*" in shown and _ends_in_star(shown)):
        return False  # a sign or a star may be lost
    return any(same_short(said, answer) for answer in answers)


def _as_written(response: str, written: list[str], answers: list[str]) -> Found | None:
    """The response that is an answer as it was written, mark and all, or that has its several lines."""
    if answers != written and any(_identical(response, answer) for answer in written):
        return Found(response, (0, len(response)), "whole")
    long = [answer for answer in answers if "\n" in answer.strip()]
    whole = whole_answer(response) if long else None
    return whole if whole and any(same_lines(whole.value, answer) for answer in long) else None


def _held(
    sample: ScorerInput, text: str, answers: list[str], wanted: tuple[str, ...]
) -> tuple[str | None, str]:
    """The answer that the text claims, or why it claims none."""
    near: list[tuple[str, str]] = []
    look, bare = Look(text), text.strip(_PLAIN_WRAPPERS)
    for answer, want in zip(answers, wanted, strict=True):
        clear = (
            bare == answer and want != "" and not ("*" in text and _ends_in_star(text))
        ) or look.tells(want, wanted)
        if clear:
            return answer, ""
        if clear is None and (sample.response == answer or not look.lacks(want)):
            near.append((answer, want))
    if near and look.claims_plainly(near[0][1]):
        return near[0][0], ""
    normal = normalise(text) if near else ""
    for answer, want in near:
        if (
            _same(text, normal, answer, want)
            or (lies_in(answer, sample.response) and _holds(text, normal, answer, wanted))
            or _identical(sample.response, answer)
        ):
            return answer, ""
    # A short text that was told at a glance does not even mention an answer.
    denied = _why_denied(text, normal, answers, wanted) if near or len(text) > LONG else ""
    return None, why_empty(text, "".join(answers)) or denied or _expected(answers)


def note_cuts(trace: Trace, left_aside: Iterable[Cut]) -> None:
    """Note what of the response is left aside."""
    for cut in left_aside:
        trace.add("cut", cut.why, cut.span)


def clip(text: str) -> str:
    """The text quoted, and shortened for a reason that stays one line."""
    return repr(text if len(text) <= 80 else text[:77] + "…")


def why_empty(shown: str, target: str) -> str:
    """The reason, if either side has nothing to compare."""
    if is_blank(target):
        return "the target is empty"
    return "the response is empty" if is_blank(shown) else ""


def _with_opening(shown: str, start: int, end: int) -> str:
    """What stands there, with the asterisks that open it: without them the closing ones would seem to belong to a name."""
    while start > 0 and shown[start - 1] == "*":
        start -= 1
    text = shown[start:end]
    return text[:-2] if text.endswith("***") and "*" not in text[:-3] else text  # **Answer: A***


def _ends_in_star(text: str) -> bool:
    """Whether an asterisk around the text belongs to a name (A*), and is no wrapper: those come in pairs."""
    return text.count("*") % 2 == 1 and is_starred(text)


def _identical(response: str, target: str) -> bool:
    """A target matches itself, whatever it looks like."""
    return response == target and not is_blank(target)


def _same(text: str, normal: str, answer: str, want: str) -> bool:
    return same_normal(normal, want, text, answer) or same_plain_number(text, answer)


def _answers(sample: ScorerInput) -> list[str]:
    several: Any = sample.metadata.get("correct_answers") if sample.metadata else None
    if not several:
        return [sample.target]
    listed = [several] if isinstance(several, _ANSWERS) else several
    if not isinstance(listed, (list, tuple)):
        raise DataError(
            f"metadata.correct_answers is {describe(several)}; an array of texts or numbers is needed"
        )
    if bad := [item for item in listed if not isinstance(item, _ANSWERS)]:
        raise DataError(
            f"metadata.correct_answers holds {describe(bad[0])}; an array of texts or numbers is needed"
        )
    return [item if isinstance(item, str) else str(item) for item in listed]


def _holds(text: str, normal: str, answer: str, wanted: tuple[str, ...]) -> bool:
    want = normal_target(answer)
    if not want or not normal:
        return False
    if (value := _number(answer)) is not None:
        return holds_number(text, value)
    others = tuple(other for other in wanted if other and other != want)
    return holds_text(text, normal, want, others)


@functools.lru_cache(maxsize=4096)
def _number(answer: str) -> Value | None:
    bare = unwrapped(answer)
    return read_number(bare) if "/" in bare or "frac" in bare else plain_number(bare)


def _why_denied(text: str, normal: str, answers: list[str], wanted: tuple[str, ...]) -> str:
    """The reason, if an answer stands in the text and still does not count."""
    shown = normal or fold(text)
    for answer, want in zip(answers, wanted, strict=True):
        if want and contains(shown, want):
            return f"{clip(answer)} is denied, or offered as one of several"
    return ""


def _expected(answers: list[str]) -> str:
    more = f" or one of {len(answers) - 1} more" if len(answers) > 1 else ""
    return f"expected {clip(answers[0])}{more}"

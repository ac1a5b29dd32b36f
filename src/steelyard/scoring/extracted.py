"""A scorer over any registered extractor: read the answer with it, then compare."""

from __future__ import annotations

from steelyard.errors import EngineError
from steelyard.primitives.values import Unreadable, key
from steelyard.reading.cuts import cuts
from steelyard.reading.found import Found, Trace
from steelyard.reading.json_values import writable
from steelyard.registry import EXTRACTORS, SCORERS
from steelyard.score import Score, full, zero
from steelyard.scoring.text import clip, why_empty
from steelyard.scoring.types import ScorerInput
from steelyard.values.formulas import same_value


@SCORERS.register("extracted_match", version="2")
def extracted_match(
    sample: ScorerInput, *, extractor: str = "answer", trace: Trace | None = None
) -> Score:
    """What the named extractor reads out of the response is the target, or what it reads out of the target.

    >>> sample = ScorerInput(response='Sure: {"x": 1}', target='{"x": 1.0}')
    >>> extracted_match(sample, extractor="json").correct
    True
    """
    found = _read(extractor, sample.response)
    if trace is not None:
        for part in cuts(sample.response):
            trace.add("cut", part.why, (part.start, part.end))
        trace.add(
            extractor,
            f"{found.value!r}" if found else "nothing was found",
            found.span if found else None,
        )
    if found is None:
        return zero(
            why_empty(sample.response, sample.target) or f"{extractor}: nothing was found",
            extracted=None,
        )
    wanted = _read(extractor, sample.target)
    want = wanted.value if wanted else sample.target
    shown = writable(found.value, sample.response[slice(*found.span)])
    if _same(found.value, want) or _same(found.value, sample.target):
        return full(f"found by {extractor}: {found.stage}", extracted=shown, span=found.span)
    return zero(
        f"expected {clip(str(want))}, got {clip(str(found.value))}",
        extracted=shown,
        span=found.span,
    )


def _read(extractor: str, text: str) -> Found | None:
    """What the extractor finds; one of a user's may give back something else, which is its bug."""
    found = EXTRACTORS.get(extractor, path="extractor").fn(text)
    if found is None or isinstance(found, Found):
        return found
    raise EngineError(
        f"the extractor {extractor!r} returned {type(found).__name__}; a Found or None is needed"
    )


def _same(got: object, want: object) -> bool:
    if isinstance(got, str) and isinstance(want, str):
        return same_value(got, want)
    try:
        return key(got) == key(want)  # 1 is 1.0, and not true
    except Unreadable:  # an extractor of a user's may read something else
        return type(got) is type(want) and got == want

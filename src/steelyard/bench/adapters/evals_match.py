"""The four ways of matching that OpenAI evals scores by, as that package does it.

They are reproduced with their quirks: what begins with the ideal answer matches, however it goes on. Only one thing
differs: an empty response never matches.
"""

from __future__ import annotations

import json
import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from steelyard.score import Score, full, zero
from steelyard.scoring.text import clip
from steelyard.scoring.types import ScorerInput

_ARTICLES = re.compile(r"\b(?:an?|the)\b")
_NO_MARKS = str.maketrans("", "", string.punctuation)


def ideals(sample: ScorerInput) -> list[str]:
    """The answers that count as right."""
    given: Any = sample.metadata["ideal"]
    return list(given) if isinstance(given, list) else [given]


def match(sample: ScorerInput) -> Score:
    """The response begins with an ideal answer.

    >>> match(ScorerInput("42 of course", metadata={"ideal": ["41", "42"]})).correct
    True
    """
    return _first(sample, lambda ideal: sample.response.startswith(ideal), "begins with")


def includes(sample: ScorerInput, *, ignore_case: bool = False) -> Score:
    """An ideal answer stands somewhere in the response.

    >>> includes(ScorerInput("It is Paris.", metadata={"ideal": "paris"}), ignore_case=True).correct
    True
    """
    text = sample.response.lower() if ignore_case else sample.response
    return _first(sample, lambda ideal: (ideal.lower() if ignore_case else ideal) in text, "holds")


def fuzzy(sample: ScorerInput) -> Score:
    """Without case, punctuation and articles, one of the two texts holds the other; the word F1 is in ``detail``.

    >>> fuzzy(ScorerInput("The Beatles!", metadata={"ideal": "beatles"})).detail
    {'f1_score': 1.0}
    """
    got = reduced(sample.response)
    score = _first(sample, lambda ideal: _holds(got, reduced(ideal)), "fits")
    best = max(
        (word_f1(got.split(), reduced(ideal).split()) for ideal in ideals(sample)), default=0.0
    )
    make = full if score.correct else zero
    return make(score.reason, extracted=score.extracted, detail={"f1_score": best})


def json_equal(sample: ScorerInput) -> Score:
    """The response is JSON, and equal in every part to an ideal answer that is JSON.

    >>> json_equal(ScorerInput('{"a": [1]}', metadata={"ideal": '{"a":[1]}'})).correct
    True
    """
    try:
        got = json.loads(sample.response)
    except (ValueError, RecursionError):
        return zero("the response is not JSON", extracted=None)
    return _first(sample, lambda ideal: same_json(got, json.loads(ideal)), "equals")


def reduced(text: str) -> str:
    """Small letters without punctuation, articles and more than one blank.

    >>> reduced("The  end, of a day.")
    'end of day'
    """
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_NO_MARKS)).split())


def word_f1(got: Sequence[str], want: Sequence[str]) -> float:
    """The harmonic mean of how many words are right and how many are there.

    >>> word_f1(["a", "b"], ["b", "c"])
    0.5
    """
    shared = (Counter(got) & Counter(want)).total()
    return 2 * shared / (len(got) + len(want)) if shared else 0.0


def same_json(got: Any, want: Any) -> bool:
    """Equal part by part; what is null, or is missing on one side, is never equal.

    >>> same_json({"a": None}, {"a": None}), same_json([1, 2], [1, 2])
    (False, True)
    """
    if got is None or want is None:
        return False
    if isinstance(got, dict) or isinstance(want, dict):
        both = isinstance(got, dict) and isinstance(want, dict)
        return both and all(same_json(got.get(key), want.get(key)) for key in {*got, *want})
    if isinstance(got, list) or isinstance(want, list):
        both = isinstance(got, list) and isinstance(want, list) and len(got) == len(want)
        return both and all(map(same_json, got, want))
    return bool(got == want)


def _holds(got: str, want: str) -> bool:
    if not got or not want:
        return got == want
    return want in got or got in want


def _first(sample: ScorerInput, fits: Callable[[str], bool], verb: str) -> Score:
    if not sample.response.strip():
        return zero("the response is empty", extracted=None)
    wanted = ideals(sample)
    for ideal in wanted:
        if fits(ideal):
            return full(f"the response {verb} {clip(ideal)}", extracted=ideal)
    more = f" or one of {len(wanted) - 1} more" if len(wanted) > 1 else ""
    return zero(
        f"expected {clip(wanted[0]) if wanted else 'nothing that can be given'}{more}",
        extracted=None,
    )

"""Lint hands in what has nothing of the truth, in the right format, and the same answer everywhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from spec.specs import dimension, free
from steelyard import evaluate, lint_spec, primitive, scorer
from steelyard.primitives.fuzzy import normal
from steelyard.primitives.values import key
from steelyard.registry import PRIMITIVES, SCORERS
from steelyard.spec.junk import junk

SPEED = dimension("speed", 0.4, primitive="time_decay", time_limit_secs=60)


def lenient(sample: Any) -> Any:
    return {"correct": True}


def not_empty(sample: Any) -> Any:
    return bool(sample.response.strip())


def folded(sample: Any) -> Any:
    """What an author may well accept: case, white space, numbers in another notation."""
    got, want = normal(sample.response), normal(sample.target)
    try:
        return got == want or float(got.replace(",", "")) == float(want.replace(",", ""))
    except ValueError:
        return got[:1] == want[:1] if want in {"yes", "no"} else False


def longer(got: Any, want: Any) -> Any:
    return float(isinstance(got, str) and len(got) >= len(want))


def same_length(got: Any, want: Any) -> Any:
    return float(isinstance(got, list) and len(got) == len(want))


def any_number(got: Any, want: Any) -> Any:
    return float(isinstance(got, (int, float)) and not isinstance(got, bool))


def any_truth(got: Any, want: Any) -> Any:
    return float(isinstance(got, bool))


def many(got: Any, want: Any) -> Any:
    return min(1.0, len(got) / 100) if isinstance(got, list) else float(got == want)


def same_keys(got: Any, want: Any) -> Any:
    return float(isinstance(got, dict) and got.keys() == want.keys() and all(got.values()))


def close(got: Any, want: Any) -> Any:
    """Within a tenth, as an author may well have it."""
    return float(
        isinstance(got, (int, float))
        and not isinstance(got, bool)
        and abs(got - want) <= abs(want) / 10
    )


def fails(got: Any, want: Any) -> Any:
    raise KeyError("x")


@pytest.fixture(autouse=True)
def _own(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for registry in (SCORERS, PRIMITIVES):
        registry.names()
        monkeypatch.setattr(registry, "_things", dict(registry._things))
    for one in (lenient, not_empty, folded):
        scorer(one)
    for other in (longer, same_length, any_number, any_truth, many, same_keys, close, fails):
        primitive(other)
    return


@pytest.mark.parametrize(
    ("kind", "name", "truth"),
    [
        ("scorer", "lenient", "hello"),
        ("scorer", "lenient", 42),
        ("scorer", "not_empty", "hello"),
        ("scorer", "not_empty", "B"),
        ("primitive", "longer", "hello"),
        ("primitive", "longer", "x" * 500),
        ("primitive", "same_length", ["a", "b"]),
        ("primitive", "any_number", 42),
        ("primitive", "any_number", 0),
        ("primitive", "any_truth", True),
        ("primitive", "many", "x"),
        ("primitive", "same_keys", {"a": 1, "b": "x"}),
    ],
)
def test_full_marks_for_what_has_nothing_of_the_truth_are_the_floor(
    kind: str, name: str, truth: Any
) -> None:
    report = lint_spec(free(dimension("a", 1, **{kind: name})), {"a": truth})
    assert (report.floor.score, report.floor.result, report.ok) == (1000, "win", False)


@pytest.mark.parametrize(
    ("kind", "name", "truth"),
    [
        ("scorer", "folded", truth)
        for truth in (
            "Paris",
            "a",
            "A",
            "T",
            "yes",
            "no",
            "42",
            "1,000",
            "The answer",
            42,
            True,
            "Z",
            "zxqjvk",
        )
    ]
    + [("primitive", "close", truth) for truth in (42, 7919, 0.5, -3, 10**9)],
)
def test_the_truth_in_another_dress_is_an_answer(kind: str, name: str, truth: Any) -> None:
    report = lint_spec(free(dimension("a", 1, **{kind: name})), {"a": truth})
    assert (report.floor.score, report.ok) == (0, True)


@pytest.mark.parametrize(
    "truth", ["", "z", "ZXQJVK wkvpzj qvxwjb jzkxqw", None, [], {}, [1, "x"], 7919, 10**4000]
)
def test_junk_is_never_the_truth(truth: Any) -> None:
    assert all(key(value) != key(truth) for value in junk([truth], ["zxqjvk", "wkvpzj"]))


def test_a_truth_that_cannot_be_scored_is_an_error() -> None:
    report = lint_spec(free(dimension("a", 0.6, primitive="fails"), SPEED), {"a": "x"})
    [error] = [f for f in report.findings if f.path == "dimensions[0]" and f.level == "error"]
    assert error.message.startswith(
        "the ground truth itself gets no score in 'a': a: the scorer failed: KeyError"
    )
    assert (report.ok, report.exit_code) == (False, 1)


def test_a_truth_is_not_made_up_that_cannot_be_scored() -> None:
    report = lint_spec(free(dimension("a", 0.6, primitive="fails"), SPEED))
    assert [f.message for f in report.findings if f.level == "warning"] == [
        "no ground truth could be made up for 'a', so the two ends are not known"
    ]


IDS = [f"r{i}" for i in range(100)]


@pytest.mark.parametrize(
    ("checks", "floor"),
    [
        ([], 1000),
        ([{"field": "found", "schema": {"type": "array", "maxItems": 3}}], 0),
        (
            [{"field": "found", "schema": {"type": "array", "maxItems": 3}, "severity": "warning"}],
            1000,
        ),
        ([{"field": "found", "type": "array"}], 1000),
    ],
)
def test_a_format_check_of_severity_error_closes_what_it_refuses(
    checks: list[Any], floor: int
) -> None:
    found = dimension(
        "precision",
        0.6,
        primitive="set_overlap",
        method="intersection",
        field="found",
        ground_truth_field="bad",
    )
    spec = free(found, {**SPEED, "requires": {"precision": 1}}, format=checks)
    report = lint_spec(spec, {"bad": ["r3", "r8"], "all": IDS})
    assert report.floor.score == floor
    if not floor:
        assert evaluate(spec, {"found": IDS}, {"bad": ["r3", "r8"]}, time_used=0).score == 0


def test_of_what_can_be_tried_the_best_that_fits_the_format_is_handed_in() -> None:
    check = {"field": "t", "schema": {"type": "string", "maxLength": 1}}
    spec = free(dimension("t", 0.6, primitive="fuzzy_string"), SPEED, format=[check])
    assert lint_spec({**spec, "format": []}, {"t": "banana"}).floor.score == 700
    assert lint_spec(spec, {"t": "banana"}).floor.score == 500


@pytest.mark.parametrize(
    ("truths", "reached"),
    [
        ([True, True, True, False, False], 600),
        (["A", "A", "A", "B", "C"], 600),
        ([1, 1, 1, 0, 2], 600),
        (["yes", "yes", "yes", "yes", "yes"], 1000),
        ([True, True, [True, True, False, False], False, False], 500),
        ([["x", "x"], "x", "y", "z", "w"], 400),
        (["v", "w", "x", "y", "z"], 0),
        (["A", "A", "B", "C", "D"], 400),
    ],
)
@pytest.mark.parametrize("kind", ["primitive", "scorer"])
def test_the_same_answer_in_several_dimensions_is_told(
    kind: str, truths: list[Any], reached: int
) -> None:
    if kind == "scorer" and any(isinstance(truth, list) for truth in truths):
        return  # a list is no answer to a scorer of text
    by = {"scorer": "exact_match"} if kind == "scorer" else {}
    names = "abcde"[: len(truths)]
    more = [
        {"primitive": "exact_match_ratio"} if isinstance(truth, list) else by for truth in truths
    ]
    spec = free(*(dimension(name, 0.2, **each) for name, each in zip(names, more, strict=True)))
    report = lint_spec(spec, dict(zip(names, truths, strict=True)))
    told = [f.message for f in report.findings if f.level == "warning"]
    assert report.floor.score == 0
    assert [message.partition(",")[0] for message in told] == (
        [f"a constant guess reaches {reached}"] if reached else []
    )


def test_one_truth_that_is_asked_for_twice_is_no_constant() -> None:
    spec = free(dimension("a", 0.5), dimension("b", 0.5, ground_truth_field="a"))
    assert not [f for f in lint_spec(spec, {"a": "Paris"}).findings if f.level == "warning"]


def test_a_long_text_is_filled_up() -> None:
    assert (
        lint_spec(
            free(dimension("a", 1, primitive="fuzzy_string")), {"a": "a" * 60_000 + "b" * 20_000}
        ).floor.score
        == 750
    )


@pytest.mark.slow
@pytest.mark.parametrize("distinct", [False, True])
def test_very_many_dimensions_over_one_field_take_no_longer_than_over_many(distinct: bool) -> None:
    count = 3_000
    fields = [f"t{i}" if distinct else "t0" for i in range(count)]
    spec = free(
        *(
            dimension(f"d{i}", Decimal(1) / count, field="f", ground_truth_field=field)
            for i, field in enumerate(fields)
        )
    )
    began = time.perf_counter()
    report = lint_spec(spec, {field: f"text {field}" for field in fields})
    assert time.perf_counter() - began < 20  # seconds; a square of them would take minutes
    cut = [f.message for f in report.findings if f.level == "note" and "more truths" in f.message]
    assert len(cut) == distinct
    assert report.floor.score == 0


def test_what_opens_a_gate_is_handed_in_together_with_all_that_can_be_attempted() -> None:
    fuzzy = {"primitive": "fuzzy_string", "field": "ans"}
    spec = free(
        dimension("verdict", 0.2, ground_truth_field="short", **fuzzy),
        dimension("wording", 0.2, ground_truth_field="long", **fuzzy),
        dimension(
            "speed", 0.3, primitive="time_decay", time_limit_secs=60, requires={"verdict": 300}
        ),
        dimension(
            "coverage", 0.3, primitive="coverage_ratio", field="seen", ground_truth_field="ids"
        ),
    )
    truth = {"short": "yes", "long": "banana banana banana banana", "ids": [1, 2, 3]}
    assert evaluate(spec, {"ans": "e", "seen": [1, 2, 3]}, truth, time_used=0).score == 666
    assert lint_spec(spec, truth).floor.score >= 666

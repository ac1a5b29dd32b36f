"""A spec that is not judged promises that no judge is asked: by what is known of a scorer, by trying it, and when it scores."""

from __future__ import annotations

from typing import Any

import pytest

from spec.specs import dimension, free
from steelyard import evaluate, lint_spec, load_spec, primitive, scorer
from steelyard.errors import SpecError
from steelyard.registry import PRIMITIVES, SCORERS
from steelyard.score import pending
from steelyard.scoring import needs_judge

KEPT = ("deterministic", "test-suite", "custom-script")


def hands_on(sample: Any) -> Any:
    return needs_judge(sample)


def asks_for_some(sample: Any, *, share: float = 0.5) -> Any:
    return {"needs_judge": True} if len(sample.response) >= share * 10 else False


def waits(got: Any, want: Any) -> Any:
    return pending()


def waits_for_text(got: Any, want: Any) -> Any:
    return {"value": None, "pending": True} if isinstance(got, str) else float(got == want)


@pytest.fixture(autouse=True)
def _own(monkeypatch: pytest.MonkeyPatch) -> None:
    for registry in (SCORERS, PRIMITIVES):
        registry.names()
        monkeypatch.setattr(registry, "_things", dict(registry._things))
    scorer(hands_on)
    scorer(asks_for_some)
    primitive(waits)
    primitive(waits_for_text)


@pytest.mark.parametrize("kind", KEPT)
@pytest.mark.parametrize(
    ("named", "path"),
    [
        ({"scorer": "hands_on"}, "scorer"),
        ({"primitive": "waits"}, "primitive"),
        ({"primitive": "hands_on"}, "scorer"),
        ({"scorer": "asks_for_some", "share": 0}, "scorer"),
        ({"scorer": "needs_judge"}, "scorer"),
    ],
)
def test_a_scorer_that_asks_a_judge_when_it_is_tried_is_refused(
    kind: str, named: dict[str, Any], path: str
) -> None:
    spec = free(dimension("a", 0.5), dimension("b", 0.5, **named), type=kind)
    with pytest.raises(
        SpecError, match=f"asks a judge, and a spec of type '{kind}' promises"
    ) as raised:
        load_spec(spec)
    assert [problem.path for problem in raised.value.problems] == [f"dimensions[1].{path}"]
    assert load_spec({**spec, "type": "judged"}).type == "judged"


@pytest.mark.parametrize("named", [{"scorer": "asks_for_some"}, {"primitive": "waits_for_text"}])
def test_one_that_asks_later_is_told_and_nobody_waits(named: dict[str, Any]) -> None:
    spec = free(dimension("a", 0.5), dimension("b", 0.5, **named, requires={"a": 1}))
    uses = next(iter(named.values()))
    told = (
        f"b: '{uses}' asks a judge, and a spec of type 'deterministic' promises that none is asked"
    )
    found = evaluate(spec, {"a": 1, "b": "a long answer"}, {"a": 1, "b": "x"})
    assert (found.score, found.total.status, found.total.reason) == (None, "unscored", told)
    assert evaluate(spec, {"a": 1, "b": 5}, {"a": 1, "b": "x"}).score == 500
    judged = evaluate(
        {**spec, "type": "judged"}, {"a": 1, "b": "a long answer"}, {"a": 1, "b": "x"}
    )
    assert judged.total.status == "pending"
    report = lint_spec(spec, {"a": 1, "b": "a long answer"})
    assert [
        f.path for f in report.findings if f.level == "error" and "promises that none" in f.message
    ] == ["dimensions[1]"]

"""Evaluating: what else is known of a submission, and how the outcome reads."""

from __future__ import annotations

import pytest

from spec.specs import dimension, free
from steelyard.spec import SpecError, evaluate


def test_a_constraint_that_cannot_be_used_is_named_as_one() -> None:
    spec = free(
        {"name": "t", "weight": 1, "primitive": "token_efficiency"}, constraints={"token_budget": 9}
    )
    with pytest.raises(SpecError) as raised:
        evaluate(spec, {}, {}, constraints={"token_budget": 0})
    assert [problem.path for problem in raised.value.problems] == ["constraints.token_budget"]


def test_the_names_that_are_not_allowed_are_told_in_bounded_words() -> None:
    spec = free(dimension("x", 1), constraints={"allowed_models": ["m"]})
    steps = [{"type": "llm_call", "model": f"{i} {'x' * 1000}"} for i in range(1000)]
    [told] = evaluate(spec, {"x": 1}, {"x": 1}, trajectory={"steps": steps}).constraint_violations
    assert told["message"].endswith("… and 980 more")
    assert (len(told["message"]) < 3000, len(told["used"])) == (True, 20)


def test_camel_case_is_read_in_the_steps() -> None:
    spec = free(dimension("x", 1), constraints={"maxCostUsd": 0.01})
    [told] = evaluate(
        spec, {"x": 1}, {"x": 1}, trajectory={"steps": [{"type": "llm_call", "costUsd": 5}]}
    ).constraint_violations
    assert told["constraint"] == "max_cost_usd"


def test_an_evaluation_has_values_as_a_mapping_has() -> None:
    found = evaluate(free(dimension("x", 1)), {"x": 1}, {"x": 1})
    assert found.values() == list(dict(found).values())


def test_constraints_that_are_laid_over_those_of_the_spec_are_in_the_signature() -> None:
    def signed(own: dict[str, int], over: dict[str, int] | None) -> tuple[int | None, str]:
        spec = free({"name": "t", "weight": 1, "primitive": "token_efficiency"}, constraints=own)
        steps = [{"type": "llm_call", "input_tokens": 50, "output_tokens": 0}]
        found = evaluate(spec, {}, {}, trajectory={"steps": steps}, verified=True, constraints=over)
        return found.score, found.signature

    plain, over = (
        signed({"token_budget": 100}, None),
        signed({"token_budget": 100}, {"token_budget": 200}),
    )
    assert (plain[0], over[0]) == (500, 750)
    assert plain[1] != over[1]
    assert over == signed({"token_budget": 200}, None)
    assert (
        plain
        == signed({"token_budget": 100}, {"token_budget": 100})
        == signed({"token_budget": 100}, {})
    )

"""GO, NO-GO, INCONCLUSIVE: what decides, and what never does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.made_runs import Value, column, write_run
from steelyard.errors import DataError, SpecError
from steelyard.runs.compare_pairs import Problem, Scored, match_problems
from steelyard.runs.gate import Decided, Verdict, decide, gate, pooled, settle
from steelyard.runs.policy import Policy, Rule, load_policy, read_policy

RULE = Rule(margin=0.05, min_coverage=0.5)
RIGHT: list[Value] = [1.0] * 200


def sided(values: list[Value]) -> dict[str, Problem]:
    return {
        str(n): Problem(None, None, [Scored(f"{n}.0", value, value == 1)])
        for n, value in enumerate(values)
    }


def decided(base: list[Value], candidate: list[Value], rule: Rule = RULE) -> Decided:
    return decide("quiz", match_problems(sided(base), sided(candidate)), rule)


@pytest.mark.parametrize(
    ("losses", "gains", "verdict"),
    [
        (0, 0, "GO"),
        (4, 3, "GO"),
        (2, 20, "GO"),
        (10, 0, "INCONCLUSIVE"),
        (12, 6, "INCONCLUSIVE"),
        (40, 2, "NO-GO"),
        (200, 0, "NO-GO"),
    ],
)
def test_the_bounds_decide(losses: int, gains: int, verdict: str) -> None:
    base: list[Value] = [1.0] * (200 - gains) + [0.0] * gains
    candidate: list[Value] = [0.0] * losses + [1.0] * (200 - losses)
    found = decided(base, candidate)
    assert found.verdict == verdict
    assert found.lower is not None
    assert found.upper is not None
    assert found.lower <= (found.difference or 0) <= found.upper
    assert (found.more is not None) == (
        verdict == "INCONCLUSIVE" and (gains - losses) / 200 != -0.05
    )


def test_how_many_more_is_told_and_is_enough() -> None:
    base, candidate = [1.0, 0.0, 1.0, 1.0, 0.0] * 20, [1.0, 1.0, 0.0, 1.0, 0.0] * 20
    found = decided(list(base), list(candidate))
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.more is not None
    assert f"about {found.more - 100:,} more problems like these would say GO" in found.reason
    times = -(-found.more // 100)
    assert decided(list(base) * times, list(candidate) * times).verdict is Verdict.GO


def test_where_even_very_many_more_would_not_decide_it_says_so() -> None:
    found = decided([1.0, 0.0], [0.0, 1.0])
    assert (found.verdict, found.more) == (Verdict.INCONCLUSIVE, None)
    assert found.reason.endswith("even 256 times as many problems like these would not decide")


def test_missing_scores_never_decide() -> None:
    down: list[Value] = [None] * 15 + [1.0] * 185
    found = decided(RIGHT, down)
    assert (found.verdict, found.pairs, found.asked) == (Verdict.INCONCLUSIVE, 185, 200)
    assert "without a score could turn it" in found.reason
    assert decided(down, [0.0] * 15 + RIGHT[15:]).verdict is Verdict.INCONCLUSIVE
    assert decided(down, RIGHT).verdict is Verdict.GO  # at the worst, both are right there
    assert decided(RIGHT, [None, *RIGHT[1:]]).verdict is Verdict.GO
    assert decided(RIGHT, [None] * 200).verdict is Verdict.INCONCLUSIVE
    # A loss so large that the missing ones could not undo it is a loss all the same.
    assert decided(RIGHT, [0.0] * 100 + down[:100]).verdict is Verdict.NO_GO
    assert decided(RIGHT, [0.0] * 14 + [1.0] * 86 + [None] * 100).verdict is Verdict.INCONCLUSIVE


def test_missing_repeats_never_decide_where_only_one_side_was_asked_often(tmp_path: Path) -> None:
    base = write_run(tmp_path / "a", column([1.0] * 300))
    half = write_run(tmp_path / "b", [[1.0, None]] * 300)
    for coverage in (0.95, 0.0):
        one = gate(base, half, Policy(rule=Rule(margin=0.03, min_coverage=coverage))).benchmarks[0]
        assert one.verdict is Verdict.INCONCLUSIVE
        assert (one.pairs, one.asked, one.unscored_candidate) == (300, 600, 300)
    assert "300 samples without a score could turn it" in one.reason
    assert (
        gate(
            base, write_run(tmp_path / "c", [[1.0, 1.0]] * 300), Policy(rule=Rule(margin=0.03))
        ).verdict
        is Verdict.GO
    )


def test_problems_that_only_one_side_has_count_as_not_covered(tmp_path: Path) -> None:
    base, few = (
        write_run(tmp_path / "a", column([1.0] * 300)),
        write_run(tmp_path / "b", column([1.0] * 10)),
    )
    with pytest.raises(DataError, match=r'allow = \["problems"\] in the policy'):
        gate(base, few, Policy(rule=RULE))
    one = gate(base, few, Policy(rule=Rule(margin=0.3), allow=("problems",))).benchmarks[0]
    assert (one.verdict, one.pairs, one.asked, one.only_base) == (
        Verdict.INCONCLUSIVE,
        10,
        300,
        290,
    )
    assert "only the base has 290 problems" in one.reason
    assert (
        gate(
            base, few, Policy(rule=Rule(margin=0.3, min_coverage=0.0), allow=("problems",))
        ).verdict
        is Verdict.GO
    )


@pytest.mark.parametrize("confidence", [0.6, 0.9999])
def test_the_mean_has_bounds_at_its_own_confidence(tmp_path: Path, confidence: float) -> None:
    worse: list[Value] = [0.0] * 4 + [1.0] * 193 + [1.0] * 3
    for side, values in (("a", RIGHT), ("b", worse)):
        for name in ("one", "two"):
            write_run(tmp_path / side / name, column(values), benchmark=name, model=side)
    usual, other = (
        gate(tmp_path / "a", tmp_path / "b", Policy(rule=RULE, overall=rule)).overall
        for rule in (None, Rule(margin=0.05, confidence=confidence))
    )
    assert usual is not None
    assert other is not None
    assert ((other.lower or 0) < (usual.lower or 0)) == (confidence > 0.95)
    assert ((other.upper or 0) > (usual.upper or 0)) == (confidence > 0.95)


def test_a_rule_for_no_run_is_told_and_words_agree_in_number(tmp_path: Path) -> None:
    run = write_run(tmp_path / "a", column(RIGHT))
    typo = Policy(rule=RULE, benchmarks={"quizz": Rule(margin=0.001)}, require=("code",))
    found = gate(run, run, typo)
    assert any("'quizz'" in note and "did you mean 'quiz'" in note for note in found.notes)
    assert "the base and the candidate have no run of it" in next(
        one.reason for one in found.benchmarks if one.name == "code"
    )
    assert decided([1.0], [1.0]).reason.startswith("1 pair has a score")
    lacking = decided([1.0] * 45 + [None] * 255, [1.0] * 300, Rule(margin=0.03))
    assert "--resume" in lacking.reason
    assert (lacking.more, "more problems" in lacking.reason) == (None, False)


def test_too_little_coverage_is_no_decision() -> None:
    found = decided(RIGHT, [None, *RIGHT[1:]], Rule(margin=0.05, min_coverage=1.0))
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "199 of 200" in found.reason


outcome = st.sampled_from([0.0, 1.0, None])


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(outcome, outcome), min_size=2, max_size=20),
    st.sampled_from([0.02, 0.3, 0.6]),
)
def test_filling_in_what_is_missing_never_turns_a_verdict_round(
    pairs: list[tuple[Value, Value]], margin: float
) -> None:
    rule = Rule(margin=margin, min_coverage=0.0)
    base, candidate = ([pair[side] for pair in pairs] for side in (0, 1))
    said = decided(base, candidate, rule).verdict
    for fill in (0.0, 1.0):
        whole = decided(
            [1 - fill if value is None else value for value in base],
            [fill if value is None else value for value in candidate],
            rule,
        ).verdict
        assert said in {Verdict.INCONCLUSIVE, whole}


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(outcome, outcome), min_size=2, max_size=40), st.integers(0, 39))
def test_an_outage_never_makes_a_no_go(pairs: list[tuple[Value, Value]], place: int) -> None:
    rule = Rule(margin=0.1, min_coverage=0.0)
    base, candidate = ([pair[side] for pair in pairs] for side in (0, 1))
    before = decided(base, candidate, rule).verdict
    candidate[place % len(candidate)] = None
    after = decided(base, candidate, rule).verdict
    assert after is not Verdict.NO_GO or before is Verdict.NO_GO


def bench(
    verdict: Verdict, difference: float = 0.0, reach: float = 0.01, name: str = "b"
) -> Decided:
    return Decided(
        name=name,
        verdict=verdict,
        reason="",
        margin=0.05,
        confidence=0.95,
        difference=difference,
        lower=difference - reach,
        upper=difference + reach,
        worst=difference,
        best=difference,
    )


@pytest.mark.parametrize(
    ("verdicts", "wanted"),
    [
        ("GG", "GO"),
        ("GI", "INCONCLUSIVE"),
        ("GN", "NO-GO"),
        ("IN", "NO-GO"),
        ("G", "GO"),
        ("I", "INCONCLUSIVE"),
        ("", "INCONCLUSIVE"),
    ],
)
def test_all_must_go(verdicts: str, wanted: str) -> None:
    named = {"G": bench(Verdict.GO), "I": bench(Verdict.INCONCLUSIVE), "N": bench(Verdict.NO_GO)}
    assert (
        settle([named[one] for one in verdicts], Policy(rule=Rule(margin=0.05))).verdict == wanted
    )


def test_the_mean_over_benchmarks_may_have_a_stricter_rule() -> None:
    both = [bench(Verdict.GO, -0.03, name="a"), bench(Verdict.GO, -0.03, name="b")]
    found = pooled(both, Rule(margin=0.05))
    assert found is not None
    assert found.lower == pytest.approx(-0.03 - 0.01 / np.sqrt(2))
    assert settle(both, Policy(rule=Rule(margin=0.05))).verdict is Verdict.GO
    strict = settle(both, Policy(rule=Rule(margin=0.05), overall=Rule(margin=0.01)))
    assert (strict.verdict, strict.reason) == (Verdict.NO_GO, "worse than allowed: overall")
    assert pooled(both[:1], Rule(margin=0.05)) is None


def test_folders_required_benchmarks_and_refusals(tmp_path: Path) -> None:
    for side in ("a", "b"):
        for name in ("one", "two"):
            write_run(tmp_path / side / name, column(RIGHT), benchmark=name, model=side)
    write_run(tmp_path / "b" / "three", column(RIGHT), benchmark="three", model="b")
    policy = Policy(rule=RULE)
    found = gate(tmp_path / "a", tmp_path / "b", policy)
    assert (found.verdict, [one.name for one in found.benchmarks]) == (Verdict.GO, ["one", "two"])
    assert found.overall is not None
    assert "three" in found.notes[0]
    asked = gate(tmp_path / "a", tmp_path / "b", Policy(rule=RULE, require=("three", "two")))
    assert (asked.verdict, asked.reason) == (Verdict.INCONCLUSIVE, "not decided: three, overall")
    other = write_run(
        tmp_path / "c", column(RIGHT), benchmark="one", changed={"benchmark.prompt": "new"}
    )
    with pytest.raises(DataError, match=r"benchmark\.prompt"):
        gate(tmp_path / "a" / "one", other, policy)
    allowed = gate(tmp_path / "a" / "one", other, Policy(rule=RULE, allow=("prompt",)))
    assert allowed.verdict is Verdict.GO
    assert "benchmark.prompt" in allowed.benchmarks[0].allowed[0]


def test_a_benchmark_may_have_a_rule_of_its_own() -> None:
    policy = read_policy(
        {
            "margin": 0.02,
            "confidence": 0.9,
            "benchmarks": {"code": {"margin": 0.1}},
            "overall": {"margin": 0.01},
            "require": ["code"],
            "allow": ["engine"],
        }
    )
    assert policy.of("code") == Rule(margin=0.1, confidence=0.9)
    assert policy.of("other") == Rule(margin=0.02, confidence=0.9)
    assert policy.overall == Rule(margin=0.01, confidence=0.9)


WRONG: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["margin: is missing"]),
    ({"margin": "2"}, ["margin: must be a number, not '2'"]),
    ({"margin": True}, ["margin: must be a number"]),
    (
        {"margin": 0, "confidence": 0.3, "min_coverage": 2},
        [
            "margin: must be above 0",
            "confidence: must be above 0.5",
            "min_coverage: must lie in 0..1",
        ],
    ),
    (
        {"margin": 0.1, "margn": 1, "require": "x", "allow": [1]},
        [
            "margn: is not known",
            "did you mean 'margin'",
            "require: must be a list",
            "allow: must be a list of names; item 0 is 1",
        ],
    ),
    (
        {
            "margin": 0.1,
            "benchmarks": {"a": {"marg": 1, "margin": float("nan")}, "b": 3},
            "overall": {"min_coverage": 1},
        },
        [
            "benchmarks.a.marg: is not known",
            "benchmarks.a.margin: must be above",
            "benchmarks.b: must be a table",
            "overall.min_coverage: is not known",
        ],
    ),
    (
        {"margin": 0.1, "benchmarks": 3, "overall": []},
        ["benchmarks: must be a table", "overall: must be a table"],
    ),
]


@pytest.mark.parametrize(("given", "said"), WRONG)
def test_everything_that_is_wrong_with_a_policy_is_told_at_once(
    given: dict[str, Any], said: list[str]
) -> None:
    with pytest.raises(SpecError) as refused:
        read_policy(given)
    for part in said:
        assert part in str(refused.value)


def test_a_file_that_is_no_policy(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    with pytest.raises(DataError, match="no such file"):
        load_policy(path)
    path.write_text("margin = ", encoding="utf-8")
    with pytest.raises(SpecError, match="not TOML"):
        load_policy(path)

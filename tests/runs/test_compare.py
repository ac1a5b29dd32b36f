"""Runs beside each other: how they are paired, what is refused, and what is told."""

from __future__ import annotations

import itertools
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar

import steelyard
from runs.made_runs import Value, column, write_run
from steelyard.errors import DataError
from steelyard.report.compare_sections import outside, sentences
from steelyard.runs.compare import categories, compare
from steelyard.runs.compare_pairs import Problem, Scored, match_problems

BASE = [1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 1.0] * 6
OTHER = [1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0] * 6


def problems(
    values: dict[str, list[Value]], clusters: dict[str, str] | None = None
) -> dict[str, Problem]:
    return {
        name: Problem(
            None,
            (clusters or {}).get(name),
            [Scored(f"{name}.{place}", value, value == 1) for place, value in enumerate(row)],
        )
        for name, row in values.items()
    }


def test_one_attempt_a_problem(tmp_path: Path) -> None:
    a, b = (
        write_run(tmp_path / "a", column(BASE), model="one"),
        write_run(tmp_path / "b", column(OTHER), model="two"),
    )
    found = steelyard.compare(a, b)
    (one,) = found.results
    assert (one.pairs, one.units, one.losses, one.gains, one.lost, one.gained) == (
        60,
        60,
        18,
        12,
        18,
        12,
    )
    assert one.difference is not None
    assert one.difference.value == pytest.approx(-0.1)
    assert one.test is not None
    assert one.test.p_exact == pytest.approx(mcnemar([[0, 18], [12, 0]], exact=True).pvalue)
    assert one.clustered_by is None
    error = np.std(np.array(OTHER) - np.array(BASE), ddof=1) / np.sqrt(60)
    assert one.detectable == pytest.approx(
        (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) * error, rel=0.01
    )
    assert [(each.category, each.pairs) for each in one.categories] == [("even", 30), ("odd", 30)]


def test_values_between_are_flipped_by_their_signs(tmp_path: Path) -> None:
    a, b = (
        write_run(tmp_path / "a", column([0.5, 0.25, 1, 0.5])),
        write_run(tmp_path / "b", column([1, 0.75, 1, 0.75])),
    )
    (one,) = compare(a, b).results
    assert one.test is not None
    assert one.test.method.startswith("sign-flip")
    assert one.test.p == pytest.approx(0.25)


def test_repeats_are_clustered_by_problem_and_passages_by_passage(tmp_path: Path) -> None:
    rows = [[1.0, 0.0], [1.0, 1.0], [0.0, 0.0], [1.0, 1.0]] * 5
    worse = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]] * 5
    (one,) = compare(write_run(tmp_path / "a", rows), write_run(tmp_path / "b", worse)).results
    assert (one.pairs, one.units, one.clustered_by, one.paired_by) == (40, 20, "problem", "sample")
    passages = [f"passage {place // 4}" for place in range(20)]
    a, b = (
        write_run(tmp_path / "c", rows, clusters=passages),
        write_run(tmp_path / "d", worse, clusters=passages),
    )
    (grouped,) = compare(a, b).results
    assert (grouped.pairs, grouped.units, grouped.clustered_by) == (40, 5, "cluster")
    assert grouped.difference is not None
    assert one.difference is not None
    assert grouped.difference.value == one.difference.value


def test_where_repeats_differ_the_means_of_problems_are_paired() -> None:
    often = problems({"a": [1, 1, 0], "b": [0, None, None], "c": [None]})
    found = match_problems(often, problems({"a": [1], "b": [1], "c": [1]}))
    assert (found.by, found.pairs.n, found.asked) == ("problem", 2, 7)
    assert (found.covered, found.unscored_base, found.unscored_candidate) == (4, 3, 0)
    assert found.pairs.difference == pytest.approx(((1 - 2 / 3) + 1) / 2)
    assert found.worst.difference == pytest.approx(((1 - 2 / 3) + (1 - 2 / 3) + 0) / 3)
    assert found.best.difference == pytest.approx(((1 - 2 / 3) + 1 + 1) / 3)


def test_where_repeats_differ_every_form_has_the_pairs_of_the_headline(tmp_path: Path) -> None:
    dice = np.random.default_rng(3)
    rows = [
        [[float(value) for value in row] for row in dice.integers(0, 2, (40, many))]
        for many in (2, 3)
    ]
    found = compare(
        write_run(tmp_path / "a", rows[0], model="one"),
        write_run(tmp_path / "b", rows[1], model="two"),
    )
    (one,) = found.results
    assert one.difference is not None
    assert one.difference.value == pytest.approx(np.mean(rows[1]) - np.mean(rows[0]))
    means = [each.difference.value for each in one.categories if each.difference]
    assert np.mean(means) == pytest.approx(one.difference.value)
    assert [each.pairs for each in one.categories] == [20, 20]
    assert found.to_pandas()["difference"].mean() == pytest.approx(one.difference.value)
    assert (one.lost, one.gained) == tuple(
        sum(flip.way == way for flip in found.flips()) for way in ("lost", "gained")
    )
    assert one.lost + one.gained > 0


def test_what_one_side_lacks_of_its_repeats_is_told(tmp_path: Path) -> None:
    a = write_run(tmp_path / "a", column([1.0] * 30), model="one")
    b = write_run(tmp_path / "b", [[1.0, None]] * 30, model="two")
    found = compare(a, b)
    assert (found.results[0].coverage.paired, found.results[0].coverage.asked) == (30, 60)
    assert outside(found.results).rows[0][2:4] == ("0", "30")


def test_units_are_numbers_however_long_or_odd_their_names() -> None:
    names = ["s0", "s0\0", "s0\0\0", "cluster s0"]
    found = match_problems(*(problems({name: [value] for name in names}) for value in (1.0, 0.0)))
    assert (found.pairs.units, found.pairs.alone) == (4, True)
    long = {str(n): "x" * (2_000_000 if n == 0 else 1) + str(n // 2) for n in range(300)}
    tracemalloc.start()
    grouped = match_problems(*(problems({name: [1.0] for name in long}, long) for _ in "ab"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert grouped.pairs.units == 151
    assert peak < 10_000_000


def test_every_category_is_told_and_no_sentence_is_made_of_nothing(tmp_path: Path) -> None:
    kinds = {
        str(n): Problem(f"kind {n:03}", None, [Scored(f"{n}.0", 1.0, True)]) for n in range(230)
    }
    assert len(categories(match_problems(kinds, kinds), 0.95)) == 230
    none = compare(
        write_run(tmp_path / "a", column([1, None])), write_run(tmp_path / "b", column([None, 1]))
    )
    assert sentences(none) == ["quiz: no sample has a score in both m (a) and m (b)."]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"confidence": None}, "confidence is None"),
        ({"confidence": "0.9"}, "'0.9'"),
        ({"allow": "nothing"}, "'nothing'"),
    ],
)
def test_arguments_that_cannot_be_are_refused(
    tmp_path: Path, wrong: dict[str, Any], said: str
) -> None:
    a, b = write_run(tmp_path / "a", column(BASE)), write_run(tmp_path / "b", column(OTHER))
    with pytest.raises(DataError, match=said):
        compare(a, b, **wrong)
    assert compare(a, b, allow="all").results


def test_what_has_no_score_is_outside_the_pairs_and_counted(tmp_path: Path) -> None:
    a = write_run(tmp_path / "a", column([1, 1, None, 0, 1]))
    b = write_run(tmp_path / "b", column([1, None, 0, 0, 0]))
    (one,) = compare(a, b).results
    found = one.coverage
    assert (found.asked, found.paired, found.unscored_base, found.unscored_candidate) == (
        5,
        3,
        1,
        1,
    )
    assert one.difference is not None
    assert one.difference.value == pytest.approx(-1 / 3)
    assert (found.worst, found.best) == pytest.approx((-3 / 5, -1 / 5))


def test_bounds_hold_whatever_the_missing_scores_turn_out_to_be() -> None:
    values: list[Value] = [1, None, 0, None, 1]
    others: list[Value] = [0, 1, None, None, 1]
    found = match_problems(
        *(problems({str(n): [value] for n, value in enumerate(row)}) for row in (values, others))
    )
    holes = [
        (side, n)
        for side, row in ((0, values), (1, others))
        for n, value in enumerate(row)
        if value is None
    ]
    seen = []
    for filled in itertools.product((0.0, 0.5, 1.0), repeat=len(holes)):
        whole = [list(values), list(others)]
        for (side, n), value in zip(holes, filled, strict=True):
            whole[side][n] = value
        seen.append(sum(b - a for a, b in zip(*whole, strict=True)) / 5)  # type: ignore[operator]
    assert (min(seen), max(seen)) == pytest.approx((found.worst.difference, found.best.difference))


@pytest.mark.parametrize(
    ("path", "value", "allow"),
    [
        ("engine", "2.0", "engine"),
        ("benchmark.prompt", "Say {q}", "prompt"),
        ("benchmark.dataset", "xyz", "dataset"),
        ("benchmark.scorer.version", "2", "scorer"),
        ("system_prompt", "Be brief.", "system_prompt"),
        ("judge", {"name": "j"}, "judge"),
        ("benchmark.scorer.params", {"a": 1}, "benchmark.scorer"),
        ("engine", "2", "all"),
    ],
)
def test_what_shapes_numbers_must_be_the_same_or_allowed(
    tmp_path: Path, path: str, value: object, allow: str
) -> None:
    a, b = (
        write_run(tmp_path / "a", column(BASE)),
        write_run(tmp_path / "b", column(OTHER), changed={path: value}),
    )
    with pytest.raises(DataError) as refused:
        compare(a, b)
    assert path in str(refused.value)
    assert "--allow" in str(refused.value)
    (one,) = compare(a, b, allow=[allow]).results
    assert [change.split(":")[0].startswith(path) for change in one.allowed] == [True]


def test_the_model_and_its_parameters_are_what_is_compared(tmp_path: Path) -> None:
    changed = {"parameters": {"temperature": 1, "top_p": 0.5}, "seed": 3, "model.url": "x"}
    a, b = (
        write_run(tmp_path / "a", column(BASE)),
        write_run(tmp_path / "b", column(OTHER), model="z", changed=changed),
    )
    assert not compare(a, b).results[0].allowed


def test_other_problems_are_refused_and_where_allowed_counted(tmp_path: Path) -> None:
    a = write_run(tmp_path / "a", column(BASE))
    b = write_run(tmp_path / "b", column(OTHER[:50]))
    with pytest.raises(DataError, match="problems: 60 → 50"):
        compare(a, b)
    (one,) = compare(a, b, allow=["problems"]).results
    assert (one.pairs, one.coverage.only_base, one.coverage.only_candidate) == (50, 10, 0)
    with pytest.raises(DataError, match="did you mean 'prompt'"):
        compare(a, b, allow=["promt"])


def test_order_does_not_matter_and_equal_ids_are_told_apart(tmp_path: Path) -> None:
    ids = ["x", "y", "x", "z"]
    a = write_run(tmp_path / "a", column([1, 0, 0, 1]), ids=ids)
    b = write_run(tmp_path / "b", column([1, 0, 1, 0]), ids=["z", "y", "x", "x"])
    found = compare(a, b)
    assert {
        (row["id"], row["base_value"], row["candidate_value"]) for row in found.frame_rows()
    } == {("x", 1, 1), ("x (2)", 0, 0), ("y", 0, 0), ("z", 1, 1)}


def test_folders_are_matched_by_benchmark_and_corrected_for_each_other(tmp_path: Path) -> None:
    for side, values in (("a", BASE), ("b", OTHER)):
        for name in ("one", "two"):
            write_run(tmp_path / side / name, column(values), benchmark=name, model=side)
    write_run(tmp_path / "b" / "three", column(BASE), benchmark="three", model="b")
    found = compare(tmp_path / "a", tmp_path / "b")
    assert [one.benchmark for one in found.results] == ["one", "two"]
    assert found.notes == ("only the candidate has a run of three",)
    for one in found.results:
        assert one.test is not None
        assert one.test.p_holm == pytest.approx(min(1, 2 * one.test.p))
    write_run(tmp_path / "b" / "again", column(BASE), benchmark="one")
    with pytest.raises(DataError, match="two runs of 'one'"):
        compare(tmp_path / "a", tmp_path / "b")
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="no run in this folder"):
        compare(tmp_path / "a", tmp_path / "empty")
    with pytest.raises(DataError, match="at least one candidate"):
        compare(tmp_path / "a")


def test_flips_have_both_answers(tmp_path: Path) -> None:
    a, b = (
        write_run(tmp_path / "a", column(BASE), answer="left"),
        write_run(tmp_path / "b", column(OTHER), answer="right"),
    )
    found = compare(a, b)
    few = list(found.flips(limit=2))
    assert [flip.way for flip in few] == ["lost", "gained", "lost", "gained"]
    assert (few[0].id, few[0].base.response, few[0].candidate.response) == (
        "p1",
        "left 1",
        "right 1",
    )
    assert (few[0].prompt, few[0].target, few[0].candidate.reason) == ("q 1", "t", "compared")
    assert len(list(found.flips())) == 30


def test_frames_and_the_notebook(tmp_path: Path) -> None:
    values: list[Value] = [*BASE[:-1], None]
    a, b = (
        write_run(tmp_path / "a", column(values), model="<b>one</b>"),
        write_run(tmp_path / "b", column(OTHER), model="two"),
    )
    found = compare(a, b)
    for frame in (found.to_pandas(), found.to_polars()):
        assert len(frame) == 60
        assert frame["difference"].sum() == pytest.approx(-5)
    shown = found._repr_html_()
    assert "not told apart below" in shown
    assert "&lt;b&gt;one" in shown
    assert "<b>" not in shown


def test_no_common_score_is_no_difference(tmp_path: Path) -> None:
    (one,) = compare(
        write_run(tmp_path / "a", column([1, None])), write_run(tmp_path / "b", column([None, 1]))
    ).results
    assert (one.difference, one.test, one.detectable, one.pairs) == (None, None, None, 0)
    assert (one.coverage.worst, one.coverage.best) == (-0.5, 0.5)


def test_passages_that_only_one_side_knows_of_count_both_ways(tmp_path: Path) -> None:
    passages = [f"passage {place // 6}" for place in range(60)]
    known = write_run(tmp_path / "a", column(BASE), clusters=passages)
    plain = write_run(tmp_path / "b", column(OTHER), model="other")
    there, back = compare(known, plain).results[0], compare(plain, known).results[0]
    assert (there.units, back.units, there.clustered_by, back.clustered_by) == (
        10,
        10,
        "cluster",
        "cluster",
    )
    assert there.difference is not None
    assert back.difference is not None
    assert there.difference.lower == pytest.approx(-(back.difference.upper or 0))

"""The page of a comparison: every pair with both answers, the numbers of the comparison, and no text that breaks out."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from report.test_page import HOSTILE, Elements, rows_of, unpacked
from runs.made_runs import Value, column, write_run
from steelyard.report import compare_rows
from steelyard.report.charts.difference import points, scale
from steelyard.report.compare_page import write_comparison_page
from steelyard.report.compare_rows import both, counts, shown
from steelyard.runs.compare import compare
from steelyard.runs.compared import Comparison

BASE: list[Value] = [1.0, 0.0, 1.0, None, 0.0, 1.0, 0.25, 1.0] * 5
BETTER: list[Value] = [1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.75, 1.0] * 5


def page_of(comparison: Comparison, **options: Any) -> Elements:
    out = io.BytesIO()
    write_comparison_page(comparison, out, **options)
    found = Elements(out.getvalue().decode("utf-8"))
    found.inside["page"] = out.getvalue().decode("utf-8")
    return found


@pytest.fixture
def pair(tmp_path: Path) -> Comparison:
    write_run(tmp_path / "a", column(BASE), model="old")
    write_run(tmp_path / "b", column(BETTER), model="new", answer="reply")
    return compare(tmp_path / "a", tmp_path / "b")


def test_every_pair_is_there_with_both_answers(pair: Comparison) -> None:
    found = page_of(pair)
    columns, rows = json.loads(unpacked(found, "columns")), rows_of(found)
    assert columns["outcomes"] == "rgluwrwr" * 5
    assert columns["base_values"][3] == -1
    assert (columns["base_values"][6], columns["candidate_values"][6]) == (0.25, 0.75)
    assert columns["models"] == [["old", "new"]]
    assert len(rows) == 40
    for number, row in enumerate(rows):
        assert row["asked"] == [["user", f"q {number}"]]
        assert (row["base"]["answer"], row["candidate"]["answer"]) == (
            f"answer {number}",
            f"reply {number}",
        )
        assert row["target"] == "t"


def test_the_counts_are_those_of_the_comparison(pair: Comparison) -> None:
    one = pair.results[0]
    found = counts(pair.runs[0][2].rows)
    assert (found["lost"], found["gained"]) == (one.lost, one.gained)
    assert found["no score"] == one.coverage.asked - one.coverage.paired
    page = page_of(pair).inside["page"]
    assert points(one.difference.value) in page  # type: ignore[union-attr]
    assert "cannot be told apart with 35 problems" in page
    assert "Outside the pairs" in page
    assert "steelyard compare BASE CANDIDATE" in page


@pytest.mark.parametrize(
    ("base", "candidate", "drawn", "words"),
    [
        ([1.0, 0.0, 1.0], [0.0, 1.0, 1.0], True, "<b>Hatched: </b>differences below"),
        ([1.0], [0.0], True, ">One problem says nothing about others."),
        ([1.0, 0.0], [None, None], False, "No sample has a score in both old and new."),
    ],
)
def test_a_headline_draws_and_says_only_what_there_is(
    tmp_path: Path, base: list[Value], candidate: list[Value], drawn: bool, words: str
) -> None:
    write_run(tmp_path / "a", column(base), model="old")
    write_run(tmp_path / "b", column(candidate), model="new")
    page = page_of(compare(tmp_path / "a", tmp_path / "b")).inside["page"]
    head = page[page.index('class="headline"') :].partition("</section>")[0]
    assert ('class="drawn"' in head) is drawn
    assert words in head
    assert ("Hatched" in head) is ("Hatched" in words)


def test_several_benchmarks_have_one_chart_and_corrected_p_values(tmp_path: Path) -> None:
    for side, values in (("a", BASE), ("b", BETTER)):
        for name in ("first", "second"):
            write_run(tmp_path / side / name, column(values), model=side, benchmark=name)
    found = page_of(compare(tmp_path / "a", tmp_path / "b"))
    assert "p (Holm)" in found.inside["page"]
    columns = json.loads(unpacked(found, "columns"))
    assert columns["result_names"] == ["first", "second"]
    assert columns["results"] == [1] * 40 + [2] * 40
    assert [number for number, row in enumerate(rows_of(found)) if "asked" not in row] == []


def test_the_same_model_twice_is_told_apart_by_its_folders(tmp_path: Path) -> None:
    for side, warm in (("cold", 0), ("warm", 1)):
        write_run(
            tmp_path / side, column(BASE), model="m", changed={"parameters.temperature": warm}
        )
    page = page_of(compare(tmp_path / "cold", tmp_path / "warm")).inside["page"]
    assert "m (warm) and m (cold) cannot be told apart here." in page


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_hostile_becomes_an_element(tmp_path: Path, text: str) -> None:
    pages = []
    for place, name in enumerate((text, "harmless")):
        ids = [f"{name} {n}" for n in range(len(BASE))]
        folders = [tmp_path / f"{place}{side}" for side in "ab"]
        for folder, values in zip(folders, (BASE, BETTER), strict=True):
            write_run(
                folder,
                column(values),
                model=f"{name} {folder.name[1]}",
                benchmark=name,
                answer=name,
                ids=ids,
            )
        pages.append(page_of(compare(*folders)))
    bad, good = pages
    assert [tag for tag, _ in bad.seen] == [tag for tag, _ in good.seen]
    assert [sorted(attributes) for _, attributes in bad.seen] == [
        sorted(attributes) for _, attributes in good.seen
    ]
    assert bad.inside["script"] == good.inside["script"]
    assert rows_of(bad)[0]["base"]["answer"] == f"{text} 0"


def test_where_there_are_very_many_only_what_differs_is_kept(
    pair: Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compare_rows, "MOST_ALIKE", 10)
    found = shown(pair)
    assert (found.total, found.left_out) == (20, 20)
    page = page_of(pair)
    assert "20 samples that came out alike" in page.inside["page"]
    assert set(json.loads(unpacked(page, "columns"))["outcomes"]) == set("gluw")


def test_samples_in_another_order_are_found(tmp_path: Path) -> None:
    ids = [f"p{n}" for n in range(len(BASE))]
    write_run(tmp_path / "a", column(BASE), ids=ids)
    write_run(tmp_path / "b", column(BETTER[::-1]), ids=ids[::-1], model="n")
    comparison = compare(tmp_path / "a", tmp_path / "b")
    base, candidate, matched = comparison.runs[0]
    assert [(one.id, other.id) for _, one, other in both(base, candidate, matched.rows)] == [
        (name, name) for name in ids
    ]


@given(st.lists(st.floats(-1, 1), max_size=8))
def test_a_scale_holds_all_that_it_was_made_for(values: list[float]) -> None:
    found = scale(values)
    assert all(-found.reach <= one <= found.reach for one in [*values, *found.ticks])
    places = [found.place(one) for one in sorted(values)]
    assert places == sorted(places)
    assert found.place(0.0) == 0.5
    assert len(found.ticks) >= 3

"""Runs as data frames and in a notebook."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

from commands import Commands
from runs.support import TOTAL, Bench
from steelyard import open_run
from steelyard.errors import EngineError
from steelyard.metrics import Interval, category_breakdown, learning_curve, wilson_interval
from steelyard.models.mock_plan import Rule
from steelyard.runs.frames import SAMPLE_COLUMNS, Framed
from steelyard.runs.opened import Run

WHOLE = {name for name, kind in SAMPLE_COLUMNS.items() if kind == "whole"}


@pytest.fixture
def run(bench: Bench, tmp_path: Path, steelyard: Commands) -> Run:
    bench.plan(Rule(contains="What is 7 + 7?", do="status", status=400))
    assert steelyard(*bench.args(tmp_path / "out", judge=True)).code == 3
    return open_run(tmp_path / "out")


def test_a_frame_has_one_row_a_sample(run: Run) -> None:
    pandas, polars, samples = run.to_pandas(), run.to_polars(), list(run.samples())
    assert len(pandas) == len(polars) == TOTAL
    assert list(pandas.columns) == polars.columns == list(SAMPLE_COLUMNS)
    for place, row in enumerate(samples):
        for frame_row in (pandas.iloc[place].to_dict(), polars.row(place, named=True)):
            assert (frame_row["key"], frame_row["response"] if row.response else None) == (
                row.key,
                row.response,
            )
            value = frame_row["value"]
            assert (None if value is None or value != value else value) == row.value
    assert polars["correct"].null_count() == 1
    assert polars["value"].mean() == pytest.approx(run.results["headline"]["value"])
    assert float(pandas["value"].mean()) == pytest.approx(run.results["headline"]["value"])


def test_types_are_what_one_expects(run: Run) -> None:
    pandas, polars = run.to_pandas(), run.to_polars()
    for name, kind in SAMPLE_COLUMNS.items():
        want = {
            "text": pl.String,
            "whole": pl.Int64,
            "number": pl.Float64,
            "yes or no": pl.Boolean,
        }[kind]
        assert polars.schema[name] == want, name
    assert {name for name in pandas if pandas[name].dtype == pd.Int64Dtype()} == WHOLE
    assert isinstance(pandas["correct"].dtype, pd.BooleanDtype)
    assert isinstance(pandas["category"].dtype, pd.StringDtype)


class Rows(Framed):
    """Any rows at all."""

    def __init__(self, count: int) -> None:
        self.count = count

    def frame_columns(self) -> dict[str, str]:
        return {"n": "whole", "name": "text"}

    def frame_rows(self) -> Iterator[dict[str, Any]]:
        return ({"n": n} if n % 2 else {"n": None, "name": str(n)} for n in range(self.count))


@pytest.mark.parametrize("count", [0, 1, 4096, 4097, 10_000])
def test_any_number_of_rows_and_missing_cells(count: int) -> None:
    found = Rows(count).to_polars()
    assert found.shape == (count, 2)
    assert found["n"].null_count() == (count + 1) // 2
    assert len(Rows(count).to_pandas()) == count


@pytest.mark.parametrize("missing", ["pandas", "polars"])
def test_a_missing_extra_is_told_in_one_line(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.import_module

    def without(name: str, *more: Any) -> Any:
        if name == missing:
            raise ImportError(name)
        return real(name, *more)

    monkeypatch.setattr(importlib, "import_module", without)
    with pytest.raises(
        EngineError, match=rf"^{missing} is not installed: pip install 'steelyard\[frames\]'$"
    ):
        getattr(Rows(3), f"to_{missing}")()


class Tags(HTMLParser):
    """The tags and the text of a piece of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_notebook_shows_a_run(run: Run) -> None:
    shown = Tags(run._repr_html_())
    for text in (
        "mixed",
        "scored / total",
        f"{TOTAL - 1} / {TOTAL}",
        f"{run.results['headline']['value']:.4f}",
    ):
        assert text in shown.text
    assert shown.tags.count("table") == 1


def test_what_stands_in_a_table_stays_text() -> None:
    evil = "<script>alert(1)</script>" * 20
    rows = [{"reward": 1.0, "metadata": {"k": evil}}, {"reward": None, "metadata": {"k": "b"}}]
    found = Tags(category_breakdown(rows, "k")._repr_html_())
    assert "script" not in found.tags
    assert "<script>" in found.text
    assert len(found.text) < 600
    shown = Interval(value=0.5, lower=None, upper=None, n=1, method='"><script>')._repr_html_()
    assert Tags(shown).tags == ["span"]
    assert "0.6667 [0.2077, 0.9385]" in wilson_interval(2, 3)._repr_html_()
    assert "1.0000" in Tags(learning_curve([[1, 0], [1, 0]])._repr_html_()).text
    assert category_breakdown([], "k")._repr_html_() == "<p>no rows</p>"
    many = category_breakdown([{"reward": 1, "metadata": {"k": n}} for n in range(60)], "k")
    assert "… and 10 more" in many._repr_html_()

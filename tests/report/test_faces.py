"""The same run in every form; those for other programs are held against files."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from pathlib import Path

import pytest

from commands import Commands
from report.almanac import make_run
from report.golden import is_as_it_was
from report.made import told
from steelyard.report.run_data import run_csv
from steelyard.report.run_sections import sections


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("faces"))


@pytest.mark.parametrize("form", ["md", "csv", "json", "terminal"])
def test_each_form_is_as_it_was(run: Path, form: str, steelyard: Commands) -> None:
    done = steelyard("eval", "report", run, "--format", form)
    assert done.code == 0, done.err
    is_as_it_was(done.out, f"almanac.{'txt' if form == 'terminal' else form}")


def test_all_forms_have_the_same_headline(run: Path, steelyard: Commands) -> None:
    found = json.loads(steelyard("eval", "report", run, "--format", "json").out)
    value = found["headline"]["value"]
    rows = list(
        csv.DictReader(io.StringIO(steelyard("eval", "report", run, "--format", "csv").out))
    )
    assert [float(row["value"]) for row in rows if row["section"] == "headline"] == [value]
    assert f"{value:.4f}" in steelyard("eval", "report", run, "--format", "md").out
    assert f"{value:.4f}" in steelyard("eval", "report", run, "--format", "terminal").out
    assert f'class="value">{value:.3f}<' in (run / "report.html").read_text(encoding="utf-8")


def test_a_file_gets_the_form_of_its_name(run: Path, tmp_path: Path, steelyard: Commands) -> None:
    named = {
        "a.csv": "section,",
        "a.json": "{",
        "a.md": "# almanac",
        "a.html": "<!doctype",
        "a.txt": "benchmark",
    }
    for name, begins in named.items():
        assert steelyard("eval", "report", run, "-o", tmp_path / name).code == 0
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)
    refused = steelyard("eval", "report", run, "--format", "pdf")
    assert (refused.code, "html, md, csv, json or terminal" in refused.err) == (2, True)
    assert steelyard("eval", "report", run, "-o", tmp_path / "a.docx").code == 2


def test_times_are_told_where_they_are_asked_for(
    run: Path, tmp_path: Path, steelyard: Commands
) -> None:
    plain = (run / "report.html").read_bytes()
    timed = json.loads(steelyard("eval", "report", run, "--format", "json", "--timings").out)
    assert timed["latency"]["replies"] == 101
    assert "seconds a reply" in steelyard("eval", "report", run, "--format", "md", "--timings").out
    assert steelyard("eval", "report", run).code == 0
    assert (run / "report.html").read_bytes() == plain


def test_a_calibration_beside_the_run_is_told(
    run: Path, tmp_path: Path, steelyard: Commands
) -> None:
    rate = {"value": 0.9, "ci_lower": 0.8, "ci_upper": 0.95, "n": 40, "method": "wilson"}
    known = {
        "judge": {"name": "referee"},
        "answers": {"judged": 40, "agreement": rate, "tpr": rate, "kappa": None},
    }
    (tmp_path / "known.json").write_text(json.dumps(known), encoding="utf-8")
    assert (
        steelyard(
            "eval",
            "report",
            run,
            "--calibration",
            tmp_path / "known.json",
            "-o",
            tmp_path / "r.html",
        ).code
        == 0
    )
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "referee, held against 40 labels." in page
    assert "0.800 – 0.950" in page
    assert "say nothing" not in page  # it is the judge of this run
    (tmp_path / "none.json").write_text("[]", encoding="utf-8")
    refused = steelyard(
        "eval", "report", run, "--calibration", tmp_path / "none.json", "-o", tmp_path / "r.html"
    )
    assert refused.code == 2
    assert "is no calibration" in refused.err


def test_nothing_is_written_where_one_of_two_reports_cannot_be(
    run: Path, tmp_path: Path, steelyard: Commands
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(run, copy)
    for name in ("report.md", "report.html"):
        (copy / name).unlink()
    before = sorted(path.name for path in copy.iterdir())
    refused = steelyard("eval", "report", copy, "--calibration", tmp_path / "nope.json")
    assert (refused.code, "nope.json" in refused.err, refused.out) == (2, True, "")
    scores = copy / "scores.jsonl"
    scores.write_text(
        scores.read_text(encoding="utf-8").replace('"value":1.0', '"value":5', 1), encoding="utf-8"
    )
    for words in (["eval", "report", copy], ["compare", copy, run]):
        refused = steelyard(*words)
        assert refused.code == 2
        assert re.search(r"scores\.jsonl:\d+: cannot be read: the value is 5;", refused.err)
    assert sorted(path.name for path in copy.iterdir()) == before


@pytest.mark.parametrize(
    ("reasons", "want"),
    [
        (12, []),
        (13, [("1", "… for 1 other reason")]),
        (40, [("1,204", "… for 28 other reasons")]),
    ],
)
def test_reasons_that_are_left_out_are_counted(reasons: int, want: list[tuple[str, str]]) -> None:
    counted = {f"reason {number}": 43 if reasons == 40 else 1 for number in range(reasons)}
    about = told(3, coverage={"reasons": counted, "truncated": 0})
    rows = next(
        one.rows
        for one in sections(about.results, about.failures)
        if one.title == "without a score"
    )
    assert list(rows[12:]) == want


def test_a_name_that_looks_like_a_formula_is_none_in_a_spreadsheet() -> None:
    about = told(3, benchmark="=cmd()", model="@x")
    rows = list(csv.DictReader(io.StringIO(run_csv(about.results, about.failures))))
    assert [row["value"] for row in rows[:2]] == ["'=cmd()", "'@x"]

"""Benchmarks by name, entry point and folder."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from steelyard.bench import list_benchmarks, load_benchmark
from steelyard.errors import DataError, SpecError

MANIFEST = """
name = "mine"
description = "capitals"
dataset = "rows.csv"
prompt = "prompt.txt"
target_field = "city"
category_field = "part"
scorer = "fuzzy_match"
repeats = 2
licence = "CC0"
"""
SPEC = """{"name": "two fields", "dimensions": [
  {"name": "city", "weight": 0.5, "primitive": "exact_match", "field": "city"},
  {"name": "people", "weight": 0.5, "primitive": "exact_match", "field": "people"}]}"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "benchmark.toml").write_text(MANIFEST, encoding="utf-8")
    (tmp_path / "prompt.txt").write_text("Capital of {land}?\n", encoding="utf-8")
    (tmp_path / "rows.csv").write_text(
        "land,city,part\nFrance,Paris,Europe\nPeru,Lima,America\n", encoding="utf-8"
    )
    return tmp_path


def test_a_folder_with_a_manifest_is_a_benchmark(folder: Path) -> None:
    for name in (folder, str(folder), folder / "benchmark.toml"):
        found = load_benchmark(name)
        assert (found.name, found.description, found.repeats, found.licence) == (
            "mine",
            "capitals",
            2,
            "CC0",
        )
        first = found.problems()[0]
        assert (first.prompt, first.target, first.metadata["category"]) == (
            "Capital of France?",
            "Paris",
            "Europe",
        )


def test_other_rows_can_take_the_place_of_its_own(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "more.jsonl").write_text(
        '{"land": "Chad", "city": "N\'Djamena", "part": "Africa"}', encoding="utf-8"
    )
    monkeypatch.chdir(elsewhere)
    assert load_benchmark(folder, dataset="more.jsonl").problems()[0].target == "N'Djamena"


def test_a_scorer_may_stand_in_a_file_beside_the_manifest(folder: Path) -> None:
    (folder / "own.py").write_text(
        "def loud(sample):\n    return sample.response.isupper()\n", encoding="utf-8"
    )
    (folder / "benchmark.toml").write_text(
        MANIFEST.replace("fuzzy_match", "own.py:loud"), encoding="utf-8"
    )
    found = load_benchmark(folder)
    assert [found.score(found.problems()[0], text).value for text in ("PARIS", "Paris")] == [
        1.0,
        0.0,
    ]


def test_a_spec_may_score_the_json_in_the_response(folder: Path) -> None:
    (folder / "spec.json").write_text(SPEC, encoding="utf-8")
    (folder / "benchmark.toml").write_text(
        MANIFEST.replace('scorer = "fuzzy_match"', 'spec = "spec.json"').replace(
            "rows.csv", "rows.jsonl"
        ),
        encoding="utf-8",
    )
    (folder / "rows.jsonl").write_text(
        '{"land": "Peru", "part": "America", "truth": {"city": "Lima", "people": 10}}',
        encoding="utf-8",
    )
    found = load_benchmark(folder)
    problem = found.problems()[0]
    replies = ('{"city": "Lima", "people": 10}', 'So: {"city": "Lima", "people": 9}', "Lima", "")
    assert [found.score(problem, reply).value for reply in replies] == [1.0, 0.5, 0.0, 0.0]


BAD = {
    "naem = 'x'": "naem: is not known; did you mean 'name'",
    "repeats = 'two'": "repeats: must be a whole number",
    "params = 3": "params: must be a table",
    "messages = 'x'": "prompt: either this or 'messages'",
    "spec = 'x.json'": "scorer: either this or 'spec'",
    "name": "not TOML",
    "[judge]\nmax_scor = 5": "judge.max_scor: a judge has no setting of that name; did you mean 'max_score'",
    "[params]\nletters = 'A-E'": "fuzzy_match has no parameter 'letters'",
}


@pytest.mark.parametrize("line", BAD)
def test_a_manifest_that_cannot_be_used_is_told_with_its_file(line: str, folder: Path) -> None:
    text = MANIFEST.replace("repeats = 2\n", "") if line.startswith("repeats") else MANIFEST
    (folder / "benchmark.toml").write_text(text + line + "\n", encoding="utf-8")
    with pytest.raises((SpecError, DataError)) as wrong:
        load_benchmark(folder)
    assert BAD[line] in str(wrong.value)
    assert "benchmark.toml" in str(wrong.value)


def test_all_that_is_missing_is_told_at_once(folder: Path) -> None:
    (folder / "benchmark.toml").write_text('title = "x"\n', encoding="utf-8")
    with pytest.raises(SpecError) as wrong:
        load_benchmark(folder)
    assert len(wrong.value.problems) == 5


def test_an_unknown_name_brings_the_nearest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SpecError, match="did you mean 'choices'"):
        load_benchmark("choises")
    with pytest.raises(SpecError, match="there are arithmetic, choices, code"):
        load_benchmark("qqqqqqqq")
    with pytest.raises(SpecError, match="there is no such folder"):
        load_benchmark("./gone")
    with pytest.raises(SpecError, match=r"there is no benchmark\.toml in it"):
        load_benchmark(tmp_path)
    with pytest.raises(SpecError, match="there is no such file"):
        load_benchmark("gone.py")


def test_a_package_may_bring_benchmarks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package as pip leaves it: a module, and its entry points in its metadata."""
    (tmp_path / "brought_benchmarks.py").write_text(
        "from steelyard.bench import make_benchmark\n"
        "sums = make_benchmark('sums', [{'q': '1+1', 'target': 2}], '{q}', 'numeric_match')\nnothing = 3\n",
        encoding="utf-8",
    )
    about = tmp_path / "brought-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: brought\nVersion: 1.0\n", encoding="utf-8"
    )
    points = "[steelyard.benchmarks]\nsums = brought_benchmarks:sums\nempty = brought_benchmarks:nothing\n"
    (about / "entry_points.txt").write_text(
        points + "broken = no_such_module:x\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "brought_benchmarks", raising=False)
    assert load_benchmark("sums").problems()[0].target == "2"
    assert ("sums", "brought") in [(listed.name, listed.origin) for listed in list_benchmarks()]
    with pytest.raises(SpecError, match="is no benchmark"):
        load_benchmark("empty")
    with pytest.raises(SpecError, match="cannot be used: ModuleNotFoundError"):
        load_benchmark("broken")


def test_what_can_be_asked_for_is_listed() -> None:
    listed = {one.name: one for one in list_benchmarks()}
    bundled = {name for name, one in listed.items() if one.origin == "bundled"}
    assert bundled == {"arithmetic", "choices", "code", "extraction", "languages", "open", "trivia"}
    assert {"healthbench", "humaneval", "simpleqa"} <= listed.keys()
    assert all(one.description for one in listed.values() if one.origin in {"bundled", "published"})


def test_rows_that_a_file_of_ones_own_names_and_that_are_not_there_are_told_plainly(
    tmp_path: Path,
) -> None:
    made = 'benchmark(name="x", dataset="gone.jsonl", prompt="{q}", target_field="a")(lambda sample: 1)'
    (tmp_path / "own.py").write_text(
        f"from steelyard.bench import benchmark\n{made}\n", encoding="utf-8"
    )
    with pytest.raises(
        SpecError, match=r"own\.py:2: cannot be loaded: \S*gone\.jsonl: there is no such file$"
    ):
        load_benchmark(tmp_path / "own.py")

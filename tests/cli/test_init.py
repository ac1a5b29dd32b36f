"""``steelyard init``: what it writes works, and what is there stays."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from commands import Commands


def test_the_scorer_gives_each_case_what_it_expects(steelyard: Commands, tmp_path: Path) -> None:
    assert steelyard("init", "scorer", "shout", "--dir", tmp_path).code == 0
    output = tmp_path / "out.jsonl"
    scorer, cases = tmp_path / "shout.py", tmp_path / "shout.cases.jsonl"
    assert steelyard("score", "--scorer", f"{scorer}:shout", cases, "--output", output).code == 0
    expected = [json.loads(line)["metadata"]["expect"] for line in cases.read_text().splitlines()]
    found = [json.loads(line)["correct"] for line in output.read_text().splitlines()]
    assert found == [word == "right" for word in expected]
    assert {"right", "wrong"} == set(expected)


@pytest.mark.parametrize("kind", ["spec", "test-suite", "custom-script"])
def test_the_spec_is_clean(kind: str, steelyard: Commands, tmp_path: Path) -> None:
    assert steelyard("init", kind, "heist", "--dir", tmp_path).code == 0
    truth = ["--truth", tmp_path / "heist.truth.json"] if kind != "test-suite" else []
    ran = steelyard("lint", tmp_path / "heist.json", *truth)
    assert ran.code == 0, ran.out + ran.err


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["spec", "test-suite", "custom-script"])
def test_the_spec_gives_each_case_what_it_expects(
    kind: str, steelyard: Commands, tmp_path: Path
) -> None:
    assert steelyard("init", kind, "mine", "--dir", tmp_path).code == 0
    output = tmp_path / "out.jsonl"
    spec, cases = tmp_path / "mine.json", tmp_path / "mine.cases.jsonl"
    assert steelyard("score", "--spec", spec, cases, "--output", output).code == 0
    expected = [json.loads(line)["metadata"]["expect"] for line in cases.read_text().splitlines()]
    found = [json.loads(line)["value"] * 1000 for line in output.read_text().splitlines()]
    assert found == pytest.approx(expected, abs=1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["scorer", "spec", "test-suite", "custom-script", "challenge"])
def test_the_commands_it_names_can_be_pasted(
    kind: str, steelyard: Commands, tmp_path: Path
) -> None:
    folder = tmp_path / "with a space"
    ran = steelyard("init", kind, "--dir", folder)
    commands = [line for line in ran.out.splitlines() if line.startswith("  steelyard ")]
    assert len(commands) == 2
    for line in commands:
        done = steelyard(*shlex.split(line)[1:])
        assert done.code == 0, done.out + done.err


@pytest.mark.parametrize("kind", ["scorer", "spec", "test-suite", "custom-script"])
def test_what_is_there_is_not_replaced(kind: str, steelyard: Commands, tmp_path: Path) -> None:
    kept = tmp_path / "mine.cases.jsonl"
    kept.write_text("precious")
    ran = steelyard("init", kind, "mine", "--dir", tmp_path)
    assert ran.code == 2
    assert "mine.cases.jsonl is already there" in ran.err
    assert [path.name for path in tmp_path.iterdir()] == [kept.name]
    assert kept.read_text() == "precious"
    assert steelyard("init", kind, "mine", "--dir", tmp_path, "--force").code == 0
    assert kept.read_text() != "precious"


@pytest.mark.parametrize(
    "name", ["", "two words", "../up", "class", "1st", "a-b", "ünï", "a/b", "{{name}}"]
)
def test_a_name_that_cannot_be_one_is_refused(
    name: str, steelyard: Commands, tmp_path: Path
) -> None:
    ran = steelyard("init", "scorer", name, "--dir", tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert "cannot be a name" in ran.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_a_name_that_is_taken_is_refused(
    force: list[str], steelyard: Commands, tmp_path: Path
) -> None:
    ran = steelyard("init", "scorer", "exact_match", "--dir", tmp_path, *force)
    assert (ran.code, ran.out) == (2, "")
    assert "there is already a scorer 'exact_match'" in ran.err
    assert not list(tmp_path.iterdir())
    assert (
        steelyard("init", "spec", "exact_match", "--dir", tmp_path).code == 0
    )  # which is a file and no scorer


@pytest.mark.parametrize("name", ["full", "zero", "scorer", "Score", "bool"])
def test_a_name_that_the_file_itself_uses_is_refused(
    name: str, steelyard: Commands, tmp_path: Path
) -> None:
    ran = steelyard("init", "scorer", name, "--dir", tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert f"'{name}' cannot be the name" in ran.err
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_is_an_error(steelyard: Commands, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = steelyard("init", "scorer", "--dir", tmp_path / "file" / "below")
    assert ran.code == 2
    assert "cannot be written" in ran.err


def test_an_unknown_kind_is_a_usage_error(steelyard: Commands) -> None:
    assert steelyard("init", "castle").code == 2

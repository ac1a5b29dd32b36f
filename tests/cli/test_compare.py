"""``steelyard compare``, ``gate`` and ``plan`` at the command line: what they print, write and end with."""

from __future__ import annotations

import csv
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from commands import Commands
from runs.made_runs import Value, column, write_run

HOSTILE = "</script><img src=x onerror=alert(1)>|`\x1b[31m"
BASE: list[Value] = [1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 1.0] * 20


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_run(tmp_path / "a", column(BASE), model="old")
    write_run(tmp_path / "same", column(BASE), model="new")
    write_run(
        tmp_path / "worse",
        column([0.0 if n % 4 == 0 else value for n, value in enumerate(BASE)]),
        model="worse",
    )
    write_run(
        tmp_path / "torn",
        column([None if n % 8 == 0 else value for n, value in enumerate(BASE)]),
        model="torn",
    )
    write_run(
        tmp_path / "hostile",
        column([1 - (value or 0) for value in BASE]),
        model=HOSTILE,
        answer=HOSTILE,
    )
    return tmp_path


def test_the_terminal_says_which_is_better_and_from_where_on(
    runs: Path, steelyard: Commands
) -> None:
    done = steelyard("compare", "a", "worse", "--flips", 1)
    assert done.code == 0
    for said in (
        "worse is 0.1000 worse than old (p = <0.0001)",
        "points cannot be told apart with 200 problems",
        "20 / 0",
        "200 / 200",
        "1 of 20 that worse lost",
        "target: t",
        "old: answer 0",
        "worse: answer 0",
        "by category",
    ):
        assert said in done.out
    assert "old cannot be told apart here" in steelyard("compare", "a", "same").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["compare", "a", "same", "-o", "."], "is a folder"),
        (["gate", "--margin", "0.1", "a", "a", "--junit", "."], "is a folder"),
        (["compare", "a", "same", "-o", "c.pdf"], "asks for no form"),
        (["compare", "a", "same", "-o", "c"], "asks for no form"),
    ],
)
def test_a_place_that_nothing_can_be_written_to_is_told_at_once(
    runs: Path, words: list[str], said: str, steelyard: Commands
) -> None:
    done = steelyard(*words)
    assert (done.code, said in done.err, done.out) == (2, True, "")
    assert steelyard("compare", "a", "same", "-o", "named", "--csv").code == 0


@pytest.mark.slow
def test_nearly_certain_is_not_certain(runs: Path, steelyard: Commands) -> None:
    assert "99.999% of the time" in steelyard("plan", "--effect", "0.1", "--power", "0.99999").out
    Path("sure.toml").write_text("margin = 0.1\nconfidence = 0.9999999", encoding="utf-8")
    assert "99.99999%" in steelyard("gate", "--policy", "sure.toml", "a", "same").out


def test_too_little_to_compare_is_told_in_plain_words(runs: Path, steelyard: Commands) -> None:
    for name, values, clusters in (
        ("two", [1.0, 0.0], None),
        ("one", [1.0], None),
        ("passage", [1.0, 0.0, 1.0], ["p"] * 3),
    ):
        write_run(runs / name, column(list(values)), model="old", clusters=clusters)
        write_run(
            runs / f"{name}-b",
            column([1 - value for value in values]),
            model="new",
            clusters=clusters,
        )
    assert (
        "Differences below 100 points cannot be told apart with 2 problems"
        in steelyard("compare", "two", "two-b").out
    )
    assert "One problem says nothing about others" in steelyard("compare", "one", "one-b").out
    assert (
        "One passage says nothing about others" in steelyard("compare", "passage", "passage-b").out
    )


def test_what_has_no_score_is_told(runs: Path, steelyard: Commands) -> None:
    out = steelyard("compare", "a", "torn").out
    assert "175 / 200" in out
    assert "outside the pairs" in out


def test_json_csv_and_files(runs: Path, steelyard: Commands) -> None:
    told = json.loads(steelyard("compare", "a", "worse", "same", "--json", "--flips", 2).out)
    assert [one["candidate"]["model"] for one in told["results"]] == ["worse", "new"]
    assert [len(one["flips"]) for one in told["results"]] == [2, 0]
    assert told["results"][0]["flips"][0]["base"]["response"] == "answer 0"
    rows = list(csv.DictReader(steelyard("compare", "a", "worse", "--csv").out.splitlines()))
    assert len(rows) == 200
    assert {row["flip"] for row in rows} == {"", "lost"}
    for name in ("c.json", "c.md", "c.csv", "c.html", "c.txt"):
        assert steelyard("compare", "a", "worse", "-o", name).code == 0
        assert Path(name).stat().st_size > 500
    assert json.loads(Path("c.json").read_text(encoding="utf-8"))["confidence"] == 0.95


@pytest.mark.parametrize("form", ["", "--markdown", "--html", "--csv", "--json"])
def test_an_answer_stays_text(runs: Path, steelyard: Commands, form: str) -> None:
    out = steelyard("compare", "a", "hostile", *([form] if form else [])).out
    assert "\x1b" not in out
    if form in {"--markdown", "--html"}:
        assert "<img" not in out.replace("\\<img", "")


def test_what_cannot_be_compared_ends_with_2(runs: Path, steelyard: Commands) -> None:
    write_run(runs / "other", column(BASE), changed={"benchmark.prompt": "Please: {q}"})
    done = steelyard("compare", "a", "other")
    assert (done.code, done.out) == (2, "")
    assert 'benchmark.prompt: "{q}" → "Please: {q}"' in done.err
    allowed = steelyard("compare", "a", "other", "--allow", "prompt")
    assert allowed.code == 0
    assert "allowed to differ (quiz): benchmark.prompt" in allowed.out


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["compare", "a"], "at least one candidate"),
        (["compare", "a", "nowhere"], "nowhere"),
        (["compare", "a", "same", "--json", "--csv"], "choose one"),
        (["compare", "a", "same", "--confidence", 1], "confidence"),
        (["gate", "a", "same"], "--policy"),
        (["gate", "--margin", 0.1, "a"], "the base and the candidate"),
        (["gate", "--margin", 2, "a", "same"], "margin: must be above 0"),
        (["gate", "--policy", "no.toml", "a", "same"], "no such file"),
        (["plan", "--effect", 0], "effect"),
        (["plan", "--effect", 0.1, "--clusters", "5"], "SIZE,ICC"),
        (["plan", "--effect", 0.1, "--base-rate", 1], "--base-rate"),
        (["plan", "--effect", 0.1, "--from", "nowhere"], "nowhere"),
    ],
)
def test_bad_input_ends_with_2(
    runs: Path, steelyard: Commands, args: list[object], said: str
) -> None:
    done = steelyard(*args)
    assert done.code == 2, done.out + done.err
    assert said in done.err
    assert "bug" not in done.err


@pytest.mark.parametrize(
    ("candidate", "code", "verdict"),
    [("same", 0, "GO"), ("worse", 1, "NO-GO"), ("torn", 4, "INCONCLUSIVE")],
)
def test_the_gate_ends_as_its_verdict_says(
    runs: Path, steelyard: Commands, candidate: str, code: int, verdict: str
) -> None:
    done = steelyard("gate", "--margin", 0.05, "a", candidate, "--junit", "junit.xml")
    assert done.code == code, done.err
    assert done.out.startswith(f"{verdict} ")
    told = steelyard("gate", "--margin", 0.05, "a", candidate, "--json")
    assert (told.code, json.loads(told.out)["verdict"]) == (code, verdict)
    suite = ElementTree.parse("junit.xml").getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == (
        "1",
        str(int(code == 1)),
        str(int(code == 4)),
    )


def test_junit_can_say_any_name(runs: Path, steelyard: Commands) -> None:
    for side in ("x", "y"):
        write_run(runs / side, column(BASE), benchmark=f"quiz {HOSTILE}\x00")
    assert steelyard("gate", "--margin", 0.05, "x", "y", "--junit", "junit.xml").code == 0
    case = ElementTree.parse("junit.xml").getroot().find(".//testcase")
    assert case is not None
    assert case.get("name") == "quiz </script><img src=x onerror=alert(1)>|`\ufffd[31m\ufffd"


def test_a_first_policy_works(runs: Path, steelyard: Commands) -> None:
    assert steelyard("gate", "--init", "policy.toml").code == 0
    assert steelyard("gate", "--policy", "policy.toml", "a", "same").code == 0
    again = steelyard("gate", "--init", "policy.toml")
    assert (again.code, "already there" in again.err) == (2, True)
    Path("policy.toml").write_text("margin = 2\nmore = 1\n", encoding="utf-8")
    wrong = steelyard("gate", "--policy", "policy.toml", "a", "same")
    assert wrong.code == 2
    assert "margin" in wrong.err
    assert "more: is not known" in wrong.err


@pytest.mark.slow
def test_a_plan_says_what_it_assumes(runs: Path, steelyard: Commands) -> None:
    out = steelyard("plan", "--effect", 0.1, "--base-rate", 0.8).out
    for said in (
        "base rate: 0.8 (given)",
        "correlation: 0.5 (assumed)",
        "consistency: 0.75 (assumed)",
        "gate: problems",
    ):
        assert said in out
    told = json.loads(
        steelyard(
            "plan", "--effect", 0.1, "--from", "a", "--from", "worse", "--repeats", 1, "--json"
        ).out
    )
    assert len(told["rows"]) == 1
    assert told["known"]["pair_variance"] == pytest.approx(0.1)
    assert "measured in a" in steelyard("plan", "--effect", 0.1, "--from", "a", "--repeats", 1).out


def test_a_plan_from_grades_tells_their_variance(runs: Path, steelyard: Commands) -> None:
    write_run(runs / "graded", column([0.45, 0.5] * 20), model="old")
    out = steelyard("plan", "--effect", 0.05, "--from", "graded").out
    assert "variance: 0.000641 (measured in graded)" in out
    assert "save no problems here" in out
    assert "counted exactly" not in out  # which holds for right and wrong alone


def test_two_runs_of_one_model_are_called_that(runs: Path, steelyard: Commands) -> None:
    for name, problems in (("long", 4), ("short", 2)):
        write_run(runs / name, column([1.0] * problems), model="old")
    err = steelyard("compare", "long", "short").err
    assert "the numbers of two runs of old cannot be compared" in err, err


def test_unclear_and_missing_answers_of_both_runs_are_shown(
    runs: Path, steelyard: Commands
) -> None:
    file = runs / "worse" / "results.json"
    results = json.loads(file.read_text())
    results["headline"]["reading"] = {
        "found": 190,
        "unclear": 7,
        "missing": 3,
        "mean_if_unclear_right": 0.735,
    }
    file.write_text(json.dumps(results))
    shown = steelyard("compare", "a", "worse").out
    assert "unclear and missing answers" in shown
    (line,) = [line for line in shown.splitlines() if "0.7350" in line]
    assert line.split()[-3:] == ["7", "3", "0.7350"]
    told = json.loads(steelyard("compare", "a", "worse", "--json").out)
    assert told["results"][0]["candidate"]["reading"]["unclear"] == 7
    assert "unclear and missing" not in steelyard("compare", "a", "same").out

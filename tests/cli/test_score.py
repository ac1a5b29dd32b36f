"""``steelyard score`` over files: options, what it prints, and how it ends."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from commands import Commands

EXAMPLES = Path(__file__).parent.parent.parent / "src" / "steelyard" / "data" / "examples"
ERRORS = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "cases" / "batch" / "cli_errors.jsonl")
    .read_text()
    .splitlines()
]
ROWS = [
    {"id": "a", "response": "Answer: 4", "target": 4, "metadata": {"category": "sums"}},
    {
        "id": "b",
        "response": "I'm sorry, I cannot help with that.",
        "target": "7",
        "metadata": {"category": "sums"},
    },
    {"id": "c", "response": "The answer is 9.", "target": "8", "metadata": {"category": "others"}},
]


@pytest.fixture
def answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of answers in the current folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


def summary_of(
    steelyard: Commands, *args: object, code: int = 0, stdin: bytes = b""
) -> dict[str, Any]:
    ran = steelyard("score", *args, "--json", stdin=stdin)
    assert ran.code == code, ran.err
    found = json.loads(ran.out)
    assert found["total"] == found["scored"] + found["pending"] + found["unscored"]
    return found


def test_the_summary_as_a_table(steelyard: Commands, answers: Path) -> None:
    ran = steelyard("score", "--scorer", "numeric_match", answers, "--by", "category")
    assert (ran.code, ran.err) == (0, "")
    for told in (
        "mean            0.3333",
        "scored / total  3 / 3",
        "refusal",
        "wrong_answer",
        "by category",
        "others",
        "signature  steelyard:",
    ):
        assert told in ran.out
    assert "\x1b" not in ran.out
    assert "worst" not in ran.out


def test_the_summary_as_json(steelyard: Commands, answers: Path) -> None:
    found = summary_of(steelyard, "--scorer", "numeric_match", answers, "--by", "category")
    assert found["mean"] == pytest.approx(1 / 3)
    assert found["interval"] == "wilson"
    assert found["failures"]["categories"]["refusal"]["count"] == 1
    assert [group["name"] for group in found["breakdown"]] == ["others", "sums"]
    assert found["scorer"]["name"] == found["signature"]["name"] == "numeric_match"


def test_rows_without_a_score_show_the_bounds(steelyard: Commands, answers: Path) -> None:
    with answers.open("a") as file:
        file.write('{"response": null, "target": "1", "error": "HTTP 429: slow down"}\nnonsense\n')
    ran = steelyard("score", "--scorer", "numeric_match", answers)
    assert ran.code == 2
    assert ran.err.startswith(f"bad line: {answers}:5: not JSON: ")
    assert len(ran.err.splitlines()) == 1
    for told in (
        "scored / total  3 / 5",
        "worst to best   0.2000 to 0.6000",
        "1 unscored, 1 bad line\n",
        "rate_limit",
    ):
        assert told in ran.out
    found = summary_of(steelyard, "--scorer", "numeric_match", answers, code=2)
    assert (found["bad_lines"], found["unscored"], found["worst"], found["best"]) == (
        1,
        2,
        0.2,
        0.6,
    )


def test_an_error_row_alone_ends_with_one(steelyard: Commands, answers: Path) -> None:
    answers.write_text('{"error": "timed out"}\n')
    assert summary_of(steelyard, "--scorer", "numeric_match", answers, code=1)["mean"] is None


def test_only_the_first_bad_lines_are_printed(steelyard: Commands, answers: Path) -> None:
    answers.write_text("nonsense\n" * 50)
    ran = steelyard("score", "--scorer", "exact_match", answers)
    assert len(ran.err.splitlines()) == 22
    assert ran.err.splitlines()[20] == "… and 30 more bad lines"
    assert summary_of(steelyard, "--scorer", "exact_match", answers, code=2)["bad_lines"] == 50


def test_no_reason_is_left_out_without_a_word(steelyard: Commands, answers: Path) -> None:
    rows = [
        {"response": None, "target": "5", "error": f"reason {n}"} for n in (0, 0, 1, 2, 3, 4, 5, 6)
    ]
    answers.write_text("".join(json.dumps(row) + "\n" for row in rows))
    shown = steelyard("score", "--scorer", "exact_match", answers).out
    assert "reason 4                  1  12.5%" in shown
    assert "… and 2 other reasons     2  25.0%" in shown
    assert (
        sum(
            summary_of(steelyard, "--scorer", "exact_match", answers, code=1)[
                "unscored_reasons"
            ].values()
        )
        == 8
    )


def test_one_more_is_one_line(steelyard: Commands, answers: Path) -> None:
    answers.write_text("nonsense\n" * 21)
    ran = steelyard("score", "--scorer", "exact_match", answers)
    assert "\n… and 1 more bad line\n" in ran.err


def test_a_damaged_input_is_told_with_its_place_and_scored_up_to_it(
    steelyard: Commands, answers: Path
) -> None:
    packed = gzip.compress(b"".join(answers.read_bytes() for _ in range(100)), compresslevel=0)
    Path("cut.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    found = summary_of(steelyard, "--scorer", "numeric_match", "cut.jsonl.gz", code=2)
    assert found["total"] == found["scored"] > 100
    ran = steelyard(
        "score", "--scorer", "numeric_match", "cut.jsonl.gz", answers, "-o", "out.jsonl"
    )
    assert ran.err.startswith("error: cut.jsonl.gz: damaged gzip data: ")
    assert f", after line {found['total']}; only what stands before that was scored" in ran.err
    assert "data:incomplete" in ran.out
    assert "partial: an input could not be read to its end" in ran.out
    assert len(Path("out.jsonl").read_text().splitlines()) == found["total"]


def test_a_key_that_no_row_has_is_told(steelyard: Commands, answers: Path) -> None:
    ran = steelyard("score", "--scorer", "numeric_match", answers, "--by", "topic")
    assert ran.err == "note: no row has 'topic', neither in its metadata nor beside it\n"
    assert steelyard("score", "--scorer", "numeric_match", answers, "--by", "category").err == ""


@pytest.mark.parametrize(("output", "shown"), [("-", False), ("out.jsonl", True), (None, True)])
def test_no_bar_stands_among_rows(
    output: str | None, shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    from steelyard.cli.score_files import Wanted, _shows_progress

    wanted = Wanted(
        files=[],
        kind="",
        fields={},
        output=output,
        as_json=False,
        strict=False,
        workers=None,
        limit=None,
        quiet=False,
    )
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert _shows_progress(wanted) is shown


def test_strict_stops_at_the_first(steelyard: Commands, answers: Path) -> None:
    lines = answers.read_text().splitlines()
    answers.write_text("\n".join([lines[0], "nonsense", *lines[1:]]))
    ran = steelyard("score", "--scorer", "exact_match", answers, "--strict", "-o", "out.jsonl")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"error: {answers}:2: not JSON")
    assert [json.loads(line)["id"] for line in Path("out.jsonl").read_text().splitlines()] == ["a"]


def test_standard_input_and_output(steelyard: Commands, answers: Path) -> None:
    data = answers.read_bytes()
    for stdin in (data, gzip.compress(data)):
        found = summary_of(steelyard, "--scorer", "numeric_match", "-", stdin=stdin)
        assert found["files"][0]["name"] == "<stdin>"
        assert found["scored"] == 3
    found = summary_of(
        steelyard,
        "--scorer",
        "exact_match",
        "-",
        "--format",
        "csv",
        stdin=b"response,target\na,a\n",
    )
    assert found["mean"] == 1.0


def test_quiet_says_nothing(steelyard: Commands, answers: Path) -> None:
    ran = steelyard("score", "--scorer", "numeric_match", answers, "-q", "-o", "out.jsonl")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert len(Path("out.jsonl").read_text().splitlines()) == 3


def test_parameters_from_the_line_and_from_a_file(steelyard: Commands, answers: Path) -> None:
    answers.write_text('{"response": "{\\"a\\": 1}"}\n')
    Path("schema.json").write_text('{"required": ["a"]}')
    args = ["--scorer", "json_schema", answers]
    assert summary_of(steelyard, *args, "--param", "schema=@schema.json")["mean"] == 1.0
    assert summary_of(steelyard, *args, "--param", 'schema={"required": ["b"]}')["mean"] == 0.0


def test_rows_may_go_without_a_target(steelyard: Commands, answers: Path) -> None:
    answers.write_text('{"response": "LOUD"}\n')
    Path("own.py").write_text("def loud(sample):\n    return sample.response.isupper()\n")
    assert summary_of(steelyard, "--scorer", "own.py:loud", answers, "--no-target")["mean"] == 1.0
    assert summary_of(steelyard, "--scorer", "own.py:loud", answers, code=2)["bad_lines"] == 1
    answers.write_text('{"response": "Paris", "metadata": {"correct_answers": ["Paris"]}}\n')
    assert summary_of(steelyard, "--scorer", "fuzzy_match", answers)["mean"] == 1.0


def test_what_a_scorer_prints_does_not_spoil_the_json(steelyard: Commands, answers: Path) -> None:
    Path("own.py").write_text("def chatty(sample):\n    print('noise')\n    return True\n")
    assert summary_of(steelyard, "--scorer", "own.py:chatty", answers)["mean"] == 1.0


@pytest.mark.parametrize("case", ERRORS, ids=[case["name"] for case in ERRORS])
def test_wrong_use_is_told_before_anything_is_touched(
    case: dict[str, Any], steelyard: Commands, answers: Path
) -> None:
    for name, text in case.get("files", {}).items():
        Path(name).write_text(text)
    Path("out.jsonl").write_text("what was there before")
    ran = steelyard("score", *case["args"])
    assert ran.code == case.get("code", 2)
    assert case["told"] in ran.err
    assert "Traceback" not in ran.err
    assert Path("out.jsonl").read_text() == "what was there before"
    assert len(answers.read_text().splitlines()) == 3


def test_the_bundled_answers(steelyard: Commands) -> None:
    found = summary_of(
        steelyard, "--scorer", "answer_line", EXAMPLES / "answers.jsonl", "--by", "category"
    )
    assert (found["total"], found["scored"], found["correct"]) == (60, 60, 43)
    assert set(found["failures"]["categories"]) == {"wrong_answer", "empty", "refusal"}
    assert len(found["breakdown"]) == 5

"""``steelyard score --spec``: one submission as a table, and many in a file."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from commands import Commands

EXAMPLES = Path(__file__).parent.parent.parent / "src" / "steelyard" / "data" / "examples"
SPEC = {
    "dimensions": [
        {"name": "accuracy", "weight": 0.8, "primitive": "exact_match_ratio", "field": "answers"},
        {"name": "speed", "weight": 0.2, "primitive": "time_decay", "time_limit_secs": 100},
    ]
}
TRUTH = {"answers": ["a", "b", "c", "d"]}


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A spec and a truth in the current folder."""
    monkeypatch.chdir(tmp_path)
    Path("spec.json").write_text(json.dumps(SPEC))
    Path("truth.json").write_text(json.dumps(TRUTH))
    return "spec.json"


def one(steelyard: Commands, submission: Any, *args: object) -> dict[str, Any]:
    Path("submission.json").write_text(json.dumps(submission))
    files = ["--spec", "spec.json", "--submission", "submission.json", "--truth", "truth.json"]
    ran = steelyard("score", *files, "--json", *args)
    assert ran.code == 0, ran.err
    found: dict[str, Any] = json.loads(ran.out)
    return found


def test_the_bundled_submission(steelyard: Commands) -> None:
    files = [
        word
        for name in ("spec", "submission", "truth")
        for word in (f"--{name}", EXAMPLES / f"{name}.json")
    ]
    ran = steelyard("score", *files, "--time-used", "42")
    assert (ran.code, ran.err) == (0, "")
    for told in (
        "dimension",
        "correctness",
        "750",
        "0.4",
        "300",
        "3 of 4 positions",
        "total  747  win",
        "signature",
    ):
        assert told in ran.out


def test_one_submission_as_json(steelyard: Commands, spec: str) -> None:
    found = one(steelyard, {"answers": ["a", "b", "x", "d"]}, "--time-used", "25")
    assert (found["score"], found["result"]) == (750, "win")
    assert found["score_breakdown"]["accuracy"] == {"score": 750, "weight": 0.8, "weighted": 600}
    assert set(found["reasons"]) == {"accuracy", "speed"}


def test_a_submission_that_is_no_object_is_a_loss(steelyard: Commands, spec: str) -> None:
    found = one(steelyard, ["a"], "--time-used", "100")
    assert (found["score"], found["result"]) == (0, "loss")
    ran = steelyard(
        "score",
        "--spec",
        spec,
        "--submission",
        "submission.json",
        "--truth",
        "truth.json",
        "--time-used",
        "100",
    )
    assert "warning" in ran.out
    assert "total  0  loss" in ran.out


def test_numbers_are_the_decimals_that_are_written(steelyard: Commands, spec: str) -> None:
    dimension = {
        "name": "a",
        "weight": 1,
        "primitive": "numeric_tolerance",
        "field": "n",
        "tolerance": 0.1,
    }
    Path(spec).write_text(json.dumps({"profile": "free", "dimensions": [dimension]}))
    Path("truth.json").write_text('{"n": 0.2}')
    assert one(steelyard, {"n": 0.3})["score"] == 1000
    Path("truth.json").write_text('{"n": 0.20000000000000000000001}')
    assert one(steelyard, {"n": 0.1})["score"] == 0


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--submission", "truth.json", "--truth", "truth.json"], "time_used"),
        (
            ["--submission", "truth.json", "--truth", "truth.json", "--time-used", "nan"],
            "time_used",
        ),
        (
            ["--submission", "none.json", "--truth", "truth.json"],
            "none.json: there is no such file",
        ),
        (["--submission", "broken.json", "--truth", "truth.json"], "broken.json: not JSON"),
        (["--submission", "bytes.json", "--truth", "truth.json"], "bytes.json: not"),
        (["--submission", "deep.json", "--truth", "truth.json"], "deep.json: not JSON"),
        (
            ["--submission", "truth.json", "--truth", "twice.json"],
            "twice.json: the key 'b' is given twice in one object (line",
        ),
        (
            ["rows.jsonl", "--truth", "twice.json"],
            "twice.json: the key 'b' is given twice in one object (line 2)",
        ),
        (["--submission", "truth.json"], "needs --truth"),
        (
            ["--submission", "truth.json", "--truth", "truth.json", "rows.jsonl"],
            "without files of rows",
        ),
        (["rows.jsonl", "--param", "a=1"], "--param does not go with --spec"),
        (["rows.jsonl", "--field", "response=x"], "rows have id, submission"),
    ],
)
def test_what_is_wrong_is_told(args: list[str], told: str, steelyard: Commands, spec: str) -> None:
    Path("broken.json").write_text("{")
    Path("bytes.json").write_bytes(b'{"a": "\xff"}')
    Path("deep.json").write_text("[" * 100_000)
    Path("twice.json").write_text('{"a": [{"b": 1}, {"b": 1,\n "b": 2}], "b": 3}')
    Path("rows.jsonl").write_text("{}\n")
    ran = steelyard("score", "--spec", spec, *args)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err


def test_a_time_of_nothing_is_in_the_signature(steelyard: Commands, spec: str) -> None:
    Path("rows.jsonl").write_text(json.dumps({"submission": TRUTH, "truth": TRUTH}) + "\n")
    signed = {
        steelyard("score", "--spec", spec, "rows.jsonl", "--json", *args).out.partition(
            '"signature_text":'
        )[2][:150]
        for args in ([], ["--time-used", "0"], ["--time-used", "0.5"], ["--verified"])
    }
    assert len(signed) == 4


@pytest.mark.parametrize("name", ["submission", "trajectory"])
def test_a_submission_with_a_key_twice_is_refused(
    name: str, steelyard: Commands, spec: str
) -> None:
    Path("a.json").write_text('{"answers": ["a"]}')
    Path("b.json").write_text('{"answers": 7,\n "answers": ["a", "b", "c", "d"]}')
    args = ["--submission", "a.json", "--truth", "truth.json", "--time-used", 0]
    ran = steelyard("score", "--spec", spec, *args, f"--{name}", "b.json", "--json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == ("error: b.json: the key 'answers' is given twice in one object (line 2)\n")


def test_many_submissions(steelyard: Commands, spec: str) -> None:
    rows = [
        {"id": 1, "submission": TRUTH, "truth": TRUTH, "time_used": 0, "metadata": {"agent": "x"}},
        {
            "id": 2,
            "submission": {"answers": ["a", "b"]},
            "time_used": 50,
            "metadata": {"agent": "y"},
        },
        {"id": 3, "submission": None, "time_used": 0},
        {"id": 4, "error": "timed out"},
        {"id": 5, "submission": {}, "time_used": "soon"},
        {"id": 6, "time_used": 1},
        {"id": 7, "submission": {}, "truth": {}, "time_used": 1},
        {"id": 8, "submission": {"answers": 7}},
    ]
    Path("rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    ran = steelyard(
        "score",
        "--spec",
        spec,
        "rows.jsonl",
        "--truth",
        "truth.json",
        "--time-used",
        "100",
        "--json",
        "--by",
        "agent",
        "-o",
        "out.jsonl",
    )
    assert ran.code == 2
    summary = json.loads(ran.out)
    scored = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert [row["value"] for row in scored] == [1.0, 0.5, 0.2, None, None, None, None, 0.0]
    assert [row["detail"]["result"] for row in scored if "detail" in row] == [
        "win",
        "draw",
        "loss",
        "loss",
    ]
    assert scored[0]["parts"][0]["name"] == "accuracy"
    assert [told.split(":")[1] + ":" + told.split(":")[2] for told in ran.err.splitlines()] == [
        f" rows.jsonl:{line}" for line in (5, 6, 7)
    ]
    assert (summary["scored"], summary["bad_lines"], summary["total"]) == (4, 3, 8)
    assert summary["results"] == {"draw": 1, "loss": 2, "none": 4, "win": 1}
    assert [group["name"] for group in summary["breakdown"]] == ["unknown", "x", "y"]
    assert summary["failures"]["categories"]["timeout"]["count"] == 1


def test_a_table_of_submissions(steelyard: Commands, spec: str) -> None:
    Path("rows.csv").write_text('id,submission,time_used\n1,"{""answers"": [""a""]}",0\n2,,0\n')
    ran = steelyard("score", "--spec", spec, "rows.csv", "--truth", "truth.json")
    assert "results" in ran.out
    assert ran.code == 0, ran.err
    found = steelyard("score", "--spec", spec, "rows.csv", "--truth", "truth.json", "--json")
    assert json.loads(found.out)["mean"] == pytest.approx((0.4 + 0.2) / 2)


ODD = {
    "a number beyond all bounds": (b"1e99999999999999999999", 0.0),
    "a negative one": (b"-1e99999999999999999999", 0.0),
    "5,000 digits": (b"9" * 5000, 0.0),
    "deep nesting": (b"[" * 1500 + b"]" * 1500, 0.0),
    "bottomless nesting": (b"[" * 50_000 + b"]" * 50_000, 0.0),
    "half a surrogate pair": (b'"\\ud800"', 0.0),
    "NaN": (b"NaN", 0.0),
    "an infinity": (b"[-Infinity]", 0.0),
    "NaN beside a right answer": (b'1, "b": NaN', 1.0),
    "half a surrogate pair beside a right answer": (b'1, "\\ud800": "\\ud800"', 1.0),
}
EXACT = {
    "profile": "free",
    "dimensions": [{"name": "a", "weight": 1, "primitive": "exact_match", "field": "a"}],
}


@pytest.mark.parametrize("case", ODD)
def test_an_odd_submission_is_scored_like_any_other(
    case: str, steelyard: Commands, spec: str
) -> None:
    value, wanted = ODD[case]
    Path(spec).write_text(json.dumps(EXACT))
    good = b'{"submission": {"a": 1}, "truth": {"a": 1}}\n'
    Path("rows.jsonl").write_bytes(
        good + b'{"submission": {"a": ' + value + b'}, "truth": {"a": 1}}\n' + good
    )
    ran = steelyard("score", "--spec", spec, "rows.jsonl", "-o", "out.jsonl")
    assert (ran.code, ran.err) == (0, "")
    rows = [json.loads(line) for line in Path("out.jsonl").read_bytes().splitlines()]
    assert [row["value"] for row in rows] == [1.0, wanted, 1.0]
    assert all(row["parts"][0]["score"]["reason"] for row in rows)
    Path("submission.json").write_bytes(b'{"a": ' + value + b"}")
    Path("truth.json").write_text('{"a": 1}')
    files = ["--spec", spec, "--submission", "submission.json", "--truth", "truth.json", "--json"]
    for command in ("score", "explain"):
        assert json.loads(steelyard(command, *files).out)["score"] == 1000 * wanted


@pytest.mark.parametrize(
    "case",
    [
        "a number beyond all bounds",
        "bottomless nesting",
        "half a surrogate pair",
        "NaN",
        "an infinity",
    ],
)
def test_an_odd_truth_is_the_authors(case: str, steelyard: Commands, spec: str) -> None:
    value, _ = ODD[case]
    Path(spec).write_text(json.dumps(EXACT))
    Path("rows.jsonl").write_bytes(b'{"submission": {"a": 1}, "truth": {"a": ' + value + b"}}\n")
    ran = steelyard("score", "--spec", spec, "rows.jsonl")
    assert ran.code == 2
    assert "bad line: rows.jsonl:1: " in ran.err
    Path("truth.json").write_bytes(b'{"a": ' + value + b"}")
    ran = steelyard("score", "--spec", spec, "--submission", "truth.json", "--truth", "truth.json")
    assert (ran.code, ran.out) == (2, "")
    assert "Traceback" not in ran.err


def test_nan_scores_nothing_by_a_reason_that_names_its_field(
    steelyard: Commands, spec: str
) -> None:
    Path(spec).write_text(
        json.dumps(
            {
                "profile": "free",
                "dimensions": [
                    {
                        "name": "a",
                        "weight": 1,
                        "primitive": "numeric_tolerance",
                        "field": "n",
                        "tolerance": 1,
                    }
                ],
            }
        )
    )
    Path("truth.json").write_text('{"n": 1}')
    Path("rows.jsonl").write_text('{"submission": {"n": NaN}}\n')
    steelyard("score", "--spec", spec, "rows.jsonl", "--truth", "truth.json", "-o", "out.jsonl")
    row = json.loads(Path("out.jsonl").read_text())
    assert (row["value"], row["parts"][0]["score"]["reason"]) == (
        0.0,
        one(steelyard, {"n": float("nan")})["reasons"]["a"],
    )
    assert row["parts"][0]["score"]["reason"].startswith("n: ")


def test_the_signature_knows_a_spec_by_its_hash_alone(steelyard: Commands, spec: str) -> None:
    Path("rows.jsonl").write_text(
        json.dumps({"submission": TRUTH, "truth": TRUTH, "time_used": 1}) + "\n"
    )
    Path("other.json").write_text(json.dumps({**SPEC, "name": "mine"}))
    found = [
        json.loads(steelyard("score", "--spec", name, "rows.jsonl", "--json").out)
        for name in (spec, "other.json")
    ]
    assert [one["scorer"]["name"] for one in found] == ["spec.json", "mine"]
    assert found[0]["signature"] == found[1]["signature"]
    assert found[0]["signature_text"] == found[1]["signature_text"]
    Path("other.json").write_text(json.dumps({**SPEC, "constraints": {"token_budget": 5}}))
    changed = json.loads(steelyard("score", "--spec", "other.json", "rows.jsonl", "--json").out)
    assert changed["signature"]["version"] != found[0]["signature"]["version"]


def test_one_submission_from_standard_input(steelyard: Commands, spec: str) -> None:
    args = ["score", "--spec", spec, "--submission", "-", "--time-used", "0", "--json", "--truth"]
    given = json.dumps(TRUTH).encode()
    assert json.loads(steelyard(*args, "truth.json", stdin=given).out)["score"] == 1000
    assert "<stdin>: not JSON" in steelyard(*args, "truth.json", stdin=b"{").err
    assert "standard input can be read only once" in steelyard(*args, "-", stdin=given).err


def test_a_cell_may_hold_any_json(steelyard: Commands, spec: str) -> None:
    Path(spec).write_text(json.dumps(EXACT))
    with Path("rows.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["submission", "truth"])
        table.writerows(
            [text, '{"a":1}'] for text in ('{"a":1e99999999999999999999}', '{"a":1}', "{a}")
        )
    ran = steelyard("score", "--spec", spec, "rows.csv", "-o", "out.jsonl")
    assert "bad line: rows.csv:4: submission: the cell is not JSON" in ran.err
    assert [json.loads(line)["value"] for line in Path("out.jsonl").read_text().splitlines()] == [
        0.0,
        1.0,
        None,
    ]


def test_quiet_says_it_by_the_exit_code_alone(steelyard: Commands, spec: str) -> None:
    files = [
        "--spec",
        spec,
        "--submission",
        "truth.json",
        "--truth",
        "truth.json",
        "--time-used",
        "42",
        "-q",
    ]
    assert steelyard("score", *files) == (0, "", "")
    Path(spec).write_text(
        json.dumps(
            {
                "type": "judged",
                "profile": "free",
                "dimensions": [
                    {"name": "a", "weight": 1, "scorer": "needs_judge", "field": "answers"}
                ],
            }
        )
    )
    assert steelyard("score", *files) == (1, "", "")


def test_whole_seconds_are_told_whole(steelyard: Commands, spec: str) -> None:
    Path("rows.jsonl").write_text(json.dumps({"submission": TRUTH, "truth": TRUTH}) + "\n")
    files = [
        "--spec",
        spec,
        "--submission",
        "truth.json",
        "--truth",
        "truth.json",
        "--time-used",
        "42",
    ]
    shown = [steelyard("score", *files).out, steelyard("explain", *files).out]
    steelyard("score", "--spec", spec, "rows.jsonl", "--time-used", "42", "-o", "out.jsonl")
    for text in (*shown, Path("out.jsonl").read_text()):
        assert "42" in text
        assert "42.0" not in text


def test_all_that_is_wrong_with_a_row_is_told_in_its_line(steelyard: Commands, spec: str) -> None:
    dimensions = [
        {"name": n, "weight": 0.5, "primitive": "exact_match", "field": n} for n in ("one", "two")
    ]
    Path(spec).write_text(json.dumps({"dimensions": dimensions}))
    Path("rows.jsonl").write_text('{"submission": {}, "truth": {}}\n')
    told = steelyard("score", "--spec", spec, "rows.jsonl").err
    assert told.startswith("bad line: rows.jsonl:1: ground_truth.one: ")
    assert "; ground_truth.two: " in told
    assert told.count("\n") == 2  # the other one says that there is no mean

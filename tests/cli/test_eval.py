"""``steelyard eval`` at the command line: what it prints, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from commands import Commands
from steelyard.cli.eval_progress import clock, progress_line
from steelyard.models.mock import MockServer, serving
from steelyard.models.mock_plan import Plan, Rule
from steelyard.runs.watch import Watch
from steelyard.score import full, pending, zero

BENCH = """
from steelyard import exact_match, scorer
from steelyard.bench import benchmark


@benchmark(name="capitals", dataset="capitals.jsonl", prompt="Capital of {land}?", target_field="city",
           system_prompt="Answer with one word.", category_field="continent")
@scorer
def capitals(sample):
    return exact_match(sample)
"""
ROWS = [("France", "Paris", "Europe"), ("Japan", "Tokyo", "Asia"), ("Peru", "Lima", "America")]


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MockServer]:
    monkeypatch.chdir(tmp_path)
    Path("my_bench.py").write_text(BENCH, encoding="utf-8")
    lines = [
        json.dumps({"id": f"c{n}", "land": row[0], "city": row[1], "continent": row[2]})
        for n, row in enumerate(ROWS)
    ]
    Path("capitals.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    answers = {
        "Capital of France?": "Paris.",
        "Capital of Japan?": "Kyoto",
        "Capital of Peru?": "I'm sorry, I cannot.",
    }
    with serving(Plan(answers=answers)) as running:
        yield running


def run(steelyard: Commands, server: MockServer, *more: object, code: int = 0) -> str:
    done = steelyard(
        "eval",
        "run",
        "--bench",
        "my_bench.py",
        "--model-url",
        server.url,
        "--model-id",
        "m/1",
        *more,
    )
    assert done.code == code, done.err
    return done.out


def test_the_table_the_failures_and_the_path_of_the_report(
    server: MockServer, steelyard: Commands
) -> None:
    out = run(steelyard, server)
    for said in (
        "capitals",
        "0.3333",
        "scored / total      3 / 3",
        "by category",
        "Europe",
        "refusal",
        "wrong_answer",
        "runs/capitals-m-1/report.html",
        "steelyard:",
    ):
        assert said in out
    assert Path("runs/capitals-m-1/report.html").exists()


def test_an_empty_reply_that_was_filtered_is_a_failure_of_its_own(
    server: MockServer, steelyard: Commands
) -> None:
    rule = Rule(contains="Japan", text="", finish="content_filter")
    server.script.plan = msgspec.structs.replace(server.script.plan, rules=(rule,))
    assert "content_filter" in run(steelyard, server)
    folder = Path("runs/capitals-m-1")
    failures = json.loads((folder / "failure_analysis.json").read_text())
    assert failures["categories"]["content_filter"]["count"] == 1
    rows = [json.loads(line) for line in (folder / "scores.jsonl").read_text().splitlines()]
    assert (rows[1]["failure"], rows[1]["value"]) == ("content_filter", 0.0)


def test_runs_get_numbers_and_a_resumed_one_is_the_last(
    server: MockServer, steelyard: Commands
) -> None:
    for _ in range(2):
        run(steelyard, server, "-q")
    assert server.calls == 6
    run(steelyard, server, "-q", "--resume")
    assert server.calls == 6
    assert sorted(path.name for path in Path("runs").iterdir()) == [
        "capitals-m-1",
        "capitals-m-1-2",
    ]


def test_list_show_and_report(server: MockServer, steelyard: Commands) -> None:
    run(steelyard, server, "-q")
    listed = steelyard("eval", "list")
    assert "complete" in listed.out
    assert "3 / 3" in listed.out
    told = json.loads(steelyard("eval", "list", "runs", "--json").out)
    assert told[0]["headline"]["correct"] == 1
    shown = steelyard("eval", "show", "runs/capitals-m-1", "--failed")
    assert "c1" in shown.out
    one = steelyard("eval", "show", "runs/capitals-m-1", "--sample", "c2")
    for said in (
        "sample 2.0",
        "system: Answer with one word.",
        "user: Capital of Peru?",
        "target: Lima",
    ):
        assert said in one.out
    assert steelyard("eval", "show", "runs/capitals-m-1", "--sample", "9.9").code == 2
    Path("runs/capitals-m-1/report.md").unlink()
    assert steelyard("eval", "report", "runs/capitals-m-1").code == 0
    assert "| refusal |" in Path("runs/capitals-m-1/report.md").read_text(encoding="utf-8")


def test_json_is_one_object_on_the_standard_output(server: MockServer, steelyard: Commands) -> None:
    told = json.loads(
        run(steelyard, server, "--json", "--repeats", 2, "--price-in", 1, "--price-out", 1)
    )
    assert (told["headline"]["total"], told["repeats"], told["stopped"]) == (6, 2, None)
    assert told["cost"] == pytest.approx((told["tokens"]["input"] + told["tokens"]["output"]) / 1e6)


def test_parameters_and_seeds_reach_the_model(server: MockServer, steelyard: Commands) -> None:
    given = (
        "--temperature",
        0.5,
        "--max-output-tokens",
        7,
        "--param",
        "top_k=3",
        "--seed",
        10,
        "--repeats",
        2,
        "--system-prompt",
        "Be brief.",
        "--concurrency",
        1,
        "-q",
    )
    run(steelyard, server, *given)
    sent = [json.loads(body) for body in server.bodies]
    assert {
        (one["temperature"], one["max_tokens"], one["top_k"], one["model"]) for one in sent
    } == {(0.5, 7, 3, "m/1")}
    assert sorted(one["seed"] for one in sent) == [10, 10, 10, 11, 11, 11]
    assert {one["messages"][0]["content"] for one in sent} == {"Be brief."}


def test_replies_can_come_from_a_file(server: MockServer, steelyard: Commands) -> None:
    lines = [json.dumps({"id": f"c{n}", "text": row[1]}) for n, row in enumerate(ROWS[:2])]
    Path("replies.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    args = (
        "eval",
        "run",
        "--bench",
        "my_bench.py",
        "--recorded",
        "replies.jsonl",
        "--output",
        "out",
        "--json",
    )
    done = steelyard(*args)
    assert done.code == 3
    head = json.loads(done.out)["headline"]
    assert (head["correct"], head["scored"], head["unscored"]) == (2, 2, 1)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--bench", "no_such_bench"], "there is no benchmark 'no_such_bench'"),
        (["--model-id", ""], "--model-url needs --model-id"),
        (["--temperature", 1, "--param", "temperature=1"], "temperature is given twice"),
        (["--max-cost", 1], "a limit on cost needs the prices"),
        (["--judge-url", "http://127.0.0.1:1"], "--judge-url needs --judge-id"),
        (["--api-key-env", "NO_SUCH_KEY"], "NO_SUCH_KEY"),
        (["--recorded", "replies.jsonl"], "choose one"),
        (["--dataset", "missing.jsonl"], "missing.jsonl"),
        (["--param", "model=x"], "'model' is no parameter"),
    ],
)
def test_bad_input_is_told_before_anybody_is_asked(
    server: MockServer, steelyard: Commands, args: list[object], said: str
) -> None:
    done = steelyard(
        "eval", "run", "--bench", "my_bench.py", "--model-url", server.url, "--model-id", "m", *args
    )
    assert done.code == 2, done.out + done.err
    assert said in done.err
    assert server.calls == 0
    assert not Path("runs").exists()


@pytest.mark.parametrize("command", ["show", "report", "rescore", "rejudge"])
def test_where_there_is_no_run_that_is_said(
    command: str, tmp_path: Path, steelyard: Commands
) -> None:
    done = steelyard("eval", command, tmp_path)
    assert done.code == 2
    assert str(tmp_path) in done.err


def test_the_key_is_in_no_file_and_goes_to_its_endpoint_alone(
    server: MockServer, steelyard: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MODEL_KEY", "sk-very-secret")
    with serving(Plan(rules=(Rule(text='{tag} {"score": 5}'),))) as judge:
        Path("my_bench.py").write_text(
            BENCH.replace("exact_match(sample)", "needs_judge(sample)").replace(
                "import exact_match", "import needs_judge"
            )
        )
        run(
            steelyard,
            server,
            "--api-key-env",
            "MODEL_KEY",
            "--judge-url",
            judge.url,
            "--judge-id",
            "j",
            "-q",
        )
        assert all(b"sk-very-secret" in head for head in server.heads)
        assert not any(b"secret" in head for head in judge.heads)
        assert judge.calls == 3 + 1  # the canary sample
    written = b"".join(path.read_bytes() for path in Path("runs").rglob("*") if path.is_file())
    assert b"secret" not in written
    assert b"MODEL_KEY" in written


def test_the_line_of_progress() -> None:
    now = [0.0]
    watch = Watch(100, clock=lambda: now[0])
    watch.start(20)
    now[0] = 10.0
    for _ in range(38):
        watch.replied(50, "")
    watch.replied(None, "timeout")
    watch.replied(None, "rate_limit")
    watch.scores([full()] * 30 + [zero("no")] * 6 + [pending()] * 2)
    line = progress_line(watch)
    for said in (
        "asking 60/100",
        "right 83.3% [68.1%, 92.1%]",
        "2 without a score",
        "190 tokens/s",
        "timeout 1",
        "rate_limit 1",
        "0:10 left",
    ):
        assert said in line, line
    watch.phase = "judging"
    watch.verdict(full())
    assert "1 judged" in progress_line(watch)
    assert clock(3661) == "1:01:01"


def test_progress_shows_no_interval_where_samples_share_a_problem() -> None:
    watch = Watch(100, clustered=True)
    watch.scores([full()] * 3 + [zero("no")])
    assert "right 75.0%" in progress_line(watch)
    assert "[" not in progress_line(watch)


def test_plain_lines_in_a_pipe(
    server: MockServer, steelyard: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steelyard.cli.eval_progress.PIPE_SECONDS", 0.05)
    server.script.plan = Plan(delay=0.3)
    done = steelyard(
        "eval", "run", "--bench", "my_bench.py", "--model-url", server.url, "--model-id", "m"
    )
    assert "asking 0/3" in done.err
    assert "\x1b" not in done.err

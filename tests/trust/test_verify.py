"""``steelyard verify``: an untouched run is reproduced, and each edit of its files is named."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commands import Commands, Ran
from runs.support import BENCH, OPEN, TOTAL, VERDICT, Bench, rows
from steelyard.models.mock_plan import Plan, Rule

Rows = list[dict[str, Any]]
WRONG = 3  # a sample with a wrong answer; every fifth one is the judge's
FILES = [
    *("attempts.jsonl", "scores.jsonl", "timings.jsonl", "judge.jsonl"),
    *("results.json", "failure_analysis.json"),
    *("report.md", "report.html"),
]


@pytest.fixture
def run(bench: Bench, tmp_path: Path, steelyard: Commands) -> Path:
    assert steelyard(*bench.args(tmp_path / "run")) == (0, "", "")
    return tmp_path / "run"


def verified(steelyard: Commands, folder: Path, *more: object) -> dict[str, Any]:
    """What ``verify --json`` says; its exit code is the one that it names."""
    done = steelyard("verify", folder, "--json", *more)
    found: dict[str, Any] = json.loads(done.out)
    assert done.code == found["exit_code"], done
    return found


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def edit_rows(path: Path, change: Callable[[Rows], Rows | None]) -> None:
    found = rows(path)
    found = change(found) or found
    lines = [json.dumps(row, separators=(",", ":")) + "\n" for row in found]
    path.write_text("".join(lines), encoding="utf-8")


def edit_json(path: Path, *keys: str, value: Any) -> None:
    document = json.loads(path.read_text(encoding="utf-8"))
    inner = document
    for key in keys[:-1]:
        inner = inner[key]
    inner[keys[-1]] = value
    path.write_text(json.dumps(document), encoding="utf-8")


def set_field(file: str, place: int, field: str, value: Any) -> Callable[[Path], None]:
    def change(found: Rows) -> None:
        found[place][field] = value

    return lambda run: edit_rows(run / file, change)


def moved(file: str, change: Callable[[Rows], Rows]) -> Callable[[Path], None]:
    return lambda run: edit_rows(run / file, change)


def edit_verdict(run: Path) -> None:
    def change(found: Rows) -> None:
        found[3]["reply"]["text"] = found[3]["reply"]["text"].replace('"score": 5', '"score": 1')

    edit_rows(run / "judge.jsonl", change)


def edit_judge_words(run: Path) -> None:
    def change(found: Rows) -> None:
        found[3]["reply"]["text"] = f"Well. {found[2]['reply']['text']}"

    edit_rows(run / "judge.jsonl", change)


def edit_journal(old: str, new: str) -> Callable[[Path], None]:
    return edit_text("journal.jsonl", old, new)


def edit_text(file: str, old: str, new: str) -> Callable[[Path], None]:
    def edit(run: Path) -> None:
        path = run / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    return edit


def edit_judged_reply(run: Path) -> None:
    def change(found: Rows) -> None:
        for row in found:
            if (row["kind"], row["key"]) == ("attempt", "10.0"):
                row["response"] += " So it is."

    edit_rows(run / "journal.jsonl", change)


def swap(found: Rows) -> Rows:
    found[7], found[8] = found[8], found[7]
    return found


# What is done to a run, and what verify says of it, on one line of --all.
EDITS: dict[str, tuple[Callable[[Path], None], str]] = {
    "reply": (
        set_field("attempts.jsonl", WRONG, "response", "Answer: 6"),
        'attempts.jsonl:4, sample 3.0, response: stated "Answer: 6", computed "Answer: 7"',
    ),
    "reply in the journal": (
        edit_journal('"response":"Answer: 7"', '"response":"Answer: 6"'),
        "scores.jsonl:4, sample 3.0, value: stated 0.0, computed 1.0",
    ),
    "judged reply in the journal": (
        edit_judged_reply,
        "judge.jsonl, sample 10.0: the call ",
    ),
    "question": (
        set_field("attempts.jsonl", 1, "messages", [{"role": "user", "content": "?"}]),
        'attempts.jsonl:2, sample 1.0, messages[0].content: stated "?", computed "What is 1 + 1?"',
    ),
    "tokens": (
        set_field("attempts.jsonl", 1, "output_tokens", 999),
        "attempts.jsonl:2, sample 1.0, output_tokens: stated 999, computed 2",
    ),
    "target": (
        set_field("scores.jsonl", WRONG, "target", "7"),
        'scores.jsonl:4, sample 3.0, target: stated "7", computed "6"',
    ),
    "score": (
        set_field("scores.jsonl", WRONG, "value", 1.0),
        "scores.jsonl:4, sample 3.0, value: stated 1.0, computed 0.0",
    ),
    "score in the journal": (
        edit_journal('"value":0.0,"correct":false', '"value":1.0,"correct":true'),
        ", score.value: stated 1.0, computed 0.0",
    ),
    "extracted text": (
        set_field("scores.jsonl", WRONG, "extracted", "6"),
        'scores.jsonl:4, sample 3.0, extracted: stated "6", computed "7"',
    ),
    "category": (
        set_field("scores.jsonl", WRONG, "category", "open"),
        'scores.jsonl:4, sample 3.0, category: stated "open", computed "closed"',
    ),
    "time": (
        set_field("timings.jsonl", 1, "seconds", 99.0),
        "timings.jsonl:2, sample 1.0, seconds: stated 99.0, computed ",
    ),
    "judge reply": (
        edit_verdict,
        "scores.jsonl:11, sample 10.0, value: stated 1.0, computed 0.2",
    ),
    "judge reply without effect": (
        edit_judge_words,
        "judge.jsonl: was edited: its SHA-256 is not the judge_digest of run.json",
    ),
    "judged score": (
        set_field("scores.jsonl", 10, "value", 0.8),
        "scores.jsonl:11, sample 10.0, value: stated 0.8, computed 1.0",
    ),
    "aggregate": (
        lambda run: edit_json(run / "results.json", "headline", "value", value=1.0),
        "results.json, headline.value: stated 1.0, computed 0.7",
    ),
    "interval": (
        lambda run: edit_json(run / "results.json", "headline", "ci_lower", value=0.9),
        "results.json, headline.ci_lower: stated 0.9, computed 0.6",
    ),
    "category's interval": (
        lambda run: edit_json(run / "results.json", "categories", "closed", "ci_upper", value=0.95),
        "results.json, categories.closed.ci_upper: stated 0.95, computed 0.",
    ),
    "failures": (
        lambda run: edit_json(run / "failure_analysis.json", "total_failures", value=0),
        "failure_analysis.json, total_failures: stated 0, computed 16",
    ),
    "model": (
        lambda run: edit_json(run / "run.json", "shapes", "model", "name", value="better"),
        "run.json, signature: stated ",
    ),
    "settings": (
        lambda run: edit_json(run / "run.json", "shapes", "parameters", value={"temperature": 0}),
        "run.json, signature: stated ",
    ),
    **{
        f"{what} in {file}": (moved(file, change), f"{file}:{told}")
        for file in ("attempts.jsonl", "scores.jsonl", "timings.jsonl")
        for what, change, told in (
            (
                "dropped",
                lambda f: f[:7] + f[8:],
                "8, sample 7.0: the sample's line is missing here",
            ),
            ("doubled", lambda f: f[:8] + f[7:], "9, sample 7.0: the line is doubled, or not in"),
            ("reordered", swap, "9, sample 7.0: the line is doubled, or not in its place"),
            ("unknown", lambda f: [*f, {"key": "99.0"}], f"{TOTAL + 1}: the line is not one of"),
        )
    },
    "last line dropped": (
        moved("scores.jsonl", lambda f: f[:-1]),
        "scores.jsonl, sample 59.0: the sample's line is missing here",
    ),
    "dropped in judge.jsonl": (
        moved("judge.jsonl", lambda f: f[:3] + f[4:]),
        "judge.jsonl, sample 10.0: has no call ",
    ),
    "doubled in judge.jsonl": (
        moved("judge.jsonl", lambda f: f[:3] + f[2:]),
        "judge.jsonl:4: the call is doubled, or not in its place",
    ),
    "reordered in judge.jsonl": (
        moved("judge.jsonl", swap),
        "judge.jsonl:8: the call is doubled, or not in its place",
    ),
    "dropped in the journal": (
        moved("journal.jsonl", lambda f: f[:7] + f[8:]),
        "journal.jsonl:",
    ),
    "no scores": (
        lambda run: (run / "scores.jsonl").unlink(),
        "scores.jsonl: there is no such file",
    ),
    "no journal": (
        lambda run: (run / "journal.jsonl").unlink(),
        "journal.jsonl: there is no such file, and run.json names its last line",
    ),
    "a key twice": (
        edit_text("scores.jsonl", '"value":1.0', '"value":0.5,"value":1.0'),
        "scores.jsonl:1: the key 'value' is given twice",
    ),
    "a key twice in the results": (
        edit_text("results.json", '"value":', '"value": 1,"value":'),
        "results.json: the key 'value' is given twice",
    ),
    "nested too deeply": (
        edit_text("scores.jsonl", '"value":1.0', '"value":' + "[" * 100_000),
        "scores.jsonl:1: the line is not one of the run's samples",
    ),
    "nested deeply": (
        edit_text("scores.jsonl", '"value":1.0', '"value":' + "[" * 900 + "]" * 900),
        "scores.jsonl:1, sample 0.0, value: stated [",
    ),
    "nested too deeply in the results": (
        lambda run: (run / "results.json").write_text("[" * 100_000, encoding="utf-8") and None,
        "results.json: not JSON: ",
    ),
    "report": (
        edit_text("report.md", "0.7", "0.9"),
        "report.md: is not the report of these files; eval report makes it again",
    ),
    "no JSON": (
        lambda run: (run / "results.json").write_text("{", encoding="utf-8") and None,
        "results.json: not JSON: ",
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_each_edit_is_named(run: Path, steelyard: Commands, name: str) -> None:
    edit, told = EDITS[name]
    edit(run)
    before = contents(run)
    done = steelyard("verify", run, "--all")
    assert done.code == 1, done
    assert any(line.startswith(told) or told in line for line in done.out.splitlines()), done.out
    first = steelyard("verify", run)
    assert (first.code, first.out.splitlines()[5]) == (1, done.out.splitlines()[5])
    assert "not reproduced: " in first.out.splitlines()[6]
    assert contents(run) == before


def test_an_untouched_run_is_reproduced(bench: Bench, run: Path, steelyard: Commands) -> None:
    before, asked = contents(run), bench.server.calls
    done = steelyard("verify", run)
    assert (done.code, done.out.splitlines()[-1], done.err) == (0, "reproduced", "")
    found = verified(steelyard, run)
    assert found["recomputed"] == {
        "files": FILES,
        "scores": {"judge verdict": OPEN, "score": TOTAL - OPEN},
    }
    assert (found["journal"]["chain"], found["except"], found["differences"]) == ("chained", [], [])
    assert (contents(run), bench.server.calls) == (before, asked)


def test_reports_are_compared(run: Path, steelyard: Commands) -> None:
    assert steelyard("eval", "report", run, "--timings").code == 0
    assert verified(steelyard, run)["result"] == "reproduced"
    edit_text("report.html", "0.7", "0.9")(run)
    done = steelyard("verify", run)
    assert (done.code, "reproduced, except report.html is not made of" in done.out) == (0, True)
    for name in ("report.html", "report.md"):
        (run / name).unlink()
    assert verified(steelyard, run)["result"] == "reproduced"


@pytest.mark.parametrize(
    "more",
    [
        ["--repeats", 3, "--seed", 5, "--max-problems", 12],
        ["--system-prompt", "Be brief.", "--price-in", 1, "--price-out", 2],
        ["--unclear", "judge", "--missing", "judge"],
        ["--temperature", 0.5, "--param", "top_p=0.9"],
    ],
)
def test_runs_with_other_options_are_reproduced(
    bench: Bench, tmp_path: Path, steelyard: Commands, more: list[object]
) -> None:
    bench.plan(Rule(contains="What is 7 + 7?", text="It may be 14 or 15."))
    assert steelyard(*bench.args(tmp_path / "out", *more)).code == 0
    assert verified(steelyard, tmp_path / "out")["result"] == "reproduced"


@pytest.mark.parametrize("name", ["arithmetic", "choices", "extraction", "languages", "trivia"])
def test_runs_of_bundled_benchmarks_are_reproduced(
    bench: Bench, tmp_path: Path, steelyard: Commands, name: str
) -> None:
    texts = ("Answer: B", "The answer is 42.", '{"a": 1}', "", "I cannot help with that.")
    bench.server.script.plan = Plan(texts=texts)
    args = bench.args(tmp_path / "out", "--repeats", 2, "--max-problems", 10, judge=False)
    args[args.index(str(bench.file))] = name
    assert steelyard(*args).code == 0
    found = verified(steelyard, tmp_path / "out")
    assert (found["result"], found["recomputed"]["scores"]) == ("reproduced", {"score": 20})


def test_what_a_run_went_through_does_not_matter(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    folder = tmp_path / "out"
    bench.plan(Rule(contains="What is 7 + 7?", do="status", status=400))
    assert steelyard(*bench.args(folder, "--max-tokens", 150)).code == 3
    found = verified(steelyard, folder)
    assert found["exit_code"] == 0, found["differences"]
    assert steelyard(*bench.args(folder, "--resume")).code == 3
    assert verified(steelyard, folder)["result"] == "reproduced"
    bench.plan()
    bench.file.write_text(BENCH.replace("{q}", "Say: {q}"), encoding="utf-8")
    steelyard(*bench.args(folder, "--resume", "--allow-change", "--max-time", 0))
    found = verified(steelyard, folder)
    assert found["exit_code"] == 0, found["differences"]


def test_runs_that_were_made_of_others_are_reproduced(
    bench: Bench, run: Path, tmp_path: Path, steelyard: Commands
) -> None:
    other = tmp_path / "other.py"
    other.write_text(BENCH.replace("numeric_match", "exact_match"), encoding="utf-8")
    spec = {
        "type": "deterministic",
        "profile": "free",
        "dimensions": [
            {
                "name": "sum",
                "weight": 1,
                "primitive": "exact_match",
                "field": "sum",
                "ground_truth_field": "target",
            },
        ],
    }
    (tmp_path / "spec.json").write_text(json.dumps(spec), encoding="utf-8")
    url = bench.server.url
    for number, command in enumerate(
        [
            ["rescore", run, "--bench", other],
            ["rescore", run, "--spec", tmp_path / "spec.json"],
            ["rejudge", run, "--judge-id", "stricter", "--judge-url", url],
            ["rejudge", run, "--offline"],
        ]
    ):
        new = tmp_path / f"new-{number}"
        assert steelyard("eval", *command, "--output", new, "-q").code == 0
        assert verified(steelyard, new)["result"] == "reproduced", command


CODE = """
from steelyard.bench import benchmark
from steelyard import code_sandbox, scorer

ROWS = [
    {"id": "right", "q": "f: x + 1", "_test": "assert f(1) == 2", "entry_point": "f"},
    {"id": "wrong", "q": "f: x + 2", "_test": "assert f(1) == 3", "entry_point": "f"},
]


@benchmark(name="programs", dataset=ROWS, prompt="{q}", target_field="")
@scorer
def programs(sample):
    print("a scorer may print")
    return code_sandbox(sample)
"""


@pytest.fixture
def programs(tmp_path: Path, steelyard: Commands) -> Path:
    (tmp_path / "bench.py").write_text(CODE, encoding="utf-8")
    replies = [{"id": name, "text": "def f(x):\n    return x + 1"} for name in ("right", "wrong")]
    (tmp_path / "replies.jsonl").write_text("\n".join(map(json.dumps, replies)), encoding="utf-8")
    args = ["--bench", tmp_path / "bench.py", "--recorded", tmp_path / "replies.jsonl"]
    assert steelyard("eval", "run", *args, "-o", tmp_path / "code", "-q").code == 0
    return tmp_path / "code"


def test_programs_are_run_again(programs: Path, steelyard: Commands) -> None:
    found = verified(steelyard, programs)
    assert (found["result"], found["recomputed"]["scores"]) == ("reproduced", {"code verdict": 2})
    done = steelyard("verify", programs, "--no-code")
    assert done.code == 0
    assert done.out.endswith("reproduced, except 2 code verdicts: --no-code skips them\n")
    set_field("scores.jsonl", 1, "value", 1.0)(programs)
    assert verified(steelyard, programs)["differences"] == [
        {
            "file": "scores.jsonl",
            "line": 2,
            "sample": "1.0",
            "field": "value",
            "stated": 1.0,
            "computed": 0.0,
        }
    ]
    assert verified(steelyard, programs, "--no-code")["exit_code"] == 1, (
        "the file is not the journal's"
    )


def test_a_sandbox_that_fails_verifies_nothing(
    programs: Path, steelyard: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    from steelyard.errors import SandboxError
    from steelyard.scoring import code_execution

    def missing(name: str) -> None:
        raise SandboxError("bubblewrap is not installed")

    monkeypatch.setattr(code_execution, "shared_sandbox", missing)
    found = verified(steelyard, programs)
    assert (found["result"], found["exit_code"]) == ("not recomputed", 3)
    assert found["except"] == [
        {"what": "code verdict", "why": "bubblewrap is not installed", "count": 2}
    ]


def remove(bench: Bench) -> None:
    bench.file.unlink()


def edit_scorer(bench: Bench) -> None:
    bench.file.write_text(BENCH.replace("numeric_match", "exact_match"), encoding="utf-8")


def edit_targets(bench: Bench) -> None:
    bench.file.write_text(BENCH.replace("2 * n,", "2 * n + 1,"), encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (remove, "my_bench.py: there is no such file"),
        (edit_scorer, "the benchmark has changed since (code: "),
        (edit_targets, "dataset: "),
    ],
)
def test_without_its_benchmark_no_score_is_verified(
    bench: Bench, run: Path, steelyard: Commands, change: Callable[[Bench], None], why: str
) -> None:
    change(bench)
    found = verified(steelyard, run)
    assert (found["result"], found["exit_code"]) == ("not recomputed", 3)
    (left,) = found["except"]
    assert (left["what"], left["count"], why in left["why"]) == ("score", TOTAL, True)
    assert (found["recomputed"]["scores"], found["recomputed"]["files"]) == ({}, FILES)
    edit_json(run / "results.json", "headline", "ci_upper", value=1.0)
    done = steelyard("verify", run)
    assert done.code == 1
    assert "results.json, headline.ci_upper: stated 1.0, computed 0.8" in done.out
    moved("scores.jsonl", lambda f: f[:7] + f[8:])(run)
    done = steelyard("verify", run)
    assert (done.code, "scores.jsonl:8: is the sample 8.0" in done.out) == (1, True), done.out


def test_a_dataset_that_is_gone_is_named(bench: Bench, tmp_path: Path, steelyard: Commands) -> None:
    data = tmp_path / "rows.jsonl"
    data.write_text(json.dumps({"q": "What is 2 + 2?", "target": 4, "kind": "x"}) + "\n")
    assert steelyard(*bench.args(tmp_path / "out", "--dataset", data)).code == 0
    assert verified(steelyard, tmp_path / "out")["result"] == "reproduced"
    data.unlink()
    done = steelyard("verify", tmp_path / "out")
    assert (done.code, f"{data}: there is no such file" in done.out) == (3, True), done


def test_verdicts_that_are_not_stored_are_not_verified(
    bench: Bench, tmp_path: Path, steelyard: Commands
) -> None:
    bench.plan(Rule(contains="work-", do="status", status=401))
    assert steelyard(*bench.args(tmp_path / "out")).code == 3
    done = steelyard("verify", tmp_path / "out")
    told = f"reproduced, except {OPEN} samples: no verdict of the judge is stored\n"
    assert (done.code, done.out.endswith(told)) == (0, True), done.out
    bench.plan(Rule(contains="work-", text="I would rather not say."))
    assert steelyard(*bench.args(tmp_path / "unread")).code == 3
    assert verified(steelyard, tmp_path / "unread")["result"] == "reproduced"


def test_a_run_of_another_version_is_recomputed_and_both_are_told(
    bench: Bench, tmp_path: Path, steelyard: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("steelyard.runs.plan.__version__", "0.0.9")
        assert steelyard(*bench.args(tmp_path / "out")).code == 0
    done = steelyard("verify", tmp_path / "out")
    told = "reproduced, except the reports: another version made them"
    assert (done.code, done.out.splitlines()[-1]) == (0, told)
    assert re.search(r"^version +0\.0\.9, computed again with \d", done.out, re.MULTILINE)
    found = verified(steelyard, tmp_path / "out")
    assert found["run_version"] == "0.0.9" != found["version"]


def test_a_run_that_was_killed_is_verified_as_far_as_it_came(
    run: Path, bench: Bench, steelyard: Commands
) -> None:
    about = json.loads((run / "run.json").read_text(encoding="utf-8"))
    del about["journal"]
    (run / "run.json").write_text(json.dumps({**about, "status": "running"}), encoding="utf-8")
    for name in FILES:
        if name != "judge.jsonl":
            (run / name).unlink()
    path = run / "journal.jsonl"
    path.write_bytes(path.read_bytes()[:-5])
    done = steelyard("verify", run)
    assert done.code == 0, done
    assert "the run never stopped in order" in done.out
    assert "its last line is incomplete" in done.out
    assert "reproduced, except " in done.out
    assert "eval run --resume writes them" in done.out
    edit_journal('"value":0.0,"correct":false', '"value":1.0,"correct":true')(run)
    done = steelyard("verify", run, "--all")
    assert (done.code, "score.value: stated 1.0, computed 0.0" in done.out) == (1, True), done.out
    bench.file.unlink()
    path.write_text("", encoding="utf-8")
    assert steelyard("verify", run).code == 3


def test_a_run_that_is_not_chained_says_so(run: Path, steelyard: Commands) -> None:
    path = run / "journal.jsonl"
    path.write_text(re.sub(r',"chain":"\w+"', "", path.read_text(encoding="utf-8")), "utf-8")
    about = json.loads((run / "run.json").read_text(encoding="utf-8"))
    del about["journal"]
    (run / "run.json").write_text(json.dumps(about), encoding="utf-8")
    done = steelyard("verify", run)
    assert (done.code, done.out.splitlines()[-1]) == (0, "reproduced")
    assert "journal     not chained; " in done.out


@pytest.mark.parametrize("edited", ["{}", '{"format": 99}'])
def test_a_run_file_that_cannot_be_used_is_bad_input(
    run: Path, steelyard: Commands, edited: str
) -> None:
    (run / "run.json").write_text(edited, encoding="utf-8")
    done: Ran = steelyard("verify", run)
    assert (done.code, done.out, "run.json" in done.err) == (2, "", True)


def test_an_edit_of_a_verdict_is_one_that_the_table_makes() -> None:
    assert '"score": 5' in VERDICT

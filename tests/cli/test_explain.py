"""``steelyard explain``: the stages of one score, for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import Commands

RESPONSE = "<think>or 7?</think>The total is 20 + 22 = 42"
TABLE = Path(__file__).parent.parent / "cases" / "cli" / "explain_errors.jsonl"
ERRORS = [(row["args"], row["told"]) for row in map(json.loads, TABLE.read_text().splitlines())]
SCORERS = {
    "exact_match": "42",
    "multichoice_regex": "B",
    "answer_line": "42",
    "numeric_match": "42",
    "fuzzy_match": "42",
}


def test_the_place_is_underlined(steelyard: Commands) -> None:
    ran = steelyard(
        "explain", "--scorer", "numeric_match", "--response", RESPONSE, "--target", "42"
    )
    assert ran.code == 0
    assert "verdict   right, value 1" in ran.out
    lines = ran.out.splitlines()
    marks = [
        number for number, line in enumerate(lines) if line.strip() and set(line.strip()) == {"^"}
    ]
    assert marks
    last = lines[marks[-1]]
    assert lines[marks[-1] - 1][last.index("^") : last.rindex("^") + 1] == "42"


@pytest.mark.parametrize("scorer", SCORERS)
def test_every_scorer_tells_its_stages(scorer: str, steelyard: Commands) -> None:
    text = SCORERS[scorer]
    ran = steelyard("explain", "--scorer", scorer, "--response", text, "--target", text, "--json")
    found = json.loads(ran.out)
    assert found["score"]["correct"] is True
    assert found["steps"]
    assert all(step["stage"] and step["note"] for step in found["steps"])
    assert found["input"] == {"response": text, "target": text}


@pytest.mark.parametrize("scorer", SCORERS)
def test_nothing_found_is_explained_too(scorer: str, steelyard: Commands) -> None:
    ran = steelyard(
        "explain",
        "--scorer",
        scorer,
        "--response",
        "",
        "--target",
        "4" if scorer == "numeric_match" else "B",
    )
    assert ran.code == 0
    assert "verdict   wrong, value 0" in ran.out
    assert "because   " in ran.out


def test_texts_come_from_files_and_standard_input(steelyard: Commands, tmp_path: Path) -> None:
    (tmp_path / "target").write_text("42", encoding="utf-8")
    given = [
        "explain",
        "--scorer",
        "numeric_match",
        "--target",
        f"@{tmp_path / 'target'}",
        "--json",
    ]
    found = json.loads(steelyard(*given, "--response", "-", stdin="Es sind 42 €".encode()).out)
    assert found["input"] == {"response": "Es sind 42 €", "target": "42"}
    assert json.loads(steelyard(*given, "--response", "@@42").out)["input"]["response"] == "@42"


def test_a_byte_order_mark_is_no_part_of_a_file(steelyard: Commands, tmp_path: Path) -> None:
    for name, text in (("response", "Paris"), ("metadata", '{"a": 1}')):
        (tmp_path / name).write_text(text, encoding="utf-8-sig")
    given = [
        "explain",
        "--scorer",
        "exact_match",
        "--target",
        "-",
        "--metadata",
        f"@{tmp_path / 'metadata'}",
        "--json",
    ]
    ran = steelyard(*given, "--response", f"@{tmp_path / 'response'}", stdin="\ufeffParis".encode())
    assert json.loads(ran.out)["input"] == {
        "response": "Paris",
        "target": "Paris",
        "metadata": {"a": 1},
    }
    assert (
        json.loads(steelyard(*given, "--response", "\ufeffx").out)["input"]["response"] == "\ufeffx"
    )


def test_parameters_and_metadata(steelyard: Commands) -> None:
    ran = steelyard(
        "explain",
        "--scorer",
        "multichoice_regex",
        "--response",
        "Answer: j",
        "--target",
        "J",
        "--param",
        r'pattern="(?i)Answer\\s*:\\s*([A-J])"',
        "--json",
    )
    assert json.loads(ran.out)["score"]["extracted"] == "J"
    ran = steelyard(
        "explain",
        "--scorer",
        "fuzzy_match",
        "--response",
        "It is Paris.",
        "--target",
        "x",
        "--metadata",
        '{"correct_answers": ["Paris"]}',
        "--json",
    )
    assert json.loads(ran.out)["score"]["correct"] is True


OWN = """
class Odd:
    def __repr__(self):
        return "odd"

def plain(sample):
    return {"correct": True, "extracted": Odd()}

def traced(sample, *, trace=None):
    if trace is not None:
        trace.add("looked", "at all of it", (0, 2))
    return {"correct": False, "reason": "no\\x1b[31m"}

def broken(sample):
    return 1 / 0
"""


@pytest.mark.parametrize(
    ("function", "shown"),
    [
        ("plain", ["keeps no trace", "verdict   right, value 1", "extracted 'odd'"]),
        ("traced", [" 1. looked: at all of it\n      hi\n      ^^\n", "because   no␛[31m"]),
        ("broken", ["verdict   unscored, no value", "ZeroDivisionError"]),
    ],
)
def test_a_users_own_scorer(
    function: str, shown: list[str], steelyard: Commands, tmp_path: Path
) -> None:
    (tmp_path / "own.py").write_text(OWN)
    given = [
        "explain",
        "--scorer",
        f"{tmp_path / 'own.py'}:{function}",
        "--response",
        "hi",
        "--target",
        "x",
    ]
    ran = steelyard(*given)
    assert ran.code == 0
    for text in shown:
        assert text in ran.out
    assert json.loads(steelyard(*given, "--json").out)["scorer"] == function


@pytest.mark.parametrize(("args", "told"), ERRORS)
def test_what_cannot_be_explained_is_an_error(
    args: list[str], told: str, steelyard: Commands
) -> None:
    ran = steelyard("explain", *args)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("option", "text", "told"),
    [
        ("--response", "\udcff", "--response: not UTF-8"),
        ("--metadata", "[" * 9999, "--metadata: not JSON"),
    ],
)
def test_hostile_texts_are_errors_too(
    option: str, text: str, told: str, steelyard: Commands
) -> None:
    given = {"--scorer": "exact_match", "--response": "x", "--target": "y", option: text}
    ran = steelyard("explain", *(part for pair in given.items() for part in pair))
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err


@pytest.mark.parametrize(
    ("raw", "place"), [(b"\xff", 1), (b"ab\xffc", 3), (b"\xef\xbb\xbfab\xff", 6)]
)
def test_bytes_are_counted_from_one(
    raw: bytes, place: int, steelyard: Commands, tmp_path: Path
) -> None:
    path = tmp_path / "response.txt"
    path.write_bytes(raw)
    told = f"not UTF-8: byte {place} cannot be read\n"
    ran = steelyard("explain", "--scorer", "exact_match", "--response", f"@{path}", "--target", "y")
    assert (ran.code, ran.err) == (2, f"error: {path}: {told}")
    ran = steelyard(
        "explain", "--scorer", "exact_match", "--response", "-", "--target", "y", stdin=raw
    )
    assert (ran.code, ran.err) == (2, f"error: --response: {told}")
    ran = steelyard("score", "--scorer", "exact_match", "--param", f"mode=@{path}", "in.jsonl")
    assert (ran.code, ran.err) == (2, f"error: {path}: {told}")


def write(folder: Path, **files: object) -> list[str]:
    """Each file as JSON, and the options that name them."""
    for name, value in files.items():
        (folder / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
    return [part for name in files for part in (f"--{name}", str(folder / f"{name}.json"))]


def halves(*, kind: str = "primitive", uses: str = "exact_match") -> dict[str, object]:
    """A spec of two dimensions: one over ``answer``, and speed."""
    speed = {"name": "speed", "weight": 0.5, "primitive": "time_decay", "time_limit_secs": 100}
    dimension = {"name": "correctness", "weight": 0.5, kind: uses, "field": "answer"}
    return {"type": "deterministic", "dimensions": [dimension, speed]}


def test_a_scorer_of_a_users_gets_plain_numbers_and_correct_answers_are_exact(
    steelyard: Commands, tmp_path: Path
) -> None:
    own = tmp_path / "own.py"
    own.write_text(
        "from steelyard import scorer\n\n\n@scorer\ndef near(sample):\n    return sample.metadata['by'] * 1.0\n"
    )
    asked = ("--response", "5", "--target", "5", "--metadata", '{"by": 0.5}', "--json")
    ran = steelyard("explain", "--scorer", f"{own}:near", *asked)
    assert json.loads(ran.out)["score"]["value"] == 0.5, ran.err
    several = '{"correct_answers": [0.1234567890123456789]}'
    asked = ("--response", "0.1234567890123456789", "--metadata", several, "--json")
    ran = steelyard("explain", "--scorer", "fuzzy_match", *asked)
    assert json.loads(ran.out)["score"]["correct"] is True, ran.err


def test_a_spec_shows_the_stages_of_its_scorers(steelyard: Commands, tmp_path: Path) -> None:
    spec = halves(kind="scorer", uses="numeric_match")
    files = write(
        tmp_path,
        spec=spec,
        submission={"answer": "<think>1</think>Answer: 42"},
        truth={"answer": "42"},
    )
    said = steelyard("explain", *files, "--time-used", 0)
    assert [
        line.split(":")[0].strip()
        for line in said.out.splitlines()
        if line.strip()[:2] in {"1.", "2.", "3."}
    ] == ["1. cut", "2. number", "3. compare"]
    told = json.loads(steelyard("explain", *files, "--time-used", 0, "--json").out)["steps"]
    assert {name: [step["stage"] for step in steps] for name, steps in told.items()} == {
        "correctness": ["cut", "number", "compare"]
    }


def test_a_spec_shows_each_reason_and_the_sum(steelyard: Commands, tmp_path: Path) -> None:
    files = write(tmp_path, spec=halves(), submission={"answer": "x"}, truth={"answer": "y"})
    ran = steelyard("explain", *files, "--time-used", "0.5")
    assert ran.code == 0, ran.err
    assert "correctness  exact_match: answer with answer\n    0 × 0.5 = 0\n    because " in ran.out
    assert "total     0 + 497.5 = 497.5; its fraction is dropped: 497" in ran.out
    assert "result    draw (400 to 699)" in ran.out
    found = json.loads(steelyard("explain", *files, "--time-used", "0.5", "--json").out)
    assert (found["score"], found["sum"], found["result"]) == (497, 497.5, "draw")
    assert found["score_breakdown"]["speed"] == {"score": 995, "weight": 0.5, "weighted": 497.5}
    assert "x" in found["reasons"]["correctness"]


def test_a_dimension_without_a_score_leaves_no_total(steelyard: Commands, tmp_path: Path) -> None:
    spec = {**halves(kind="scorer", uses="needs_judge"), "type": "judged"}
    files = write(tmp_path, spec=spec, submission={"answer": "x"}, truth={"answer": "y"})
    ran = steelyard("explain", *files, "--time-used", "1")
    assert "no score: answer: waits for the judge" in ran.out
    assert "total     none" in ran.out


def test_what_was_told_besides_is_shown(steelyard: Commands, tmp_path: Path) -> None:
    spec = {
        **halves(),
        "format": [{"field": "answer", "type": "array"}],
        "constraints": {"max_llm_calls": 0},
    }
    trajectory = {
        "steps": [
            {
                "type": "llm_call",
                "ts": 1,
                "model": "m",
                "input_tokens": 1,
                "output_tokens": 1,
                "duration_ms": 1,
            }
        ]
    }
    files = write(
        tmp_path,
        spec=spec,
        submission={"answer": "\x1b[31m"},
        truth={"answer": "y"},
        trajectory=trajectory,
    )
    ran = steelyard("explain", *files, "--time-used", "1")
    assert "error     answer: " in ran.out
    assert "violation max_llm_calls: " in ran.out
    assert "\x1b" not in ran.out


@pytest.mark.parametrize(
    "args",
    [
        [
            "--scorer",
            "json_schema",
            "--param",
            'schema={"required": ["a"]}',
            "--response",
            '{"a": 1}',
        ],
        ["--scorer", "needs_judge", "--response", "x"],
        [
            "--scorer",
            "fuzzy_match",
            "--response",
            "It is Paris.",
            "--metadata",
            '{"correct_answers": ["Paris"]}',
        ],
    ],
)
def test_no_target_is_asked_for_where_none_is_needed(args: list[str], steelyard: Commands) -> None:
    ran = steelyard("explain", *args)
    assert (ran.code, ran.err) == (0, "")
    assert "verdict   wrong" not in ran.out


@pytest.mark.parametrize("scorer", SCORERS)
def test_the_comparison_is_among_the_stages(scorer: str, steelyard: Commands) -> None:
    text = SCORERS[scorer]
    ran = steelyard("explain", "--scorer", scorer, "--response", text, "--target", text, "--json")
    assert "compare" in [step["stage"] for step in json.loads(ran.out)["steps"]]


@pytest.mark.parametrize(
    ("response", "target", "shown"),
    [
        (
            "Answer: The Beatles",
            "beatles",
            [
                "normalise: response 'beatles', target 'beatles'",
                "compare: 'The Beatles' with 'beatles', in normal form",
            ],
        ),
        ("Answer: 3.0", "3", ["compare: '3.0' with '3', by value"]),
        (
            "Answer: 42",
            "forty",
            [
                "normalise: response '42', target 'forty'",
                "compare: '42' with 'forty', in normal form",
            ],
        ),
    ],
)
def test_an_answer_line_shows_how_it_is_compared(
    response: str, target: str, shown: list[str], steelyard: Commands
) -> None:
    ran = steelyard(
        "explain", "--scorer", "answer_line", "--response", response, "--target", target
    )
    assert all(text in ran.out for text in shown)
    assert ("normalise" in ran.out) is (len(shown) == 2)


def test_a_score_that_cannot_be_written_has_no_value(steelyard: Commands, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        "def big(sample):\n    return {'correct': True, 'n': 10**5000}\n"
    )
    given = [
        "explain",
        "--scorer",
        f"{tmp_path / 'own.py'}:big",
        "--response",
        "x",
        "--target",
        "x",
    ]
    ran = steelyard(*given)
    assert (ran.code, ran.err) == (0, "")
    assert (
        "verdict   unscored, no value\nbecause   the scorer returned what no score can hold"
        in ran.out
    )
    assert (
        "a score's detail holds an integer with too many digits, which JSON has no form for"
        in ran.out
    )
    assert json.loads(steelyard(*given, "--json").out)["status"] == "unscored"


@pytest.mark.parametrize("command", ["score", "explain"])
@pytest.mark.parametrize(("begun", "offered"), [("num", ["numeric_match"]), ("my_file", [])])
def test_a_shell_offers_the_names_of_scorers(
    command: str,
    begun: str,
    offered: list[str],
    steelyard: Commands,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {
        "_STEELYARD_COMPLETE": "complete_bash",
        "COMP_WORDS": f"steelyard {command} --scorer {begun}",
        "COMP_CWORD": "3",
    }.items():
        monkeypatch.setenv(name, value)
    assert steelyard().out.split() == offered

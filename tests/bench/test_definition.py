"""Benchmarks over scorers: what a user writes works, and what cannot work is told before a model is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard import ScorerInput, exact_match, needs_judge, scorer
from steelyard.bench import Benchmark, benchmark, load_benchmark, make_benchmark
from steelyard.errors import DataError, SpecError
from steelyard.models.types import Message

OWN = """
from steelyard import ScorerInput, exact_match, multichoice_regex, needs_judge, scorer
from steelyard.bench import benchmark

@benchmark(
    name="capitals",
    dataset="data.jsonl",
    prompt="Question: {question}\\nAnswer:",
    target_field="answer",
    system_prompt="Be brief.",
    field_map={"land": "country"},
    repeats=4,
)
@scorer
def own_capitals(sample: ScorerInput) -> dict:
    return {**exact_match(sample), "country": sample.metadata["country"]}
"""
TWO = (
    OWN
    + """
@benchmark(name="open-capitals", dataset="data.jsonl", prompt="{question}", target_field="answer")
@scorer
def own_open_capitals(sample):
    return needs_judge(sample)
"""
)
ROWS = '{"question": "France?", "answer": "Paris", "land": "FR"}\n{"question": "Peru?", "answer": "Lima", "land": "PE"}\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data.jsonl").write_text(ROWS, encoding="utf-8")
    (tmp_path / "own.py").write_text(OWN, encoding="utf-8")
    (tmp_path / "two.py").write_text(TWO, encoding="utf-8")
    return tmp_path


def test_a_file_of_the_users_is_a_benchmark(folder: Path) -> None:
    found = load_benchmark(folder / "own.py")
    assert (found.name, found.repeats, found.needs_judge, found.needs_sandbox) == (
        "capitals",
        4,
        False,
        False,
    )
    first, second = found.problems()
    assert first.messages == (
        Message("system", "Be brief."),
        Message("user", "Question: France?\nAnswer:"),
    )
    assert (first.index, first.id, first.target, second.target) == (0, "0", "Paris", "Lima")
    assert first.metadata == {"question": "France?", "answer": "Paris", "country": "FR"}
    score = found.score(first, "paris.")
    assert score.correct
    assert score.detail == {"country": "FR"}
    assert found.score(second, "Paris").value == 0
    assert [problem.id for problem in found.problems(1)] == ["0"]


def test_a_column_may_hold_the_whole_conversation() -> None:
    said = [
        {"role": "user", "content": "Capital of France?"},
        {"role": "assistant", "content": "Which one?"},
        {"role": "user", "content": "Today's."},
    ]

    @benchmark(name="talk", dataset=[{"dialogue": said, "target": "Paris"}], messages="dialogue")
    @scorer
    def talk(sample: ScorerInput) -> dict[str, Any]:
        return {"correct": exact_match(sample).correct}

    (problem,) = load_benchmark("talk").problems()
    assert [(one.role, one.content) for one in problem.messages] == [
        (one["role"], one["content"]) for one in said
    ]
    with pytest.raises(SpecError, match="either 'prompt' or 'messages' has to be there"):
        benchmark(name="talk", dataset=[], prompt="{q}", messages="dialogue")


def test_what_only_a_judge_scores_needs_no_target() -> None:
    rows = [{"q": "Why is the sky blue?"}]

    @benchmark(name="why", dataset=rows, prompt="{q}")
    @scorer
    def why(sample: ScorerInput) -> Any:
        return needs_judge(sample)

    assert [problem.target for problem in load_benchmark("why").problems()] == [""]
    assert made(rows, scorer_name="needs_judge").problems()[0].target == ""
    with pytest.raises(DataError, match='target_field="" says that there is none'):
        made(rows, scorer_name=why, target_field="answer").problems()


def test_the_scorer_below_stays_a_scorer() -> None:
    @benchmark(name="left-alone", dataset=[{"q": "1", "target": "x"}], prompt="{q}")
    @scorer
    def left_alone(sample: ScorerInput) -> dict[str, Any]:
        return {"correct": exact_match(sample).correct}

    assert left_alone(ScorerInput("X", "x")).correct
    assert (
        load_benchmark("left-alone").score(load_benchmark("left-alone").problems()[0], "x").correct
    )


def test_other_rows_can_take_the_place_of_its_own(folder: Path) -> None:
    (folder / "more.csv").write_text("question,answer,land\nChad?,N'Djamena,TD\n", encoding="utf-8")
    found = load_benchmark(folder / "own.py", dataset=folder / "more.csv")
    assert [problem.target for problem in found.problems()] == ["N'Djamena"]
    assert found.identity["dataset"] != load_benchmark(folder / "own.py").identity["dataset"]


def test_one_of_several_in_a_file_is_named(folder: Path) -> None:
    assert load_benchmark(f"{folder}/two.py:open-capitals").needs_judge
    assert not load_benchmark(f"{folder}/two.py:capitals").needs_judge
    with pytest.raises(SpecError, match=r"has several benchmarks; name one: .*two\.py:capitals"):
        load_benchmark(f"{folder}/two.py")
    with pytest.raises(SpecError, match="did you mean 'capitals'"):
        load_benchmark(f"{folder}/two.py:capital")


def test_every_change_that_shapes_a_sample_is_another_identity(folder: Path) -> None:
    before = load_benchmark(folder / "own.py").identity
    assert load_benchmark(folder / "own.py").identity == before
    (folder / "own.py").write_text(OWN + "\nx = 1\n", encoding="utf-8")
    edited = load_benchmark(folder / "own.py").identity
    assert {key for key in before if before[key] != edited[key]} == {"code"}
    (folder / "own.py").write_text(OWN.replace("Question:", "Q:"), encoding="utf-8")
    assert load_benchmark(folder / "own.py").identity["prompt"] != before["prompt"]
    (folder / "data.jsonl").write_text(ROWS.replace("Lima", "Cusco"), encoding="utf-8")
    assert load_benchmark(folder / "own.py").identity["dataset"] != before["dataset"]


FILES = {
    "raise ValueError('no')": r"own\.py:1: cannot be loaded: ValueError: no",
    "def f(:": r"own\.py:1: cannot be loaded: SyntaxError",
    "x = 1": "there is no benchmark in it",
    OWN.replace("prompt=", "promt="): "has no parameter 'promt'; did you mean 'prompt'",
    OWN.replace("repeats=", "repeat="): "did you mean 'repeats'",
    OWN.replace("data.jsonl", "gone.jsonl"): r"gone\.jsonl: there is no such file",
    OWN.replace("{question}", "{question"): "prompt: line 1: a single '{'",
    OWN.replace("repeats=4", "repeats=0"): "repeats: must be a whole number from 1",
}


@pytest.mark.parametrize("source", FILES, ids=list(FILES.values()))
def test_a_file_that_cannot_be_used_is_told_with_its_line(source: str, folder: Path) -> None:
    (folder / "own.py").write_text(source, encoding="utf-8")
    with pytest.raises(SpecError, match=FILES[source]):
        load_benchmark(folder / "own.py")


def made(
    rows: Any, prompt: str = "{q}", scorer_name: Any = "exact_match", **rest: Any
) -> Benchmark:
    return make_benchmark("made", rows, prompt, scorer_name, **rest)


GOOD = {"q": "1 + 1", "target": "2"}
BAD_ROWS: list[tuple[Any, dict[str, Any], str]] = [
    (
        [{"q": "1"}],
        {},
        "item 1: the row has no target: there is no column 'target'; it has q; "
        'target_field="" says that there is none',
    ),
    ([GOOD, {"q": "1", "target": None}], {}, "item 2: the column 'target' is null"),
    ([GOOD, {"q": "1", "target": " "}], {}, "item 2: the target is empty"),
    ([GOOD, {"question": "1", "target": "2"}], {}, "item 2: the prompt names {q}"),
    (
        [{"id": "a", **GOOD}, {"id": "b", **GOOD}, {"id": "a", **GOOD}],
        {},
        "item 3: the id 'a' is that of item 1",
    ),
    ([{"id": ["a"], **GOOD}], {}, 'item 1: the id is ["a"]'),
    (
        [{"response": "x", **GOOD}],
        {},
        "item 1: the column 'response' has a name that runs use themselves",
    ),
    (
        [GOOD],
        {"field_map": {"qq": "question"}},
        "field_map renames 'qq', and the row has no such column; did you mean 'q'",
    ),
    ([GOOD], {"field_map": {"q": "target"}}, "there is a column 'target' already"),
    ([GOOD], {"category_field": "kind"}, "item 1: the row has no category"),
    ([{"q": "", "target": "2"}], {}, "item 1: the prompt is empty"),
    ([GOOD], {"judge": {"rubric": "{notes}"}}, "the judge's rubric names {notes}"),
    (
        [{"rubrics": [{"criterion": "x", "points": -1}], **GOOD}],
        {"scorer_name": "needs_judge"},
        "nothing can be earned",
    ),
]


@pytest.mark.parametrize(("rows", "rest", "said"), BAD_ROWS, ids=[said for _, _, said in BAD_ROWS])
def test_a_row_that_cannot_be_a_problem_is_told_with_its_place(
    rows: Any, rest: dict[str, Any], said: str
) -> None:
    with pytest.raises(DataError) as wrong:
        made(rows, **rest).problems()
    assert said in str(wrong.value)


BAD_PARTS: list[tuple[dict[str, Any], str]] = [
    ({"scorer_name": "exact_mach"}, "did you mean 'exact_match'"),
    ({"scorer_name": 7}, "must be a scorer's name or a function"),
    ({"params": {"letters": "A-E"}}, "exact_match has no parameter 'letters'"),
    ({"scorer_name": "multichoice_regex", "params": {"leters": "A-E"}}, "did you mean 'letters'"),
    ({"field_map": {"a": "x", "b": "x"}}, "two columns would become 'x'"),
    (
        {"judge": {"treshold": 1}},
        "judge.treshold: a judge has no setting of that name; did you mean 'threshold'",
    ),
    ({"judge": {"max_score": 1}}, "judge.max_score: must be a whole number from 2"),
    ({"repeats": True}, "repeats: must be"),
]


@pytest.mark.parametrize(("rest", "said"), BAD_PARTS, ids=[said for _, said in BAD_PARTS])
def test_a_part_that_cannot_be_used_is_told_when_it_is_made(
    rest: dict[str, Any], said: str
) -> None:
    with pytest.raises(SpecError) as wrong:
        made([GOOD], **rest)
    assert said in str(wrong.value)


@pytest.mark.parametrize(
    ("name", "said"), [("", "name: must be a name"), ("a\ud800", "name: holds half of")]
)
def test_a_name_that_cannot_be_written_is_refused(name: Any, said: str) -> None:
    with pytest.raises(SpecError, match=said):
        make_benchmark(name, [GOOD], "{q}", "exact_match")


def test_a_judge_or_a_sandbox_that_is_needed_is_told_before_the_first_call() -> None:
    judged = made([GOOD], scorer_name=lambda sample: needs_judge(sample))
    judged.check(judge=True)
    with pytest.raises(SpecError, match="made: needs a judge, and none is named"):
        judged.check(judge=False)
    assert made([GOOD], judge={"max_score": 10}).needs_judge
    assert not made([GOOD]).needs_judge
    boxed = made([GOOD], scorer_name="code_sandbox", params={"sandbox": "no such sandbox"})
    assert boxed.needs_sandbox
    with pytest.raises(SpecError, match="sandbox"):
        boxed.check()


def test_a_bug_in_a_users_scorer_is_no_zero() -> None:
    def broken(sample: ScorerInput) -> Any:
        raise KeyError("x")

    found = made([GOOD], scorer_name=broken)
    score = found.score(found.problems()[0], "2")
    assert score.value is None
    assert "KeyError" in score.reason


def test_targets_and_answers_are_read_as_they_are_meant(tmp_path: Path) -> None:
    (tmp_path / "n.jsonl").write_text('{"q": "?", "target": 1.50}\n', encoding="utf-8")
    assert (
        make_benchmark("n", "n.jsonl", "{q}", "exact_match", base=tmp_path).problems()[0].target
        == "1.50"
    )
    shown = (
        make_benchmark("n", "n.jsonl", "{target}", "exact_match", base=tmp_path)
        .problems()[0]
        .prompt
    )
    assert shown == "1.50"
    several = made([{"q": "?", "target": ["Rome", "Roma"]}], scorer_name="fuzzy_match").problems()[
        0
    ]
    assert (several.target, several.metadata["correct_answers"]) == ("Rome", ["Rome", "Roma"])
    aliases = made([{"q": "?", "correct_answers": ["Rome"]}], scorer_name="fuzzy_match").problems()[
        0
    ]
    assert aliases.target == ""
    assert made([{"q": "?"}], target_field="").problems()[0].target == ""
    assert made([{"q": "?", "target": True}]).problems()[0].target == "true"


@given(st.lists(st.text(min_size=1).filter(str.strip), min_size=1, max_size=5), st.integers(1, 6))
def test_problems_are_in_order_and_a_limit_takes_the_first(texts: list[str], limit: int) -> None:
    found = made([{"q": text, "target": "x"} for text in texts])
    assert [problem.prompt for problem in found.problems()] == texts
    assert list(found.problems(limit)) == found.problems()[:limit]

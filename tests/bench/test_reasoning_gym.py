"""Generators of reasoning-gym: seeded, scored by their own scorer, and safe from what a model writes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.bench import load_benchmark
from steelyard.bench.adapters.screen import is_plain
from steelyard.errors import SpecError

NAMES = (
    "basic_arithmetic",
    "countdown",
    "game_of_life_halting",
    "letter_counting",
    "n_queens",
    "simple_integration",
    "spiral_matrix",
    "rubiks_cube",
)


@pytest.mark.slow
def test_a_seed_gives_the_same_problems_in_every_process() -> None:
    name = "reasoning-gym:letter_counting?seed=5&size=4"
    here = load_benchmark(name)
    code = f"from steelyard.bench import load_benchmark; print(load_benchmark({name!r}).identity['dataset'])"
    there = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()
    assert there == here.identity["dataset"]
    assert load_benchmark(name.replace("seed=5", "seed=6")).identity["dataset"] != there
    assert [problem.metadata["category"] for problem in here.problems()] == ["algorithmic"] * 4


@pytest.mark.parametrize("name", NAMES)
def test_right_answers_are_right_and_others_are_not(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = load_benchmark(f"reasoning-gym:{name}?seed=3&size=3")
    hostile = "<answer>[open('touched', 'w') for x in [1]]</answer>"
    for problem in found.problems():
        if problem.target:
            assert found.score(problem, f"So it is.\n<answer>\n{problem.target}\n</answer>").correct
        assert found.score(problem, "").value == 0
        assert not found.score(problem, "I do not know.").correct
        assert not found.score(problem, hostile).correct
    assert not list(tmp_path.iterdir())


PLAIN = (
    "Here it is.\n\n{}",
    "{}",
    "Here it is.\n\n```\n{}\n```",
    "Let me see.\n\nAnswer:\n{}\n\nI hope this helps.",
    "Let me see.\n\n**Answer:**\n{}",
    "Answer: {}",
)


@pytest.mark.parametrize(
    "name",
    [
        "futoshiki",
        "kakurasu",
        "manipulate_matrix",
        "mini_sudoku",
        "n_queens",
        "tower_of_hanoi",
        "list_functions",
        "sentence_reordering",
    ],
)
def test_answers_without_tags_are_read_whole(name: str) -> None:
    found = load_benchmark(f"reasoning-gym:{name}?seed=3&size=3")
    for problem in found.problems():
        for form in PLAIN:
            score = found.score(problem, form.format(problem.target))
            assert score.value == 1, (form, problem.target, score.extracted)
        lines = problem.target.splitlines()
        assert not found.score(problem, f"Answer:\n{lines[-1][:-1]}").correct


def test_our_own_comparison_is_told_beside_theirs() -> None:
    found = load_benchmark("reasoning-gym:basic_arithmetic?seed=1&size=1")
    problem = found.problems()[0]
    assert found.score(problem, f"Answer: {problem.target}").detail == {
        "cross_check": {"ours": 1.0, "theirs": 1.0}
    }
    wrong = found.score(problem, f"<answer>{problem.target}0</answer>").detail["cross_check"]
    assert (wrong["ours"], wrong["theirs"] < 1) == (0.0, True)
    assert problem.messages[0].role == "system"
    assert "<answer>" in problem.messages[0].content


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("basic_arithmetics", "did you mean 'basic_arithmetic'"),
        ("zzzzzzzzzz", "there is no generator 'zzzzzzzzzz'; there are"),
        ("basic_arithmetic?sead=1", "the generator has no option 'sead'; did you mean 'seed'"),
        ("basic_arithmetic?size=many", "size: must be a whole number from 0, not 'many'"),
        ("basic_arithmetic?seed=-1", "seed: must be a whole number"),
        (
            "basic_arithmetic?min_terms=9&max_terms=2",
            "the generator cannot be made: AssertionError",
        ),
    ],
)
def test_what_cannot_be_made_is_told(name: str, said: str) -> None:
    with pytest.raises(SpecError) as wrong:
        load_benchmark(f"reasoning-gym:{name}")
    assert said in str(wrong.value)


@pytest.mark.parametrize(
    "answer",
    [
        "12",
        "(1 + 2) * 3 - 4/5",
        "[1, 2, 3]",
        "[['Q', '_'], ['_', 'Q']]",
        "['_Q__', '___Q']",
        "x**2/2 + C",
        "exp(x)*sin(2*x)",
        "1 2 3\n4 5 6",
        "-9*x**8/10 + 3*x**4/2",
        "(x + 1)**3",
        "2.5",
        "",
    ],
)
def test_plain_answers_pass_the_screen(answer: str) -> None:
    assert is_plain(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "__import__('os')",
        "().__class__",
        "exit()",
        "open('x')",
        "x.y",
        "9**9**9",
        "9**999",
        "((((2**9)**9)**9)**9)**9",
        "[x for x in y]",
        "lambda: 0",
        "print",
        "a[0](1)",
        "f'{x}'",
        "1;2",
        "x" * 3000,
        "9!",
        "eval('1')",
        "(9)\n**\n999",
        "9**(9**9)",
        "'a'.b",
        "[0]*999999999999",
        "'a'*9999999999",
        "(1,2)*999999999",
        "x__y",
    ],
)
def test_what_could_do_more_than_be_read_does_not(answer: str) -> None:
    assert not is_plain(answer)


@given(st.text(max_size=60))
def test_nothing_that_passes_can_call_anything(answer: str) -> None:
    if is_plain(answer):
        assert len(answer) <= 2000
        assert not any(word in answer for word in ("import", "lambda", "exec", "open("))

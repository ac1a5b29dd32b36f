"""Evals of the OpenAI registry: its files are read, its ways of matching are reproduced and held against its own code."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import string
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.bench import load_benchmark
from steelyard.bench.adapters import evals_match
from steelyard.bench.adapters.evals_registry import Registry, find_registry
from steelyard.errors import DataError, SpecError
from steelyard.scoring.types import ScorerInput

YAML = """
towns:
  id: towns.test.v1
  description: Which town?
  metrics: [accuracy]
towns.test.v1:
  class: evals.elsuite.basic.match:Match
  args:
    samples_jsonl: towns/samples.jsonl
towns.shown.v1:
  class: evals.elsuite.basic.match:Match
  args: {samples_jsonl: towns/samples.jsonl, num_few_shot: 1, few_shot_jsonl: towns/shown.jsonl}
loose:
  class: evals.elsuite.basic.includes:Includes
  args: {samples_jsonl: towns/samples.jsonl, ignore_case: true}
fuzzy:
  class: evals.elsuite.basic.fuzzy_match:FuzzyMatch
  args: {samples_jsonl: towns/samples.jsonl}
records:
  class: evals.elsuite.basic.json_match:JsonMatch
  args: {samples_jsonl: towns/records.jsonl}
graded:
  class: evals.elsuite.modelgraded.classify:ModelBasedClassify
round:
  id: again
again:
  id: round
escape:
  class: evals.elsuite.basic.match:Match
  args: {samples_jsonl: ../../secret.jsonl}
far:
  class: evals.elsuite.basic.match:Match
  args: {samples_jsonl: "https://example.org/samples.jsonl"}
numbers:
  class: evals.elsuite.basic.match:Match
  args: {samples_jsonl: towns/numbers.jsonl}
"""
SAMPLES = [
    {
        "input": [
            {"role": "system", "content": "Name the town."},
            {"role": "user", "content": "On the Aare?"},
        ],
        "ideal": "Bern",
    },
    {"input": "On the Limmat?", "ideal": ["Zürich", "Zurich"]},
]


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    (tmp_path / "evals").mkdir()
    (tmp_path / "data" / "towns").mkdir(parents=True)
    (tmp_path / "evals" / "towns.yaml").write_text(YAML, encoding="utf-8")
    data = tmp_path / "data" / "towns"
    (data / "samples.jsonl").write_text("\n".join(map(json.dumps, SAMPLES)), encoding="utf-8")
    shown = [
        {"role": "user", "content": "On the Rhine?"},
        {"role": "assistant", "content": "Basel"},
    ]
    (data / "shown.jsonl").write_text(json.dumps({"sample": shown}), encoding="utf-8")
    (data / "records.jsonl").write_text(
        json.dumps({"input": "?", "ideal": '{"a": [1, 2]}'}), encoding="utf-8"
    )
    (data / "numbers.jsonl").write_text(json.dumps({"input": "?", "ideal": 7}), encoding="utf-8")
    (tmp_path / "secret.jsonl").write_text("{}", encoding="utf-8")
    return tmp_path


def test_an_eval_is_found_by_its_short_name(registry: Path) -> None:
    found = load_benchmark(f"openai-evals:towns?registry={registry}")
    assert (found.name, found.description) == ("openai-evals:towns.test.v1", "Which town?")
    first, second = found.problems()
    assert [message.role for message in first.messages] == ["system", "user"]
    assert second.prompt == "On the Limmat?"
    replies = ["Bern, I think.", "bern", "It is Bern", ""]
    assert [found.score(first, reply).value for reply in replies] == [1.0, 0.0, 0.0, 0.0]
    assert found.score(second, "Zurich").extracted == "Zurich"


def test_an_empty_prompt_is_asked_as_it_is(registry: Path) -> None:
    empty = [
        {"input": "", "ideal": "x"},
        {"input": [{"role": "user", "content": " "}], "ideal": "y"},
        {"input": [], "ideal": "z"},
    ]
    lines = "\n".join(map(json.dumps, [*SAMPLES, *empty]))
    (registry / "data" / "towns" / "samples.jsonl").write_text(lines, encoding="utf-8")
    problems = load_benchmark(f"openai-evals:towns?registry={registry}").problems()
    assert [problem.messages[-1].content for problem in problems][2:] == ["", " ", ""]


def test_examples_are_shown_before_the_question(registry: Path, tmp_path: Path) -> None:
    data = tmp_path / "data" / "towns" / "samples.jsonl"
    data.write_text(json.dumps(SAMPLES[0]), encoding="utf-8")
    problem = load_benchmark(f"openai-evals:towns.shown.v1?registry={registry}").problems()[0]
    assert [message.content for message in problem.messages] == [
        "Name the town.",
        "On the Rhine?",
        "Basel",
        "On the Aare?",
    ]


@pytest.mark.parametrize(
    ("name", "reply", "value"),
    [
        ("loose", "i say bern.", 1.0),
        ("loose", "Basel", 0.0),
        ("fuzzy", "The Bern!", 1.0),
        ("fuzzy", "be", 1.0),
        ("fuzzy", "Basel", 0.0),
        ("fuzzy", "", 0.0),
        ("records", '{"a": [1, 2]}', 1.0),
        ("records", '{"a": [2, 1]}', 0.0),
        ("records", '{"a": [1, 2], "b": 1}', 0.0),
        ("records", "a: 1, 2", 0.0),
        ("records", "[" * 100_000, 0.0),
    ],
)
def test_each_class_scores_in_its_own_way(
    name: str, reply: str, value: float, registry: Path
) -> None:
    found = load_benchmark(f"openai-evals:{name}?registry={registry}")
    assert found.score(found.problems()[0], reply).value == value


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("twons", "did you mean 'towns'"),
        (
            "graded",
            "is scored by evals.elsuite.modelgraded.classify:ModelBasedClassify; here run those by Match",
        ),
        ("round", "alias of an alias without end"),
        ("escape", "are not in the registry"),
        ("far", "are not in the registry"),
        ("numbers", "ideal: a text or a list of texts is needed"),
    ],
)
def test_what_cannot_be_run_is_told_before_it_runs(name: str, said: str, registry: Path) -> None:
    with pytest.raises((SpecError, DataError)) as wrong:
        load_benchmark(f"openai-evals:{name}?registry={registry}").problems()
    assert said in str(wrong.value)


def test_a_folder_that_is_no_registry_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="it is no registry"):
        load_benchmark(f"openai-evals:x?registry={tmp_path}")
    with pytest.raises(SpecError, match="there is no option 'registri'; did you mean 'registry'"):
        load_benchmark("openai-evals:x?registri=1")


PACKAGE = importlib.util.find_spec("evals")
TEXTS = st.text(alphabet="ab the.,!A\u00e9 1\n", max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2) | st.sampled_from(["a", "b"]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("xy"), inner, max_size=2)
    ),
    max_leaves=5,
)


def own_function(file: str, name: str) -> Callable[..., Any]:
    """One function of the installed package by its source: importing the package itself would need all that it needs."""
    assert PACKAGE is not None
    tree = ast.parse(
        (Path(PACKAGE.submodule_search_locations[0]) / file).read_text(encoding="utf-8")
    )  # type: ignore[index]
    wanted = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    typing = {
        "Any": Any,
        "cast": lambda kind, value: value,
        "Mapping": dict,
        "List": list,
        "Optional": Any,
        "Union": Any,
    }
    names: dict[str, Any] = {"re": re, "string": string, "Counter": Counter, **typing}
    for node in wanted:
        if node.name in {"normalize", "fuzzy_match", "get_answer", "json_match", "f1_score"}:
            exec(compile(ast.Module([node], []), file, "exec"), names)
    found: Callable[..., Any] = names[name]
    return found


if PACKAGE is not None:  # a dependency of no extra: it comes with `pip install --no-deps evals`

    @given(TEXTS, TEXTS)
    def test_fuzzy_is_the_packages_own(got: str, want: str) -> None:
        theirs = own_function("elsuite/utils.py", "fuzzy_match")(got, want)
        ours = evals_match.fuzzy(ScorerInput(got, metadata={"ideal": want}))
        assert ours.correct == (theirs and bool(got.strip()))
        if got.strip():
            f1 = own_function("elsuite/utils.py", "f1_score")(got, [want])
            assert ours.detail["f1_score"] == pytest.approx(f1)

    @given(TEXTS, TEXTS, st.booleans())
    def test_includes_is_the_packages_own(got: str, want: str, ignore_case: bool) -> None:
        theirs = own_function("elsuite/utils.py", "get_answer")(got, want, ignore_case) is not None
        ours = evals_match.includes(
            ScorerInput(got, metadata={"ideal": want}), ignore_case=ignore_case
        )
        assert ours.correct == (theirs and bool(got.strip()))

    @given(VALUES, VALUES)
    def test_json_is_the_packages_own(got: Any, want: Any) -> None:
        theirs = own_function("elsuite/basic/json_match.py", "json_match")
        assert evals_match.same_json(got, want) == theirs(got, want)
        assert evals_match.same_json(want, want) == theirs(want, want)

    def test_evals_of_the_real_registry_load() -> None:
        names = Registry(find_registry()).names()
        assert len(names) > 1000
        for name in (
            "2d_movement",
            "test-fuzzy-match",
            "test-includes-ignore-case",
            "icelandic-inflection-easy",
        ):
            assert load_benchmark(f"openai-evals:{name}").problems(3)

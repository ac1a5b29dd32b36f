"""Tasks: what is read, and every fault told with its place."""

from __future__ import annotations

import contextlib
import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import DataError, SpecError
from steelyard.grading.equal import Tolerance
from steelyard.grading.task import load_task

FAULTS = json.loads(
    (Path(__file__).parents[1] / "cases/grading/faults.json").read_text(encoding="utf-8")
)
FUNCTION = {"kind": "function", "entry_point": "add", "cases": [[[1, 2], 3]]}


@pytest.mark.parametrize(("task", "told"), FAULTS, ids=[told for _, told in FAULTS])
def test_a_fault_is_told_with_its_path(task: Any, told: str) -> None:
    with pytest.raises(SpecError) as wrong:
        load_task(task)
    assert told in str(wrong.value)


def test_files_of_a_case_leave_room_for_the_program() -> None:
    def stdio(size: int) -> Any:
        case = {"stdout": "", "files": {"data": "x" * size}}
        return load_task({"kind": "stdio", "cases": [["", ""], case], "limits": {"disk_mb": 1}})

    assert stdio(1 << 19).cases
    with pytest.raises(
        SpecError,
        match=r"cases\[1\]\.files: take 528,384 bytes, which is more than half of the 1 MB",
    ):
        stdio((1 << 19) + 1)


def test_an_input_that_would_fill_the_programs_memory_is_refused() -> None:
    with pytest.raises(SpecError, match=r"cases\[0\]\.stdin: takes more than half of the memory"):
        load_task({"kind": "stdio", "cases": [["x" * (9 << 20), ""]], "limits": {"memory_mb": 16}})


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(
        json.dumps({"kind": "stdio", "nme": 1, "limits": {"pids": 0}, "cases": [["", 1]]})
    )
    with pytest.raises(SpecError) as wrong:
        load_task(path)
    lines = str(wrong.value).splitlines()
    assert [line.split(": ")[:2] for line in lines] == [
        [str(path), "nme"],
        [str(path), "limits.pids"],
        [str(path), "cases[0].stdout"],
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b'{\n"kind": ,}', ":2: not JSON"),
        (b"\xff", "not UTF-8: byte 1"),
        (b'{"kind": NaN}', "NaN is not a JSON value"),
        (b"[" * 100_000, "nested too deeply"),
        (b"1" * 5000, "more than 4000 digits"),
        (b'{"kind": "stdio", "kind": "stdio", "cases": [["", ""]]}', "kind: is given twice"),
        (
            b'{"kind": "stdio", "cases": [{"stdout": "", "stdout": "x"}]}',
            "cases[0].stdout: is given twice",
        ),
        (
            b'{"kind": "function", "entry_point": "f", "cases": [[[{"a":1,"a":2}], 1]]}',
            "is given twice",
        ),
        (
            b'{"kind": "function", "entry_point": "f", "cases": [[[1e999], 1]]}',
            "too large for a float",
        ),
        (b'{"kind": "function", "entry_point": "f", "cases": [[["\\ud800"], 1]]}', "surrogate"),
        (b'{"kind": "stdio", "cases": [["\\ud800", ""]]}', "cases[0].stdin: cannot be read"),
        (
            b'{"kind": "stdio", "cases": [["", ""]], "checker": {"file": "none.py"}}',
            "none.py: there is no such file",
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_named(text: bytes, told: str, tmp_path: Path) -> None:
    path = tmp_path / "task.json"
    path.write_bytes(text)
    with pytest.raises((SpecError, DataError)) as wrong:
        load_task(path)
    assert told in str(wrong.value)
    assert str(tmp_path) in str(wrong.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no such file"):
        load_task(tmp_path / "none.json")


def test_values_that_json_lacks() -> None:
    tagged = {
        "$": "dict",
        "v": [[1, {"a": 2**70}], [{"$": "tuple", "v": [1, 2]}, {"$": "float", "v": "nan"}]],
    }
    task = load_task(
        {**FUNCTION, "cases": [[[tagged, {"b": [None]}], {"$": "set", "v": [1, "x"]}]]}
    )
    got = task.cases[0].args[0]
    assert got[1] == {"a": 2**70}
    assert got[1, 2] != got[1, 2]
    assert task.cases[0].args[1] == {"b": [None]}
    assert task.cases[0].expected == {1, "x"}


def test_both_notations_of_a_case_and_what_is_left_out() -> None:
    task = load_task(
        {
            "kind": "stdio",
            "language": "CPP",
            "cases": [
                ["in", "out"],
                {
                    "stdin": {"base64": "AA=="},
                    "stdout": "x",
                    "name": "nul",
                    "weight": 2,
                    "files": {"a/b.txt": "c"},
                    "expect_files": {"o": "1"},
                },
            ],
        }
    )
    first, second = task.cases
    assert (task.language, task.comparison, first.name, first.stdin, first.stdout) == (
        "c++",
        "lines",
        "case 1",
        b"in",
        b"out",
    )
    assert (second.name, second.weight, second.stdin) == ("nul", 2.0, b"\0")
    assert (second.files, second.expect_files) == ({"a/b.txt": b"c"}, {"o": b"1"})


def test_limits_tolerance_and_a_checker_beside_the_task(tmp_path: Path) -> None:
    (tmp_path / "check.py").write_text("def check(a, b, c): return True")
    path = tmp_path / "t.json"
    path.write_text(
        json.dumps(
            {
                "kind": "stdio",
                "checker": {"file": "check.py"},
                "cases": [["", ""]],
                "limits": {"wall_s": 0.5, "memory_mb": 64.0},
            }
        )
    )
    task = load_task(path)
    assert task.comparison == "custom"
    assert task.checker.startswith("def check")
    assert (task.limits.wall_s, task.limits.memory_mb, task.limits.pids) == (0.5, 64, 64)
    assert load_task({**FUNCTION, "tolerance": {"abs": 0.1}}).tolerance == Tolerance(abs=0.1)


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["$", "v", "args", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.sampled_from(["kind", "entry_point", "language", "cases", "limits", "tolerance"]), junk)
def test_whatever_an_author_writes_is_read_or_refused(name: str, value: Any) -> None:
    task = {**copy.deepcopy(FUNCTION), name: value}
    with contextlib.suppress(SpecError):
        assert load_task(task).cases

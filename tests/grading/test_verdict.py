"""Verdicts: which fact leads to which, and that nothing a program says of itself is a pass."""

from __future__ import annotations

import itertools
import signal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.grading.record import EXCERPT_BYTES, CaseResult, Graded, excerpt, one_line, weighted
from steelyard.grading.verdict import (
    VERDICTS,
    broken_limit,
    gravest,
    of_failure,
    of_program,
    of_silence,
)
from steelyard.sandbox.job import Outcome

PROGRAMS = [
    ({"exit_code": 0}, None),
    ({"exit_code": 1}, "runtime_error"),
    ({"signal": 11}, "runtime_error"),
    ({"exit_code": 0, "limit": "time"}, "time_limit"),
    ({"signal": 9, "limit": "memory"}, "memory_limit"),
    ({"exit_code": 0, "limit": "output"}, "output_limit"),
    ({"limit": "process"}, "process_limit"),
    ({"exit_code": 0, "limit": "disk"}, "disk_limit"),
    ({"signal": signal.SIGSYS}, "security_violation"),
    ({"exit_code": 0, "violation": True}, "security_violation"),
    ({"signal": signal.SIGXCPU}, "time_limit"),
    ({"signal": signal.SIGXFSZ}, "disk_limit"),
    ({}, "runtime_error"),
    ({"exit_code": 1, "stderr": b"Traceback\nMemoryError\n"}, "memory_limit"),
    ({"exit_code": 1, "stderr": b"OSError: [Errno 28] No space left on device"}, "disk_limit"),
    ({"exit_code": 1, "stderr": b"RuntimeError: can't start new thread"}, "process_limit"),
    ({"exit_code": 2, "stderr": b"sh: 1: Cannot fork"}, "process_limit"),
    ({"signal": 6, "stderr": b"what():  std::bad_alloc"}, "memory_limit"),
    ({"exit_code": 1, "stderr": b"MemoryError\nKeyError: 1"}, "runtime_error"),
    ({"exit_code": 0, "stderr": b"MemoryError"}, None),
    ({"exit_code": 1, "stderr": b"\xff\xff"}, "runtime_error"),
]
FAILURES = [
    ({"type": "MemoryError"}, "memory_limit"),
    ({"type": "OSError", "errno": 28}, "disk_limit"),
    ({"type": "OSError", "errno": 27}, "disk_limit"),
    ({"type": "BlockingIOError", "errno": 11}, "process_limit"),
    ({"type": "OSError", "errno": 12}, "memory_limit"),
    ({"type": "TooLarge"}, "output_limit"),
    ({"type": "RuntimeError", "text": "can't start new thread"}, "process_limit"),
    ({"type": "NotPlain"}, "wrong_answer"),
    ({"type": "SystemExit"}, "no_result"),
    ({"type": "KeyError"}, "runtime_error"),
    ({}, "runtime_error"),
    ({"type": "accepted"}, "runtime_error"),
    ({"type": ["x"], "errno": "28"}, "runtime_error"),
]


@pytest.mark.parametrize(("facts", "verdict"), PROGRAMS)
def test_a_command_that_ended(facts: dict[str, Any], verdict: str | None) -> None:
    assert of_program(Outcome(**facts)) == verdict


@pytest.mark.parametrize(("failed", "verdict"), FAILURES)
def test_an_exception_that_was_reported(failed: dict[str, Any], verdict: str) -> None:
    assert of_failure(failed) == verdict


outcomes = st.builds(
    Outcome,
    exit_code=st.none() | st.integers(0, 255),
    signal=st.none() | st.integers(1, 64),
    violation=st.booleans(),
    limit=st.sampled_from([None, "time", "memory", "output", "process", "disk"]),
    stderr=st.binary(max_size=30),
)


@given(outcomes)
def test_no_end_of_a_run_is_a_pass_by_itself(outcome: Outcome) -> None:
    assert of_silence(outcome) in VERDICTS[1:-1]
    assert of_program(outcome) in (None, *VERDICTS[1:-1])
    if outcome.limit or outcome.violation:
        assert of_program(outcome) == of_silence(outcome) == broken_limit(outcome)


@given(
    st.dictionaries(
        st.sampled_from(["type", "text", "errno"]),
        st.none() | st.integers() | st.text() | st.lists(st.text()),
    )
)
def test_no_report_of_a_failure_is_a_pass(failed: dict[str, Any]) -> None:
    assert of_failure(failed) in VERDICTS[1:-1]


def test_the_gravest_decides() -> None:
    for one, other in itertools.product(VERDICTS, VERDICTS):
        assert gravest([one, other]) == VERDICTS[max(VERDICTS.index(one), VERDICTS.index(other))]
    assert gravest([]) == "no_result"


def a_case(name: str, value: float, weight: float) -> CaseResult:
    return CaseResult(
        name=name, verdict="accepted" if value == 1 else "wrong_answer", value=value, weight=weight
    )


def test_weights_are_shares_and_a_hair_is_still_missing() -> None:
    assert weighted((a_case("a", 1.0, 0.1), a_case("b", 0.0, 0.2))) == pytest.approx(1 / 3)
    assert weighted((a_case("a", 1.0, 1e14), a_case("b", 0.0, 1e-14))) < 1
    assert weighted(tuple(a_case(str(n), 1.0, 0.1) for n in range(30))) == 1


def test_a_failure_of_ours_has_no_value_and_no_part_counts() -> None:
    lost = CaseResult(name="a", verdict="sandbox_error", value=None)
    graded = Graded(
        passed=None,
        verdict="sandbox_error",
        value=None,
        reason="gone",
        tests=(lost,),
        stdout="",
        stderr="",
        wall_s=0.0,
        peak_memory=None,
        sandbox={},
    )
    assert graded.score().status == "unscored"
    assert graded.to_dict()["tests"][0]["passed"] is None


@given(st.binary(max_size=5000))
def test_an_excerpt_is_bounded_harmless_text(data: bytes) -> None:
    text = excerpt(data)
    assert len(text.encode()) <= EXCERPT_BYTES
    assert all(char == "\n" or char == "\t" or char.isprintable() for char in text)
    assert "\x1b" not in one_line(data.decode("utf-8", "replace"))


@pytest.mark.parametrize(
    "char", ["\x1b", "\x07", "\x9b", "\u202e", "\u2028", "\u200b", "\x7f", "\r", "\ufeff"], ids=repr
)
def test_nothing_that_steers_a_terminal_is_kept(char: str) -> None:
    assert char not in excerpt(f"a{char}b".encode())
    assert char not in one_line(f"a{char}b")


def test_what_was_cut_is_marked() -> None:
    assert excerpt(b"a\n" * 41).endswith("…")
    assert excerpt(b"x" * 3000).endswith("x…")
    assert excerpt("é".encode() * 1500).endswith("é…")

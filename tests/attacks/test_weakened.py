"""A wall that is taken away is missed by the corpus: the programs that need it pass, or break its limit."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from attacks.corpus import Program, programs
from attacks.runner import judge
from skips import needs_root
from steelyard.sandbox import Bubblewrap, Job, Limits, Sandbox, run

PROGRAMS = programs()
ENOUGH = 2  # one program alone may be blind for another reason
BY_LIMIT = {
    "pids": {
        "process_limit/fork_many.py",
        "process_limit/thread_many.py",
        "process_limit/fork_zombies.py",
    },
    "memory": {
        "memory_limit/bytes_big.py",
        "memory_limit/memory_mapped.py",
        "memory_limit/list_growing.py",
    },
}
BY_WEAKNESS = {
    "network": "no network namespace",
    "uid": "no uid drop",
    "environment": "environment kept",
}


def shown_by(weakness: str) -> list[Program]:
    """The programs that are there to find it."""
    if weakness in BY_LIMIT:
        return [one for one in PROGRAMS if one.name in BY_LIMIT[weakness]]
    return [one for one in PROGRAMS if one.header.get("shows") == BY_WEAKNESS[weakness]]


def caught(chosen: list[Program], verdict: Callable[[Program], str]) -> list[str]:
    """Those whose verdict is none of their folder's."""
    return [one.name for one in chosen if verdict(one) not in one.allowed]


@pytest.mark.slow
@pytest.mark.parametrize("weakness", ["network", "pids", "memory", "environment"])
def test_a_missing_wall_is_noticed(weakness: str) -> None:
    with Bubblewrap(weaken=frozenset({weakness})) as weak:
        found = caught(shown_by(weakness), lambda one: judge(one, weak)[0])
        assert len(found) >= ENOUGH, f"only {found} noticed"
        assert weak.describe()["unsafe"] is True


@needs_root
def test_a_user_that_was_not_dropped_is_noticed() -> None:
    with Bubblewrap(weaken=frozenset({"uid"})) as weak:
        found = caught(shown_by("uid"), lambda one: judge(one, weak)[0])
        assert len(found) >= ENOUGH, f"only {found} noticed"


@pytest.mark.parametrize("weakness", ["network", "pids", "memory", "environment", "uid"])
def test_with_the_wall_the_same_programs_fail(weakness: str, bubblewrap: Sandbox) -> None:
    assert not caught(shown_by(weakness), lambda one: judge(one, bubblewrap)[0])


def test_an_exit_code_that_is_trusted_is_noticed(bubblewrap: Sandbox) -> None:
    chosen = [one for one in PROGRAMS if one.header.get("trusts") == "exit code"]
    found = caught(chosen, lambda one: by_exit_code(one, bubblewrap))
    assert len(found) >= ENOUGH, f"only {found} noticed"


def by_exit_code(one: Program, sandbox: Sandbox) -> str:
    """What a grader says that runs program and call in one process, and takes its end for its answer."""
    shell = one.name.endswith(".sh")
    name = "program.sh" if shell else "program.py"
    call = "" if one.task["kind"] == "stdio" else "\nassert solve(1, 2) == 3\n"
    job = Job(
        argv=("sh" if shell else "python3", name),
        files={name: (one.source + call).encode()},
        stdin=b"1 2\n",
    )
    ended = run(sandbox, job, Limits(wall_s=2, memory_mb=128))
    return "accepted" if ended.exit_code == 0 else "runtime_error"

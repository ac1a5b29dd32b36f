"""A machine that has too much to do: programs are still dead in time, and nobody is blamed for what others took."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from attacks.corpus import Program, program
from attacks.runner import LATE, Ran, faults, limits_of, run, survivors
from steelyard.sandbox import Sandbox

EATERS = (
    "memory_limit/list_growing.py",
    "memory_limit/memory_mapped.py",
    "memory_limit+process_limit/memory_in_children.py",
)
OTHERS = (
    "time_limit/busy.py",
    "time_limit+memory_limit+process_limit/fork_bomb.py",
    "time_limit/signals_ignored.py",
)
BUSY = 8


@pytest.fixture
def busy() -> Iterator[None]:
    """So many processes that never rest, besides whatever else runs here."""
    with contextlib.ExitStack() as ends:
        for _ in range(BUSY):
            one = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            ends.callback(one.wait)
            ends.callback(one.kill)
        yield


def all_at_once(chosen: tuple[str, ...], sandbox: Sandbox) -> list[tuple[Program, Ran]]:
    programs = [program(name) for name in chosen]
    with ThreadPoolExecutor(len(programs)) as threads:
        return list(
            zip(programs, threads.map(lambda one: run(one, sandbox), programs), strict=True)
        )


def check(found: list[tuple[Program, Ran]]) -> None:
    """A busy machine may make any program late, and may leave one without a verdict, but never lets it run on."""
    for one, ran in found:
        assert ran.longest < limits_of(one)["wall_s"] + LATE, (
            f"{one.name} ran for {ran.longest:.2f} s"
        )
        assert ran.verdict in one.allowed | {"time_limit", "sandbox_error"}, faults(one, ran)
    assert not survivors()


@pytest.mark.slow
@pytest.mark.parametrize("chosen", [EATERS, OTHERS], ids=["eaters", "others"])
def test_docker_ends_them_in_time(chosen: tuple[str, ...], in_docker: Sandbox, busy: None) -> None:
    check(all_at_once(chosen, in_docker))


@pytest.mark.slow
@pytest.mark.parametrize("chosen", [EATERS, OTHERS], ids=["eaters", "others"])
def test_bubblewrap_ends_them_in_time(
    chosen: tuple[str, ...], bubblewrap: Sandbox, busy: None
) -> None:
    check(all_at_once(chosen, bubblewrap))

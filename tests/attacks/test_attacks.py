"""Every program of the corpus gets a verdict that its folder names, in time, and leaves nothing behind."""

from __future__ import annotations

import os

import pytest

from attacks.corpus import Program, program, programs
from attacks.runner import HONEST, faults, judge, now, processes_of, run
from attacks.unprivileged import USER, run_corpus
from steelyard.grading.verdict import VERDICTS
from steelyard.sandbox import Sandbox

PROGRAMS = programs()
ALWAYS = [one for one in PROGRAMS if one.always]
OTHERS = [one for one in PROGRAMS if not one.always]
HOSTILE, HONEST_ONES = 110, 20


def label(one: Program) -> str:
    return one.name


def check(one: Program, sandbox: Sandbox) -> None:
    assert not faults(one, run(one, sandbox))
    assert judge(program(HONEST), sandbox)[0] == "accepted", "the next program pays for it"


@pytest.mark.parametrize("one", ALWAYS, ids=label)
def test_bubblewrap_holds(one: Program, bubblewrap: Sandbox) -> None:
    check(one, bubblewrap)


@pytest.mark.slow
@pytest.mark.parametrize("one", OTHERS, ids=label)
def test_bubblewrap_holds_against_all(one: Program, bubblewrap: Sandbox) -> None:
    check(one, bubblewrap)


@pytest.mark.slow
@pytest.mark.parametrize("one", [one for one in PROGRAMS if one.runs_on("docker")], ids=label)
def test_docker_holds(one: Program, in_docker: Sandbox) -> None:
    check(one, in_docker)


@pytest.mark.slow
def test_bubblewrap_holds_for_an_unprivileged_user() -> None:
    done = run_corpus([one.name for one in PROGRAMS])
    wrong = [
        f"{told['name']}: {told['verdict']} after {told['seconds']:.2f} s ({told['reason']}): {'; '.join(told['faults'])}"
        for told in done
        if told["faults"]
    ]
    assert not wrong, "\n".join(["", *wrong])
    assert {told["name"] for told in done} == {one.name for one in PROGRAMS}
    assert os.geteuid() != 0 or not processes_of({USER}, now())


def test_the_corpus_is_well_formed() -> None:
    for one in PROGRAMS:
        assert one.allowed <= set(VERDICTS) - {"sandbox_error"}, one.name
        assert one.hostile != ("Honest" in one.header), (
            f"{one.name} says neither or both of Attack and Honest"
        )
        assert one.task["limits"]["wall_s"] <= 2, one.name
        for other in (one.header.get("after"), one.header.get("beside")):
            assert other is None or program(other) in PROGRAMS
    assert sum(one.hostile for one in PROGRAMS) >= HOSTILE
    assert sum(not one.hostile and one.allowed == {"accepted"} for one in PROGRAMS) >= HONEST_ONES

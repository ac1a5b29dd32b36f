"""The self-test: it passes in a sandbox that holds, and names the wall of one that does not."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable

import pytest

from docker_daemon import IMAGE, docker_address
from steelyard.errors import SandboxError
from steelyard.sandbox import Bubblewrap, Docker, Limits, Unsandboxed, probe, self_test, selftest

WALLS = {tried.__name__ for tried in probe.PROBES}
ROOT = os.geteuid() == 0
# What a weakened sandbox lets through, as root; anybody else has no uid to drop.
WEAKENED = [
    ("network", {"network", "local_sockets"}),
    ("environment", {"environment"}),
    *([("uid", {"root"})] if ROOT else []),
]


def through(message: str) -> set[str]:
    """The walls that a complaint names."""
    texts = selftest._walls()
    return {wall for wall, (means, remedy) in texts.items() if f"{means} ({remedy})" in message}


def test_bubblewrap_holds() -> None:
    with Bubblewrap(keep=1) as sandbox:
        found = self_test(sandbox)
    assert {one.name for one in found} == WALLS
    assert all(one.held for one in found)


def test_docker_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", docker_address())
    with Docker(image=IMAGE) as sandbox:
        assert {one.name for one in self_test(sandbox)} == WALLS


@pytest.mark.parametrize(("wall", "wanted"), WEAKENED)
def test_a_missing_wall_is_named(
    wall: str, wanted: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STEELYARD_SECRET_OF_A_TEST", "x")
    with (
        Bubblewrap(keep=1, weaken=frozenset({wall})) as sandbox,
        pytest.raises(SandboxError) as caught,
    ):
        self_test(sandbox)
    assert through(str(caught.value)) == wanted
    assert "\n" not in str(caught.value)


def test_nothing_holds_where_there_is_no_sandbox() -> None:
    # The filter of system calls stands even here, so two of the probes are refused.
    always = {"network", "local_sockets", "host_files", "home", "processes", "environment"}
    as_root = {"password_file", "root", "kernel_settings", "system_files"} if ROOT else set()
    with (
        Unsandboxed() as sandbox,
        pytest.raises(SandboxError, match="the sandbox none does not hold") as caught,
    ):
        self_test(sandbox)
    assert always | as_root <= through(str(caught.value))


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (None, "did not run in the sandbox box: it gave no answer"),
        ("", "did not run"),
        ("[]", "did not run"),
        (
            {"failed": {"type": "ImportError", "text": "no ctypes"}},
            "did not run in the sandbox box: ImportError: no ctypes",
        ),
        ("{}", "did not try everything"),
        (json.dumps(dict.fromkeys(sorted(WALLS)[1:], False)), "did not try everything"),
        (json.dumps({**dict.fromkeys(WALLS, False), "more": False}), "did not try everything"),
        (json.dumps(dict.fromkeys(WALLS, 0)), "did not run"),
    ],
)
def test_a_test_that_was_not_made_is_not_passed(answer: object, complaint: str) -> None:
    with pytest.raises(SandboxError, match=complaint):
        selftest._read(answer, "box")


def test_every_wall_has_its_words() -> None:
    assert selftest._walls().keys() == WALLS
    assert all(one.held for one in selftest._read(json.dumps(dict.fromkeys(WALLS, False)), "box"))


def killed_by(number: int) -> Callable[[object], bool]:
    def probe_of_that_end(outside: object) -> bool:
        os.kill(os.getpid(), number)
        return False

    return probe_of_that_end


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_probe_that_breaks_counts_as_through() -> None:
    def broken(outside: object) -> bool:
        raise KeyError(outside)

    def refused(outside: object) -> bool:
        raise PermissionError

    assert probe.gets_through(broken, {})
    assert not probe.gets_through(refused, {})
    assert not probe.gets_through(killed_by(signal.SIGSYS), {}), "the filter's way to refuse"
    assert probe.gets_through(killed_by(signal.SIGKILL), {})


def test_no_secret_is_sent_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEELYARD_SECRET_OF_A_TEST", "a very secret word")
    with selftest._outside() as told:
        assert "a very secret word" not in json.dumps(told)
        assert probe.environment(told), "its digest is"
        assert probe.host_files(told)
        assert probe.processes(told)


def test_a_box_too_small_for_the_test_is_not_a_pass() -> None:
    with Bubblewrap(keep=1) as sandbox, pytest.raises(SandboxError):
        self_test(sandbox, Limits(wall_s=0.01))

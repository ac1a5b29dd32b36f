"""What the docker command's complaints mean, and whose a container is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from docker_daemon import IMAGE, docker_address
from steelyard.errors import SandboxError
from steelyard.sandbox import Docker
from steelyard.sandbox.docker_client import explain, is_alive, owner

COMPLAINTS = [
    (
        "Cannot connect to the Docker daemon at unix:///x.sock. Is the docker daemon running?",
        "no Docker daemon answers",
    ),
    (
        'error during connect: Get "http://h/info": dial tcp: lookup h: no such host',
        "no Docker daemon answers",
    ),
    ("permission denied while trying to connect to the Docker daemon socket", "group docker"),
    (
        "docker: Error response from daemon: unknown or invalid runtime name: x.\nSee 'docker run --help'.",
        "runtime",
    ),
    ("docker: Error response from daemon: no space.\nSee 'docker run --help'.", "no space."),
    ("", "did not say why"),
]


@pytest.mark.parametrize(("complaint", "said"), COMPLAINTS)
def test_a_complaint_becomes_one_line(complaint: str, said: str) -> None:
    line = explain(complaint)
    assert said in line
    assert "\n" not in line


def test_an_owner_is_known_by_more_than_a_number() -> None:
    world, pid, began = owner().split("/")
    assert is_alive(owner())
    assert not is_alive(f"{world}/{pid}/{int(began) - 1}"), (
        "the number was given to another process since"
    )
    assert not is_alive(f"{world}/{2**22 + 1}/{began}")
    assert is_alive(f"elsewhere/{pid}/{began}"), "what is not known to be dead is left alone"
    assert is_alive("")
    ended = subprocess.run(
        [sys.executable, "-c", "from steelyard.sandbox.docker_client import owner; print(owner())"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    assert ended.startswith(world)
    assert not is_alive(ended)


def test_no_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxError, match=r"there is no docker command; install it"):
        Docker()


@pytest.mark.parametrize("place", ["unix:///nonexistent/docker.sock", "tcp://127.0.0.1:1"])
def test_no_daemon(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    docker_address()  # the command is there
    monkeypatch.setenv("DOCKER_HOST", place)
    with pytest.raises(
        SandboxError, match=r"^no Docker daemon answers; start it, or set DOCKER_HOST"
    ):
        Docker(image=IMAGE)


def test_no_image_and_no_runtime(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", docker_address())
    with pytest.raises(
        SandboxError,
        match=r"has no image nobody/made-this; get it \(docker pull nobody/made-this\)",
    ):
        Docker(image="nobody/made-this")
    with pytest.raises(SandboxError, match=r"does not know the runtime runsc; it knows .*runc"):
        Docker(image=IMAGE, runtime="runsc")


def test_the_image_may_be_named_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", docker_address())
    monkeypatch.setenv("STEELYARD_DOCKER_IMAGE", IMAGE)
    with Docker(runtime="runc") as sandbox:
        assert sandbox.describe()["image"] == IMAGE


def test_an_image_without_python_is_our_fault(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DOCKER_HOST", docker_address())
    name = f"steelyard-empty-{os.getpid()}"
    subprocess.run(
        "tar -c -T /dev/null | docker import - " + name,
        shell=True,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    try:
        from steelyard.sandbox import Job, Limits

        with Docker(image=name) as sandbox, pytest.raises(SandboxError, match="python3"):
            sandbox.start(Job(argv=("true",)), Limits())
    finally:
        subprocess.run(
            ["docker", "image", "rm", "--force", name], check=True, stdout=subprocess.DEVNULL
        )

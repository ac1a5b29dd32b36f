"""A Docker daemon and the image of the tests, made ready when a test first asks for them."""

from __future__ import annotations

import functools
import os
import subprocess
from pathlib import Path

import pytest

import skips

IMAGE = "steelyard-test"
SCRIPTS = Path(__file__).parent.parent / "scripts"


@functools.cache
def _prepared() -> tuple[str, str]:
    """The daemon's address, or why there is none."""
    started = subprocess.run(
        ["sh", SCRIPTS / "start_docker.sh"], capture_output=True, text=True, check=False
    )
    if started.returncode:
        return "", started.stderr.strip().splitlines()[-1]
    address = started.stdout.strip()
    command = ["/usr/bin/python3", SCRIPTS / "make_image.py", "--name", IMAGE]
    made = subprocess.run(
        command,
        env={**os.environ, "DOCKER_HOST": address},
        capture_output=True,
        text=True,
        check=False,
    )
    return (
        (address, "")
        if made.returncode == 0
        else ("", made.stderr.strip() or "the image could not be made")
    )


def docker_address() -> str:
    """What DOCKER_HOST has to be; the test is skipped where no daemon can be had, which is a failure under CI."""
    address, why = _prepared()
    if not address:
        pytest.skip(f"{skips.DOCKER}: {why}")
    return address


def docker(*words: str) -> str:
    """What the docker command answers."""
    env = {**os.environ, "DOCKER_HOST": docker_address()}
    return subprocess.run(
        ["docker", *words], env=env, capture_output=True, text=True, check=True
    ).stdout.strip()

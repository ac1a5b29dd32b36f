"""What the attacks need: something to be found outside, and sandboxes that stay open from one program to the next."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from attacks.host import canaries
from attacks.runner import now, processes_of, users_of
from docker_daemon import IMAGE, docker, docker_address
from steelyard.sandbox import Bubblewrap, Docker, Sandbox
from steelyard.sandbox.docker_client import LABEL, owner


@pytest.fixture(scope="session", autouse=True)
def host() -> Iterator[None]:
    with canaries():
        yield


@pytest.fixture(scope="session")
def bubblewrap(host: None) -> Iterator[Sandbox]:
    """After it is closed, nothing runs as any of the users that it had."""
    with Bubblewrap() as opened:
        yield opened
        users, closing = users_of(opened), now()
    # A user that was given back may be another sandbox's by now, so only what began before counts.
    assert not processes_of(users, closing)


@pytest.fixture(scope="session")
def in_docker(host: None) -> Iterator[Sandbox]:
    """After it is closed, no container of this process is left."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DOCKER_HOST", docker_address())
        with Docker(image=IMAGE, keep=2) as opened:
            yield opened
        # The daemon may be a moment behind with what it was told to remove.
        ours = ("ps", "--all", "--quiet", "--filter", f"label={LABEL}={owner()}")
        for _ in range(100):
            if not docker(*ours):
                break
            time.sleep(0.1)
        else:
            pytest.fail(f"containers are left: {docker(*ours)}")

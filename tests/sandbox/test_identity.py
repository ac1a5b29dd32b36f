"""Which process is meant, though its number is used again."""

from __future__ import annotations

import os
import subprocess

from steelyard.sandbox.identity import began, pid_namespace, still_runs


def test_a_process_is_itself_until_it_has_ended() -> None:
    process = subprocess.Popen(["sleep", "60"])
    moment = began(process.pid)
    assert moment is not None
    assert still_runs(process.pid, moment)
    assert not still_runs(process.pid, moment - 1), "the number was given to another process since"
    process.kill()
    process.wait()
    assert began(process.pid) is None
    assert not still_runs(process.pid, moment)


def test_the_namespace_is_that_of_our_numbers() -> None:
    assert os.readlink("/proc/self/ns/pid") == f"pid:[{pid_namespace()}]"

"""The process that becomes the candidate's: it takes its streams, gives up its rights, and runs."""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # without its lists of names, which take 2 ms to make
import fcntl
import os
import sys

from . import confine, frames

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing takes longer to load than all of this
    from collections.abc import Mapping
    from typing import Any

CHANNEL = 3
NOT_STARTED = 127


class Streams:
    """The descriptors that the candidate gets; ``channel`` is -1 for a command."""

    def __init__(self, stdin: int, stdout: int, stderr: int, channel: int) -> None:
        self.numbers = [number for number in (stdin, stdout, stderr, channel) if number >= 0]


def become(job: Mapping[str, Any], streams: Streams, settings: Mapping[str, Any]) -> None:
    """Runs the job in this process, which ends with it."""
    os.setsid()
    _take_streams(streams)
    _forget_signals()
    os.umask(0o022)
    os.chdir(job["folder"])
    _give_up_rights(job, settings)
    if job["worker"]:
        _work(job["worker"], job["env"])
    else:
        _execute(job["argv"], job["env"])


def open_input(data: bytes) -> int:
    """A descriptor from which the data can be read."""
    if not data:
        return os.open(os.devnull, os.O_RDONLY)
    number = os.memfd_create("stdin")
    frames.write_all(number, data)
    os.lseek(number, 0, os.SEEK_SET)
    return number


def _take_streams(streams: Streams) -> None:
    high = [_above(number) for number in streams.numbers]
    for target, number in enumerate(high):
        os.dup2(number, target)
    os.closerange(len(high), 65536)


def _above(number: int) -> int:
    """The same file under a number that none of the standard ones will overwrite."""
    return fcntl.fcntl(number, fcntl.F_DUPFD, 100)


def _forget_signals() -> None:
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _give_up_rights(job: Mapping[str, Any], settings: Mapping[str, Any]) -> None:
    confine.set_rlimits(job["rlimits"])
    confine.dumpable(True)  # init is not; its own /proc files are a program's right
    if settings["filter"]:
        confine.install_filter(settings["filter"])


def _work(worker: str, env: Mapping[str, str]) -> None:
    for name in os.environ.keys() - env.keys():
        del os.environ[name]
    for name in [name for name in env if os.environ.get(name) != env[name]]:
        os.environ[name] = env[name]
    __import__("inside." + worker)
    sys.modules["inside." + worker].serve(frames.Channel(CHANNEL))
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(0)


def _execute(argv: list[str], env: Mapping[str, str]) -> None:
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(
            number, signal.SIG_DFL
        )  # which Python ignores, and every other program expects
    try:
        os.execvpe(argv[0], argv, dict(env))
    except OSError as failed:
        frames.write_all(2, f"{argv[0]}: {failed.strerror}\n".encode())
        os._exit(NOT_STARTED)

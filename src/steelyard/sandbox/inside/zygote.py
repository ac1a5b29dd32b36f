"""Waits for jobs and gives each a process of its own in namespaces of its own; runs no candidate itself."""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # without its lists of names, which take 2 ms to make
import fcntl
import gc
import marshal
import os
import sys

from . import confine, frames, init, world

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing takes longer to load than all of this
    from collections.abc import Mapping
    from typing import Any

_HIGH = 200


def main(settings: Mapping[str, Any]) -> None:
    """Serves the grader at the other end of the standard input and output until it is gone."""
    signal.signal(
        signal.SIGINT, signal.SIG_DFL
    )  # a handler would let a candidate interrupt the first process of its box
    link = _take_link()
    _prepare(settings)
    if settings["namespaces"]:
        world.forbid_user_namespaces()
    version = ".".join(map(str, sys.version_info[:3]))
    frames.send(link[1], b"H", frames.told({"python": version}))
    if settings["namespaces"]:
        _serve(link, settings)
    else:
        job = _next_job(link[0])
        if job:
            _attend(job, link, settings)


def _prepare(settings: Mapping[str, Any]) -> None:
    """Loads what candidates will want, and whatever else can be done once for all of them."""
    if settings["path"]:
        _add_builtins()  # the interpreter was started without its `site`, which looks for what we were told
    for name in settings["preload"]:
        __import__(name)
    if settings["namespaces"]:
        confine.bounding_set()
    if not settings["once"]:
        gc.collect()
    gc.freeze()  # so that forked copies share their memory
    gc.enable()


def _add_builtins() -> None:
    """``exit`` and its like, which a program may use though they are no part of the language."""
    import site

    site.setquit()
    site.setcopyright()
    site.sethelper()


def _serve(link: tuple[int, int], settings: Mapping[str, Any]) -> None:
    home = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
    while True:
        job = _next_job(link[0])
        if job is None:
            return
        confine.unshare(confine.CLONE_NEWPID)
        pid = confine.fork()
        if pid == 0:
            _attend(job, link, settings)
            os._exit(0)
        _wipe(job)
        confine.enter(home, confine.CLONE_NEWPID)
        os.waitpid(pid, 0)
        frames.send(link[1], b"Z")
        if settings["once"]:
            return


def _take_link() -> tuple[int, int]:
    """The link under high numbers; nothing that is printed by mistake can get into it."""
    link = (
        fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, _HIGH),
        fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, _HIGH),
    )
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.close(null)
    return link


def _next_job(number: int) -> bytearray | None:
    """The next job as it came, or None when the grader is gone; what was meant for the one before is passed over."""
    while True:
        frame = frames.receive_into(number)
        if frame is None:
            return None
        if frame[0] == b"J":
            return frame[1]
        _wipe(frame[1])


def _wipe(data: bytearray) -> None:
    """Nothing of it shall be in the memory that the next candidate gets a copy of."""
    data[:] = bytes(len(data))


def _attend(coded: bytearray, link: tuple[int, int], settings: Mapping[str, Any]) -> None:
    try:
        job = marshal.loads(coded)
        if settings["namespaces"]:
            world.build(job["disk_mb"], network=settings["network"], once=settings["once"])
            os.chdir(job["folder"])
        confine.no_new_privileges()
        if settings["namespaces"]:
            confine.drop_capabilities()
        init.attend(job, link, settings)
    except OSError as failed:
        frames.send(link[1], b"X", frames.told({"broken": str(failed)}))

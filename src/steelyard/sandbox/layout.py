"""The file tree that bubblewrap shows inside: programs and libraries to read, and nothing of the host's own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from steelyard.sandbox.interpreter import Interpreter

UID = GID = 1000  # as which a candidate sees itself
_MERGED = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_DEVICES = ("null", "zero", "full", "random", "urandom")
_ETC = ("ld.so.cache", "localtime")
_FILES = {
    "/etc/passwd": f"box:x:{UID}:{GID}::/box:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n",
    "/etc/group": f"box:x:{GID}:\nnogroup:x:65534:\n",
    "/etc/hosts": "127.0.0.1 localhost box\n",
}


def tree(interpreter: Interpreter) -> tuple[list[str], list[int]]:
    """The options of bubblewrap, and the descriptors that it must inherit for them."""
    options = ["--ro-bind", "/usr", "/usr", *_top_folders(), *_devices()]
    options += ["--ro-bind-try", "/etc/alternatives", "/etc/alternatives"]
    # Files are copied into the tree, which is read-only in the end: a mount for each would be copied again for every box.
    numbers = [_made(content) for content in _FILES.values()]
    copied = dict(zip(_FILES, numbers, strict=True))
    for path in map(Path, _ETC):
        if path.is_symlink():
            options += ["--symlink", os.readlink(path), str(path)]
        elif path.is_file():
            numbers.append(os.open(path, os.O_RDONLY | os.O_CLOEXEC))
            copied[str(path)] = numbers[-1]
    for name, number in copied.items():
        options += ["--file", str(number), name]
    if not Path(interpreter.prefix).is_relative_to("/usr"):
        options += ["--ro-bind", interpreter.prefix, interpreter.prefix]
    options += [
        "--proc",
        "/proc",
        "--dir",
        "/tmp",
        "--dir",
        "/box",
        "--dir",
        "/mnt",
        "--chdir",
        "/",
    ]
    return [*options, "--remount-ro", "/"], numbers


def _made(content: str) -> int:
    number = os.memfd_create("etc")
    os.write(number, content.encode())
    os.lseek(number, 0, os.SEEK_SET)
    return number


def _top_folders() -> Iterator[str]:
    """Where /bin and its like are links into /usr, they are inside; where they are folders, they are shown."""
    for name in _MERGED:
        folder = Path("/", name)
        if folder.is_symlink():
            yield from ("--symlink", os.readlink(folder), str(folder))
        elif folder.is_dir():
            yield from ("--ro-bind", str(folder), str(folder))


def _devices() -> Iterator[str]:
    yield from ("--tmpfs", "/dev")
    for name in _DEVICES:
        yield from ("--dev-bind", f"/dev/{name}", f"/dev/{name}")
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        yield from ("--symlink", f"/proc/self/fd/{number}", f"/dev/{name}")
    yield from (
        "--symlink",
        "/proc/self/fd",
        "/dev/fd",
        "--dir",
        "/dev/shm",
        "--remount-ro",
        "/dev",
    )

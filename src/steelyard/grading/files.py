"""Files that are put into a box: whether they fit, and whether one stands in another's way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from steelyard.sandbox.limits import Limits

_BLOCK = 4096  # a file takes whole blocks


def room_taken(files: Mapping[str, bytes]) -> int:
    """The bytes that the files take where they are put.

    >>> room_taken({"a": b"", "b": b"x", "c": bytes(5000)})
    12288
    """
    return sum(-(-len(content) // _BLOCK) * _BLOCK for content in files.values())


def does_not_fit(files: Mapping[str, bytes], limits: Limits) -> str:
    """Why the files of a program cannot be put into its box at all, or nothing: no box is to blame for that."""
    taken = room_taken(files)
    if taken <= limits.disk_mb << 20:
        return ""
    return f"the program with its files takes {taken:,} bytes, which is more than the {limits.disk_mb} MB for files"


def fault_of_case(files: Mapping[str, bytes], program: str, limits: Limits) -> str:
    """What is wrong with the files that a case brings for a program of that name, or nothing.

    >>> fault_of_case({"data": b"", "data/one": b""}, "program.py", Limits())
    "'data' is both a file and a folder"
    """
    names = {*files, program}
    if clash := next((name for name in sorted(names) if clashes(name, names)), None):
        return f"{clash!r} is both a file and a folder"
    taken = room_taken(files)
    if taken > limits.disk_mb << 19:
        return f"take {taken:,} bytes, which is more than half of the {limits.disk_mb} MB for files (limits.disk_mb)"
    return ""


def clashes(name: str, others: Iterable[str]) -> bool:
    """Whether a file of this name would be a folder that one of the others is in.

    >>> clashes("a", ["a/b"]), clashes("a", ["a", "ab/c"])
    (True, False)
    """
    return any(other.startswith(name + "/") for other in others)

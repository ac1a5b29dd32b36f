"""Where control groups can be made: found once, below the group that this process is in.

A group is made below our own, so that whatever limits were set for us hold for what we start. On version 2 a group that hands
controllers down must not hold processes itself; the nearest group above that already hands them down serves then.
"""

from __future__ import annotations

import contextlib
import os
import re
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from steelyard.errors import SandboxError
from steelyard.sandbox.cgroup import PROCESSES, Group, GroupV1, GroupV2, read, write
from steelyard.sandbox.identity import began, pid_namespace, still_runs

NEEDED = ("memory", "pids")
WANTED = (*NEEDED, "cpu")
PREFIX = "steelyard"

_OURS = re.compile(rf"{PREFIX}-(\d+)-(\d+)-(\d+)-[a-z0-9_-]+")
_NAME = re.compile(r"[a-z0-9_-]+")


class Mount(NamedTuple):
    """A mounted tree of control groups: which part of it is shown where."""

    root: str
    point: Path
    version: int
    controllers: frozenset[str]

    def folder(self, own: str) -> Path:
        """The folder of our own group; the top of what is shown where ours is not below that, as in a container."""
        inside = os.path.relpath(own, self.root)
        folder = self.point / inside
        return folder if not inside.startswith("..") and folder.is_dir() else self.point


class Cgroups:
    """A place where groups can be made. ``version`` is 1 or 2, ``controllers`` what can be limited."""

    def __init__(self, version: int, parents: Mapping[str, Path], *, ours: bool = False) -> None:
        self.version = version
        self.parents = dict(parents)
        self._ours = ours  # whether our own process is in the groups above those that we make
        self.controllers = tuple(self.parents)

    @classmethod
    def find(cls, process: Path = Path("/proc/self")) -> Cgroups | None:
        """The place, or None where groups cannot be had; `open` says why."""
        try:
            return cls.open(process)
        except SandboxError:
            return None

    @classmethod
    def open(cls, process: Path = Path("/proc/self")) -> Cgroups:
        """The place, with the groups of steelyard processes that have ended removed; SandboxError says what is missing."""
        mounts = list(read_mounts(read(process / "mountinfo")))
        own = read_own(read(process / "cgroup"))
        parents = _parents_v1(mounts, own)
        if set(NEEDED) <= set(parents):
            place = cls(1, parents, ours=_are_ours(parents, mounts, own))
        else:
            parent = _parent_v2(mounts, own)
            given = read(parent / "cgroup.subtree_control").split()
            place = cls(2, {name: parent for name in WANTED if name in given})
        place._remove_stale()
        place._probe()
        return place

    def make(self, name: str) -> Group:
        """A new, empty group without limits; its name tells whose it is."""
        if not _NAME.fullmatch(name):
            raise SandboxError(f"control group: {name!r} is no name for a group")
        full = f"{owner()}-{name}"
        folders = {controller: parent / full for controller, parent in self.parents.items()}
        try:
            for folder in dict.fromkeys(folders.values()):
                folder.mkdir()
        except OSError as failed:
            with contextlib.suppress(SandboxError):
                self._group(folders).remove(0)
            raise SandboxError(f"control groups cannot be made here: {failed.strerror}") from failed
        return self._group(folders)

    def _group(self, folders: Mapping[str, Path]) -> Group:
        if self.version == 1:
            return GroupV1(folders, self.parents if self._ours else None)
        return GroupV2(folders)

    def _probe(self) -> None:
        """A group can be made, and has the files that limits are written to."""
        group = self.make(f"probe-{threading.get_native_id()}")
        limits = {
            "memory": ("memory.limit_in_bytes", "memory.max")[self.version - 1],
            "pids": "pids.max",
        }
        missing = [
            file
            for name, file in limits.items()
            if not os.access(group.folders[name] / file, os.W_OK)
        ]
        group.remove()
        if missing:
            raise SandboxError(f"control groups have no {' and no '.join(missing)} here")

    def _remove_stale(self) -> None:
        """What a process that was killed has left behind is ended and removed, as far as that can be done."""
        names = {
            folder.name for parent in self.parents.values() for folder in parent.glob(f"{PREFIX}-*")
        }
        for name in sorted(names):
            if _is_stale(name):
                folders = {controller: parent / name for controller, parent in self.parents.items()}
                present = {
                    controller: folder for controller, folder in folders.items() if folder.is_dir()
                }
                with contextlib.suppress(SandboxError):
                    _end(self._group(folders) if len(present) == len(folders) else GroupV1(present))


def _end(group: Group) -> None:
    if "pids" in group.folders:
        group.kill()
    group.remove()


def owner() -> str:
    """The name of this process for all time: its pid may be used again, and may mean another in another pid namespace."""
    return f"{PREFIX}-{pid_namespace()}-{os.getpid()}-{began(os.getpid())}"


def _is_stale(name: str) -> bool:
    """Whether the group is one of ours whose owner has ended; of other pid namespaces nothing can be said."""
    match = _OURS.fullmatch(name)
    if match is None or int(match[1]) != pid_namespace():
        return False
    return not still_runs(int(match[2]), int(match[3]))


def read_mounts(text: str) -> Iterator[Mount]:
    """The trees of control groups among the mounts, as /proc/PID/mountinfo tells them."""
    for line in text.splitlines():
        before, _, after = line.partition(" - ")
        fields, kind = before.split(), after.split()
        if kind[0] not in {"cgroup", "cgroup2"}:
            continue
        root, point = (
            re.sub(r"\\(\d{3})", lambda octal: chr(int(octal[1], 8)), field)
            for field in fields[3:5]
        )
        controllers = frozenset(kind[2].split(",")) if kind[0] == "cgroup" else frozenset()
        yield Mount(root, Path(point), 1 if kind[0] == "cgroup" else 2, controllers)


def read_own(text: str) -> dict[str, str]:
    """Our own group in the tree of each controller, and under ``""`` in that of version 2."""
    rows = [line.split(":", 2) for line in text.splitlines()]
    return {
        controller: path for _, controllers, path in rows for controller in controllers.split(",")
    }


def _parents_v1(mounts: list[Mount], own: Mapping[str, str]) -> dict[str, Path]:
    found = {}
    for name in WANTED:
        for mount in mounts:
            if mount.version == 1 and name in mount.controllers:
                found[name] = mount.folder(own.get(name, "/"))
    return found


def _are_ours(parents: Mapping[str, Path], mounts: list[Mount], own: Mapping[str, str]) -> bool:
    """Whether each of them is the very group that this process is in, and no stand-in for one that is not shown."""
    shown = {
        name: mount.point / os.path.relpath(own.get(name, "/"), mount.root)
        for mount in mounts
        if mount.version == 1
        for name in mount.controllers
    }
    return all(shown[name] == folder for name, folder in parents.items())


def _parent_v2(mounts: list[Mount], own: Mapping[str, str]) -> Path:
    """The nearest group, from our own upward, below which groups have memory and pids and can take our processes."""
    mount = next((mount for mount in mounts if mount.version == 2), None)
    if mount is None:
        raise SandboxError("control groups are not mounted here")
    folder = mount.folder(own.get("", "/"))
    _hand_down(folder)
    above = [folder, *(parent for parent in folder.parents if parent.is_relative_to(mount.point))]
    given = [
        group
        for group in above
        if set(NEEDED) <= set(read(group / "cgroup.subtree_control").split())
    ]
    if not given:
        raise SandboxError(
            "no control group from ours upward hands down memory and pids: "
            "start in one of your own, as `systemd-run --user --scope -p Delegate=yes` makes it"
        )
    usable = [
        group
        for group in given
        if os.access(group, os.W_OK) and os.access(group / PROCESSES, os.W_OK)
    ]
    if not usable:
        raise SandboxError(
            "the control groups above ours are not ours to use: a delegated one, or root, is needed"
        )
    return usable[0]


def _hand_down(folder: Path) -> None:
    """Our own group hands its controllers down, if it may and if no process but this one is in the way.

    This process steps into a group of its own then. Other processes are never moved: they are not ours.
    """
    has = set(read(folder / "cgroup.controllers").split())
    missing = [
        name
        for name in WANTED
        if name in has - set(read(folder / "cgroup.subtree_control").split())
    ]
    if (
        not set(NEEDED) <= has
        or not missing
        or not os.access(folder / "cgroup.subtree_control", os.W_OK)
    ):
        return
    with contextlib.suppress(SandboxError, OSError):
        # Only the root of all groups lacks this file, and only there may processes and controllers be together.
        if (folder / "cgroup.type").exists() and read(folder / PROCESSES).split() == [
            str(os.getpid())
        ]:
            # The name is none of those that are cleared away: what we start may outlive us, and is no candidate.
            home = folder / f"{owner()}.home"
            home.mkdir()
            write(home / PROCESSES, str(os.getpid()))
        write(folder / "cgroup.subtree_control", " ".join(f"+{name}" for name in missing))

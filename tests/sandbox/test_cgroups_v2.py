"""Version 2 of control groups on a tree of plain files: where groups are made, what is written, what is read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from steelyard.errors import SandboxError
from steelyard.sandbox.cgroup import Counters, GroupV2
from steelyard.sandbox.cgroups import Cgroups, owner

ALL = "cpu memory pids"
FILES = {
    "cgroup.procs": "",
    "cgroup.controllers": ALL,
    "cgroup.subtree_control": "",
    "cgroup.type": "domain",
    "memory.max": "max",
    "memory.swap.max": "max",
    "memory.events": "low 0\nhigh 0\nmax 4\noom 1\noom_kill 2\noom_group_kill 0\n",
    "memory.peak": "1000",
    "pids.max": "max",
    "pids.events": "max 3\n",
    "cpu.max": "max 100000",
}


def fill(folder: Path, **files: str) -> Path:
    """What the kernel puts into a new group."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {
        **FILES,
        **{key.replace("__", "."): value for key, value in files.items()},
    }.items():
        (folder / name).write_text(text)
    return folder


class Tree:
    """A mounted tree, and a process in it; folders that are made in it are filled, and can be removed while full."""

    def __init__(self, path: Path, patch: pytest.MonkeyPatch, own: str) -> None:
        self.top, self.process = path / "tree", path / "process"
        self.made: list[Path] = []
        self.process.mkdir()
        (self.process / "mountinfo").write_text(
            f"41 31 0:38 / {self.top} rw - cgroup2 cgroup2 rw\n"
        )
        (self.process / "cgroup").write_text(f"0::{own}\n")
        make = Path.mkdir

        def filled(folder: Path, *arguments: int, **options: bool) -> None:
            make(folder, *arguments, **options)
            if folder.name.startswith("steelyard-"):
                patch.setattr(Path, "mkdir", make)
                self.made.append(fill(folder))
                patch.setattr(Path, "mkdir", filled)

        def emptied(folder: Path) -> None:
            for file in folder.iterdir():
                file.unlink()
            os.rmdir(folder)

        patch.setattr(Path, "mkdir", filled)
        patch.setattr(Path, "rmdir", emptied)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    made = Tree(tmp_path, monkeypatch, "/app/run")
    fill(made.top, cgroup__subtree_control=ALL)
    fill(made.top / "app", cgroup__subtree_control=ALL)
    fill(made.top / "app" / "run", cgroup__procs="1\n2\n")
    return made


def test_groups_are_made_beside_ours_where_ours_holds_others(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The kernel refuses to hand controllers down from a group with processes; plain files would not.
    os.chmod(tree.top / "app" / "run" / "cgroup.subtree_control", 0o444)
    access = os.access
    monkeypatch.setattr(
        os, "access", lambda path, mode: "app/run" not in str(path) and access(path, mode)
    )
    place = Cgroups.open(tree.process)
    assert (place.version, place.controllers) == (2, ("memory", "pids", "cpu"))
    assert set(place.parents.values()) == {tree.top / "app"}
    assert place.make("one").folders["pids"] == tree.top / "app" / f"{owner()}-one"


def test_a_group_of_our_own_is_left_for_a_leaf(tree: Tree) -> None:
    own = fill(tree.top / "app" / "run", cgroup__procs=f"{os.getpid()}\n")
    place = Cgroups.open(tree.process)
    assert set(place.parents.values()) == {own}
    home = own / f"{owner()}.home"
    assert (home / "cgroup.procs").read_text() == str(os.getpid())
    # The plain file says what was written to it, which is the request.
    assert (own / "cgroup.subtree_control").read_text() == "+memory +pids +cpu"


@pytest.fixture(autouse=True)
def requests_are_granted(monkeypatch: pytest.MonkeyPatch) -> None:
    """``+memory`` written is ``memory`` read, as with the kernel."""
    from steelyard.sandbox import cgroups

    read = cgroups.read
    monkeypatch.setattr(
        cgroups,
        "read",
        lambda path: read(path).replace("+", "") if path.name.endswith("control") else read(path),
    )


@pytest.mark.parametrize("given", ["", "cpu", "memory", "pids cpu"])
def test_without_memory_and_pids_the_reason_is_told(tree: Tree, given: str) -> None:
    for folder in (tree.top, tree.top / "app", tree.top / "app" / "run"):
        fill(folder, cgroup__subtree_control=given, cgroup__controllers=given)
    assert Cgroups.find(tree.process) is None
    with pytest.raises(SandboxError, match="hands down memory and pids"):
        Cgroups.open(tree.process)


def test_not_mounted_is_told(tree: Tree) -> None:
    (tree.process / "mountinfo").write_text("22 1 0:1 / / rw - ext4 /dev/a rw\n")
    with pytest.raises(SandboxError, match="not mounted"):
        Cgroups.open(tree.process)


def test_limits_are_written(tmp_path: Path) -> None:
    folder = fill(tmp_path / "group")
    GroupV2({"memory": folder, "pids": folder}).set_limits(1 << 20, 7, 1.5)
    texts = [
        (folder / name).read_text()
        for name in ("memory.max", "memory.swap.max", "pids.max", "cpu.max")
    ]
    assert texts == ["1048576", "0", "7", "75000 50000"]


def test_counters_are_read_and_a_peak_that_cannot_be_reset_is_not_told(tmp_path: Path) -> None:
    folder = fill(tmp_path / "group")
    group = GroupV2({"memory": folder, "pids": folder})
    assert group.counters() == Counters(
        oom_kills=2, memory_failures=4, pids_refused=3, peak_memory=1000
    )
    (folder / "memory.peak").unlink()
    assert group.counters().peak_memory is None
    (folder / "memory.peak").mkdir()  # what cannot be opened for writing
    group.reset_peak()
    assert group.counters().peak_memory is None


def test_the_dead_are_cleared_away_and_strangers_left(tree: Tree) -> None:
    parts = owner().split("-")
    dead = fill(tree.top / "app" / "run" / f"{parts[0]}-{parts[1]}-{2**22 + 1}-5-slot")
    reused = fill(tree.top / "app" / "run" / f"{parts[0]}-{parts[1]}-{os.getpid()}-5-slot")
    elsewhere = fill(tree.top / "app" / "run" / f"{parts[0]}-1-{2**22 + 1}-5-slot")
    ours = fill(tree.top / "app" / "run" / f"{owner()}-slot")
    stranger = fill(tree.top / "app" / "run" / "steelyard-notes")
    Cgroups.open(tree.process)
    assert not dead.exists()
    assert not reused.exists()
    assert all(folder.exists() for folder in (elsewhere, ours, stranger))

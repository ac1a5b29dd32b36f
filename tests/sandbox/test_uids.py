"""Leases of users: never the same one twice at a time, in threads, in processes, and after a death."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from skips import needs_root
from steelyard.errors import SandboxError
from steelyard.sandbox import uids

HOLDER = """
import sys
from pathlib import Path
from steelyard.sandbox import uids
uids.FOLDERS = (Path(sys.argv[1]),)
held = uids.lease()
print(held.uid, flush=True)
input()
"""


@needs_root
def test_leases_differ_between_threads() -> None:
    leases: list[uids.Lease] = []
    barrier = threading.Barrier(8)

    def take() -> None:
        barrier.wait()
        leases.append(uids.lease())

    threads = [threading.Thread(target=take) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({lease.uid for lease in leases}) == 8
    assert all(lease.uid in uids.USERS and lease.gid == lease.uid for lease in leases)
    for lease in leases:
        lease.release()
        lease.release()


@needs_root
def test_leases_differ_between_processes_and_end_with_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "locks"
    monkeypatch.setattr(uids, "FOLDERS", (folder,))
    holders = [
        subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    taken = {int(holder.stdout.readline()) for holder in holders if holder.stdout}
    mine = uids.lease()
    assert len(taken | {mine.uid}) == 4
    for holder in holders:
        holder.kill()
        holder.communicate()
    freed = [uids._try_lock(folder / str(uid)) for uid in sorted(taken)]
    assert None not in freed
    assert uids._try_lock(folder / str(mine.uid)) is None
    for file in freed:
        os.close(file or 0)
    mine.release()


@needs_root
def test_a_user_who_runs_something_is_not_leased(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uids, "FOLDERS", (tmp_path / "locks",))
    monkeypatch.setattr(uids, "USERS", range(61990, 61992))
    # Not dumpable: the folder of such a process in /proc is root's.
    program = (
        "import os, time; from steelyard.sandbox.inside import confine\n"
        "os.setresuid(61990, 61990, 61990); confine.dumpable(False); print(flush=True); time.sleep(60)"
    )
    left_over = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    try:
        assert left_over.stdout is not None
        left_over.stdout.readline()
        assert uids.lease().uid == 61991
        with pytest.raises(SandboxError, match="no unprivileged user is free"):
            uids.lease()
    finally:
        left_over.kill()
        left_over.communicate()
    assert uids.lease().uid == 61990


@needs_root
def test_accounts_are_not_leased(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    account = max(user.pw_uid for user in pwd.getpwall())
    monkeypatch.setattr(uids, "FOLDERS", (tmp_path / "locks",))
    monkeypatch.setattr(uids, "USERS", range(account, account + 1))
    with pytest.raises(SandboxError, match="no unprivileged user is free"):
        uids.lease()


@needs_root
def test_a_released_user_is_free_again_though_a_child_holds_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uids, "FOLDERS", (tmp_path / "locks",))
    first = uids.lease()
    assert first._file is not None
    child = subprocess.Popen(["sleep", "60"], pass_fds=[first._file])
    first.release()
    second = uids.lease()
    child.kill()
    child.wait()
    assert second.uid == first.uid
    second._owner = 0  # as in a forked copy: closing it must not unlock the original
    file = os.dup(second._file or 0)
    second.release()
    assert uids.lease().uid != first.uid
    os.close(file)


@needs_root
@pytest.mark.parametrize("kind", ["open", "link", "stranger", "file"])
def test_a_folder_that_is_not_ours_alone_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    folder, good = tmp_path / "first", tmp_path / "second"
    if kind == "link":
        (tmp_path / "target").mkdir(mode=0o700)
        folder.symlink_to(tmp_path / "target")
    elif kind == "file":
        folder.touch()
    else:
        folder.mkdir()
        os.chmod(folder, 0o755 if kind == "open" else 0o700)
        os.chown(folder, 0 if kind == "open" else 61000, 0)
    monkeypatch.setattr(uids, "FOLDERS", (folder, good))
    assert uids._lock_folder() == good
    monkeypatch.setattr(uids, "FOLDERS", (folder,))
    with pytest.raises(SandboxError, match="no folder for the locks"):
        uids.lease()


@needs_root
def test_without_rights_the_lease_is_ourselves() -> None:
    program = (
        "import os; from steelyard.sandbox.uids import lease; os.setgid(65534); os.setuid(65534)\n"
        "l = lease(); print(l.uid, l.gid); l.release()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["65534", "65534"]

"""The client of agents, against what is no arena."""

from __future__ import annotations

import io
import socket
import tarfile
import threading
from pathlib import Path

import pytest

from steelyard import ArenaClient, DataError, EngineError


def served(body: bytes) -> str:
    """The address of something that answers every request with these bytes."""
    held = socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        with held:
            for _ in range(1):
                connection, _address = held.accept()
                with connection:
                    connection.recv(65536)
                    connection.sendall(body)

    threading.Thread(target=answer, daemon=True).start()
    return f"http://127.0.0.1:{held.getsockname()[1]}"


def reply(body: bytes, status: str = "200 OK") -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"ok": true}', b"\xff", b"7"])
@pytest.mark.parametrize("status", ["200 OK", "404 Not Found"])
def test_what_is_no_arena_is_told(body: bytes, status: str) -> None:
    with pytest.raises(EngineError, match="is no arena"):
        ArenaClient(served(reply(body, status))).challenges()


def packed(name: str, kind: bytes = tarfile.REGTYPE) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w:gz") as tar:
        about = tarfile.TarInfo(name)
        about.type, about.linkname = kind, "/etc/passwd"
        tar.addfile(about)
    return held.getvalue()


@pytest.mark.parametrize(
    "archive",
    [
        packed("../out.txt"),
        packed("/etc/out.txt"),
        packed("a/../../b"),
        packed("link", tarfile.SYMTYPE),
        packed("hard", tarfile.LNKTYPE),
        packed("pipe", tarfile.FIFOTYPE),
        b"no archive",
        b"",
    ],
    ids=[
        "above",
        "from the root",
        "around",
        "link",
        "hard link",
        "pipe",
        "no archive",
        "nothing",
    ],  # an archive holds its time
)
def test_a_workspace_cannot_leave_its_folder(archive: bytes, tmp_path: Path) -> None:
    with pytest.raises(DataError):
        ArenaClient(served(reply(archive)), "sy_x").workspace("m_1", tmp_path / "deep" / "w")
    assert list(tmp_path.rglob("*")) == []

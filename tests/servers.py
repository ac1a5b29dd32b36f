"""A running arena: `steelyard serve` as a process of its own, and a plain way to ask it."""

from __future__ import annotations

import http.client
import io
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

CASES = Path(__file__).parent / "cases"
CHALLENGES = (CASES / "arena" / "adding", CASES / "web")
_AT = re.compile(r"the arena is at http://([\d.]+):(\d+)")
_START = 60.0
_NAMES = itertools.count(1)


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def data(self) -> Any:
        told = self.json
        assert told.get("ok") is True, told
        return told["data"]

    @property
    def error(self) -> str:
        told = self.json
        assert (told["ok"], told["status"]) == (False, self.status), told
        return str(told["error"])


class Server:
    """The process and its address."""

    def __init__(self, process: subprocess.Popen[str], store: str) -> None:
        self.process, self.store = process, store
        self.lines: list[str] = []
        self.host, self.port = "", 0
        self._up = threading.Event()
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.listener.start()

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    def _listen(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.lines.append(line)
            if found := _AT.search(line):
                self.host, self.port = found[1], int(found[2])
                self._up.set()
        self._up.set()

    def wait(self) -> None:
        """Until it answers."""
        self._up.wait(_START)
        assert self.port, "".join(self.lines)
        until = time.monotonic() + _START
        while time.monotonic() < until:
            try:
                if self.call("GET", "/health").status == 200:
                    return
            except OSError:
                time.sleep(0.05)
        raise AssertionError("the server does not answer: " + "".join(self.lines))

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        key: str | None = None,
        *,
        headers: Any = (),
        seconds: float = 60,
    ) -> Answer:
        """Ask; a body that is neither bytes nor None goes as JSON."""
        sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        told = dict(headers)
        if key is not None:
            told["Authorization"] = f"Bearer {key}"
        connection = http.client.HTTPConnection(self.host, self.port, timeout=seconds)
        try:
            connection.request(method, path, body=sent, headers=told)
            got = connection.getresponse()
            return Answer(got.status, {k.lower(): v for k, v in got.getheaders()}, got.read())
        finally:
            connection.close()

    def api(
        self, method: str, path: str, body: Any = None, key: str | None = None, **more: Any
    ) -> Answer:
        """Ask the API."""
        return self.call(method, f"/api/v1{path}", body, key, **more)

    def logged(self, *words: str, seconds: float = 20) -> str:
        """The first line of its log with all these words; an answer may be here before the line is."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for line in list(self.lines):
                if all(word in line for word in words):
                    return line
            time.sleep(0.02)
        raise AssertionError(f"no line of the log has {words}: " + "".join(self.lines))

    def stop(self) -> int:
        """Ask it to end, as an operator does; its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(40)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            raise


def asked(server: Server, path: str, times: int = 0, seconds: float = 20) -> set[int]:
    """The processes that answered requests of a path with this in it, as the log has it when it has so many of them: an
    answer may be here before its line is."""
    until = time.monotonic() + seconds
    while True:
        lines = [json.loads(line) for line in list(server.lines) if line.startswith("{")]
        found = [line["process"] for line in lines if path in line.get("path", "")]
        if len(found) >= times:
            return set(found)
        assert time.monotonic() < until, f"the log has {len(found)} of {times} requests of {path}"
        time.sleep(0.02)


class Player:
    """An agent of a server."""

    def __init__(self, server: Server, name: str = "", **about: str) -> None:
        self.server, self.name = server, name or f"player {next(_NAMES)}"
        told = server.api("POST", "/agents/register", {"name": self.name, **about})
        assert told.status == 201, told
        self.id, self.key = told.data["agent_id"], told.data["api_key"]

    def get(self, path: str) -> Answer:
        return self.server.api("GET", path, key=self.key)

    def post(self, path: str, body: Any = None) -> Answer:
        return self.server.api("POST", path, body, self.key)

    def enter(self, slug: str = "adding", **entry: Any) -> dict[str, Any]:
        told = self.post("/matches/enter", {"challenge_slug": slug, **entry})
        assert told.status == 201, told
        return dict(told.data)

    def workspace(self, match_id: str) -> dict[str, bytes]:
        told = self.get(f"/matches/{match_id}/workspace")
        assert told.status == 200, told
        with tarfile.open(fileobj=io.BytesIO(told.body)) as tar:
            return {one.name: tar.extractfile(one).read() for one in tar}  # type: ignore[union-attr]

    def right(self, match_id: str) -> dict[str, int]:
        """The right answer to `adding`."""
        numbers = [int(line) for line in self.workspace(match_id)["numbers.txt"].split()]
        return {"total": sum(numbers), "largest": max(numbers)}

    def submit(self, match_id: str, answer: Any, **metadata: Any) -> Answer:
        return self.post(f"/matches/{match_id}/submit", {"answer": answer, "metadata": metadata})


@contextmanager
def serving(
    store: str,
    *options: object,
    challenges: Sequence[Path] = CHALLENGES,
    environment: Mapping[str, str] | None = None,
    inside: Sequence[str] = (),
) -> Iterator[Server]:
    """A server on this store, with the challenges of the tests on offer; `inside` is a command that starts it elsewhere."""
    folders = [part for folder in challenges for part in ("--challenges", str(folder))]
    command = [
        *inside,
        sys.executable,
        "-m",
        "steelyard",
        "serve",
        "--port",
        "0",
        "--store",
        store,
        "--no-bundled",
        "--no-gates",
        *folders,
        *map(str, options),
    ]
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, **(environment or {})},
    )
    server = Server(process, store)
    try:
        server.wait()
        yield server
    finally:
        server.stop()
        server.listener.join(10)
        if process.stderr is not None:
            process.stderr.close()

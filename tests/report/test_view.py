"""A folder of runs over HTTP: what is listed, what is refused, and that nothing outside the folder is opened."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest

from report.made import told
from report.test_page import Elements
from runs.made_runs import column, write_run
from steelyard.errors import DataError
from steelyard.report.view import pages
from steelyard.report.view.board import address
from steelyard.report.view.folder import Folder, entry
from steelyard.report.view.server import ViewServer
from steelyard.runs.files import write_json
from steelyard.runs.lock import locked
from steelyard.runs.run_file import RunFile

ODD = '"><img src=x onerror=alert(1)> & %2e%2e #?'


def make(folder: Path, model: str, right: int, **changed: object) -> Path:
    """A run of ten samples with everything that a page needs."""
    write_run(folder, column([float(n < right) for n in range(10)]), model=model, **changed)  # type: ignore[arg-type]
    about = told(10, model=model)
    head = about.results["headline"] | {"value": right / 10}
    write_json(folder / "results.json", {**about.results, "headline": head})
    write_json(folder / "failure_analysis.json", about.failures)
    return folder


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    root = tmp_path / "runs"
    make(root / "good", "best", 9)
    make(root / "deep" / "er" / "poor", "worst", 3)
    make(root / ODD.replace("/", ""), ODD, 5)
    make(root / "other", "other", 7, changed={"benchmark.prompt": "Please: {q}"})
    write_run(root / "begun", column([1.0]), model="begun")
    (root / "begun" / "results.json").unlink()
    (root / "torn").mkdir()
    (root / "torn" / "run.json").write_text("{", encoding="utf-8")
    (root / "hollow").mkdir()
    return root


@contextmanager
def served(folder: Path, host: str = "127.0.0.1") -> Iterator[ViewServer]:
    server = ViewServer(folder, host)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def ask(
    server: ViewServer, path: str, method: str = "GET", **headers: str
) -> tuple[int, dict[str, str], str]:
    link = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=30)
    link.request(method, path, headers=headers)
    answer = link.getresponse()
    body = answer.read().decode("utf-8")
    link.close()
    return answer.status, dict(answer.getheaders()), body


def test_the_board_orders_by_score_and_tells_apart(runs: Path) -> None:
    with served(runs) as server:
        status, _, page = ask(server, "/")
    assert status == 200
    order = [
        page.index(f'href="{address(name)}"')
        for name in ("good", ODD.replace("/", ""), "deep/er/poor", "other")
    ]
    assert order == sorted(order)
    assert "Not comparable with those above" in page
    assert "benchmark.prompt: &quot;{q}&quot; → &quot;Please: {q}&quot;" in page
    assert "Cannot be read" in page
    assert "hollow" not in page
    assert "img" not in {tag for tag, _ in Elements(page).seen}
    radios = [attributes for tag, attributes in Elements(page).seen if tag == "input"]
    assert len(radios) == 6
    assert [one["value"] for one in radios if "checked" in one] == [
        quote("good", safe=""),
        quote(ODD.replace("/", ""), safe=""),
    ]


def test_runs_and_comparisons_are_made_on_demand(runs: Path) -> None:
    with served(runs) as server:
        for name in ("good", "deep/er/poor", ODD.replace("/", "")):
            status, _, page = ask(server, address(name))
            assert status == 200
            assert '<a href="/">← all runs</a>' in page
            assert "Latency" in page
        twice = quote(quote("deep/er/poor", safe=""), safe="")
        status, _, page = ask(server, f"/compare?base=good&candidate={twice}")
        assert status == 200
        assert "worst is 60.0 points worse than best." in page


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/run/nobody", 404, "no such run"),
        ("/run/", 404, "no such run"),
        ("/run/good/../../x", 404, "no such run"),
        ("/run/..%2f..%2fetc", 404, "no such run"),
        ("/run/%2e%2e", 404, "no such run"),
        ("/run/hollow", 404, "no such run"),
        ("/../secret", 404, "no such page"),
        ("//etc/passwd", 404, "no such page"),
        ("/run/%ff%00", 404, "no such run"),
        ("/run/begun", 409, "has no results.json yet"),
        ("/run/torn", 409, "run.json"),
        ("/compare", 409, "two different runs"),
        ("/compare?base=good&candidate=good", 409, "two different runs"),
        ("/compare?base=good&candidate=other", 409, "cannot be compared"),
        ("/compare?base=good&candidate=x", 404, "no such run"),
        ("/compare?base=good&candidate=begun", 409, "has no results.json yet"),
        ("/compare?base=good" + "&candidate=other" * 500, 404, "leads nowhere"),
    ],
)
def test_what_cannot_be_shown_says_why(runs: Path, path: str, status: int, said: str) -> None:
    with served(runs) as server:
        got, headers, page = ask(server, path)
    assert (got, said in page) == (status, True), page[-400:]
    assert str(runs) not in page
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_pages_can_only_be_read(runs: Path, method: str) -> None:
    with served(runs) as server:
        status, headers, _ = ask(server, "/", method)
        assert (status, headers["Allow"]) == (405, "GET, HEAD")
        assert ask(server, "/", "HEAD")[::2] == (200, "")


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:80", 200),
        ("localhost:1", 200),
        ("LOCALHOST", 200),
        ("[::1]:99", 200),
        ("evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("localhost.evil.example:80", 421),
        ("", 421),
        ("[", 421),
        ("evil@localhost:x", 421),
    ],
)
def test_another_name_that_leads_here_is_refused(runs: Path, host: str, status: int) -> None:
    with served(runs) as server:
        assert ask(server, "/", Host=host)[0] == status


def test_a_page_is_kept_until_a_file_changes(runs: Path) -> None:
    with served(runs) as server:
        first = ask(server, "/run/good")[1]["ETag"]
        assert ask(server, "/run/good")[1]["ETag"] == first
        assert ask(server, "/run/good", **{"If-None-Match": first})[::2] == (304, "")
        file = runs / "good" / "scores.jsonl"
        file.write_text(
            file.read_text(encoding="utf-8").replace("compared", "weighed!"), encoding="utf-8"
        )
        assert ask(server, "/run/good", **{"If-None-Match": first})[0] == 200
        make(runs / "new", "new", 1)
        assert "new" in ask(server, "/")[2]


def test_few_pages_are_kept_and_one_that_is_read_stays_whole(
    runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "KEPT", 1)
    with served(runs) as server:
        first = server.pages.run("good")
        server.pages.run("other").content.close()
        with first.content:
            assert first.content.read().endswith(b"</html>\n")
        assert len(list(Path(server.pages._place.name).iterdir())) == 1


def test_links_out_of_the_folder_are_not_followed(runs: Path, tmp_path: Path) -> None:
    outside = make(tmp_path / "secret", "secret", 5)
    (runs / "linked").symlink_to(outside, target_is_directory=True)
    (runs / "loop").symlink_to(runs, target_is_directory=True)
    make(runs / "half", "half", 5)
    (runs / "half" / "attempts.jsonl").unlink()
    (runs / "half" / "attempts.jsonl").symlink_to(outside / "attempts.jsonl")
    with served(runs) as server:
        page = ask(server, "/")[2]
        assert "linked" not in page
        assert "loop" not in page
        assert ask(server, "/run/linked")[0] == 404
        status, _, page = ask(server, "/run/half")
        assert (status, "leads out of the folder" in page) == (409, True)


@pytest.mark.parametrize("name", ["run.json", "results.json", "scores.jsonl"])
def test_a_pipe_keeps_nobody_waiting(runs: Path, name: str) -> None:
    make(runs / "piped", "piped", 5)
    (runs / "piped" / name).unlink()
    os.mkfifo(runs / "piped" / name)
    with served(runs) as server:
        status, _, page = ask(server, "/")
        assert (status, f"piped/{name}: is no file" in page) == (200, True)
        assert ask(server, "/run/piped")[0] == 409
        assert ask(server, "/run/good")[0] == 200


def test_a_name_that_is_no_text_has_a_page(runs: Path) -> None:
    odd = os.fsdecode(b"caf\xe9 \xf0\x9f\x8e\x89")
    make(runs / odd, "odd", 2)
    with served(runs) as server:
        assert address(odd) in ask(server, "/")[2]
        assert ask(server, address(odd))[0] == 200


@pytest.mark.parametrize(
    "content",
    ["[]", "{}", '{"headline": 3}', '{"headline": {"value": "<b>", "scored": 1, "total": 1}}'],
)
def test_results_that_are_none_are_told(runs: Path, content: str) -> None:
    (runs / "good" / "results.json").write_text(content, encoding="utf-8")
    with served(runs) as server:
        status, _, page = ask(server, "/")
        assert (status, "<b>&lt;b" in page) == (200, False)
        assert ask(server, "/run/good")[0] == 409


def test_a_run_at_work_is_told_from_one_that_was_killed(runs: Path) -> None:
    folder = Folder(runs)
    about = RunFile.read(runs / "begun")
    about.status = "running"
    about.write(runs / "begun")
    assert entry(folder, "begun", runs / "begun").status == "interrupted"
    with locked(runs / "begun"):
        assert entry(folder, "begun", runs / "begun").status == "running"


def test_a_single_run_is_a_folder_too(runs: Path) -> None:
    with served(runs / "good") as server:
        assert ask(server, "/run/good")[0] == 200


def test_a_folder_or_port_that_cannot_be_had(runs: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such folder"):
        ViewServer(tmp_path / "nowhere")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(DataError, match="cannot be had"):
            ViewServer(runs, port=taken.getsockname()[1])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_command_serves_until_it_is_ended(runs: Path, tmp_path: Path, number: int) -> None:
    command = [sys.executable, "-m", "steelyard", "view", str(runs), "--port", "0", "--no-open"]
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(scratch)},
    )
    try:
        assert process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", process.stdout.readline())
        assert found is not None
        link = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=30)
        link.request("GET", "/run/good")
        answer = link.getresponse()
        assert answer.status == 200
        answer.read()
        link.close()
        process.send_signal(number)
        _, err = process.communicate(timeout=30)
    finally:
        process.kill()
    assert (process.returncode, err) == (0, "ended\n")
    assert list(scratch.iterdir()) == []

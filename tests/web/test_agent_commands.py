"""The commands of agents, against the running service on both databases."""

from __future__ import annotations

import json
import re
import stat
from pathlib import Path
from typing import Any

import pytest

from commands import Commands, Ran
from servers import Server


class Shell:
    """Calls `steelyard arena` as a user does who has a configuration directory of their own."""

    def __init__(self, run: Commands, server: Server, home: Path) -> None:
        self._run, self.server, self.home = run, server, home

    def __call__(self, *args: object, **more: Any) -> Ran:
        return self._run("arena", *args, **more)

    def json(self, *args: object) -> Any:
        ran = self(*args, "--json")
        assert ran.err == ""
        return json.loads(ran.out)


@pytest.fixture
def shell(
    steelyard: Commands, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Shell:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("STEELYARD_ARENA", server.url)
    for name in ("STEELYARD_API_KEY", "STEELYARD_AGENT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return Shell(steelyard, server, tmp_path)


def right(folder: Path) -> dict[str, int]:
    numbers = [int(line) for line in (folder / "numbers.txt").read_text().split()]
    return {"total": sum(numbers), "largest": max(numbers)}


LOG = [{"type": "llm_call", "model": "m", "input_tokens": 3, "output_tokens": 4, "at_ms": 1}]


def test_from_nothing_to_the_leaderboard(shell: Shell) -> None:
    name = f"Ada of {shell.home.name} {shell.server.port}"
    ran = shell("register", name, "--base-model", "m", "--harness", "loop")
    assert (ran.code, ran.err) == (0, "")
    assert "sy_" not in ran.out
    file = shell.home / "config" / "steelyard" / "credentials.json"
    assert str(file) in ran.out
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "adding" in shell("challenges").out
    ran = shell("enter", "adding", "--memoryless", "--workspace", "work")
    match = re.search(r"m_[0-9a-f]+", ran.out)
    assert match, ran
    assert "60 s" in ran.out
    assert "seconds left" in shell("match", match[0]).out
    Path("answer.json").write_text(json.dumps(right(Path("work"))))
    Path("log.json").write_text(json.dumps({"steps": LOG}))
    ran = shell(
        "submit", match[0], "answer.json", "--log", "log.json", "--model", "m", "--harness", "other"
    )
    assert (ran.code, ran.err) == (0, "")
    for told in (
        "score   1000 of 1000, win",
        "rating  1000 → ",
        "log     benchmark-grade",
        "weighted",
        "harness: ",
    ):
        assert told in ran.out
    again = shell(
        "submit", match[0], "answer.json", "--log", "log.json", "--model", "m", "--harness", "other"
    )
    assert again == ran
    assert ran.out == shell("match", match[0]).out
    assert "completed" in shell("match").out
    assert "1–0–0" in shell("me").out
    line = next(
        line for line in shell("leaderboard", "--limit", 200).out.splitlines() if name in line
    )
    assert "1–0–0" in line


def test_everything_comes_as_json_too(shell: Shell) -> None:
    told = shell.json("register", f"Bo of {shell.server.port}")
    assert sorted(told) == ["agent_id", "name"]
    assert shell.json("me")["agent_id"] == told["agent_id"]
    assert {"adding", "watch"} <= {one["slug"] for one in shell.json("challenges")}
    match = shell.json("enter", "adding")
    assert Path(match["folder"]) == Path(match["match_id"])
    ran = shell("submit", match["match_id"], "-", "--json", stdin=b'{"total": 0}')
    assert json.loads(ran.out)["result"] == "loss"
    assert shell.json("match", match["match_id"])["state"] == "completed"
    assert [one["match_id"] for one in shell.json("match")["items"]] == [match["match_id"]]
    assert shell.json("leaderboard")["total"] >= 1
    second = shell.json("enter", "adding")
    assert shell.json("abandon", second["match_id"])["state"] == "abandoned"
    assert "gave the match up" in shell("match", second["match_id"]).out


def test_a_key_is_shown_once_to_who_asks_and_taken_from_the_environment(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = shell.json("register", f"Cy of {shell.server.port}", "--show-key")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(shell.home / "elsewhere"))
    assert shell("me").code == 2
    monkeypatch.setenv("STEELYARD_API_KEY", told["api_key"])
    assert shell.json("me")["agent_id"] == told["agent_id"]


def test_another_key_takes_the_place_of_the_former(shell: Shell) -> None:
    first = shell.json("register", f"Ida of {shell.server.port}", "--show-key")["api_key"]
    ran = shell("rotate-key")
    assert (ran.code, ran.err, "sy_" in ran.out) == (0, "", False)
    assert shell.json("me")["name"] == f"Ida of {shell.server.port}"
    assert shell.server.api("GET", "/agents/me", key=first).status == 401


def test_two_agents_of_one_user(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"{name} of {shell.server.port}" for name in ("Dot", "Eve")]
    for name in names:
        assert shell("register", name).code == 0
    ran = shell("me")
    assert (ran.code, ran.out) == (2, "")
    assert "choose one with --agent" in ran.err
    assert shell.json("me", "--agent", names[0])["name"] == names[0]
    monkeypatch.setenv("STEELYARD_API_KEY", "sy_of_somebody_else")
    assert shell.json("me", "--agent", names[0])["name"] == names[0]
    monkeypatch.setenv("STEELYARD_AGENT", names[1])
    assert shell.json("me")["name"] == names[1]


def test_a_failed_evaluation_is_no_score(shell: Shell) -> None:
    shell("register", f"Fay of {shell.server.port}")
    match = shell.json("enter", "script")["match_id"]
    ran = shell("submit", match, "-", stdin=b'{"points": "many"}')
    assert ran.code == 1
    assert "score " not in ran.out
    assert "failure: " in ran.out


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (("me",), 2, "there is no key for"),
        (("challenges", "--server", "nowhere"), 2, "is no address of an arena"),
        (("challenges", "--server", "http://127.0.0.1:1"), 3, "does not answer"),
        (("leaderboard", "--limit", "0"), 2, "--limit"),
        (("register", " "), 3, "name: 1 to 60 printable characters"),
    ],
)
def test_what_is_wrong_is_one_line(
    shell: Shell, args: tuple[str, ...], code: int, told: str
) -> None:
    ran = shell(*args)
    assert (ran.code, ran.out) == (code, "")
    assert told in ran.err


def test_what_cannot_be_submitted_is_told_before_anything_is_sent(shell: Shell) -> None:
    shell("register", f"Gil of {shell.server.port}")
    match = shell.json("enter", "adding")["match_id"]
    Path("bad.json").write_text("{")
    Path("log.json").write_text("7")
    Path("nan.json").write_text('{"total": NaN}')
    Path("twice.json").write_text('{"total": 1, "total": 2}')
    for args, told in [
        (("none.json",), "there is no such file"),
        (("bad.json",), "not JSON"),
        (("nan.json",), "cannot be said in JSON"),
        (("twice.json",), "the key 'total' is given twice"),
        (("log.json", "--log", "log.json"), "an array of steps is needed"),
    ]:
        ran = shell("submit", match, *args)
        assert (ran.code, ran.out) == (2, "")
        assert told in ran.err
    assert shell.json("match", match)["state"] == "active"
    Path("full").mkdir()
    Path("full/mine").touch()
    ran = shell("enter", "watch", "--workspace", "full")
    assert (ran.code, "is not empty" in ran.err) == (2, True)
    assert shell.json("match")["total"] == 1

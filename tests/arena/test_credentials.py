"""Keys in a file: nobody else reads them, and none is lost."""

from __future__ import annotations

import json
import multiprocessing
import stat
from pathlib import Path

import pytest

from steelyard.arena.credentials import (
    Credential,
    Keyring,
    changed_keyring,
    credentials_file,
    read_keyring,
)
from steelyard.errors import DataError

HERE = "http://127.0.0.1:8000"


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "steelyard"


def keep(name: str) -> None:
    with changed_keyring() as ring:
        ring.add(HERE, name, Credential(agent_id=f"id of {name}", api_key=f"key of {name}"))


def test_a_key_is_kept_for_its_owner_alone(config: Path) -> None:
    assert read_keyring().servers == {}
    keep("Ada")
    file = credentials_file()
    assert file == config / "credentials.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(config.stat().st_mode) == 0o700
    assert {path.name for path in config.iterdir()} == {"credentials.json", "credentials.lock"}
    assert read_keyring().find(HERE, None)[1].api_key == "key of Ada"
    assert "key of" not in repr(read_keyring())


def test_without_the_variable_it_is_the_usual_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for value in ("", "relative"):
        monkeypatch.setenv("XDG_CONFIG_HOME", value)
        assert credentials_file() == tmp_path / ".config" / "steelyard" / "credentials.json"


def test_which_agent_is_meant() -> None:
    keep("Ada")
    keep("Bo")
    ring = read_keyring()
    assert ring.find(HERE, "Bo")[0] == "Bo"
    for server, name, told in [
        (HERE, None, r"several agents play at .* \(Ada, Bo\)"),
        (HERE, "Cy", "there is no key of 'Cy'"),
        ("http://elsewhere", None, "there is no key for http://elsewhere"),
    ]:
        with pytest.raises(DataError, match=told):
            ring.find(server, name)


def test_what_goes_wrong_meanwhile_changes_nothing(config: Path) -> None:
    keep("Ada")
    before = credentials_file().read_bytes()
    with pytest.raises(ZeroDivisionError), changed_keyring() as ring:
        ring.add(HERE, "Bo", Credential(agent_id="b", api_key=str(1 // 0)))
    assert credentials_file().read_bytes() == before
    assert len(list(config.iterdir())) == 2


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"\xff", b'{"servers": {"a": {"b": {"api_key": "sy_secret"}}}}', b"{"]
)
def test_a_file_that_cannot_be_read_is_told_and_left_alone(content: bytes) -> None:
    keep("Ada")
    credentials_file().write_bytes(content)
    with pytest.raises(DataError, match="is no file of keys") as wrong:
        keep("Bo")
    assert "sy_secret" not in str(wrong.value)
    assert credentials_file().read_bytes() == content


def test_a_file_that_others_may_read_is_refused() -> None:
    keep("Ada")
    credentials_file().chmod(0o644)
    with pytest.raises(DataError, match="chmod 600"):
        read_keyring()


def test_a_place_that_cannot_be_had_is_told_before_anything_happens(config: Path) -> None:
    config.write_text("a file, where a folder should be")
    with pytest.raises(DataError, match="cannot be written"), changed_keyring():
        raise AssertionError("nothing may be registered now")


def test_of_those_who_register_at_the_same_time_none_is_lost() -> None:
    context = multiprocessing.get_context("fork")
    names = [f"agent {n}" for n in range(8)]
    processes = [context.Process(target=keep, args=(name,)) for name in names]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert sorted(read_keyring().servers[HERE]) == names
    assert json.loads(credentials_file().read_bytes())


def test_an_empty_keyring_is_not_shared() -> None:
    Keyring().add(HERE, "Ada", Credential(agent_id="a", api_key="k"))
    assert Keyring().servers == {}

"""Addresses in all their usual forms, and keys that stay unseen."""

from __future__ import annotations

import pytest

from steelyard.errors import DataError
from steelyard.models.address import Key, chat_address, key_from, proxy_of

CALL = "/chat/completions"


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("http://h", f"http://h/v1{CALL}"),
        ("http://h:8000/", f"http://h:8000/v1{CALL}"),
        ("https://h/v1", f"https://h/v1{CALL}"),
        (" https://h/v1/ ", f"https://h/v1{CALL}"),
        ("https://h/v1/chat/completions", f"https://h/v1{CALL}"),
        ("https://h/api/v3", f"https://h/api/v3{CALL}"),
        ("https://h/x?api-version=2#part", f"https://h/x{CALL}?api-version=2"),
        ("http://[::1]:8000", f"http://[::1]:8000/v1{CALL}"),
    ],
)
def test_addresses(given: str, address: str) -> None:
    assert chat_address(given) == address
    assert chat_address(address) == address


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("", "no address"),
        ("localhost:8000", "no address"),
        ("ftp://h/v1", "no address"),
        ("http://", "no address"),
        ("http://h:port", "cannot be read"),
        ("http://[::1", "cannot be read"),
        ("http://user:hunter2-hunter2@h/v1", "environment variable"),
        ("http://h/v1?api_key=hunter2-hunter2", "looks like a key"),
        ("ftp://user:hunter2-hunter2@h", "no address"),
    ],
)
def test_what_is_no_address(given: str, words: str) -> None:
    with pytest.raises(DataError) as caught:
        chat_address(given)
    assert words in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_a_key_is_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", " sk-hunter2-hunter2\n")
    key = key_from("MY_KEY")
    assert key.header() == {"Authorization": "Bearer sk-hunter2-hunter2"}
    assert "hunter2" not in f"{key!r}{key}"
    assert key.hide("you sent sk-hunter2-hunter2!") == "you sent [key]!"
    assert Key("EMPTY").hide("an EMPTY word") == "an EMPTY word"
    assert key_from(None).header() == {}


def test_a_key_is_hidden_before_anything_is_cut_from_a_body() -> None:
    key = Key("sk-a-rather-long-key-1234")
    assert key.hide_in(b"x" * 190 + b"sk-a-rather-long-key-1234") == b"x" * 190 + b"[key]"
    assert Key("short").hide_in(b"a short body") == b"a short body"


@pytest.mark.parametrize("value", [None, "", "  ", "hunter2\nX: y", "hunter2-ключ"])
def test_a_key_that_cannot_be_one(value: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MY_KEY", raising=False)
    if value is not None:
        monkeypatch.setenv("MY_KEY", value)
    with pytest.raises(DataError) as caught:
        key_from("MY_KEY")
    assert "MY_KEY" in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_no_proxy_on_the_way_to_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://proxy:3128")
    monkeypatch.setenv("no_proxy", "inside.example")
    assert proxy_of("http://127.0.0.1:8000/v1") is None
    assert proxy_of("http://localhost/v1") is None
    assert proxy_of("https://inside.example/v1") is None
    assert proxy_of("https://outside.example/v1") == "http://proxy:3128"

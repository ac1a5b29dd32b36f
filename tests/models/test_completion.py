"""What an endpoint sends: a reply is read, anything else is named for what it is, and nothing becomes an empty reply."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import ModelError
from steelyard.models.completion import failure, read_completion, retry_after
from steelyard.models.mock_plan import GARBAGE
from steelyard.models.types import Reply


def body(message: Any, finish: Any = "stop", **more: Any) -> bytes:
    return json.dumps({"choices": [{"message": message, "finish_reason": finish}], **more}).encode()


@pytest.mark.parametrize(
    ("sent", "reply"),
    [
        (body({"content": "42"}), Reply(text="42", finish="stop")),
        (body({"content": ""}), Reply(text="", finish="stop")),
        (
            body({"content": "4"}, "length", model="m"),
            Reply(text="4", finish="length", served_by="m"),
        ),
        (body({"content": "4"}, None), Reply(text="4")),
        (
            body({"content": "4", "reasoning_content": "hm"}),
            Reply(text="4", reasoning="hm", finish="stop"),
        ),
        (body({"content": "4", "reasoning": "hm"}), Reply(text="4", reasoning="hm", finish="stop")),
        (
            body({"content": None, "reasoning_content": "hm"}, "length"),
            Reply(text="", reasoning="hm", finish="length"),
        ),
        (body({"content": None}, "content_filter"), Reply(text="", finish="content_filter")),
        (body({"content": ""}, "content_filter"), Reply(text="", finish="content_filter")),
        (body({"content": None, "refusal": "I will not"}), Reply(text="I will not", finish="stop")),
        (
            body(
                {
                    "content": [
                        {"type": "thinking", "thinking": "hm"},
                        {"type": "text", "text": "4"},
                        {"text": "2"},
                    ]
                }
            ),
            Reply(text="42", reasoning="hm", finish="stop"),
        ),
        (
            body({"content": "4"}, usage={"prompt_tokens": 7, "completion_tokens": 2}),
            Reply(text="4", finish="stop", input_tokens=7, output_tokens=2),
        ),
        (
            body({"content": "4"}, usage={"prompt_tokens": -7, "completion_tokens": True}),
            Reply(text="4", finish="stop"),
        ),
        (
            body({"content": "4"}, usage={"prompt_tokens": 2**63, "completion_tokens": 2**53}),
            Reply(text="4", finish="stop", output_tokens=2**53),
        ),
        (body({"content": "4"}, usage="none", model=5), Reply(text="4", finish="stop")),
        (b'{"choices": [{"message": {"content": "a\\ud83d"}}]}', Reply(text="a\ufffd")),
        (b'{"choices": [{"message": {"content": "a\xff"}}]}', Reply(text="a\ufffd")),
    ],
)
def test_replies(sent: bytes, reply: Reply) -> None:
    assert read_completion(sent) == reply


@pytest.mark.parametrize(
    ("sent", "kind", "words"),
    [
        *(
            (sent, "server" if name == "error" else "malformed", "")
            for name, sent in GARBAGE.items()
        ),
        (b"{}", "malformed", "no choices"),
        (b'{"choices": null}', "malformed", "no choices"),
        (b'{"choices": [{}]}', "malformed", "message"),
        (b'{"choices": [{"message": null}]}', "malformed", "message"),
        (body({"content": None, "reasoning": "hm"}), "malformed", "no text"),
        (body({"content": None, "tool_calls": [{"id": 1}]}, "tool_calls"), "malformed", "tool"),
        (body({"content": []}), "malformed", "no text"),
        (body({"content": [{"type": "image"}]}), "malformed", "no text"),
        (body({"content": 42}), "malformed", "no text"),
        (body({}), "malformed", "no text"),
        (b"[" * 100_000, "malformed", "not a chat completion"),
        (b'{"error": {"message": "slow down", "code": "429"}}', "rate_limit", "slow down"),
        (b'{"error": {"message": "who?", "code": 401}}', "refused", "who?"),
        (b'{"error": "it broke"}', "server", "it broke"),
    ],
)
def test_what_is_no_reply(sent: bytes, kind: str, words: str) -> None:
    with pytest.raises(ModelError) as caught:
        read_completion(sent)
    assert caught.value.kind == kind
    assert words in str(caught.value)


KEYS = st.sampled_from(["choices", "message", "content", "error", "code", "usage"])
LEAVES = st.none() | st.booleans() | st.floats() | st.text()
TREES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner)
)
KINDS = {"malformed", "server", "rate_limit", "refused", "not_found", "bad_request", "timeout"}


def read(sent: bytes) -> Reply | ModelError:
    try:
        return read_completion(sent)
    except ModelError as wrong:
        return wrong


@given(st.binary(max_size=200) | TREES.map(lambda value: json.dumps(value).encode()))
def test_anything_is_a_reply_with_content_or_an_error(sent: bytes) -> None:
    found = read(sent)
    if isinstance(found, ModelError):
        assert found.kind in KINDS
    else:
        assert b'"content"' in sent


@pytest.mark.parametrize(
    ("status", "sent", "kind"),
    [
        (400, b'{"error": {"message": "too long"}}', "bad_request"),
        (401, b"", "refused"),
        (402, b"", "refused"),
        (403, b"<html>no</html>", "refused"),
        (404, b'{"detail": "no such model"}', "not_found"),
        (408, b"", "timeout"),
        (413, b"", "bad_request"),
        (422, b"", "bad_request"),
        (429, b'{"error": {"message": "slow down"}}', "rate_limit"),
        (429, b'{"error": {"message": "pay", "code": "insufficient_quota"}}', "refused"),
        (500, b"", "server"),
        (503, b"", "server"),
        (529, b"", "server"),
        (307, b"", "not_found"),
    ],
)
def test_statuses(status: int, sent: bytes, kind: str) -> None:
    failed = failure(status, {}, sent)
    assert (failed.kind, failed.status) == (kind, status)
    assert str(status) in str(failed) or status == 307


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "7"}, 7.0),
        ({"Retry-After": "0.25"}, 0.25),
        ({"Retry-After": "-3"}, 0.0),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "inf"}, None),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": ""}, None),
        ({"Retry-After-Ms": "1500", "Retry-After": "9"}, 1.5),
        (
            {
                "Retry-After": "Wed, 21 Oct 2015 07:28:30 GMT",
                "Date": "Wed, 21 Oct 2015 07:28:00 GMT",
            },
            30.0,
        ),
        (
            {
                "Retry-After": "Wed, 21 Oct 2015 07:28:30 GMT",
                "Date": "Wed, 21 Oct 2015 07:29:00 GMT",
            },
            0.0,
        ),
        ({"Retry-After": "Thu, 01 Jan 1970 00:01:40 GMT"}, 90.0),
    ],
)
def test_how_long_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, 10.0) == seconds

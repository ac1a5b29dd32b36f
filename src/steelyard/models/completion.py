"""What an endpoint sends, read: a reply, or a ModelError that says what came instead."""

from __future__ import annotations

import json
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

import msgspec

from steelyard.errors import ModelError
from steelyard.models.types import MOST_TOKENS, Reply

SHOWN = 200
UNREADABLE = (ValueError, RecursionError)  # a DecodeError and a UnicodeDecodeError are ValueErrors
KINDS = {
    401: "refused",
    402: "refused",
    403: "refused",
    404: "not_found",
    408: "timeout",
    425: "server",
    429: "rate_limit",
    504: "timeout",
}
# Sent with a 429, but no wait helps.
QUOTA = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})


class _Choice(msgspec.Struct):
    message: dict[str, Any]
    finish_reason: Any = None


class _Completion(msgspec.Struct):
    choices: list[_Choice] | None = None
    usage: Any = None
    model: Any = None
    error: Any = None


_decoder = msgspec.json.Decoder(_Completion)


def read_completion(body: bytes, seconds: float = 0.0) -> Reply:
    """The reply in the body of an answer with status 200; what is no reply is a ModelError, never an empty one.

    ``seconds`` is how long it took to come.
    """
    try:
        found = _decoder.decode(body)
    except UNREADABLE as wrong:
        found = _read_mended(body, wrong)
    if found.error:
        raise failure(_code(found.error) or 502, {}, body)
    if not found.choices:
        raise malformed("the reply has no choices", body)
    usage = found.usage if isinstance(found.usage, dict) else {}
    choice = found.choices[0]
    finish = choice.finish_reason if isinstance(choice.finish_reason, str) else ""
    text, reasoning = _read_message(choice.message, finish, body)
    return Reply(
        text=text,
        reasoning=reasoning,
        finish=finish,
        input_tokens=_count(usage.get("prompt_tokens")),
        output_tokens=_count(usage.get("completion_tokens")),
        served_by=found.model if isinstance(found.model, str) else "",
        seconds=seconds,
    )


def _read_mended(body: bytes, wrong: Exception) -> _Completion:
    """A model may be cut off in half a character, which strict readers refuse; everything else stays an error."""
    try:
        loose = json.loads(body.decode("utf-8", "replace"))
        whole = json.dumps(loose, ensure_ascii=False).encode("utf-16", "surrogatepass")
        return _decoder.decode(whole.decode("utf-16", "replace"))
    except UNREADABLE:
        raise malformed(f"the reply is not a chat completion: {wrong}", body) from None


def _read_message(message: Mapping[str, Any], finish: str, body: bytes) -> tuple[str, str]:
    """The answer and the reasoning."""
    content = message.get("content")
    reasoning = _text(message.get("reasoning_content")) or _text(message.get("reasoning"))
    if isinstance(content, list):
        text, thoughts = _join_parts(content)
        if text is not None:
            return text, reasoning or thoughts
    elif isinstance(content, str):
        return content, reasoning
    if refusal := _text(message.get("refusal")):
        return refusal, reasoning
    if finish == "content_filter":
        return "", reasoning  # the endpoint has held the answer back, and says so
    if reasoning and finish == "length":
        return "", reasoning  # the model spent all its tokens on thinking: that is its answer
    what = "a call of a tool" if message.get("tool_calls") else "no text"
    raise malformed(f"the reply has {what} for content (finish_reason {finish or 'missing'})", body)


def _join_parts(parts: list[Any]) -> tuple[str | None, str]:
    """The texts of the parts, None where none has one, and the thoughts among them."""
    known = [part for part in parts if isinstance(part, dict)]
    texts = [_text(part.get("text")) for part in known if isinstance(part.get("text"), str)]
    thoughts = [_text(part.get("thinking")) or _text(part.get("reasoning")) for part in known]
    return ("".join(texts) if texts else None), "".join(thoughts)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _count(value: Any) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS
    return value if is_count else None


def _code(error: Any) -> int | None:
    """The status that an error in a body with status 200 names."""
    code = error.get("code") if isinstance(error, dict) else None
    if isinstance(code, str) and code.isdecimal():
        code = int(code)
    return code if isinstance(code, int) and 400 <= code < 600 else None


def malformed(what: str, body: bytes = b"") -> ModelError:
    """What came back is no reply."""
    shown = _shown(body)
    return ModelError(f"{what}; it begins {shown!r}" if shown else what, kind="malformed")


def failure(
    status: int, headers: Mapping[str, str], body: bytes, *, now: float = 0.0
) -> ModelError:
    """The error that a status stands for, in the endpoint's own words. ``now`` is the wall clock, for dates."""
    if 300 <= status < 400:
        where = headers.get("Location", "somewhere else")
        said = (
            f"the endpoint redirects to {where}; requests are not sent on: give the address itself"
        )
        return ModelError(said, kind="not_found", status=status)
    error = _error_of(body)
    kind = KINDS.get(status, "server" if status >= 500 else "bad_request")
    if kind == "rate_limit" and QUOTA & {error.get("code"), error.get("type")}:
        kind = "refused"
    words = _text(error.get("message")) or _shown(body)
    message = f"status {status}: {' '.join(words.split())[:SHOWN]}" if words else f"status {status}"
    wait = retry_after(headers, now) if kind in {"rate_limit", "server", "timeout"} else None
    return ModelError(message, kind=kind, status=status, retry_after=wait)


def _error_of(body: bytes) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(body)
    except UNREADABLE:
        return {}
    found = found.get("error", found) if isinstance(found, dict) else {}
    found = found if isinstance(found, dict) else {"message": found}
    return {name: value for name, value in found.items() if isinstance(value, str)}


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """The seconds that the endpoint asks for, from either form of the header; None where it does not, or not clearly.

    >>> retry_after({"Retry-After": "2.5"}, 0), retry_after({"Retry-After": "soon"}, 0)
    (2.5, None)
    """
    if (milliseconds := _seconds(headers.get("Retry-After-Ms"))) is not None:
        return milliseconds / 1000
    given = headers.get("Retry-After")
    if given is None or (seconds := _seconds(given)) is not None:
        return None if given is None else seconds
    try:
        due = parsedate_to_datetime(given).timestamp()
        told = headers.get("Date")  # the endpoint's own clock, where it shows it
        return max(0.0, due - (parsedate_to_datetime(told).timestamp() if told else now))
    except (ValueError, TypeError, OverflowError):
        return None


def _seconds(given: str | None) -> float | None:
    try:
        seconds = float(given or "")
    except ValueError:
        return None
    return max(0.0, seconds) if abs(seconds) < float("inf") else None


def _shown(body: bytes) -> str:
    return " ".join(body[: 4 * SHOWN].decode("utf-8", "replace").split())[:SHOWN]

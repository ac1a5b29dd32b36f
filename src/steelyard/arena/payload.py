"""What an agent submits: an answer, and what it tells of itself."""

from __future__ import annotations

import hashlib
from typing import Annotated, Any

import msgspec

from steelyard.arena.settling import Submission
from steelyard.errors import RuleError

LONGEST_BODY = 1 << 20
_NAME = Annotated[str, msgspec.Meta(max_length=200)]


class Metadata(msgspec.Struct, frozen=True, kw_only=True):
    """What the agent tells of how it worked; none of it is proof. Fields that are not known are kept and not read."""

    replay_log: list[Any] | None = None
    model_id: _NAME | None = None
    harness_id: _NAME | None = None
    token_count: Annotated[float, msgspec.Meta(ge=0, le=10**15)] | None = (
        None  # 12.0 is a whole number in JSON
    )


class Payload(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of a submission."""

    answer: Any
    metadata: Metadata = Metadata()


_DECODER = msgspec.json.Decoder(Payload)
_ORDERED = msgspec.json.Encoder(order="deterministic")


def read_payload(body: bytes) -> Payload:
    """The submission in a body; what is malformed is the agent's to mend, and nothing has happened yet."""
    if len(body) > LONGEST_BODY:
        raise RuleError(f"a submission has at most {LONGEST_BODY:,} bytes", status=413)
    try:
        return _DECODER.decode(body)
    except msgspec.ValidationError as wrong:
        raise RuleError(str(wrong), status=422) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as wrong:
        raise RuleError(f"the body is no JSON: {wrong}", status=400) from None
    except RecursionError:
        raise RuleError("the body is nested too deeply", status=422) from None


def seal(body: bytes, now: int) -> Submission:
    """The body as it is kept; two that mean the same have the same digest, whatever their spaces and key order."""
    meaning = _ORDERED.encode(msgspec.json.decode(body))
    return Submission(body=body, digest=hashlib.sha256(meaning).hexdigest(), at=now)

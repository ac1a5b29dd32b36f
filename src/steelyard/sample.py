"""The question with its truth, and what came back for it."""

from __future__ import annotations

from typing import Any

import msgspec


class Sample(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A question and its truth."""

    id: str
    prompt: str = ""
    target: str = ""
    metadata: dict[str, Any] = {}


class Attempt(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What came back for a sample, with what it cost, or the error that came instead."""

    sample_id: str
    response: str = ""
    error: str = ""
    seconds: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None

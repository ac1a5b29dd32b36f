"""What the side panel of a report shows of one sample."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import UNSET

from steelyard.report.cut import Room, cut
from steelyard.runs.sample_row import SampleRow
from steelyard.score import Part

MOST_PARTS, DEEPEST = 60, 6


def sample_texts(row: SampleRow, kept: Room, *, asked: bool) -> dict[str, Any]:
    """The sample's texts, cut; what is empty is left out. With ``asked`` what was asked is told too."""
    beside = kept.beside
    told = {
        "answer": None if row.response is None else cut(row.response, kept.answer, row.span),
        "read": _read(row, beside),
        "target": cut(row.target, beside),
        "reason": cut(row.reason, beside),
        "asked": [[message.role, cut(message.content, beside)] for message in row.messages]
        if asked
        else None,
        "error": cut(f"{row.error_kind}: {row.error}", beside) if row.error else None,
        "reasoning": cut(row.reasoning, beside) if row.reasoning else None,
        "cut_off": True if row.finish == "length" else None,
        "parts": _parts(row.parts, beside),
        "judge": [cut(reply.text, beside) for reply in row.judge] or None,
        "input": row.input_tokens,
    }
    # That nothing was asked is told too, for what is left out was asked before.
    return {
        name: value
        for name, value in told.items()
        if value not in (None, "", []) or (name == "asked" and asked)
    }


def _read(row: SampleRow, most: int) -> Any:
    """What was read out of the answer; True where it is what is marked there, word for word."""
    if row.extracted is None or row.extracted is UNSET:
        return None
    read = str(row.extracted)
    start, end = row.span or (0, 0)
    return (
        True
        if row.response is not None and read and row.response[start:end] == read
        else cut(read, most)
    )


def _parts(parts: Iterable[Part], most: int, depth: int = 0) -> list[dict[str, Any]] | None:
    """The tree of parts: name, weight, value, reason; bounded in breadth and depth, and it says so."""
    all_parts = list(parts)
    found: list[dict[str, Any]] = []
    for part in all_parts[:MOST_PARTS]:
        score = part.score
        one: dict[str, Any] = {"name": part.name, "value": score.value, "weight": part.weight}
        if score.reason:
            one["reason"] = cut(score.reason, most)
        if score.parts:
            one["parts"] = (
                _parts(score.parts, most, depth + 1)
                if depth < DEEPEST
                else [{"more": len(score.parts)}]
            )
        found.append(one)
    if len(all_parts) > MOST_PARTS:
        found.append({"more": len(all_parts) - MOST_PARTS})
    return found or None

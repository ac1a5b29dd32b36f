"""Labels: answers of which somebody has said what they are worth, to hold a judge against."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec

from steelyard.errors import DataError
from steelyard.judge.checklist import KEYS
from steelyard.judge.config import JudgeScoringConfig
from steelyard.judge.single import JudgeItem

Winner = Literal["first", "second", "tie"]


class Label(msgspec.Struct, frozen=True, kw_only=True):
    """One answer with its label, or two answers with the better one.

    ``label`` says whether an answer is right (true or false); ``score`` says so on the judge's scale; ``winner`` says
    which of ``first`` and ``second`` is better.
    """

    id: str
    instruction: str
    expected: str = ""
    response: str = ""
    first: str = ""
    second: str = ""
    label: bool | None = None
    score: float | None = None
    winner: Winner | None = None
    metadata: dict[str, Any] = {}

    @property
    def item(self) -> JudgeItem:
        """The answer as a judge gets it."""
        return JudgeItem(
            key=self.id,
            instruction=self.instruction,
            response=self.response,
            expected=self.expected,
            metadata=self.metadata,
        )

    def is_right(self, config: JudgeScoringConfig) -> bool:
        """What the label says of the answer; a score is held against the judge's own threshold."""
        if self.label is not None:
            return self.label
        return config.passes((self.score or 0) / config.max_score)


_NAMES = {
    "instruction": ("instruction", "question", "prompt"),
    "expected": ("expected", "target", "reference"),
    "response": ("response", "answer"),
}


def read_labels(path: str | Path, config: JudgeScoringConfig) -> list[Label]:
    """The labels of a JSON Lines file; a line that cannot be used is a DataError with its number."""
    try:
        lines = Path(path).read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n")
    except OSError as failed:
        raise DataError(f"cannot be read: {failed.strerror or failed}", file=str(path)) from None
    found, seen = [], set[str]()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            label = _label(msgspec.json.decode(line), number, config)
        except (ValueError, RecursionError) as wrong:
            raise DataError(f"no label: {wrong}", file=str(path), line=number) from None
        if label.id in seen:
            raise DataError(f"the id {label.id!r} is given twice", file=str(path), line=number)
        seen.add(label.id)
        found.append(label)
    if not found:
        raise DataError("there are no labels", file=str(path))
    return found


def _label(row: Any, number: int, config: JudgeScoringConfig) -> Label:
    if not isinstance(row, dict):
        raise ValueError("an object is needed")
    known: dict[str, Any] = {
        ours: next((row[name] for name in names if name in row), "")
        for ours, names in _NAMES.items()
    }
    for name in ("first", "second"):
        known[name] = row.get(name, "")
    for name, text in known.items():
        if not isinstance(text, str):
            raise ValueError(f"{name} must be a text")
    metadata = row.get("metadata") or {key: row[key] for key in KEYS if key in row}
    label = Label(
        id=str(row.get("id", number)),
        **known,
        **_verdict(row, config),
        metadata=metadata if isinstance(metadata, dict) else {},
    )
    if label.winner is None and "response" not in row and "answer" not in row:
        raise ValueError("there is no response")
    return label


def _verdict(row: dict[str, Any], config: JudgeScoringConfig) -> dict[str, Any]:
    """Exactly one of label, score and winner, checked."""
    given = [name for name in ("label", "score", "winner") if row.get(name) is not None]
    if len(given) != 1:
        raise ValueError("one of label (true or false), score and winner is needed")
    name, value = given[0], row[given[0]]
    if name == "label" and value not in (True, False):
        raise ValueError(f"label must be true or false, not {value!r}")
    if name == "score" and (
        isinstance(value, bool)
        or not isinstance(value, (int, float))
        or not 1 <= value <= config.max_score
    ):
        raise ValueError(f"score must be a number from 1 to {config.max_score}, not {value!r}")
    if name == "winner" and (
        value not in ("first", "second", "tie") or not {"first", "second"} <= row.keys()
    ):
        raise ValueError("winner must be first, second or tie, and first and second must be there")
    return {name: bool(value) if name == "label" else value}

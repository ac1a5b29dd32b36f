"""A judge out of a file: verdicts that were recorded, one a line, and nothing that was not.

    {"ask": "equivalent", "reference": "the dog sleeps", "entry": "a dog is asleep", "value": true}
    {"ask": "assign", "references": ["hot", "cold"], "items": ["warm"], "pairs": [["warm", "hot"]]}
    {"ask": "criterion", "criterion": "The base is six.", "explanation": "Base 6.", "value": true}

Each line may have a ``reason`` and ``evidence``; ``question`` (for the first two) and ``rules`` (for the third)
narrow it to one place. ``explanation_sha256`` stands for a long explanation. Outer spaces and the Unicode form of
texts do not matter. A pair is of texts, item first, or of positions from 0.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from steelyard.batch.reference.evidence import quoted
from steelyard.doors import Pairing, Verdict
from steelyard.errors import DataError, JudgeError
from steelyard.values.compose import compose

Key = tuple[Any, ...]


class _Line(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A line of the file; which fields it needs depends on what was asked."""

    ask: Literal["equivalent", "assign", "criterion"]
    value: bool | None = None
    reason: str = ""
    evidence: str = ""
    question: str | None = None
    reference: str | None = None
    entry: str | None = None
    references: tuple[str, ...] | None = None
    items: tuple[str, ...] | None = None
    pairs: tuple[tuple[str | int, str | int], ...] | None = None
    criterion: str | None = None
    rules: str | None = None
    explanation: str | None = None
    explanation_sha256: str | None = None


_NEEDED = {
    "equivalent": ("reference", "entry", "value"),
    "assign": ("references", "items", "pairs"),
    "criterion": ("criterion", "value"),
}
_decoder = msgspec.json.Decoder(_Line)


class RecordedJudge:
    """Answers as the file says; what the file does not say is a JudgeError, and leaves its part unscored."""

    def __init__(
        self,
        verdicts: Mapping[Key, Verdict | dict[tuple[str, str], None]],
        digest: str,
        told: Mapping[Key, tuple[str, str]] | None = None,
    ) -> None:
        self._verdicts, self._told, self._digest = verdicts, told or {}, digest

    @property
    def name(self) -> str:
        """The hash of the file: other verdicts are another judge."""
        return f"recorded:{self._digest}"

    def equivalent(self, reference: str, entry: str, question: str) -> Verdict:
        """The recorded verdict on this entry."""
        found = self._find(("equivalent", _plain(reference), _plain(entry)), question)
        if isinstance(found, Verdict):
            return found
        raise _missing(f"the entry {quoted(entry)}")

    def assign(self, items: Sequence[str], references: Sequence[str], question: str) -> Pairing:
        """The recorded pairs of these items and references, in any order."""
        ours, theirs = [_plain(item) for item in items], [_plain(item) for item in references]
        key = ("assign", frozenset(ours), frozenset(theirs))
        found = self._find(key, question)
        if not isinstance(found, dict):
            raise _missing(f"the items {quoted(', '.join(items))}")
        pairs = tuple(
            (i, j)
            for i, item in enumerate(ours)
            for j, other in enumerate(theirs)
            if (item, other) in found
        )
        reason, evidence = (
            self._told.get((*key, question)) or self._told.get((*key, None)) or ("", "")
        )
        return Pairing(pairs=pairs, reason=reason, evidence=evidence)

    def criterion(self, criterion: str, rules: str, explanation: str) -> Verdict:
        """The recorded verdict on this explanation."""
        found = self._find(("criterion", _plain(criterion), _hash(explanation)), _plain(rules))
        if isinstance(found, Verdict):
            return found
        raise _missing(f"the criterion {quoted(criterion)}")

    def _find(self, key: Key, narrow: str) -> Verdict | dict[tuple[str, str], None] | None:
        narrowed = self._verdicts.get((*key, narrow))
        return self._verdicts.get((*key, None)) if narrowed is None else narrowed


def load_judge(path: str | Path) -> RecordedJudge:
    """The judge of a file; a line that cannot be used is a DataError with its number.

    >>> load_judge("no_such.jsonl")
    Traceback (most recent call last):
    steelyard.errors.DataError: no_such.jsonl: cannot be read: No such file or directory
    """
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as failed:
        said = f"cannot be read: {getattr(failed, 'strerror', None) or failed}"
        raise DataError(said, file=str(path)) from None
    verdicts: dict[Key, Any] = {}
    told: dict[Key, tuple[str, str]] = {}
    for number, text in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if text.strip():
            try:
                _take(_decoder.decode(text), verdicts, told)
            except (ValueError, RecursionError) as wrong:
                raise DataError(
                    f"no recorded verdict: {wrong}", file=str(path), line=number
                ) from None
    return RecordedJudge(verdicts, hashlib.sha256(data).hexdigest(), told)


def _take(line: _Line, verdicts: dict[Key, Any], told: dict[Key, tuple[str, str]]) -> None:
    for name in _NEEDED[line.ask]:
        if getattr(line, name) is None:
            raise ValueError(f"{line.ask} needs {name!r}")
    key, value = _entry(line)
    known = verdicts.setdefault(key, value)
    told.setdefault(key, (line.reason, line.evidence))
    same = known.value == value.value if isinstance(known, Verdict) else known == value
    if not same:
        raise ValueError("an earlier line says otherwise of the same texts")


def _entry(line: _Line) -> tuple[Key, Any]:
    if line.ask == "assign":
        items, references = line.items or (), line.references or ()
        key: Key = (
            "assign",
            frozenset(map(_plain, items)),
            frozenset(map(_plain, references)),
            line.question,
        )
        return key, dict.fromkeys(_pair(pair, items, references) for pair in line.pairs or ())
    verdict = Verdict(value=bool(line.value), reason=line.reason, evidence=line.evidence)
    if line.ask == "equivalent":
        return (
            "equivalent",
            _plain(line.reference or ""),
            _plain(line.entry or ""),
            line.question,
        ), verdict
    if (line.explanation is None) == (line.explanation_sha256 is None):
        raise ValueError("criterion needs 'explanation' or 'explanation_sha256'")
    digest = line.explanation_sha256 or _hash(line.explanation or "")
    rules = None if line.rules is None else _plain(line.rules)
    return ("criterion", _plain(line.criterion or ""), digest, rules), verdict


def _pair(
    pair: tuple[Any, Any], items: Sequence[str], references: Sequence[str]
) -> tuple[str, str]:
    ours, theirs = pair
    if isinstance(ours, int) and isinstance(theirs, int):
        if not (0 <= ours < len(items) and 0 <= theirs < len(references)):
            raise ValueError(f"the pair [{ours}, {theirs}] names no item and reference")
        return _plain(items[ours]), _plain(references[theirs])
    if not isinstance(ours, str) or not isinstance(theirs, str):
        raise ValueError("a pair is of two texts or of two positions")
    if _plain(ours) not in set(map(_plain, items)) or _plain(theirs) not in set(
        map(_plain, references)
    ):
        raise ValueError(f"the pair [{ours!r}, {theirs!r}] names no item and reference of the line")
    return _plain(ours), _plain(theirs)


def _plain(text: str) -> str:
    return compose(text.strip())


def _hash(text: str) -> str:
    return hashlib.sha256(_plain(text).encode("utf-8", "surrogatepass")).hexdigest()


def _missing(what: str) -> JudgeError:
    return JudgeError(f"no verdict is recorded for {what}")

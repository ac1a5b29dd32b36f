"""The score of one problem as it is kept: ``{id}_scores.json``, complete or not there.

The shape is versioned; ``digest`` is the hash of everything else in the file, so that a file that was cut
short or edited is not taken for a score.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any, Literal

import msgspec

from steelyard.batch.reference.folder import SCORES
from steelyard.batch.reference.ids import file_stem
from steelyard.errors import StoreError

FORMAT = "steelyard.reference.scores/1"
State = Literal["read", "missing", "malformed"]


class QuestionScore(msgspec.Struct, frozen=True, kw_only=True):
    """One question: its matching type, its value, why, and what it was read from."""

    question: str
    type: str
    value: float | None
    reason: str
    entry: Any = None
    reference: str = ""
    evidence: dict[str, Any] = {}


class CriterionScore(msgspec.Struct, frozen=True, kw_only=True):
    """One criterion of the checklist, judged."""

    criterion: str
    value: float | None
    reason: str
    evidence: dict[str, Any] = {}


class CompatScore(msgspec.Struct, frozen=True, kw_only=True):
    """What a compatibility profile makes of the same problem; None where the profile leaves it out of its mean."""

    profile: str
    value: float | None
    answer: float | None
    reason: str
    questions: dict[str, float | None]


class ReferenceFault(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong with a reference: the author's error, named and never hidden in a score."""

    file: str
    question: str
    reason: str

    def __str__(self) -> str:
        where = f"{self.file}: {self.question}" if self.question else self.file
        return f"{where}: {self.reason}"


class ScoreSignature(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that shaped the number; two scores are comparable exactly when these agree.

    A solution that is missing and one that cannot be opened have no hash: ``state`` and ``fault`` tell them apart.
    """

    engine: str
    settings: dict[str, Any]
    reference: str
    state: State
    fault: str = ""
    solution: str | None
    problem: str | None
    judge: str | None

    def __str__(self) -> str:
        settings = hashlib.sha256(_ordered.encode(self.settings)).hexdigest()
        told = {
            "reference": self.reference,
            "solution": self.solution or self.state,
            "problem": self.problem,
            "settings": settings[:8],
            "judge": self.judge,
        }
        parts = [f"{name}:{_cut(hashed)}" for name, hashed in told.items() if hashed]
        return "|".join([f"steelyard:{self.engine}", *parts])


def _cut(name: str) -> str:
    """A hash that is short enough to be read; of a name with its kind before it, both are kept.

    >>> _cut("recorded:0123456789abcdef")
    'recorded:0123456789ab'
    """
    return ":".join(piece[:12] for piece in name.split(":"))


class ProblemScore(msgspec.Struct, frozen=True, kw_only=True):
    """The score of one problem with all its parts; ``value`` is None where it could not be scored.

    ``skipped`` tells a malformed solution that was left out on demand. ``answer`` and ``explanation`` are the
    two halves, ``explanation`` None where it is not judged.
    """

    format: str = FORMAT
    id: str
    state: State
    skipped: bool = False
    value: float | None
    answer: float | None
    explanation: float | None
    explanation_weight: float
    reason: str = ""
    questions: tuple[QuestionScore, ...] = ()
    criteria: tuple[CriterionScore, ...] = ()
    compat: CompatScore | None = None
    answer_format_errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    reference_faults: tuple[ReferenceFault, ...] = ()
    files: dict[str, str | None] = {}
    signature: ScoreSignature
    signature_text: str = ""
    digest: str = ""


_ordered = msgspec.json.Encoder(order="deterministic")
_plain = msgspec.json.Encoder(enc_hook=repr, decimal_format="number")
_decoder = msgspec.json.Decoder(ProblemScore)


def encode_record(record: ProblemScore) -> bytes:
    """The bytes of the file, with the digest of the rest in them."""
    unsigned = msgspec.structs.replace(record, digest="", signature_text=str(record.signature))
    digest = hashlib.sha256(_plain.encode(unsigned)).hexdigest()
    signed = msgspec.structs.replace(unsigned, digest=digest)
    return msgspec.json.format(_plain.encode(signed), indent=2) + b"\n"


def decode_record(data: bytes) -> ProblemScore | None:
    """The score in a file, or None if the file is cut short, edited, or something else."""
    try:
        found = _decoder.decode(data)
        again = encode_record(found)
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError, RecursionError):
        return None
    return found if found.format == FORMAT and again == data else None


def record_path(folder: str | Path, problem: str) -> str:
    """Where the score of a problem is kept.

    >>> record_path("out", "2003-1")
    'out/2003-1_scores.json'
    """
    return os.path.join(folder, file_stem(problem) + SCORES)


def read_record(path: str) -> ProblemScore | None:
    """The score in that file, or None if there is no whole one."""
    try:
        with open(path, "rb") as file:
            return decode_record(file.read())
    except OSError:
        return None


def write_whole(path: str, data: bytes) -> None:
    """Put a file in its place at once: whoever looks sees the old one or the whole new one."""
    part = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.part")
    try:
        with open(part, "wb") as file:
            file.write(data)
        os.replace(part, path)
    except OSError as failed:
        raise StoreError(f"{path}: cannot be written: {failed.strerror or failed}") from None

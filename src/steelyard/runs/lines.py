"""The lines of a journal: what came back for a sample, and what it scored."""

from __future__ import annotations

import msgspec

from steelyard.foreign import shown
from steelyard.score import Score


class AttemptLine(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="attempt"
):
    """What came back for a sample, or the error that came instead.

    ``id`` is the problem's, and ``asked`` the hash of what was asked.
    """

    key: str
    id: str = ""
    asked: str
    response: str = ""
    reasoning: str = ""
    finish: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    served_by: str = ""
    error: str = ""
    error_kind: str = ""
    seconds: float = 0.0
    ended: float = 0.0


class ScoreLine(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="score"
):
    """What a sample's attempt scored, and by what: the last line of a sample that was scored as now counts."""

    key: str
    score: Score
    judged: bool = False
    by: str = ""


Line = AttemptLine | ScoreLine

_LONGEST_KEY = 40
_encoder = msgspec.json.Encoder(enc_hook=shown, decimal_format="number")
decoder: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)


def encode(line: msgspec.Struct) -> bytes:
    """The line with its end.

    >>> encode(AttemptLine(key="0.0", asked="ab", response="4"))
    b'{"kind":"attempt","key":"0.0","asked":"ab","response":"4"}\\n'
    """
    try:
        return _encoder.encode(line) + b"\n"
    except UnicodeEncodeError:  # half a surrogate pair, which is no character
        from steelyard.batch.full_json import dumps_mended  # loads much that a run can do without

        return dumps_mended(line) + b"\n"


def sample_key(problem: int, repeat: int) -> str:
    """The name of a sample: which problem, and which repeat of it.

    >>> sample_key(12, 0)
    '12.0'
    """
    return f"{problem}.{repeat}"


def sample_place(key: str, problems: int, repeats: int) -> int | None:
    """The place of a sample among all of a run; None if the run has no such sample.

    >>> sample_place("12.1", problems=20, repeats=4), sample_place("12.4", problems=20, repeats=4)
    (49, None)
    """
    problem, _, repeat = key.partition(".")
    if len(key) > _LONGEST_KEY or not (problem.isdecimal() and repeat.isdecimal()):
        return None
    row, column = int(problem), int(repeat)
    if row >= problems or column >= repeats or sample_key(row, column) != key:
        return None
    return row * repeats + column


def writable(text: str) -> str:
    """The text with U+FFFD for each half of a surrogate pair, so that it is scored as it is kept.

    >>> writable("a\\ud800b")
    'a�b'
    """
    return (
        text
        if text.isascii()
        else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    )

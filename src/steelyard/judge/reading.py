"""What a judge's reply says: its last complete verdict that is its own, with the reason and the evidence."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from steelyard.judge.candidates import Candidate, Form, find_candidates
from steelyard.judge.choice import choice_form
from steelyard.judge.own_words import Reply, prepare
from steelyard.judge.rating import Rating, rating_form, spoken
from steelyard.judge.settling import settle
from steelyard.judge.wording import words
from steelyard.score import Readable

_LONGEST_REPLY = 200_000
_SECTION = r"^[ \t#*_\"]{{0,8}}(?:{names})[ \t*_\"]{{0,4}}[:=][ \t*_]{{0,4}}(.+)$"


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """A verdict that was read; ``value`` is None where it could not be, and ``why`` says why."""

    value: Any = None
    why: str = ""
    reason: str = ""
    evidence: str = ""
    fields: Mapping[str, Any] = {}


class JudgeReading(Readable, msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A rating that was read, or why none was; it also reads as a mapping.

    >>> dict(parse_judge_response('{"evidence": "Paris", "reason": "the capital", "score": 4}'))
    {'score': 4, 'normalized': 0.8, 'reasoning': 'the capital'}
    """

    score: int | float | None = None
    normalized: float | None = None
    reasoning: str = ""
    scale: int = 5
    evidence: str = ""
    error: str = ""

    @property
    def parse_error(self) -> bool:
        """Whether no verdict could be read."""
        return self.score is None

    def keys(self) -> list[str]:
        """The keys of the mapping: score, normalized and reasoning, or parse_error as well."""
        return ["score", "normalized", "reasoning", *(["parse_error"] if self.parse_error else [])]

    def __getitem__(self, key: str) -> Any:
        if key in {*JudgeReading.__struct_fields__, "parse_error"}:
            return getattr(self, key)
        raise KeyError(key)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash((self.score, self.scale, self.reasoning))


def parse_judge_response(
    text: str,
    max_score: int = 5,
    *,
    answer: str = "",
    markers: Sequence[str] = (),
    truncated: bool = False,
) -> JudgeReading:
    """The rating in a judge's reply: the last complete verdict that is the judge's own.

    ``answer`` is the work that was judged: what the reply quotes of it is no verdict. A rating that names its scale
    (3/10, 80%) is read on that one. Below 1, above the scale, or none at all: ``parse_error`` is True.

    >>> parse_judge_response("The names are right.\\nScore: 3/10")["normalized"]
    0.3
    >>> parse_judge_response("I cannot judge this.")["parse_error"]
    True
    """
    reply = prepare(text[-_LONGEST_REPLY:], answer, tuple(markers))
    found = _settle(reply, rating_form(max_score), truncated=truncated)
    if not found.why and found.value is None:
        said = [*spoken(reply, max_score)]
        found = (
            _verdict(reply, settle(reply, said))
            if said
            else Verdict(why="there is no verdict in the reply")
        )
    if not isinstance(found.value, Rating):
        return JudgeReading(
            error=found.why, reasoning=found.reason, evidence=found.evidence, scale=max_score
        )
    score, scale = found.value
    return JudgeReading(
        score=int(score) if score.denominator == 1 else float(score),
        normalized=float(found.value.value),
        reasoning=found.reason,
        evidence=found.evidence,
        scale=scale,
    )


def read_choice(
    text: str,
    choices: tuple[str, ...],
    *,
    work: str = "",
    markers: Sequence[str] = (),
    truncated: bool = False,
) -> Verdict:
    """The last own verdict that is one of the choices.

    >>> read_choice('{"evidence": "", "reason": "nothing there", "verdict": "no"}', ("yes", "no")).value
    'no'
    """
    reply = prepare(text[-_LONGEST_REPLY:], work, tuple(markers))
    found = _settle(reply, choice_form(choices), truncated=truncated)
    why = found.why or ("" if found.value is not None else "there is no verdict in the reply")
    return msgspec.structs.replace(found, why=why)


def read_object(text: str, key: str, *, work: str = "", markers: Sequence[str] = ()) -> Verdict:
    """The value under a key of the last JSON object of the judge's own that has it."""
    reply = prepare(text[-_LONGEST_REPLY:], work, tuple(markers))
    form = Form(
        "(?!)", lambda match: None, (key,), lambda fields, name, span: Candidate(fields[name], span)
    )
    found = _settle(reply, form, truncated=False)
    return (
        found
        if found.value is not None
        else Verdict(why=f"there is no object with {key!r} in the reply")
    )


def _settle(reply: Reply, form: Form, *, truncated: bool) -> Verdict:
    found = find_candidates(reply, form)
    if truncated:  # what touches the end of a reply that was cut off may have gone on: 1 of 10
        end = len(reply.text.rstrip())
        found = [candidate for candidate in found if candidate.span[1] < end or candidate.fields]
    return _verdict(reply, settle(reply, found)) if found else Verdict()


def _verdict(reply: Reply, candidate: Candidate) -> Verdict:
    fields = candidate.fields
    return Verdict(
        value=candidate.value,
        why=candidate.why,
        fields=fields,
        reason=_told(fields, "reason_keys")
        or (
            ""
            if fields
            else _section(reply, candidate, "reason_keys")
            or reply.text[: candidate.span[0]].strip()
        ),
        evidence=_told(fields, "evidence_keys")
        or ("" if fields else _section(reply, candidate, "evidence_keys")),
    )


def _told(fields: Mapping[str, Any], table: str) -> str:
    for key in words()[table]:
        given = fields.get(key)
        if isinstance(given, list) and all(isinstance(item, str) for item in given):
            given = " … ".join(given)
        if isinstance(given, str) and given.strip():
            return given.strip()
    return ""


def _section(reply: Reply, candidate: Candidate, table: str) -> str:
    """The text behind ``Reason:`` before the verdict."""
    pattern = re.compile(
        _SECTION.format(names="|".join(words()[table])), re.IGNORECASE | re.MULTILINE
    )
    found = [match[1].strip() for match in pattern.finditer(reply.text, 0, candidate.span[0])]
    return found[-1] if found else ""

"""Submissions that hold nothing right, and must come to a Loss: what they try is in data/challenge_probes.json."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from steelyard.arena.challenge import SPEC
from steelyard.arena.trial import Fault, Trial
from steelyard.spec.evaluation import Evaluation
from steelyard.spec.field import find
from steelyard.spec.result import Result

_SHOWN_FILES, _SHOWN_BYTES = 5, 100_000
_NAMED = 3


class Probe(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing to try: a whole submission, a value for every field, or a program for every field that is run."""

    name: str
    submission: Any = msgspec.UNSET
    fill: Any = msgspec.UNSET
    dimensions: int | None = None
    number: str | None = None
    text: str | None = None
    item: str | None = None
    times: int = 0
    digits: int = 0
    depth: int = 0
    own: str | None = None
    program: str | None = None
    files: dict[str, str] | None = None


@cache
def probes() -> tuple[Probe, ...]:
    """Everything that is tried."""
    data = (files("steelyard") / "data" / "challenge_probes.json").read_bytes()
    return msgspec.json.decode(data, type=tuple[Probe, ...])


def cheats_lose(trial: Trial) -> Iterator[Fault]:
    """No probe gets more than a Loss, and none leaves the match without a score: that would be a way out of losing."""
    found: dict[str, list[str]] = {}
    for probe in probes():
        for seed in trial.seeds:
            said = next(
                filter(None, map(_tried(trial, seed), _submissions(probe, trial, seed))), ""
            )
            if said:
                found.setdefault(said, []).append(probe.name)
                break
    for said, names in found.items():
        more = f" (and {len(names) - _NAMED} others)" if len(names) > _NAMED else ""
        yield Fault(gate="probes", path=SPEC, message=f"{', '.join(names[:_NAMED])}{more}: {said}")


def _tried(trial: Trial, seed: int) -> Callable[[Any], str]:
    return lambda submission: not_lost(trial.outcome(seed, submission))


def not_lost(found: Evaluation) -> str:
    """How a submission came out that had to lose; nothing where it lost."""
    if found.score is None:
        return f"leaves the match without a score: {found.total.reason}"
    if found.result == Result.LOSS:
        return ""
    earning = ", ".join(
        f"{name} {part['score']:g}" for name, part in found.score_breakdown.items() if part["score"]
    )
    return f"reaches {found.score}, a {found.result}: {earning}"


def _submissions(probe: Probe, trial: Trial, seed: int) -> Iterator[Any]:
    if probe.submission is not msgspec.UNSET:
        yield probe.submission
    elif probe.program is not None or probe.files is not None:
        yield from _programs(probe, trial, seed)
    elif probe.dimensions is not None:
        yield {dimension.name: probe.dimensions for dimension in trial.challenge.spec.dimensions}
    elif probe.own == "workspace":
        shown = sorted(trial.made[seed].files.items())[:_SHOWN_FILES]
        yield from (
            _filled(_form(trial, seed), content[:_SHOWN_BYTES].decode("utf-8", "replace"))
            for _, content in shown
        )
    elif probe.own == "tenth":
        yield _tenth(_form(trial, seed))
    else:
        yield _filled(_form(trial, seed), _value(probe))


def _value(probe: Probe) -> Any:
    """What the probe puts into every field."""
    if probe.number is not None:
        return float(probe.number)
    if probe.text is not None:
        return probe.text * probe.times
    if probe.item is not None:
        return [probe.item] * probe.times
    if probe.digits:
        return 10 ** (probe.digits - 1)
    if not probe.depth:
        return probe.fill
    nested: list[Any] = []
    for _ in range(probe.depth):
        nested = [nested]
    return nested


def _form(trial: Trial, seed: int) -> Any:
    """An object with every field that may be read: that of the answer which wins, else those that the spec names."""
    answer = trial.answer(seed)
    if isinstance(answer, Mapping):
        return answer
    truth = trial.made[seed].truth
    named = {str(d.field): None for d in trial.challenge.spec.dimensions if d.field}
    return named or (dict(truth) if isinstance(truth, Mapping) else {})


def _filled(form: Any, value: Any) -> Any:
    if isinstance(form, Mapping) and form:
        return {name: _filled(inner, value) for name, inner in form.items()}
    return value


def _tenth(form: Any) -> Any:
    """The form with the first tenth of every text and list, rounded down, and without what cannot be divided."""
    if isinstance(form, Mapping):
        return {
            name: _tenth(inner)
            for name, inner in form.items()
            if isinstance(inner, (Mapping, str, list))
        }
    return form[: len(form) // 10]


def _programs(probe: Probe, trial: Trial, seed: int) -> Iterator[Any]:
    """The program in each field that is run; nothing where none is."""
    read = [d for d in trial.challenge.spec.dimensions if d.reads == "program"]
    if not read:
        return
    task = read[0].params.get("task") or find(
        trial.made[seed].truth, str(read[0].ground_truth_field)
    )
    entry = str(task.get("entry_point", "main")) if isinstance(task, Mapping) else "main"
    if probe.files is not None:
        given: Any = {name: text.replace("ENTRY", entry) for name, text in probe.files.items()}
    else:
        given = str(probe.program).replace("ENTRY", entry)
    yield {str(d.field): given for d in read}

"""Linting the scripts of a spec: the same points whatever the day, and points for whatever is handed in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from steelyard.errors import EngineError
from steelyard.sandbox.protocol import Sandbox
from steelyard.scoring.rehearsal import circumstances, rehearse
from steelyard.scoring.script import Points, Script, as_json, for_author, run_script
from steelyard.spec.guesses import words, wrong
from steelyard.spec.model import Spec
from steelyard.spec.running import scripts_of

# Which script, what is wrong with it, and how to mend that.
Complaint = tuple[str, str, str]
_SAME = "let nothing but the two files decide: no clock, no randomness, no order of a set, no environment"
_ANY = "let the script give points, 0 if need be, for every submission"


def complaints(spec: Spec, truth: Mapping[str, Any], sandbox: Sandbox) -> Iterator[Complaint]:
    """What is wrong with each script, with the path of the first dimension that it scores."""
    for script in scripts_of(spec):
        place = next(i for i, d in enumerate(spec.dimensions) if d.name == script.names[0])
        for message, fix in _tried(script, truth, sandbox):
            yield f"dimensions[{place}].script", message, fix


def _tried(script: Script, truth: Mapping[str, Any], sandbox: Sandbox) -> Iterator[tuple[str, str]]:
    """The first fault of each kind, over all submissions."""
    told: set[str] = set()
    want = as_json(truth)
    for name, submission in handed_in(truth).items():
        got = as_json(submission)
        if want is None or got is None:
            continue
        message, fix = _fault(script, name, (got, want), sandbox)
        if message and fix not in told:
            told.add(fix)
            yield message, fix


def _fault(
    script: Script, name: str, data: tuple[bytes, bytes], sandbox: Sandbox
) -> tuple[str, str]:
    try:
        runs = [run_script(script, *data, sandbox)]
        runs += [rehearse(script, *data, sandbox, under) for under in circumstances()]
    except EngineError as failed:
        return (
            f"a submission with {name} leaves everybody without a score: {for_author(failed)}",
            _ANY,
        )
    for dimension in script.names:
        found = {_shown(run[dimension]) for run in runs}
        if len(found) > 1:
            said = " or ".join(sorted(found))
            return (
                f"the script is not deterministic: {dimension!r} gets {said} for a submission with {name}",
                _SAME,
            )
    return "", ""


def _shown(given: Points) -> str:
    return f"{float(given.points):.12g}"


def handed_in(truth: Mapping[str, Any]) -> dict[str, Any]:
    """Submissions that a script has to cope with, by what is in them."""
    return {
        "the ground truth": dict(truth),
        "wrong values": {name: next(wrong(value, 0)) for name, value in truth.items()},
        "nothing": {},
        "nulls": dict.fromkeys(truth),
        "other types": {
            name: [] if isinstance(value, str) else {"x": [value]} for name, value in truth.items()
        },
        "long texts": dict.fromkeys(truth, words()["fillers"][0] * 100),
    }

"""Linting a spec: is it well formed, can the truth reach full marks, and what can be had for nothing?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from steelyard.errors import SpecError
from steelyard.primitives.values import describe
from steelyard.sandbox.protocol import Sandbox
from steelyard.spec.compared import attempted, users_by_field
from steelyard.spec.core import known_dimensions
from steelyard.spec.field import MISSING
from steelyard.spec.floor import JUDGED, End, ceiling, floor, has_target, propose_gates, reach
from steelyard.spec.guesses import says_nothing, uses
from steelyard.spec.lint_scripts import complaints
from steelyard.spec.load import load_spec
from steelyard.spec.model import ENCODER, Dimension, Spec
from steelyard.spec.probes import Probes, make_probes
from steelyard.spec.result import FULL_MARKS, Result
from steelyard.spec.running import equip, sandbox_for
from steelyard.spec.signature import spec_signature
from steelyard.spec.trial import earned
from steelyard.spec.truths import make_truth, with_own_truth

Level = Literal["error", "warning", "note"]
# Why it is not known what would earn full marks, by what a dimension reads.
_LACKS = {
    "field": "compares with no ground truth",
    "program": "has no 'solution' to try",
    "submission": "is scored by a script",
}
_CUT = "is compared with more truths than can all be tried on each other, so its floor goes by the first ones"
_GIVE = "give a ground truth"


class Finding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that lint has to say, where, and how to mend it."""

    level: Level
    path: str
    message: str
    fix: str = ""


class LintReport(msgspec.Struct, frozen=True, kw_only=True):
    """All findings, the two ends, and the gates that close the hole if there is one.

    ``floor_after`` is the floor that is left with the proposed ``requires``.
    """

    ok: bool
    findings: tuple[Finding, ...] = ()
    floor: End | None = None
    ceiling: End | None = None
    requires: dict[str, dict[str, int]] = {}
    floor_after: End | None = None
    truth_given: bool = False
    signature: str = ""
    exit_code: int = 0


def lint_spec(
    spec: Spec | Mapping[str, Any] | str | Path,
    truth: Any = None,
    *,
    sandbox: Sandbox | None = None,
) -> LintReport:
    """A report on a spec; it never raises for what is wrong with the spec or the truth.

    Without a truth a plausible one is made up. A spec that runs programs needs a sandbox, as in `evaluate`.

    >>> report = lint_spec({"dimensions": [
    ...     {"name": "correctness", "weight": 0.5, "primitive": "exact_match", "field": "answer"},
    ...     {"name": "speed", "weight": 0.5, "primitive": "time_decay", "time_limit_secs": 60}]})
    >>> report.ok, report.floor.score, str(report.floor.result), report.requires
    (False, 500, 'draw', {'speed': {'correctness': 1}})
    """
    try:
        loaded = load_spec(spec)
        return _lint(loaded, truth, sandbox_for(loaded, sandbox))
    except SpecError as wrong:
        findings = tuple(
            Finding(level="error", path=path, message=said) for path, said in wrong.problems
        )
        return LintReport(
            ok=False, findings=findings, truth_given=truth is not None, exit_code=wrong.exit_code
        )


def _lint(bare: Spec, given: Any, sandbox: Sandbox | None) -> LintReport:
    spec = equip(bare, sandbox)
    findings = list(_notes(spec))
    tried, given = (with_own_truth(spec), spec.perfect) if spec.perfect else (spec, given)
    made = given is None
    truth, lost = make_truth(spec) if made else (given, [])
    if lost:
        return _report(spec, [*findings, *_lost(lost)], given)
    if sandbox is not None and isinstance(truth, Mapping):
        findings += [
            Finding(level="error", path=path, message=message, fix=fix)
            for path, message, fix in complaints(spec, truth, sandbox)
        ]
    high, reasons = ceiling(tried, truth)
    short = list(_below_full(tried, high, reasons, made=made))
    findings += short
    findings += _silent(tried, truth)
    probes = make_probes(tried, truth)
    low = floor(tried, truth, probes)
    if low.result == Result.LOSS:
        gates, left = dict[str, dict[str, int]](), None
        findings += _cheap(tried, truth, probes)
    else:
        gates, left = propose_gates(spec, truth, low, probes)
    findings += [
        Finding(level="note", path="dimensions", message=f"{field!r} {_CUT}")
        for field in probes.cut
    ]
    findings += _floor_findings(low, gates, left)
    known = None if any(finding.fix == _GIVE for finding in short) else high
    return _report(
        spec, findings, given, floor=low, ceiling=known, requires=gates, floor_after=left
    )


def _report(spec: Spec, findings: list[Finding], given: Any, **ends: Any) -> LintReport:
    ok = not any(finding.level == "error" for finding in findings)
    return LintReport(
        ok=ok,
        findings=tuple(findings),
        truth_given=given is not None,
        signature=spec_signature(spec),
        exit_code=0 if ok else 1,
        **ends,
    )


def _notes(spec: Spec) -> Iterator[Finding]:
    known, ids = known_dimensions(), attempted(spec)
    for i, dimension in enumerate(spec.dimensions):
        path = f"dimensions[{i}]"
        if dimension.name not in known and not spec.perfect:
            yield Finding(
                level="note",
                path=f"{path}.name",
                message=f"{dimension.name!r} is not one of the core dimensions",
            )
        if dimension.params.get("method") == "intersection" and dimension.uses == "set_overlap":
            yield Finding(
                level="note",
                path=f"{path}.method",
                fix="use 'jaccard' where guesses are cheap",
                message="'intersection' does not punish extra items, so naming everything pays",
            )
        if uses(dimension, "coverage_ratio") and dimension.ground_truth_field in ids:
            yield Finding(
                level="note",
                path=path,
                fix="let it require a dimension that compares answers",
                message="coverage counts what was attempted, right or wrong",
            )
        for name, points in dimension.requires.items():
            if points == 0:
                yield Finding(
                    level="warning",
                    path=f"{path}.requires.{name}",
                    fix="require at least 1",
                    message="a gate at 0 points is always open",
                )


def _lost(names: list[str]) -> Iterator[Finding]:
    for name in names:
        yield Finding(
            level="warning",
            path="",
            fix=_GIVE,
            message=f"no ground truth could be made up for {name!r}, so the two ends are not known",
        )


def _below_full(
    spec: Spec, high: End, reasons: Mapping[str, str], *, made: bool
) -> Iterator[Finding]:
    """Where the ground truth itself does not earn full marks; one that lint has made up proves nothing by that."""
    for i, dimension in enumerate(spec.dimensions):
        path, name, reason = f"dimensions[{i}]", dimension.name, reasons[dimension.name]
        short = dimension.reads != "trajectory" and high.dimensions[name] < FULL_MARKS
        if reason == JUDGED:
            yield Finding(
                level="note",
                path=path,
                message=f"a judge scores {name!r}: the ceiling takes full marks for "
                "granted, and the floor none",
            )
        elif name not in high.unscored and not has_target(spec, dimension):
            yield Finding(
                level="note",
                path=path,
                message=f"{name!r} {_LACKS[dimension.reads]}, so the ceiling takes a "
                "submission that fits for granted",
            )
        elif made and dimension.reads != "program" and (short or name in high.unscored):
            yield Finding(
                level="note",
                path=path,
                fix=_GIVE,
                message="no ground truth could be made up that earns full marks "
                f"in {name!r}, so the ceiling is not known: {reason}",
            )
        elif name in high.unscored:
            yield Finding(
                level="error",
                path=path,
                message=f"the {_truth_of(dimension)} itself gets no score in {name!r}: {reason}",
            )
        elif short:
            yield Finding(
                level="error",
                path=path,
                message=f"the {_truth_of(dimension)} itself earns "
                f"{high.dimensions[name]} of {FULL_MARKS} in {name!r}: {reason}",
            )


def _truth_of(dimension: Dimension) -> str:
    """What should earn full marks in a dimension."""
    return "solution" if dimension.reads == "program" else "ground truth"


def _silent(spec: Spec, truth: Mapping[str, Any]) -> Iterator[Finding]:
    """Where the truth is nothing and that is what earns points; it may be meant, so of itself it is no error."""
    told: set[str] = set()
    for users in users_by_field(spec, truth).values():
        for user in users:
            field, value = user.dimension.ground_truth_field, user.want
            if (
                user.dimension.reads != "field"
                or value is MISSING
                or not says_nothing(value)
                or field in told
            ):
                continue
            if field and any(earned([user], value)):
                told.add(field)
                yield Finding(
                    level="warning",
                    path=f"ground_truth.{field}",
                    fix="ask for something that has to be said",
                    message=f"the ground truth is {describe(value)}, which says nothing: a submission that says "
                    "nothing is right",
                )


def _cheap(spec: Spec, truth: Mapping[str, Any], probes: Probes) -> Iterator[Finding]:
    """What a guess without thought reaches; it holds right content, so it is no error."""
    said = (
        (probes.constant, "a constant guess", "let less depend on answers that are often the same"),
        (
            [probes.named],
            "naming everything that could be found",
            "use 'jaccard', or let it require a dimension that compares answers",
        ),
    )
    for submissions, name, fix in said:
        end = max(
            (reach(spec, truth, submission, name) for submission in submissions),
            key=lambda end: end.score,
        )
        if end.result != Result.LOSS:
            yield Finding(
                level="warning",
                path="dimensions",
                fix=fix,
                message=f"{name} reaches {end.score}, a {end.result}: {_earning(end)}",
            )


def _earning(end: End) -> str:
    return ", ".join(f"{name} {points:g}" for name, points in end.dimensions.items() if points > 0)


def _floor_findings(
    low: End, gates: Mapping[str, Mapping[str, int]], left: End | None
) -> Iterator[Finding]:
    said = (
        f"a submission without right content ({low.submission}) reaches {low.score}, a {low.result}: "
        f"{_earning(low)}"
    )
    if low.result == Result.LOSS:
        if low.score > 0:
            yield Finding(level="note", path="dimensions", message=said)
        return
    if left is None:
        fix = (
            "no gate closes this: give more weight to dimensions that compare answers, and strictly"
        )
    else:
        lines = [
            f'"{name}" needs "requires": {ENCODER.encode(gate).decode()}'
            for name, gate in gates.items()
        ]
        fix = f"{'; '.join(lines)}; then the floor is {left.score}, a {left.result}"
    yield Finding(level="error", path="dimensions", message=said, fix=fix)

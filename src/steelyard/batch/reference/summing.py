"""From the scores of problems to the summary of the run."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import msgspec

from steelyard.batch.reference.plan import FolderPlan
from steelyard.batch.reference.record import ProblemScore
from steelyard.batch.reference.summary import Line, ReferenceSummary, numbers
from steelyard.batch.reference.work import Job
from steelyard.version import __version__


def make_summary(
    plan: FolderPlan, records: Mapping[str, ProblemScore], *, reused: int, interrupted: bool
) -> ReferenceSummary:
    """The summary over all problems of a plan; those that were not reached have no score."""
    looked_at = [records.get(job.id) or _not_reached(job, plan) for job in plan.jobs]
    return ReferenceSummary(
        **numbers(looked_at),
        reused=reused,
        interrupted=interrupted,
        settings=dict(plan.settings),
        engine=__version__,
        signature=_signature(looked_at),
        reference_faults=tuple(fault for record in looked_at for fault in record.reference_faults),
        warnings=plan.warnings,
        problems=tuple(_line(record) for record in looked_at),
    )


def _not_reached(job: Job, plan: FolderPlan) -> ProblemScore:
    return ProblemScore(
        id=job.id,
        state="read" if job.solution else "missing",
        value=None,
        answer=None,
        explanation=None,
        explanation_weight=0.0,
        signature=plan.signature(job),
        reason="the run was interrupted before this problem",
    )


def _line(record: ProblemScore) -> Line:
    return Line(
        id=record.id,
        state="skipped" if record.skipped else record.state,
        value=record.value,
        answer=record.answer,
        explanation=record.explanation,
        reason=record.reason,
    )


def _signature(records: Sequence[ProblemScore]) -> str:
    """One hash over the signatures of all problems, in order."""
    whole = msgspec.json.encode(
        [(record.id, record.signature) for record in records], order="deterministic"
    )
    digest = hashlib.sha256(whole).hexdigest()
    return f"steelyard:{__version__}|problems:{len(records)}|scores:{digest[:16]}"

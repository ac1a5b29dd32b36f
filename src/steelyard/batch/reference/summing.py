"""From the scores of problems to the summary of the run."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

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
    return summary_of(
        looked_at, settings=plan.settings, warnings=plan.warnings, reused=reused, interrupted=interrupted
    )


def summary_of(
    records: Sequence[ProblemScore], *, settings: Mapping[str, object], warnings: Sequence[str] = (),
    reused: int = 0, interrupted: bool = False,
) -> ReferenceSummary:  # fmt: skip
    """The summary of these scores."""
    return ReferenceSummary(
        **numbers(records),
        reused=reused,
        interrupted=interrupted,
        settings=dict(settings),
        engine=__version__,
        signature=_signature(records),
        reference_faults=tuple(fault for record in records for fault in record.reference_faults),
        warnings=tuple(warnings),
        problems=tuple(_line(record) for record in records),
    )


def _not_reached(job: Job, plan: FolderPlan) -> ProblemScore:
    return ProblemScore(id=job.id, state="read" if job.solution else "missing", value=None, answer=None,
                        explanation=None, explanation_weight=0.0, signature=plan.signature(job),
                        reason="the run was interrupted before this problem")  # fmt: skip


def _line(record: ProblemScore) -> Line:
    return Line(id=record.id, state="skipped" if record.skipped else record.state, value=record.value,
                answer=record.answer, explanation=record.explanation, reason=record.reason)  # fmt: skip


def _signature(records: Sequence[ProblemScore]) -> str:
    """One hash over the signatures of all problems, in order."""
    content = "".join(f"{record.id}\t{record.signature}\n" for record in records)
    digest = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
    return f"steelyard:{__version__}|problems:{len(records)}|scores:{digest[:16]}"

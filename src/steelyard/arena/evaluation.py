"""From a submission to a settlement: the spec's score, and everything that the agent is told."""

from __future__ import annotations

from typing import Any

from steelyard.arena.agents import Agent
from steelyard.arena.challenge import Challenge
from steelyard.arena.match import Match
from steelyard.arena.payload import Payload
from steelyard.arena.settling import Settlement
from steelyard.arena.trajectory import Trajectory
from steelyard.errors import EngineError, SpecError
from steelyard.sandbox.protocol import Sandbox
from steelyard.spec.evaluation import Evaluation
from steelyard.spec.evaluator import evaluate


def evaluate_submission(
    challenge: Challenge,
    match: Match,
    agent: Agent,
    *,
    truth: Any,
    payload: Payload,
    trajectory: Trajectory,
    at: int,
    sandbox: Sandbox | None = None,
) -> Settlement:
    """How the match comes out. Where the evaluator failed there is an EngineError: never a score, never a zero."""
    try:
        found = evaluate(
            challenge.spec,
            payload.answer,
            truth,
            sandbox=sandbox,
            time_used=match.seconds_used(at),
            trajectory=trajectory.steps,
            verified=trajectory.valid,
            constraints=challenge.constraints,
        )
    except SpecError as wrong:
        raise EngineError(f"the challenge cannot score this match: {wrong}") from wrong
    if found.score is None or found.result is None:
        raise EngineError(f"the evaluator failed: {found.total.reason}")
    return Settlement(
        score=found.score,
        result=str(found.result),
        scorer=found.signature,
        verified=trajectory.valid,
        opponent=challenge.opponent,
        category=challenge.about.category,
        outcome=_outcome(challenge, match, agent, payload, trajectory, found),
    )


def forfeited(challenge: Challenge, match: Match, why: str) -> Settlement:
    """The settlement of a match that nothing was submitted to."""
    told = {
        "match_id": match.id,
        "score": 0,
        "result": "loss",
        "score_breakdown": {},
        "reasons": {"match": why},
        "verified": False,
        "trajectory_validation": None,
        "submission_warnings": [],
        "constraint_violations": [],
        "harness_warning": None,
    }
    return Settlement(
        score=0,
        result="loss",
        scorer=match.scorer,
        verified=False,
        opponent=challenge.opponent,
        category=challenge.about.category,
        outcome=told,
    )


def _outcome(
    challenge: Challenge,
    match: Match,
    agent: Agent,
    payload: Payload,
    trajectory: Trajectory,
    found: Evaluation,
) -> dict[str, Any]:
    shown = challenge.about.disclosure
    return {
        "match_id": match.id,
        "score": found.score,
        "result": str(found.result),
        "score_breakdown": found.score_breakdown if shown != "score" else {},
        "reasons": found.reasons if shown == "full" else {},
        "verified": trajectory.valid,
        "trajectory_validation": trajectory.told(),
        "submission_warnings": found.submission_warnings,
        "constraint_violations": found.constraint_violations,
        "harness_warning": _harness_warning(payload, agent) or found.harness_warning,
        "challenge": {"slug": match.slug, "version": match.version, "scorer": found.signature},
        "sandbox": found.sandbox,
    }


def _harness_warning(payload: Payload, agent: Agent) -> str | None:
    named = payload.metadata.harness_id
    if named is None or not agent.harness or named == agent.harness:
        return None
    return f"the submission names the harness {named!r}; the agent registered {agent.harness!r}"

"""A match: while it goes on, and how it came out.

A page has no key, so everybody may read what stands on it. The points of a finished match are public as far as its
challenge discloses them; reasons may quote the ground truth, and are left out where the next match would have the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from litestar import Request, Response, get
from litestar.params import FromPath
from sqlalchemy import Connection

from steelyard.arena import library
from steelyard.arena.agents import Agent, find_agent
from steelyard.arena.challenge import TRUTH, Challenge
from steelyard.arena.entering import sightings
from steelyard.arena.match import RATED, SECOND, Match, State
from steelyard.arena.memory import withheld
from steelyard.arena.service import stored_outcome
from steelyard.arena.settling import find_match
from steelyard.errors import RuleError
from steelyard.web.access import arena_of
from steelyard.web.pages.breakdown import dimensions, score_bar
from steelyard.web.pages.rendering import page
from steelyard.web.pages.words import clock

# What the agent was told of a match, before it is told anything.
_NOTHING: Final[Mapping[str, Any]] = {
    "score_breakdown": {},
    "reasons": {},
    "submission_warnings": [],
    "constraint_violations": [],
    "harness_warning": None,
    "trajectory_validation": None,
    "elo_before": None,
    "elo_after": None,
    "elo_change": None,
}


class Live(msgspec.Struct, frozen=True, kw_only=True):
    """Where a match stands; when ``tag`` changes, the page shows something else."""

    state: str
    seconds_left: float
    tag: str


class _Found(msgspec.Struct, frozen=True, kw_only=True):
    match: Match
    agent: Agent
    challenge: Challenge
    seen: list[tuple[str, int]]
    told: dict[str, Any]
    withheld: bool


@get("/matches/{match_id:str}", include_in_schema=False)
async def match_page(request: Request[Any, Any, Any], match_id: FromPath[str]) -> Response[str]:
    """One match."""
    arena = arena_of(request)
    found = await arena.database.read(lambda connection: _look(connection, match_id))
    match, told = found.match, found.told
    shown = dimensions(found.challenge.spec.dimensions, told)
    live = _live(match, len(found.seen), arena.clock())
    rated = match.state in RATED and match.score is not None
    return page(
        "match.html",
        here="",
        match=match,
        agent=found.agent,
        challenge=found.challenge,
        about=found.challenge.about,
        seen=_seen(found),
        told=told,
        dimensions=shown,
        reasons=_reasons_told(found),
        live=live,
        clock=clock(live.seconds_left),
        used=match.seconds_used(match.submitted_at) if match.submitted_at is not None else None,
        bar=score_bar(shown, match.score) if rated and match.score is not None else None,
        rated=rated,
        withheld=found.withheld,
    )


@get("/matches/{match_id:str}/live", include_in_schema=False)
async def match_live(request: Request[Any, Any, Any], match_id: FromPath[str]) -> Response[Live]:
    """What the page of a match that goes on asks for again and again."""
    arena = arena_of(request)

    def look(connection: Connection) -> tuple[Match, int]:
        return _match(connection, match_id), len(sightings(connection, match_id))

    match, seen = await arena.database.read(look)
    return Response(_live(match, seen, arena.clock()), headers={"Cache-Control": "no-store"})


def _match(connection: Connection, match_id: str) -> Match:
    match = find_match(connection, match_id)
    if match is None:
        raise RuleError("there is no such match", status=404)
    return match


def _look(connection: Connection, match_id: str) -> _Found:
    match = _match(connection, match_id)
    challenge = library.version(connection, match.slug, match.version)
    back = withheld(connection, match)
    told = {
        **_NOTHING,
        **(stored_outcome(connection, match_id) if match.state in RATED and not back else {}),
    }
    if _same_for_all(challenge) and match.state == State.COMPLETED:
        told = {**told, "reasons": {}}
    return _Found(
        withheld=back,
        match=match,
        agent=find_agent(connection, match.agent_id),
        challenge=challenge,
        told=told,
        seen=sightings(connection, match_id),
    )


def _same_for_all(challenge: Challenge) -> bool:
    return challenge.about.static or TRUTH in challenge.files


def _reasons_told(found: _Found) -> str:
    """Why reasons are missing, where they are."""
    if found.challenge.about.disclosure != "full":
        return "This challenge does not tell its reasons."
    if _same_for_all(found.challenge):
        return "The answer to this challenge is the same in every match, so its reasons are told to the agent alone."
    return ""


def _seen(found: _Found) -> dict[str, Any]:
    """What the server saw of the match."""
    downloads = [at for kind, at in found.seen if kind == "download"]
    signs = [at for kind, at in found.seen if kind == "heartbeat"]
    begun = found.match.entered_at
    return {
        "downloads": len(downloads),
        "first": (downloads[0] - begun) / SECOND if downloads else None,
        "signs": len(signs),
        "last": signs[-1] if signs else None,
    }


def _live(match: Match, seen: int, now: int) -> Live:
    left = max(0, match.deadline - now) / SECOND if match.state == State.ACTIVE else 0.0
    shown = f"{match.state} {seen} {match.finished_at} {match.submitted_at}"
    return Live(
        state=match.state.value,
        seconds_left=round(left, 3),
        tag=hashlib.sha256(shown.encode()).hexdigest()[:16],
    )

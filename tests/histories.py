"""Matches that were played to a given end, through the functions that settle real ones."""

from __future__ import annotations

import secrets
from typing import Any

from sqlalchemy import Connection

from steelyard.arena import agents
from steelyard.arena.agents import Agent
from steelyard.arena.challenge import Challenge
from steelyard.arena.entering import enter
from steelyard.arena.evaluation import forfeited
from steelyard.arena.match import State
from steelyard.arena.settling import Settlement, Submission, accept, forfeit, settle
from steelyard.spec.result import score_to_result


def join(connection: Connection, name: str, *, now: int = 0) -> Agent:
    """A new agent."""
    return agents.register(connection, name, "a model", "a harness", key=agents.new_key(), now=now)


def play(
    connection: Connection,
    agent: Agent,
    challenge: Challenge,
    score: int | None,
    *,
    now: int,
    verified: bool = False,
    memoryless: bool = False,
) -> str:
    """A match that ended with this score, or, for None, that was given up; its name."""
    match = enter(
        connection,
        agent,
        challenge,
        memoryless=memoryless,
        seed=secrets.randbelow(2**53),
        truth={},
        now=now,
    )
    if score is None:
        made = forfeited(challenge, match, "given up")
        assert forfeit(connection, match, made, state=State.ABANDONED, now=now + 1) is not None
        return match.id
    result = str(score_to_result(score))
    told: dict[str, Any] = {
        "match_id": match.id,
        "score": score,
        "result": result,
        "verified": verified,
    }
    made = Settlement(
        score=score,
        result=result,
        scorer=challenge.scorer,
        verified=verified,
        opponent=challenge.opponent,
        category=challenge.about.category,
        outcome=told,
    )
    body = b'{"answer": 1}'
    assert accept(connection, match, Submission(body=body, digest="-", at=now))
    assert settle(connection, match, made, holder=None, now=now + 1) is not None
    return match.id


def varied(challenge: Challenge, slug: str, **about: Any) -> Challenge:
    """The challenge under another name, with other lines in its challenge.toml."""
    import msgspec

    lines = {"slug": slug, **about}
    toml = challenge.files["challenge.toml"].decode().splitlines()
    kept = [line for line in toml if line.partition(" ")[0] not in lines]
    kept += [
        f"{name} = {str(value).lower() if isinstance(value, bool) else repr(value)}"
        for name, value in lines.items()
    ]
    files = {**challenge.files, "challenge.toml": "\n".join(kept).encode() + b"\n"}
    return msgspec.structs.replace(
        challenge, about=msgspec.structs.replace(challenge.about, **lines), files=files
    )

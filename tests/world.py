"""A season of the bundled challenges, played by agents of different skill: what the pages are looked at with."""

from __future__ import annotations

import asyncio
import json
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from steelyard.arena.agents import Agent
from steelyard.arena.challenge import Challenge
from steelyard.arena.generation import generate
from steelyard.arena.match import Match
from steelyard.arena.publish import bundled, publish
from steelyard.arena.service import Arena
from steelyard.store.database import open_database
from steelyard.store.migrate import migrate

HOSTILE = "<img src=x onerror=alert(1)>"
_SECOND = 1_000_000
_LEDGER, _POSTS = "ferry-ledger", "lantern-posts"


class Player(NamedTuple):
    """Who plays: how often it is right, how fast, and how it goes about it."""

    name: str
    model: str
    harness: str
    skill: float
    pace: float  # the share of the time limit that it takes
    matches: int
    logs: bool = False
    memoryless: bool = False


PLAYERS = (
    Player("Marigold", "quill-4-large", "tidewater", 0.94, 0.18, 14, logs=True, memoryless=True),
    Player("Old Hand", "abacus-70b", "plain loop", 0.82, 0.35, 22, logs=True),
    Player("Heron", "quill-4-small", "tidewater", 0.72, 0.1, 12, memoryless=True),
    Player("Ferryman", "abacus-7b", "plain loop", 0.5, 0.5, 18),
    Player("Second Draft", "quill-3", "reviser", 0.62, 0.8, 9, logs=True),
    Player("Null", "none", "returns nothing", 0.0, 0.01, 10),
    Player("Ясень", "abacus-7b", "", 0.45, 0.6, 3, logs=True),
)
NASTY = Player(HOSTILE, "</script><b>bold</b>", '"><script>alert(2)</script>', 0.35, 0.4, 6)


class World(NamedTuple):
    """Where everything is: names of matches by what they show, agents by name."""

    matches: dict[str, str]
    agents: dict[str, str]
    keys: dict[str, str]


class _Clock:
    """Moves on with the season; it begins twelve days before it ends."""

    def __init__(self, end: int) -> None:
        self.now = end - 12 * 86_400 * _SECOND

    def __call__(self) -> int:
        return self.now


def make_world(store: str, *, end: int, hostile: bool = True) -> World:
    """Play the season into an empty store; the last match goes on at `end`."""
    database = open_database(store)
    try:
        migrate(database)
        clock = _Clock(end)
        made = [
            publish(database, folder, now=clock(), gates=False).challenge for folder in bundled()
        ]
        season = _Season(
            Arena(database, clock=clock),
            clock,
            {one.slug: one for one in made if one.slug in {_LEDGER, _POSTS}},
        )
        playing = season.play((*PLAYERS, NASTY) if hostile else PLAYERS, end)
        with ThreadPoolExecutor(
            1
        ) as apart:  # where a browser is driven, its event loop has this thread
            return apart.submit(asyncio.run, playing).result()
    finally:
        database.close()


class _Season:
    def __init__(self, arena: Arena, clock: _Clock, challenges: dict[str, Challenge]) -> None:
        self.arena, self.clock, self.challenges = arena, clock, challenges
        self.dice = random.Random(11)
        self.found: dict[str, str] = {}

    async def play(self, players: tuple[Player, ...], end: int) -> World:
        agents: dict[str, Agent] = {}
        keys: dict[str, str] = {}
        for player in players:
            agents[player.name], keys[player.name] = await self.arena.register(
                player.name, player.model, player.harness
            )
        turns = [player for player in players for _ in range(player.matches)]
        self.dice.shuffle(turns)
        step = (end - self.clock.now) // (len(turns) + 1)
        for number, player in enumerate(turns):
            self.clock.now = end - (len(turns) - number) * step
            await self._match(player, agents[player.name])
        self.clock.now = end
        going = await self.arena.enter(agents["Heron"], _LEDGER, memoryless=True)
        await self.arena.workspace(agents["Heron"], going.id)
        self.found["active"] = going.id
        return World(self.found, {name: agent.id for name, agent in agents.items()}, keys)

    async def _match(self, player: Player, agent: Agent) -> None:
        match = await self.arena.enter(
            agent, self.dice.choice(sorted(self.challenges)), memoryless=player.memoryless
        )
        limit = (match.deadline - match.entered_at) / _SECOND
        self.clock.now += round(0.02 * limit * _SECOND)
        await self.arena.workspace(agent, match.id)
        self.clock.now += round(
            min(0.9, player.pace * self.dice.uniform(0.6, 1.4)) * limit * _SECOND
        )
        if self.dice.random() > 0.93:
            await self.arena.abandon(agent, match.id)
            self.found["abandoned"] = match.id
            return
        told = await self.arena.submit(agent, match.id, await self._body(player, match))
        assert told["state"] == "completed", told
        self.found[f"{match.slug} {told['result']}"] = match.id

    async def _body(self, player: Player, match: Match) -> bytes:
        made = generate(self.challenges[match.slug], match.seed)
        if match.slug == _LEDGER:
            answer = _ledger(made.truth, player.skill, self.dice)
        else:
            answer = _posts(made.answer["lanterns"], player.skill, self.dice)
        metadata: dict[str, Any] = {"harness_id": player.harness or None}
        if player.logs:
            metadata["replay_log"] = [
                {
                    "type": "llm_call",
                    "model": player.model,
                    "input_tokens": 1800,
                    "output_tokens": 240,
                    "at_ms": 9000 + 50 * i,
                }
                for i in range(4)
            ]
        return json.dumps({"answer": answer, "metadata": metadata}).encode()


def _ledger(truth: Any, skill: float, dice: random.Random) -> dict[str, Any]:
    """Each part of the answer is right as often as the agent is good."""
    if not skill:
        return {"total": 0, "altered": [], "clerk": ""}
    altered = [one for one in truth["altered"] if dice.random() < skill + 0.1]
    altered += ["E081"] if dice.random() > skill else []
    return {
        "total": truth["total"] if dice.random() < skill else truth["total"] + 180,
        "altered": altered,
        "clerk": truth["clerk"] if dice.random() < skill else "Nobody",
    }


def _posts(best: list[str], skill: float, dice: random.Random) -> dict[str, list[str]]:
    """The plan, or one with posts too many, or with some missing."""
    if dice.random() < skill - 0.15:
        return {"lanterns": best}
    more = [name for name in (f"S{number:02}" for number in range(1, 60)) if name not in best]
    return {
        "lanterns": [*best, *more[: dice.randrange(1, 4)]]
        if dice.random() < skill
        else best[: len(best) // 2]
    }


__all__ = ["HOSTILE", "PLAYERS", "World", "make_world"]

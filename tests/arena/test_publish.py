"""Publishing: what is on offer has passed the gates, and a version stays what it was."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from arenas import Clock
from challenges import write_challenge
from commands import Commands
from steelyard.arena import library
from steelyard.arena.challenge import load_challenge
from steelyard.arena.publish import publish
from steelyard.arena.service import Arena
from steelyard.errors import DataError, SpecError
from steelyard.store.database import Database
from steelyard.store.schema import CHALLENGES, MATCHES

# With the weights the other way round, what is right in `total` alone comes to a loss instead of a draw.
SPEC = """{"type": "deterministic", "dimensions": [
  {"name": "correctness", "weight": 0.2, "primitive": "exact_match", "field": "total"},
  {"name": "completeness", "weight": 0.8, "primitive": "exact_match", "field": "largest"}]}"""
HARDER = {
    "about": {"version": 2},
    "files": {"spec.json": SPEC},
    "without": ["examples/draw/total.json"],
}


def rows(database: Database) -> list[tuple[Any, ...]]:
    columns = (CHALLENGES.c.slug, CHALLENGES.c.version, CHALLENGES.c.digest, CHALLENGES.c.scorer)
    return database.read_now(
        lambda c: [tuple(row) for row in c.execute(select(*columns).order_by(columns[1]))]
    )


def test_what_passes_is_on_offer_and_stays(database: Database, tmp_path: Path) -> None:
    folder = write_challenge(tmp_path / "adding")
    first = publish(database, folder, now=1)
    assert first.new
    assert first.report is not None
    assert first.report.ok
    again = publish(database, folder, now=2)
    assert (again.new, again.report) == (False, None)  # it was tried before
    assert rows(database) == [("adding", 1, first.challenge.digest, first.challenge.scorer)]
    assert [one.slug for one in database.read_now(library.on_offer)] == ["adding"]


def test_what_a_gate_refuses_is_not_stored(database: Database, tmp_path: Path) -> None:
    folder = write_challenge(tmp_path / "adding", {"without": ["examples/win/both.json"]})
    with pytest.raises(SpecError, match="examples/win: is missing"):
        publish(database, folder, now=1)
    assert rows(database) == []


@pytest.mark.parametrize(
    ("case", "says"),
    [
        (
            {"files": {"CHALLENGE.md": "Add, please."}},
            "version 1 is published with another content",
        ),
        (
            {"files": {"examples/win/more.json": "{}"}},
            "version 1 is published with another content",
        ),
        ({"about": {"description": "Add them."}}, "version 1 is published with another content"),
    ],
)
def test_the_same_version_with_other_content_is_refused(
    case: dict[str, Any], says: str, database: Database, tmp_path: Path
) -> None:
    publish(database, write_challenge(tmp_path / "one"), now=1)
    before = rows(database)
    with pytest.raises(DataError, match=says):
        publish(database, write_challenge(tmp_path / "two", case), now=2)
    assert rows(database) == before


def test_an_older_version_is_refused(database: Database, tmp_path: Path) -> None:
    publish(database, write_challenge(tmp_path / "new", {"about": {"version": 3}}), now=1)
    with pytest.raises(DataError, match="version 3 is published; 2 is older"):
        publish(database, write_challenge(tmp_path / "old", {"about": {"version": 2}}), now=2)


def test_a_new_version_changes_no_old_score(arena: Arena, clock: Clock, tmp_path: Path) -> None:
    """A match is scored by the version that was entered, also when another one is published while it goes on."""

    async def begin(name: str) -> tuple[Any, str, int]:
        agent, _ = await arena.register(name, "", "")
        match = await arena.enter(agent, "adding", memoryless=False)
        made = await arena.workspace(agent, match.id)
        return agent, match.id, sum(map(int, made.files["numbers.txt"].split()))

    async def play() -> list[dict[str, Any]]:
        over, going = await begin("ada"), await begin("bo")
        told = [await submit(*over)]
        new = load_challenge(write_challenge(tmp_path / "harder", HARDER))
        await arena.database.write(lambda connection: library.add(connection, new, now=clock()))
        told += [await submit(*over), await submit(*going), await submit(*await begin("cy"))]
        return told

    async def submit(agent: Any, match: str, total: int) -> dict[str, Any]:
        return await arena.submit(agent, match, json.dumps({"answer": {"total": total}}).encode())

    first, again, going, new = asyncio.run(play())
    assert first == again
    assert [(one["score"], one["result"]) for one in (first, going, new)] == [
        (600, "draw"),
        (600, "draw"),
        (200, "loss"),
    ]
    stored = arena.database.read_now(
        lambda c: c.execute(select(MATCHES.c.id, MATCHES.c.version, MATCHES.c.scorer)).all()
    )
    scorers = {version: scorer for _, version, _, scorer in rows(arena.database)}
    assert len(set(scorers.values())) == 2
    assert sorted(row.version for row in stored) == [1, 1, 2]
    assert all(row.scorer == scorers[row.version] for row in stored)
    for one, version in ((first, 1), (going, 1), (new, 2)):
        assert one["challenge"] == {
            "slug": "adding",
            "version": version,
            "scorer": scorers[version],
        }


def test_a_score_names_the_scorer_that_gave_it(arena: Arena) -> None:
    """The engine may be another one than when the match was entered; what is stored is what scored."""

    async def play() -> dict[str, Any]:
        agent, _ = await arena.register("ada", "", "")
        match = await arena.enter(agent, "adding", memoryless=False)
        older = update(MATCHES).values(scorer="spec:0|steelyard:0")
        await arena.database.write(lambda connection: connection.execute(older))
        return await arena.submit(agent, match.id, b'{"answer": {}}')

    told = asyncio.run(play())
    scorer = arena.database.read_now(lambda c: c.execute(select(MATCHES.c.scorer)).scalar_one())
    assert scorer == told["challenge"]["scorer"] == rows(arena.database)[0][3]


@pytest.mark.slow
def test_the_commands(
    store_url: str, database: Database, steelyard: Commands, tmp_path: Path
) -> None:
    good, other = write_challenge(tmp_path / "good"), write_challenge(tmp_path / "other", HARDER)
    bad = write_challenge(tmp_path / "bad", {"without": ["examples/win/both.json"]})
    ran = steelyard("arena", "publish", good, "--store", store_url, "--dry-run")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "adding version 1 would be published")
    assert rows(database) == []
    ran = steelyard("arena", "publish", bad, "--store", store_url)
    assert ran.code == 1
    assert "error     examples: examples/win: is missing" in ran.out
    ran = steelyard("arena", "publish", good, "--store", store_url)
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "published adding version 1")
    ran = steelyard("arena", "publish", good, "--store", store_url)
    assert (ran.code, ran.out) == (0, "adding version 1 is on offer already\n")
    (good / "CHALLENGE.md").write_text("Something else.")
    for extra in ((), ("--dry-run",)):
        ran = steelyard("arena", "publish", good, "--store", store_url, *extra)
        assert ran.code == 2
        assert (
            "version 1 is published with another content; give this one a higher version" in ran.err
        )
    ran = steelyard("arena", "publish", other, "--store", store_url)
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "published adding version 2")
    assert [row[1] for row in rows(database)] == [1, 2]
    ran = steelyard("arena", "retire", "adding", "--store", store_url)
    assert (ran.code, ran.out) == (0, "retired adding: 2 versions\n")
    assert database.read_now(library.on_offer) == []
    ran = steelyard("arena", "retire", "adding", "--store", store_url)
    assert (ran.code, "there is no challenge 'adding' on offer" in ran.err) == (2, True)
    ran = steelyard("arena", "publish", other, "--store", store_url)
    assert (ran.code, ran.out) == (
        0,
        "published adding version 2\n",
    )  # back on offer, and not tried again


def test_checking_needs_no_store(steelyard: Commands, tmp_path: Path) -> None:
    bad = write_challenge(
        tmp_path / "bad", {"without": ["examples/draw/total.json", "examples/loss/empty.json"]}
    )
    ran = steelyard("arena", "check", bad)
    assert ran.code == 1
    assert ran.out.splitlines()[0] == "adding version 1: 1 error, 1 warning"
    told = json.loads(steelyard("arena", "check", bad, "--json").out)
    assert (told["ok"], [fault["level"] for fault in told["faults"]]) == (
        False,
        ["warning", "error"],
    )
    assert steelyard("arena", "check", tmp_path / "nowhere").code == 2
    ran = steelyard("arena", "publish", bad, "--store", tmp_path / "none.db")
    assert (ran.code, "there is no such file" in ran.err) == (2, True)
    assert not (tmp_path / "none.db").exists()

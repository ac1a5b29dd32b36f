"""``steelyard arena register``, ``me``, ``challenges`` and ``leaderboard``: who one is, what there is to play, who leads."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from steelyard.cli.arena_doors import (
    HERE,
    AsAgent,
    AsJson,
    Option,
    Server,
    anybody,
    client_of,
    show_fields,
    show_json,
    show_table,
)

Name = Annotated[str, typer.Argument(help="The name that others will see.")]
BaseModel = Annotated[str, Option(help="The model that the agent is built on.")]
Harness = Annotated[str, Option(help="The program around the model.")]
ShowKey = Annotated[bool, Option(help="Print the key as well, this once.")]
Category = Annotated[str | None, Option(help="Only matches of this category.")]
Verified = Annotated[bool, Option("--verified", help="Only matches with a log that holds.")]
Memoryless = Annotated[bool, Option("--memoryless", help="Only matches that were entered so.")]
First = Annotated[bool, Option("--first-attempt", help="Only first attempts.")]
Limit = Annotated[int, Option(min=1, max=200, help="How many to show.")]


def register_agent(
    name: Name,
    server: Server = HERE,
    base_model: BaseModel = "",
    harness: Harness = "",
    show_key: ShowKey = False,
    as_json: AsJson = False,
) -> None:
    """Register an agent. Its key is kept in your configuration directory, where nobody else can read it."""
    from steelyard.arena.credentials import Credential, changed_keyring, credentials_file

    client = anybody(server)
    with changed_keyring() as ring:
        told = client.register(name, base_model=base_model, harness=harness)
        ring.add(
            client.base_url,
            told["name"],
            Credential(agent_id=told["agent_id"], api_key=told["api_key"]),
        )
    shown = {key: value for key, value in told.items() if show_key or key != "api_key"}
    if as_json:
        show_json(shown)
    else:
        show_fields(
            {
                "agent": told["name"],
                "id": told["agent_id"],
                "key": shown.get("api_key"),
                "key kept in": credentials_file(),
            }
        )


def me(server: Server = HERE, agent: AsAgent = None, as_json: AsJson = False) -> None:
    """Show your agent: its ratings and its record."""
    told = client_of(server, agent).me()
    if as_json:
        show_json(told)
        return
    shares = ", ".join(f"{name} {elo}" for name, elo in told["categories"].items())
    show_fields(
        {
            "agent": told["name"],
            "id": told["agent_id"],
            "model": told["base_model"] or None,
            "harness": told["harness"] or None,
            "rating": told["elo"],
            "by category": shares or None,
            "matches": told["match_count"],
            "wins, draws, losses": record(told),
        }
    )


def rotate_key(server: Server = HERE, agent: AsAgent = None) -> None:
    """Get another key for your agent, and keep it in place of the former one, which opens nothing from now on."""
    from steelyard.arena.client import ArenaClient
    from steelyard.arena.credentials import Credential, changed_keyring
    from steelyard.arena.transport import read_address

    with changed_keyring() as ring:
        name, kept = ring.find(read_address(server), agent)
        client = ArenaClient(server, kept.api_key)
        told = client.rotate_key()
        ring.add(
            client.base_url, name, Credential(agent_id=told["agent_id"], api_key=told["api_key"])
        )
    typer.echo(f"{told['name']} has another key")


def challenges(server: Server = HERE, as_json: AsJson = False) -> None:
    """List what can be played."""
    told = anybody(server).challenges()
    if as_json:
        show_json(told)
        return
    columns = (
        ("challenge", False),
        ("category", False),
        ("difficulty", False),
        ("rating", True),
        ("time", True),
        ("what", False),
    )
    rows = [
        (
            one["slug"],
            one["category"],
            one["difficulty"],
            str(one["opponent_elo"]),
            f"{one['time_limit_secs']:,} s",
            one["name"],
        )
        for one in told
    ]
    show_table(columns, rows, "nothing is on offer")


def leaderboard(
    server: Server = HERE,
    category: Category = None,
    verified: Verified = False,
    memoryless: Memoryless = False,
    first_attempt: First = False,
    limit: Limit = 50,
    as_json: AsJson = False,
) -> None:
    """Show who leads, by the lower bound of the ability that the matches show; equal ones share a rank."""
    told = anybody(server).leaderboard(
        category=category,
        verified=verified,
        memoryless=memoryless,
        first_attempt=first_attempt,
        limit=limit,
    )
    if as_json:
        show_json(told)
        return
    columns = (
        ("rank", True),
        ("agent", False),
        ("ability", True),
        ("95% interval", True),
        ("elo", True),
        ("matches", True),
        ("W–D–L", True),
        ("model", False),
    )
    show_table(columns, [_place(one) for one in told["items"]], "nobody has finished a match yet")
    if told["total"] > len(told["items"]):
        typer.echo(f"… and {told['total'] - len(told['items']):,} more")


def _place(one: dict[str, Any]) -> tuple[str, ...]:
    ability = one["ability"]
    return (
        str(one["rank"]),
        one["name"],
        f"{ability['value']:.0f}",
        f"[{ability['lower']:.0f}, {ability['upper']:.0f}]",
        str(one["elo"]),
        str(one["match_count"]),
        record(one),
        one["base_model"],
    )


def record(told: dict[str, Any]) -> str:
    """Wins, draws and losses.

    >>> record({"wins": 2, "draws": 0, "losses": 1})
    '2–0–1'
    """
    return f"{told['wins']}–{told['draws']}–{told['losses']}"


def register(group: typer.Typer) -> None:
    """Add the commands to the group of the arena."""
    group.command("register")(register_agent)
    group.command("rotate-key")(rotate_key)
    for command in (me, challenges, leaderboard):
        group.command(command.__name__)(command)

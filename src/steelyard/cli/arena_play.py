"""``steelyard arena enter``, ``submit`` and ``match``: play a match from the shell."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from steelyard.cli.arena_doors import (
    HERE,
    AsAgent,
    AsJson,
    Option,
    Server,
    client_of,
    coloured,
    show_fields,
    show_json,
    show_table,
)

Slug = Annotated[
    str, typer.Argument(help="The challenge, as `steelyard arena challenges` names it.")
]
MatchId = Annotated[str, typer.Argument(help="The match, as `steelyard arena enter` told it.")]
MaybeMatch = Annotated[
    str | None, typer.Argument(help="The match; without one, your matches are listed.")
]
Answer = Annotated[Path, typer.Argument(help="The answer, a file of JSON; - for standard input.")]
Memoryless = Annotated[
    bool, Option("--memoryless", help="Enter as one who keeps nothing of earlier matches.")
]
Workspace = Annotated[
    Path | None,
    Option(
        help="Where the files go: a folder that is made, or is empty. By default named as the match."
    ),
]
Log = Annotated[
    Path | None, Option("--log", help="The replay log: a file of JSON, an array of steps.")
]
Model = Annotated[str | None, Option(help="The model that was used.")]
Harness = Annotated[str | None, Option(help="The harness that was used.")]
ENDED = frozenset({"completed", "expired", "abandoned"})


def enter(
    challenge: Slug,
    server: Server = HERE,
    agent: AsAgent = None,
    memoryless: Memoryless = False,
    workspace: Workspace = None,
    as_json: AsJson = False,
) -> None:
    """Enter a match and fetch its files. The clock runs from now."""
    from steelyard.arena.client import free_folder

    client = client_of(server, agent)
    if workspace is not None:
        free_folder(workspace)  # a folder that cannot be used is told before the clock runs
    told = client.enter(challenge, memoryless=memoryless)
    folder = client.workspace(told["match_id"], workspace or Path(told["match_id"]))
    if as_json:
        show_json({**told, "folder": str(folder)})
        return
    show_fields(
        {
            "match": told["match_id"],
            "challenge": f"{told['challenge_slug']}, version {told['version']}",
            "attempt": told["attempt_number"],
            "deadline": f"{told['deadline']} ({told['time_limit_secs']:,} s)",
            "sign of life": f"every {told['heartbeat_secs']} s" if told["heartbeat_secs"] else None,
            "files": folder,
        }
    )


def submit(
    match_id: MatchId,
    answer: Answer,
    server: Server = HERE,
    agent: AsAgent = None,
    log: Log = None,
    model: Model = None,
    harness: Harness = None,
    as_json: AsJson = False,
) -> None:
    """Submit an answer, and show the score with its reasons. The same answer again is told the same.

    Exit code: 0 if it was scored, 1 if it is still being evaluated or the evaluation failed.
    """
    client = client_of(server, agent)
    about = {"model_id": model, "harness_id": harness}
    told = client.submit(
        match_id,
        _json(answer),
        replay_log=_log(log),
        **{name: value for name, value in about.items() if value is not None},
    )
    if as_json:
        show_json(told)
    else:
        show_outcome(told)
    raise typer.Exit(0 if told["state"] in ENDED else 1)


def match(
    match_id: MaybeMatch = None,
    server: Server = HERE,
    agent: AsAgent = None,
    as_json: AsJson = False,
) -> None:
    """Show a match, or list your matches."""
    client = client_of(server, agent)
    told = client.match(match_id) if match_id is not None else client.matches()
    if as_json:
        show_json(told)
    elif match_id is None:
        _list(told)
    elif told["outcome"] is not None:
        show_outcome(told["outcome"])
    else:
        show_fields(
            {
                "match": told["match_id"],
                "challenge": told["challenge_slug"],
                "state": told["state"],
                "deadline": told["deadline"],
                "seconds left": f"{told['seconds_left']:,.0f}",
            }
        )


def abandon(
    match_id: MatchId, server: Server = HERE, agent: AsAgent = None, as_json: AsJson = False
) -> None:
    """Give a match up; it is a loss."""
    told = client_of(server, agent).abandon(match_id)
    if as_json:
        show_json(told)
    else:
        show_outcome(told)


def show_outcome(told: dict[str, Any]) -> None:
    """How a match came out: the score, each dimension with its reason, the rating, and what else was found."""
    score = None if told["score"] is None else f"{told['score']} of 1000"
    typer.echo(f"match   {told['match_id']} {told['state']}")
    if score is not None:
        typer.echo(f"score   {score}, {coloured(told['result'] or told['state'])}")
    if told["elo_after"] is not None:
        typer.echo(
            f"rating  {told['elo_before']} → {told['elo_after']} ({told['elo_change']:+d}) against {told['opponent_elo']}"
        )
    if (checked := told["trajectory_validation"]) is not None:
        typer.echo(f"log     {checked['tier']}")
    if told["score_breakdown"]:
        rows = [
            (
                name,
                _points(part["score"]),
                f"{part['weight']:g}",
                _points(part["weighted"]),
                told["reasons"].get(name, "")[:160],
            )
            for name, part in told["score_breakdown"].items()
        ]
        typer.echo()
        show_table(
            (
                ("dimension", False),
                ("score", True),
                ("weight", True),
                ("weighted", True),
                ("why", False),
            ),
            rows,
            "",
        )
    for line in _notes(told):
        typer.echo(line)


def _points(value: float | None) -> str:
    return "–" if value is None else f"{value:.6f}".rstrip("0").rstrip(".")


def _notes(told: dict[str, Any]) -> list[str]:
    from steelyard.cli.excerpt import brief

    checked = told["trajectory_validation"] or {}
    found = [f"match: {told['reasons']['match']}"] if "match" in told["reasons"] else []
    found += [f"failure: {told['failure']}"] if told["failure"] else []
    found += [
        f"log: {wrong}" for wrong in (*checked.get("errors", ()), *checked.get("warnings", ()))
    ]
    found += [
        f"{one['severity']}: {one['field']}: {one['message']}"
        for one in told["submission_warnings"]
    ]
    found += [f"limit: {one['message']}" for one in told["constraint_violations"]]
    found += [f"harness: {told['harness_warning']}"] if told["harness_warning"] else []
    return [brief(line, 300) for line in found]


def _list(told: dict[str, Any]) -> None:
    columns = (
        ("match", False),
        ("challenge", False),
        ("attempt", True),
        ("state", False),
        ("score", True),
        ("result", False),
        ("entered", False),
    )
    rows = [
        (
            one["match_id"],
            one["challenge_slug"],
            str(one["attempt_number"]),
            one["state"],
            "–" if one["score"] is None else str(one["score"]),
            one["result"] or "–",
            one["entered_at"],
        )
        for one in told["items"]
    ]
    show_table(columns, rows, "you have entered no match yet")


def _json(path: Path) -> Any:
    """The value in a file, or on standard input."""
    import json

    from steelyard.cli.common import read_value
    from steelyard.errors import DataError

    try:
        return json.loads(read_value(path, attempt=True)[1])
    except RecursionError as wrong:
        raise DataError(f"not JSON: {wrong}", file=str(path)) from None


def _log(path: Path | None) -> list[Any] | None:
    from steelyard.errors import DataError

    if path is None:
        return None
    found = _json(path)
    if isinstance(found, dict) and isinstance(found.get("steps"), list):
        found = found["steps"]
    if not isinstance(found, list):
        raise DataError("an array of steps is needed", file=str(path))
    return found


def register(group: typer.Typer) -> None:
    """Add the commands to the group of the arena."""
    for command in (enter, submit, match, abandon):
        group.command(command.__name__)(command)

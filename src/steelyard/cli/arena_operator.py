"""``steelyard arena replay``, ``export`` and ``rescore``: what an operator asks of an arena's numbers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from steelyard.cli.arena_store import opened
from steelyard.cli.code_sandbox import Choice, Image, Runtime, Unsafe
from steelyard.cli.code_sandbox import Chosen as Sandboxed
from steelyard.cli.common import encode_json
from steelyard.errors import DataError

if TYPE_CHECKING:
    from steelyard.arena.rescoring import Chosen, Rescored
    from steelyard.sandbox.protocol import Sandbox
    from steelyard.store.database import Database

Option = typer.Option
Store = Annotated[str, Option(help="The arena's store: a file, sqlite:///FILE, or postgresql://….")]
AsJson = Annotated[bool, Option("--json", help="Print the outcome as one JSON object.")]
Out = Annotated[
    Path | None, Option("--out", "-o", help="The file to write; standard output if there is none.")
]
Submissions = Annotated[
    bool, Option("--submissions", help="Also what agents submitted and were told; for you alone.")
]
Truth = Annotated[
    bool, Option("--truth", help="Also the ground truths and the seeds; for you alone.")
]
Slug = Annotated[str | None, Option("--challenge", help="Only matches at this challenge.")]
Names = Annotated[list[str] | None, Option("--match", help="Only this match; may be given again.")]
Failed = Annotated[
    bool, Option("--failed", help="Evaluate what could not be evaluated before, and settle it.")
]


def replay(store: Store = "arena.db", as_json: AsJson = False) -> None:
    """Work every rating out again from the settled matches, and tell what the ledger has otherwise.

    Nothing is changed. Exit code: 0 if all agree, 1 if something differs.
    """
    with opened(store) as database:
        from steelyard.arena.replay import replay as work_out

        found = database.read_now(work_out)
    if as_json:
        typer.echo(
            encode_json(
                {
                    "ok": found.ok,
                    "matches": found.matches,
                    "events": found.events,
                    "ratings": found.ratings,
                    "differences": found.differences,
                }
            )
        )
    else:
        for difference in found.differences:
            typer.echo(str(difference))
        count = len(found.differences)
        told = f"differences: {count}" if count else "all agree"
        typer.echo(
            f"matches: {found.matches}; events: {found.events}; ratings: {found.ratings}; {told}"
        )
    raise typer.Exit(0 if found.ok else 1)


def export(
    store: Store = "arena.db",
    out: Out = None,
    submissions: Submissions = False,
    truth: Truth = False,
) -> None:
    """Write matches, rating events, agents and challenges as lines of JSON: without keys, and without what is not public."""
    with opened(store) as database:
        import asyncio

        from steelyard.arena.export import More
        from steelyard.arena.export import export as lines

        async def write(file: BinaryIO) -> None:
            async for some in lines(database, More(submissions=submissions, truth=truth)):
                file.write(some)

        with _file(out) as file:
            asyncio.run(write(file))


def rescore(
    store: Store = "arena.db",
    challenge: Slug = None,
    match: Names = None,
    failed: Failed = False,
    as_json: AsJson = False,
    *,
    sandbox: Sandboxed = None,
    image: Image = None,
    runtime: Runtime = None,
    unsafe_no_sandbox: Unsafe = False,
) -> None:
    """Evaluate stored submissions again, each by the version that it was played at, and tell what comes out otherwise.

    A score that was given stays. With --failed, matches that could not be evaluated are, and are rated. Exit code: 0 if all
    came out the same, 1 if something differs, 3 if something could not be evaluated.
    """
    choice = Choice(sandbox, image, runtime, unsafe_no_sandbox).checked()
    with opened(store) as database:
        from steelyard.arena.rescoring import Chosen, concerned

        chosen = Chosen(slug=challenge, matches=tuple(match or ()))
        played = database.read_now(lambda connection: concerned(connection, chosen))
        if not played and (challenge or match):
            raise DataError("there is no such match", file=store)
        with _sandbox(choice, needed=any(one.sandboxed for one in played)) as door:
            found = (
                _retried(database, chosen, door) if failed else _rescored(database, chosen, door)
            )
            code = _tell(found, failed=failed, as_json=as_json)
    raise typer.Exit(code)


def _rescored(database: Database, chosen: Chosen, door: Sandbox | None) -> Iterator[Rescored]:
    from steelyard.arena.rescoring import rescore as again

    return again(database, chosen, sandbox=door)


def _retried(database: Database, chosen: Chosen, door: Sandbox | None) -> Iterator[Rescored]:
    import asyncio

    from steelyard.arena.rescoring import retry
    from steelyard.arena.service import Arena

    async def settle() -> list[Rescored]:
        return await retry(Arena(database, sandbox=door), chosen)

    yield from asyncio.run(settle())


def _tell(found: Iterator[Rescored], *, failed: bool, as_json: bool) -> int:
    """Print what came out otherwise, and how much did not; the exit code."""
    kept: list[Rescored] = []
    total = same = unscored = 0
    for one in found:
        total, same, unscored = total + 1, same + one.same, unscored + (one.now is None)
        if failed or not one.same:
            kept.append(one)
            if not as_json:
                typer.echo(_line(one))
    differ = 0 if failed else total - same - unscored
    counts = {"matches": total, "different": differ, "unscored": unscored}
    if as_json:
        typer.echo(encode_json({**counts, "told": kept}))
    elif failed:
        typer.echo(
            f"failed matches: {total}; settled: {total - unscored}; failed again: {unscored}"
        )
    else:
        typer.echo(
            f"matches: {total}; the same: {same}; different: {differ}; not evaluated: {unscored}"
        )
    return 1 if differ else 3 if unscored else 0


def _line(one: Rescored) -> str:
    where = f"{one.match_id} at {one.slug} version {one.version}"
    if one.now is None:
        return f"{where}: not evaluated: {one.failure}"
    if one.then.score is None:
        return f"{where}: {_came(one.now)}"
    scorer = "" if one.now.scorer == one.then.scorer else "; the scorer is another one"
    return f"{where}: {_came(one.then)} then, {_came(one.now)} now{scorer}"


def _came(came: Any) -> str:
    return f"{came.score} points, a {came.result}{', verified' if came.verified else ''}"


@contextmanager
def _sandbox(choice: Choice, *, needed: bool) -> Iterator[Sandbox | None]:
    from steelyard.cli.code_sandbox import opened as sandbox_opened

    if not needed:
        yield None
        return
    with sandbox_opened(choice) as door:
        yield door


@contextmanager
def _file(out: Path | None) -> Iterator[BinaryIO]:
    import sys

    if out is None:
        yield sys.stdout.buffer
        return
    try:
        file = out.open("wb")
    except OSError as failed:
        raise DataError(f"cannot be written: {failed.strerror}", file=str(out)) from None
    with file:
        yield file


def register(group: typer.Typer) -> None:
    """Add the commands to the group of the arena."""
    for command in (replay, export, rescore):
        group.command(command.__name__)(command)

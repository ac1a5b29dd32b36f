"""``steelyard compare``: runs of the same benchmarks beside each other."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.errors import DataError

if TYPE_CHECKING:
    from steelyard.runs.compared import Comparison

Runs = Annotated[
    list[Path],
    typer.Argument(help="The base, and one candidate or more: runs, or folders of runs."),
]
Allow = Annotated[
    list[str] | None,
    typer.Option(
        "--allow", help="Let this differ although it shapes numbers: prompt, scorer, … or all."
    ),
]
Flips = Annotated[
    int,
    typer.Option(
        "--flips", min=0, help="Show up to so many samples that were lost, and that were gained."
    ),
]
Confidence = Annotated[float, typer.Option("--confidence", help="Of the intervals.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Of the draws of the sign-flip test.")]
AsJson = Annotated[bool, typer.Option("--json", help="As one JSON object.")]
AsMarkdown = Annotated[bool, typer.Option("--markdown", help="As Markdown.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="As CSV, one row a pair of samples.")]
AsHtml = Annotated[bool, typer.Option("--html", help="As one HTML file.")]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write to this file instead of printing.")
]


def compare(
    runs: Runs,
    allow: Allow = None,
    flips: Flips = 3,
    confidence: Confidence = 0.95,
    seed: Seed = 0,
    as_json: AsJson = False,
    as_markdown: AsMarkdown = False,
    as_csv: AsCsv = False,
    as_html: AsHtml = False,
    output: Output = None,
) -> None:
    """Compare runs sample by sample: the difference with its interval, a test, and the samples that flipped.

    The first is the base. Runs whose numbers are shaped by different things, the model apart, are refused.
    """
    chosen = [
        name
        for name, wanted in (
            ("json", as_json),
            ("md", as_markdown),
            ("csv", as_csv),
            ("html", as_html),
        )
        if wanted
    ]
    if len(chosen) > 1:
        raise DataError("choose one of --json, --markdown, --csv and --html")
    if len(runs) < 2:
        raise DataError("a comparison needs a base and at least one candidate")
    if output is not None and output.is_dir():
        raise DataError("is a folder; name a file in it", file=str(output))
    from steelyard.runs.compare import compare as compare_runs

    form = chosen[0] if chosen else _guess(output)
    found = compare_runs(runs[0], *runs[1:], confidence=confidence, allow=allow or (), seed=seed)
    if output is None and form == "terminal":
        from steelyard.report.compare_faces import show_comparison

        show_comparison(found, file=sys.stdout, flips=flips)
        return
    written = _face(found, form, flips)
    if output is None:
        typer.echo(written, nl=False)
    else:
        _write(output, written)


def _guess(output: Path | None) -> str:
    """The form that a file's name asks for."""
    known = {
        ".json": "json",
        ".md": "md",
        ".markdown": "md",
        ".csv": "csv",
        ".html": "html",
        ".htm": "html",
        ".txt": "terminal",
    }
    if output is None:
        return "terminal"
    if output.suffix.lower() not in known:
        raise DataError(
            f"its name asks for no form; there are {', '.join(known)}, or an option",
            file=str(output),
        )
    return known[output.suffix.lower()]


def _face(found: Comparison, form: str, flips: int) -> bytes:
    import io

    from steelyard.cli.common import encode_json
    from steelyard.report.compare_faces import comparison_csv, comparison_markdown, show_comparison

    if form == "json":
        return encode_json(found.to_dict(flips=flips)) + b"\n"
    if form == "html":
        from steelyard.report.compare_page import write_comparison_page

        page = io.BytesIO()
        write_comparison_page(found, page)
        return page.getvalue()
    if form == "terminal":
        out = io.StringIO()
        show_comparison(found, file=out, flips=flips)
        return out.getvalue().encode()
    return (
        comparison_csv(found) if form == "csv" else comparison_markdown(found, flips=flips)
    ).encode(errors="replace")


def _write(path: Path, content: bytes) -> None:
    from steelyard.runs.files import replacing

    with replacing(path) as out:
        out.write(content)
    typer.echo(str(path), err=True)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("compare")(compare)

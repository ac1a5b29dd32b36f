"""A run as one HTML file that opens offline: the summary is plain markup, the samples are packed behind it."""

from __future__ import annotations

import base64
import hashlib
import importlib.resources
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from string import Template
from typing import IO, Any

import msgspec

from steelyard.report.gathered import Gathered
from steelyard.report.markup import Markup, joined, text
from steelyard.report.packed import as_json, element, write_blocks
from steelyard.report.page_end import again, calibrated, changed
from steelyard.report.page_sections import sections
from steelyard.report.page_top import headline
from steelyard.report.palette import colours
from steelyard.runs.opened import Run
from steelyard.runs.sample_row import SampleRow

_HERE = importlib.resources.files("steelyard") / "data" / "report"
SCRIPTS = ("unpack", "store", "search", "state", "texts", "table", "panel", "theme", "page")


class PageOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What a page tells beside the run itself.

    With ``timings`` it has measured times, and is then not the same to the byte for a run that was interrupted.
    """

    timings: bool = False
    calibration: Mapping[str, Any] | None = None


def write_page(run: Run, out: IO[bytes], options: PageOptions = PageOptions()) -> None:  # noqa: B008 - it is frozen
    """Write the page of a run. The samples go by once, and a few hundred of them are held at a time."""
    told = Told(run.results, run.failures, run.total)
    write_told(told, run.samples(), out, options)


class Told(msgspec.Struct, frozen=True):
    """What a run came to."""

    results: Mapping[str, Any]
    failures: Mapping[str, Any]
    total: int


def write_told(told: Told, samples: Iterable[SampleRow], out: IO[bytes], options: PageOptions) -> None:
    """Write the page of these results and samples."""
    gathered = Gathered(timings=options.timings)
    with tempfile.TemporaryFile() as blocks:  # the top of the page is known only when all samples have gone by
        words = write_blocks(gathered.watching(samples), told.total, blocks)
        top, end = _around(told, gathered, options)
        out.write(top)
        out.write(element("words", as_json(words.words)))
        out.write(element("columns", as_json(gathered.columns.told(told.results["repeats"]))))
        blocks.seek(0)
        shutil.copyfileobj(blocks, out)
        out.write(end)


def _around(told: Told, gathered: Gathered, options: PageOptions) -> tuple[bytes, bytes]:
    """The page before its packed samples, and after them."""
    results = told.results
    cards = [*changed(results), *sections(results, told.failures, gathered), *calibrated(options.calibration)]
    name, model = str(results["benchmark"]), str(results["model"])
    made = filled("run.html", {
        "title": text(f"{name}: {model}"), "benchmark": text(name), "model": text(model),
        "headline": headline(results, gathered), "cards": joined(cards, "\n"), "end": again(results),
    })  # fmt: skip
    top, _, end = made.partition("<!--samples-->")
    return top.encode("utf-8"), end.encode("utf-8")


def filled(template: str, parts: Mapping[str, Markup]) -> str:
    """A page from its template, with its style and its script inside and a policy that lets in nothing else."""
    style, script = _style(), _script()
    policy = f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; base-uri 'none'; form-action 'none'"
    shared = {"policy": policy, "style": style, "script": script, "patterns": _read("patterns.svg")}
    return Template(_read(template)).substitute(shared, **parts)


def _style() -> str:
    own = "".join(f"--{name}:{value};" for name, value in colours().items())
    return f":root{{{own}}}\n{_read('style.css')}{_read('samples.css')}"


def _script() -> str:
    return "\n".join(['"use strict";', "(() => {", *(_read(f"js/{name}.js") for name in SCRIPTS), "})();"])


def _hash(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")

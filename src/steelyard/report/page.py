"""A run as one HTML file that opens offline: the summary is plain markup, the samples are packed behind it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import IO, Any

import msgspec

from steelyard.report.gathered import Gathered
from steelyard.report.markup import joined, text
from steelyard.report.packed import as_json, element, elements, write_blocks
from steelyard.report.page_end import again, calibrated, changed
from steelyard.report.page_sections import sections
from steelyard.report.page_top import headline, home_link
from steelyard.report.sheet import RUN, filled
from steelyard.runs.opened import Run
from steelyard.runs.sample_row import SampleRow
from steelyard.spill import Scratch, Tape


class PageOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What a page tells beside the run itself.

    With ``timings`` it has measured times, and is then not the same to the byte for a run that was interrupted. ``home`` is
    the address of the list that it belongs to, where it is one page of many.
    """

    timings: bool = False
    calibration: Mapping[str, Any] | None = None
    home: str = ""


def write_page(run: Run, out: IO[bytes], options: PageOptions = PageOptions()) -> None:  # noqa: B008 - it is frozen
    """Write the page of a run. The samples go by once, and a few hundred of them are held at a time."""
    told = Told(run.results, run.failures, run.total)
    write_told(told, run.samples(timings=options.timings), out, options)


class Told(msgspec.Struct, frozen=True):
    """What a run came to."""

    results: Mapping[str, Any]
    failures: Mapping[str, Any]
    total: int


def write_told(
    told: Told, samples: Iterable[SampleRow], out: IO[bytes], options: PageOptions
) -> None:
    """Write the page of these results and samples."""
    gathered = Gathered(timings=options.timings)
    blocks = Tape(Scratch())  # the top of the page is known only when all samples have gone by
    words = write_blocks(gathered.watching(samples), told.total, blocks)
    top, end = _around(told, gathered, options)
    out.write(top)
    out.write(element("words", as_json(words.words)))
    out.writelines(elements("columns", gathered.columns.told(told.results["repeats"])))
    out.writelines(blocks)
    out.write(end)


def _around(told: Told, gathered: Gathered, options: PageOptions) -> tuple[bytes, bytes]:
    """The page before its packed samples, and after them."""
    results = told.results
    cards = [
        *changed(results),
        *sections(results, told.failures, gathered),
        *calibrated(options.calibration, results.get("judge")),
    ]
    name, model = str(results["benchmark"]), str(results["model"])
    made = filled(
        RUN,
        {
            "title": text(f"{name}: {model}"),
            "benchmark": text(name),
            "model": text(model),
            "home": home_link(options.home),
            "headline": headline(results, gathered),
            "cards": joined(cards, "\n"),
            "end": again(results),
        },
    )
    top, _, end = made.partition("<!--samples-->")
    return top.encode("utf-8"), end.encode("utf-8")

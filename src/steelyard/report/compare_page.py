"""The page of a comparison: one HTML file that opens anywhere, with both answers to every sample."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import IO

from steelyard.report.charts.difference import (
    difference_axis,
    difference_row,
    points,
    points_interval,
    scale,
)
from steelyard.report.compare_rows import Shown, columns, shown, texts
from steelyard.report.compare_sections import outside, readings, remarks
from steelyard.report.compare_top import Labels, differences, headline, labels_of, names_of
from steelyard.report.markup import Markup, joined, tag, text
from steelyard.report.packed import as_json, element, write_rows
from steelyard.report.page_tables import card, plain_table, row_name
from steelyard.report.page_top import home_link
from steelyard.report.sheet import COMPARISON, filled
from steelyard.runs.compared import Compared, Comparison
from steelyard.spill import Scratch, Tape

MOST_CATEGORIES = 60


def write_comparison_page(comparison: Comparison, out: IO[bytes], *, home: str = "") -> None:
    """Write the page; whatever stands in an answer stays text. ``home`` is the address of the list that it belongs to."""
    labels = labels_of(comparison)
    names = names_of(comparison, labels)
    found = shown(comparison)
    top, end = _around(comparison, labels, names, found, home)
    blocks = Tape(Scratch())  # the words that shorten the rows stand before them
    words = write_rows(texts(comparison, found), blocks)
    out.write(top)
    out.write(element("words", as_json(words.words)))
    out.write(element("columns", as_json(columns(comparison, found, names, labels))))
    out.writelines(blocks)
    out.write(end)


def _around(
    comparison: Comparison, labels: Labels, names: Sequence[str], found: Shown, home: str
) -> tuple[bytes, bytes]:
    """The page before its packed samples, and after them."""
    cards = [
        *differences(comparison, names),
        *_categories(comparison, names),
        *_outside(comparison),
        *_readings(comparison),
        *_notes(comparison),
    ]
    benchmarks = list(dict.fromkeys(one.benchmark for one in comparison.results))
    title = ", ".join(benchmarks) if len(benchmarks) < 4 else f"{len(benchmarks):,} benchmarks"
    bases, candidates = (list(dict.fromkeys(label[side] for label in labels)) for side in (0, 1))
    made = filled(
        COMPARISON,
        {
            "title": text(f"{title}: {', '.join(candidates)} beside {', '.join(bases)}"),
            "benchmark": text(title),
            "base": text(", ".join(bases)),
            "candidate": text(", ".join(candidates)),
            "home": home_link(home),
            "headline": headline(comparison, labels),
            "cards": joined(cards, "\n"),
            "left_out": _left_out(found),
            "end": _again(comparison),
        },
    )
    top, _, end = made.partition("<!--samples-->")
    return top.encode("utf-8"), end.encode("utf-8")


def _left_out(found: Shown) -> Markup:
    if not found.left_out:
        return Markup("")
    words = f"{found.left_out:,} samples that came out alike on both sides are not in this page; each run’s own report has them."
    return tag("p", words, class_="note")


def _categories(comparison: Comparison, names: Sequence[str]) -> Iterator[Markup]:
    for one, name in zip(comparison.results, names, strict=True):
        if one.categories:
            alone = len(comparison.results) == 1
            table = _category_table(one, comparison.confidence)
            wide = alone or len(one.categories) > 8
            yield card(
                "By category" if alone else f"{name}, by category",
                table,
                *_more(one),
                wide=wide,
                note="The candidate less the base, in points. A ring has too few pairs for an interval.",
            )


def _category_table(one: Compared, confidence: float) -> Markup:
    shown_here = one.categories[:MOST_CATEGORIES]
    bounds = [
        bound
        for each in shown_here
        if (found := each.difference)
        for bound in (found.lower, found.upper, found.value)
    ]
    on = scale(bounds)
    head = tag(
        "tr",
        tag("th", "category", scope="col"),
        tag("td", difference_axis(on), class_="plot"),
        tag("th", "points", scope="col", class_="num"),
        tag("th", f"{confidence:.0%} interval", scope="col", class_="num sure"),
        tag("th", "pairs", scope="col", class_="num"),
    )
    body = [
        tag(
            "tr",
            row_name(each.category),
            tag("td", difference_row(each.difference, on), class_="plot"),
            tag("td", points(each.difference.value if each.difference else None), class_="num"),
            tag("td", points_interval(each.difference), class_="num sure"),
            tag("td", f"{each.pairs:,}", class_="num"),
        )
        for each in shown_here
    ]
    return tag("table", tag("thead", head), tag("tbody", *body), class_="plotted")


def _more(one: Compared) -> list[Markup]:
    if len(one.categories) <= MOST_CATEGORIES:
        return []
    words = (
        f"The first {MOST_CATEGORIES} of {len(one.categories)} categories; compare --json has more."
    )
    return [tag("p", words, class_="note")]


def _outside(comparison: Comparison) -> Iterator[Markup]:
    section = outside(comparison.results)
    if section.rows:
        note = "What has no score on one side is in no pair; the last column is what the difference could be if all had one."
        yield card(
            "Outside the pairs", plain_table(section.columns, section.rows), wide=True, note=note
        )


def _readings(comparison: Comparison) -> Iterator[Markup]:
    section = readings(comparison.results)
    if section.rows:
        table = plain_table(section.columns, section.rows)
        yield card("Unclear and missing answers", table, wide=True)


def _notes(comparison: Comparison) -> Iterator[Markup]:
    told = remarks(comparison)
    if told:
        yield card("To be known", tag("ul", *(tag("li", one) for one in told)), wide=True)


def _again(comparison: Comparison) -> Markup:
    """The signatures, what was allowed to differ, and the command that comes to the same numbers."""
    sides = {
        (side.model, PurePath(side.folder).name, side.signature): None
        for one in comparison.results
        for side in (one.base, one.candidate)
    }
    signed = [
        tag(
            "li",
            model,
            tag("span", f" {folder}", class_="quiet"),
            tag("br"),
            tag("code", signature, class_="signature"),
        )
        for model, folder, signature in sides
    ]
    allowed = list(
        dict.fromkeys(
            change.partition(":")[0] for one in comparison.results for change in one.allowed
        )
    )
    told = (
        "Apart from the model, its parameters and its seed, what shapes a number is the same in all of them."
        if not allowed
        else f"These were allowed to differ: {', '.join(allowed)}."
    )
    more = "".join(f" --allow {name}" for name in allowed)
    more += "" if comparison.confidence == 0.95 else f" --confidence {comparison.confidence:g}"
    commands = [
        (f"steelyard compare BASE CANDIDATE{more}", "the same numbers, from the runs’ folders"),
        (f"steelyard compare BASE CANDIDATE{more} -o comparison.html", "this page"),
    ]
    rows = [tag("li", tag("code", command), f" – {word}") for command, word in commands]
    return card(
        "Signatures",
        tag("ul", *signed, class_="commands"),
        tag("p", told, class_="note"),
        tag("ul", *rows, class_="commands"),
        wide=True,
    )

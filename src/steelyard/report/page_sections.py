"""The sections of a report under its headline, each of which is left out where there is nothing to tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from steelyard.report.charts.bars import share_bar
from steelyard.report.charts.curve import Line, curves
from steelyard.report.charts.histogram import Marked, histogram
from steelyard.report.gathered import Example, Gathered, Spread
from steelyard.report.markup import Markup, joined, short, tag
from steelyard.report.page_tables import as_table, card, plain_table, whisker_table

MOST_ROWS, MOST_REASONS = 60, 5
Told = Mapping[str, Any]
_OF_K = {
    "pass@": "at least one of k is right",
    "pass^": "all of k are right",
    "majority@": "the most frequent answer of k is right",
    "best-of-": "the best score of k",
}


def sections(results: Told, failures: Told, gathered: Gathered) -> Iterator[Markup]:
    """All sections that the run itself gives rise to."""
    yield from categories(results)
    yield from distribution(results, gathered)
    yield from attempts(results, graded=gathered.graded)
    yield from failing(failures, gathered)
    yield from without_score(results)
    yield from seconds(gathered)
    yield from tokens(gathered)


def categories(results: Told) -> Iterator[Markup]:
    """Each category with its interval, against the mean of all."""
    groups = list(results["categories"].items())
    if [name for name, _ in groups] == ["unknown"]:
        return
    shown = groups[:MOST_ROWS]
    more = (
        f"The first {MOST_ROWS} of {len(groups)} categories; all are in results.json."
        if len(groups) > MOST_ROWS
        else ""
    )
    table = whisker_table("category", shown, count="scored", mean=results["headline"]["value"])
    note = "A dot is a score, its whisker the 95% interval, the dashed line the score of all. A ring has no interval."
    yield card(
        "By category",
        table,
        tag("p", more, class_="note") if more else "",
        wide=len(shown) > 8,
        note=note,
    )


def distribution(results: Told, gathered: Gathered) -> Iterator[Markup]:
    """How scores are spread; there is nothing to draw where each is 0 or 1."""
    if not gathered.graded:
        return
    bins, mean = gathered.values, results["headline"]["value"]
    marks = [Marked(mean, f"mean {short(mean)}")] if mean is not None else []
    step = 1 / len(bins.counts)
    rows = [
        (f"{number * step:.2f} – {(number + 1) * step:.2f}", f"{count:,}")
        for number, count in enumerate(bins.counts)
        if count
    ]
    drawn = histogram(bins, name="values", title="Distribution of scores", unit="", marks=marks)
    yield card(
        "Distribution of scores",
        drawn,
        as_table(plain_table((("score", False), ("samples", True)), rows)),
    )


def attempts(results: Told, *, graded: bool) -> Iterator[Markup]:
    """What more attempts at a problem bring, and whether later ones are better."""
    if results["repeats"] == 1:
        return
    lines, notes = [], []
    for prefix, note in _OF_K.items():
        points = _points(results["metrics"], prefix)
        if prefix == "pass^" and points and "pass@1" in results["metrics"]:
            points = [(1, results["metrics"]["pass@1"]), *points]  # of one attempt, any is all
        if points and (
            graded or prefix != "best-of-"
        ):  # where each score is 0 or 1 the best of k is pass@k
            lines.append(Line(f"{prefix}k", points))
            notes.append(f"{prefix}k: {note}.")
    if lines:
        rows = [
            (f"{line.name.removesuffix('k')}{k}", found)
            for line in lines
            for k, found in line.points
        ]
        drawn = curves(lines, name="attempts", title="What k attempts at a problem come to")
        yield card(
            "k attempts at a problem",
            drawn,
            as_table(whisker_table("metric", rows, count="problems")),
            note=" ".join(notes),
        )
    yield from learning(results)


def _points(metrics: Told, prefix: str) -> list[tuple[int, Told]]:
    named = [
        (name.removeprefix(prefix), found)
        for name, found in metrics.items()
        if name.startswith(prefix)
    ]
    return sorted(
        ((int(k), found) for k, found in named if k.isdecimal() and found.get("value") is not None),
        key=lambda point: point[0],
    )


def learning(results: Told) -> Iterator[Markup]:
    """The score of the first attempts, of the second, and so on."""
    told = [
        (one["attempt"], one)
        for one in results.get("learning_curve", ())
        if one["value"] is not None
    ]
    if len(told) > 1:
        drawn = curves(
            [Line("attempt", told)], name="learning", title="Score by attempt", doubling=False
        )
        table = whisker_table(
            "attempt", [(str(number), one) for number, one in told], count="scored"
        )
        note = "The first attempts at all problems, the second ones, and so on."
        yield card("Score by attempt", drawn, as_table(table), note=note)


def failing(failures: Told, gathered: Gathered) -> Iterator[Markup]:
    """Why samples failed, and some of them."""
    kinds = failures["categories"]
    if not kinds:
        return
    head = tag(
        "tr",
        tag("th", "kind", scope="col"),
        tag("td", class_="plot"),
        tag("th", "samples", scope="col", class_="num"),
        tag("th", "share", scope="col", class_="num"),
    )
    body = [
        tag(
            "tr",
            tag("th", _filter_link(name), scope="row"),
            tag("td", share_bar(found["rate"]), class_="plot"),
            tag("td", f"{found['count']:,}", class_="num"),
            tag("td", f"{found['rate']:.1%}", class_="num"),
        )
        for name, found in kinds.items()
    ]
    table = tag("table", tag("thead", head), tag("tbody", *body), class_="plotted")
    folded = [
        _examples(name, gathered.examples[name]) for name in kinds if gathered.examples.get(name)
    ]
    yield card("Failures", table, *folded, note="Shares are of all samples.")


def _filter_link(kind: str) -> Markup:
    return tag("a", kind.replace("_", " "), href=f"#failure={kind}")


def _examples(kind: str, examples: list[Example]) -> Markup:
    rows = [
        tag(
            "li",
            tag("a", one.id or one.key, href=f"#sample={one.key}"),
            tag("span", one.response or "no answer", class_="said"),
        )
        for one in examples
    ]
    return tag(
        "details",
        tag("summary", joined([kind.replace("_", " "), ": examples"])),
        tag("ul", *rows, class_="examples"),
    )


def without_score(results: Told) -> Iterator[Markup]:
    """Why samples have no score."""
    reasons = list(results["coverage"]["reasons"].items())
    if reasons:
        rows = [(f"{count:,}", reason) for reason, count in reasons[:MOST_REASONS]]
        if rest := sum(count for _, count in reasons[MOST_REASONS:]):
            rows.append((f"{rest:,}", "for other reasons, which the table of samples has"))
        table = plain_table((("samples", True), ("reason", False)), rows)
        yield card(
            "Without a score",
            table,
            note="Ours, not the model’s: they count neither for nor against it.",
        )


def seconds(gathered: Gathered) -> Iterator[Markup]:
    """How long replies took, where that was asked for."""
    if (found := gathered.seconds) is not None and found.highest > 0:
        yield card("Latency", *_spread(found, "latency", "Seconds a reply", "s", "time"))


def tokens(gathered: Gathered) -> Iterator[Markup]:
    """How long replies are."""
    if (found := gathered.tokens) is not None and found.highest > 0:
        yield card(
            "Output tokens", *_spread(found, "tokens", "Output tokens a reply", "tokens", "time")
        )


def _spread(found: Spread, name: str, title: str, unit: str, kind: str) -> Iterator[Markup]:
    drawn = histogram(
        found.bins,
        name=name,
        title=title,
        unit=unit,
        kind=kind,
        marks=[Marked(found.median, f"median {_told(found.median)}")],
    )
    yield drawn
    words = ("median", "90%", "99%", "highest", "sum")
    values = (found.median, found.p90, found.p99, found.highest, found.total)
    end = " s" if unit == "s" else ""
    yield tag(
        "dl",
        *(
            tag("div", tag("dt", word), tag("dd", f"{_told(value)}{end}"))
            for word, value in zip(words, values, strict=True)
        ),
        class_="facts small",
    )
    if found.bins.over:
        yield tag("p", f"{found.bins.over:,} lie beyond the right end.", class_="note")


def _told(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"

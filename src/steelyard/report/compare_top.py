"""The top of a comparison's page: what it comes to in a sentence, the difference drawn, and what became of the samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath

from steelyard.report.charts.difference import (
    difference_axis,
    difference_chart,
    difference_row,
    points,
    points_interval,
    scale,
)
from steelyard.report.charts.outcomes import outcome_bar
from steelyard.report.compare_rows import OUTCOMES, counts
from steelyard.report.compare_sections import detectable, least_points, p_value, units_of, way_of
from steelyard.report.markup import Markup, joined, short, tag
from steelyard.report.page_tables import card
from steelyard.runs.compared import Compared, Comparison, Side

Labels = Sequence[tuple[str, str]]


def labels_of(comparison: Comparison) -> list[tuple[str, str]]:
    """What base and candidate are called, for each result: the models, and the folders too where these are the same."""
    return [_pair(one.base, one.candidate) for one in comparison.results]


def _pair(base: Side, candidate: Side) -> tuple[str, str]:
    if base.model != candidate.model:
        return base.model, candidate.model
    one, other = (f"{side.model} ({PurePath(side.folder).name})" for side in (base, candidate))
    return one, other


def names_of(comparison: Comparison, labels: Labels) -> list[str]:
    """What each result is called in a list: its benchmark, its candidate, or both."""
    benchmarks = {one.benchmark for one in comparison.results}
    candidates = {label[1] for label in labels}
    found = []
    for one, (_, candidate) in zip(comparison.results, labels, strict=True):
        parts = [one.benchmark] if len(benchmarks) > 1 or len(candidates) == 1 else []
        parts += [candidate] if len(candidates) > 1 else []
        found.append(": ".join(parts))
    return [
        f"{name} ({place})" if found.count(name) > 1 else name
        for place, name in enumerate(found, 1)
    ]


def headline(comparison: Comparison, labels: Labels) -> Markup:
    """One difference drawn large, or what several come to."""
    alone = len(comparison.results) == 1
    inside = (
        _single(comparison.results[0], labels[0], comparison) if alone else _several(comparison)
    )
    return tag("section", *inside, class_="headline", aria_label="Headline")


def _single(one: Compared, label: tuple[str, str], comparison: Comparison) -> list[Markup]:
    way, percent = way_of(one, comparison.confidence), f"{comparison.confidence:.0%}"
    found = one.difference
    number = tag(
        "p",
        points(found.value if found else None),
        tag("span", " points", class_="unit"),
        class_="value",
    )
    sure = tag(
        "p", joined([f"{percent} interval ", tag("b", points_interval(found))]), class_="sure"
    )
    told = tag("div", tag("h2", "Difference"), number, sure, class_="number")
    verdict = sentence(one, label, comparison.confidence)
    return [
        tag("p", verdict, class_=f"verdict-line {way}"),
        told,
        *_drawn(one, verdict, way),
        _became(comparison),
        _facts(one, label),
    ]


def _drawn(one: Compared, verdict: str, way: str) -> list[Markup]:
    """The difference on its axis; nothing where there is none."""
    found = one.difference
    if found is None:
        return []
    least = detectable(one)
    drawn = difference_chart(
        found,
        scale([found.lower, found.upper, found.value, one.detectable]),
        way=way,
        least=one.detectable,
        about=f"{verdict} {least}.",
    )
    note = (
        f"{least}."
        if one.detectable is None
        else joined([tag("b", "Hatched: "), f"{_lower_first(least)}."])
    )
    return [tag("div", drawn, tag("p", note, class_="note"), class_="drawn")]


def _several(comparison: Comparison) -> list[Markup]:
    ways = Counter(way_of(one, comparison.confidence) for one in comparison.results)
    words = [
        f"{ways[way]:,} {told}"
        for way, told in (
            ("better", "better"),
            ("worse", "worse"),
            ("same", "cannot be told apart"),
        )
        if ways[way]
    ]
    told = tag("p", ", ".join(words), class_="verdict-line")
    note = f"Of {len(comparison.results):,} comparisons, by p-values that Holm’s method corrects for each other."
    return [told, tag("p", note, class_="note whole"), _became(comparison)]


def sentence(one: Compared, label: tuple[str, str], confidence: float) -> str:
    """Which side is better, in points, or that they cannot be told apart."""
    base, candidate = label
    if one.difference is None:
        return f"No sample has a score in both {base} and {candidate}."
    way = way_of(one, confidence)
    if way == "same":
        return f"{candidate} and {base} cannot be told apart here."
    return (
        f"{candidate} is {points(abs(one.difference.value)).lstrip('+')} points {way} than {base}."
    )


def _became(comparison: Comparison) -> Markup:
    """What became of the samples, all results together."""
    found: Counter[str] = sum(
        (counts(matched.rows) for _, _, matched in comparison.runs), Counter()
    )
    paired = sum(one.coverage.paired for one in comparison.results)
    asked = sum(one.coverage.asked for one in comparison.results)
    what = (
        "problems" if any(one.paired_by == "problem" for one in comparison.results) else "samples"
    )
    words = tag(
        "h2", joined([tag("b", f"{paired:,} of {asked:,}"), f" {what} have a score on both sides"])
    )
    return tag("div", words, outcome_bar(found, kinds=OUTCOMES), class_="coverage")


def _facts(one: Compared, label: tuple[str, str]) -> Markup:
    rows = [
        (f"Base: {label[0]}", short(one.base.mean)),
        (f"Candidate: {label[1]}", short(one.candidate.mean)),
    ]
    if one.test is not None:
        rows.append((f"p ({one.test.method})", p_value(one.test.p_holm)))
    rows.append((units_of(one).capitalize(), f"{one.units:,}"))
    return tag(
        "dl",
        *(tag("div", tag("dt", name), tag("dd", value)) for name, value in rows),
        class_="facts",
    )


def differences(comparison: Comparison, names: Sequence[str]) -> list[Markup]:
    """Every result in a row of one chart, where there are several."""
    if len(comparison.results) == 1:
        return []
    found = [one.difference for one in comparison.results]
    bounds = [bound for each in found if each for bound in (each.lower, each.upper, each.value)]
    on = scale([*bounds, *(one.detectable for one in comparison.results)])
    head = [
        tag("th", "comparison", scope="col"),
        tag("td", difference_axis(on), class_="plot"),
        _num("points"),
        _num(f"{comparison.confidence:.0%} interval", "sure"),
        _num("p (Holm)"),
        _num("least told apart", "sure"),
        _num("scores", "sure"),
        _num("lost / gained", "sure"),
    ]
    body = []
    for one, name in zip(comparison.results, names, strict=True):
        plot = difference_row(
            one.difference, on, way=way_of(one, comparison.confidence), least=one.detectable
        )
        cells = [
            points(one.difference.value if one.difference else None),
            points_interval(one.difference),
            p_value(one.test.p_holm) if one.test else "–",
            _least(one),
            f"{short(one.base.mean)} → {short(one.candidate.mean)}",
            f"{one.lost:,} / {one.gained:,}",
        ]
        kinds = ["num", "num sure", "num", "num sure", "num sure", "num sure"]
        body.append(
            tag(
                "tr",
                tag("th", name, scope="row"),
                tag("td", plot, class_="plot"),
                *(tag("td", cell, class_=kind) for cell, kind in zip(cells, kinds, strict=True)),
            )
        )
    table = tag("table", tag("thead", tag("tr", *head)), tag("tbody", *body), class_="plotted")
    note = (
        "The candidate’s score less the base’s, in points (0.01 of the score), with its interval. ▲ better, ▼ worse, ● "
        "cannot be told apart. Hatched: differences so small cannot be told apart with so many problems."
    )
    return [card("Differences", table, wide=True, note=note)]


def _num(word: str, more: str = "") -> Markup:
    return tag("th", word, scope="col", class_=f"num {more}".strip())


def _least(one: Compared) -> str:
    return "–" if one.detectable is None else f"± {least_points(one.detectable)}"


def _lower_first(words: str) -> str:
    return words[:1].lower() + words[1:]

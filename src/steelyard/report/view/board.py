"""The list of runs: a board for each benchmark, ordered by score, and apart from each other what cannot be compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import quote

import msgspec

from steelyard.report.charts.whiskers import whisker, whisker_axis
from steelyard.report.markup import Markup, joined, short, span_of, tag, text
from steelyard.report.page_tables import told_count
from steelyard.report.sheet import INDEX, filled
from steelyard.report.view.folder import Entry
from steelyard.runs.compare_shapes import differing, shaping

MOST_CHANGES = 8
_EMPTY = tag("td", class_="pick-one")  # keeps the columns of all tables under each other


def address(name: str) -> str:
    """Where the page of a run is; a name may have any character that a folder's can."""
    return f"/run/{quote(name.encode('utf-8', 'surrogateescape'), safe='')}"


def index_page(title: str, entries: Sequence[Entry]) -> str:
    """The whole page."""
    unreadable = [one for one in entries if one.about is None]
    boards = [_board(benchmark, group) for benchmark, group in _by_benchmark(entries)]
    if unreadable:
        boards.append(
            tag("section", tag("h2", "Cannot be read"), _unfinished(unreadable), class_="board")
        )
    if not boards:
        boards.append(tag("p", "There are no runs here yet; a reload looks again.", class_="note"))
    runs = f"{len(entries):,} run{'s' if len(entries) != 1 else ''}"
    return filled(
        INDEX, {"title": text(title), "about": text(runs), "boards": joined(boards, "\n")}
    )


def _by_benchmark(entries: Iterable[Entry]) -> list[tuple[str, list[Entry]]]:
    found: dict[str, list[Entry]] = {}
    for one in entries:
        if one.about is not None:
            found.setdefault(one.about.benchmark, []).append(one)
    return sorted(found.items())


def _board(benchmark: str, entries: Sequence[Entry]) -> Markup:
    groups: dict[bytes, list[Entry]] = {}
    for one in entries:
        groups.setdefault(_shape(one), []).append(one)
    ordered = sorted(groups.values(), key=len, reverse=True)
    parts = [_group(group) for group in ordered[:1]]
    parts += [
        tag("div", _apart(ordered[0][0], group[0]), _group(group), class_="apart")
        for group in ordered[1:]
    ]
    return tag("section", tag("h2", benchmark), *parts, class_="board")


def _shape(one: Entry) -> bytes:
    """What two runs share whose numbers can be compared."""
    return (
        msgspec.json.encode(shaping(one.about), enc_hook=str, order="sorted") if one.about else b""
    )


def _apart(first: Entry, other: Entry) -> Markup:
    """Why these are not in one table with the others."""
    if first.about is None or other.about is None:
        return Markup("")
    found = differing(first.about, other.about)
    rows = [tag("li", str(change)) for change in found[:MOST_CHANGES]]
    if len(found) > MOST_CHANGES:
        rows.append(tag("li", f"and {len(found) - MOST_CHANGES} more"))
    told = "Not comparable with those above: what shapes the numbers differs."
    return joined([tag("h3", told), tag("ul", *rows)])


def _group(entries: Sequence[Entry]) -> Markup:
    """The runs that can be compared with each other, the best first, then those without a score."""
    scored = [one for one in entries if one.headline and one.headline.get("value") is not None]
    scored.sort(key=lambda one: (-(one.headline or {})["value"], one.name))
    rest = [one for one in entries if one not in scored]
    parts = []
    if scored:
        table = _table(scored, choose=len(scored) > 1)
        parts.append(_form(table) if len(scored) > 1 else table)
    if rest:
        parts.append(_unfinished(rest))
    return joined(parts)


def _form(table: Markup) -> Markup:
    button = tag("button", "Compare the two", type="submit", class_="go")
    return tag(
        "form", table, tag("p", button, class_="compare-row"), method="get", action="/compare"
    )


def _table(entries: Sequence[Entry], *, choose: bool) -> Markup:
    head = [
        tag("th", "model", scope="col"),
        tag("td", whisker_axis(), class_="plot"),
        tag("th", "score", scope="col", class_="num"),
        tag("th", "95% interval", scope="col", class_="num sure"),
        tag("th", "scored", scope="col", class_="num when"),
        tag("th", "begun", scope="col", class_="num when"),
    ]
    head += [
        tag("th", word, scope="col", class_="pick-one") if choose else _EMPTY
        for word in ("base", "candidate")
    ]
    body = [_row(one, place, choose) for place, one in enumerate(entries)]
    return tag("table", tag("thead", tag("tr", *head)), tag("tbody", *body), class_="plotted")


def _row(one: Entry, place: int, choose: bool) -> Markup:
    head = one.headline or {}
    cells = [
        tag("th", _named(one), scope="row"),
        tag("td", whisker(head), class_="plot"),
        tag("td", short(head.get("value")), class_="num"),
        tag("td", span_of(head), class_="num sure"),
        tag("td", told_count(head), class_="num when"),
        tag("td", _when(one.begun), class_="num when quiet"),
    ]
    # At first the best is held against the next.
    cells += [
        tag("td", _radio(side, one, checked=place == first), class_="pick-one")
        if choose
        else _EMPTY
        for side, first in (("base", 1), ("candidate", 0))
    ]
    return tag("tr", *cells)


def _named(one: Entry) -> Markup:
    model = one.about.model if one.about else one.name
    linked = tag("a", model, href=address(one.name)) if one.headline else text(model)
    status = "" if one.status == "complete" else joined([" ", _status(one)])
    return joined([linked, status, tag("span", one.name, class_="folder")])


def _status(one: Entry) -> Markup:
    known = {"running", "incomplete", "stopped", "interrupted", "unreadable"}
    return tag(
        "span", one.status, class_=f"status {one.status if one.status in known else ''}".strip()
    )


def _radio(side: str, one: Entry, *, checked: bool) -> Markup:
    value = quote(one.name.encode("utf-8", "surrogateescape"), safe="")
    return tag(
        "input",
        type="radio",
        name=side,
        value=value,
        checked=checked,
        required=True,
        aria_label=f"{one.name} as the {side}",
    )


def _unfinished(entries: Iterable[Entry]) -> Markup:
    rows = []
    for one in entries:
        why = tag("span", one.why, class_="quiet") if one.why else ""
        when = tag("span", f"begun {_when(one.begun)}", class_="quiet") if one.begun else ""
        rows.append(tag("li", _status(one), tag("span", _plain(one)), when, why))
    return tag("ul", *rows, class_="unfinished")


def _plain(one: Entry) -> Markup:
    model = one.about.model if one.about else ""
    named = tag("a", one.name, href=address(one.name)) if one.headline else text(one.name)
    return joined([tag("b", model), " ", named]) if model else named


def _when(stamp: str) -> str:
    """A time without its seconds.

    >>> _when("2024-05-06T07:08:09Z")
    '2024-05-06 07:08'
    """
    return stamp[:16].replace("T", " ") or "–"

"""What a comparison says, whatever it is written in: sentences and a few tables, made once for all faces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath

from steelyard.metrics import Interval
from steelyard.report.run_sections import Section
from steelyard.report.terminal import DASH, number
from steelyard.runs.compare_flips import Answer, FlipText
from steelyard.runs.compared import Compared, Comparison

_LONGEST = 300
_MOST_CATEGORIES = 200


def sections(comparison: Comparison) -> list[Section]:
    """The differences, what has no score, and the categories; a table without rows is left out."""
    found = [
        _differences(comparison),
        outside(comparison.results),
        readings(comparison.results),
        *map(_categories, comparison.results),
    ]
    return [section for section in found if section.rows]


def sentences(comparison: Comparison) -> list[str]:
    """For each result: which side is better, or that they cannot be told apart, and from which difference on they could."""
    return [
        f"{one.benchmark}: {_verdict(one, comparison.confidence)}. {detectable(one)}".strip()
        for one in comparison.results
    ]


def remarks(comparison: Comparison) -> list[str]:
    """What was allowed to differ, and whatever else a reader has to know."""
    allowed = [
        f"allowed to differ ({one.benchmark}): {change}"
        for one in comparison.results
        for change in one.allowed
    ]
    return [
        *allowed,
        *(note for one in comparison.results for note in one.notes),
        *comparison.notes,
    ]


def way_of(one: Compared, confidence: float) -> str:
    """Whether the candidate is ``better`` or ``worse``; ``same`` where the two cannot be told apart."""
    if (
        one.difference is None
        or one.test is None
        or one.test.p_holm >= 1 - confidence
        or not one.difference.value
    ):
        return "same"
    return "better" if one.difference.value > 0 else "worse"


def sides(one: Compared) -> tuple[str, str]:
    """What base and candidate are called: by their models, and where these are the same by their folders too."""
    if one.base.model != one.candidate.model:
        return one.base.model, one.candidate.model
    base, candidate = (
        f"{side.model} ({PurePath(side.folder).name})" for side in (one.base, one.candidate)
    )
    return base, candidate


def _verdict(one: Compared, confidence: float) -> str:
    base, candidate = sides(one)
    if one.difference is None or one.test is None:
        return f"no sample has a score in both {base} and {candidate}"
    p = f"p = {p_value(one.test.p_holm)}"
    if (way := way_of(one, confidence)) != "same":
        return f"{candidate} is {abs(one.difference.value):.4f} {way} than {base} ({p})"
    return f"{candidate} and {base} cannot be told apart here ({p})"


def detectable(one: Compared) -> str:
    """From which difference on the two could be told apart."""
    if one.difference is None:
        return ""
    if one.detectable is None:
        if one.units > 1:
            return "One passage is nearly all there is"
        return f"One {'passage' if one.clustered_by == 'cluster' else 'problem'} says nothing about others"
    return f"Differences below {least_points(one.detectable)} points cannot be told apart with {one.units:,} {units_of(one)}"


def least_points(share: float) -> str:
    """A share in points, with two digits.

    >>> least_points(1.0), least_points(0.0523), least_points(0.0036)
    ('100', '5.2', '0.36')
    """
    return f"{share * 100:.0f}" if share >= 0.0995 else f"{share * 100:.2g}"


def units_of(one: Compared) -> str:
    """What the difference rests on: problems, or passages that problems share."""
    return "passages" if one.clustered_by == "cluster" else "problems"


def _differences(comparison: Comparison) -> Section:
    several = len(comparison.results) > 1
    rows = [
        (
            one.benchmark,
            *sides(one),
            f"{number(one.base.mean, 3)} → {number(one.candidate.mean, 3)}",
            signed(one.difference),
            interval(one.difference),
            p_value(one.test.p_holm) if one.test else DASH,
            f"{one.lost:,} / {one.gained:,}",
            f"{one.coverage.paired:,} / {one.coverage.asked:,}",
        )
        for one in comparison.results
    ]
    columns = (
        ("benchmark", False),
        ("base", False),
        ("candidate", False),
        ("score", False),
        ("difference", True),
        (f"{comparison.confidence * 100:.6g}% interval", False),
        ("p (Holm)" if several else "p", True),
        ("lost / gained", True),
        ("paired / asked", True),
    )
    return Section("", columns, rows)


def outside(results: Iterable[Compared]) -> Section:
    """What is not in the pairs, where anything is not."""
    rows = []
    for one in results:
        found = one.coverage
        counts = (
            found.unscored_base,
            found.unscored_candidate,
            found.only_base,
            found.only_candidate,
        )
        if not any(counts):
            continue
        rows.append(
            (
                one.benchmark,
                sides(one)[1],
                *(f"{count:,}" for count in counts),
                f"{_sign(found.worst)} to {_sign(found.best)}",
            )
        )
    columns = (
        ("benchmark", False),
        ("candidate", False),
        ("unscored in base", True),
        ("in candidate", True),
        ("problems only in base", True),
        ("in candidate", True),
        ("difference, worst to best", False),
    )
    return Section("outside the pairs", columns, rows)


def readings(results: Iterable[Compared]) -> Section:
    """Return how many answers of each run are unclear or missing, where any are."""
    rows = []
    for one in results:
        for name, side in zip(sides(one), (one.base, one.candidate), strict=True):
            found = side.reading or {}
            if found.get("unclear") or found.get("missing"):
                best = number(found["mean_if_unclear_right"])
                rows.append(
                    (one.benchmark, name, f"{found['unclear']:,}", f"{found['missing']:,}", best)
                )
    columns = (
        ("benchmark", False),
        ("run", False),
        ("unclear", True),
        ("missing", True),
        ("score if all unclear were right", True),
    )
    return Section("unclear and missing answers", columns, rows)


def _categories(one: Compared) -> Section:
    rows = [
        (
            clipped(each.category),
            f"{each.pairs:,}",
            signed(each.difference),
            interval(each.difference),
        )
        for each in one.categories
    ]
    base, candidate = sides(one)
    title = f"{one.benchmark} by category: {candidate} less {base}"
    if len(rows) > _MOST_CATEGORIES:
        title += f" (the first {_MOST_CATEGORIES} of {len(rows):,}; --json has all)"
        del rows[_MOST_CATEGORIES:]
    return Section(
        title,
        (("category", False), ("pairs", True), ("difference", True), ("interval", False)),
        rows,
    )


def flip_section(one: Compared, flips: Sequence[FlipText]) -> Section:
    """The flips, both answers side by side."""
    rows = [
        (
            flip.way,
            flip.id + (f" #{flip.repeat}" if flip.repeat else ""),
            clipped(flip.prompt),
            clipped(flip.target),
            answer(flip.base),
            answer(flip.candidate),
        )
        for flip in flips
    ]
    base, candidate = sides(one)
    shown = {way: sum(flip.way == way for flip in flips) for way in ("lost", "gained")}
    title = (
        f"{one.benchmark}: {shown['lost']:,} of {one.lost:,} that {candidate} lost, "
        f"{shown['gained']:,} of {one.gained:,} that it gained"
    )
    columns = (
        ("", False),
        ("sample", False),
        ("asked", False),
        ("target", False),
        (base, False),
        (candidate, False),
    )
    return Section(title, columns, rows)


def answer(given: Answer) -> str:
    """An answer in a cell: what was said, and why it scored what it did."""
    said = "no answer" if given.response is None else clipped(given.response)
    return f"{said} ({clipped(given.reason)})" if given.reason else said


def clipped(text: str, longest: int = _LONGEST) -> str:
    """The text on one line, cut where it is long.

    >>> clipped("a  b\\nc"), clipped("abcdef", 4)
    ('a b c', 'abc…')
    """
    flat = " ".join(text[: 4 * longest].split())
    return flat if len(flat) <= longest else f"{flat[: longest - 1]}…"


def signed(found: Interval | None) -> str:
    """A difference with its sign."""
    return _sign(None if found is None else found.value)


def _sign(value: float | None) -> str:
    return DASH if value is None else f"{value:+.4f}"


def interval(found: Interval | None) -> str:
    """The bounds of a difference."""
    return (
        DASH
        if found is None or found.lower is None
        else f"[{found.lower:+.4f}, {found.ci_upper:+.4f}]"
    )


def p_value(value: float) -> str:
    """A p-value in as few digits as it needs.

    >>> p_value(0.04321), p_value(0.00001), p_value(1.0)
    ('0.043', '<0.0001', '1.000')
    """
    return "<0.0001" if value < 0.0001 else f"{value:.3f}" if value >= 0.01 else f"{value:.4f}"

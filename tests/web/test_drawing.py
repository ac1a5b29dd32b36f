"""Charts of the pages: laws of their scales, and what they say to those who do not see them."""

from __future__ import annotations

import re
from decimal import Decimal
from xml.etree import ElementTree as Tree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.metrics.ability import Rated
from steelyard.spec.model import Dimension
from steelyard.web.pages.board import PER_PAGE, pager
from steelyard.web.pages.breakdown import dimensions, score_bar, weights_bar
from steelyard.web.pages.drawing import Rating, ability_row, rating_chart, scale, score_chart
from steelyard.web.pages.words import clock, span

RATINGS = st.floats(-500, 4000, allow_subnormal=False)


@given(st.lists(RATINGS, min_size=1))
def test_a_scale_shows_all_and_its_quarters_are_round(ratings: list[float]) -> None:
    on = scale(ratings)
    assert on.lower <= min(ratings)
    assert on.upper >= max(ratings)
    assert (on.upper - on.lower) % 4 == 0 or (on.upper - on.lower) / 4 in {2.5, 12.5, 25, 75}
    assert all(0 <= on.share(one) <= 1 for one in ratings)
    assert [on.share(one) for one in sorted(ratings)] == sorted(on.share(one) for one in ratings)


@given(
    st.lists(
        st.tuples(st.integers(100, 3000), st.sampled_from(["win", "draw", "loss"])),
        min_size=1,
        max_size=200,
    )
)
def test_a_history_is_drawn_from_its_start_to_its_end(events: list[tuple[int, str]]) -> None:
    drawn = rating_chart(
        [Rating(i, after, result) for i, (after, result) in enumerate(events, 1)], 1000
    )
    Tree.fromstring(drawn)
    assert drawn.count('class="curve"') == len(events)
    assert f"From 1,000 to {events[-1][0]:,} over {len(events)} match" in drawn


@given(st.lists(st.integers(0, 10_000), min_size=10, max_size=10), st.none() | st.floats(0, 1000))
def test_scores_are_drawn_by_their_result(counts: list[int], mean: float | None) -> None:
    drawn = score_chart(counts, mean)
    Tree.fromstring(drawn)
    for kind, own in (("loss", counts[:4]), ("draw", counts[4:7]), ("win", counts[7:])):
        assert drawn.count(f'class="fill-{kind}"') == sum(count > 0 for count in own)
    assert f"{sum(counts):,} finished matches" in drawn


def dimension(name: str, weight: str, color: str) -> Dimension:
    return Dimension(
        name=name,
        weight=Decimal(weight),
        kind="primitive",
        uses="exact_match",
        version="1",
        reads="field",
        run=lambda: None,
        label=name.title(),
        color=color,
    )


@pytest.mark.parametrize(
    ("colours", "fills"),
    [
        (("emerald", "gold", "gold"), ["dim-emerald", "dim-gold", "dim-gold again"]),
        (("sky", "mauve", '"><script>'), ["dim-sky", "dim-plain", "dim-plain again"]),
    ],
)
def test_each_dimension_has_a_colour_of_ours_and_no_two_look_the_same(
    colours: tuple[str, ...], fills: list[str]
) -> None:
    of = [
        dimension(f"d{i}", weight, color)
        for i, (weight, color) in enumerate(zip(("0.5", "0.3", "0.2"), colours, strict=True))
    ]
    told = {
        "score_breakdown": {"d0": {"score": 1000, "weight": 0.5, "weighted": 500.0}},
        "reasons": {"d0": "right"},
    }
    shown = dimensions(of, told)
    assert [one.fill for one in shown] == fills
    assert (shown[0].reason, shown[1].score) == ("right", None)
    widths = re.findall(r'width="([\d.]+)%"', weights_bar(shown).partition(">")[2])
    assert [float(one) for one in widths] == [50, 30, 20]
    Tree.fromstring(score_bar(shown, 500))
    assert 'class="dim-plain"' in score_bar(dimensions(of), 640), (
        "a total whose parts are not told is drawn as one"
    )


def test_an_interval_that_reaches_beyond_the_axis_stays_inside() -> None:
    drawn = ability_row(Rated(1000, -9000, 9000), scale([900, 1100]))
    assert all(0 <= float(one) <= 100 for one in re.findall(r'x[12]?="([-\d.]+)%"', drawn))


@given(st.integers(0, 100_000), st.integers(1, 3000))
def test_a_pager_leads_to_every_stretch_and_to_no_other(total: int, number: int) -> None:
    made = pager("/", number, total, {})
    assert made.count == max(1, -(-total // PER_PAGE))
    assert (made.after is not None) == (number < made.count)
    assert (made.before is not None) == (1 < number <= made.count + 1)


@given(st.floats(0, 10**7))
def test_times_are_told_without_failing(seconds: float) -> None:
    assert re.fullmatch(r"[\d.]+ (s|min|h|d)( \d+ (s|min|h))?", span(seconds))
    assert re.fullmatch(r"(\d+:)?\d+:\d\d", clock(seconds))

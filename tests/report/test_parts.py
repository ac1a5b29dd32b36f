"""What pages are put together from: markup, cut texts, shortened words, axes."""

from __future__ import annotations

import base64
import itertools
import json
import re
import zlib
from array import array
from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from report.made import sample
from steelyard.report.charts.axis import ticks
from steelyard.report.charts.curve import _apart
from steelyard.report.charts.histogram import Bins, histogram
from steelyard.report.charts.whiskers import whisker
from steelyard.report.cut import LEAST, MOST, cut, room
from steelyard.report.gathered import spread
from steelyard.report.markup import Markup, tag, text
from steelyard.report.packed import Columns, element
from steelyard.report.page_end import calibrated
from steelyard.report.words import MOST_WORDS, Words, common_words

TEXTS = st.text(max_size=300)


class Seen(HTMLParser):
    """The tags, attributes and text of some markup."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: dict[str, str | None] = {}
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.update(attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


@given(TEXTS, TEXTS)
@example("</p><script>", '" onload="x')
def test_no_text_breaks_out_of_its_tag(inside: str, attribute: str) -> None:
    seen = Seen(tag("p", inside, title=attribute))
    assert seen.tags == ["p"]
    assert list(seen.attributes) == ["title"]
    assert len(seen.text) == len(inside)


def test_markup_is_put_in_as_it_is() -> None:
    assert tag("p", Markup("<b>x</b>"), hidden=True, class_=None) == "<p hidden><b>x</b></p>"
    assert text(text("<")) == "&lt;"


@st.composite
def marked_texts(draw: st.DrawFn) -> tuple[str, int, tuple[int, int] | None]:
    whole = draw(st.text(max_size=120))
    span = draw(st.none() | st.tuples(st.integers(-2, 130), st.integers(-2, 130)))
    return whole, draw(st.integers(2, 60)), span


def spans_of(pieces: object) -> list[object]:
    return [pieces] if isinstance(pieces, str) else list(pieces)  # type: ignore[call-overload]


@given(marked_texts())
def test_a_cut_text_tells_what_it_left_out(given_: tuple[str, int, tuple[int, int] | None]) -> None:
    whole, most, span = given_
    at, shown, marked = 0, 0, []
    for piece in spans_of(cut(whole, most, span)):
        if isinstance(piece, int):
            assert piece > 0
            at += piece
            continue
        words = piece[0] if isinstance(piece, list) else piece
        assert whole[at : at + len(words)] == words
        marked += [at, at + len(words)] if isinstance(piece, list) else []
        at, shown = at + len(words), shown + len(words)
    assert at == len(whole)
    assert shown == min(most, len(whole))
    if span is not None and 0 <= span[0] < span[1] <= len(whole):
        assert marked, "what was read is always shown"
        assert span[0] <= marked[0] < marked[-1] <= span[1]
        if span[1] - span[0] <= most // 2 - 1:
            assert [marked[0], marked[-1]] == list(span), "a short mark is shown whole"
    else:
        assert not marked


@given(st.integers(1, 10**7))
def test_room_is_never_less_than_what_is_promised(samples: int) -> None:
    assert LEAST <= room(samples).answer <= MOST
    assert room(samples).answer * min(samples, 50_000) <= 30_000_000


def spelled_out(shortened: str, words: list[str]) -> str:
    """As the page does it."""
    pattern = "\uf8ff([\ue000-\uf8ff])|[\ue000-\uf8fe]"
    return re.sub(pattern, lambda found: found[1] or words[ord(found[0]) - 0xE000], shortened)


PRIVATE = st.text(st.sampled_from("ab c_1é山\ue000\ue001\uf8fe\uf8ff"), max_size=60)


@given(st.lists(PRIVATE | TEXTS, max_size=5), PRIVATE | TEXTS)
def test_shortened_words_come_out_again(learned: list[str], whole: str) -> None:
    words = Words(common_words([*learned, *learned, *learned]))
    assert spelled_out(words.shortened(whole), words.words) == whole


def test_the_words_that_save_most_are_learned() -> None:
    assert common_words([" the balance" * 3 + " the once a a a"]) == [" the", " balance"]
    assert (
        len(common_words([" ".join(f"word{n} word{n} word{n}" for n in range(7000))])) == MOST_WORDS
    )


@given(TEXTS)
def test_packed_text_is_plain_ascii_and_comes_out_again(whole: str) -> None:
    found = re.fullmatch(
        rb'<script type="text/plain" id="x">([A-Za-z0-9+/=]*)</script>\n', element("x", whole)
    )
    assert found
    assert zlib.decompress(base64.b64decode(found[1]), -15).decode() == whole


@given(st.floats(1e-6, 1e9), st.integers(2, 8))
def test_ticks_are_few_even_and_reach_far_enough(highest: float, most: int) -> None:
    found = ticks(highest, most)
    assert found[0] == 0
    assert found[-1] >= highest * 0.9999999
    assert 2 <= len(found) <= most + 1
    steps = {round((right - left) / found[1], 6) for left, right in itertools.pairwise(found)}
    assert steps == {1.0}


@given(st.lists(st.floats(0, 200), min_size=1, max_size=5))
def test_words_at_the_ends_of_lines_do_not_touch(heights: list[float]) -> None:
    found = sorted(_apart(heights))
    assert all(right - left >= 14.99 for left, right in itertools.pairwise(found))


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=200))
def test_every_value_is_in_the_histogram_or_told(values: list[float]) -> None:
    found = spread(array("d", values))
    assert found is not None
    assert sum(found.bins.counts) + found.bins.over == len(values)
    assert found.median <= found.p90 <= found.p99 <= found.highest == max(values)


@pytest.mark.parametrize("nothing", [[], ()])
def test_nothing_measured_is_nothing_told(nothing: list[float]) -> None:
    assert spread(array("d", nothing)) is None


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=40))
def test_no_bar_hides_the_counts_beside_it(counts: list[int]) -> None:
    drawn = histogram(Bins(0.0, 1.0, counts), name="n", title="t", unit="")
    places = [
        (float(x), float(width))
        for x, width in re.findall(r'<rect x="([\d.]+)%" width="([\d.]+)%"', drawn)
    ]
    assert len(places) == sum(count > 0 for count in counts)
    words = re.findall(r'<text x="0%"[^>]*>([^<]+)<', drawn)
    digit = 2.1  # percent: 11.5 pixels high, in a chart as wide as a phone has room for
    for x, width in places:
        assert x > digit * max(map(len, words))
        assert x + width <= 100.01


@pytest.mark.parametrize(
    ("value", "lower", "upper", "arrow", "lines"),
    [
        (0.5, 0.4, 0.6, "", 3),
        (0.0, 0.0, 0.2, "", 3),
        (1.0, None, None, "", 0),
        (-1.0, -1.0, -0.8, "◂", 0),
        (-0.1, -0.3, 0.2, "◂", 2),
        (0.1, -0.2, 0.4, "", 2),
        (1.2, 0.9, 1.4, "▸", 2),
    ],
)
def test_what_lies_beyond_the_axis_is_not_drawn_on_it(
    value: float, lower: float | None, upper: float | None, arrow: str, lines: int
) -> None:
    drawn = whisker({"value": value, "ci_lower": lower, "ci_upper": upper})
    assert drawn.count('class="whisker"') == lines
    assert ("<circle" in drawn) is not bool(arrow)
    assert arrow in drawn
    assert not re.search(r'"(-\d|1\d\d\.?\d*[1-9])[\d.]*%"', drawn)


RATE = {"value": 0.9, "ci_lower": 0.8, "ci_upper": 0.95}


@pytest.mark.parametrize(
    ("held", "asked", "words"),
    [
        ({"name": "a"}, "a", "a, held against 40 labels."),
        (
            {"name": "a"},
            "b",
            "a, held against 40 labels. This run was judged by b, of which these numbers say nothing.",
        ),
        ({"name": "a"}, None, "a, held against 40 labels. This run asked no judge."),
        ({"name": "r.jsonl", "kind": "recorded"}, "b", "r.jsonl, held against 40 labels."),
        ("a", "b", "the judge, held against 40 labels."),
    ],
)
def test_a_calibration_says_whose_it_is(held: object, asked: str | None, words: str) -> None:
    made = "".join(calibrated({"judge": held, "answers": {"judged": 40, "agreement": RATE}}, asked))
    assert f">{words}<" in made


@pytest.mark.parametrize(
    "odd",
    [
        3,
        "x",
        [],
        {"agreement": 3},
        {"agreement": {"value": "x", "ci_lower": True}},
        {"judged": "x", "kappa": RATE},
    ],
)
def test_an_odd_calibration_never_raises(odd: object) -> None:
    list(calibrated({"judge": odd, "answers": odd, "comparisons": odd}, "referee"))


def test_a_page_tells_any_number_of_categories_apart() -> None:
    columns = Columns(timings=False)
    for number in range(65_540):
        columns.add(sample(number, category=f"c{number}", output_tokens=2**53))
    told = json.loads(b"".join(columns.told(1)))
    assert [told["category_names"][number - 1] for number in told["categories"]] == [
        f"c{n}" for n in range(65_540)
    ]
    assert told["tokens"][0] == 2**53

"""The page of a run: one file that needs nothing, the same to the byte, and from which no text breaks out."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import zlib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from report.almanac import HOSTILE_TEXT
from report.made import sample, samples, told
from steelyard.report.page import PageOptions, write_told
from steelyard.report.sheet import KINDS
from steelyard.runs.sample_row import JudgeReply
from steelyard.score import Part, full, weigh, zero

REPORT = Path(__file__).parents[2] / "src" / "steelyard" / "data" / "report"
HOSTILE = [
    HOSTILE_TEXT,
    '"><svg onload=alert(1)>',
    "$title ${x} $$",
    "<!--samples-->",
    "\U0001f600 </style>",
    "' onclick='x",
]


class Elements(HTMLParser):
    """Every element of a page with its attributes, and what stands in scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.inside: dict[str, str] = {}
        self._last = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.seen.append((tag, found))
        self._last = found.get("id") or tag if tag in {"script", "style"} else ""

    def handle_data(self, data: str) -> None:
        if self._last:
            self.inside[self._last] = self.inside.get(self._last, "") + data

    def handle_endtag(self, tag: str) -> None:
        self._last = ""


def page_of(rows: Any, about: Any, **options: Any) -> str:
    out = io.BytesIO()
    write_told(about, rows, out, PageOptions(**options))
    return out.getvalue().decode("utf-8")


def unpacked(found: Elements, name: str) -> str:
    return zlib.decompress(base64.b64decode(found.inside[name]), -15).decode("utf-8")


def rows_of(found: Elements) -> list[dict[str, Any]]:
    words = json.loads(unpacked(found, "words"))
    pattern = "\uf8ff([\ue000-\uf8ff])|[\ue000-\uf8fe]"
    names = sorted(
        (name for name in found.inside if name.startswith("rows-")), key=lambda name: int(name[5:])
    )
    texts = [
        re.sub(pattern, lambda one: one[1] or words[ord(one[0]) - 0xE000], unpacked(found, name))
        for name in names
    ]
    return [row for text in texts for row in json.loads(text)]


def hostile_page(text: str) -> str:
    parts = weigh([Part(name=text, score=full(text)), Part(name="b", score=zero(text))]).parts
    rows = [
        sample(
            0,
            id=text,
            category=text,
            response=text,
            reason=text,
            target=text,
            extracted=text,
            span=None,
            parts=parts,
            failure=text,
            error=text,
            judge=(JudgeReply(key="k", text=text),),
        ),
        sample(1),
    ]
    about = told(2, benchmark=text, model=text, judge=text, signature=text, changes=[text])
    head = about.results["headline"]
    about.results["categories"] = {text: head}  # type: ignore[index]
    about.results["coverage"]["reasons"] = {text: 1}
    about.failures["categories"] = {text: {"count": 1, "rate": 0.5}}  # type: ignore[index]
    known = {
        "judge": {"name": text},
        "answers": {"judged": 1, "agreement": {"value": 0.5, "ci_lower": 0.1, "ci_upper": 0.9}},
    }
    return page_of(rows, about, calibration=known)


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_hostile_becomes_an_element(text: str) -> None:
    bad, good = Elements(hostile_page(text)), Elements(hostile_page("harmless"))
    assert [tag for tag, _ in bad.seen] == [tag for tag, _ in good.seen]
    assert [sorted(attributes) for _, attributes in bad.seen] == [
        sorted(attributes) for _, attributes in good.seen
    ]
    assert bad.inside["script"] == good.inside["script"]
    row = rows_of(bad)[0]
    for name in ("answer", "target", "reason", "read"):
        assert row[name] == text
    assert row["judge"] == [text]
    assert row["parts"][0]["name"] == text


def test_the_page_asks_for_nothing_and_its_policy_lets_nothing_in() -> None:
    page = page_of(samples(3), told(3))
    found = Elements(page)
    for tag, attributes in found.seen:
        assert tag not in {"img", "link", "iframe", "object", "embed", "base", "form"}
        assert not {"src", "srcset", "style", "action"} & set(attributes), tag
        assert not [name for name in attributes if name.startswith("on")]
        assert (attributes.get("href") or "#").startswith("#")
    policy = (
        next(
            attributes["content"] for tag, attributes in found.seen if attributes.get("http-equiv")
        )
        or ""
    )
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    for name in ("script", "style"):
        digest = base64.b64encode(hashlib.sha256(found.inside[name].encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy
    assert not re.search(r"https?://|//[a-z]+\.", found.inside["script"] + found.inside["style"])


def test_what_was_measured_is_told_only_where_it_is_asked_for() -> None:
    quick, slow = ([sample(n, seconds=seconds) for n in range(5)] for seconds in (0.5, 9.0))
    assert page_of(quick, told(5)) == page_of(slow, told(5))
    timed = page_of(slow, told(5), timings=True)
    assert "Latency" in timed
    assert json.loads(unpacked(Elements(timed), "columns"))["seconds"] == [9.0] * 5


def test_the_columns_and_the_rows_are_those_of_the_samples() -> None:
    found = Elements(page_of(samples(700), told(700)))
    columns = json.loads(unpacked(found, "columns"))
    assert columns["outcomes"].count("r") == 466
    assert columns["values"][:4] == [0, 1, 1, 0]
    assert columns["category_names"] == [f"kind {n}" for n in range(5)]
    rows = rows_of(found)
    assert len(rows) == 700
    assert rows[699]["asked"] == [["user", "question 699"]]
    assert "".join(
        piece if isinstance(piece, str) else piece[0] for piece in rows[5]["answer"]
    ).startswith("answer number 5 ")


def test_what_was_asked_is_told_once_a_problem() -> None:
    rows = [sample(n // 300, key=f"{n // 300}.{n % 300}", repeat=n % 300) for n in range(600)]
    asked = [
        number
        for number, row in enumerate(rows_of(Elements(page_of(rows, told(600, repeats=300)))))
        if "asked" in row
    ]
    assert asked == [0, 256, 300, 512]  # each block of 256 stands for itself


def test_samples_go_by_while_the_page_is_written() -> None:
    """They are never all held: while the last ones are made, the first blocks are in the file."""
    seen: list[int] = []
    out = io.BytesIO()

    def watched() -> Any:
        for row in samples(8000):
            seen.append(row.problem)
            yield row

    import steelyard.report.packed as packed

    written: list[int] = []
    real = packed.element

    def noting(name: str, text: str) -> bytes:
        written.append(len(seen))
        return real(name, text)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packed, "element", noting)
        write_told(told(8000), watched(), out, PageOptions())
    assert written[0] <= packed.LEARNED * packed.BLOCK < 8000


SCRIPTS = sorted({name for kind in KINDS for name in kind.scripts})


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_are_short_and_put_no_markup_together(name: str) -> None:
    script = (REPORT / "js" / f"{name}.js").read_text(encoding="utf-8")
    assert len(script.splitlines()) <= 300
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", script
    )
    assert "</script" not in script


def test_every_script_and_colour_is_used() -> None:
    assert {path.stem for path in (REPORT / "js").glob("*.js")} == set(SCRIPTS)
    assert {path.stem for path in REPORT.glob("*.css")} == {
        name for kind in KINDS for name in kind.styles
    }
    assert {path.name for path in REPORT.glob("*.html")} == {
        "page.html",
        *(kind.template for kind in KINDS),
    }
    style = "".join(path.read_text(encoding="utf-8") for path in REPORT.glob("*.css"))
    assert {"--emerald", "--coral", "--gold", "--purple", "--sky"} <= set(
        re.findall(r"--[a-z]+(?=\))", style)
    )


def test_the_head_is_said_once() -> None:
    for kind in KINDS:
        assert "<head>" not in (REPORT / kind.template).read_text(encoding="utf-8")
    assert "<!--body-->" in (REPORT / "page.html").read_text(encoding="utf-8")

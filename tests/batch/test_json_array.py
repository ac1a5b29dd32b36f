"""JSON documents: arrays and single objects are read item by item; nothing else is scored as if it were lines."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import Commands
from steelyard.batch import Source
from steelyard.batch import block as blocks
from steelyard.batch.json_array import json_blocks
from steelyard.errors import DataError

ROWS = [
    {"id": 1, "response": 'a "{[" \\', "target": "x", "metadata": {"n": [1, {"x": "}]"}]}},
    {"id": 2, "response": "κόσμε\n", "target": 7},
    {"id": 3, "response": "", "target": "[", "metadata": {}},
]
RIGHT = '{"response": "4", "target": "4"}'


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


class Pieces(Source):
    """A source whose bytes come in the given pieces; an empty one says that nothing comes for now."""

    def __init__(self, path: str, pieces: list[bytes]) -> None:
        super().__init__(path)
        self._pieces = pieces

    def as_they_come(self, stream: Any) -> Any:
        return iter(self._pieces)


def items(source: Source) -> list[Any]:
    found = [
        (number, json.loads(line))
        for block in json_blocks(source)
        for number, line in zip(block.lines or (), block.data.splitlines(), strict=True)
    ]
    assert [number for number, _ in found] == list(range(1, len(found) + 1))
    return [value for _, value in found]


@given(
    rows=st.lists(
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(),
            lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
            max_leaves=6,
        )
    ),
    indent=st.sampled_from([None, 1]),
    unicode=st.booleans(),
    size=st.integers(1, 40),
)
def test_any_array_is_read_in_any_pieces(
    rows: list[Any], indent: int | None, unicode: bool, size: int, tmp_path_factory: Any
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.touch()
    data = json.dumps(rows, indent=indent, ensure_ascii=unicode).encode()
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    assert items(Pieces(str(path), [b"", *pieces, b"", b" \n"])) == rows


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("lines.json", "\n".join(map(json.dumps, ROWS))),
        ("compact.json", json.dumps(ROWS)),
        ("pretty.json", json.dumps(ROWS, indent=2)),
        ("crlf.json", json.dumps(ROWS, indent=2).replace("\n", "\r\n")),
        ("bom.json", "\ufeff" + json.dumps(ROWS)),
        ("packed.json.gz", json.dumps(ROWS, indent=2)),
    ],
)
def test_arrays_and_lines_give_the_same_scores(
    name: str, data: str, steelyard: Commands, tmp_path: Path
) -> None:
    raw = data.encode()
    (tmp_path / name).write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
    ran = steelyard("score", "--scorer", "exact_match", tmp_path / name, "-o", "out.jsonl")
    assert ran.code == 0, ran.err
    found = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert [(row["id"], row["line"]) for row in found] == [(1, 1), (2, 2), (3, 3)]


def test_a_single_object_is_one_row(steelyard: Commands, tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(json.dumps(json.loads(RIGHT), indent=4))
    ran = steelyard("score", "--scorer", "numeric_match", tmp_path / "one.json", "--json")
    found = json.loads(ran.out)
    assert (ran.code, found["mean"], found["scored"], found["total"]) == (0, 1.0, 1, 1)


def test_a_bad_item_is_named_by_its_number(steelyard: Commands, tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text(f'[\n{RIGHT},\n{{"response": tru}}, 3,\n{RIGHT}, {RIGHT}]')
    ran = steelyard("score", "--scorer", "numeric_match", path, "-o", "out.jsonl", "--json")
    assert ran.code == 2
    assert ran.err.splitlines() == [
        f"bad line: {path}: item 2: not JSON: invalid character (byte 17)",
        f"bad line: {path}: item 3: a row is a JSON object: expected object, got number",
    ]
    assert (json.loads(ran.out)["mean"], json.loads(ran.out)["scored"]) == (1.0, 3)
    strict = steelyard("score", "--scorer", "numeric_match", path, "--strict")
    assert strict.err.startswith(f"error: {path}: item 2: not JSON")
    piped = steelyard(
        "score", "--scorer", "numeric_match", "--format", "json", "-", "-q", stdin=path.read_bytes()
    )
    assert piped.err.startswith("bad line: <stdin>: item 2: not JSON")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ('"text"', ":1: expected a JSON array of rows, or an object"),
        ("\n\n3", ":3: expected a JSON array of rows, or an object"),
        ("response,target\n4,4", ":1: expected a JSON array of rows, or an object"),
        (f"[{RIGHT}] x", ":1: not JSON: nothing may follow the array"),
        (f"[{RIGHT}]\n[{RIGHT}]", ":2: not JSON: nothing may follow the array"),
        ('{\n"response": "4"}\n{}', ":3: not JSON: nothing may follow the object"),
        (f"[{RIGHT}", ":1: not JSON: a comma or the end of the array is expected after item 1"),
        (f"[{RIGHT}\n{RIGHT}]", ":2: not JSON: a comma or the end of the array"),
        (f"[{RIGHT},\n", ":2: not JSON: it ends inside a value that begins here"),
        (f"[{RIGHT},\n]", ":2: not JSON: a value is expected"),
        (f"[{RIGHT},\n" + '{"response": "4', ":2: not JSON: it ends inside a value"),
        ('[{"a": "b\n"}]', ":1: not JSON: a text is not closed on its line"),
        ("[12", ":1: not JSON: it ends inside a value"),
        ("[]", ": there are no rows to score"),
        ("", ": there are no rows to score"),
    ],
)
def test_anything_else_has_one_error_line_and_no_mean(
    data: str, told: str, steelyard: Commands, tmp_path: Path
) -> None:
    path = tmp_path / "in.json"
    path.write_text(data)
    ran = steelyard("score", "--scorer", "numeric_match", path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"error: {path}{told}")
    assert ran.err.count("\n") == 1


def test_a_long_array_that_breaks_off_has_no_mean(steelyard: Commands, tmp_path: Path) -> None:
    path = tmp_path / "in.json"
    path.write_text("[" + ",\n".join([RIGHT] * 20_000))
    ran = steelyard("score", "--scorer", "numeric_match", path, "-o", tmp_path / "out.jsonl")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        f"error: {path}:20000: not JSON: a comma or the end of the array is expected "
        "after item 20000\n"
    )


def test_a_value_that_is_too_long_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steelyard.batch.json_array.LINE_LIMIT", 1000)
    path = tmp_path / "in.json"
    path.write_text("[1,\n" + '{"response": "' + "x" * blocks.BLOCK_BYTES)
    with pytest.raises(DataError, match=r"in\.json:2: a value is longer than"):
        items(Source(str(path)))


def test_memory_stays_flat(tmp_path: Path) -> None:
    path = tmp_path / "in.json"
    long = json.dumps({"response": "x" * 2_000, "target": "x"})
    path.write_text("[" + ",".join([long] * 12_000) + "]")
    tracemalloc.start()
    try:
        count = sum(block.rows for block in Source(str(path)).blocks())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 12_000
    assert peak < path.stat().st_size / 3


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_there_is_no_mean_where_most_lines_are_bad(
    kind: str, steelyard: Commands, tmp_path: Path
) -> None:
    good, bad = (RIGHT, "3") if kind == "jsonl" else ("4,4", "4")
    head = [] if kind == "jsonl" else ["response,target"]
    path = tmp_path / f"in.{kind}"
    for lines, shown in (([good, bad], True), ([good, bad, bad], False)):
        path.write_text("\n".join([*head, *lines]) + "\n")
        args = ("score", "--scorer", "numeric_match", path, "-o", "out.jsonl")
        ran, plain = steelyard(*args, "--json", "--by", "id"), steelyard(*args)
        found = json.loads(ran.out)
        assert ran.code == plain.code == 2
        assert (found["mean"], found["breakdown"][0]["mean"]) == (
            (1.0, 1.0) if shown else (None, None)
        )
        assert (found["accuracy"], found["worst"], found["best"]) == (
            (1.0, 0.5, 1.0) if shown else (None, 1 / 3, 1.0)
        )
        assert ("mean            1.0000" in plain.out) is shown
        told = "2 of 3 lines are bad: more than half, so there is no mean"
        assert (told in ran.err, told in plain.err) == (not shown, not shown)
        rows = [json.loads(line)["value"] for line in Path("out.jsonl").read_text().splitlines()]
        assert rows == [1.0, *[None] * (len(lines) - 1)]

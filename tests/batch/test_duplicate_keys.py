"""A key that is given twice makes a bad line, wherever it is in a row."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import Commands
from steelyard.batch.block import Block
from steelyard.batch.rows import ANSWER_FIELDS, SUBMISSION_FIELDS, Rows, Unreadable

TARGET, TEXT = "the key 'target' is given twice", "the key 'text' is given twice"
TRUTH, INSIDE = "the key 'truth' is given twice", "truth: the key 'a' is given twice"
ANSWERS = {
    '{"response": "x", "target": "a", "target": "b"}': TARGET,
    '{"target": "a", "response": 1, "target": "b"}': TARGET,
    '{"response": NaN, "target": "a", "target": "b"}': TARGET,
    '{"response": "x", "target": 1, "target": 1}': TARGET,
    '{"response": "x", "target": "a", "metadata": {"target": 1, "x": "target"}}': "",
    '{"response": "\\"target\\": \\"target\\"", "target": "target"}': "",
    '{"response": "x", "response": "y", "target": "a"}': "the key 'response' is given twice",
    '{"response": "x", "target": "a", "metadata": {"b": {"a": 1, "a": 1}}}': "metadata: the key 'a' is given twice",
    '{"response": "x", "target": "a", "more": [{"a":1,"a"  :1}]}': "more: the key 'a' is given twice",
    '{"response" : "x", "id"  : 1, "target":"a"}': "",
    '{"response": "a\\u003ab", "target": ":"}': "",
    '{"response": "a\\u003ab", "target": "a", "\\u0074arget": 1}': TARGET,
    '{"response": "x"}': "",
}
SUBMISSIONS = {
    '{"submission": 1, "truth": {"a": 1, "a": 2}}': INSIDE,
    '{"submission": 1, "truth": {"b": [1, {"a": {}, "a": 2}]}}': INSIDE,
    '{"submission": 1, "truth": {"a" : 1, "a" : 2}}': INSIDE,
    '{"submission": NaN, "truth": {"a": 1, "a": 2}}': INSIDE,
    '{"submission": 1, "truth": {"a\\u0022": 1, "a": 1, "a": 2}}': INSIDE,
    '{"submission": 1, "truth": {"a": 1}, "truth": {"a": 2}}': TRUTH,
    '{"submission": {"a": 1, "a": 2}, "truth": {"a": 1}}': "submission: the key 'a' is given twice",
    '{"submission": {"truth": {"a": 1}}, "truth": {"a": [{"a": 0.5}, {"a": "\\":"}]}}': "",
    '{"submission": 1, "truth": {"a" : 1, "b"  :  1, "c\\u0022:": 2}}': "",
    '{"submission": 1, "truth": "\\"a\\": \\"a\\":"}': "",
    '{"submission": 1}': "",
}


def read(rows: Rows, lines: list[str]) -> list[str]:
    """What is wrong with each row of a block."""
    found = rows.block(Block("f", 1, len(lines), "".join(line + "\n" for line in lines).encode()))[
        1
    ]
    return [row.message if isinstance(row, Unreadable) else "" for row in found]


KINDS = {"answers": (ANSWER_FIELDS, ANSWERS), "submissions": (SUBMISSION_FIELDS, SUBMISSIONS)}


@pytest.mark.parametrize(("fields", "cases"), KINDS.values(), ids=KINDS)
def test_they_are_found_alone_and_among_others(
    fields: dict[str, Any], cases: dict[str, str]
) -> None:
    rows = Rows(fields, exact=fields is SUBMISSION_FIELDS)
    for line, wrong in cases.items():
        assert read(rows, [line]) == [wrong], line
        good = next(line for line, wrong in cases.items() if not wrong)
        assert read(rows, [good, line, good]) == ["", wrong, ""], line
    assert read(rows, list(cases)) == list(cases.values())
    plain = [line for line in cases if "NaN" not in line]  # which are decoded together
    assert read(rows, plain) == [cases[line] for line in plain]


def test_also_where_the_field_has_another_name() -> None:
    cases = {
        '{"response": "x", "gold": {"text": "a", "text": "b"}}': f"gold: {TEXT}",
        '{"response": "x", "gold": {"text": "a"}}': "",
        '{"response": "x", "gold": {"text": "a"}, "gold": {"text": "b"}}': "the key 'gold' is given twice",
        '{"response": "x", "gold": {"text": "a"}, "more": {"text": 1, "text": 2}}': f"more: {TEXT}",
    }
    assert read(Rows(ANSWER_FIELDS, {"target": "gold.text"}), list(cases)) == list(cases.values())
    assert read(
        Rows(ANSWER_FIELDS, {"target": "text"}), ['{"response": "x", "text": 1, "text": 2}']
    ) == [TEXT]
    assert read(
        Rows(ANSWER_FIELDS, {"target": "text"}),
        ['{"response": "x", "text": 1, "target": 1, "target": 2}'],
    ) == [TARGET]


VALUES = st.recursive(
    st.sampled_from(["1", '"a"', '"\\":"', "0.5", "null"]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda parts: f"[{','.join(parts)}]"),
        st.lists(
            st.tuples(
                st.sampled_from(["a", "b", "truth"]), st.sampled_from([":", ": ", " : "]), inner
            ),
            max_size=3,
        ).map(
            lambda pairs: (
                "{" + ",".join(f'"{key}"{colon}{value}' for key, colon, value in pairs) + "}"
            )
        ),
    ),
)


@given(st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=5))
def test_as_a_reader_of_pairs_would(written: list[tuple[str, str]]) -> None:
    def refuse(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise KeyError
        return dict(pairs)

    def repeats(text: str) -> bool:
        try:
            json.loads(text, object_pairs_hook=refuse)
        except KeyError:
            return True
        return False

    found = read(
        Rows(SUBMISSION_FIELDS, exact=True),
        [f'{{"submission":{got},"truth":{want}}}' for got, want in written],
    )
    assert [bool(wrong) for wrong in found] == [repeats(f"[{a},{b}]") for a, b in written]


def test_such_a_row_is_a_bad_line_with_its_id(steelyard: Commands, tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    doubled = '{"id": "a", "response": "x", "target": "x", "target": "y", "topic": "t"}\n'
    path.write_text(doubled + '{"response": "x", "target": "x"}\n')
    args = ["score", "--scorer", "exact_match", path, "--by", "topic", "-o", tmp_path / "out.jsonl"]
    ran = steelyard(*args, "--json")
    assert (ran.code, ran.err) == (2, f"bad line: {path}:1: {TARGET}\n")
    assert [(group["name"], group["scored"]) for group in json.loads(ran.out)["breakdown"]] == [
        ("t", 0),
        ("unknown", 1),
    ]
    assert json.loads((tmp_path / "out.jsonl").read_text().splitlines()[0])["id"] == "a"
    assert steelyard(*args, "--strict").err == f"error: {path}:1: {TARGET}\n"


@pytest.mark.parametrize("name", ["in.csv", "in.parquet"])
def test_also_in_tables(name: str, steelyard: Commands, tmp_path: Path) -> None:
    same = {"primitive": "exact_match", "field": "a"}
    spec = {"dimensions": [{"name": one, "weight": 0.5, **same} for one in ("one", "two")]}
    (tmp_path / "spec.json").write_text(json.dumps(spec))
    (tmp_path / "in.csv").write_text('submission,truth\n"{""a"": 1}","{""a"": 1, ""a"": 2}"\n')
    pq.write_table(
        pa.table({"submission": ['{"a": 1}'], "truth": ['{"a": 1, "a": 2}']}),
        tmp_path / "in.parquet",
    )
    ran = steelyard("score", "--spec", tmp_path / "spec.json", tmp_path / name)
    assert ran.code == 2
    assert ran.err.startswith(
        f"bad line: {tmp_path / name}:{2 if name == 'in.csv' else 1}: {INSIDE}\n"
    )

"""Runs: a closed denominator, sums that do not depend on how rows are spread, outputs, signatures."""

from __future__ import annotations

import gzip
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.batch import Options, ScorerPlan, Source, Summary, score_files
from steelyard.batch.reasons import MOST_KINDS, OTHERS
from steelyard.batch.score_block import BlockScorer
from steelyard.batch.tally import MOST_GROUPS, Moments, Tally
from steelyard.errors import DataError, EngineError, SpecError
from steelyard.score import Score

OWN = '''
def half(sample, part=0.5):
    """Give a part of the marks."""
    return part

def crash(sample):
    return 1 / 0 if sample.response == "1" else {"correct": True}

def judge(sample):
    return {"correct": False, "needs_judge": True} if sample.response == "1" else True

def odd(sample):
    detail = {"set": {1}, "type": int, "text": "\\ud800"} if sample.response == "1" else {"set": {1}}
    return {"correct": True, "detail": detail}

def nothing(sample):
    return None

def refuse(sample):
    from steelyard import DataError
    raise DataError("no good")
'''


def write_rows(folder: Path, count: int = 4) -> str:
    rows = (
        {"response": str(n), "target": str(n), "metadata": {"kind": n % 2}} for n in range(count)
    )
    (folder / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "own.py").write_text(OWN)
    return str(folder / "in.jsonl")


def score(
    folder: Path,
    scorer: str,
    *,
    out: str = "out.jsonl",
    plan: dict[str, Any] | None = None,
    **options: Any,
) -> tuple[Summary, list[dict[str, Any]]]:
    path = write_rows(folder)
    name = str(folder / "own.py") + f":{scorer}" if scorer in OWN else scorer
    bound = ScorerPlan(scorer=name, **(plan or {}))
    bound.check()
    summary = score_files(bound, [Source(path)], Options(output=str(folder / out), **options))
    lines = (folder / out).read_bytes().splitlines() if out.endswith("jsonl") else []
    return summary, [json.loads(line) for line in lines]


@pytest.mark.parametrize("lost", ["data", "tally"])
def test_rows_that_are_lost_on_the_way_are_our_fault(
    lost: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = BlockScorer.__call__

    def losing(self: BlockScorer, block: Any) -> Any:
        done = whole(self, block)
        return done._replace(
            **({"data": done.data.partition(b"\n")[2]} if lost == "data" else {"tally": Tally()})
        )

    monkeypatch.setattr(BlockScorer, "__call__", losing)
    with pytest.raises(
        EngineError, match=r"^4 rows were read, [04] counted and [24] written; these have to agree$"
    ):
        score(tmp_path, "exact_match")


@pytest.mark.parametrize(
    "text",
    ["\n{ROW}\n\n{ROW}", "{ROW}\r\n \t\r\n{ROW}\r\n", "nonsense\n{ROW}\n\x0c\n", "{ROW}\n{ROW}\n"],
)
@pytest.mark.parametrize("limit", [None, 1, 2])
def test_blank_lines_are_no_rows(text: str, limit: int | None, tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text(text.replace("{ROW}", '{"response": "x", "target": "x"}'))
    assert score_files(
        ScorerPlan(scorer="exact_match"), [Source(str(path))], Options(limit=limit)
    ).total == (limit or 2)


@pytest.mark.parametrize(
    ("scorer", "counts", "bounds", "code"),
    [
        ("exact_match", (4, 0, 0), (1.0, 1.0, 1.0), 0),
        ("half", (4, 0, 0), (0.5, 0.5, 0.5), 0),
        ("crash", (3, 0, 1), (1.0, 0.75, 1.0), 1),
        ("judge", (3, 1, 0), (1.0, 0.75, 1.0), 1),
        ("odd", (4, 0, 0), (1.0, 1.0, 1.0), 0),
        ("nothing", (0, 0, 4), (None, 0.0, 1.0), 1),
        ("refuse", (0, 0, 4), (None, 0.0, 1.0), 2),
    ],
)
def test_the_denominator_is_closed(
    scorer: str,
    counts: tuple[int, int, int],
    bounds: tuple[float | None, ...],
    code: int,
    tmp_path: Path,
) -> None:
    summary, rows = score(tmp_path, scorer)
    assert (summary.scored, summary.pending, summary.unscored) == counts
    assert (summary.mean, summary.worst, summary.best) == bounds
    assert (summary.total, len(rows), summary.exit_code) == (4, 4, code)
    assert sum(row["value"] is not None for row in rows) == summary.scored
    assert sum(summary.unscored_reasons.values()) == summary.pending + summary.unscored


def test_scores_read_back_as_they_were(tmp_path: Path) -> None:
    score(tmp_path, "numeric_match")
    line = (tmp_path / "out.jsonl").read_bytes().splitlines()[3]
    found = msgspec.json.decode(line, type=Score)
    assert (found.value, found.correct, found.extracted, found.span) == (1.0, True, "3", (0, 1))


def test_a_breakdown_is_closed_too(tmp_path: Path) -> None:
    summary, _ = score(tmp_path, "crash", plan={"by": "kind"})
    assert [(g.name, g.total, g.scored, g.mean) for g in summary.breakdown] == [
        ("0", 2, 2, 1.0),
        ("1", 2, 1, 1.0),
    ]


def test_parameters_reach_the_scorer(tmp_path: Path) -> None:
    assert score(tmp_path, "half", plan={"params": {"part": 0.25}})[0].mean == 0.25
    with pytest.raises(SpecError, match="did you mean 'part'"):
        score(tmp_path, "half", plan={"params": {"pert": 0.25}})


def test_what_shapes_the_number_shapes_the_signature(tmp_path: Path) -> None:
    first = score(tmp_path, "half")[0].signature_text
    assert score(tmp_path, "half")[0].signature_text == first
    others = [
        score(tmp_path, "half", plan={"params": {"part": 0.5}})[0],
        score(tmp_path, "crash")[0],
        score(tmp_path, "half", limit=2)[0],
    ]
    path = write_rows(tmp_path, 5)
    others.append(
        score_files(ScorerPlan(scorer=str(tmp_path / "own.py") + ":half"), [Source(path)])
    )
    write_rows(tmp_path)
    (tmp_path / "own.py").write_text(OWN + "# another file\n")
    others.append(
        score_files(ScorerPlan(scorer=str(tmp_path / "own.py") + ":half"), [Source(path)])
    )
    assert len({first, *(summary.signature_text for summary in others)}) == 1 + len(others)


def test_what_shapes_no_number_shapes_no_signature(tmp_path: Path) -> None:
    def signed(**plan: Any) -> str:
        return score(tmp_path, "numeric_match", plan=plan)[0].signature_text

    assert signed() == signed(params={"mode": "marked"}) == signed(fields={"response": "response"})
    others = [signed(params={"mode": "last"}), signed(fields={"response": "target"})]
    assert len({signed(), *others}) == 3
    (tmp_path / "own.py").write_text(OWN)
    own = [
        ScorerPlan(scorer=f"{tmp_path / 'own.py'}:half", no_target=given).identity
        for given in (True, False)
    ]
    assert own[0] != own[1]
    schema: dict[str, Any] = {"params": {"schema": {}}}  # takes the place of a target anyway
    without = [
        score(tmp_path, "json_schema", plan={**schema, "no_target": given})[0].signature
        for given in (True, False)
    ]
    assert without[0] == without[1]


def test_how_rows_are_spread_over_files_shapes_no_signature(tmp_path: Path) -> None:
    path = Path(write_rows(tmp_path))
    lines = path.read_bytes().splitlines(keepends=True)
    parts = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    parts[0].write_bytes(lines[0])
    parts[1].write_bytes(b"".join(lines[1:]))
    plan = ScorerPlan(scorer="exact_match")
    whole, split = (
        score_files(plan, [Source(str(path))]),
        score_files(plan, [Source(str(part)) for part in parts]),
    )
    assert whole.signature == split.signature
    assert split.files[0].sha256 not in {split.files[1].sha256, whole.files[0].sha256}
    first = score_files(plan, [Source(str(part)) for part in parts], Options(limit=1))
    assert first.signature == score_files(plan, [Source(str(parts[0]))]).signature


def test_several_files_are_told_apart(tmp_path: Path) -> None:
    path = write_rows(tmp_path)
    options = Options(output=str(tmp_path / "out.jsonl"))
    summary = score_files(ScorerPlan(scorer="exact_match"), [Source(path), Source(path)], options)
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_bytes().splitlines()]
    assert [(row["file"], row["line"]) for row in rows] == [
        (path, n) for n in (1, 2, 3, 4, 1, 2, 3, 4)
    ]
    assert summary.signature.data not in {None, summary.files[0].sha256}


@pytest.mark.parametrize("name", ["out.jsonl.gz", "out.jsonl.zst"])
def test_packed_outputs_hold_the_same_lines(name: str, tmp_path: Path) -> None:
    score(tmp_path, "exact_match")
    score(tmp_path, "exact_match", out=name)
    packed = tmp_path / name
    data = (
        gzip.decompress(packed.read_bytes())
        if name.endswith("gz")
        else pa.input_stream(str(packed)).read()
    )
    assert data == (tmp_path / "out.jsonl").read_bytes()


def test_parquet_holds_the_same_rows(tmp_path: Path) -> None:
    _, rows = score(tmp_path, "numeric_match")
    score(tmp_path, "numeric_match", out="out.parquet")
    table = pq.read_table(tmp_path / "out.parquet").to_pylist()
    assert [
        (r["line"], r["value"], r["correct"], r["extracted"], r["span"], r["reason"]) for r in table
    ] == [
        (r["line"], r["value"], r["correct"], r["extracted"], r["span"], r.get("reason", ""))
        for r in rows
    ]


def test_a_run_without_rows_of_its_own_kind_of_output(tmp_path: Path) -> None:
    for name in ("out.csv", "out", "out.parquet.gz"):
        with pytest.raises(DataError, match=r"JSON Lines|named"):
            score(tmp_path, "exact_match", out=name)


def test_strict_stops_before_the_bad_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"in\.jsonl:1: no good"):
        score(tmp_path, "refuse", strict=True)
    assert (tmp_path / "out.jsonl").read_bytes() == b""


@pytest.mark.parametrize("limit", [1, 3, 4, 100])
def test_a_limit_counts_rows(limit: int, tmp_path: Path) -> None:
    summary, rows = score(tmp_path, "exact_match", limit=limit)
    assert summary.total == len(rows) == min(limit, 4)


def test_a_limit_takes_rows_in_their_order_good_and_bad(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("response,target\na,a\nb,b\nbad\nc,c\n")
    (tmp_path / "in.jsonl").write_bytes(
        b'{"response":"a",\r"target":"a"}\n\n{"response":"b","target":"b"}\nbad\n{}\n'
    )
    for name, wanted in (("in.csv", [2, 3, 4, 5]), ("in.jsonl", [1, 3, 4, 5])):
        for limit in (1, 2, 3, 4):
            options = Options(output=str(tmp_path / "out.jsonl"), limit=limit)
            score_files(ScorerPlan(scorer="exact_match"), [Source(str(tmp_path / name))], options)
            rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_bytes().splitlines()]
            assert [row["line"] for row in rows] == wanted[:limit]
            assert [row["value"] for row in rows][:2] == [1.0, 1.0][:limit]


def test_memory_does_not_grow_with_what_rows_say() -> None:
    total = Tally()
    for n in range(2 * MOST_GROUPS):
        block = Tally()
        block.add_groups([f"g{n}"], [Score(value=1.0, correct=True)])
        block.reasons[f"reason {n}"] += 1
        total.merge(block)
        total.why.merge({"".join(chr(97 + int(digit)) for digit in f"{n:05}"): 1})
    assert len(total.groups) == MOST_GROUPS + 1
    assert len(total.why.counts()) <= MOST_KINDS + 1
    assert total.why.counts()[OTHERS] == MOST_GROUPS * 2 + 1 - MOST_KINDS
    assert sum(total.why.counts().values()) == 4 * MOST_GROUPS
    assert sum(moments.total for moments in total.groups.values()) == 2 * MOST_GROUPS


@given(
    st.lists(st.none() | st.sampled_from([0.0, 1.0, 0.1, 0.25]), min_size=1, max_size=30),
    st.integers(1, 30),
)
def test_sums_do_not_depend_on_the_cut(values: list[float | None], cut: int) -> None:
    scores = [Score(value=value, correct=value == 1) for value in values]
    whole, first, second = Moments(), Moments(), Moments()
    whole.add(scores)
    first.add(scores[:cut])
    second.add(scores[cut:])
    first.merge(second)
    known = [Fraction(value) for value in values if value is not None]
    assert first.total == whole.total == len(values)
    assert first.scored == whole.scored == len(known)
    if known:
        assert first.mean == pytest.approx(float(sum(known) / len(known)), abs=1e-15)
        assert first.worst <= first.mean <= first.best
        assert first.binary == all(value in {0, 1} for value in known)


def test_intervals() -> None:
    binary, graded, single = Moments(), Moments(), Moments()
    binary.add([Score(value=float(n < 3), correct=n < 3) for n in range(4)])
    graded.add([Score(value=n / 4, correct=False) for n in range(4)])
    single.add([Score(value=1.0, correct=True)])
    assert [m.interval().method for m in (binary, graded)] == ["wilson", "student"]
    assert single.interval() is None

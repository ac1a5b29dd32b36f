"""The chained journal: an edit breaks it and is named, a killed run does not."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from commands import Commands
from runs.support import Bench, files
from steelyard.errors import DataError
from steelyard.runs.journal import Journal, JournalEnd
from steelyard.runs.lines import AttemptLine, encode

Edit = Callable[[list[bytes]], list[bytes]]
DIGEST = re.compile(rb',"chain":"[0-9a-f]{32}"')


def replaced(old: bytes, new: bytes, *, kind: bytes) -> tuple[Edit, Callable[[list[bytes]], int]]:
    """An edit of the first line of that kind that has the text, and the number of that line."""

    def place(lines: list[bytes]) -> int:
        return next(n for n, line in enumerate(lines) if old in line and kind in line)

    def edit(lines: list[bytes]) -> list[bytes]:
        at = place(lines)
        return [*lines[:at], lines[at].replace(old, new, 1), *lines[at + 1 :]]

    return edit, lambda lines: place(lines) + 1


def spaced(lines: list[bytes]) -> list[bytes]:
    return [*lines[:9], json.dumps(json.loads(lines[9])).encode() + b"\n", *lines[10:]]


DEEP = b'{"kind":"score","key":"0.0","score":{"detail":{"a":' + b"[" * 100_000
# What is done to the lines, and the line that is named.
EDITS: dict[str, tuple[Edit, Callable[[list[bytes]], int]]] = {
    "a reply": replaced(b'"response":"Answer: 4"', b'"response":"Answer: 2"', kind=b'"attempt"'),
    "a score": replaced(b'"value":0.0,"correct":false', b'"value":1.0,"correct":true', kind=b"{"),
    "a space": (spaced, lambda lines: 10),
    "no digest": (
        lambda lines: [*lines[:9], DIGEST.sub(b"", lines[9]), *lines[10:]],
        lambda lines: 10,
    ),
    "rubbish": (lambda lines: [*lines[:9], b"rubbish\n", *lines[10:]], lambda lines: 10),
    "a dropped line": (lambda lines: [*lines[:9], *lines[10:]], lambda lines: 10),
    "the first line dropped": (lambda lines: lines[1:], lambda lines: 1),
    "a doubled line": (lambda lines: [*lines[:10], *lines[9:]], lambda lines: 11),
    "the last line doubled": (lambda lines: [*lines, lines[-1]], lambda lines: len(lines) + 1),
    "two lines swapped": (
        lambda lines: [*lines[:9], lines[10], lines[9], *lines[11:]],
        lambda lines: 10,
    ),
    "the last line dropped": (lambda lines: lines[:-1], lambda lines: len(lines) - 1),
    "the end dropped": (lambda lines: lines[:20], lambda lines: 20),
    "all dropped": (lambda lines: [], lambda lines: 1),
    "the last line unreadable": (
        lambda lines: [*lines[:-1], b"rubbish\n"],
        len,
    ),
    "rubbish after the end": (lambda lines: [*lines, b"rubbish\n"], lambda lines: len(lines) + 1),
    "too deep": (
        lambda lines: [*lines[:9], DEEP + b"\n", *lines[10:]],
        lambda lines: 10,
    ),
    "all digests": (
        lambda lines: [DIGEST.sub(b"", line).replace(b"Answer: 4", b"Answer: 2") for line in lines],
        len,
    ),
}


@pytest.fixture
def run(bench: Bench, tmp_path: Path, steelyard: Commands) -> Path:
    assert steelyard(*bench.args(tmp_path / "run")) == (0, "", "")
    return tmp_path / "run"


def journal_lines(run: Path) -> list[bytes]:
    return (run / "journal.jsonl").read_bytes().splitlines(keepends=True)


def strip_chain(run: Path) -> None:
    """Make it a run of a version before the chain."""
    lines = [DIGEST.sub(b"", line) for line in journal_lines(run)]
    (run / "journal.jsonl").write_bytes(b"".join(lines))
    about = json.loads((run / "run.json").read_text(encoding="utf-8"))
    del about["journal"]
    (run / "run.json").write_text(json.dumps(about), encoding="utf-8")


@pytest.mark.parametrize("name", EDITS)
def test_an_edited_journal_is_refused_with_its_line(
    bench: Bench, run: Path, tmp_path: Path, steelyard: Commands, name: str
) -> None:
    edit, place = EDITS[name]
    lines = journal_lines(run)
    (run / "journal.jsonl").write_bytes(b"".join(edit(lines)))
    before = {path.name: path.read_bytes() for path in run.iterdir()}
    for command in (
        bench.args(run, "--resume"),
        ["eval", "rescore", run],
        ["eval", "rejudge", run, "--offline"],
        ["eval", "report", run],
        ["compare", run, run],
        ["gate", run, run, "--margin", 0.1],
    ):
        refused = steelyard(*command)
        assert refused.code == 2, (command, refused)
        assert f"journal.jsonl:{place(lines)}: " in refused.err, (command, refused.err)
        assert "restore the file" in refused.err
    assert {path.name: path.read_bytes() for path in run.iterdir()} == before


def test_a_journal_that_is_gone_is_missed(run: Path, steelyard: Commands) -> None:
    (run / "journal.jsonl").unlink()
    refused = steelyard("eval", "report", run)
    assert refused.code == 2
    assert "journal.jsonl: there is no such file, and run.json names its line" in refused.err


def test_the_digests_are_those_that_the_guide_describes(run: Path) -> None:
    digest = ""
    for line in journal_lines(run):
        body, _, rest = line.partition(b',"chain"')
        digest = hashlib.sha256(digest.encode() + body).hexdigest()[:32]
        assert rest.decode() == f':"{digest}"}}\n'
    about = json.loads((run / "run.json").read_text(encoding="utf-8"))
    assert about["journal"] == {"lines": len(journal_lines(run)), "digest": digest}


def test_what_a_killed_run_leaves_is_accepted_and_told(
    bench: Bench, run: Path, tmp_path: Path, steelyard: Commands
) -> None:
    whole = files(run)
    lines = journal_lines(run)
    about = json.loads((run / "run.json").read_text(encoding="utf-8"))
    digest = json.loads(lines[49])["chain"]
    about["journal"] = {"lines": 50, "digest": digest}
    (run / "run.json").write_text(json.dumps(about), encoding="utf-8")
    (run / "journal.jsonl").write_bytes(b"".join(lines[:-1]) + lines[-1][:-9])
    told = steelyard("eval", "report", run)
    assert told.code == 0, told.err
    later = len(lines) - 51
    assert f"lines written after the run last stopped in order: {later}" in told.err
    assert "its last line is incomplete" in told.err
    args = [arg for arg in bench.args(run, "--resume") if arg != "-q"]
    again = steelyard(*args)
    assert again.code == 0, again.err
    assert f"lines written after the run last stopped in order: {later}" in again.err
    assert files(run) == whole
    assert steelyard("eval", "rescore", run).err == ""


def test_a_run_that_never_stopped_in_order_is_named(
    bench: Bench, run: Path, steelyard: Commands
) -> None:
    about = json.loads((run / "run.json").read_text(encoding="utf-8"))
    about["journal"], about["status"] = None, "running"
    (run / "run.json").write_text(json.dumps(about), encoding="utf-8")
    assert "the run never stopped in order" in steelyard("eval", "report", run).err
    assert steelyard(*bench.args(run, "--resume")).code == 0
    assert steelyard("eval", "report", run).err == ""


@pytest.mark.parametrize("resume", [True, False])
def test_an_edit_of_the_judge_file_stays_in_the_notes(
    resume: bool, bench: Bench, run: Path, tmp_path: Path, steelyard: Commands
) -> None:
    path, new = run / "judge.jsonl", tmp_path / "new"
    path.write_text(path.read_text(encoding="utf-8").replace('score\\": 5', 'score\\": 1'))
    made = (
        steelyard(*bench.args(run, "--resume", "--repeats", 2))
        if resume
        else steelyard("eval", "rejudge", run, "--offline", "--output", new)
    )
    assert made.code == 0, made.err
    about = json.loads(((run if resume else new) / "run.json").read_text(encoding="utf-8"))
    assert any(
        "judge.jsonl was edited after the run had stopped" in note for note in about["changes"]
    )


def test_a_run_from_before_the_chain_is_read_and_its_chain_begins(
    bench: Bench, run: Path, steelyard: Commands
) -> None:
    strip_chain(run)
    for command in (["eval", "report", run], ["eval", "rescore", run]):
        told = steelyard(*command)
        assert told.code == 0, told.err
        assert "it is not chained, so edits of it cannot be noticed" in told.err
    assert "the journal of run: it is not chained" in steelyard("compare", run, run).out
    old = len(journal_lines(run))
    assert steelyard(*bench.args(run, "--resume", "--repeats", 2)).code == 0
    assert f"it is chained from line {old + 1} on" in steelyard("eval", "report", run).err
    lines = journal_lines(run)
    lines[3] = lines[3].replace(b"Answer", b"answer").replace(b"correct", b"c0rrect")
    (run / "journal.jsonl").write_bytes(b"".join(lines))
    refused = steelyard("eval", "report", run)
    assert (refused.code, f"journal.jsonl:{old + 1}: " in refused.err) == (2, True), refused.err


def test_a_run_that_was_made_of_another_has_a_chain_of_its_own(
    run: Path, tmp_path: Path, steelyard: Commands
) -> None:
    for number, command in enumerate(("rescore", "rejudge --offline")):
        new = tmp_path / f"new-{number}"
        assert steelyard("eval", *command.split(), run, "--output", new, "-q").code == 0
        assert steelyard("eval", "report", new).err == ""
        lines = journal_lines(new)
        (new / "journal.jsonl").write_bytes(b"".join(lines[:4] + lines[5:]))
        assert "journal.jsonl:5: the chain is broken" in steelyard("eval", "report", new).err


def test_the_chain_goes_on_after_a_cut_at_any_byte(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"

    def line(place: int) -> bytes:
        return encode(AttemptLine(key=f"{place}.0", asked="a", response="é" * place))

    with closing(Journal.open(path, lambda line, offset: None)) as journal:
        journal.append([line(0), line(1)])
        end = journal.last
        journal.append([line(2), line(3)])
    whole = path.read_bytes()
    needed = len(b"".join(whole.splitlines(keepends=True)[:2]))
    for cut in range(len(whole) + 1):
        path.write_bytes(whole[:cut])
        if cut < needed:
            with pytest.raises(DataError, match="does not come to line 2"):
                Journal.open(path, lambda line, offset: None, end)
            assert path.read_bytes() == whole[:cut]
            continue
        with closing(Journal.open(path, lambda line, offset: None, end)) as journal:
            assert journal.state.later == whole[:cut].count(b"\n") - 2
            journal.append([line(4)])
            last = journal.last
        with closing(Journal.reading(path, lambda line, offset: None, end)) as again:
            assert (again.last, again.state.notes[1:]) == (last, [])


def test_a_chain_that_does_not_come_to_the_end_that_is_named(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with closing(Journal.open(path, lambda line, offset: None)) as journal:
        journal.append([encode(AttemptLine(key="0.0", asked="a"))])
    with pytest.raises(DataError, match="does not come to line 1"):
        Journal.open(path, lambda line, offset: None, JournalEnd(1, "0" * 32))

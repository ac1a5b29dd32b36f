"""Outputs that must not change: each case is run and compared with its files in expected/.

`make golden` writes the files again. Commit them alone, and say why they changed.
"""

from __future__ import annotations

import gzip
import os
import shlex
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from golden import journeys
from golden.snapshot import READERS, mask, read_text

HERE = Path(__file__).parent
EXPECTED = HERE / "expected"
COMMANDS: dict[str, list[str]] = {
    name: case["commands"]
    for name, case in tomllib.loads((HERE / "cases.toml").read_text()).items()
}
JOURNEYS: dict[str, Callable[[journeys.Journey], None]] = {
    "runs": journeys.play_runs,
    "arena": journeys.play_arena,
    "names": journeys.list_names,
}
NAMES = [*COMMANDS, *JOURNEYS]


def make_inputs(folder: Path) -> None:
    """Copy the inputs, and pack the answers in the other formats."""
    import pyarrow as pa
    import pyarrow.csv as table
    import pyarrow.parquet as pq

    shutil.copytree(HERE / "inputs", folder, dirs_exist_ok=True)
    answers = (folder / "answers.jsonl").read_bytes()
    (folder / "answers.jsonl.gz").write_bytes(gzip.compress(answers, mtime=0))
    (folder / "answers.jsonl.zst").write_bytes(pa.compress(answers, codec="zstd", asbytes=True))
    pq.write_table(table.read_csv(folder / "answers.csv"), folder / "answers.parquet")


def written_files(folder: Path, before: set[Path]) -> dict[str, str]:
    """The masked text of each file that was not there before."""
    written = [path for path in sorted(folder.rglob("*")) if path.is_file() and path not in before]
    found = {}
    for path in written:
        if path.suffix not in journeys.UNKEPT and "__pycache__" not in path.parts:
            name = str(path.relative_to(folder)) + (".txt" if path.suffix in READERS else "")
            found[name] = mask(read_text(path), folder)
    return found


def expected_files(case: str) -> dict[str, str]:
    folder = EXPECTED / case
    return {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def write_expected(case: str, found: dict[str, str]) -> None:
    shutil.rmtree(EXPECTED / case, ignore_errors=True)
    for name, text in found.items():
        path = EXPECTED / case / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("case", NAMES)
def test_outputs_are_the_golden_ones(case: str, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    make_inputs(folder)
    before = set(folder.rglob("*"))
    journey = journeys.Journey(folder)
    if case in COMMANDS:
        for command in COMMANDS[case]:
            journey.run(*shlex.split(command))
    else:
        JOURNEYS[case](journey)
    found = written_files(folder, before)
    found |= {name: mask(text, folder) for name, text in journey.printed.items()}
    if os.environ.get("GOLDEN") == "write":
        write_expected(case, found)
    expected = expected_files(case)
    assert found.keys() == expected.keys()
    for name, text in found.items():
        assert text == expected[name], f"expected/{case}/{name} differs"


def test_every_golden_folder_has_a_case() -> None:
    assert sorted(path.name for path in EXPECTED.iterdir()) == sorted(NAMES)

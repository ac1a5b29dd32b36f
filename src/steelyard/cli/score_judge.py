"""The judge of ``steelyard score``, as its options name it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from steelyard.errors import DataError

if TYPE_CHECKING:
    from steelyard.batch.answer_judge import JudgeAddress

_ENDINGS = (".gz", ".zst", ".jsonl", ".ndjson", ".parquet", ".pq")


def judge_address(
    url: str | None, name: str | None, key_env: str | None, store: str | None, output: str | None
) -> JudgeAddress | None:
    """Return where the judge is and where its calls are stored; None where no option names one."""
    if url is None:
        for option, value in (("id", name), ("key-env", key_env), ("store", store)):
            if value is not None:
                raise DataError(f"--judge-{option} needs --judge-url, the judge's endpoint")
        return None
    if not name:
        raise DataError("--judge-url needs --judge-id, the judge's name there")
    if not store and output in {None, "-"}:
        raise DataError(
            "--judge-url needs --judge-store FILE, or an --output file beside which the calls are stored"
        )
    from steelyard.batch.answer_judge import JudgeAddress

    path = store or store_beside(str(output))
    return JudgeAddress(url=url, name=name, key_env=key_env, store=path)


def store_beside(output: str) -> str:
    """Return the file for the judge's calls beside an output.

    >>> store_beside("out/scores.jsonl.gz")
    'out/scores.judge.jsonl'
    """
    path = Path(output)
    while path.suffix in _ENDINGS:
        path = path.with_suffix("")
    return str(path) + ".judge.jsonl"

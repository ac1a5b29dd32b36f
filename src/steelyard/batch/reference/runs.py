"""Score repeated runs, each a folder of solutions."""

from __future__ import annotations

import os
from collections.abc import Callable

import msgspec

from steelyard.batch.reference.ids import file_stem
from steelyard.batch.reference.record import write_whole
from steelyard.batch.reference.run import FolderTask, score_folder
from steelyard.batch.reference.run_folders import RunFolder, find_runs
from steelyard.batch.reference.run_summary import RunsSummary, summarise_runs
from steelyard.batch.reference.summary import ReferenceSummary
from steelyard.errors import DataError

RUNS = "runs.json"


def score_runs(
    task: FolderTask, pattern: str, *, on_run: Callable[[RunFolder], None] = lambda run: None
) -> RunsSummary:
    """Score each folder that the pattern names against the task's references, and summarise by setting.

    The scores of a run go to ``{output}/{setting}/run_{n}``, the summary of all to ``{output}/runs.json``.
    Scores that are there already are held against references, solutions, judge and settings, as in one run.
    """
    found: list[tuple[RunFolder, ReferenceSummary]] = []
    for run in find_runs(pattern):
        on_run(run)
        summary = score_folder(_task_of(task, run))
        found.append((run, summary))
        if summary.interrupted:
            break
    whole = summarise_runs(pattern, found)
    write_whole(os.path.join(task.output, RUNS), whole.to_json())
    return whole


def _task_of(task: FolderTask, run: RunFolder) -> FolderTask:
    steps = [file_stem(run.setting)] if run.setting else []
    output = os.path.join(task.output, *steps, f"run_{run.n}")
    if os.path.realpath(output) == os.path.realpath(run.path):
        raise DataError(
            "the scores would go among the solutions; choose another --output", file=run.path
        )
    return msgspec.structs.replace(task, solutions=run.path, output=output)

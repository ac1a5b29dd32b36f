"""Score repeated runs, each a folder of solutions, or take up folders that have been scored."""

from __future__ import annotations

import os
from collections.abc import Callable

import msgspec

from steelyard.batch.reference.folder import SCORES, SUMMARY, json_files
from steelyard.batch.reference.ids import file_stem
from steelyard.batch.reference.record import ProblemScore, read_record, write_whole
from steelyard.batch.reference.run import FolderTask, score_folder
from steelyard.batch.reference.run_folders import RunFolder, find_runs
from steelyard.batch.reference.run_summary import RunsSummary, summarise_runs
from steelyard.batch.reference.summary import ReferenceSummary
from steelyard.batch.reference.summing import summary_of
from steelyard.batch.reference.work import light
from steelyard.errors import DataError

RUNS = "runs.json"


def score_runs(
    task: FolderTask, pattern: str, *, on_run: Callable[[RunFolder], None] = lambda run: None
) -> RunsSummary:
    """Score each folder that the pattern names against the task's references, and summarise by setting.

    The scores of a run go to ``{output}/{setting}/run_{n}``, the summary of all to ``{output}/runs.json``. A
    folder that holds scores instead of solutions is taken as it is, if its settings are those of the task.
    """
    found: list[tuple[RunFolder, ReferenceSummary]] = []
    for run in find_runs(pattern):
        on_run(run)
        summary = taken_up(run, task) if is_scored(run.path) else score_folder(_task_of(task, run))
        found.append((run, summary))
        if summary.interrupted:
            break
    whole = summarise_runs(pattern, found)
    os.makedirs(task.output, exist_ok=True)
    write_whole(os.path.join(task.output, RUNS), whole.to_json())
    return whole


def _task_of(task: FolderTask, run: RunFolder) -> FolderTask:
    steps = [file_stem(run.setting)] if run.setting else []
    output = os.path.join(task.output, *steps, f"run_{run.n}")
    if os.path.realpath(output) == os.path.realpath(run.path):
        raise DataError("the scores would go among the solutions; choose another --output", file=run.path)
    return msgspec.structs.replace(task, solutions=run.path, output=output)


def is_scored(folder: str) -> bool:
    """Whether a folder holds scores, and nothing that could be a solution."""
    names = [os.path.basename(path) for path in json_files(folder)]
    return any(name.endswith(SCORES) for name in names) and all(
        name.endswith(SCORES) or name in {SUMMARY, RUNS} for name in names
    )


def taken_up(run: RunFolder, task: FolderTask) -> ReferenceSummary:
    """The summary of a folder that has been scored; a file that is no whole score is a DataError."""
    records: list[ProblemScore] = []
    wanted = task.settings.as_dict()
    for path in json_files(run.path):
        if not path.endswith(SCORES):
            continue
        record = read_record(path)
        if record is None:
            raise DataError("is no whole score; score this run again", file=path)
        if record.signature.settings != wanted:
            raise DataError(
                "was made with other settings; score this run again, or give them here", file=path
            )
        if task.select.takes(record.id):
            records.append(light(record))
    return summary_of(records, settings=wanted, reused=len(records))

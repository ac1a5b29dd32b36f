"""Recompute a stored run from its own files, and name what differs.

The replies in the journal are scored again into a temporary folder, the verdicts of a judge are
read from its stored replies again, and the files that come out are compared with those of the run.
Scores that cannot be computed stay as they are stored, so that means and intervals can be computed
all the same.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Container, Iterator, Mapping
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec

from steelyard.bench.conversation import Conversation
from steelyard.bench.definition import make_benchmark
from steelyard.bench.scorers import is_own
from steelyard.errors import DataError, SteelyardError
from steelyard.foreign import repeated_key
from steelyard.registry import SCORERS
from steelyard.runs.again import Check, How, Rescored, rescored
from steelyard.runs.changes import changes
from steelyard.runs.files import (
    ATTEMPTS,
    FAILURES,
    JUDGE,
    REPORT_HTML,
    REPORT_MARKDOWN,
    RESULTS,
    SCORES,
    TIMINGS,
    read_json,
)
from steelyard.runs.journal import NAME as JOURNAL
from steelyard.runs.journal import Break, replay
from steelyard.runs.judge_file import calls_of, judge_digest
from steelyard.runs.lines import ScoreLine, encode, sample_place
from steelyard.runs.opened import Run
from steelyard.runs.outputs import Sample, sample_at, without_score
from steelyard.runs.plan import RunPlan, signature
from steelyard.runs.run_file import NAME as RUN
from steelyard.runs.run_file import RunFile
from steelyard.runs.stored import stored_judge, stored_plan, stored_prices
from steelyard.trust.verification import Kind, Verification, walk
from steelyard.version import __version__

ReportCheck = Callable[[Path, Path], bool]
NO_CODE = "--no-code"
_MOST_CHANGES = 3
_MOST_SAMPLES = 100_000_000
# What the sandbox measures, or what a program prints: evidence, and not the same every time.
_MEASURED = {"sandbox", "stdout", "stderr", "wall_s", "cpu_s", "peak_memory", "seconds"}


def verify_run(
    folder: Path, *, run_code: bool = True, is_report: ReportCheck | None = None
) -> Verification:
    """Score a stored run again and compare its files with the outcome; the run is not changed.

    Without ``run_code`` no program is run, and the stored verdicts on programs are not verified.
    ``is_report`` says whether a report is what the files of a run give.
    """
    about = RunFile.read(folder)
    for name in ("engine", "benchmark", "model"):
        if name not in about.shapes:
            raise DataError(f"shapes.{name} is missing", file=str(folder / RUN))
    if not 0 <= about.problems * about.repeats <= _MOST_SAMPLES:
        why = f"problems × repeats is not from 0 to {_MOST_SAMPLES:,}"
        raise DataError(why, file=str(folder / RUN))
    # The standard output belongs to the results; what a user's scorer prints goes elsewhere.
    with contextlib.redirect_stdout(sys.stderr):
        verifier = _Verifier(folder, about, run_code=run_code)
        return verifier.run(is_report)


class _Verifier:
    """Verifies one run."""

    def __init__(self, folder: Path, about: RunFile, *, run_code: bool) -> None:
        self._folder, self._about, self._run_code = folder, about, run_code
        self._found = Verification(about)
        self._total = about.problems * about.repeats
        self._kept = bytearray(self._total)  # 1 where the stored score was taken over
        self._unscorable = ""
        self._runs_code = False
        self._calls: Container[str] = ()

    def run(self, is_report: ReportCheck | None) -> Verification:
        """Compute everything again, and compare."""
        plan = self._plan()
        if plan is None or not (self._folder / JOURNAL).exists():
            self._check_journal()
            return self._found
        breaks = list[Break]()
        with contextlib.ExitStack() as stack:
            judge = None
            if self._about.judge and not self._unscorable and (self._folder / JUDGE).exists():
                from steelyard.judge.store import JudgeStore  # most runs have no judge

                judge = stored_judge(self._about, plan.benchmark)
                store = JudgeStore(self._folder / JUDGE, offline=True)
                self._calls = stack.enter_context(store)
            how = How(
                by="verify",
                plan=plan,
                judge=judge,
                prices=stored_prices(self._about),
                check=Check(keeps=self._keeps, stays=self._stays, breaks=breaks),
            )
            again = stack.enter_context(rescored(self._folder, how))
            self._found.journal = again.old.journal.state
            self._add_breaks(breaks)
            self._compare(again)
            # They differ wherever a file differs that they are made from.
            if is_report is not None and not len(self._found.differences):
                self._check_reports(is_report)
        return self._found

    def _compare(self, again: Rescored) -> None:
        self._compare_signature()
        if self._about.status == "running":
            why = "the files beside the journal: the run was killed; eval run --resume writes them"
            self._found.skip("file", why)
            self._compare_journal(again, bytearray(self._total))
            return
        self._compare_rows(ATTEMPTS, again.folder)
        self._compare_journal(again, self._compare_rows(SCORES, again.folder))
        self._compare_rows(TIMINGS, again.folder)
        self._compare_judge_file(again.folder)
        for name in (RESULTS, FAILURES):
            self._compare_document(name, again.folder)

    # What can be computed.

    def _plan(self) -> RunPlan | None:
        """The run's own plan, or one made of its rows if its scorer or dataset cannot be had."""
        try:
            plan = stored_plan(self._about)
        except SteelyardError as wrong:
            self._unscorable = str(wrong)
        else:
            changed = _benchmark_changes(self._about, plan)
            if not changed:
                self._runs_code = plan.benchmark.needs_sandbox
                return plan
            shown = [*changed[:_MOST_CHANGES], *(["…"] if len(changed) > _MOST_CHANGES else [])]
            self._unscorable = f"the benchmark has changed since ({'; '.join(shown)})"
        if self._about.status == "running":
            self._found.skip("file", self._unscorable)
            return None
        try:
            return _plan_of_rows(self._folder, self._about)
        except DataError as wrong:
            self._found.differ(Path(wrong.file).name, line=wrong.line, note=wrong.message)
            self._found.skip("file", self._unscorable)
            return None

    def _keeps(self, sample: Sample) -> bool:
        """Whether the score of a reply is taken over as it is stored."""
        if self._unscorable:
            self._keep(sample, "score", self._unscorable)
        elif sample.score == without_score(sample.attempt):
            self._keep(sample, "sample", "the run stopped before they were scored")
        elif self._runs_code and not self._run_code:
            self._keep(sample, "code verdict", f"{NO_CODE} skips them", by_choice=True)
        return bool(self._kept[sample.place])

    def _stays(self, was: Sample, now: Sample) -> bool:
        """Whether a stored score stays, since the new one could not be computed."""
        if self._kept[was.place]:
            return False
        calls = list(calls_of(was.score))
        if now.score.pending and was.score.pending:
            self._keep(was, "sample", "no verdict of the judge is stored")
        elif was.score.pending and self._about.status == "running":
            self._keep(was, "sample", "the run was killed before they were judged")
        elif now.score.pending and was.judged and calls:
            lost = next((call for call in calls if call not in self._calls), None)
            if lost is not None:
                note = f"has no call {lost}, on which its score rests"
                self._found.differ(JUDGE, sample=was.key, note=note)
                self._keep(was, "judge verdict", "the reply is not stored")
            elif self._about.shapes["engine"] == __version__:
                note = f"the call {calls[0]} asks about another reply than the stored one"
                self._found.differ(JUDGE, sample=was.key, note=note)
                self._keep(was, "judge verdict", "the judge was asked about another reply")
            else:
                self._keep(was, "judge verdict", "this version asks the judge in other words")
        elif self._runs_code and now.score.value is None and was.score.value is not None:
            self._keep(was, "code verdict", now.score.reason)
        return bool(self._kept[was.place])

    def _keep(self, sample: Sample, what: str, why: str, *, by_choice: bool = False) -> None:
        if not self._kept[sample.place]:
            self._kept[sample.place] = 1
            self._found.skip(what, why, by_choice=by_choice)

    # The journal.

    def _check_journal(self) -> None:
        """Follow the chain where nothing can be scored."""
        path, breaks = self._folder / JOURNAL, list[Break]()
        if path.exists():
            self._found.journal = replay(
                path, lambda line, at: None, self._about.journal, breaks=breaks
            )
            self._add_breaks(breaks)
            return
        self._found.skip("file", f"{JOURNAL}: there is no such file")
        if self._about.journal is not None:
            self._found.differ(
                JOURNAL, note="there is no such file, and run.json names its last line"
            )

    def _add_breaks(self, breaks: list[Break]) -> None:
        self._found.broken = bool(breaks)
        for one in breaks:
            self._found.differ(JOURNAL, line=one.line, note=one.why)

    def _compare_journal(self, again: Rescored, known: bytearray) -> None:
        """Compare the stored scores and count the computed ones; ``known`` samples are told."""
        for place in range(self._total):
            was, now = sample_at(again.old, place), sample_at(again.new, place)
            if was.attempt is None or was.attempt.error or self._kept[place]:
                continue
            kind: Kind = "code verdict" if self._runs_code else "score"
            self._found.recomputed["judge verdict" if now.judged else kind] += 1
            if not known[place]:
                for field, stated, computed in walk(_plain(was), _plain(now)):
                    self._differ_in_score(JOURNAL, field, stated, computed, sample=was.key)

    # The files that were made from it.

    def _compare_signature(self) -> None:
        about = self._about
        if about.shapes["engine"] == __version__:
            computed = signature(about.shapes, repeats=about.repeats, problems=about.problems)
            self._found.compare(RUN, "signature", about.signature, computed)

    def _compare_rows(self, name: str, folder: Path) -> bytearray:
        """Compare the lines of a file by their samples; 1 for each sample that differs."""
        differing, about = bytearray(self._total), self._about
        if (path := self._existing(name)) is None:
            return differing
        place_of = partial(sample_place, problems=about.problems, repeats=about.repeats)
        computed = _Rows(folder / name, place_of, self._total)
        for number, line in enumerate(_lines(path), 1):
            if line == computed.line:
                computed.advance()
                continue
            if (key := repeated_key(line)) is not None:
                note = f"the key {key!r} is given twice"
                self._found.differ(name, line=number, note=note)
            row = _decoded(line) or {}
            place = place_of(str(row.get("key")))
            if place is None:
                note = "the line is not one of the run's samples"
                self._found.differ(name, line=number, note=note)
                continue
            while computed.place < place:
                self._miss(name, number, computed)
            if computed.place > place:
                note = "the line is doubled, or not in its place"
                self._found.differ(name, line=number, sample=row["key"], note=note)
                continue
            for field, stated, found in walk(row, computed.row):
                differing[place] = 1
                self._differ_in_score(name, field, stated, found, line=number, sample=row["key"])
            computed.advance()
        while computed.line:
            self._miss(name, None, computed)
        return differing

    def _miss(self, name: str, line: int | None, computed: _Rows) -> None:
        note = "the sample's line is missing here"
        self._found.differ(name, line=line, sample=computed.row["key"], note=note)
        computed.advance()

    def _differ_in_score(
        self, name: str, field: str, stated: Any, computed: Any, **where: Any
    ) -> None:
        if not (self._runs_code and _MEASURED & set(field.split("."))):
            self._found.differ(name, field=field, stated=stated, computed=computed, **where)

    def _compare_judge_file(self, folder: Path) -> None:
        """Compare the calls by their order, and the whole file with the digest in run.json."""
        noted = self._about.judge_digest
        if not noted and not (self._folder / JUDGE).exists():
            return
        if (path := self._existing(JUDGE)) is None:
            return
        stated, computed = _call_keys(path), _call_keys(folder / JUDGE)
        for number, (one, other) in enumerate(zip_longest(stated, computed), 1):
            if one != other:
                note = "the call is doubled, or not in its place"
                self._found.differ(JUDGE, line=number, note=note)
                break
        if noted and judge_digest(self._folder) != noted:
            note = "was edited: its SHA-256 is not the judge_digest of run.json"
            self._found.differ(JUDGE, note=note)

    def _compare_document(self, name: str, folder: Path) -> None:
        if (path := self._existing(name)) is None:
            return
        try:
            stated = read_json(path)
        except DataError as wrong:
            self._found.differ(name, note=wrong.message)
            return
        for field, one, other in walk(stated, read_json(folder / name)):
            self._found.differ(name, field=field, stated=one, computed=other)

    def _check_reports(self, is_report: ReportCheck) -> None:
        """Check the reports, which need not be there, against the run's files."""
        paths = [self._folder / name for name in (REPORT_MARKDOWN, REPORT_HTML)]
        paths = [path for path in paths if path.exists()]
        if not paths or self._about.status == "running":
            return
        if self._about.shapes["engine"] != __version__:
            self._found.skip("file", "the reports: another version made them")
            return
        for path in paths:
            if is_report(self._folder, path):
                self._found.files.append(path.name)
            elif path.name == REPORT_MARKDOWN:
                note = "is not the report of these files; eval report makes it again"
                self._found.differ(path.name, note=note)
            else:
                why = "is not made of these files alone (an edit, or a calibration from elsewhere)"
                self._found.skip("file", f"{path.name} {why}")

    def _existing(self, name: str) -> Path | None:
        """The path of a file of the run; one that is missing is a difference."""
        path = self._folder / name
        if not path.exists():
            self._found.differ(name, note="there is no such file")
            return None
        self._found.files.append(name)
        return path


def _benchmark_changes(about: RunFile, plan: RunPlan) -> list[str]:
    """What shapes a score and has changed since the run, but for the version of a stock scorer."""
    scorer = plan.benchmark.scorer
    stock = scorer.name in SCORERS and not is_own(scorer)
    now = plan.shapes(about.shapes["model"])["benchmark"]
    found = [
        str(change)
        for change in changes(about.shapes["benchmark"], now)
        if not (stock and change.path == "scorer.version")
    ]
    if not found and len(plan.problems) != about.problems:
        found = [f"problems: {about.problems} → {len(plan.problems)}"]
    return found


def _plan_of_rows(folder: Path, about: RunFile) -> RunPlan:
    """A plan with the questions and targets that the files of the run state; it cannot score."""
    cluster = "cluster" if about.shapes["benchmark"].get("cluster_field") else ""
    benchmark = make_benchmark(
        about.benchmark,
        partial(_stated_rows, folder, about),
        Conversation("asked"),
        msgspec.structs.replace(SCORERS.get("exact_match"), needs="nothing"),
        category_field="category",
        cluster_field=cluster,
    )
    return RunPlan(benchmark, reference=about.reference, repeats=about.repeats)


def _stated_rows(folder: Path, about: RunFile) -> Iterator[Mapping[str, Any]]:
    for row in Run(folder, about, {}).samples(judge=False, timings=False):
        if row.repeat == 0:
            yield {
                "id": row.id,
                "asked": msgspec.to_builtins(row.messages),
                "target": row.target,
                "category": row.category,
                "cluster": row.cluster,
            }


def _plain(sample: Sample) -> Any:
    """A score as its line in the journal has it."""
    line = encode(ScoreLine(key=sample.key, score=sample.score, judged=sample.judged))
    return msgspec.json.decode(line)


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as lines:
        yield from lines


class _Rows:
    """The lines of a computed file, one at a time; after the last one the line is empty."""

    def __init__(self, path: Path, place_of: Callable[[str], int | None], total: int) -> None:
        self._lines, self._place_of, self._total = _lines(path), place_of, total
        self.line, self.place = b"", 0
        self.row: dict[str, Any] = {}
        self.advance()

    def advance(self) -> None:
        """Go to the next line; its place is that of its sample."""
        self.line = next(self._lines, b"")
        self.row = msgspec.json.decode(self.line) if self.line else {}
        self.place = (self._place_of(self.row["key"]) or 0) if self.line else self._total


def _call_keys(path: Path) -> Iterator[Any]:
    return ((_decoded(line) or {}).get("key") for line in _lines(path))


def _decoded(line: bytes) -> dict[str, Any] | None:
    try:
        found = msgspec.json.decode(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None

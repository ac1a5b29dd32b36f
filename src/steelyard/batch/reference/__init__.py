"""Folders of references: lint them, score solutions against them, and keep the scores."""

from steelyard.batch.reference.answer_format import format_errors, solution_schema
from steelyard.batch.reference.asked import JudgeAddress
from steelyard.batch.reference.lint import ReferenceFinding, ReferenceLint, lint_references
from steelyard.batch.reference.problem import problem_schema, read_problem
from steelyard.batch.reference.record import ProblemScore, ReferenceFault
from steelyard.batch.reference.recorded import RecordedJudge, load_judge
from steelyard.batch.reference.run import FolderTask, score_folder
from steelyard.batch.reference.run_summary import RunsSummary, SettingSummary
from steelyard.batch.reference.runs import score_runs
from steelyard.batch.reference.settings import Selection, Settings
from steelyard.batch.reference.summary import ReferenceSummary

__all__ = [
    "FolderTask",
    "JudgeAddress",
    "ProblemScore",
    "RecordedJudge",
    "ReferenceFault",
    "ReferenceFinding",
    "ReferenceLint",
    "ReferenceSummary",
    "RunsSummary",
    "Selection",
    "SettingSummary",
    "Settings",
    "format_errors",
    "lint_references",
    "load_judge",
    "problem_schema",
    "read_problem",
    "score_folder",
    "score_runs",
    "solution_schema",
]

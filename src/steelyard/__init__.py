"""Steelyard weighs answers: a number that a reader can trust, with the reason for it.

The public names load their modules when first used, so importing the package stays fast.

>>> import steelyard
>>> steelyard.exact_match(steelyard.ScorerInput(response="  Paris.  ", target="paris")).correct
True
"""

from __future__ import annotations

import importlib

from steelyard.version import __version__

TYPE_CHECKING = False  # as typing has it, which takes longer to load than all this: a Ctrl-C then would show a traceback
if TYPE_CHECKING:  # what a type checker sees; at run time __getattr__ loads the same names
    from steelyard import batch, metrics, primitives, reading, reference, scoring, spec
    from steelyard.arena.client import ArenaClient
    from steelyard.arena.tracker import ReplayTracker
    from steelyard.bench import benchmark
    from steelyard.errors import DataError, EngineError, RuleError, SpecError, SteelyardError
    from steelyard.judge import JudgeScoringConfig
    from steelyard.metrics import (
        ArtifactCollector,
        bootstrap_ci,
        category_breakdown,
        classify_failure,
        pass_at_k,
        wilson_interval,
    )
    from steelyard.reading.found import Found, Trace
    from steelyard.registry import extractor, primitive, scorer
    from steelyard.runs.compare import compare
    from steelyard.runs.opened import open_run
    from steelyard.sample import Attempt, Sample
    from steelyard.score import Part, Score, full, graded, pending, unscored, weigh, zero
    from steelyard.scoring import (
        ScorerInput,
        answer_line,
        code_sandbox,
        code_sandbox_many,
        exact_match,
        extract_json,
        fuzzy_match,
        judge_score,
        multichoice_regex,
        needs_judge,
        numeric_match,
        validate_json_schema,
    )
    from steelyard.spec import (
        SOLO_DRAW_THRESHOLD,
        SOLO_WIN_THRESHOLD,
        Evaluation,
        Result,
        Spec,
        dims,
        evaluate,
        lint_spec,
        load_spec,
        score_to_result,
    )

_HOMES = {
    "steelyard.arena.client": ("ArenaClient",),
    "steelyard.arena.tracker": ("ReplayTracker",),
    "steelyard.bench": ("benchmark",),
    "steelyard.errors": ("DataError", "EngineError", "RuleError", "SpecError", "SteelyardError"),
    "steelyard.score": ("Part", "Score", "full", "graded", "pending", "unscored", "weigh", "zero"),
    "steelyard.sample": ("Attempt", "Sample"),
    "steelyard.runs.compare": ("compare",),
    "steelyard.runs.opened": ("open_run",),
    "steelyard.registry": ("extractor", "primitive", "scorer"),
    "steelyard.reading.found": ("Found", "Trace"),
    "steelyard.judge": ("JudgeScoringConfig",),
    "steelyard.metrics": (
        "ArtifactCollector",
        "bootstrap_ci",
        "category_breakdown",
        "classify_failure",
        "pass_at_k",
        "wilson_interval",
    ),
    "steelyard.scoring": (
        "ScorerInput",
        "answer_line",
        "code_sandbox",
        "code_sandbox_many",
        "exact_match",
        "extract_json",
        "fuzzy_match",
        "judge_score",
        "multichoice_regex",
        "needs_judge",
        "numeric_match",
        "validate_json_schema",
    ),
    "steelyard.spec": (
        "SOLO_DRAW_THRESHOLD",
        "SOLO_WIN_THRESHOLD",
        "Evaluation",
        "Result",
        "Spec",
        "dims",
        "evaluate",
        "lint_spec",
        "load_spec",
        "score_to_result",
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_MODULES = ("batch", "metrics", "primitives", "reading", "reference", "scoring", "spec")

__all__ = [
    "SOLO_DRAW_THRESHOLD",
    "SOLO_WIN_THRESHOLD",
    "ArenaClient",
    "ArtifactCollector",
    "Attempt",
    "DataError",
    "EngineError",
    "Evaluation",
    "Found",
    "JudgeScoringConfig",
    "Part",
    "ReplayTracker",
    "Result",
    "RuleError",
    "Sample",
    "Score",
    "ScorerInput",
    "Spec",
    "SpecError",
    "SteelyardError",
    "Trace",
    "__version__",
    "answer_line",
    "batch",
    "benchmark",
    "bootstrap_ci",
    "category_breakdown",
    "classify_failure",
    "code_sandbox",
    "code_sandbox_many",
    "compare",
    "dims",
    "evaluate",
    "exact_match",
    "extract_json",
    "extractor",
    "full",
    "fuzzy_match",
    "graded",
    "judge_score",
    "lint_spec",
    "load_spec",
    "metrics",
    "multichoice_regex",
    "needs_judge",
    "numeric_match",
    "open_run",
    "pass_at_k",
    "pending",
    "primitive",
    "primitives",
    "reading",
    "reference",
    "score_to_result",
    "scorer",
    "scoring",
    "spec",
    "unscored",
    "validate_json_schema",
    "weigh",
    "wilson_interval",
    "zero",
]


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return importlib.import_module(f"steelyard.{name}")
    if name in _HOME_OF:
        found = getattr(importlib.import_module(_HOME_OF[name]), name)
        globals()[name] = found  # the next look-up does not come here
        return found
    raise AttributeError(f"module 'steelyard' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

"""What scores a benchmark's answers: a registered scorer, a function of the user's, or a spec."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from steelyard.batch.own import OwnFile
from steelyard.bench.datasets import import_name
from steelyard.errors import SpecError
from steelyard.functions import source_version
from steelyard.reading.json_values import extract_json
from steelyard.registry import SCORERS, Registered
from steelyard.score import Score, zero
from steelyard.scoring.types import ScorerInput
from steelyard.spec import Spec, evaluate, load_spec, spec_signature
from steelyard.spec.running import runs_programs

_JUDGES = frozenset({"needs_judge", "judge_score"})
_RUNNERS = frozenset({"code_sandbox", "code_sandbox_many"})
_SUITES = frozenset(
    {"tests", "script"}
)  # ours by these names; in a user's code they would be any tests and scripts


def find_scorer(given: Any, base: Path, *, path: str = "scorer") -> Registered:
    """The scorer that is meant: a function, a registered name, ``file.py:function`` or ``package.module:function``."""
    if isinstance(given, Registered):
        return given
    if callable(given):
        return own_scorer(given)
    if not isinstance(given, str):
        raise SpecError(
            f"must be a scorer's name or a function, not {type(given).__name__}", path=path
        )
    where, colon, function = given.rpartition(":")
    if not colon:
        return SCORERS.get(given, path=path)
    if not where.endswith(".py"):
        found = import_name(given, path)
        return found if isinstance(found, Registered) else own_scorer(found)
    file = base / where
    try:
        return OwnFile(str(file), function, file.read_bytes()).load()
    except OSError as wrong:
        raise SpecError(f"{file} cannot be read: {wrong.strerror}", path=path) from None


def own_scorer(fn: Callable[..., Any]) -> Registered:
    """A function as a scorer; a registered one keeps what is known of it."""
    known = SCORERS.of(fn)
    if known is not None:
        return known
    summary = next(iter((inspect.getdoc(fn) or "").splitlines()), "")
    name = getattr(fn, "__name__", type(fn).__name__)
    return Registered(name=name, fn=fn, version=source_version(fn), summary=summary)


def names_used(fn: Callable[..., Any]) -> frozenset[str]:
    """The names that a function's own code looks up, those of the functions inside it included."""
    code = getattr(inspect.unwrap(fn), "__code__", None)
    found: set[str] = set()
    waiting = [code] if code is not None else []
    while waiting:
        here = waiting.pop()
        found.update(here.co_names)
        waiting += [inner for inner in here.co_consts if inspect.iscode(inner)]
    return frozenset(found)


def asks_judge(scorer: Registered) -> bool:
    """Whether answers wait for a judge: the scorer says so, or its code calls ``needs_judge``.

    >>> asks_judge(SCORERS.get("needs_judge")), asks_judge(SCORERS.get("exact_match"))
    (True, False)
    """
    return scorer.judged or (not _is_stock(scorer) and bool(_JUDGES & names_used(scorer.fn)))


def runs_code(scorer: Registered) -> bool:
    """Whether programs are run: the scorer needs a sandbox of its own, or its code calls one that does."""
    if _is_stock(scorer):
        return hasattr(scorer.fn, "ready") or scorer.name in _SUITES
    return hasattr(scorer.fn, "ready") or bool(_RUNNERS & names_used(scorer.fn))


def is_own(scorer: Registered) -> bool:
    """Whether the code of a scorer is somebody else's than ours.

    >>> is_own(SCORERS.get("exact_match")), is_own(own_scorer(len))
    (False, True)
    """
    fn = inspect.unwrap(scorer.fn)
    while isinstance(fn, functools.partial):
        fn = fn.func
    return not (getattr(fn, "__module__", None) or "").startswith("steelyard.")


def _is_stock(scorer: Registered) -> bool:
    return getattr(scorer.fn, "__module__", "").startswith("steelyard.scoring")


def spec_scorer(path: Path) -> Registered:
    """A spec as a scorer: the JSON value in the response is the submission, the row's truth what it is held against.

    The truth is the column ``truth`` of the row, or else the whole row.
    """
    spec = load_spec(path)
    if runs_programs(spec):
        raise SpecError(
            "runs programs; in a benchmark those are scored by the scorer 'code_sandbox'",
            path=str(path),
        )
    score = functools.partial(_by_spec, spec)
    judged = spec.type == "judged"
    return Registered(
        name=spec.name or path.stem,
        fn=score,
        version=spec_signature(spec),
        summary="a spec",
        needs="nothing",
        judged=judged,
    )


def _by_spec(spec: Spec, sample: ScorerInput) -> Score:
    submission = extract_json(sample.response)
    if submission is None:
        return zero("there is no JSON value in the response", extracted=None)
    truth: Mapping[str, Any] = sample.metadata.get("truth") or sample.metadata
    found = evaluate(spec, submission, truth)
    detail = {"score": found.score, "result": found.result}
    return msgspec.structs.replace(found.total, extracted=submission, detail=detail)

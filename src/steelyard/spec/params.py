"""The parameters of a dimension: each is held to what it is declared as, and then tried, before anything is scored."""

from __future__ import annotations

import inspect
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

from steelyard.errors import DataError, Problem, SpecError
from steelyard.functions import needed_instead
from steelyard.primitives.values import describe
from steelyard.registry import Registered, nearest
from steelyard.scoring.call import call
from steelyard.scoring.types import ScorerInput
from steelyard.spec.problems import Problems, join


class Given(NamedTuple):
    """The parameters that a dimension sets, beside its other keys or under ``params``, and the place of each."""

    values: dict[str, Any]
    nested: frozenset[str]
    keys: Sequence[str]
    path: str

    def place(self, problem_path: str) -> str:
        """Where a problem with a parameter, or with something inside of it, is to be mended."""
        under = join(self.path, "params") if _root(problem_path) in self.nested else self.path
        return join(under, problem_path)


class Tried(NamedTuple):
    """What came of trying a function with its parameters: the problems with them, and whether it asks a judge."""

    problems: list[Problem]
    asks: bool = False


class Params:
    """Reads the parameters of dimensions one after another; what holds for many of them is looked up once."""

    def __init__(self, constraints: Mapping[str, Any], problems: Problems) -> None:
        self.constraints, self.problems = constraints, problems
        self._open: dict[tuple[str, str], Mapping[str, inspect.Parameter]] = {}
        self._tried: dict[Hashable, Tried] = {}

    def given(self, raw: dict[str, Any], keys: Sequence[str], path: str) -> Given:
        """The parameters of a dimension, whatever they are for."""
        nested = raw.get("params", {})
        if not isinstance(nested, dict):
            self.problems.add(f"{path}.params", f"must be an object, not {describe(nested)}")
            nested = {}
        beside = {key: value for key, value in raw.items() if key not in keys}
        for key in beside.keys() & nested.keys():
            self.problems.add(
                f"{path}.params.{key}", "is given twice: here, and beside the other keys"
            )
        return Given(beside | nested, frozenset(nested), keys, path)

    def check(self, kind: str, thing: Registered, given: Given) -> bool:
        """Note everything that is wrong with the parameters of a thing; true where it asks a judge when it is tried."""
        if (kind, thing.name) not in self._open:
            self._open[kind, thing.name] = open_params(thing)
        known = self._open[kind, thing.name]
        for key in given.values:
            if key not in known:
                hint = nearest(key, [*known, *given.keys])
                self.problems.add(
                    given.place(key), f"is not known; {thing.name} has no such parameter{hint}"
                )
        for key, parameter in known.items():
            if parameter.default is parameter.empty and key not in given.values:
                self.problems.add(given.path, f"{thing.name} needs the parameter {key!r}")
        values = {key: value for key, value in given.values.items() if key in known}
        asked = (kind, thing.name, *map(repr, values.items()))
        if asked not in self._tried:
            self._tried[asked] = try_values(kind, thing, values, self.constraints)
        for problem in self._tried[asked].problems:
            self.problems.add(given.place(problem.path), problem.message)
        return self._tried[asked].asks


def open_params(thing: Registered) -> Mapping[str, inspect.Parameter]:
    """What a spec may set; where its programs run is chosen by whoever runs it."""
    return {name: param for name, param in thing.params.items() if name != "sandbox"}


def try_values(
    kind: str, thing: Registered, params: Mapping[str, Any], constraints: Mapping[str, Any]
) -> Tried:
    """The problems with the parameters' values, each with the parameter as its path.

    A function that takes a parameter tells of the first that it cannot use; it is asked again without that one.
    """
    known = thing.params
    found = [
        Problem(key, f"must be {needed}, not {describe(value)}")
        for key, value in params.items()
        if (needed := needed_instead(thing.fn, known[key], value))
    ]
    rest = {
        key: value
        for key, value in params.items()
        if key not in {problem.path for problem in found}
    }
    asks = False
    if not found:
        found, asks = _told(kind, thing, rest, constraints)
    told: Sequence[Problem] = found
    while told:
        rest = {
            key: value
            for key, value in rest.items()
            if key not in {_root(problem.path) for problem in told}
        }
        # That a parameter is missing which was left out here is not true of the spec.
        told = [
            problem
            for problem in _told(kind, thing, rest, constraints).problems
            if _root(problem.path) in rest
        ]
        found += told
    return Tried(found, asks)


def _told(
    kind: str, thing: Registered, params: Mapping[str, Any], constraints: Mapping[str, Any]
) -> Tried:
    """What the function itself tells of its parameters when it is called with nothing to score."""
    inputs: dict[str, tuple[Any, ...]] = {"time": (0,), "trajectory": (None, dict(constraints))}
    primitive = kind == "primitive"
    args = inputs.get(thing.reads, (None, None)) if primitive else (ScorerInput(response=""),)
    try:
        return Tried([], call(thing.fn, *args, **params).pending)
    except SpecError as wrong:
        if not primitive or thing.reads == "trajectory":
            return Tried(list(wrong.problems))
        # Without a parameter's name the problem is with the ground truth, which is not here yet.
        return Tried([problem for problem in wrong.problems if problem.path in params])
    except DataError:
        return Tried([])


def _root(path: str) -> str:
    """The parameter that a problem is with."""
    return path.partition(".")[0].partition("[")[0]

"""What a run will do, settled before the first model call: the samples, what is asked for each, and what shapes them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from steelyard.bench.definition import Benchmark, Problem
from steelyard.errors import DataError
from steelyard.models.types import Message, Request
from steelyard.version import __version__

_encoder = msgspec.json.Encoder(order="deterministic", enc_hook=str, decimal_format="number")


class RunPlan:
    """A benchmark, how often each problem is asked, and the parameters that go with every request.

    ``seed`` gives each repeat a seed of its own, so that repeats differ and a run can be repeated.
    """

    def __init__(
        self,
        benchmark: Benchmark,
        *,
        reference: str = "",
        repeats: int | None = None,
        limit: int | None = None,
        parameters: Mapping[str, Any] | None = None,
        system_prompt: str | None = None,
        seed: int | None = None,
    ) -> None:
        self.benchmark, self.reference = benchmark, reference or benchmark.name
        self.repeats = benchmark.repeats if repeats is None else repeats
        self.limit, self.seed = limit, seed
        self.parameters = dict(parameters or {})
        self.system_prompt = system_prompt
        if self.repeats < 1:
            raise DataError(f"repeats is {self.repeats}; every problem is asked at least once")
        if limit is not None and limit < 1:
            raise DataError(f"the limit is {limit} problems; at least one is needed")
        if seed is not None and "seed" in self.parameters:
            raise DataError("the seed is given twice: as itself, and among the parameters")
        self.problems: Sequence[Problem] = benchmark.problems(limit)
        if not self.problems:
            raise DataError(f"the benchmark {benchmark.name!r} has no problems")

    @property
    def total(self) -> int:
        """How many samples there are."""
        return len(self.problems) * self.repeats

    @property
    def clustered(self) -> bool:
        """Whether several samples share a problem, or problems share a cluster."""
        return self.repeats > 1 or bool(self.benchmark.cluster_field)

    def problem(self, place: int) -> Problem:
        """The problem of the sample at that place."""
        return self.problems[place // self.repeats]

    def messages(self, problem: Problem) -> tuple[Message, ...]:
        """The conversation that asks for the problem, under the run's own system prompt where it has one."""
        if self.system_prompt is None:
            return tuple(problem.messages)
        own = (Message("system", self.system_prompt),) if self.system_prompt else ()
        return own + tuple(message for message in problem.messages if message.role != "system")

    def request(self, place: int, problem: Problem) -> Request:
        """What is asked for the sample at that place, which is one of this problem."""
        repeat, parameters = place % self.repeats, self.parameters
        if self.seed is not None:
            parameters = {**parameters, "seed": self.seed + repeat}
        return Request(
            messages=self.messages(problem), parameters=parameters, id=problem.id, repeat=repeat
        )

    def shapes(
        self, model: Mapping[str, Any], judge: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Everything that shapes a sample or its score; two runs with the same shapes can be compared."""
        shapes: dict[str, Any] = {
            "engine": __version__,
            "benchmark": dict(self.benchmark.identity),
            "model": dict(model),
            "parameters": self.parameters,
        }
        if self.seed is not None:
            shapes["seed"] = self.seed
        if self.system_prompt is not None:
            shapes["system_prompt"] = self.system_prompt
        if judge is not None:
            shapes["judge"] = dict(judge)
        plain: dict[str, Any] = msgspec.json.decode(_encoder.encode(shapes))
        return plain


def asked_hash(messages: Sequence[Message]) -> str:
    """The name of a conversation: another one has another.

    >>> asked_hash([Message("user", "2 + 2?")]) == asked_hash([Message("user", "2 + 3?")])
    False
    """
    return hashlib.sha256(_encoder.encode(messages)).hexdigest()[:16]


def signature(shapes: Mapping[str, Any], *, repeats: int, problems: int) -> str:
    """One line that two numbers share exactly when they can be compared.

    >>> signature({"engine": "1", "benchmark": {"name": "trivia"}, "model": {"name": "m"}}, repeats=1, problems=5)
    'steelyard:1|bench:trivia@f0513a53|model:m@c0128ec3|rest:44136fa3|problems:5|repeats:1'
    """
    rest = {
        key: value
        for key, value in shapes.items()
        if key not in {"engine", "benchmark", "model"} and value
    }
    named = "|".join(
        f"{short}:{shapes[key].get('name') or key}@{_short(shapes[key])}"
        for short, key in (("bench", "benchmark"), ("model", "model"))
    )
    return f"steelyard:{shapes['engine']}|{named}|rest:{_short(rest)}|problems:{problems}|repeats:{repeats}"


def scoring_key(shapes: Mapping[str, Any]) -> str:
    """The name of a way of scoring; a score that was come to in another way is none of this run's."""
    return _short({key: shapes.get(key) for key in ("engine", "benchmark", "judge")})


def _short(value: Any) -> str:
    return hashlib.sha256(_encoder.encode(value)).hexdigest()[:8]

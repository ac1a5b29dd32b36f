"""The policy of a gate: how much worse a candidate may be, how sure that must be, and how much must have a score."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from steelyard.errors import DataError, Problem, SpecError
from steelyard.registry import nearest

_NUMBERS = ("margin", "confidence", "min_coverage")
_TOP = (*_NUMBERS, "require", "allow", "overall", "benchmarks")


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """What one benchmark is held to."""

    margin: float
    confidence: float = 0.95
    min_coverage: float = 0.95


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """What a candidate is held to. ``require`` names benchmarks that must be there; ``allow`` what may shape both runs
    differently. A benchmark may have a rule of its own; ``overall`` is the rule of the mean over all benchmarks.

    >>> Policy(rule=Rule(margin=0.02)).of("trivia").margin
    0.02
    """

    rule: Rule
    overall: Rule | None = None
    require: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    benchmarks: dict[str, Rule] = {}

    def of(self, benchmark: str) -> Rule:
        """The rule for that benchmark."""
        return self.benchmarks.get(benchmark, self.rule)


def load_policy(path: Path) -> Policy:
    """The policy of a TOML file; everything that is wrong with it is told at once, each with its path."""
    try:
        found = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except FileNotFoundError:
        raise DataError("there is no such file", file=str(path)) from None
    except OSError as failed:
        raise DataError(f"cannot be read: {failed.strerror or failed}", file=str(path)) from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as wrong:
        raise SpecError(f"not TOML: {wrong}", path=str(path)) from None
    return read_policy(found, name=str(path))


def read_policy(given: Mapping[str, Any], *, name: str = "policy") -> Policy:
    """The policy of a mapping, as a TOML file has it.

    >>> read_policy({"margin": 0.02, "benchmarks": {"code": {"margin": 0.05}}}).of("code").margin
    0.05
    """
    wrong = list(_problems(given))
    if wrong:
        raise SpecError(
            problems=[
                Problem(f"{name}: {path}" if path else name, message) for path, message in wrong
            ]
        )
    rule = Rule(**{key: float(given[key]) for key in _NUMBERS if key in given})
    own = {
        benchmark: _over(rule, changed)
        for benchmark, changed in given.get("benchmarks", {}).items()
    }
    overall = _over(rule, given["overall"]) if "overall" in given else None
    return Policy(
        rule=rule,
        overall=overall,
        require=tuple(given.get("require", ())),
        allow=tuple(given.get("allow", ())),
        benchmarks=own,
    )


def _over(rule: Rule, changed: Mapping[str, Any]) -> Rule:
    return msgspec.structs.replace(rule, **{key: float(value) for key, value in changed.items()})


def _problems(given: Mapping[str, Any]) -> Iterator[Problem]:
    if "margin" not in given:
        yield Problem("margin", "is missing: how much worse may a candidate be? 0.02 is two points")
    yield from _unknown("", given, _TOP)
    yield from _numbers("", given)
    for key in ("require", "allow"):
        yield from _names(key, given.get(key, []))
    overall, own = given.get("overall", {}), given.get("benchmarks", {})
    yield from _table("overall", overall, ("margin", "confidence"))
    if not isinstance(own, Mapping):
        yield Problem("benchmarks", f"must be a table of tables, not {_shown(own)}")
        return
    for benchmark, rule in own.items():
        yield from _table(f"benchmarks.{benchmark}", rule, _NUMBERS)


def _table(path: str, given: Any, known: tuple[str, ...]) -> Iterator[Problem]:
    if not isinstance(given, Mapping):
        yield Problem(path, f"must be a table, not {_shown(given)}")
        return
    yield from _unknown(f"{path}.", given, known)
    yield from _numbers(f"{path}.", given)


def _unknown(prefix: str, given: Mapping[str, Any], known: tuple[str, ...]) -> Iterator[Problem]:
    for key in given:
        if key not in known:
            yield Problem(
                f"{prefix}{key}", f"is not known; there are {', '.join(known)}{nearest(key, known)}"
            )


def _numbers(prefix: str, given: Mapping[str, Any]) -> Iterator[Problem]:
    for key in _NUMBERS:
        if key not in given:
            continue
        value, least = given[key], 0.5 if key == "confidence" else 0.0
        if isinstance(value, bool) or not isinstance(value, int | float):
            yield Problem(f"{prefix}{key}", f"must be a number, not {_shown(value)}")
        elif key == "min_coverage" and not 0 <= value <= 1:
            yield Problem(f"{prefix}{key}", f"must lie in 0..1, not {value}")
        elif key != "min_coverage" and not least < value < 1:
            yield Problem(f"{prefix}{key}", f"must be above {least:g} and below 1, not {value}")


def _names(path: str, given: Any) -> Iterator[Problem]:
    if not isinstance(given, list):
        yield Problem(path, f"must be a list of names, not {_shown(given)}")
        return
    for place, name in enumerate(given):
        if not isinstance(name, str) or not name:
            yield Problem(path, f"must be a list of names; item {place} is {_shown(name)}")


def _shown(value: Any) -> str:
    return repr(value) if isinstance(value, str | int | float) else type(value).__name__

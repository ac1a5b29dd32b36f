"""A suite of tests as the author of a spec writes it: the task of `code grade`, with its cases put into groups.

Besides tasks of the kinds ``function`` and ``stdio`` there is ``legacy``: test code with assertions, as one ``test`` or as
``cases`` that have one each.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from typing import Any

import msgspec

from steelyard.errors import DataError, SpecError
from steelyard.grading.legacy import LegacyTest
from steelyard.grading.reading import Faults, limits, positive
from steelyard.grading.task import Task, read_task
from steelyard.primitives.values import Unreadable, describe, key
from steelyard.registry import nearest
from steelyard.sandbox.limits import Limits

_KEYS = ("kind", "name", "description", "entry_point", "prompt", "test", "cases", "limits")
_CASE_KEYS = ("name", "weight", "group", "test")
_LONGEST_NAME = 100
_ENCODER = msgspec.json.Encoder(decimal_format="number", order="deterministic")


class Member(msgspec.Struct, frozen=True):
    """One test of a suite: its name, its weight, and the group that it counts in, if any."""

    name: str
    weight: float = 1.0
    group: str | None = None


class Suite(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Tests that are run together: either a task, or test code with assertions; ``key`` tells suites apart."""

    key: bytes
    members: tuple[Member, ...]
    task: Task | None = None
    legacy: tuple[LegacyTest, ...] = ()
    limits: Limits = Limits()

    @property
    def language(self) -> str:
        """The language of the programs that it tests."""
        return self.task.language if self.task else "python"

    def places(self, group: str | None, path: str = "group") -> list[int]:
        """The positions of a group's tests, or of all; a SpecError where the group has none."""
        if group is None:
            return list(range(len(self.members)))
        found = [place for place, member in enumerate(self.members) if member.group == group]
        if not found:
            known = sorted({member.group for member in self.members if member.group})
            hint = nearest(group, known) or (
                f"; there are {', '.join(known)}" if known else "; the cases have no groups"
            )
            raise SpecError(f"no case is in the group {describe(group)}{hint}", path=path)
        return found


def read_suite(raw: Any) -> Suite:
    """The suite that a JSON value is; a SpecError tells everything that is wrong with it, with paths.

    >>> suite = read_suite({"kind": "function", "entry_point": "add", "cases": [
    ...     [[1, 2], 3], {"args": [0, 0], "expected": 0, "group": "edge"}]})
    >>> suite.members[1], suite.places("edge")
    (Member(name='case 2', weight=1.0, group='edge'), [1])
    """
    if not isinstance(raw, Mapping):
        raise SpecError(f"a suite of tests is an object, not {describe(raw)}")
    try:
        key(raw)
        return _read(_ENCODER.encode(raw))
    except (Unreadable, ValueError, TypeError, OverflowError, RecursionError) as wrong:
        if isinstance(wrong, SpecError):
            raise
        raise SpecError(f"is not JSON: {describe(str(wrong))}") from None


@functools.lru_cache(maxsize=64)
def _read(content: bytes) -> Suite:
    raw: dict[str, Any] = json.loads(content)
    _refuse_checker_file(raw)
    if raw.get("kind") == "legacy":
        return _read_legacy(raw, content)
    groups = _take_groups(raw)
    try:
        task = read_task(raw)
    except DataError as wrong:
        raise SpecError(str(wrong)) from None
    members = tuple(
        Member(case.name, case.weight, group)
        for case, group in zip(task.cases, groups, strict=True)
    )
    return Suite(key=content, members=members, task=task, limits=task.limits)


def _refuse_checker_file(raw: dict[str, Any]) -> None:
    checker = raw.get("checker")
    if isinstance(checker, dict) and "file" in checker:
        raise SpecError('cannot be a file here; give {"source": …}', path="checker")


def _take_groups(raw: dict[str, Any]) -> list[str | None]:
    """The group of each case, which is then no longer in the case."""
    cases = raw.get("cases")
    found: list[str | None] = []
    faults = Faults()
    for place, case in enumerate(cases if isinstance(cases, list) else ()):
        found.append(_group(case, f"cases[{place}].group", faults))
        if isinstance(case, dict):
            case.pop("group", None)
    faults.tell()
    return found


def _group(case: Any, path: str, faults: Faults) -> str | None:
    if not isinstance(case, dict) or "group" not in case:
        return None
    return _name(case["group"], path, faults)


def _name(raw: Any, path: str, faults: Faults) -> str:
    if isinstance(raw, str) and raw.strip() and raw.isprintable() and len(raw) <= _LONGEST_NAME:
        return raw
    faults.add(path, f"must be a short text, not {describe(raw)}")
    return ""


def _read_legacy(raw: dict[str, Any], content: bytes) -> Suite:
    faults = Faults()
    faults.unknown(raw, _KEYS, "", "a task of test code")
    for name in ("entry_point", "prompt"):
        if not isinstance(raw.get(name, "" if name == "prompt" else None), str):
            faults.add(name, f"must be a text, not {describe(raw.get(name))}")
    cases = _legacy_cases(raw, faults)
    allowed = limits(raw.get("limits", {}), faults)
    faults.tell()
    members, tests = [], []
    for place, case in enumerate(cases):
        path = f"cases[{place}]" if "cases" in raw else ""
        members.append(_legacy_member(case, place, path, faults))
        tests.append(_legacy_test(raw, case, f"{path}.test".lstrip("."), faults))
    if len({member.name for member in members}) < len(members):
        faults.add("cases", "two have the same name")
    faults.tell()
    return Suite(key=content, members=tuple(members), legacy=tuple(tests), limits=allowed)


def _legacy_cases(raw: dict[str, Any], faults: Faults) -> list[dict[str, Any]]:
    if ("test" in raw) == ("cases" in raw):
        faults.add("test", "either one 'test' is needed, or 'cases' that have one each")
        return []
    if "test" in raw:
        return [{"test": raw["test"]}]
    cases = raw["cases"]
    if (
        not isinstance(cases, list)
        or not cases
        or not all(isinstance(case, dict) for case in cases)
    ):
        faults.add("cases", 'must be an array of objects such as {"test": "assert …"}')
        return []
    for place, case in enumerate(cases):
        faults.unknown(case, _CASE_KEYS, f"cases[{place}]", "a case of test code")
    return cases


def _legacy_member(case: dict[str, Any], place: int, path: str, faults: Faults) -> Member:
    return Member(
        _name(case.get("name", f"case {place + 1}"), f"{path}.name", faults),
        positive(case.get("weight", 1), f"{path}.weight", faults),
        _group(case, f"{path}.group", faults),
    )


def _legacy_test(
    raw: dict[str, Any], case: dict[str, Any], path: str, faults: Faults
) -> LegacyTest:
    source = case.get("test")
    if not isinstance(source, str):
        faults.add(path, f"must be the source of a test, not {describe(source)}")
        source = ""
    test = LegacyTest(source=source, entry_point=raw["entry_point"], prompt=raw.get("prompt", ""))
    try:
        return test.checked()
    except DataError as wrong:
        faults.add(path, str(wrong))
        return test


def read_limits(raw: Any, **usual: Any) -> Limits:
    """The limits that an object of numbers gives, over those that are usual; a SpecError with paths."""
    faults = Faults()
    try:
        plain = json.loads(_ENCODER.encode(raw))  # so that a decimal is a number like any other
    except (ValueError, TypeError) as wrong:
        raise SpecError(f"is not JSON: {describe(str(wrong))}", path="limits") from None
    found = limits(plain, faults, Limits(**usual))
    faults.tell()
    return found

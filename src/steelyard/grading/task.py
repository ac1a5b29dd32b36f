"""Tasks for programs: a function that is called, or a program that reads and prints; read from JSON and checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from steelyard.grading.compare import COMPARISONS
from steelyard.grading.equal import Tolerance
from steelyard.grading.files import fault_of_case
from steelyard.grading.language import languages, named
from steelyard.grading.reading import (
    Faults,
    content,
    contents,
    limits,
    parse_json,
    plain_value,
    positive,
    read_text,
    refuse_twice,
)
from steelyard.primitives.values import describe
from steelyard.registry import nearest
from steelyard.sandbox.limits import Limits

KINDS = ("function", "stdio")
_SHARED = ("kind", "name", "description", "language", "cases", "limits", "tolerance")
_KEYS = {"function": (*_SHARED, "entry_point"), "stdio": (*_SHARED, "comparison", "checker")}
_CASE_KEYS = {
    "function": ("args", "kwargs", "expected", "name", "weight"),
    "stdio": ("stdin", "stdout", "files", "expect_files", "name", "weight"),
}
_MOST_CASES = 10_000
_ENTRY = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)?\Z")


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One test: for a function its arguments and the value wanted, for a program what goes in and comes out."""

    name: str
    weight: float = 1.0
    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = {}
    expected: Any = None
    stdin: bytes = b""
    stdout: bytes | None = None
    files: Mapping[str, bytes] = {}
    expect_files: Mapping[str, bytes] = {}


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """What a program has to do, and how that is checked; ``checker`` is the author's own, for ``custom``."""

    kind: Literal["function", "stdio"]
    cases: tuple[Case, ...]
    entry_point: str = ""
    language: str = "python"
    limits: Limits = Limits()
    comparison: str = "lines"
    tolerance: Tolerance | None = None
    checker: str = ""


def load_task(source: Mapping[str, Any] | str | Path) -> Task:
    """The task in a file or a dict; a SpecError tells everything that is wrong with it, with paths.

    >>> task = load_task({"kind": "function", "entry_point": "add", "cases": [[[1, 2], 3]]})
    >>> task.cases[0].args, task.cases[0].expected
    ((1, 2), 3)
    """
    if isinstance(source, (str, Path)):
        return read_task(
            parse_json(read_text(source), file=str(source)),
            where=str(source),
            folder=Path(source).parent,
        )
    return read_task(source)


def read_task(raw: Any, *, where: str = "", folder: Path | None = None) -> Task:
    """The task that a JSON value is; ``where`` leads its faults, a checker's file is looked for in ``folder``."""
    faults = Faults(where)
    kind = _kind(raw, faults)
    faults.unknown(raw, _KEYS[kind], "", f"a {kind} task")
    found: dict[str, Any] = {
        "kind": kind,
        "language": _language(raw, kind, faults),
        "entry_point": _entry_point(raw, kind, faults),
        "limits": limits(raw.get("limits", {}), faults),
        "tolerance": _tolerance(raw["tolerance"], faults) if "tolerance" in raw else None,
        "cases": _cases(raw.get("cases"), kind, faults),
    }
    if kind == "stdio":
        found |= _comparison(raw, faults, folder)
        _check_given(found, faults)
    faults.tell()
    return Task(**found)


def _check_given(found: Mapping[str, Any], faults: Faults) -> None:
    """What could never be given to a program would make every run a failure of ours, or one of the program's."""
    how = languages()[found["language"]]
    for place, case in enumerate(found["cases"]):
        if len(case.stdin) > found["limits"].memory_mb << 19:
            faults.add(
                f"cases[{place}].stdin", "takes more than half of the memory that a program may use"
            )
        if case.files and (
            wrong := fault_of_case(case.files, how.product or how.file, found["limits"])
        ):
            faults.add(f"cases[{place}].files", wrong)


def _kind(raw: Any, faults: Faults) -> str:
    if not isinstance(raw, Mapping):
        faults.add("", f"a task is an object, not {describe(raw)}")
        faults.tell()
    refuse_twice(raw, "", faults)
    kind = raw.get("kind")
    if kind not in KINDS:
        hint = nearest(kind, KINDS) or f"; there are {', '.join(KINDS)}"
        faults.add(
            "kind", f"cannot be {describe(kind)}{hint}" if "kind" in raw else f"is missing{hint}"
        )
        faults.tell()
    return str(kind)


def _language(raw: Mapping[str, Any], kind: str, faults: Faults) -> str:
    given = raw.get("language", "python")
    found = named(given) if isinstance(given, str) else None
    if found is None:
        hint = nearest(given, languages()) or f"; there are {', '.join(languages())}"
        faults.add("language", f"cannot be {describe(given)}{hint}")
    elif kind == "function" and found != "python":
        faults.add(
            "language",
            f"cannot be {describe(given)} in a function task: only Python functions can be "
            'called; for a program in another language the kind is "stdio"',
        )
    return found or "python"


def _entry_point(raw: Mapping[str, Any], kind: str, faults: Faults) -> str:
    if kind != "function":
        return ""
    given = raw.get("entry_point")
    if not isinstance(given, str) or not _ENTRY.match(given):
        what = f"not {describe(given)}" if "entry_point" in raw else "but it is missing"
        faults.add("entry_point", f"must be the name of a function, {what}")
        return ""
    return given


def _tolerance(raw: Any, faults: Faults) -> Tolerance | None:
    if not isinstance(raw, dict) or not raw:
        faults.add("tolerance", f'must be an object with "rel", "abs" or both, not {describe(raw)}')
        return None
    faults.unknown(raw, ("rel", "abs"), "tolerance", "a tolerance")
    given = {
        name: positive(raw[name], f"tolerance.{name}", faults, zero=True)
        for name in ("rel", "abs")
        if name in raw
    }
    return Tolerance(**given)


def _comparison(raw: Mapping[str, Any], faults: Faults, folder: Path | None) -> dict[str, str]:
    given = raw.get("comparison", "custom" if "checker" in raw else "lines")
    known = (*COMPARISONS, "custom")
    if given not in known:
        hint = nearest(given, known) or f"; there are {', '.join(known)}"
        faults.add("comparison", f"cannot be {describe(given)}{hint}")
    if "tolerance" in raw and given != "float":
        faults.add("tolerance", 'goes with "comparison": "float" only')
    if given != "custom":
        if "checker" in raw:
            faults.add("checker", 'goes with "comparison": "custom" only')
        return {"comparison": str(given)}
    return {"comparison": "custom", "checker": _checker(raw.get("checker"), faults, folder)}


def _checker(raw: Any, faults: Faults, folder: Path | None) -> str:
    """The source of the author's checker, given as text or as a file beside the task."""
    if isinstance(raw, dict) and list(raw) == ["source"] and isinstance(raw["source"], str):
        return raw["source"]
    if isinstance(raw, dict) and list(raw) == ["file"] and isinstance(raw["file"], str):
        return read_text((folder or Path()) / raw["file"])
    faults.add("checker", f'must be {{"file": …}} or {{"source": …}}, not {describe(raw)}')
    return ""


def _cases(raw: Any, kind: str, faults: Faults) -> tuple[Case, ...]:
    if not isinstance(raw, list):
        faults.add("cases", f"must be an array, not {'missing' if raw is None else describe(raw)}")
        return ()
    if not 0 < len(raw) <= _MOST_CASES:
        many = f"at most {_MOST_CASES:,} are allowed, not {len(raw):,}"
        faults.add(
            "cases", many if raw else "must not be empty: without a test nothing can be accepted"
        )
        return ()
    read = _function_case if kind == "function" else _stdio_case
    found: list[Case] = []
    for place, entry in enumerate(raw):
        path = f"cases[{place}]"
        fields = _fields(entry, kind, path, faults)
        if fields is not None:
            named_so = _name(fields.get("name", f"case {place + 1}"), f"{path}.name", faults)
            weight = positive(fields.get("weight", 1), f"{path}.weight", faults)
            found.append(Case(name=named_so, weight=weight, **read(fields, path, faults)))
    _refuse_same_names(found, faults)
    return tuple(found)


def _fields(entry: Any, kind: str, path: str, faults: Faults) -> dict[str, Any] | None:
    """A case as an object, also where it is written as a pair."""
    first, second = ("args", "expected") if kind == "function" else ("stdin", "stdout")
    if isinstance(entry, list) and len(entry) == 2:
        return {first: entry[0], second: entry[1]}
    if not isinstance(entry, dict):
        faults.add(path, f"must be [{first}, {second}] or an object, not {describe(entry)}")
        return None
    refuse_twice(entry, path, faults)
    faults.unknown(entry, _CASE_KEYS[kind], path, f"a case of a {kind} task")
    return entry


def _name(raw: Any, path: str, faults: Faults) -> str:
    if isinstance(raw, str) and raw and raw.isprintable() and len(raw) <= 100:
        return raw
    faults.add(path, f"must be a short text, not {describe(raw)}")
    return ""


def _refuse_same_names(cases: list[Case], faults: Faults) -> None:
    seen: set[str] = set()
    for case in cases:
        if case.name and case.name in seen:
            faults.add("cases", f"two are named {describe(case.name)}")
        seen.add(case.name)


def _function_case(fields: dict[str, Any], path: str, faults: Faults) -> dict[str, Any]:
    args, kwargs = fields.get("args", []), fields.get("kwargs", {})
    if not isinstance(args, list):
        faults.add(f"{path}.args", f"must be an array of arguments, not {describe(args)}")
        args = []
    if not isinstance(kwargs, dict) or "$" in kwargs:
        faults.add(
            f"{path}.kwargs", f"must be an object of named arguments, not {describe(kwargs)}"
        )
        kwargs = {}
    if "expected" not in fields:
        faults.add(f"{path}.expected", "is missing")
    return {
        "args": tuple(plain_value(args, f"{path}.args", faults) or ()),
        "kwargs": plain_value(kwargs, f"{path}.kwargs", faults) or {},
        "expected": plain_value(fields.get("expected"), f"{path}.expected", faults),
    }


def _stdio_case(fields: dict[str, Any], path: str, faults: Faults) -> dict[str, Any]:
    if "stdout" not in fields and "expect_files" not in fields:
        faults.add(path, "must say what is expected: stdout, expect_files or both")
    return {
        "stdin": content(fields.get("stdin", ""), f"{path}.stdin", faults),
        "stdout": content(fields["stdout"], f"{path}.stdout", faults)
        if "stdout" in fields
        else None,
        "files": contents(fields.get("files", {}), f"{path}.files", faults),
        "expect_files": contents(fields.get("expect_files", {}), f"{path}.expect_files", faults),
    }

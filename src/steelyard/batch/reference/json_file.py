"""One JSON file, read whole, with its hash: what cannot be read is told in a sentence, never raised."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from pathlib import Path
from typing import Any

import msgspec

# Larger files are not read: no answer to a puzzle needs them.
MAX_BYTES = 512 * 1024 * 1024
MAX_DEPTH = 100
_MAX_DIGITS = 1_000


class JsonFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file's value and the hash of its bytes; ``fault`` says why there is no value.

    ``twice`` are the keys that an object of the file has more than once.
    """

    path: str
    value: Any = None
    sha256: str | None = None
    fault: str = ""
    line: int | None = None
    twice: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The file's own name, without its folder."""
        return os.path.basename(self.path)


def read_json_file(path: str | Path) -> JsonFile:
    """The file as JSON; every way it can be wrong is a fault in the result.

    >>> read_json_file("no_such.json").fault
    'cannot be read: No such file or directory'
    """
    place = str(path)
    try:
        data = _read(place)
    except (OSError, ValueError) as failed:
        return JsonFile(
            path=place, fault=f"cannot be read: {getattr(failed, 'strerror', None) or failed}"
        )
    return parse_json(place, data)


def parse_json(place: str, data: bytes) -> JsonFile:
    """The bytes of a file as JSON.

    >>> parse_json("a.json", b'{"a": NaN}').fault
    'not JSON: NaN is no JSON value'
    """
    digest = hashlib.sha256(data).hexdigest()
    twice: list[str] = []
    try:
        value = json.loads(
            data.decode("utf-8-sig"),
            object_pairs_hook=lambda pairs: _object(pairs, twice),
            parse_int=_integer,
            parse_constant=_refuse,
        )
        _check_depth(value)
    except UnicodeDecodeError as wrong:
        return JsonFile(
            path=place, sha256=digest, fault=f"not UTF-8: byte {wrong.start + 1} cannot be read"
        )
    except json.JSONDecodeError as wrong:
        fault = f"not JSON: {wrong.msg} at line {wrong.lineno}, column {wrong.colno}"
        return JsonFile(path=place, sha256=digest, fault=fault, line=wrong.lineno)
    except RecursionError:
        return JsonFile(path=place, sha256=digest, fault=f"nested deeper than {MAX_DEPTH} levels")
    except ValueError as wrong:
        return JsonFile(path=place, sha256=digest, fault=f"not JSON: {wrong}")
    return JsonFile(path=place, value=value, sha256=digest, twice=tuple(dict.fromkeys(twice)))


def _read(place: str) -> bytes:
    with open(place, "rb", opener=_open_at_once) as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise ValueError("it is no regular file")
        if found.st_size > MAX_BYTES:
            raise ValueError(f"it has more than {MAX_BYTES // 1024 // 1024} MB")
        return file.read()


def _open_at_once(place: str, flags: int) -> int:
    """A pipe that nobody writes to must not hold the run up."""
    return os.open(place, flags | getattr(os, "O_NONBLOCK", 0))


def _object(pairs: list[tuple[str, Any]], twice: list[str]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                twice.append(key)
            seen.add(key)
    return found


def _integer(digits: str) -> int | float:
    """Python refuses to read very long integers; to us they are just numbers."""
    return int(digits) if len(digits) < _MAX_DIGITS else float(digits)


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is no JSON value")


def _check_depth(value: Any) -> None:
    level, depth = [value], 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise RecursionError
        level = [
            inner
            for outer in level
            if isinstance(outer, (list, dict))
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, (list, dict))
        ]

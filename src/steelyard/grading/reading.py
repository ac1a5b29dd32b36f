"""Reading what the author of a task wrote: files, values in their notation, and every fault with its place."""

from __future__ import annotations

import base64
import binascii
import json
import math
from collections import Counter
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from steelyard.errors import DataError, Problem, SpecError
from steelyard.primitives.values import describe
from steelyard.registry import nearest
from steelyard.sandbox.inside import values
from steelyard.sandbox.limits import Limits

_MOST_TOLD = 50
_USUAL = Limits()


class Twice(dict[str, Any]):
    """An object of a file that has a key twice."""

    names: tuple[str, ...] = ()


class Faults:
    """What is wrong with a task, gathered so that it is told all at once."""

    def __init__(self, where: str = "") -> None:
        self._where, self._found = where, list[Problem]()

    def add(self, path: str, message: str) -> None:
        """Note one; too many are told at once."""
        self._found.append(Problem(path, message))
        if len(self._found) >= _MOST_TOLD:
            self.tell()

    def add_all(self, wrong: SpecError) -> None:
        """Note those of another error."""
        for problem in wrong.problems:
            self.add(*problem)

    def tell(self) -> None:
        """Raise a SpecError with all that was found, if anything was."""
        if not self._found:
            return
        error = SpecError(problems=self._found)
        if self._where:
            error.args = ("\n".join(f"{self._where}: {problem}" for problem in self._found),)
        raise error

    def unknown(self, given: Iterable[str], known: Iterable[str], path: str, what: str) -> None:
        """Note every key that is not known, with the one that may have been meant."""
        names = list(known)
        for key in given:
            if key not in names:
                hint = nearest(key, names) or f"; there are {', '.join(names)}"
                self.add(f"{path}.{key}" if path else key, f"is not known in {what}{hint}")


def parse_json(text: str, *, file: str = "", line: int | None = None) -> Any:
    """The JSON value of a text; a DataError that names file and line."""
    place: int | None = line
    try:
        return json.loads(
            text, object_pairs_hook=_object, parse_constant=_refuse, parse_int=_integer
        )
    except json.JSONDecodeError as wrong:
        place = line or wrong.lineno
        message = f"not JSON: {wrong.msg} at column {wrong.colno}"
    except RecursionError:
        message = "is nested too deeply"
    except ValueError as wrong:
        message = f"not JSON: {wrong}"
    raise DataError(message, file=file, line=place)


def read_text(path: str | Path) -> str:
    """The text of a file, or a DataError that names it."""
    try:
        return Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise DataError(
            f"not UTF-8: byte {wrong.start + 1} cannot be read", file=str(path)
        ) from None
    except (OSError, ValueError) as wrong:
        raise DataError(_why(wrong), file=str(path)) from None


def read_bytes(path: str | Path) -> bytes:
    """The bytes of a file, or a DataError that names it."""
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as wrong:
        raise DataError(_why(wrong), file=str(path)) from None


def _why(wrong: OSError | ValueError) -> str:
    if isinstance(wrong, FileNotFoundError):
        return "there is no such file"
    return f"cannot be read: {getattr(wrong, 'strerror', None) or wrong}"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    times = Counter(name for name, _ in pairs)
    twice = Twice(found)
    twice.names = tuple(name for name in found if times[name] > 1)
    return twice


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is not a JSON value")


def _integer(text: str) -> int:
    if len(text) > 4000:
        raise ValueError("a number has more than 4000 digits")
    return int(text)


def plain_value(raw: Any, path: str, faults: Faults) -> Any:
    """The Python value that the author means: JSON as it is, and ``{"$": "set", "v": […]}`` for what JSON lacks."""
    try:
        found = _meant(raw)
        values.encode(found)  # what the channel cannot carry can neither be sent nor be expected
        return found
    except (ValueError, TypeError) as wrong:
        faults.add(path, f"is no plain data: {wrong}")
    except RecursionError:
        faults.add(path, "is nested too deeply")
    return None


def _meant(raw: Any) -> Any:
    if isinstance(raw, Twice):
        raise ValueError(f"the key {describe(raw.names[0])} is given twice")
    if isinstance(raw, dict):
        if "$" in raw:
            return values.decode(_tagged(raw))
        return {_meant(name): _meant(value) for name, value in raw.items()}
    if isinstance(raw, list):
        return [_meant(item) for item in raw]
    if isinstance(raw, float) and not math.isfinite(raw):
        raise ValueError("a number is too large for a float")
    if (
        isinstance(raw, str)
        and not raw.isascii()
        and raw != raw.encode("utf-8", "replace").decode()
    ):
        raise ValueError("a string holds half of a surrogate pair, which is no character")
    return raw


def _tagged(raw: dict[str, Any]) -> dict[str, Any]:
    """The object in the channel's own notation, in which every dict and every long integer has its tag."""
    return {key: _content(value) if key == "v" else value for key, value in raw.items()}


def _content(raw: Any) -> Any:
    if isinstance(raw, list):
        return [_content(item) for item in raw]
    return _tagged(raw) if isinstance(raw, dict) and "$" in raw else values.encode(_meant(raw))


def content(raw: Any, path: str, faults: Faults) -> bytes:
    """The bytes of a text, or of ``{"base64": …}``."""
    try:
        if isinstance(raw, str):
            return raw.encode()
        if isinstance(raw, dict) and list(raw) == ["base64"] and isinstance(raw["base64"], str):
            return base64.b64decode(raw["base64"], validate=True)
    except (UnicodeEncodeError, binascii.Error, ValueError) as wrong:
        faults.add(path, f"cannot be read: {wrong}")
        return b""
    faults.add(path, f'must be a string or {{"base64": …}}, not {describe(raw)}')
    return b""


def contents(raw: Any, path: str, faults: Faults) -> dict[str, bytes]:
    """Files by their names, which stay inside the program's folder."""
    if not isinstance(raw, dict):
        faults.add(path, f"must be an object of file names and contents, not {describe(raw)}")
        return {}
    for name in raw:
        if not _stays_inside(name):
            faults.add(path, f"{describe(name)} is no name of a file inside the program's folder")
    return {name: content(value, f"{path}.{name}", faults) for name, value in raw.items()}


def _stays_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return (
        bool(path.parts)
        and not path.is_absolute()
        and ".." not in path.parts
        and str(path) == name
        and name.isprintable()
    )


def positive(raw: Any, path: str, faults: Faults, *, zero: bool = False) -> float:
    """A finite number above 0, or, with ``zero``, not below it; a boolean is none."""
    good = isinstance(raw, int | float) and not isinstance(raw, bool) and abs(raw) < 1e15
    if good and (raw > 0 or (zero and raw == 0)):
        return float(raw)
    least = "0 or more" if zero else "above 0"
    faults.add(path, f"must be a number {least}, not {describe(raw)}")
    return 1.0


def limits(raw: Any, faults: Faults, usual: Limits = _USUAL) -> Limits:
    """The limits that an object of numbers gives, over those that are usual."""
    if not isinstance(raw, dict):
        faults.add("limits", f"must be an object, not {describe(raw)}")
        return usual
    refuse_twice(raw, "limits", faults)
    known = Limits.__struct_fields__
    faults.unknown(raw, known, "limits", "limits")
    # JSON does not tell 64 from 64.0.
    given = {
        name: int(value) if isinstance(value, float) and value.is_integer() else value
        for name, value in raw.items()
        if name in known
    }
    try:
        return msgspec.structs.replace(usual, **given).checked()
    except SpecError as wrong:
        faults.add_all(wrong)
        return usual


def refuse_twice(raw: Any, path: str, faults: Faults) -> None:
    for name in raw.names if isinstance(raw, Twice) else ():
        faults.add(f"{path}.{name}" if path else name, "is given twice")

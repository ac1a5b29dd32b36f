"""Benchmarks in a file of the user's: ``my_bench.py``, or ``my_bench.py:name`` where it has several."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path
from types import ModuleType

import msgspec

from steelyard.bench.definition import DEFINED, Benchmark
from steelyard.errors import SpecError, SteelyardError
from steelyard.foreign import caught, told
from steelyard.registry import nearest
from steelyard.source import import_from_folder_of, source_digest

# One name for all of them: a file that is loaded again, or another with a scorer of that name, takes its place.
_MODULE = "steelyard_own_benchmarks"


def load_file(path: Path, name: str = "") -> Benchmark:
    """The one benchmark of the file, or the one of that name.

    The whole file stands behind its numbers, with what it imports from its own folder.
    """
    source = _read(path)
    found = {made.name: made for made in _defined(_run(path, source))}
    if not found:
        raise SpecError(
            "there is no benchmark in it: put @benchmark(...) over its scorer", path=str(path)
        )
    if not name and len(found) > 1:
        raise SpecError(
            f"has several benchmarks; name one: {path}:{next(iter(found))}", path=str(path)
        )
    chosen = name or next(iter(found))
    if chosen not in found:
        hint = nearest(chosen, found) or f"; it has {', '.join(found)}"
        raise SpecError(f"has no benchmark {chosen!r}{hint}", path=str(path))
    return msgspec.structs.replace(found[chosen], code=source_digest(path, source)[:12])


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise SpecError("there is no such file", path=str(path)) from None
    except OSError as wrong:
        raise SpecError(f"cannot be read: {wrong.strerror}", path=str(path)) from None


def _run(path: Path, source: bytes) -> ModuleType:
    module = ModuleType(_MODULE)
    module.__file__ = str(
        path.absolute()
    )  # as Python itself has it: a file looks for others beside it
    import_from_folder_of(path, source)
    before, defined = sys.modules.get(_MODULE), dict(DEFINED)
    sys.modules[_MODULE] = module
    _, failed = caught(_execute, path, source, module)
    DEFINED.clear()  # what a file defines is found by the file's name
    DEFINED.update(defined)
    if failed is None:
        return module
    if before is not None:
        sys.modules[_MODULE] = before
    else:
        del sys.modules[_MODULE]
    if isinstance(failed, KeyboardInterrupt):
        raise failed
    said = str(failed) if isinstance(failed, SteelyardError) else told(failed)
    raise SpecError(f"cannot be loaded: {said}", path=_place(failed, str(path)))


def _execute(path: Path, source: bytes, module: ModuleType) -> None:
    exec(compile(source, str(path), "exec", dont_inherit=True), vars(module))


def _defined(module: ModuleType) -> list[Benchmark]:
    """What the file defines, in its order; what it only imports is not its own."""
    functions = [
        value
        for value in vars(module).values()
        if getattr(value, "__module__", "") == module.__name__
    ]
    made = (getattr(function, "benchmark", None) for function in functions)
    return [found for found in made if isinstance(found, Benchmark)]


def _place(failed: BaseException, path: str) -> str:
    if isinstance(failed, SyntaxError) and failed.filename == path:
        return f"{path}:{failed.lineno}"
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(failed.__traceback__)
        if frame.filename == path
    ]
    return f"{path}:{lines[-1]}" if lines else path

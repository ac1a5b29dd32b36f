"""Scorers by name, or from a file of the user: ``my_file.py:function``."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

from steelyard.errors import SpecError, SteelyardError
from steelyard.registry import SCORERS, Registered

# What running a file can raise short of a bug in Python itself.
_FAILURES = (ArithmeticError, AssertionError, AttributeError, ImportError, LookupError, NameError, OSError,
             RuntimeError, SyntaxError, SystemExit, TypeError, ValueError)  # fmt: skip

_NAMED = {inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD}


class OwnScorer(Registered, frozen=True, kw_only=True):
    """A function out of a user's file; all its parameters after the first may be set."""

    @property
    def params(self) -> Mapping[str, inspect.Parameter]:
        """The parameters that ``--param`` may set."""
        _, *rest = inspect.signature(self.fn).parameters.values()
        return {p.name: p for p in rest if p.kind in _NAMED and p.name != "trace"}


def find_scorer(name: str) -> Registered:
    """The registered scorer of that name, or the function that ``path/file.py:function`` names.

    >>> find_scorer("no_such_file.py:shout")
    Traceback (most recent call last):
    steelyard.errors.SpecError: no_such_file.py: there is no such file
    """
    path, colon, function = name.rpartition(":")
    if not colon or not path.endswith(".py"):
        if name.endswith(".py"):
            raise SpecError(f"name the function as well: {name}:FUNCTION")
        return SCORERS.get(name)
    return _from_file(Path(path), function)


def _from_file(path: Path, function: str) -> Registered:
    try:
        source = path.read_bytes()
    except FileNotFoundError:
        raise SpecError("there is no such file", path=str(path)) from None
    except (OSError, ValueError) as failed:
        raise SpecError(f"cannot be read: {getattr(failed, 'strerror', failed)}", path=str(path)) from None
    # The whole file stands behind its number, helpers included, so the whole file is its version.
    version = hashlib.sha256(source).hexdigest()[:12]
    module = _run(path, version)
    fn = getattr(module, function, None)
    if not callable(fn):
        there = sorted(k for k, v in vars(module).items() if getattr(v, "__module__", "") == module.__name__)
        raise SpecError(f"has no function {function!r}; it has {', '.join(there) or 'none'}", path=str(path))
    if not inspect.signature(fn).parameters:
        raise SpecError(f"{function} takes no sample: it needs one parameter", path=str(path))
    summary = next(iter((inspect.getdoc(fn) or "").splitlines()), "")
    return OwnScorer(name=function, fn=fn, version=version, summary=summary)


def _run(path: Path, version: str) -> ModuleType:
    name = f"steelyard_own_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]}_{version}"
    if name in sys.modules:
        return sys.modules[name]
    found = importlib.util.spec_from_file_location(name, path)
    if found is None or found.loader is None:
        raise SpecError("cannot be loaded as Python", path=str(path))
    module = importlib.util.module_from_spec(found)
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    sys.modules[name] = module
    try:
        found.loader.exec_module(module)
    except SteelyardError:
        del sys.modules[name]
        raise
    except _FAILURES as failed:
        del sys.modules[name]
        raise SpecError(f"cannot be loaded: {type(failed).__name__}: {failed}", path=str(path)) from None
    return module

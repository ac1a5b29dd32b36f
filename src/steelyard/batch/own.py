"""Scorers by name, or from a file of the user: ``my_file.py:function``."""

from __future__ import annotations

import functools
import hashlib
import inspect
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
from msgspec import UNSET

from steelyard.errors import EngineError, SpecError
from steelyard.foreign import caught, shown, told
from steelyard.lift import lift, plain
from steelyard.registry import SCORERS, Registered, call
from steelyard.score import Part, Score
from steelyard.source import import_from_folder_of, source_digest


class OwnFile(msgspec.Struct, frozen=True):
    """A user's file as it was when it was read, and the function in it that scores."""

    path: str
    function: str
    source: bytes
    digest: str = ""

    def __str__(self) -> str:
        return self.path

    @property
    def version(self) -> str:
        """The whole file stands behind its number, and so does what it imports from its own folder."""
        return (self.digest or source_digest(self.path, self.source))[:12]

    def load(self) -> Registered:
        """The function, once the file has been run; whatever the file raises is a SpecError with its line."""
        module = self._run()
        fn = getattr(module, self.function, None)
        if not callable(fn):
            there = sorted(
                k
                for k, v in vars(module).items()
                if getattr(v, "__module__", "") == module.__name__
            )
            message = f"has no function {self.function!r}; it has {', '.join(there) or 'none'}"
            raise SpecError(message, path=self.path)
        known, failed = caught(inspect.signature, fn)
        if isinstance(failed, KeyboardInterrupt):
            raise failed
        if failed is None and not known.parameters:
            raise SpecError(
                f"{self.function} takes no sample: it needs one parameter", path=self.path
            )
        summary = next(iter((inspect.getdoc(fn) or "").splitlines()), "")
        return Registered(name=self.function, fn=fn, version=self.version, summary=summary)

    def _run(self) -> ModuleType:
        folder = str(Path(self.path).resolve().parent)
        name = f"steelyard_own_{hashlib.sha256(folder.encode(errors='replace')).hexdigest()[:12]}_{self.version}"
        if name in sys.modules:
            return sys.modules[name]
        module = ModuleType(name)
        module.__file__ = self.path
        import_from_folder_of(self.path, self.source)
        sys.modules[name] = module
        _, failed = caught(self._execute, module)
        if failed is None:
            return module
        del sys.modules[name]
        if isinstance(failed, KeyboardInterrupt):
            raise failed
        raise SpecError(f"cannot be loaded: {told(failed)}", path=_place(failed, self.path))

    def _execute(self, module: ModuleType) -> None:
        exec(compile(self.source, self.path, "exec", dont_inherit=True), vars(module))


def _place(failed: BaseException, path: str) -> str:
    """The file with the line in it that failed, where that is known."""
    if isinstance(failed, SyntaxError) and failed.filename == path:
        return f"{path}:{failed.lineno}"
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(failed.__traceback__)
        if frame.filename == path
    ]
    return f"{path}:{lines[-1]}" if lines else path


def own_file(name: str) -> OwnFile | None:
    """The file and the function that ``path/file.py:function`` names; None for the name of a registered scorer."""
    path, colon, function = name.rpartition(":")
    if not colon or not path.endswith(".py"):
        if name.endswith(".py"):
            raise SpecError(f"name the function as well: {name}:FUNCTION")
        return None
    try:
        source = Path(path).read_bytes()
        return OwnFile(path, function, source, source_digest(path, source))
    except FileNotFoundError:
        raise SpecError("there is no such file", path=path) from None
    except (OSError, ValueError) as failed:
        raise SpecError(
            f"cannot be read: {getattr(failed, 'strerror', failed)}", path=path
        ) from None


def find_scorer(name: str) -> Registered:
    """The registered scorer of that name, or the function that ``path/file.py:function`` names.

    >>> find_scorer("no_such_file.py:shout")
    Traceback (most recent call last):
    steelyard.errors.SpecError: no_such_file.py: there is no such file
    """
    own = own_file(name)
    return SCORERS.get(name) if own is None else own.load()


def guarded(fn: Callable[..., Any], *, apart: bool) -> Callable[..., Score]:
    """The user's function as one that gives a sound Score whatever it does short of ending the process.

    Ctrl-C never reaches a process that is ``apart``; there such an interrupt is the function's own.
    """
    return functools.partial(
        call, functools.partial(_sound, functools.partial(_renamed, fn) if apart else fn)
    )


def _renamed(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    try:
        return fn(*args, **kwargs)
    except KeyboardInterrupt:
        raise EngineError("the scorer failed: KeyboardInterrupt") from None


def _sound(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Score:
    return sound(lift(fn(*args, **kwargs)))


def sound(score: Score) -> Score:
    """The same Score, holding nothing but what JSON can hold; an EngineError where that cannot be."""
    return Score(
        value=None if score.value is None else float(score.value),
        correct=bool(score.correct),
        extracted=UNSET if score.extracted is UNSET else plain(score.extracted),
        span=sound_span(score.span),
        reason=shown(score.reason),
        parts=tuple(
            Part(name=shown(p.name), score=sound(p.score), weight=float(p.weight))
            for p in score.parts
        ),
        detail=plain(dict(score.detail)),
        pending=bool(score.pending),
    )


def sound_span(span: Any) -> tuple[int, int] | None:
    """Two positions, or none at all; an EngineError for anything else.

    >>> sound_span([1, 3]), sound_span(None)
    ((1, 3), None)
    """
    if span is None:
        return None
    if isinstance(span, (tuple, list)) and len(span) == 2 and all(type(end) is int for end in span):
        return span[0], span[1]
    raise EngineError(f"the scorer returned the span {shown(span)}; two positions are needed")

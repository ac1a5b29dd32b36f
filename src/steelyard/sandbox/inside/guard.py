"""What is done before a test runs in the candidate's own process: hooks removed, modules put back as they were."""

from __future__ import annotations

import _thread
import atexit
import gc
import importlib
import os
import re
import signal
import sys
import threading
import types
import unittest
from time import monotonic, sleep
from typing import Any

from .attempt import attempt
from .calling import after_each, in_main
from .picture import apart, take

# What the harness and most tests rest on, whatever else they import.
ALWAYS = (
    "builtins",
    "types",
    "operator",
    "functools",
    "itertools",
    "math",
    "random",
    "re",
    "copy",
    "collections",
    "json",
    "hashlib",
    "unittest",
    "unittest.case",
    "time",
    "_thread",
    "threading",
    "asyncio",
)
# Ways to look into, or act from outside on, a process that holds a secret.
_FORBIDDEN = frozenset(
    {
        "sys._current_frames",
        "sys._current_exceptions",
        "sys.settrace",
        "sys.setprofile",
        "gc.get_objects",
        "gc.get_referrers",
        "gc.get_referents",
        "os.fork",
        "os.forkpty",
        "os.posix_spawn",
        "os.exec",
        "os.system",
        "subprocess.Popen",
        "pty.spawn",
        "code.__new__",
        "sys.addaudithook",
        "signal.pthread_kill",
    }
)
_PACKAGE = __name__.rpartition(".")[0]
_PATIENCE = 0.5
_FUNCTION = ("__code__", "__defaults__", "__kwdefaults__")


class Guard:
    """A picture of the modules that a test rests on, taken before the candidate is loaded."""

    def __init__(self, modules: list[str]) -> None:
        for name in [*ALWAYS, *modules]:
            attempt(importlib.import_module, name)
        unittest.main = lambda *args, **kwargs: None  # type: ignore[assignment]
        names = {part for name in [*ALWAYS, *modules] for part in _with_parents(name)}
        self._modules = {name: sys.modules[name] for name in names if name in sys.modules}
        self._names = {name: dict(module.__dict__) for name, module in self._modules.items()}
        self._functions: list[tuple[types.FunctionType, tuple[Any, ...]]] = []
        self._classes: list[tuple[type, dict[str, Any]]] = []
        for kept in self._names.values():
            self._keep(kept)
        ours = [module for name, module in sys.modules.items() if name.startswith(_PACKAGE + ".")]
        spaces = [module.__dict__ for module in [*self._modules.values(), *ours]]
        rested_on = {_PACKAGE, "unittest", *(name.partition(".")[0] for name in modules)}
        kinds = [kind for space in spaces for kind in space.values() if isinstance(kind, type)]
        kinds = [kind for kind in kinds if _top(kind) in rested_on]
        self.learn, self.put_back = take(spaces, list({id(kind): kind for kind in kinds}.values()))
        # Whatever runs next is ours again, before anything of ours is looked up.
        after_each(self.put_back)
        self.hidden: list[Any] = []
        self.shown_to = [_thread.get_ident()]
        self._hooks = (list(sys.meta_path), list(sys.path_hooks), list(sys.path))
        self.classes = frozenset(map(id, _all_classes()))
        _watch(self.hidden, self.shown_to)

    def _keep(self, names: dict[str, Any]) -> None:
        for value in names.values():
            if isinstance(value, types.FunctionType):
                self._functions.append((value, tuple(getattr(value, part) for part in _FUNCTION)))
            elif isinstance(value, type) and not any(value is known for known, _ in self._classes):
                self._classes.append((value, dict(vars(value))))
                self._keep(
                    {
                        key: inner
                        for key, inner in vars(value).items()
                        if isinstance(inner, types.FunctionType)
                    }
                )

    def restore(self) -> None:
        """Takes away what the candidate may have left behind, and puts back what it may have changed."""
        _remove_hooks()
        in_main(_forget_signals)
        for name, module in self._modules.items():
            _put_back(module.__dict__, self._names[name])
            sys.modules[name] = module
        for function, parts in self._functions:
            for name, part in zip(_FUNCTION, parts):  # noqa: B905 - older versions have no strict
                if getattr(function, name) is not part:
                    setattr(function, name, part)
        for kind, members in self._classes:
            _put_back_members(kind, members)
        sys.meta_path[:], sys.path_hooks[:], sys.path[:] = self._hooks


def alone() -> bool:
    """Whether this process has the main thread and this one, and no company but those that it comes from.

    A thread that has done its work may still be there for a moment: it is given the time to go.
    """
    end = monotonic() + _PATIENCE
    wanted = {str(os.getpid()), str(_thread.get_native_id())}
    while set(os.listdir("/proc/self/task")) != wanted:
        if monotonic() > end:
            return False
        sleep(0.001)
    others = {int(name) for name in os.listdir("/proc") if name.isdigit()}
    own = os.getpid()
    while own > 1 and own in others:
        others.discard(own)
        with open(f"/proc/{own}/stat", encoding="utf-8", errors="replace") as stat:
            own = int(
                stat.read().rpartition(")")[2].split()[1]
            )  # the parent, behind the name and the state
    return not others - {1}


def _watch(hidden: list[Any], shown_to: list[int]) -> None:
    """From here on no thread but this one, in which nothing of the candidate's runs, can look around in the process.

    What is hidden are the names of the test: the code of its functions, with all that it expects, is not shown.
    """
    for name in [
        name
        for name in sys.modules
        if name in {"ctypes", "_ctypes", _PACKAGE} or name.startswith(_PACKAGE + ".")
    ]:
        del sys.modules[name]

    process = re.compile(r"(?:^|/)proc(?:/|$)").search
    sys.addaudithook(apart(_hook, _thread.get_ident, _thread.get_ident(), _FORBIDDEN, process))
    sys.addaudithook(apart(_hide, _thread.get_ident, shown_to, hidden))


def _hook(event: str, args: Any, get_ident: Any, first: int, forbidden: Any, process: Any) -> None:
    """Nothing here is looked up where a candidate could change it."""
    if get_ident() == first:
        return
    if event == "import" and args[0] in {"_ctypes", "_testcapi", "_testinternalcapi"}:
        raise ImportError("not available while a test is running")
    if event in forbidden or (
        event == "object.__setattr__" and args[1] in {"__code__", "__defaults__"}
    ):
        # A class of named fields gives its constructor defaults, which is in no module.
        space = getattr(args[0], "__globals__", None)
        named = (
            space
            and type(space.get("__name__")) is str
            and space["__name__"].startswith("namedtuple_")
        )
        if not named or args[1] != "__defaults__":
            raise PermissionError(event)
    if event in {"open", "os.chdir", "os.symlink", "os.link", "os.rename"}:
        for path in args[:2]:
            text = path.decode("latin-1") if type(path) is bytes else path
            if type(text) is str and process(text):
                raise PermissionError(event)


def _hide(event: str, args: Any, get_ident: Any, shown_to: list[int], hidden: list[Any]) -> None:
    if event != "object.__getattr__" or args[1] not in {"__code__", "f_code", "gi_code", "cr_code"}:
        return
    if hidden and get_ident() not in shown_to:
        space = getattr(args[0], "f_globals", None) or getattr(args[0], "__globals__", None)
        if any(space is names for names in hidden):
            raise PermissionError(event)


def _remove_hooks() -> None:
    sys.settrace(None)
    sys.setprofile(None)
    threading.settrace(None)
    threading.setprofile(None)
    atexit._clear()
    gc.callbacks.clear()
    sys.excepthook, sys.unraisablehook = sys.__excepthook__, sys.__unraisablehook__
    for name in ("stdout", "stderr", "stdin"):
        setattr(sys, name, getattr(sys, f"__{name}__"))


def _forget_signals() -> None:
    """Handlers can be set in the main thread alone."""
    for number in signal.valid_signals():
        attempt(signal.signal, number, signal.SIG_DFL)


def _put_back(names: dict[str, Any], kept: dict[str, Any]) -> None:
    """Adds before it takes away: there is no moment without the names."""
    names.update(kept)
    for name in [name for name in names if name not in kept]:
        del names[name]


def _put_back_members(kind: type, members: dict[str, Any]) -> None:
    now = dict(vars(kind))
    for name in {*now, *members} - {"__dict__", "__weakref__", "__doc__"}:
        if now.get(name) is members.get(name):
            continue
        if name in members:
            attempt(type.__setattr__, kind, name, members[name])
        else:
            attempt(type.__delattr__, kind, name)


def _all_classes() -> list[type]:
    found: list[Any] = []
    left: list[Any] = [object]
    seen: set[int] = set()
    while left:
        kind = left.pop()
        if id(kind) not in seen:
            seen.add(id(kind))
            found.append(kind)
            left += type.__subclasses__(kind)
    return found


def _top(kind: type) -> str:
    """The package from which the class comes."""
    name = kind.__module__
    return _PACKAGE if name.startswith(_PACKAGE + ".") else name.partition(".")[0]


def _with_parents(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[: end + 1]) for end in range(len(parts))]

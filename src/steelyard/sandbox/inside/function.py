"""The worker that loads a candidate and calls it.

It shares its process with the candidate, so whatever it says is only data that comes from the candidate: expected
values are never sent here, and only the outside judges.
"""

from __future__ import annotations

import _thread
import itertools
import os
import sys
import types
from _collections import deque  # type: ignore[import-not-found]  # `collections` itself takes longer to load
from _collections_abc import ItemsView, KeysView, ValuesView
from _functools import partial  # type: ignore[import-not-found]  # likewise

from . import values
from .attempt import attempt, failure
from .entry import is_awaitable, resolve

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing takes longer to load than all of this
    from typing import Any

NAME = "solution"
# Results that are a list in all but name.
_LISTED = (KeysView, ValuesView, ItemsView, deque, range)


def serve(channel: Any) -> None:
    """Serves the grader until it has gone."""
    worker = Worker(channel)
    while True:
        data = channel.receive()
        if data is None:
            return
        message = values.loads(data)
        if "guarded" in message.get("load", ()):
            _thread.start_new_thread(_serve_beside, (worker, message, channel))
            del worker, message, data, channel  # what the candidate's frames lead to
            break
        worker.handle(message)
    from .calling import attend

    attend()


def _serve_beside(worker: Worker, message: dict[str, Any], channel: Any) -> None:
    """Likewise, where the main thread is left to the candidate."""
    _, failed = attempt(worker.handle, message)
    while failed is None and (data := channel.receive()) is not None:
        _, failed = attempt(worker.handle, values.loads(data))
    os._exit(0)


class Source:
    """The candidate's source for whoever asks its module for it: `inspect`, and the lines of a traceback."""

    def __init__(self, text: str) -> None:
        self._text = text

    def get_source(self, _name: str) -> str:
        """All of it."""
        return self._text


class Flushing:
    """The channel, by which nothing goes before what was printed: an answer may be the last that the test wanted."""

    def __init__(self, channel: Any) -> None:
        self._channel = channel
        self.receive = channel.receive

    def send(self, message: bytes) -> None:
        """One message, after all that was printed before it."""
        _flush()
        self._channel.send(message)


class Worker:
    """One candidate, from loading to the last call."""

    def __init__(self, channel: Any) -> None:
        self._channel = channel
        self._module = types.ModuleType(NAME)
        self._entry = ""
        self._examine: Any = None
        self._peer: Any = None

    @property
    def module(self) -> types.ModuleType:
        """The candidate's module."""
        return self._module

    @property
    def entry(self) -> Any:
        """The candidate's entry point, as something to call."""
        return resolve(self._module, self._entry)

    def handle(self, message: dict[str, Any]) -> None:
        """Answers one message."""
        if "ask" in message:
            self._peer = self._peer or self._meet()
            self._peer.serve(message)
            return
        if "load" in message:
            reply = self._load(message["load"])
        elif "examine" in message and self._examine is not None:
            reply = self._examine(self, message["examine"])
        else:
            reply = self._call(message)
        _flush()
        self._channel.send(reply)

    def _load(self, wanted: dict[str, Any]) -> bytes:
        """Takes the first of the sources that loads and has the entry point."""
        self._entry = wanted["entry_point"]
        run = _module_of
        if "tested" in wanted:
            self._peer = self._meet()
        if "guarded" in wanted:
            run = self._be_guarded(wanted["guarded"])
        first: BaseException | None = None
        for used, source in enumerate([wanted["source"], *wanted.get("alternatives", ())]):
            module, failed = attempt(run, source)
            if failed is None:
                self._module = module
                _, failed = attempt(getattr, self, "entry")
            if failed is None:
                return values.dumps({"loaded": {"names": self._callables(), "used": used}})
            first = first or failed
            if not isinstance(failed, Exception):
                break  # the program ended itself: there is no going on with another reading of it
        return values.dumps({"failed": failure(first or NameError("there is no source"))})

    def _meet(self) -> Any:
        """What answers a test in another box; it is loaded before a candidate that will be tested so, and for no other."""
        from .candidate import Candidate
        from .peer import Peer

        values.prepare()
        return Peer(Flushing(self._channel), Candidate(self))

    def _be_guarded(self, modules: Any) -> Any:
        """Makes ready for a test in this process, before the candidate is there to reach what it needs."""
        from .calling import in_main
        from .examiner import examine
        from .guard import Guard

        self._examine = partial(examine, guard=Guard(modules), channel=self._channel)
        return partial(in_main, _module_of)

    def _callables(self) -> list[str]:
        found = dict.items(self._module.__dict__)
        return [name for name, value in found if type(name) is str and callable(value)][:1000]

    def _call(self, message: dict[str, Any]) -> bytes:
        number = message["call"]
        answer, failed = attempt(self._called, message)
        if failed is None:
            answer, failed = attempt(values.dumps, answer)
        if failed is not None:
            return values.dumps({"failed": failure(failed), "call": number})
        return answer  # type: ignore[no-any-return]

    def _called(self, message: dict[str, Any]) -> dict[str, Any]:
        args = [values.decode(item) for item in message.get("args", ())]
        kwargs = {key: values.decode(value) for key, value in message.get("kwargs", {}).items()}
        found = resolve(self._module, message.get("name") or self._entry)(*args, **kwargs)
        value = values.encode(materialised(found))
        return {"done": message["call"], "value": value}


def _module_of(source: str) -> types.ModuleType:
    """Runs the source as a module; no frame below it leads to the worker."""
    module = types.ModuleType(NAME)
    module.__dict__.update(__file__=NAME + ".py", __loader__=Source(source))
    sys.modules[NAME] = module
    sys.modules["__main__"] = types.ModuleType("__main__")
    sys.argv[:] = [NAME + ".py"]
    _leave_file(source)
    exec(compile(source, NAME + ".py", "exec", dont_inherit=True), module.__dict__)
    return module


def _leave_file(source: str) -> None:
    """Where processes that the candidate spawns look for its module; after everything else, so that it hides nothing."""
    path = os.getcwd()
    attempt(_write, os.path.join(path, NAME + ".py"), source)
    if path not in sys.path:
        sys.path.append(path)


def _write(path: str, source: str) -> None:
    with open(path, "w", encoding="utf-8", errors="surrogatepass") as file:
        file.write(source)


def materialised(value: Any) -> Any:
    """A result as data: what is awaited has come, and what is iterated is a list.

    One item more than a value may have is taken, so that an endless iterator ends as one that is too large.
    """
    if is_awaitable(value):
        value = _awaited(value)
    if hasattr(type(value), "__anext__"):
        value = _awaited(_all_of(value))
    if hasattr(type(value), "__next__") or isinstance(value, _LISTED):
        return list(itertools.islice(value, values.NODES + 1))
    return value


def _awaited(value: Any) -> Any:
    import asyncio

    async def wait() -> Any:
        return await value

    return asyncio.run(wait())


async def _all_of(value: Any) -> list[Any]:
    found = []
    async for item in value:
        found.append(item)
        if len(found) > values.NODES:
            break
    return found


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        attempt(lambda stream=stream: stream.flush())

"""The worker that runs a test which was written to share a process with the code under test.

Here it does not: the candidate's names are stand-ins, and each call goes through the grader to the box that holds the
candidate. Nothing that the candidate wrote runs in this process, so what this worker says of the test is to be
believed. It says once, at its end: {"finished": {"assertions": n, "failed": null or {"type", "text", "line", "by"}}},
or {"unproxied": why} where the test does what cannot be done through stand-ins.
"""

from __future__ import annotations
import __future__

import ast
import asyncio
import builtins
import functools
import inspect
import os
import sys
import types
import unittest
from typing import Any

from . import standins, values
from .attempt import ENDINGS, attempt, failure
from .cases import cases_of, run_case
from .counting import COUNTED, RAN, Prepared, line_of, prepare
from .declared import Material
from .peer import NAMESPACE, Peer, Side, is_pure
from .remote import awaitable, name_class, number_of, stand_in

_CALLABLE = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, functools.partial)


def serve(channel: Any) -> None:
    """Runs one test."""
    data = channel.receive()
    if data is None:
        return
    test = values.loads(data)["test"]
    if "dry" in test:
        from .dry import DryTester

        DryTester(channel, test).run()
    Tester(channel, test).run()


class Tester(Side):
    """The test's side: it hands out functions and iterators only, and those can only be called or advanced."""

    arrays = True

    def __init__(self, channel: Any, test: dict[str, Any]) -> None:
        self._channel, self._test = channel, test
        self._peer = Peer(channel, self)
        self._assertions = 0
        self._awaited: list[tuple[Any, int]] = []
        self._by_candidate: list[BaseException] = []
        self._refused: BaseException | None = None
        self._module = types.ModuleType("__main__")
        self._space = self._module.__dict__
        self._prepared: Prepared = prepare(test["source"], test["entry_point"])
        self._material = Material(test["source"], test.get("prompt", ""), test["entry_point"])
        self._answered = False

    def run(self) -> None:
        """Runs the test and says how it went."""
        sys.modules["__main__"] = self._module
        unittest.main = lambda *args, **kwargs: None  # type: ignore[assignment]
        standins.offer()
        self._take_prompt()
        self._space[RAN], self._space[COUNTED] = self._count, self._counted
        _, failed = attempt(self._all)
        if isinstance(failed, SystemExit) and not failed.code and not self._is_candidate_s(failed):
            failed = None
        self._finish(self._refused or failed)

    def _all(self) -> None:
        self._take_names()
        exec(self._prepared.code, self._space)
        for name in self._prepared.uncalled:
            self._call(self._space[name])
        for case in cases_of(list(self._space.values())):
            run_case(case)

    def _call(self, function: Any) -> None:
        """Calls ``check(candidate)`` or ``test_this()``; with one parameter, it is the entry point."""
        needed = [
            p for p in inspect.signature(function).parameters.values() if p.default is p.empty
        ]
        given = [self._entry] if len(needed) == 1 else []
        result = function(*given)
        if inspect.iscoroutine(result):
            asyncio.run(result)

    def _take_prompt(self) -> None:
        """The prompt's imports and helpers, each for itself: one that fails is missed only if it is used."""
        source = self._test.get("prompt", "")
        tree, failed = attempt(ast.parse, source, "<prompt>")
        later = __future__.annotations.compiler_flag if "import annotations" in source else 0
        for statement in [] if failed is not None else tree.body:
            code = compile(ast.Module([statement], []), "<prompt>", "exec", later, True)
            attempt(exec, code, self._space)
        for name in [*self._test.get("stubs", ()), self._test["entry_point"].split(".")[0]]:
            self._space.pop(name, None)

    def _take_names(self) -> None:
        """What the test uses and neither it nor the prompt defines is the library's, or else the candidate's."""
        entry, material = self._test["entry_point"], self._material
        self._entry = self._peer.ask("entry", NAMESPACE)
        standins.import_missing(self._space, self._prepared.wanted, material)
        missing = [name for name in self._prepared.wanted if name not in self._space]
        classes = {
            name: type(name, (Exception,), {}) for name in self._prepared.caught if name in missing
        }
        asked = [name for name in missing if name not in classes and material.wants(name)]
        found = self._peer.ask("names", NAMESPACE, "", (asked,))
        self._space.update({name: found[name] for name in asked if name in found})
        self._space.update(classes)
        if "candidate" in self._prepared.wanted:
            self._space.setdefault("candidate", self._entry)
        if "." not in entry:
            self._space[entry] = self._entry
        for name in filter(material.is_class, self._prepared.wanted):
            name_class(self._space.get(name))
        self._answered = bool(found) or number_of(self._entry) is None

    def _is_candidate_s(self, failed: BaseException) -> bool:
        return any(failed is known for known in self._by_candidate)

    def _count(self) -> None:
        self._assertions += 1

    def _counted(self, result: Any) -> Any:
        self._assertions += 1
        return result

    def kind_of(self, value: Any) -> str:
        """Functions and iterators; anything else cannot leave this process.

        Where the author made it, the test is run in the other way. What may have come of something that the
        candidate sent never decides that: it is the candidate's failure.
        """
        if is_pure(value):
            return "builtin"
        if isinstance(value, _CALLABLE):
            return "callable"
        if hasattr(type(value), "__next__"):
            return "iterator"
        why = f"an object of type {type(value).__name__}, which is no plain data"
        if not self._answered or self._material.has_made(value):
            self._unproxied(f"the test hands over {why}")
        raise self.raised(
            {"type": "NotPlain", "base": "TypeError", "text": f"the test would hand back {why}"}, ""
        )

    def stand_in(self, peer: Peer, number: int, kind: str) -> Any:
        """Something of the candidate's."""
        if kind != "awaitable":
            return stand_in(peer, number, kind, self._unproxied)
        found = awaitable(peer, number)
        self._awaited.append((found, number))
        return found

    def number_of(self, value: Any) -> int | None:
        """The number of the candidate's own object."""
        waiting = next((number for known, number in self._awaited if known is value), None)
        return number_of(value) if waiting is None else waiting

    def serve(
        self, what: str, target: Any, name: str, args: list[Any], kwargs: dict[str, Any]
    ) -> Any:
        """The candidate calls a function that it was given, or takes the next item of an iterator."""
        self._answered = True
        if what == "next" and hasattr(type(target), "__next__"):
            return next(target)
        if what != "call" or not isinstance(target, _CALLABLE):
            raise ValueError(
                "a function can be called and an iterator be advanced, and that is all"
            )
        value, failed = attempt(lambda: target(*args, **kwargs))
        if failed is not None:
            # The candidate could swallow it, and must not.
            if isinstance(failed, AssertionError) and not any(
                failed is known for known in self._by_candidate
            ):
                self._refused = self._refused or failed
            raise failed
        return value

    def raised(self, failed: dict[str, Any], what: str) -> BaseException:
        """What the candidate raised, as the class that the test knows by that name, or the nearest built-in one."""
        name, text = str(failed.get("type")), str(failed.get("text", ""))[:500]
        if name in ENDINGS and name not in self._test["source"]:
            self._finish_with({**failed, "line": None, "by": "candidate"})
        known = self._space.get(name)
        own = (
            isinstance(known, type)
            and issubclass(known, Exception)
            and known.__module__ in {"__main__", __name__}
        )
        kind = known if own else None
        kind = kind or getattr(builtins, str(failed.get("base")), Exception)
        if not isinstance(kind, type) or not issubclass(kind, BaseException):
            kind = Exception
        made, unusual = attempt(kind, text)
        found = made if unusual is None and isinstance(made, BaseException) else Exception(text)
        self._by_candidate = [*self._by_candidate[-20:], found]
        found.__dict__["reported"] = {key: failed.get(key) for key in ("type", "text", "errno")}
        return found

    def answered(self) -> None:
        """From now on the candidate may have had a part in whatever the test has."""
        self._answered = True

    def malformed(self, why: str) -> BaseException:
        """The candidate's side broke the rules of the exchange, which ends the test."""
        self._finish_with({"type": "Malformed", "text": why, "line": None, "by": "candidate"})
        return ValueError(why)

    def _unproxied(self, why: str) -> Any:
        self._end({"unproxied": why})

    def _finish(self, failed: BaseException | None) -> None:
        if failed is None:
            self._finish_with(None)
            return
        mine = not self._is_candidate_s(failed)
        told = failure(failed) if mine else failed.__dict__["reported"]
        self._finish_with({**told, "line": line_of(failed), "by": "test" if mine else "candidate"})

    def _finish_with(self, failed: dict[str, Any] | None) -> None:
        self._end({"finished": {"assertions": self._assertions, "failed": failed}})

    def _end(self, message: dict[str, Any]) -> None:
        """The last word; the process ends here, for a test may catch whatever could be raised."""
        self._channel.send(values.dumps(message))
        for stream in (sys.stdout, sys.stderr):
            attempt(stream.flush)
        while self._channel.receive() is not None:
            continue  # whatever the candidate still says
        os._exit(0)

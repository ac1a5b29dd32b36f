"""The fallback: a test that runs in the candidate's own process, after the candidate was loaded.

It is for tests that hand over objects of their own or ask for the candidate's classes, and it is weaker than a test in
a process of its own. What is done: the process must have no thread but ours and no children before the secret comes;
hooks, timers and handlers are removed, builtins and the modules that the test rests on are put back; from the loading on,
the interpreter's ways to look around in the process are closed; the key is held by a thread in which no test runs,
and the candidate's functions and methods are called in the main thread, so that neither can be found by walking
up the frames; what a call changes is put back after it; the test is in no list of modules, and the code of its functions
is not shown; comparisons are ours, and an object of a candidate's class never equals plain data.

What cannot be done: functions that an object carries as attributes, and coroutines, run in the test's thread. A thread
that stays can change things at any time. The test's global variables can be reached through its own functions, if it
hands any over, and native code could read the key from memory. Whoever needs certainty writes a test that is proxied.
"""

from __future__ import annotations

import ast
import asyncio
import hashlib
import sys
import types
from typing import Any

from . import confine, standins, values
from .attempt import attempt, failure
from .calling import in_thread
from .cases import cases_of, run_case
from .comparing import Judge, rewrite
from .counting import FILE, Prepared, line_of, prepare
from .declared import Material
from .doorway import Doorway
from .guard import Guard, alone


def examine(worker: Any, material: dict[str, Any], guard: Guard, channel: Any) -> bytes:
    """Runs the test and proves it: {"finished": {"assertions", "failed", "proof"}}."""
    guard.restore()
    if not alone():
        return values.dumps(
            {"failed": {"type": "NotAlone", "text": "a thread or a process is still running"}}
        )
    confine.dumpable(False)  # no child that it may start later can read this process's memory
    channel.send(values.dumps({"ready": True}))
    secret = channel.receive()
    if secret is None:
        return values.dumps({"failed": {"type": "NoSecret", "text": ""}})
    key = hashlib.blake2b(key=bytes.fromhex(secret.decode("ascii")))
    del secret
    test = Test(worker.module, worker.entry, material, guard)
    judge = test.judge
    guard.learn()
    # A method is called through one frame of ours, and may call itself as deeply as ever.
    sys.setrecursionlimit(min(2 * sys.getrecursionlimit() + 100, 2**30))
    _, failed = attempt(in_thread, _run, test)
    if isinstance(failed, SystemExit) and not failed.code and _is_at_the_top(failed, test.code):
        failed = None
    told = (
        None
        if failed is None
        else {**failure(failed), "line": line_of(failed), "by": _whose(failed)}
    )
    key.update(b"%d" % judge.assertions)
    proof = key.hexdigest() if failed is None else ""
    return values.dumps(
        {"finished": {"assertions": judge.assertions, "failed": told, "proof": proof}}
    )


class Test:
    """The test's own names: the prompt's helpers, the candidate's classes, its functions each behind a thread."""

    def __init__(
        self, module: types.ModuleType, entry: Any, material: dict[str, Any], guard: Guard
    ) -> None:
        self.prepared: Prepared = prepare(material["source"], material["entry_point"])
        self.about = Material(material["source"], material["prompt"], material["entry_point"])
        self.doorway = Doorway(guard.classes, guard.learn, self.about.looks_at_functions)
        self.judge = Judge(self.doorway, lambda: self.named)
        self.code = rewrite(material["source"], self.judge)
        # In no list of modules, so that no name leads to it; what reads the code of its functions is refused.
        self.space: dict[str, Any] = {"__name__": "__main__"}
        guard.hidden.append(self.space)
        self.shown_to = guard.shown_to
        self.named: list[Any] = []
        self.entry = self.doorway.guarded(entry)
        self._take(module.__dict__, material)

    def _take(self, theirs: dict[str, Any], material: dict[str, Any]) -> None:
        entry = material["entry_point"]
        self._take_prompt(theirs, material)
        standins.import_missing(self.space, self.prepared.wanted, self.about)
        for name in [*self.prepared.wanted, *self.prepared.caught]:
            if name not in self.space and name in theirs and self._expects(name):
                self.space[name] = self.doorway.guarded(theirs[name])
        if "candidate" in self.prepared.wanted:
            self.space.setdefault("candidate", self.entry)
        if "." not in entry and not isinstance(theirs.get(entry), type):
            self.space[entry] = self.entry
        classes = {name: value for name, value in theirs.items() if isinstance(value, type)}
        for value in classes.values():
            self.doorway.guarded(value)
        self.named += [value for name, value in classes.items() if self._names(name)]

    def _take_prompt(self, theirs: dict[str, Any], material: dict[str, Any]) -> None:
        tree, failed = attempt(ast.parse, material["prompt"])
        for statement in [] if failed is not None else tree.body:
            name = getattr(statement, "name", None)
            if isinstance(statement, ast.ClassDef) and name in theirs:
                self.space[statement.name] = theirs[statement.name]  # both sides need the one class
                continue
            code = compile(ast.Module([statement], []), "<prompt>", "exec", dont_inherit=True)
            attempt(exec, code, self.space)
        for name in [*material["stubs"], material["entry_point"].split(".")[0]]:
            self.space.pop(name, None)

    def _names(self, name: str) -> bool:
        return (name in self.space or name in self.prepared.wanted) and self.about.is_class(name)

    def _expects(self, name: str) -> bool:
        return name in self.prepared.caught or self.about.wants(name)


def _run(test: Test) -> None:
    test.shown_to.append(test.doorway.open())
    standins.offer()
    space = test.space
    exec(test.code, space)
    # All that is to be run is taken before the first of it gives the candidate a chance to exchange it.
    functions = [space[name] for name in test.prepared.uncalled]
    cases = cases_of(list(space.values()))
    for function in functions:
        needed = function.__code__.co_argcount - len(function.__defaults__ or ())
        result = function(*[test.entry][:needed])
        if isinstance(result, types.CoroutineType):
            asyncio.run(result)
    for case in cases:
        run_case(case)


def _is_at_the_top(failed: BaseException, code: types.CodeType) -> bool:
    """Whether the test's own last statement, and nobody else, ended it."""
    trace = failed.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_code is code


def _whose(failed: BaseException) -> str:
    """Whether the candidate's code or the test raised it: whose frame was the last on the way, the libraries' aside."""
    trace, last = failed.__traceback__, "test"
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        last = "candidate" if name == "solution.py" else "test" if name == FILE else last
        trace = trace.tb_next
    return last

"""The fallback: a test that runs in the candidate's own process, after the candidate was loaded.

It is for tests that hand over objects of their own or ask for the candidate's classes, and it is weaker than a test in
a process of its own. What is done: the process must have one thread and no children before the secret comes; hooks,
timers and handlers are removed, builtins and the modules that the test rests on are put back; from the loading on,
the interpreter's ways to look around in the process are closed; the key is held by a thread in which no test runs,
and the candidate's functions are called in threads of their own, so that neither can be found by walking up the
frames; comparisons are ours, and an object of a candidate's class never equals plain data.

What cannot be done: methods of the candidate's objects run in the test's thread and can walk up to it, where they
see what it expects. Our own classes can be found among the subclasses of object, and native code could read the key
from memory. Whoever needs certainty writes a test that is proxied.
"""

from __future__ import annotations

import ast
import hashlib
import sys
import types
import unittest
from typing import Any

from . import confine, standins, values
from .attempt import attempt, failure
from .cases import cases_of, run_case
from .comparing import Judge, rewrite
from .counting import Prepared, line_of, prepare
from .declared import Material
from .guard import Guard, alone, in_thread


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
    judge = Judge(guard.classes)
    _, failed = attempt(in_thread, _run, Test(worker.module, worker.entry, material, judge))
    told = None if failed is None else {**failure(failed), "line": line_of(failed), "by": _whose(failed)}
    key.update(b"%d" % judge.assertions)
    proof = key.hexdigest() if failed is None else ""
    return values.dumps({"finished": {"assertions": judge.assertions, "failed": told, "proof": proof}})


class Test:
    """The test's own names: the prompt's helpers, the candidate's classes, its functions each behind a thread."""

    def __init__(self, module: types.ModuleType, entry: Any, material: dict[str, Any], judge: Judge) -> None:
        self.prepared: Prepared = prepare(material["source"], material["entry_point"])
        self.code = rewrite(material["source"], judge)
        self.space: dict[str, Any] = {"__name__": "__main__"}
        self.entry = judge.behind_thread(entry)
        self._take(module.__dict__, material)

    def _take(self, theirs: dict[str, Any], material: dict[str, Any]) -> None:
        entry = material["entry_point"]
        tree, failed = attempt(ast.parse, material["prompt"])
        for statement in [] if failed is not None else tree.body:
            name = getattr(statement, "name", None)
            if isinstance(statement, ast.ClassDef) and name in theirs:
                self.space[statement.name] = theirs[statement.name]  # both sides need the one class
                continue
            code = compile(ast.Module([statement], []), "<prompt>", "exec", dont_inherit=True)
            attempt(exec, code, self.space)
        for name in [*material["stubs"], entry.split(".")[0]]:
            self.space.pop(name, None)
        standins.import_missing(
            self.space, self.prepared.wanted, Material(material["source"], material["prompt"], entry)
        )
        for name in [*self.prepared.wanted, *self.prepared.caught]:
            if name not in self.space and name in theirs:
                value = theirs[name]
                self.space[name] = value if isinstance(value, type) else Judge.behind_thread(value)
        if "." not in entry and not isinstance(theirs.get(entry), type):
            self.space[entry] = self.entry


def _run(test: Test) -> None:
    unittest.main = lambda *args, **kwargs: None  # type: ignore[assignment]
    standins.offer()
    module = types.ModuleType("__main__")
    module.__dict__.update(test.space)
    sys.modules["__main__"] = module
    space = module.__dict__
    exec(test.code, space)
    for name in test.prepared.uncalled:
        needed = space[name].__code__.co_argcount - len(space[name].__defaults__ or ())
        space[name](*[test.entry][:needed])
    for case in cases_of(list(space.values())):
        run_case(case)


def _whose(failed: BaseException) -> str:
    """Whether the candidate's code or the test raised it, by the file of the frame that did."""
    trace, last = failed.__traceback__, ""
    while trace is not None:
        last = trace.tb_frame.f_code.co_filename
        trace = trace.tb_next
    return "candidate" if last == "solution.py" else "test"

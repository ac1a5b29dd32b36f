"""The code that a task begins with: imports, helpers, and the function that the answer has to complete."""

from __future__ import annotations

import ast
import warnings
from typing import NamedTuple

_MOST_DROPPED = 200
LONGEST = 200_000
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# What a stand-in can do for a test; an author who defines other operators wants them asked of the object itself.
_SUPPORTED = """__init__ __new__ __post_init__ __call__ __len__ __getitem__ __setitem__ __delitem__ __iter__ __next__
__bool__ __str__ __repr__ __init_subclass__"""
_PROXIED = frozenset(_SUPPORTED.split())


class Prompt(NamedTuple):
    """A prompt, read: ``complete`` is Python, ``stubs`` are the names that it leaves to be written.

    ``prelude`` is what it defines in full, ``open`` says whether the entry point waits for its body at its end,
    and ``indent`` is how far that body is indented.
    """

    text: str
    entry_point: str
    complete: str
    prelude: str
    stubs: tuple[str, ...]
    open: bool
    indent: str

    @classmethod
    def read(cls, text: str, entry_point: str) -> Prompt:
        """Reads a prompt; one that is no code at all has nothing in it.

        >>> Prompt.read("import math\\ndef area(r):\\n", "area").prelude
        'import math'
        """
        complete = _complete(text)
        tree = parsed(complete) or ast.Module([], [])
        stubs = tuple(name for node in tree.body for name in _stub_names(node, entry_point))
        kept = [
            node
            for node in tree.body
            if getattr(node, "name", None) not in {*stubs, entry_point.split(".")[0]}
        ]
        kept = [
            node for node in kept if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        ]
        prelude = "\n".join(ast.unparse(node) for node in kept)
        last = _last_function(tree)
        wanted = entry_point.rpartition(".")[2]
        opened = last is not None and last.name == wanted and is_stub(last)
        indent = " " * (last.col_offset + 4 if last is not None else 4)
        if (
            last is not None
            and last.body[0].lineno > last.lineno
            and last.body[0].col_offset > last.col_offset
        ):
            line = complete.split("\n")[last.body[0].lineno - 1]
            indent = line[: len(line) - len(line.lstrip())] or indent
        return cls(text, entry_point, complete, prelude, stubs, opened, indent)

    def completed_by(self, body: str) -> str | None:
        """The prompt with this body, if that makes the entry point more than a stub."""
        glue = "" if self.text.endswith("\n") or body.startswith("\n") else "\n"
        for joined in (self.text + body, self.text + glue + body):
            tree = parsed(joined)
            function = find_function(tree, self.entry_point) if tree is not None else None
            if function is not None and not is_stub(function):
                return joined
        return None

    def operators(self) -> tuple[str, ...]:
        """The operators that the entry point is to have, where it is a class."""
        tree = parsed(self.complete) or ast.Module([], [])
        name = self.entry_point.split(".")[0]
        found = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name]
        inner = [part.name for node in found for part in node.body if isinstance(part, _FUNCTIONS)]
        return tuple(name for name in inner if name.startswith("__") and name not in _PROXIED)


def parsed(text: str) -> ast.Module | None:
    """The text as Python, or None; one so long that its tree would fill the memory is not read."""
    if len(text) > LONGEST:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an odd escape in an answer is no concern of ours
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def defines(tree: ast.Module, entry_point: str) -> bool:
    """Whether the module gives itself that name, or a class Solution with a method of that name.

    >>> defines(ast.parse("solve = lambda x: x"), "solve")
    True
    """
    first = entry_point.split(".")[0]
    return (
        any(first in _bound(node) for node in tree.body)
        or find_function(tree, f"Solution.{first}") is not None
    )


def find_function(tree: ast.Module, entry_point: str) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The function of that name at the top, or the method of that dotted name; the last, where there are several."""
    body: list[ast.stmt] = tree.body
    *owners, name = entry_point.split(".")
    for owner in owners:
        body = next((n.body for n in reversed(body) if isinstance(n, ast.ClassDef) and n.name == owner), [])
    return next((n for n in reversed(body) if isinstance(n, _FUNCTIONS) and n.name == name), None)


def is_stub(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether the function does nothing yet: a docstring, imports, ``pass``, ``...``, ``raise NotImplementedError``."""
    return all(_is_nothing(node) for node in function.body)


def _is_nothing(node: ast.stmt) -> bool:
    if isinstance(node, ast.Raise):
        name = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        return getattr(name, "id", "") == "NotImplementedError"
    if isinstance(node, ast.Pass | ast.Import | ast.ImportFrom):
        return True
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _stub_names(node: ast.stmt, entry_point: str) -> list[str]:
    if isinstance(node, _FUNCTIONS):
        return [node.name] if is_stub(node) else []
    if isinstance(node, ast.ClassDef) and node.name != entry_point:
        inner = [part for part in node.body if isinstance(part, _FUNCTIONS)]
        return [node.name] if any(map(is_stub, inner)) else []
    return []


def _last_function(tree: ast.Module) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    node: ast.stmt | None = tree.body[-1] if tree.body else None
    while isinstance(node, ast.ClassDef):
        node = node.body[-1]
    return node if isinstance(node, _FUNCTIONS) else None


def _bound(node: ast.stmt) -> set[str]:
    """The names that a statement at the top gives to the module."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    if isinstance(node, ast.If | ast.Try | ast.With):
        return {name for part in node.body for name in _bound(part)}
    return {
        part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }


def _complete(text: str) -> str:
    """The prompt as Python: its unfinished function with a body, or else as much of it as can be read."""
    if parsed(text) is not None:
        return text
    lines = text.rstrip().split("\n")
    for end in range(len(lines), max(0, len(lines) - _MOST_DROPPED), -1):
        last = lines[end - 1]
        space = last[: len(last) - len(last.lstrip())]
        start = "\n".join(lines[:end])
        for closed in (f"{start}\n{space}    pass\n", f"{start}\n"):
            if parsed(closed) is not None:
                return closed
    return ""

"""The code that a task begins with: imports, helpers, and the function that the answer has to complete."""

from __future__ import annotations

import ast
import re
import textwrap
from typing import NamedTuple

from steelyard.grading.definitions import (
    FUNCTIONS,
    Function,
    find_function,
    is_placeholder,
    is_real,
    is_stub,
    parsed,
)
from steelyard.reading.code_blocks import code_blocks

_MOST_DROPPED = 200
_NO_CODE_AT_ALL = re.compile(r"\s*(?:#[^\n]*\s*)*\Z")
# What a stand-in can do for a test; an author who defines other operators wants them asked of the object itself.
_SUPPORTED = """__init__ __new__ __post_init__ __call__ __len__ __getitem__ __setitem__ __delitem__ __iter__ __next__
__bool__ __str__ __repr__ __init_subclass__"""
_PROXIED = frozenset(_SUPPORTED.split())


class Prompt(NamedTuple):
    """A prompt, read: ``complete`` is Python, ``stubs`` are the names that it leaves to be written.

    ``prelude`` is what it defines in full, ``open`` says whether the entry point waits for its body at its end,
    ``head`` is the text that the body follows, and ``indent`` is how far that body is indented.
    """

    text: str
    entry_point: str
    complete: str
    prelude: str
    stubs: tuple[str, ...]
    open: bool
    head: str
    indent: str

    @classmethod
    def read(cls, text: str, entry_point: str) -> Prompt:
        """Reads a prompt; one that is no code at all has nothing in it.

        >>> Prompt.read("import math\\ndef area(r):\\n", "area").prelude
        'import math'
        """
        text = _without_fence(text, entry_point)
        complete = _complete(text)
        tree = parsed(complete) or ast.Module([], [])
        stubs = tuple(name for node in tree.body for name in _stub_names(node, entry_point))
        prelude = "\n".join(map(ast.unparse, _kept(tree, {*stubs, entry_point.split(".")[0]})))
        last = _last_function(tree)
        wanted = entry_point.rpartition(".")[2]
        opened = last is not None and last.name == wanted and is_stub(last)
        head = _head(text, last) if last is not None and opened and complete == text else text
        return cls(
            text, entry_point, complete, prelude, stubs, opened, head, _indent(complete, last)
        )

    def completed_by(self, code: str) -> tuple[str, bool] | None:
        """The prompt with the code as its body, indented so that it makes a program, and whether that body is real.

        >>> Prompt.read("def add(a, b):\\n", "add").completed_by("c = a + b\\nreturn c")
        ('def add(a, b):\\n    c = a + b\\n    return c', True)
        """
        if not self.open or _NO_CODE_AT_ALL.match(code):
            return None
        idle = []
        for body in self._bodies(code):
            glue = "" if self.head.endswith("\n") or body.startswith("\n") else "\n"
            for joined in dict.fromkeys((self.head + body, self.head + glue + body)):
                tree = parsed(joined)
                if tree is None or not self._has(tree):
                    continue
                if is_real(tree, self.entry_point):
                    return joined, True
                idle.append(joined)
        # Statements that stand behind the function are not its body; a body that does nothing is still an answer.
        return (idle[-1], False) if idle else None

    def _bodies(self, code: str) -> list[str]:
        """As it is; all of it moved; only its first line moved, which is often cut off; that, and then all of it."""
        indent, plain = self.indent, textwrap.dedent(code)
        bodies = [code, textwrap.indent(plain, indent), indent + code]
        return [*bodies, textwrap.indent(textwrap.dedent(f"{indent}{code}"), indent)]

    def _has(self, tree: ast.Module) -> bool:
        names = (self.entry_point, f"Solution.{self.entry_point}")
        return any(find_function(tree, name) is not None for name in names)

    def operators(self) -> tuple[str, ...]:
        """The operators that the entry point is to have, where it is a class."""
        tree = parsed(self.complete) or ast.Module([], [])
        name = self.entry_point.split(".")[0]
        found = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name]
        inner = [part.name for node in found for part in node.body if isinstance(part, FUNCTIONS)]
        return tuple(name for name in inner if name.startswith("__") and name not in _PROXIED)


def _without_fence(text: str, entry_point: str) -> str:
    """The code alone of a prompt that has it in a block among its prose."""
    if "```" not in text or parsed(text) is not None:
        return text
    name = entry_point.rpartition(".")[2]
    blocks = [block.code for block in code_blocks(text) if block.stage == "fence"]
    return next(
        (code for code in blocks if re.search(rf"\b(?:def|class)\s+{re.escape(name)}\b", code)),
        text,
    )


def _kept(tree: ast.Module, without: set[str]) -> list[ast.stmt]:
    """What the prompt defines in full."""
    named = [node for node in tree.body if getattr(node, "name", None) not in without]
    return [
        node
        for node in named
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
    ]


def _indent(complete: str, last: Function | None) -> str:
    """How far the body of the last function is indented: as its first statement is, if that has a line of its own."""
    if last is None:
        return "    "
    first = last.body[0]
    if first.lineno > last.lineno and first.col_offset > last.col_offset:
        line = complete.split("\n")[first.lineno - 1]
        return line[: len(line) - len(line.lstrip())]
    return " " * (last.col_offset + 4)


def _head(text: str, last: Function) -> str:
    """The prompt up to what holds the place of the body: ``pass``, ``...`` or ``raise NotImplementedError``."""
    first = next((n for n in last.body[1:] if is_placeholder(n)), None)
    if is_placeholder(last.body[0]):
        first = last.body[0]
    if first is None:
        return text
    lines = text.split("\n")
    before = lines[first.lineno - 1].encode()[: first.col_offset].decode()
    kept = "\n".join(lines[: first.lineno - 1])
    return f"{kept}\n{before.rstrip()}\n"


def _stub_names(node: ast.stmt, entry_point: str) -> list[str]:
    if isinstance(node, FUNCTIONS):
        return [node.name] if is_stub(node) else []
    if isinstance(node, ast.ClassDef) and node.name != entry_point:
        inner = [part for part in node.body if isinstance(part, FUNCTIONS)]
        return [node.name] if any(map(is_stub, inner)) else []
    return []


def _last_function(tree: ast.Module) -> Function | None:
    node: ast.stmt | None = tree.body[-1] if tree.body else None
    while isinstance(node, ast.ClassDef):
        node = node.body[-1]
    return node if isinstance(node, FUNCTIONS) else None


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

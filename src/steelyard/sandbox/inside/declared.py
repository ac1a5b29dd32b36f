"""What the author's own words say of the candidate: which names are to be its, and which of those are classes.

All of it is read before anything of the candidate's runs, so that no candidate has a say in it.
"""

from __future__ import annotations

import ast
import sys
import types
from collections.abc import Iterator
from typing import Any

from .attempt import attempt

# Modules that tests use under a shorter name, and ones that are no part of the library.
_ALIASES = {
    "np": "numpy",
    "pd": "pandas",
    "plt": "matplotlib.pyplot",
    "sns": "seaborn",
    "nx": "networkx",
    "sp": "sympy",
    "tf": "tensorflow",
    "nn": "torch.nn",
    "F": "torch.nn.functional",
    "mp": "multiprocessing",
    "dt": "datetime",
    "ET": "xml.etree.ElementTree",
    "mock": "unittest.mock",
}
_OTHERS = """numpy pandas scipy sympy pytest torch tensorflow sklearn matplotlib seaborn networkx hypothesis requests
yaml regex dateutil pytz attr pydantic cv2 PIL jax"""
MODULES = {
    **{name: name for name in [*getattr(sys, "stdlib_module_names", ()), *_OTHERS.split()]},
    **_ALIASES,
}
FILES = frozenset({"<test>", "<prompt>"})
# Whoever has a built-in type has made something of these, without a word of the author's.
_CONJURED = frozenset({"builtins", "types", "typing", ""})
_LOOKS = frozenset({"isgeneratorfunction", "iscoroutinefunction", "isasyncgenfunction"})
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Material:
    """The test and the prompt, read."""

    def __init__(self, test: str, prompt: str, entry_point: str) -> None:
        tests, prompts = _nodes(test), _nodes(prompt)
        self._written = {
            node.name for node in prompts if isinstance(node, (*_FUNCTIONS, ast.ClassDef))
        }
        self._in_prompt = self._written | {
            node.id for node in prompts if isinstance(node, ast.Name)
        }
        functions = {node.name for node in prompts if isinstance(node, _FUNCTIONS)}
        self._entry = entry_point.split(".")[0]
        self._used = set(_used(tests))
        self._dotted = {
            node.value.id
            for node in tests
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        }
        self._classes = {node.name for node in prompts if isinstance(node, ast.ClassDef)} | set(
            _asked_for(tests)
        )
        self._functions = functions - self._classes
        self._imports = set(_imports([*tests, *prompts]))
        self._words = set(_words([*tests, *prompts]))

    @property
    def looks_at_functions(self) -> bool:
        """Whether the author asks of what kind a function is."""
        return not _LOOKS.isdisjoint(self._words)

    def is_class(self, name: str) -> bool:
        """Whether the name is to be a class: the author defines or asks for it as one, or writes it as one."""
        return name in self._classes or (name[:1].isupper() and name not in self._functions)

    def module(self, name: str) -> str | None:
        """The module that the author means by the name, whatever a candidate calls so."""
        if name not in MODULES or name == self._entry or name in self._written:
            return None
        return MODULES[name] if name in self._dotted or name not in self._used else None

    def wants(self, name: str) -> bool:
        """Whether the author expects the candidate to have the name: it is called, passed on or asked for attributes."""
        known = name in self._used or name in self._in_prompt or name in self._classes
        return self.module(name) is None and (
            known or (self.is_class(name) and not name[1:].isupper())
        )

    def has_made(self, value: Any) -> bool:
        """Whether the author's words made the value, rather than something that a candidate has sent."""
        kind = value if isinstance(value, type) else type(value)
        code = getattr(value, "cr_code", getattr(value, "ag_code", None))
        if isinstance(code, types.CodeType):
            return code.co_filename in FILES
        if kind.__module__.startswith((__package__ or "inside") + "."):
            return False
        top = kind.__module__.partition(".")[0].lstrip("_")
        return (
            kind.__module__ == "__main__"
            or kind.__name__ in self._words
            or (top in self._imports and top not in _CONJURED)
        )


def _nodes(source: str) -> list[ast.AST]:
    tree, failed = attempt(ast.parse, source)
    return [] if failed is not None else list(ast.walk(tree))


def _used(nodes: list[ast.AST]) -> Iterator[str]:
    """The names that are called, handed to a call, or asked for something of theirs."""
    for node in nodes:
        found: list[ast.AST] = []
        if isinstance(node, ast.Call):
            found = [node.func, *node.args, *(keyword.value for keyword in node.keywords)]
            found += [
                part
                for arg in node.args
                if isinstance(arg, (ast.Tuple, ast.List))
                for part in arg.elts
            ]
        elif isinstance(node, (ast.Attribute, ast.Subscript)):
            found = [node.value]
        elif isinstance(node, ast.ClassDef):
            found = list(node.bases)
        elif isinstance(node, ast.For):
            found = list(node.iter.elts) if isinstance(node.iter, (ast.Tuple, ast.List)) else []
        yield from (part.id for part in found if isinstance(part, ast.Name))


def _asked_for(nodes: list[ast.AST]) -> Iterator[str]:
    """The names that stand where only a class can stand."""
    for node in nodes:
        found: list[ast.AST] = []
        if isinstance(node, ast.ClassDef):
            found = list(node.bases)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in {
            "isinstance",
            "issubclass",
        }:
            for arg in node.args[1:]:
                found += arg.elts if isinstance(arg, ast.Tuple) else [arg]
        yield from (part.id for part in found if isinstance(part, ast.Name))


def _imports(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def _words(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        for part in ("id", "attr", "name"):
            word = getattr(node, part, None)
            if isinstance(word, str):
                yield word

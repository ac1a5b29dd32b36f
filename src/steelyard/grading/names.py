"""Whose the names in a test are: the author's, the library's, or the candidate's."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterable
from typing import NamedTuple

from steelyard.grading.definitions import FUNCTIONS, bound, is_stub

_ALIASES = frozenset({"np", "pd", "pytest", "numpy", "pandas"})
_MAKERS = frozenset({"namedtuple", "NamedTuple", "Enum", "IntEnum", "make_dataclass", "TypedDict"})
_RAISING = frozenset({"raises", "assertRaises", "assertRaisesRegex"})


class Names(NamedTuple):
    """The names of a test, by what they stand for.

    ``theirs`` come from the candidate; ``makers`` of them are classes; ``results`` and ``objects`` hold what a call of
    a function or of a class gave; ``classes`` are the author's own; ``variables`` are read, never called, and nobody's.
    """

    theirs: frozenset[str]
    makers: frozenset[str]
    results: frozenset[str]
    objects: frozenset[str]
    classes: frozenset[str]
    variables: frozenset[str]
    exceptions: frozenset[str]
    imported: frozenset[str]
    defined: frozenset[str]
    methods: frozenset[int]
    seeds: bool

    @classmethod
    def read(cls, test: ast.Module, prompt: ast.Module, entry_point: str) -> Names:
        """Finds them all.

        >>> Names.read(ast.parse("r = f(1)\\nassert r == g"), ast.Module([], []), "f").results
        frozenset({'r'})
        """
        defined = _defined(test)
        given = {name for node in prompt.body for name in bound(node)} - _left_open(prompt)
        used = {
            n.id for n in ast.walk(test) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
        }
        free = {name for name in used - defined - given if not _is_library(name)}
        first = entry_point.split(".")[0]
        handed = _handed(test)
        theirs = (free | {first} | handed) - (set() if first not in given else given - {first})
        makers = {name for name in theirs if name[:1].isupper()} | {
            node.name
            for node in prompt.body
            if isinstance(node, ast.ClassDef) and node.name in theirs
        }
        called = {
            n.func.id
            for n in ast.walk(test)
            if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
        }
        results, objects = _assigned(test, theirs - makers), _assigned(test, makers)
        caught = {n.id for n in ast.walk(test) if isinstance(n, ast.Name)} & set(
            _kinds_caught(test)
        )
        variables = {
            n
            for n in free - called - caught - {first}
            if not n[:1].isupper() and not n.startswith("__")
        }
        return cls(
            frozenset(theirs),
            frozenset(makers),
            frozenset(results - objects),
            frozenset(objects),
            frozenset(_own_classes(test, prompt) - {first, "Solution"}),
            frozenset(variables - _passed(test)),
            frozenset(_exceptions(test)),
            frozenset(_imported(test)),
            frozenset(defined),
            frozenset(id(n.func) for n in ast.walk(test) if isinstance(n, ast.Call)),
            _seeds(test),
        )

    def is_result(self, node: ast.AST) -> bool:
        """Whether it is what a function of the candidate's gave, or that function."""
        if isinstance(node, ast.Name):
            return node.id in self.results or node.id in self.theirs - self.makers
        return (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and self.is_theirs(node.func)
        )

    def is_theirs(self, node: ast.Name) -> bool:
        """Whether it is the name of a function of the candidate's."""
        return node.id in self.theirs and node.id not in self.makers

    def is_object(self, node: ast.AST) -> bool:
        """Whether it is an object of a class of the candidate's, or such a class."""
        if isinstance(node, ast.Name):
            return node.id in self.objects or node.id in self.makers
        return (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in self.makers
        )

    def is_exception(self, node: ast.AST) -> bool:
        """Whether it is something that was caught."""
        if isinstance(node, ast.Attribute) and node.attr in {"value", "exception"}:
            node = node.value
        return isinstance(node, ast.Name) and node.id in self.exceptions

    def is_own(self, node: ast.AST) -> bool:
        """Whether it is the test's own object, or an exception."""
        if isinstance(node, ast.Attribute):
            return self.is_own(node.value)
        return isinstance(node, ast.Name) and node.id in {"self", "cls", *self.exceptions}

    def comes_from_them(self, node: ast.AST) -> bool:
        """Whether something of the candidate's is in it."""
        return any(self.is_result(part) or self.is_object(part) for part in ast.walk(node))


def _is_library(name: str) -> bool:
    return hasattr(builtins, name) or name in sys.stdlib_module_names or name in _ALIASES


def _defined(test: ast.Module) -> set[str]:
    """Every name that the test binds anywhere."""
    found = {
        n.id for n in ast.walk(test) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)
    }
    for node in ast.walk(test):
        if isinstance(
            node,
            ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom,
        ):
            found |= bound(node)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
    return found


def _left_open(prompt: ast.Module) -> set[str]:
    return {node.name for node in prompt.body if isinstance(node, FUNCTIONS) and is_stub(node)}


def _handed(test: ast.Module) -> set[str]:
    """The one parameter of a function at the top, as which the entry point is handed over."""
    found = set()
    for node in test.body:
        if isinstance(node, FUNCTIONS) and len(node.args.args) == 1 and not node.args.defaults:
            called = {
                n.func.id
                for n in ast.walk(node)
                if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
            }
            found |= {node.args.args[0].arg} & called
    return found


def _assigned(test: ast.Module, makers: set[str]) -> set[str]:
    """The variables that are given what a call of these names gives."""
    found = set()
    for node in ast.walk(test):
        value = getattr(node, "value", None)
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and isinstance(
            value, ast.Call
        ):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if isinstance(value.func, ast.Name) and value.func.id in makers:
                found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def _own_classes(test: ast.Module, prompt: ast.Module) -> set[str]:
    """Classes of the author's of which objects are made; exceptions and classes of tests are none."""
    found = set()
    for node in [*test.body, *prompt.body]:
        if isinstance(node, ast.ClassDef) and not _is_exception_or_test(node):
            found.add(node.name)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            maker = getattr(node.value.func, "attr", getattr(node.value.func, "id", ""))
            found |= bound(node) if maker in _MAKERS else set()
    return found


def _is_exception_or_test(node: ast.ClassDef) -> bool:
    bases = [getattr(base, "attr", getattr(base, "id", "")) for base in node.bases]
    odd = ("Error", "Exception", "Warning", "TestCase")
    return (
        node.name.startswith("Test")
        or node.name.endswith(odd)
        or any(base.endswith(odd) for base in bases)
    )


def _kinds_caught(test: ast.Module) -> Iterable[str]:
    for node in ast.walk(test):
        found: list[ast.expr | None] = [node.type] if isinstance(node, ast.ExceptHandler) else []
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in _RAISING and node.args:
            found.append(node.args[0])
        yield from (
            part.id
            for one in found
            if one is not None
            for part in ast.walk(one)
            if isinstance(part, ast.Name)
        )


def _exceptions(test: ast.Module) -> set[str]:
    found = {
        node.name for node in ast.walk(test) if isinstance(node, ast.ExceptHandler) and node.name
    }
    for node in ast.walk(test):
        if isinstance(node, ast.With):
            found |= {
                item.optional_vars.id
                for item in node.items
                if isinstance(item.optional_vars, ast.Name)
                and isinstance(item.context_expr, ast.Call)
                and getattr(item.context_expr.func, "attr", "") in _RAISING
            }
    return found


def _imported(test: ast.Module) -> set[str]:
    nodes = (node for node in ast.walk(test) if isinstance(node, ast.ImportFrom))
    return {alias.asname or alias.name for node in nodes for alias in node.names}


def _passed(test: ast.Module) -> set[str]:
    """Names that are handed on as functions: ``check(add)``, ``map(add, items)``."""
    calls = (node for node in ast.walk(test) if isinstance(node, ast.Call))
    return {arg.id for call in calls for arg in call.args if isinstance(arg, ast.Name)}


def _seeds(test: ast.Module) -> bool:
    """Whether random numbers are seeded for the program: again and again, or with no draw of the test's own."""
    drawn = [
        n.attr
        for n in ast.walk(test)
        if isinstance(n, ast.Attribute) and getattr(n.value, "id", "") == "random"
    ]
    return drawn.count("seed") > 1 or set(drawn) == {"seed"}

"""Comparisons of a test that shares its process with a candidate: made by us, with our code in the test's own constants.

A test's ``==``, ``!=``, ``in`` and orderings become calls of functions that are no names, so nobody can replace them:
they stand among the constants of the compiled code.
"""

from __future__ import annotations

import ast
import collections
import operator
import types
import warnings
from collections.abc import Callable
from typing import Any

from . import values
from .counting import COUNTED, FILE, RAN, count_assertions
from .doorway import Doorway
from .remote import ASSURANCES

_OPERATORS: dict[type, str] = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.In: "contains",
    ast.NotIn: "lacks",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
}
_ORDERED = frozenset({list, tuple, collections.deque})
_MARK = "\0steelyard\0"


# Built-in functions that a result goes through on its way to a comparison.
_THROUGH = """abs all any dict divmod enumerate filter float frozenset int len list map max min pow reversed round set
sorted sum tuple zip"""
_BUILTINS = frozenset(_THROUGH.split())


class Judge:
    """Counts assertions and compares; the doorway leads to the candidate, ``named`` are its classes that the author names."""

    def __init__(self, doorway: Doorway, named: Callable[[], list[Any]]) -> None:
        self._doorway, self._named = doorway, named
        self._own: list[type] = []
        self.assertions = 0

    def functions(self) -> dict[str, Callable[..., Any]]:
        """What the rewritten test calls, by the name that stands in it."""
        ours = ("eq", "ne", "contains", "lacks", "own_class", "disarmed", "data", "told", "plainly")
        found: dict[str, Callable[..., Any]] = {name: getattr(self, name) for name in ours}
        for name in ("lt", "le", "gt", "ge"):
            found[name] = self._ordering(getattr(operator, name))
        return {**found, RAN: self.ran, COUNTED: self.counted}

    def ran(self) -> None:
        """An assertion held."""
        self.assertions += 1

    def counted(self, result: Any) -> Any:
        """An assertion that is a call."""
        self.assertions += 1
        return result

    def own_class(self, kind: Any) -> Any:
        """A class that the test itself defines."""
        self._own.append(kind)
        return kind

    def eq(self, got: Any, want: Any) -> bool:
        """Equality, in which an object of a candidate's class never equals plain data."""
        strange = self._strange(got), self._strange(want)
        if all(strange):
            return _related(got, want) and bool(self._doorway.enter(operator.eq, got, want))
        if any(strange):
            plain, failed = self._plain(got if strange[0] else want)
            return not failed and bool(plain == (want if strange[0] else got))
        got, want = self._unveiled(got), self._unveiled(want)
        if type(got) in _ORDERED and type(got) is type(want):
            return len(got) == len(want) and all(map(self.eq, got, want))
        if type(got) is dict and type(want) is dict:
            return self._equal_dicts(got, want)
        if (
            isinstance(got, dict)
            and isinstance(want, dict)
            and (self._hides(got) or self._hides(want))
        ):
            return self._equal_dicts(got, want)
        if (
            isinstance(got, (set, frozenset))
            and isinstance(want, (set, frozenset))
            and self._hides(want)
        ):
            return len(got) == len(want) and all(self.contains(item, want) for item in got)
        return not self._hides(got) and not self._hides(want) and bool(got == want)

    def ne(self, got: Any, want: Any) -> bool:
        """Not equal."""
        return not self.eq(got, want)

    def contains(self, item: Any, container: Any) -> bool:
        """Membership: by our own equality in a list, by the container's word only if it is the candidate's own."""
        if self._is_result(container):
            container = self.data(container)
        if self._strange(container):
            return bool(self._doorway.enter(operator.contains, container, item))
        if type(container) in {list, tuple} or (
            self._strange(item) and type(container) in {set, frozenset}
        ):
            return any(self.eq(item, member) for member in container)
        return not self._strange(item) and item in container

    def lacks(self, item: Any, container: Any) -> bool:
        """Not a member."""
        return not self.contains(item, container)

    def disarmed(self, value: Any) -> Any:
        """An argument of an ``assert…Equal``: a candidate's object only as the plain data that it is made of, or nothing."""
        if not self._strange(value) and not self._hides(value):
            return value
        plain, failed = self._plain(value)
        return object() if failed else plain

    def data(self, value: Any) -> Any:
        """What a calculation or a loop gets: of a candidate's class that the author does not name, only a copy as data.

        Such an object could give another answer to each question.
        """
        if not self._is_result(value) or hasattr(type(value), "__next__"):
            return value
        plain, failed = self._plain(value)
        if not failed:
            return plain
        if not hasattr(type(value), "__iter__") and not hasattr(type(value), "__getitem__"):
            raise TypeError("an object of the candidate's is no data")
        return self._doorway.enter(list, value)

    def told(self, value: Any) -> Any:
        """What is asked whether it begins with something, or how often it has it: data, or an object that the author names."""
        if not self._is_result(value):
            return value
        plain, failed = self._plain(value)
        if failed:
            raise TypeError("an object of the candidate's is no data")
        return plain

    def plainly(self, value: Any) -> Any:
        """What is to be written: a number or a text of a class of the candidate's, as what it is made of."""
        plain, failed = self._plain(value) if self._is_result(value) else (None, True)
        return value if failed else plain

    def _is_result(self, value: Any) -> bool:
        return self._strange(value) and not any(type(value) is kind for kind in self._named())

    def _ordering(self, compare: Callable[[Any, Any], Any]) -> Callable[[Any, Any], bool]:
        def ordered(left: Any, right: Any) -> bool:
            if self._strange(left) != self._strange(right):
                raise TypeError("an object of the candidate's has no order with plain data")
            return bool(self._doorway.enter(compare, left, right))

        return ordered

    def _strange(self, value: Any) -> bool:
        return self._doorway.is_strange(type(value)) and not any(
            type(value) is kind for kind in self._own
        )

    def _hides(self, value: Any, depth: int = 0) -> bool:
        """Whether there is an object of the candidate's inside plain containers."""
        if depth > values.DEPTH:
            return True
        parts = inner_parts(self._unveiled(value))
        return any(self._strange(part) or self._hides(part, depth + 1) for part in parts)

    def _unveiled(self, value: Any) -> Any:
        """What a read-only view shows: behind it may be anything."""
        return self._doorway.enter(dict, value) if type(value) is types.MappingProxyType else value

    def _equal_dicts(self, got: dict[Any, Any], want: dict[Any, Any]) -> bool:
        if self._hides(list(got)) or self._hides(list(want)) or got.keys() != want.keys():
            return False
        return all(self.eq(got[key], want[key]) for key in want)

    def _plain(self, value: Any) -> tuple[Any, bool]:
        """A value of a subclass of a plain type, read by the base type's own methods."""
        try:
            return values.decode(values.encode(value)), False
        except (TypeError, ValueError, RecursionError):
            return None, True


def inner_parts(value: Any) -> list[Any]:
    """What a container of the library's holds, whatever it is called there."""
    if isinstance(value, dict):
        return [part for pair in dict.items(value) for part in pair]
    if isinstance(value, (list, tuple, set, frozenset, collections.deque)):
        return list(value)
    if type(value) is slice:
        return [value.start, value.stop, value.step]
    if type(value) in {
        collections.ChainMap,
        collections.UserDict,
        collections.UserList,
        types.SimpleNamespace,
    }:
        return list(vars(value).values())
    return []


def _related(got: Any, want: Any) -> bool:
    return issubclass(type(got), type(want)) or issubclass(type(want), type(got))


class _Comparisons(ast.NodeTransformer):
    """Puts our comparisons in the place of the test's; a chain of several becomes a conjunction only where it is one pair."""

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """One pair is a call; in a chain, every operand is disarmed."""
        self.generic_visit(node)
        name = _OPERATORS.get(type(node.ops[0]))
        if name is None:
            return node
        if len(node.ops) == 1:
            return ast.copy_location(_call(name, node.left, node.comparators[0]), node)
        node.left = _call("disarmed", node.left)
        node.comparators = [_call("disarmed", operand) for operand in node.comparators]
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """``assertEqual`` and its like compare by themselves, so they get nothing that could speak for itself."""
        self.generic_visit(node)
        if getattr(node.func, "attr", "").startswith("assert") and "Equal" in getattr(
            node.func, "attr", ""
        ):
            node.args = [_call("disarmed", operand) for operand in node.args]
        if getattr(node.func, "id", "") in _BUILTINS:
            node.args = [
                arg if isinstance(arg, ast.Starred) else _call("data", arg) for arg in node.args
            ]
        if getattr(node.func, "id", "") in {"str", "repr", "bool", "format"}:
            node.args = [
                arg if isinstance(arg, ast.Starred) else _call("plainly", arg) for arg in node.args
            ]
        return node

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.expr:
        """Likewise inside a text."""
        self.generic_visit(node)
        node.value = _call("plainly", node.value)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Both sides of a calculation."""
        self.generic_visit(node)
        node.left, node.right = _call("data", node.left), _call("data", node.right)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """What only data is believed."""
        self.generic_visit(node)
        if node.attr in ASSURANCES and isinstance(node.ctx, ast.Load):
            node.value = _call("told", node.value)
        return node

    def visit_For(self, node: ast.For) -> ast.stmt:
        """What a loop goes over."""
        self.generic_visit(node)
        node.iter = _call("data", node.iter)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        """Likewise."""
        self.generic_visit(node)
        if not node.is_async:
            node.iter = _call("data", node.iter)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        """The test's own classes are known as such."""
        self.generic_visit(node)
        node.decorator_list.append(ast.Constant(_MARK + "own_class"))
        return node


def _call(name: str, *operands: ast.expr) -> ast.Call:
    return ast.Call(ast.Constant(_MARK + name), list(operands), [])


def rewrite(source: str, judge: Judge) -> types.CodeType:
    """The test as code whose assertions and comparisons are the judge's."""
    tree = ast.parse(source, FILE)
    tree = count_assertions(_Comparisons().visit(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {RAN, COUNTED}:
            node.func = ast.Constant(_MARK + node.func.id)  # type: ignore[attr-defined]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a text is called there until the next line
        code = compile(ast.fix_missing_locations(tree), FILE, "exec", dont_inherit=True)
    return _filled(code, {_MARK + name: fn for name, fn in judge.functions().items()})


def _filled(code: types.CodeType, functions: dict[str, Any]) -> types.CodeType:
    found = []
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found.append(_filled(constant, functions))
        else:
            found.append(
                functions.get(constant, constant) if isinstance(constant, str) else constant
            )
    return code.replace(co_consts=tuple(found))

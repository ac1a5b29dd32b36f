"""Which way a test can be run, by the author's own words and before the candidate is there.

Through stand-ins a test can call, and can look at plain data that comes back. What else it does (watch what is
printed, replace parts of the library, ask what an object is made of, work with objects of its own classes) needs the
candidate in the same process. Only the test and the prompt decide that, so that no candidate chooses the weaker way.
"""

from __future__ import annotations

import ast
import builtins
import collections
import datetime
import decimal
import fractions
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib.resources import files
from typing import Any

import msgspec

from steelyard.grading.names import Names

_PLAIN = (
    str,
    bytes,
    bytearray,
    list,
    dict,
    set,
    frozenset,
    tuple,
    int,
    float,
    complex,
    range,
    collections.deque,
    collections.Counter,
    collections.OrderedDict,
    collections.defaultdict,
    datetime.datetime,
    datetime.date,
    datetime.timedelta,
    decimal.Decimal,
    fractions.Fraction,
)
_KNOWN = frozenset(name for kind in _PLAIN for name in dir(kind))
_CONSTANTS = frozenset({"None", "True", "False", "NotImplemented", "Ellipsis"})


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    modules: dict[str, str]
    attributes: dict[str, str]
    names: dict[str, str]
    written: dict[str, str]
    exceptions: frozenset[str]
    applied: frozenset[str]
    plain: frozenset[str]
    known: frozenset[str]
    asked: frozenset[str]


@lru_cache(maxsize=1)
def _table() -> _Table:
    data = files("steelyard").joinpath("data", "unproxied.json").read_bytes()
    return msgspec.json.decode(data, type=_Table)


def why_not_proxied(test: ast.Module, prompt: ast.Module, entry_point: str) -> str:
    """What the test does that stand-ins cannot do, or nothing.

    >>> why_not_proxied(ast.parse("assert f(x) is x"), ast.Module([], []), "f")
    'the test asks whether two objects are one (line 1)'
    >>> why_not_proxied(ast.parse("assert f([1]) == [1]"), ast.Module([], []), "f")
    ''
    """
    names = Names.read(test, prompt, entry_point)
    for node in ast.walk(test):
        for kind, rule in _RULES:
            what = rule(node, names) if isinstance(node, kind) else None
            if what:
                return f"the test {what} (line {getattr(node, 'lineno', 1)})"
    return ""


def _imports(node: Any, names: Names) -> str | None:
    modules = [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        modules = [str(node.module), *(f"{node.module}.{name}" for name in modules)]
    known = _table().modules
    if isinstance(node, ast.ImportFrom):
        known = {**_table().attributes, **_table().names, **known}
        modules += [alias.name for alias in node.names]
    found = next((module for module in modules if module in known), None)
    return f"works with {known[found]}" if found else None


def _attribute(node: ast.Attribute, names: Names) -> str | None:
    if node.attr in _table().attributes and not names.is_own(node.value):
        return f"works with {_table().attributes[node.attr]}"
    if (
        isinstance(node.ctx, ast.Store)
        and node.attr in _table().written
        and _is_named(node.value, "sys")
    ):
        return f"works with {_table().written[node.attr]}"
    if isinstance(node.ctx, ast.Del) and names.is_object(node.value):
        return "takes an attribute from an object"
    if names.is_exception(node.value) and node.attr not in {"value", "exception", "with_traceback"}:
        return "looks into an exception"
    if names.is_result(node.value) and _is_unknown(node, names):
        return f"asks a result for its {node.attr}"
    return None


def _is_unknown(node: ast.Attribute, names: Names) -> bool:
    """What no plain data has; a method of an object can be called all the same, but a field may be that of a tuple."""
    if node.attr in _KNOWN or node.attr in _table().known or node.attr.startswith("assert"):
        return False
    return node.attr in _table().asked or id(node) not in names.methods


def _name(node: ast.Name, names: Names) -> str | None:
    if node.id in names.classes:
        return f"works with objects of the class {node.id}"
    return None


def _call(node: ast.Call, names: Names) -> str | None:
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    if isinstance(node.func, ast.Name) and name in _table().names and name not in names.defined:
        return f"works with {_table().names[name]}"
    if name == "getattr" and len(node.args) > 1 and isinstance(node.args[1], ast.Constant):
        what = _table().attributes.get(str(node.args[1].value))
        return f"works with {what}" if what else None
    if name in _table().applied and any(
        names.is_object(part) for arg in node.args for part in ast.walk(arg)
    ):
        return f"applies {name} to an object"
    if name == "isinstance" and len(node.args) == 2:
        return _kinds(node.args[1], names)
    if name == "seed" and names.seeds:
        return "sets the seed that the program draws from"
    return None


def _kinds(node: ast.expr, names: Names) -> str | None:
    """Plain kinds, and classes of the candidate's, for which it can be asked."""
    for part in node.elts if isinstance(node, ast.Tuple) else [node]:
        name = getattr(part, "attr", getattr(part, "id", ""))
        if (
            name
            and not hasattr(builtins, name)
            and name not in _table().plain
            and name not in names.theirs
        ):
            return f"asks whether something is of the kind {name}"
    return None


def _compare(node: ast.Compare, names: Names) -> str | None:
    sides = [node.left, *node.comparators]
    if any(isinstance(op, ast.Is | ast.IsNot) for op in node.ops) and not any(
        map(_is_constant, sides)
    ):
        return "asks whether two objects are one"
    if any(map(_is_type_of, sides)) and any(
        isinstance(s, ast.Name) and _is_foreign(s.id) for s in sides
    ):
        return "asks for the class of an object"
    if any(map(names.is_object, sides)) and not any(map(_is_constant, sides)):
        return "compares an object"
    return None


def _is_constant(node: ast.expr) -> bool:
    """Something of which there is only one: a constant that is no number or text, or a built-in type."""
    if isinstance(node, ast.Constant):
        return node.value is None or isinstance(node.value, bool) or node.value is Ellipsis
    return isinstance(node, ast.Name) and (
        node.id in _CONSTANTS or isinstance(getattr(builtins, node.id, None), type)
    )


def _is_type_of(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and _is_named(node.func, "type")


def _is_foreign(name: str) -> bool:
    return not hasattr(builtins, name)


def _is_named(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _operands(node: Any, names: Names) -> str | None:
    sides = [getattr(node, name, None) for name in ("left", "right", "operand", "target", "value")]
    return (
        "applies an operator to an object"
        if any(s is not None and names.is_object(s) for s in sides)
        else None
    )


def _members(node: ast.Set | ast.Dict, names: Names) -> str | None:
    parts = node.elts if isinstance(node, ast.Set) else node.keys
    return "hashes an object" if any(p is not None and names.is_object(p) for p in parts) else None


def _with(node: ast.With | ast.AsyncWith, names: Names) -> str | None:
    entered = (item.context_expr for item in node.items)
    used = any(names.is_result(part) or names.is_object(part) for part in entered)
    return "enters an object's context" if used else None


def _async_for(node: Any, names: Names) -> str | None:
    return (
        "waits for each item"
        if getattr(node, "is_async", 1) and names.comes_from_them(node.iter)
        else None
    )


def _raise(node: ast.Raise, names: Names) -> str | None:
    return (
        "raises what the program gives"
        if node.exc is not None and names.comes_from_them(node.exc)
        else None
    )


def _caught(node: Any, names: Names) -> str | None:
    for part in _caught_kinds(node):
        name = getattr(part, "id", "")
        if isinstance(part, ast.Attribute) or name in _table().exceptions or name in names.imported:
            return "waits for an exception of the library"
        if name in names.theirs:
            return "waits for an exception of the program's own"
    if isinstance(node, ast.ExceptHandler) and _reads_key(node):
        return "looks into an exception"
    return None


def _caught_kinds(node: Any) -> Iterator[ast.expr]:
    if isinstance(node, ast.ExceptHandler):
        found = node.type
    else:
        name = getattr(node.func, "attr", "")
        found = (
            node.args[0]
            if node.args and name in {"raises", "assertRaises", "assertRaisesRegex"}
            else None
        )
    if found is not None:
        yield from found.elts if isinstance(found, ast.Tuple) else [found]


def _reads_key(node: ast.ExceptHandler) -> bool:
    """The text of a KeyError is its key as it would be written, which the text that is reported is not."""
    kinds = {getattr(part, "id", "") for part in _caught_kinds(node)}
    used = (part.id for line in node.body for part in ast.walk(line) if isinstance(part, ast.Name))
    return "KeyError" in kinds and node.name is not None and node.name in used


_RULES: list[tuple[Any, Callable[[Any, Names], str | None]]] = [
    ((ast.Import, ast.ImportFrom), _imports),
    (ast.Attribute, _attribute),
    (ast.Name, _name),
    (ast.Call, _call),
    ((ast.Call, ast.ExceptHandler), _caught),
    (ast.Compare, _compare),
    ((ast.BinOp, ast.UnaryOp, ast.AugAssign), _operands),
    ((ast.Set, ast.Dict), _members),
    ((ast.With, ast.AsyncWith), _with),
    ((ast.AsyncFor, ast.comprehension), _async_for),
    (ast.Raise, _raise),
]

"""A program without the rest: its definitions without the examples of their use, or only what one of them needs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from steelyard.grading.definitions import bound, parsed

_DEFINITIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_ASSIGNMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign)
# They change what the interpreter allows, and every function rests on that.
_SETTINGS = frozenset({"setrecursionlimit", "set_int_max_str_digits", "stack_size", "getcontext"})


def behind_prelude(code: str, tree: ast.Module, prelude: str) -> str:
    """The code with what the prompt gives before it; imports from the future stay first."""
    if not prelude:
        return code
    future = [n for n in tree.body if isinstance(n, ast.ImportFrom) and n.module == "__future__"]
    if not future:
        return f"{prelude}\n\n{code}"
    lines = code.split("\n")
    last = future[-1].end_lineno or 1
    return "\n".join([*lines[:last], prelude, *lines[last:]])


def parts(code: str, tree: ast.Module, entry_point: str) -> Iterator[str]:
    """The definitions and assignments alone, then only what the entry point needs, where that is less.

    Example calls that fail, wait for input or end the program must not break a function.

    >>> code = "x = add(1)\\ndef add(a, b):\\n    return a + b"
    >>> list(parts(code, ast.parse(code), "add"))
    ['x = add(1)\\ndef add(a, b):\\n    return a + b', 'def add(a, b):\\n    return a + b']
    """
    defined = [node for node in tree.body if _is_definition(node)]
    for kept in (defined, _needed(tree, entry_point)):
        text = _text(code, kept)
        if text.strip() and parsed(text) is not None:
            yield text


def _text(code: str, kept: list[ast.stmt]) -> str:
    """The lines of these statements, as they stand in the code."""
    lines, found = code.split("\n"), []
    done = 0
    for node in kept:
        decorators = [part.lineno for part in getattr(node, "decorator_list", ())]
        start = max(done, min([node.lineno, *decorators]) - 1)
        done = max(done, node.end_lineno or node.lineno)
        found += lines[start:done]
    return "\n".join(found)


def _is_definition(node: ast.stmt) -> bool:
    if isinstance(node, _ASSIGNMENTS):
        called = (
            getattr(call.func, "id", "") for call in ast.walk(node) if isinstance(call, ast.Call)
        )
        return "input" not in called
    if isinstance(node, ast.If | ast.Try | ast.With):
        return any(isinstance(part, _DEFINITIONS) for part in node.body)
    return isinstance(node, _DEFINITIONS) or _is_setting(node)


def _is_setting(node: ast.stmt) -> bool:
    call = node.value if isinstance(node, ast.Expr) else None
    return (
        isinstance(call, ast.Call)
        and getattr(call.func, "attr", getattr(call.func, "id", "")) in _SETTINGS
    )


def _needed(tree: ast.Module, entry_point: str) -> list[ast.stmt]:
    """The statements that give the entry point its name, and those that give what these use, and so on."""
    first = entry_point.split(".")[0]
    able = [node for node in tree.body if _is_definition(node) or isinstance(node, _ASSIGNMENTS)]
    if not any(first in bound(node) for node in able):
        first = "Solution"
    wanted, kept = {first}, [node for node in able if _is_for_all(node)]
    for node in kept:
        wanted |= _used(node)
    while more := [node for node in able if node not in kept and wanted & _given(node)]:
        kept += more
        wanted |= {name for node in more for name in _used(node)}
    return [node for node in tree.body if node in kept]


def _is_for_all(node: ast.stmt) -> bool:
    if isinstance(node, ast.ImportFrom):
        return node.module == "__future__" or any(alias.name == "*" for alias in node.names)
    return _is_setting(node)


def _given(node: ast.stmt) -> set[str]:
    """The names that the statement binds, or whose things it changes (``table[0] = 1``)."""
    if not isinstance(node, ast.Assign | ast.AugAssign):
        return bound(node)
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return {
        part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)
    }


def _used(node: ast.stmt) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}

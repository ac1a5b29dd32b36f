"""What a piece of Python says of itself before it is run: what it defines, and what of that is only a place kept."""

from __future__ import annotations

import ast
import warnings

from steelyard.grading.trees import parse

LONGEST = 100_000
Function = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def parsed(text: str) -> ast.Module | None:
    """The text as Python that compiles, or None; one so long that its tree would fill the memory is not read."""
    if len(text) > LONGEST:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an odd escape in an answer is no concern of ours
            tree = parse(text)
            # A return outside of a function is seen only here.
            compile(text, "<code>", "exec", dont_inherit=True)
            return tree
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def defines(tree: ast.Module, entry_point: str) -> bool:
    """Whether the module gives itself that name, or a class Solution with a method of that name.

    >>> defines(ast.parse("solve = lambda x: x"), "solve")
    True
    """
    first = entry_point.split(".")[0]
    return (
        any(first in bound(node) for node in tree.body)
        or find_function(tree, f"Solution.{first}") is not None
    )


def is_real(tree: ast.Module, entry_point: str) -> bool:
    """Whether the module defines the entry point, and its last definition there is more than a place kept.

    >>> is_real(ast.parse("def add(a, b):\\n    return a + b\\ndef add(a, b): ..."), "add")
    False
    """
    if not defines(tree, entry_point):
        return False
    first = entry_point.split(".")[0]
    last = next((node for node in reversed(tree.body) if first in bound(node)), None)
    if isinstance(last, ast.ClassDef):
        methods = [part for part in last.body if isinstance(part, FUNCTIONS)]
        return not methods or not all(map(is_stub, methods))
    function = last if last is not None else find_function(tree, f"Solution.{first}")
    return not (isinstance(function, FUNCTIONS) and is_stub(function))


def find_function(tree: ast.Module, entry_point: str) -> Function | None:
    """The function of that name at the top, or the method of that dotted name; the last, where there are several."""
    body: list[ast.stmt] = tree.body
    *owners, name = entry_point.split(".")
    for owner in owners:
        body = next(
            (n.body for n in reversed(body) if isinstance(n, ast.ClassDef) and n.name == owner), []
        )
    return next((n for n in reversed(body) if isinstance(n, FUNCTIONS) and n.name == name), None)


def is_stub(function: Function) -> bool:
    """Whether the function does nothing yet: a docstring, imports, ``pass``, ``...``, ``raise NotImplementedError``."""
    return all(
        is_placeholder(node)
        or isinstance(node, ast.Import | ast.ImportFrom)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for node in function.body
    )


def is_placeholder(node: ast.stmt) -> bool:
    """Whether the statement only keeps the place of a body."""
    if isinstance(node, ast.Raise):
        name = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        return getattr(name, "id", "") == "NotImplementedError"
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return node.value.value is Ellipsis
    return isinstance(node, ast.Pass)


def bound(node: ast.stmt) -> set[str]:
    """The names that a statement at the top gives to the module."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    if isinstance(node, ast.If | ast.Try | ast.With):
        return {name for part in node.body for name in bound(part)}
    return {
        part.id
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }

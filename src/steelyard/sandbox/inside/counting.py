"""A test's source made ready to be run: its assertions count themselves, and what it leaves uncalled is known."""

from __future__ import annotations

import ast
import builtins
import symtable
from typing import Any, NamedTuple

FILE = "<test>"
RAN = "__assertion_ran__"
COUNTED = "__assertion_counted__"


class Prepared(NamedTuple):
    """The test's code; what it takes from elsewhere; the functions of it that nobody calls; how many assertions."""

    code: Any
    wanted: tuple[str, ...]
    uncalled: tuple[str, ...]
    caught: tuple[str, ...]
    written: int


class _Counter(ast.NodeTransformer):
    """Puts a call behind each assertion, and around each ``assert…`` method or function."""

    def __init__(self) -> None:
        self.written = 0

    def visit_Assert(self, node: ast.Assert) -> list[ast.stmt]:
        """``assert`` becomes a condition, for it must hold whatever the interpreter was told of assertions."""
        self.written += 1
        self.generic_visit(node)
        raised = ast.Call(
            ast.Name("AssertionError", ast.Load()), [node.msg] if node.msg else [], []
        )
        refused = ast.If(ast.UnaryOp(ast.Not(), node.test), [ast.Raise(raised, None)], [])
        ran = ast.Expr(ast.Call(ast.Name(RAN, ast.Load()), [], []))
        return [ast.copy_location(refused, node), ast.copy_location(ran, node)]

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """``self.assertEqual(...)``, ``assert_allclose(...)``, ``pytest.raises(...)``."""
        self.generic_visit(node)
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if not name.startswith("assert") and not (
            name == "raises" and isinstance(node.func, ast.Attribute)
        ):
            return node
        self.written += 1
        return ast.copy_location(ast.Call(ast.Name(COUNTED, ast.Load()), [node], []), node)


def prepare(source: str, entry_point: str = "") -> Prepared:
    """The test as code that counts; a SyntaxError where it is no Python."""
    tree = ast.parse(source, FILE)
    wanted, caught = _wanted(source, entry_point), _caught(tree)
    uncalled = _uncalled(tree)
    counter = _Counter()
    counted = ast.fix_missing_locations(counter.visit(tree))
    code = compile(counted, FILE, "exec", dont_inherit=True)
    return Prepared(code, wanted, uncalled, caught, counter.written)


def count_assertions(tree: ast.Module) -> ast.Module:
    """The same test, in which each assertion says that it ran."""
    counted: ast.Module = _Counter().visit(tree)
    return counted


def _wanted(source: str, entry_point: str) -> tuple[str, ...]:
    """The global names that the test uses and does not itself define."""
    used: set[str] = {entry_point.split(".")[0]} if entry_point else set()
    top = symtable.symtable(source, FILE, "exec")
    bound = {
        symbol.get_name()
        for symbol in top.get_symbols()
        if symbol.is_assigned() or symbol.is_imported()
    }
    scopes = [top]
    while scopes:
        scope = scopes.pop()
        scopes += scope.get_children()
        for symbol in scope.get_symbols():
            if symbol.is_referenced() and (scope is top or symbol.is_global()):
                used.add(symbol.get_name())
            if symbol.is_declared_global() and symbol.is_assigned():
                bound.add(symbol.get_name())
    return tuple(sorted(name for name in used - bound if not hasattr(builtins, name)))


def _uncalled(tree: ast.Module) -> tuple[str, ...]:
    """``check`` and ``test…`` functions that no statement at the top calls."""
    functions = [
        node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]
    called = set()
    for statement in tree.body:
        if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            called |= {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
    return tuple(
        name
        for name in functions
        if (name == "check" or name.startswith("test")) and name not in called
    )


def _caught(tree: ast.Module) -> tuple[str, ...]:
    """The names that stand where only a class of exceptions can stand."""
    found: list[ast.AST] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler) and node.type is not None:
            found += node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
        elif isinstance(node, ast.Call) and node.args:
            name = getattr(node.func, "attr", "")
            found += (
                [node.args[0]] if name in {"assertRaises", "raises", "assertRaisesRegex"} else []
            )
    return tuple(sorted({node.id for node in found if isinstance(node, ast.Name)}))


def line_of(failed: BaseException) -> int | None:
    """The last line of the test itself on the way to the failure."""
    found, trace = None, failed.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILE:
            found = trace.tb_lineno
        trace = trace.tb_next
    return found

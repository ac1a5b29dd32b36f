"""A test that is tried by itself: whether it comes to an end with no candidate there at all.

Everything that the candidate should give is something that can be used for anything; what goes wrong with it in a
statement is passed over, and the next statement has its turn. So the test goes all its own ways, and what still reaches a
limit is the test's own doing.
"""

from __future__ import annotations

import ast
from typing import Any

from .anything import Anything, Uses
from .counting import FILE
from .tester import Tester

_SPENT = "__dry_spent__"
_LEFT = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Return,
    ast.Break,
    ast.Continue,
    ast.Import,
    ast.ImportFrom,
    ast.Global,
    ast.Nonlocal,
    ast.Pass,
)


class _Lenient(ast.NodeTransformer):
    """Each statement by itself: what it raises is counted, unless it is a want of memory, and passed over."""

    def visit(self, node: ast.AST) -> Any:
        found: Any = self.generic_visit(node)
        if not isinstance(node, ast.stmt) or isinstance(node, _LEFT):
            return found
        short = ast.ExceptHandler(
            ast.Name("MemoryError", ast.Load()), None, [ast.Raise(None, None)]
        )
        passed = ast.ExceptHandler(
            ast.Name("Exception", ast.Load()),
            None,
            [ast.Expr(ast.Call(ast.Name(_SPENT, ast.Load()), [], []))],
        )
        return ast.copy_location(ast.Try([found], [short, passed], [], []), node)


class DryTester(Tester):
    """Says at its end whatever a test says, or nothing where it reaches a limit."""

    def __init__(self, channel: Any, test: dict[str, Any]) -> None:
        super().__init__(channel, test)
        self._uses = Uses(lambda: self._finish_with(None))
        self._entry: Any = Anything(self._uses, bool(test["dry"] == "filled"))
        tree = ast.fix_missing_locations(_Lenient().visit(ast.parse(test["source"], FILE)))
        self._prepared = self._prepared._replace(
            code=compile(tree, FILE, "exec", dont_inherit=True)
        )

    def _take_names(self) -> None:
        """Whatever nobody defines is to be the candidate's."""
        from . import standins

        standins.import_missing(self._space, self._prepared.wanted, self._material)
        self._space[_SPENT] = self._uses.spend
        for name in [
            *self._prepared.wanted,
            "candidate",
            self._test["entry_point"].partition(".")[0],
        ]:
            self._space.setdefault(name, self._entry)

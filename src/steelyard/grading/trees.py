"""Reading Python source as a tree, from whatever thread."""

from __future__ import annotations

import ast
import threading

# Some versions of Python count the depth of all trees that are being built in one place, so that two threads which
# build trees at once make each other fail ("AST constructor recursion depth mismatch").
ONE_AT_A_TIME = threading.Lock()


def parse(source: str) -> ast.Module:
    """The tree of the source; a SyntaxError or a ValueError where it is no Python, as `ast.parse` raises them.

    >>> len(parse("a = 1").body)
    1
    """
    with ONE_AT_A_TIME:
        return ast.parse(source)

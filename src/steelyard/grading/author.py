"""What an author left to others to do or got wrong: functions that nobody calls, fixtures, tests that run nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from steelyard.errors import DataError
from steelyard.grading.definitions import FUNCTIONS, Function
from steelyard.grading.trees import parse

_CANDIDATE = frozenset(
    {"candidate", "fn", "func", "function", "f", "solution", "solve", "impl", "implementation"}
)
_FIXTURES = frozenset(
    {
        "capsys",
        "capfd",
        "caplog",
        "tmp_path",
        "tmpdir",
        "monkeypatch",
        "mocker",
        "request",
        "benchmark",
    }
)
_OF_PYTEST = frozenset({"raises", "approx"})


def with_calls(source: str, entry_point: str) -> str:
    """The test with calls behind it of what a framework would have run; its lines keep their numbers.

    >>> with_calls("def verify(candidate):\\n    assert candidate(1) == 1", "f").splitlines()[-1]
    'verify(f)'
    """
    tree = parse(source)
    calls = [f"{node.name}({entry_point})" for node in _of_the_entry_point(tree)]
    calls += [f"{kind.name}().{test.name}()" for kind, test in _methods(tree)]
    return "\n".join([source, "", *calls]) if calls else source


def refuse_uncallable(source: str, uncalled: Sequence[str]) -> None:
    """A function that nobody calls is called with the entry point, or with nothing; more cannot be guessed."""
    for node in parse(source).body:
        if isinstance(node, FUNCTIONS) and node.name in uncalled:
            needed = len(node.args.posonlyargs) + len(node.args.args) - len(node.args.defaults)
            if needed > 1:
                raise DataError(
                    f"nobody calls the test's function {node.name!r}, which takes several arguments"
                )


def refuse_faults(source: str, entry_point: str) -> None:
    """A DataError for a test that nobody can run, or of which nothing would be run."""
    tree = parse(source)
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and _is_pytest(node.value)
            and node.attr not in _OF_PYTEST
        ):
            raise DataError(
                f"the test uses pytest.{node.attr} in line {node.lineno}, and pytest does not run it"
            )
        if isinstance(node, FUNCTIONS) and node.name.startswith("test"):
            fixture = next((arg.arg for arg in node.args.args if arg.arg in _FIXTURES), None)
            if fixture:
                raise DataError(
                    f"the test's function {node.name!r} wants the fixture {fixture!r} of pytest"
                )
    if not _runs_an_assertion(parse(with_calls(source, entry_point))):
        raise DataError(
            "no assertion of the test would be run: nobody calls the functions that hold them"
        )
    if not _is_about(tree, entry_point):
        raise DataError(f"the test never uses {entry_point!r}, which it is to test")


def _is_about(tree: ast.Module, entry_point: str) -> bool:
    """Whether the test names the entry point somewhere, if only in a text, or uses what it is handed."""
    wanted = {*entry_point.split("."), "Solution", "candidate"}
    wanted |= {
        arg.arg for node in tree.body if isinstance(node, FUNCTIONS) for arg in node.args.args[:1]
    }
    for node in ast.walk(tree):
        name = getattr(node, "attr", getattr(node, "id", getattr(node, "value", None)))
        if isinstance(node, ast.alias):
            name = node.name
        if isinstance(name, str) and (name in wanted or entry_point in name):
            return True
    return False


def modules(trees: Iterable[ast.Module]) -> Iterator[str]:
    """The modules that cannot be done without: imported at the top, and not as a trial."""
    for tree in trees:
        for node in tree.body:
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield node.module


def _is_pytest(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "pytest"


def _of_the_entry_point(tree: ast.Module) -> list[Function]:
    """Functions with one parameter that is named as what is tested is, if nobody calls any function."""
    functions = [node for node in tree.body if isinstance(node, FUNCTIONS)]
    if any(node.name == "check" or node.name.startswith("test") for node in functions):
        return []
    called = _named(node for node in tree.body if not isinstance(node, (*FUNCTIONS, ast.ClassDef)))
    inner = _named(functions)
    return [
        node
        for node in functions
        if node.name not in called | inner
        and [arg.arg for arg in node.args.args][:1]
        and _takes_candidate(node)
    ]


def _takes_candidate(node: Function) -> bool:
    needed = node.args.args[: len(node.args.args) - len(node.args.defaults)]
    return (
        isinstance(node, ast.FunctionDef)
        and len(needed) == 1
        and needed[0].arg in _CANDIDATE
        and _asserts(node)
    )


def _methods(tree: ast.Module) -> Iterator[tuple[ast.ClassDef, Function]]:
    """Tests without arguments of classes that are named as tests and have no base."""
    kinds = (node for node in tree.body if isinstance(node, ast.ClassDef) and not node.bases)
    for kind in kinds:
        tests = [
            part
            for part in kind.body
            if isinstance(part, ast.FunctionDef) and len(part.args.args) == 1
        ]
        if kind.name.startswith("Test"):
            yield from ((kind, test) for test in tests if test.name.startswith("test"))


def _named(nodes: Iterable[ast.AST]) -> set[str]:
    return {part.id for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name)}


def _asserts(node: ast.AST) -> bool:
    for part in ast.walk(node):
        name = (
            getattr(part.func, "attr", getattr(part.func, "id", ""))
            if isinstance(part, ast.Call)
            else ""
        )
        if isinstance(part, ast.Assert) or name.startswith("assert") or name == "raises":
            return True
    return False


def _runs_an_assertion(tree: ast.Module) -> bool:
    """Whether a statement at the top, or something that one of them names, asserts anything."""
    defined = {
        node.name: node for node in tree.body if isinstance(node, (*FUNCTIONS, ast.ClassDef))
    }
    top = [node for node in tree.body if not isinstance(node, (*FUNCTIONS, ast.ClassDef))]
    run = [name for name, node in defined.items() if _is_run(node)]
    names = _named(top) | set(run)
    seen: set[str] = set()
    while new := {name for name in names if name in defined} - seen:
        seen |= new
        names |= _named(defined[name] for name in new)
    return any(map(_asserts, [*top, *(defined[name] for name in seen)]))


def _is_run(node: ast.stmt) -> bool:
    """``check``, ``test…``, and classes of tests that are not skipped as a whole."""
    if isinstance(node, FUNCTIONS):
        return node.name == "check" or node.name.startswith("test")
    if not isinstance(node, ast.ClassDef) or not node.bases:
        return False
    tests = [
        part for part in node.body if isinstance(part, FUNCTIONS) and part.name.startswith("test")
    ]
    return any(
        all("skip" not in ast.unparse(mark) for mark in test.decorator_list) for test in tests
    )

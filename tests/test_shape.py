"""The shape of the code: sizes, complexity, and which package may import which."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "steelyard"
FILE_LINES = 600
BODY_LINES = 60  # without the docstring
COMPLEXITY = 15  # comprehensions and boolean operators count as branches
# Packages that have functions over a limit. A package leaves this list when it is rebuilt.
OVERSIZED = {
    "arena",
    "batch",
    "bench",
    "cli",
    "grading",
    "lift",
    "runs",
    "sandbox",
    "score",
    "scoring",
    "spec",
}

# From top to bottom: a module imports only from those above it.
BANDS = {
    "core": [
        "version",
        "errors",
        "foreign",
        "source",
        "evidence",
        "score",
        "lift",
        "sample",
        "functions",
        "registry",
        "doors",
        "values",
        "reading",
        "primitives",
        "reference",
        "metrics",
    ],
    "doors": ["spill", "sandbox", "models", "judge", "store", "engine"],
    "scoring": ["grading", "scoring", "spec"],
    "features": ["batch", "bench", "runs", "trust", "audit", "arena"],
    "faces": ["report", "web", "cli", "__main__"],  # `steelyard serve` starts the web
}
ORDER = [name for band in BANDS.values() for name in band]
# The functions in which a broad except may stand, one in each: the two outer doors (the command, and the thread that writes),
# and the two that call foreign code (a user's out here, a candidate's inside its box).
OUTER_DOORS = {
    "cli/app.py": "run",
    "store/writer.py": "attempted",
    "foreign.py": "caught",
    "sandbox/inside/attempt.py": "attempt",
}
INSIDE = (
    SOURCE / "sandbox" / "inside"
)  # is sent into the box as a package of its own: imports only itself

FOLDERS = ("src", "tests", "scripts", "benchmarks")
FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
# What lies in data/ is what authors write, not part of the package.
SOURCES = [
    path
    for path in FILES
    if path.is_relative_to(SOURCE) and not path.is_relative_to(SOURCE / "data")
]


def label(path: Path) -> str:
    return str(path.relative_to(ROOT))


def package_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def unit_of(path: Path) -> str:
    return "inside" if path.is_relative_to(INSIDE) else package_of(path)


def body_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function from its first statement after the docstring."""
    documented = ast.get_docstring(node, clean=False) is not None and len(node.body) > 1
    first = node.body[1 if documented else 0]
    return (node.end_lineno or node.lineno) - first.lineno + 1


def complexity(node: ast.AST) -> int:
    """One, plus each branch, loop, except, comprehension and boolean operator."""
    branches = ast.If | ast.For | ast.AsyncFor | ast.While | ast.IfExp | ast.ExceptHandler
    count = 1
    for part in ast.walk(node):
        if isinstance(part, branches | ast.comprehension | ast.match_case):
            count += 1
        elif isinstance(part, ast.BoolOp):
            count += len(part.values) - 1
    return count


def oversized_functions(tree: ast.AST) -> Iterator[str]:
    """Describe each function that is over a limit."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if (length := body_lines(node)) > BODY_LINES:
                yield f"{node.name} has {length} lines"
            if (branches := complexity(node)) > COMPLEXITY:
                yield f"{node.name} has complexity {branches}"


def imported(tree: ast.AST, unit: str) -> Iterator[tuple[int, str]]:
    """Each unit of the package that a module imports, wherever in the file, with the line."""
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            if node.level and unit == "inside":
                continue
            assert node.level == 0, f"line {node.lineno}: imports are absolute"
            module = node.module or ""
            names = (
                [f"steelyard.{a.name}" for a in node.names] if module == "steelyard" else [module]
            )
        for name in names:
            parts = name.split(".")
            if parts[0] == "steelyard" and len(parts) > 1 and parts[1] != unit:
                yield node.lineno, parts[1]


def wrong_imports(source: str, unit: str) -> list[str]:
    allowed = ORDER[: ORDER.index(unit)] if unit != "inside" else []
    return [
        f"line {line}: {unit} imports {name}"
        for line, name in imported(ast.parse(source), unit)
        if name not in allowed
    ]


def allowed_door(tree: ast.AST, name: str) -> list[int]:
    """The broad excepts in the function of that name."""
    doors = [
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == name
    ]
    return [line for door in doors for line in broad_excepts(door)]


def broad_excepts(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler):
            caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            if any(
                c is None or getattr(c, "id", "") in {"Exception", "BaseException"} for c in caught
            ):
                yield node.lineno


@pytest.mark.parametrize("path", FILES, ids=label)
def test_files_and_functions_keep_the_limits(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= FILE_LINES, "split the file"
    if path not in SOURCES or package_of(path) not in OVERSIZED:
        assert not list(oversized_functions(ast.parse(text)))


@pytest.mark.slow
def test_packages_excluded_from_a_limit_need_it() -> None:
    over = {
        package_of(path)
        for path in SOURCES
        if list(oversized_functions(ast.parse(path.read_text("utf-8"))))
    }
    assert over == OVERSIZED


@pytest.mark.parametrize("path", SOURCES, ids=label)
def test_imports_go_downward(path: Path) -> None:
    unit = unit_of(path)
    if unit == "__init__":
        return  # the public names: anything may be named there, nothing heavy is loaded (test_names.py)
    assert unit in [*ORDER, "inside"], f"{unit} has no place in the order of layers"
    assert not wrong_imports(path.read_text(encoding="utf-8"), unit)


@pytest.mark.parametrize("path", SOURCES, ids=label)
def test_no_broad_except_and_no_print(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    door = OUTER_DOORS.get(str(path.relative_to(SOURCE)))
    there = allowed_door(tree, door) if door else []
    assert list(broad_excepts(tree)) == there, "catch what you expect; a bug is never swallowed"
    assert len(there) == (door is not None), (
        "one place is enough, and one that is gone needs no door"
    )
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    prints = [call.lineno for call in calls if getattr(call.func, "id", "") == "print"]
    assert not prints, "the faces print, through typer or rich"


@pytest.mark.parametrize(
    ("unit", "source", "wrong"),
    [
        ("spec", "from steelyard.scoring import call", False),
        ("spec", "from steelyard import registry", False),
        ("scoring", "from steelyard.spec import Spec", True),
        ("scoring", "def f():\n    import steelyard.cli.app", True),
        ("reading", "from steelyard import cli", True),
        ("reading", "from steelyard.reading.cuts import cut", False),
        ("report", "from steelyard.batch.summary import Summary", False),
        ("batch", "from steelyard.report import terminal", True),
        ("inside", "from . import values", False),
        ("inside", "from steelyard.errors import SandboxError", True),
    ],
)
def test_the_direction_is_really_checked(unit: str, source: str, wrong: bool) -> None:
    assert bool(wrong_imports(source, unit)) is wrong


def test_limits_and_excepts_are_really_checked() -> None:
    lines = "\n".join(f"    x = {n}" for n in range(BODY_LINES + 1))
    long = ast.parse(f'def f():\n    """Do it."""\n{lines}')
    assert list(oversized_functions(long)) == ["f has 61 lines"]
    packed = ast.parse(f"def f(x):\n    return [x for x in y if {' or '.join('x' * 15)}]")
    assert list(oversized_functions(packed)) == ["f has complexity 16"]
    for caught in ("", " Exception", " BaseException", " (ValueError, Exception)"):
        assert list(broad_excepts(ast.parse(f"try:\n    pass\nexcept{caught}:\n    pass"))) == [3]
    assert not list(
        broad_excepts(ast.parse("try:\n    pass\nexcept (KeyError, ValueError):\n    pass"))
    )

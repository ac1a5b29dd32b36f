"""The exported names: what a user may rely on, and what importing the package costs."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import steelyard

HEAVY = {"numpy", "pyarrow", "rich", "typer", "re2", "jsonschema_rs", "rapidfuzz", "scipy", "sympy"}
NAMES = (Path(__file__).parent / "cases" / "names.txt").read_text(encoding="utf-8").split()


def names_for_type_checkers() -> set[str]:
    tree = ast.parse(Path(steelyard.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    return {
        alias.name
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_the_exported_names_are_those_of_the_list() -> None:
    assert sorted(steelyard.__all__) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_each_name_can_be_used(name: str) -> None:
    assert getattr(steelyard, name) is not None
    assert name in dir(steelyard)


def test_type_checkers_see_the_same_names() -> None:
    assert names_for_type_checkers() | {"__version__"} == set(NAMES)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'exact_macth'"):
        _ = steelyard.exact_macth


@pytest.mark.parametrize("module", ["steelyard", "steelyard.cli"])
def test_importing_loads_nothing_heavy(module: str) -> None:
    allowed = {"typer", "rich"} if module == "steelyard.cli" else set()
    code = f"import sys, {module}; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert not (HEAVY - allowed) & set(loaded.split())

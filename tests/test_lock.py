"""The lock files: complete, hashed, in agreement with pyproject.toml and with the page of licences."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "reference" / "licences.md"
LOCKS = ("build", "demo", "dev")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
ADDRESS = re.compile(r"https?:|file:|--(extra-)?index-url|--find-links|(^|\s)/\w", re.MULTILINE)


def read_lines(lock: str) -> list[str]:
    """Return one line for each requirement, with its hashes and without comments."""
    text = (ROOT / "requirements" / f"{lock}.txt").read_text("utf-8")
    lines = re.sub(r"\\\n\s*", "", text).splitlines()
    return [line for line in lines if not line.lstrip().startswith("#")]


def read_pins(lock: str) -> dict[str, str]:
    """Return the version of each locked package."""
    pins = {}
    for line in read_lines(lock):
        requirement = Requirement(line.partition("--hash")[0])
        (pinned,) = requirement.specifier
        assert pinned.operator == "=="
        assert requirement.name not in pins, "one version serves all Pythons"
        pins[requirement.name] = pinned.version
    return pins


def all_pins() -> set[tuple[str, str]]:
    return {pin for lock in LOCKS for pin in read_pins(lock).items()}


def declared(extras: set[str]) -> Iterator[Requirement]:
    """Yield the dependencies of the package with these extras."""
    project = PROJECT["project"]
    lists = [project["dependencies"], *(project["optional-dependencies"][name] for name in extras)]
    for requirement in (Requirement(text) for texts in lists for text in texts):
        if requirement.name == project["name"]:
            yield from declared(requirement.extras)
        else:
            yield requirement


def test_every_dependency_has_an_upper_bound() -> None:
    build = [Requirement(text) for text in PROJECT["build-system"]["requires"]]
    open_ended = {
        requirement.name
        for requirement in [*declared({"dev"}), *build]
        if not any(part.operator == "<" for part in requirement.specifier)
    }
    assert not open_ended


@pytest.mark.parametrize("lock", LOCKS)
def test_every_locked_package_has_hashes(lock: str) -> None:
    assert [line for line in read_lines(lock) if "--hash=sha256:" not in line] == []


@pytest.mark.parametrize("file", [*(f"requirements/{lock}.txt" for lock in LOCKS), PAGE])
def test_no_address_is_named(file: str | Path) -> None:
    assert not ADDRESS.search((ROOT / file).read_text("utf-8"))


@pytest.mark.parametrize(("lock", "extras"), [("demo", {"local", "fast"}), ("dev", {"dev"})])
def test_the_lock_has_what_pyproject_asks_for(lock: str, extras: set[str]) -> None:
    pins = read_pins(lock)
    stale = {
        str(requirement)
        for requirement in declared(extras)
        if not requirement.specifier.contains(pins.get(canonicalize_name(requirement.name), "0"))
    }
    assert not stale, "run `make lock`"


def test_the_build_backend_is_locked() -> None:
    pins = read_pins("build")
    for requirement in map(Requirement, PROJECT["build-system"]["requires"]):
        assert requirement.specifier.contains(pins[requirement.name])
    assert {"pip", "setuptools", "editables"} <= set(pins)


def test_lock_files_agree_on_versions() -> None:
    names = [name for name, _ in all_pins()]
    assert len(names) == len(set(names))
    assert read_pins("demo").items() <= read_pins("dev").items()


def test_the_page_of_licences_lists_what_is_locked() -> None:
    rows = re.findall(r"^\| (\S+) \| (\d\S*) \| (.+) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert [(name, version) for name, version, _ in rows] == sorted(all_pins()), "run `make lock`"
    assert [name for name, _, licence in rows if licence == "not stated"] == []


@pytest.mark.parametrize("text", ["# --index-url x", "# https://x", "a @ file:x", "# via /x"])
def test_an_address_is_found(text: str) -> None:
    assert ADDRESS.search(text)

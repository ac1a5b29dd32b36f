"""Every page is executed: its code, its commands, its files, and the output that it shows."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from documents import ROOT, Block, alike, run_block, run_page

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
GUIDES = [page for page in PAGES if page.parent.name == "guide"]
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")


def label(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=pytest.mark.slow if page in GUIDES else ()) for page in PAGES],
    ids=label,
)
def test_the_page_does_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run_page(page, tmp_path)


@pytest.mark.parametrize(
    "page", [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"], ids=label
)
def test_links_lead_somewhere(page: Path) -> None:
    links = [link for link in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link]
    missing = [link for link in links if not (page.parent / link).exists()]
    assert not missing


@pytest.mark.slow
def test_the_walk_through_of_a_new_primitive(tmp_path: Path) -> None:
    """Done as the page says, in a copy of the tree."""
    for folder in ("src", "tests", "scripts", "docs"):
        shutil.copytree(
            ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__")
        )
    for file in ("pyproject.toml", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Makefile"):
        shutil.copy(ROOT / file, tmp_path / file)
    assert run_page(ROOT / "CONTRIBUTING.md", tmp_path) >= 4


def test_the_reference_is_up_to_date() -> None:
    script = ROOT / "scripts" / "build_reference.py"
    done = subprocess.run(
        [sys.executable, script, "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_changelog_knows_this_version() -> None:
    from steelyard import __version__

    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "## [Unreleased]" in text
    assert f"## [{__version__}]" in text


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("python", "1 + 1  # -> 3"),
        ("python", "x = 1 + 1  # -> 2"),
        ("python", ">>> 1 + 1\n3\n"),
        ("json", "{"),
        ("console", "$ echo one\ntwo\n"),
        ("console", "$ echo one &\ntwo\n"),
        ("sh", "make nonsense\n"),
        ("cobol", "x"),
    ],
)
def test_a_page_that_is_wrong_fails(kind: str, text: str, tmp_path: Path) -> None:
    with pytest.raises((AssertionError, ValueError)):
        run_block(Block(kind, "", text, 1), tmp_path, {})


RIGHT = {
    "python": "x = 1 + 1\nx  # -> 2\n",
    "console": "$ printf 'a\\nb\\nc\\n'\na\n…\nc\n$ echo d; echo e\nd\ne\n",
    "sh": "make test\n",
    "json": "[1]",
}


@pytest.mark.parametrize("kind", RIGHT)
def test_a_page_that_is_right_passes(kind: str, tmp_path: Path) -> None:
    assert run_block(Block(kind, "", RIGHT[kind], 1), tmp_path, {})


def test_an_ellipsis_stands_for_any_text_and_for_nothing_else() -> None:
    assert alike("a…c", "abc")
    assert not alike("a…", "b")
    assert not alike("a…c", "a\nc")

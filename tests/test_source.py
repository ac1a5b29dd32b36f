"""The files behind a user's file: found by reading them, and all of them in its digest."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from steelyard.batch.own import find_scorer
from steelyard.registry import Registered
from steelyard.source import own_modules, source_digest

# What the main file says, the other files, and which of those stand behind it.
CASES: list[tuple[str, dict[str, str], set[str]]] = [
    ("x = 1", {"helper.py": ""}, set()),
    ("import helper", {"helper.py": ""}, {"helper.py"}),
    ("import json, helper as h", {"helper.py": ""}, {"helper.py"}),
    ("from helper import rule", {"helper.py": ""}, {"helper.py"}),
    ("from helper import *", {"helper.py": ""}, {"helper.py"}),
    ("def f():\n    if 1:\n        import helper", {"helper.py": ""}, {"helper.py"}),
    ("try:\n    import fast\nexcept ImportError:\n    import slow", {"slow.py": ""}, {"slow.py"}),
    (
        "import a",
        {"a.py": "import b", "b.py": "import c", "c.py": "", "d.py": ""},
        {"a.py", "b.py", "c.py"},
    ),
    ("import a", {"a.py": "import b", "b.py": "import a\nimport main"}, {"a.py", "b.py"}),
    (
        "import kit.deep.rules",
        {"kit/__init__.py": "", "kit/deep/rules.py": "", "kit/other.py": ""},
        {"kit/__init__.py", "kit/deep/rules.py"},
    ),
    ("from kit import rules", {"kit/rules.py": "", "kit/other.py": ""}, {"kit/rules.py"}),
    (
        "import kit",
        {
            "kit/__init__.py": "from . import rules\nfrom .deep import x",
            "kit/rules.py": "",
            "kit/deep/__init__.py": "from ..tables import y",
            "kit/tables.py": "",
        },
        {"kit/__init__.py", "kit/rules.py", "kit/deep/__init__.py", "kit/tables.py"},
    ),
    ("import kit.a", {"kit/a.py": "import b", "kit/b.py": "", "b.py": ""}, {"kit/a.py", "b.py"}),
    (
        "from importlib import import_module as m\nimport importlib\nimportlib.import_module('helper')",
        {"helper.py": ""},
        {"helper.py"},
    ),
    ("__import__('kit.rules')", {"kit/rules.py": ""}, {"kit/rules.py"}),
    ("import helper", {"helper.py": "this is no python (", "b.py": ""}, {"helper.py"}),
    ("import helper (", {"helper.py": ""}, set()),
    ("import helper\0", {"helper.py": ""}, set()),
    ("from .... import far\nfrom . import near", {"near.py": ""}, {"near.py"}),
    ("import " + "x." * 3000 + "y", {"x.py": ""}, {"x.py"}),
]


@pytest.fixture(autouse=True)
def _places(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folders of one test are no place for another's modules."""
    monkeypatch.setattr(sys, "path", list(sys.path))


def written(folder: Path, main: str, others: dict[str, str]) -> Path:
    for name, text in {"main.py": main, **others}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "main.py"


@pytest.mark.parametrize(("main", "others", "behind"), CASES)
def test_the_modules_behind_a_file(
    tmp_path: Path, main: str, others: dict[str, str], behind: set[str]
) -> None:
    path = written(tmp_path, main, others)
    assert set(own_modules(path)) == behind


@pytest.mark.parametrize(("main", "others", "behind"), CASES)
def test_a_digest_changes_with_just_the_files_behind_it(
    tmp_path: Path, main: str, others: dict[str, str], behind: set[str]
) -> None:
    path = written(tmp_path, main, others)
    before = source_digest(path)
    for name, text in others.items():
        (tmp_path / name).write_text(text + "\n# another line\n", encoding="utf-8")
        assert (source_digest(path) != before) is (name in behind), name
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert source_digest(path) == before


def test_nothing_is_run(tmp_path: Path) -> None:
    path = written(
        tmp_path, "import helper", {"helper.py": "open('ran', 'w').close()\nraise SystemExit"}
    )
    source_digest(path)
    assert not (tmp_path / "ran").exists()


def test_a_file_alone_has_its_plain_hash_under_any_name(tmp_path: Path) -> None:
    path = written(tmp_path, "import json", {})
    assert source_digest(path) == hashlib.sha256(b"import json").hexdigest()
    assert (
        source_digest(path.rename(tmp_path / "other.py"))
        == hashlib.sha256(b"import json").hexdigest()
    )


def test_the_folder_may_move_but_its_modules_keep_their_names(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    one = written(here, "import a, b", {"a.py": "1", "b.py": "2"})
    same = written(there, "import a, b", {"a.py": "1", "b.py": "2"})
    assert source_digest(one) == source_digest(same)
    swapped = written(there, "import a, b", {"a.py": "2", "b.py": "1"})
    assert source_digest(one) != source_digest(swapped)


def test_what_was_read_before_is_what_counts(tmp_path: Path) -> None:
    path = written(tmp_path, "import a", {"a.py": "1"})
    assert source_digest(path, b"import a") == source_digest(path)
    assert source_digest(path, b"pass") == hashlib.sha256(b"pass").hexdigest()


def test_a_module_outside_the_folder_does_not_count(tmp_path: Path) -> None:
    path = written(tmp_path / "inside", "from .. import outside\nimport outside", {})
    written(tmp_path, "", {"outside.py": ""})
    assert own_modules(path) == {}


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(edges=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=15))
def test_any_web_of_imports_is_walked_to_its_end(
    tmp_path: Path, edges: list[tuple[int, int]]
) -> None:
    files = {f"m{n}.py": "".join(f"import m{b}\n" for a, b in edges if a == n) for n in range(6)}
    path = written(tmp_path, "import m0", files)
    reached = {0}
    for _ in range(6):
        reached |= {b for a, b in edges if a in reached}
    assert set(own_modules(path)) == {f"m{n}.py" for n in reached}


def shouted(folder: Path, word: str) -> Registered:
    path = written(
        folder,
        "import helper\nfrom kit import rules\ndef mine(sample):\n    return helper.WORD, rules.WORD",
        {"helper.py": f"WORD = {word!r}", "kit/rules.py": f"WORD = {word!r}"},
    )
    return find_scorer(f"{path}:mine")


def test_each_file_runs_the_helpers_that_it_is_signed_with(tmp_path: Path) -> None:
    one, other = shouted(tmp_path / "one", "first"), shouted(tmp_path / "other", "second")
    assert (one.fn(None), other.fn(None)) == (("first", "first"), ("second", "second"))
    assert one.version != other.version
    edited = shouted(tmp_path / "one", "another")
    assert edited.fn(None) == ("another", "another")
    assert edited.version not in {one.version, other.version}
    assert shouted(tmp_path / "one", "first").version == one.version


def test_a_module_of_pythons_own_stays_what_it_was(tmp_path: Path) -> None:
    path = written(
        tmp_path, "import json\ndef mine(sample):\n    return json.dumps([1])", {"json.py": "x = 1"}
    )
    assert find_scorer(f"{path}:mine").fn(None) == "[1]"

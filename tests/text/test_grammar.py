"""The file of words: every section once, and nothing twice in it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import steelyard.text
from steelyard.text.grammar import words

FILE = Path(steelyard.text.__file__).parent / "words.txt"
SECTIONS = re.findall(r"^\[(.+)\]$", FILE.read_text(encoding="utf-8"), re.MULTILINE)


def test_every_section_stands_once() -> None:
    # A second one would silently take the first one's place.
    assert [name for name, count in Counter(SECTIONS).items() if count > 1] == []


def test_no_section_repeats_a_phrase() -> None:
    repeated = {
        name: [word for word, count in Counter(words(name)).items() if count > 1]
        for name in SECTIONS
    }
    assert {name: found for name, found in repeated.items() if found} == {}


def test_every_section_is_used() -> None:
    source = "".join(
        file.read_text(encoding="utf-8") for file in FILE.parents[1].glob("[te]*/**/*.py")
    )
    assert [
        name for name in SECTIONS if f'"{name}"' not in source and f"'{name}'" not in source
    ] == []

"""Patterns that are compiled at their first use: all of ours can be, and then they are patterns as any."""

from __future__ import annotations

import importlib
import pkgutil
import re

import pytest

import steelyard.extract
import steelyard.reference
import steelyard.text
from steelyard.text.late import _Late, late

MODULES = [
    found.name
    for package in (steelyard.text, steelyard.extract, steelyard.reference)
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
]


@pytest.mark.parametrize("name", MODULES)
def test_every_pattern_can_be_compiled(name: str) -> None:
    for value in vars(importlib.import_module(name)).values():
        if isinstance(value, _Late):
            assert re.compile(*value._given).groups == value.groups  # type: ignore[attr-defined]


def test_there_are_many() -> None:
    assert (
        sum(
            isinstance(value, _Late)
            for name in MODULES
            for value in vars(importlib.import_module(name)).values()
        )
        > 100
    )


@pytest.mark.parametrize("text", ["", "one", "One two", "two, ONE"])
def test_it_does_what_a_pattern_does(text: str) -> None:
    ours, theirs = late("(one)|(two)", re.IGNORECASE), re.compile("(one)|(two)", re.IGNORECASE)
    assert (ours.flags, ours.groups, ours.pattern) == (theirs.flags, theirs.groups, theirs.pattern)
    assert [
        ours.findall(text),
        ours.split(text),
        ours.sub(r"<\2>", text),
        ours.subn("x", text),
    ] == [
        theirs.findall(text),
        theirs.split(text),
        theirs.sub(r"<\2>", text),
        theirs.subn("x", text),
    ]
    for way in ("search", "match", "fullmatch"):
        assert bool(getattr(ours, way)(text)) == bool(getattr(theirs, way)(text))
    assert [found.span() for found in ours.finditer(text)] == [
        found.span() for found in theirs.finditer(text)
    ]


def test_what_is_wrong_is_told_at_the_first_use() -> None:
    wrong = late("(")
    with pytest.raises(re.error):
        wrong.search("x")
    with pytest.raises(re.error):
        wrong.search("x")

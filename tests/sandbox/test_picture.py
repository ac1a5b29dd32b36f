"""What a call changes in names and classes is put back; what was learned stays."""

from __future__ import annotations

import types
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from steelyard.sandbox.inside.picture import take

NAMES = st.dictionaries(st.sampled_from("abcde"), st.integers(0, 3), max_size=5)


@given(first=NAMES, learned=NAMES, changed=NAMES)
def test_names_are_as_they_were_when_last_learned(
    first: dict[str, int], learned: dict[str, int], changed: dict[str, int]
) -> None:
    space: dict[str, Any] = dict(first)
    learn, put_back = take([space], [])
    for now, want in ((changed, first), (learned, learned), (changed, learned)):
        space.clear()
        space.update(now)
        if now is learned:
            learn()
        put_back()
        assert space == want


@given(changed=NAMES)
def test_members_are_as_they_were(changed: dict[str, int]) -> None:
    class Some:
        a = 1

        def b(self) -> int:
            return 2

    kept = dict(vars(Some))
    _, put_back = take([], [Some])
    for name, value in changed.items():
        setattr(Some, name, value)
    put_back()
    assert dict(vars(Some)) == kept
    assert Some().b() == 2


def test_a_submodule_that_came_meanwhile_stays() -> None:
    space: dict[str, Any] = {"a": 1}
    _, put_back = take([space], [])
    module = types.ModuleType("b")
    space.update(a=2, b=module, c=3)
    put_back()
    assert space == {"a": 1, "b": module}


def test_a_name_that_is_no_text_is_not_asked_anything() -> None:
    class Name:
        def __hash__(self) -> int:
            return hash("a")

        def __eq__(self, other: object) -> bool:
            raise AssertionError("it was asked")

    space: dict[Any, Any] = {"b": 1}
    _, put_back = take([space], [])
    space[Name()] = 2
    put_back()
    assert space == {"b": 1}

"""No two containers have the same user at the same time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import SandboxError
from steelyard.sandbox.docker_users import Numbers, lend


@given(st.lists(st.booleans(), max_size=40), st.integers(1, 12))
def test_a_number_is_lent_to_one_at_a_time(turns: list[bool], count: int) -> None:
    numbers, held = Numbers(range(100, 100 + count)), []
    for take in turns:
        if not take:
            if held:
                held.pop(0).release()
        elif len(held) < count:
            held.append(numbers.lend())
        else:
            with pytest.raises(SandboxError, match="no more user numbers"):
                numbers.lend()
        lent = [number.uid for number in held]
        assert len(set(lent)) == len(lent)
        assert all(100 <= uid < 100 + count for uid in lent)


def test_nobody_is_root() -> None:
    first, second = lend(), lend()
    try:
        assert 0 not in {first.uid, first.gid, second.uid, second.gid}
        assert first.uid != second.uid
    finally:
        first.release()
        second.release()

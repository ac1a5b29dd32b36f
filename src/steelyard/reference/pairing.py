"""The best one-to-one choice among candidate pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def best_pairs(candidates: Iterable[tuple[int, int]]) -> dict[int, int]:
    """As many pairs as possible, with no item and no reference twice: reference by item.

    >>> best_pairs([(0, 0), (0, 1), (1, 0)])
    {0: 1, 1: 0}
    """
    links: dict[int, list[int]] = {}
    for item, reference in sorted(set(candidates)):
        links.setdefault(item, []).append(reference)
    taken: dict[int, int] = {}
    for item in links:
        _place(item, links, taken)
    return dict(sorted((item, reference) for reference, item in taken.items()))


def _place(start: int, links: Mapping[int, list[int]], taken: dict[int, int]) -> None:
    """Give ``start`` a reference; those who must move for it get another one."""
    seen: dict[int, int] = {}  # reference -> the item that reached it
    waiting = [start]
    for item in waiting:  # grows while it is walked: breadth first
        for reference in links[item]:
            if reference in seen:
                continue
            seen[reference] = item
            if reference not in taken:
                _move(reference, start, seen, taken)
                return
            waiting.append(taken[reference])


def _move(free: int, start: int, seen: Mapping[int, int], taken: dict[int, int]) -> None:
    held = {item: reference for reference, item in taken.items()}
    reference = free
    while True:
        item = seen[reference]
        taken[reference] = item
        if item == start:
            return
        reference = held[item]

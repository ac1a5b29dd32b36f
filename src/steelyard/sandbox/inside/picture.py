"""A picture of modules and classes that is kept up to date while the test runs, and put back after the candidate ran.

What the test itself changes between two calls is learned; what a call of the candidate's changes is undone. All of it
runs on names of its own, so that nothing which the candidate can reach has a part in it.
"""

from __future__ import annotations

import builtins
import operator
import types
from collections.abc import Callable
from typing import Any

_HEAP = 1 << 9  # the flag of types that were made by a class statement, and can be changed


def apart(function: Any, *last: Any) -> Any:
    """The function with globals and builtins of its own, and with its last arguments given."""
    own = {"__builtins__": dict(vars(builtins))}
    return types.FunctionType(function.__code__, own, function.__name__, last)


def take(
    spaces: list[dict[str, Any]], classes: list[type]
) -> tuple[Callable[[], None], Callable[[], None]]:
    """Two functions: one that learns how things are, and one that puts them back as they were then."""
    changeable = [kind for kind in classes if kind.__flags__ & _HEAP]
    same = apart(_same, operator.is_)
    mend_names = apart(_mend_names, types.ModuleType)
    mend_members = apart(_mend_members, type.__setattr__, type.__delattr__, AttributeError)
    names = apart(_kept, [(space, space) for space in spaces], same, mend_names)()
    members = apart(_kept, [(kind, vars(kind)) for kind in changeable], same, mend_members)()
    return apart(_both, names[0], members[0]), apart(_both, names[1], members[1])


def _both(first: Any, second: Any) -> None:
    first()
    second()


def _same(now: Any, kept: Any, is_: Any) -> bool:
    return (
        len(now) == len(kept)
        and all(map(is_, now.values(), kept.values()))
        and all(map(is_, now, kept))
    )


def _kept(views: Any, same: Any, mend: Any) -> Any:
    kept = [dict(view) for _, view in views]

    def learn() -> None:
        for place, (_, view) in enumerate(views):
            if not same(view, kept[place]):
                kept[place] = dict(view)

    def put_back() -> None:
        for place, (owner, view) in enumerate(views):
            if not same(view, kept[place]):
                mend(owner, kept[place])

    return learn, put_back


def _mend_names(space: Any, names: Any, module: Any) -> None:
    """Adds before it takes away: there is no moment without the names."""
    if not all(type(name) is str for name in space):
        space.clear()
    # A submodule that was imported meanwhile is no harm.
    names.update(
        {name: space[name] for name in space if name not in names and type(space[name]) is module}
    )
    space.update(names)
    for name in [name for name in space if name not in names]:
        del space[name]


def _mend_members(
    kind: Any, members: Any, set_member: Any, delete_member: Any, missing: Any
) -> None:
    now = dict(vars(kind))
    for name in [*now, *members]:
        try:
            if name not in members:
                delete_member(kind, name)
            elif now.get(name) is not members[name]:
                set_member(kind, name, members[name])
        except missing:
            continue  # what cannot be set, such as the place for weak references, was not changed either

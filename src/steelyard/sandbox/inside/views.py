"""Views of the library's own kinds, which two sides exchange as the data that they show."""

from __future__ import annotations

import collections
import types
from collections.abc import Callable
from typing import Any, NamedTuple


class View(NamedTuple):
    """A kind of view: the parts that it is written as, and how it is made of them again."""

    name: str
    kind: type
    parts: Callable[[Any], list[Any]]
    build: Callable[[list[Any]], Any]


VIEWS = (
    View("keys", type({}.keys()), list, lambda found: dict.fromkeys(found).keys()),
    View("values", type({}.values()), list, lambda found: dict(enumerate(found)).values()),
    View("items", type({}.items()), list, lambda found: dict(found).items()),
    View(
        "slice", slice, lambda view: [view.start, view.stop, view.step], lambda found: slice(*found)
    ),
    View(
        "proxy",
        types.MappingProxyType,
        lambda view: [dict(view)],
        lambda found: types.MappingProxyType(*found),
    ),
    View(
        "memory", memoryview, lambda view: [view.tobytes()], lambda found: memoryview(bytes(*found))
    ),
    View(
        "chain",
        collections.ChainMap,
        lambda view: list(view.maps),
        lambda found: collections.ChainMap(*found),
    ),
    View(
        "user_dict",
        collections.UserDict,
        lambda view: [view.data],
        lambda found: collections.UserDict(*found),
    ),
    View(
        "user_list",
        collections.UserList,
        lambda view: [view.data],
        lambda found: collections.UserList(*found),
    ),
    View("ellipsis", type(...), lambda view: [], lambda found: ...),
    View("not_implemented", type(NotImplemented), lambda view: [], lambda found: NotImplemented),
)


def view_of(value: Any) -> View | None:
    """The view that the value is; one of another class of its own is none, and nor is one of other than bytes."""
    found = next((view for view in VIEWS if type(value) is view.kind), None)
    if found is not None and found.name == "memory" and value.format != "B":
        return None
    return found


def view_named(name: Any) -> View:
    """The view of that name; a ValueError where there is none."""
    for view in VIEWS:
        if view.name == name:
            return view
    raise ValueError("there is no such view")

"""The colours of the seven dimensions, which every chart uses for what they stand for."""

from __future__ import annotations

import importlib.resources

import msgspec


def colours() -> dict[str, str]:
    """The colours by name.

    >>> colours()["emerald"]
    '#10b981'
    """
    file = importlib.resources.files("steelyard") / "data" / "dimensions.json"
    found = msgspec.json.decode(file.read_bytes())
    return {one["color"]: one["hex"] for one in found["core"]}

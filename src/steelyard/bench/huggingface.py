"""Rows of a dataset that the library ``datasets`` can load: ``hf://org/name?split=test``, or a folder of one's own."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote

from steelyard.bench.datasets import Dataset
from steelyard.bench.rows import Row
from steelyard.errors import DataError, SpecError
from steelyard.foreign import caught, told
from steelyard.lift import plain
from steelyard.registry import nearest

_INSTALL = "reading hf:// needs the library 'datasets': pip install 'steelyard[hf]'"
_KNOWN = ("split", "config", "revision")


def hub_dataset(address: str) -> Dataset:
    """The dataset at ``hf://org/name?split=test&config=main``; a path from the root is a folder on this machine."""
    name, options = parse_address(address)
    return Dataset(address, functools.partial(_read, address, name, options))


def parse_address(address: str) -> tuple[str, dict[str, str]]:
    """The dataset's name and its options; a split has to be named, so that two runs mean the same rows.

    >>> parse_address("hf://org/name?split=test")
    ('org/name', {'split': 'test'})
    """
    name, _, query = address.removeprefix("hf://").partition("?")
    options = dict(parse_qsl(query, keep_blank_values=True))
    for key in options:
        if key not in _KNOWN:
            raise SpecError(
                f"{address}: there is no option {key!r}{nearest(key, _KNOWN)}", path="dataset"
            )
    if not name or not options.get("split"):
        raise SpecError(f"{address}: write hf://org/name?split=test", path="dataset")
    return unquote(name), options


def _read(address: str, name: str, options: dict[str, str]) -> Iterator[Row]:
    try:
        import datasets
    except ImportError:
        raise DataError(_INSTALL, file=address) from None
    loaded, failed = caught(_load, datasets, name, options)
    if isinstance(failed, KeyboardInterrupt):
        raise failed
    if failed is not None:
        raise DataError(f"cannot be loaded: {told(failed)}", file=address)
    for place, row in enumerate(loaded, start=1):
        yield Row(place, plain(row, mend=False))


def _load(datasets: Any, name: str, options: dict[str, str]) -> Any:
    split = options["split"]
    if (Path(name) / "dataset_dict.json").is_file() or (Path(name) / "state.json").is_file():
        saved = datasets.load_from_disk(name)
        return saved[split] if isinstance(saved, dict) else saved
    return datasets.load_dataset(
        name, options.get("config"), split=split, revision=options.get("revision")
    )

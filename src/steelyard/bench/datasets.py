"""Where a benchmark's rows come from: a file, a list, a function, or a dataset of the Hugging Face hub."""

from __future__ import annotations

import functools
import hashlib
import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from steelyard.errors import DataError, SpecError
from steelyard.lift import plain
from steelyard.registry import caught, told

Rows = Callable[[], Iterable[Mapping[str, Any]]]

_CALL = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_encode = msgspec.json.Encoder(order="deterministic").encode


class Row(NamedTuple):
    """One row: where it stands, its columns, and the fractions among them as they are written."""

    place: int
    columns: dict[str, Any]
    written: Mapping[str, str] = {}


class Dataset:
    """Rows that are read once, when they are first asked for.

    ``unit`` says what a row's place counts: the lines of a file, its rows or its items.

    >>> Dataset("two", lambda: [Row(1, {"q": "a"}), Row(2, {"q": "b"})], unit="item").rows[1].columns
    {'q': 'b'}
    """

    def __init__(self, name: str, read: Callable[[], Iterable[Row]], *, unit: str = "row") -> None:
        self.name, self.unit, self._read = name, unit, read

    @functools.cached_property
    def rows(self) -> list[Row]:
        """All rows; a DataError where they cannot be read, or there are none."""
        found = list(self._read())
        if not found:
            raise DataError("there are no rows in it", file=self.name)
        return found

    @functools.cached_property
    def hash(self) -> str:
        """What the rows hold, whatever file or format they came in."""
        total = hashlib.sha256()
        for row in self.rows:
            total.update(_encode([row.columns, row.written]) + b"\n")
        return total.hexdigest()

    def wrong(self, row: Row, message: str) -> DataError:
        """What is wrong with a row, with its place."""
        if self.unit == "line":
            return DataError(message, file=self.name, line=row.place)
        return DataError(f"{self.unit} {row.place}: {message}", file=self.name)


def open_dataset(given: Any, base: Path) -> Dataset:
    """The dataset that is meant; files are looked for from ``base``. Nothing is read yet but a file's name.

    >>> open_dataset([{"q": "2 + 2"}], Path()).rows[0].columns["q"]
    '2 + 2'
    """
    if isinstance(given, Dataset):
        return given
    if isinstance(given, str) and given.startswith("hf://"):
        from steelyard.bench.huggingface import hub_dataset

        return hub_dataset(given)
    if isinstance(given, str) and _CALL.fullmatch(given):
        return _called(import_name(given, "dataset"), given)
    if isinstance(given, str | Path):
        from steelyard.bench.row_files import file_dataset

        return file_dataset(base / given)
    if callable(given):
        return _called(given, getattr(given, "__qualname__", type(given).__name__))
    if isinstance(given, Iterable):
        return Dataset("the dataset", functools.partial(_numbered, given, "the dataset"), unit="item")
    raise SpecError(
        f"must be a file, an hf:// address, a list of rows or a function, not {type(given).__name__}", path="dataset"
    )


def import_name(name: str, path: str) -> Any:
    """What ``package.module:name`` stands for; a SpecError where there is no such thing.

    >>> import_name("math:pi", "x")
    3.141592653589793
    """
    module, _, attribute = name.partition(":")
    found, failed = caught(importlib.import_module, module)
    if failed is not None:
        if isinstance(failed, KeyboardInterrupt):
            raise failed
        raise SpecError(f"{module} cannot be imported: {told(failed)}", path=path)
    if not hasattr(found, attribute):
        raise SpecError(f"{module} has no {attribute!r}", path=path)
    return getattr(found, attribute)


def _called(function: Rows, name: str) -> Dataset:
    def read() -> Iterator[Row]:
        rows, failed = caught(lambda: list(function()))
        if failed is not None:
            raise failed if isinstance(failed, KeyboardInterrupt | DataError | SpecError) else DataError(
                f"the function that gives the rows failed: {told(failed)}", file=name)  # fmt: skip
        return _numbered(rows, name)

    return Dataset(name, read, unit="item")


def _numbered(rows: Iterable[Any], name: str) -> Iterator[Row]:
    for place, row in enumerate(rows, start=1):
        if not isinstance(row, Mapping):
            raise DataError(f"item {place}: a row is a mapping of columns, not {type(row).__name__}", file=name)
        yield Row(place, plain(row))

"""Where a benchmark's rows come from: a file, a list, a function, or a dataset of the Hugging Face hub."""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from steelyard.bench.rows import Row, Rows
from steelyard.errors import DataError, SpecError
from steelyard.foreign import caught, told
from steelyard.lift import plain

Giver = Callable[[], Iterable[Mapping[str, Any]]]

_END = object()
_CALL = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")


class Dataset:
    """Rows that are read once, when they are first asked for.

    ``unit`` says what a row's place counts: the lines of a file, its rows or its items.

    >>> Dataset("two", lambda: [Row(1, {"q": "a"}), Row(2, {"q": "b"})], unit="item").rows[1].columns
    {'q': 'b'}
    """

    def __init__(self, name: str, read: Callable[[], Iterable[Row]], *, unit: str = "row") -> None:
        self.name, self.unit, self._read = name, unit, read

    def read(self) -> Iterator[Row]:
        """The rows, one by one, from where they are."""
        return iter(self._read())

    @functools.cached_property
    def rows(self) -> Rows:
        """All rows, kept; a DataError where they cannot be read, or there are none."""
        found = Rows(self.read())
        if not found:
            raise DataError("there are no rows in it", file=self.name)
        return found

    @property
    def hash(self) -> str:
        """What the rows hold, whatever file or format they came in."""
        return self.rows.hash

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
        return Dataset(
            "the dataset", functools.partial(_numbered, given, "the dataset"), unit="item"
        )
    raise SpecError(
        f"must be a file, an hf:// address, a list of rows or a function, not {type(given).__name__}",
        path="dataset",
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


def _called(function: Giver, name: str) -> Dataset:
    return Dataset(name, lambda: _numbered(_given(function, name), name), unit="item")


def _given(function: Giver, name: str) -> Iterator[Any]:
    """What a user's function gives, piece by piece; whatever it raises is told as its own fault."""
    items, failed = caught(lambda: iter(function()))
    while failed is None:
        item, failed = caught(next, items, _END)
        if item is _END:
            return
        if failed is None:
            yield item
    raise (
        failed
        if isinstance(failed, KeyboardInterrupt | DataError | SpecError)
        else DataError(f"the function that gives the rows failed: {told(failed)}", file=name)
    )


def _numbered(rows: Iterable[Any], name: str) -> Iterator[Row]:
    for place, row in enumerate(rows, start=1):
        if not isinstance(row, Mapping):
            raise DataError(
                f"item {place}: a row is a mapping of columns, not {type(row).__name__}", file=name
            )
        yield Row(place, plain(row, mend=False))

"""Folders of repeated runs, found by a pattern such as ``out/{setting}/run_{n}``."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterator

import msgspec

from steelyard.batch.reference.folder import is_folder
from steelyard.batch.reference.ids import natural
from steelyard.errors import DataError

_PLACE = re.compile(r"(\{[^{}]*\})")
_KNOWN = {"{setting}": r"(?P<setting>[^/]+?)", "{n}": r"(?P<n>[0-9]+)"}


class RunFolder(msgspec.Struct, frozen=True, kw_only=True):
    """The folder of one run: its setting, its number as written, and where it stands below the pattern."""

    setting: str
    n: str
    path: str

    @property
    def label(self) -> str:
        """Setting and number, for a reader."""
        return f"{self.setting} run {self.n}" if self.setting else f"run {self.n}"


def find_runs(pattern: str) -> list[RunFolder]:
    """The folders that a pattern names, by setting and run number; none at all is a DataError.

    >>> find_runs("out/plain")
    Traceback (most recent call last):
    steelyard.errors.DataError: --runs out/plain: a pattern with {n} is needed, such as 'out/{setting}/run_{n}'
    """
    steps = _steps(pattern)
    root = os.sep if os.path.isabs(pattern) else ""
    found = [
        RunFolder(setting=names.get("setting", ""), n=names["n"], path=path)
        for path, names in _walk(root, steps, {})
    ]
    if not found:
        raise DataError(f"--runs {pattern}: there are no such folders")
    found.sort(key=lambda run: (natural(run.setting), int(run.n), run.n))
    for first, second in itertools.pairwise(found):
        if (first.setting, int(first.n)) == (second.setting, int(second.n)):
            raise DataError(f"has the same run number as {first.path}", file=second.path)
    return found


def _steps(pattern: str) -> list[str | re.Pattern[str]]:
    """The pattern's steps from folder to folder: plain names, and expressions where it has places."""
    places = _PLACE.findall(pattern)
    for place in places:
        if place not in _KNOWN:
            raise DataError(
                f"--runs {pattern}: {place} is not known; there are {{setting}} and {{n}}"
            )
        if places.count(place) > 1:
            raise DataError(f"--runs {pattern}: {place} stands there twice")
    if "{n}" not in places:
        like = "'out/{setting}/run_{n}'"
        raise DataError(f"--runs {pattern}: a pattern with {{n}} is needed, such as {like}")
    return [_step(step) for step in pattern.split("/") if step]


def _step(step: str) -> str | re.Pattern[str]:
    pieces = _PLACE.split(step)
    if len(pieces) == 1:
        return step
    return re.compile("".join(_KNOWN.get(piece) or re.escape(piece) for piece in pieces))


def _walk(
    folder: str, steps: list[str | re.Pattern[str]], names: dict[str, str]
) -> Iterator[tuple[str, dict[str, str]]]:
    if not steps:
        yield folder, names
        return
    first, rest = steps[0], steps[1:]
    if isinstance(first, str):
        path = os.path.join(folder, first)
        if os.path.isdir(path):
            yield from _walk(path, rest, names)
        return
    for name in _folders(folder or os.curdir):
        fits = first.fullmatch(name)
        if fits:
            yield from _walk(os.path.join(folder, name), rest, {**names, **fits.groupdict()})


def _folders(place: str) -> list[str]:
    try:
        with os.scandir(place) as found:
            return [
                entry.name for entry in found if is_folder(entry) and not entry.name.startswith(".")
            ]
    except OSError as failed:
        raise DataError(f"cannot be read: {failed.strerror or failed}", file=place) from None

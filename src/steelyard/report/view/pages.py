"""The pages that are served: each is made when it is asked for, and kept until a file that it tells of has changed."""

from __future__ import annotations

import hashlib
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

from steelyard.errors import DataError, SteelyardError
from steelyard.report.compare_page import write_comparison_page
from steelyard.report.markup import Markup, tag, text
from steelyard.report.page import PageOptions, write_page
from steelyard.report.page_top import home_link
from steelyard.report.run_files import known_calibration
from steelyard.report.sheet import COMPARISON, INDEX, MESSAGE, RUN, Kind, filled, policy
from steelyard.report.view.board import index_page
from steelyard.report.view.folder import Folder, entry
from steelyard.runs.compare import compare
from steelyard.runs.opened import open_run
from steelyard.version import __version__

HOME = "/"
KEPT = 32
Write = Callable[[IO[bytes]], None]


class Page(NamedTuple):
    """An open page, which whoever asked for it closes; what it may do in a browser, and a tag that changes with it."""

    content: IO[bytes]
    policy: str
    tag: str


class MissingError(DataError):
    """There is no such page."""


class Pages:
    """All pages of a folder; they lie in a folder of their own, which goes away at the end."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self._kept: OrderedDict[str, Path] = OrderedDict()
        self._place = tempfile.TemporaryDirectory(prefix="steelyard-view-")
        self._one = threading.Lock()  # a page takes all of a core: two at once would both be late

    def close(self) -> None:
        """Leave nothing behind."""
        self._place.cleanup()

    def index(self) -> Page:
        """The list of runs."""
        found = [entry(self.folder, name, path) for name, path in self.folder.runs().items()]
        made = index_page(self.folder.root.name or "runs", found).encode("utf-8")
        return self._made(
            INDEX, ("index", hashlib.sha256(made).hexdigest()), lambda out: _write(out, made)
        )

    def run(self, name: str) -> Page:
        """The page of a run, measured times included."""
        path = self._path(name)

        def write(out: IO[bytes]) -> None:
            opened = open_run(path)
            write_page(
                opened,
                out,
                PageOptions(timings=True, calibration=known_calibration(opened), home=HOME),
            )

        return self._made(RUN, ("run", name, self.folder.state(path)), write)

    def comparison(self, names: Sequence[str]) -> Page:
        """The page that holds runs against the first of them."""
        paths = [self._path(name) for name in names]
        if len(paths) < 2 or len(set(paths)) < len(paths):
            raise DataError("a comparison takes two different runs, a base and a candidate")

        def write(out: IO[bytes]) -> None:
            write_comparison_page(compare(*map(open_run, paths)), out, home=HOME)

        return self._made(
            COMPARISON, ("compare", names, [self.folder.state(path) for path in paths]), write
        )

    def _path(self, name: str) -> Path:
        found = self.folder.runs().get(name)
        if found is None:
            raise MissingError("there is no such run here")
        return found

    def _made(self, kind: Kind, about: Any, write: Write) -> Page:
        key = hashlib.sha256(
            repr((about, __version__, policy(kind))).encode("utf-8", "surrogateescape")
        ).hexdigest()[:32]
        with self._one:
            path = self._kept.get(key) or self._make(key, write)
            self._kept[key] = path
            self._kept.move_to_end(key)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)[1].unlink(missing_ok=True)
            return Page(
                path.open("rb"), policy(kind), key
            )  # open, it can be read to its end whatever is thrown away

    def _make(self, key: str, write: Write) -> Path:
        path = Path(self._place.name) / key
        part = path.with_suffix(".part")
        try:
            with part.open("wb") as out:
                write(out)
            part.replace(path)
        except SteelyardError:
            raise
        except (
            KeyError,
            TypeError,
            ValueError,
            AttributeError,
        ) as odd:  # files that somebody else wrote may be anything
            raise DataError(
                f"the files are not those of a run that this version knows ({type(odd).__name__}: {odd})"
            ) from odd
        finally:
            part.unlink(missing_ok=True)
        return path


def _write(out: IO[bytes], made: bytes) -> None:
    out.write(made)


def message_page(title: str, words: str) -> tuple[bytes, str]:
    """A page that says something, and its policy."""
    told = tag(
        "section", *(tag("p", line, class_="told") for line in words.splitlines()), class_="card"
    )
    parts: dict[str, Markup] = {"title": text(title), "home": home_link(HOME), "message": told}
    return filled(MESSAGE, parts).encode("utf-8"), policy(MESSAGE)

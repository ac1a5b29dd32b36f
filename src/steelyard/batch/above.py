"""What a user's scorer prints while a bar is on the terminal: on lines of its own, and the bar is drawn again below."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

W = TypeVar("W")
WIPE = "\r\x1b[2K"  # what stands in the line, which is the bar


class Above:
    """A stream that wipes the bar away before each line that it begins.

    >>> import io
    >>> below = io.StringIO()
    >>> above = Above(below)
    >>> for text in ("a", "b\\n", "c\\n"):
    ...     _ = above.write(text)
    >>> below.getvalue().split(WIPE)
    ['', 'ab\\n', 'c\\n']
    """

    def __init__(self, stream: Any) -> None:
        self._stream, self._begun = stream, False

    def write(self, text: str) -> int:
        """Take a text, which may be a part of a line."""
        for line in text.splitlines(keepends=True):
            self._stream.write(line if self._begun else WIPE + line)
            self._begun = not line.endswith("\n")
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def printing_above(build: Callable[[], W]) -> W:
    """The work, made in a worker whose output is on a terminal with a bar."""
    sys.stdout = sys.stderr = Above(sys.stderr)
    return build()

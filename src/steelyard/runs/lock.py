"""One run at a time in a folder."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from steelyard.errors import DataError, StoreError


@contextmanager
def locked(folder: Path, *, reading: bool = False) -> Iterator[None]:
    """Holds the folder; where somebody else holds it, that is a DataError, and nothing has been touched.

    The lock lies on the folder itself, so that it leaves no file behind and ends with its process, however that ends.
    """
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as failed:
        raise DataError(
            f"cannot be opened: {failed.strerror or failed}", file=str(folder)
        ) from None
    try:
        fcntl.flock(handle, (fcntl.LOCK_SH if reading else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise DataError("another run is at work in this folder", file=str(folder)) from None
    except OSError as failed:
        os.close(handle)
        raise StoreError(f"{folder}: cannot be locked: {failed.strerror or failed}") from None
    try:
        yield
    finally:
        os.close(handle)

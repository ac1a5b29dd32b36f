"""Folders as archives whose bytes depend on nothing but names and contents, and their careful reading."""

from __future__ import annotations

import gzip
import io
import tarfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from steelyard.errors import DataError

MOST_FILES, MOST_BYTES = 2_000, 64 * 2**20


def pack(files: Mapping[str, bytes]) -> bytes:
    """A tar.gz of the files, sorted, without times, owners and modes: the same files give the same bytes.

    >>> pack({"b.txt": b"2", "a/c.txt": b"1"}) == pack({"a/c.txt": b"1", "b.txt": b"2"})
    True
    """
    packed = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as zipped,
        tarfile.open(fileobj=zipped, mode="w") as tar,
    ):
        for name in sorted(files):
            about = tarfile.TarInfo(check_name(name))
            about.size, about.mode = len(files[name]), 0o644
            tar.addfile(about, io.BytesIO(files[name]))
    return packed.getvalue()


def unpack(archive: bytes, label: str = "the archive") -> dict[str, bytes]:
    """The files of an archive; links, devices, ways out of it and bombs are a DataError.

    >>> unpack(pack({"a/c.txt": b"1"}))
    {'a/c.txt': b'1'}
    """
    try:
        with tarfile.open(fileobj=io.BytesIO(archive), mode="r|gz") as tar:
            return dict(_contents(tar, label))
    except DataError:
        raise
    except (tarfile.TarError, OSError, EOFError, ValueError, zlib.error) as wrong:
        raise DataError(f"is no tar.gz: {wrong}", file=label) from wrong


def _contents(tar: tarfile.TarFile, label: str) -> Iterator[tuple[str, bytes]]:
    left, count = MOST_BYTES, 0
    for about in tar:
        if about.isdir():
            continue
        if not about.isreg():
            raise DataError(f"{about.name!r} is neither a file nor a folder", file=label)
        left, count = left - about.size, count + 1
        if left < 0 or count > MOST_FILES:
            raise DataError(
                f"holds more than {MOST_FILES} files or {MOST_BYTES >> 20} MB", file=label
            )
        held = tar.extractfile(about)
        yield check_name(about.name, label), held.read() if held is not None else b""


def read_folder(folder: Path) -> dict[str, bytes]:
    """Every file below the folder, by its name there; what Python and editors leave behind is not part of it."""
    if not folder.is_dir():
        raise DataError("there is no such folder", file=str(folder))
    files: dict[str, bytes] = {}
    size = 0
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_dir() or any(
            part.startswith(".") or part == "__pycache__" for part in PurePosixPath(name).parts
        ):
            continue
        if path.is_symlink() or not path.is_file():
            raise DataError(
                "is a link or no regular file; a challenge holds files alone", file=str(path)
            )
        files[name] = path.read_bytes()
        size += len(files[name])
        if size > MOST_BYTES or len(files) > MOST_FILES:
            raise DataError(
                f"holds more than {MOST_FILES} files or {MOST_BYTES >> 20} MB", file=str(folder)
            )
    return files


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files below the folder."""
    for name, content in files.items():
        place = folder / check_name(name)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)


def check_name(name: str, label: str = "") -> str:
    """The name, if it stays inside: relative, plain, and with nothing of ``..`` in it."""
    parts = PurePosixPath(name.removeprefix("./")).parts
    plain = (
        parts
        and not name.startswith("/")
        and "\\" not in name
        and "\0" not in name
        and len(name) < 250
    )
    if not plain or any(part in {"..", "."} or part.startswith("~") for part in parts):
        raise DataError(f"{name!r} is no name of a file inside the folder", file=label)
    return "/".join(parts)

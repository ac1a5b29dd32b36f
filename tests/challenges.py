"""Folders of challenges for the tests: the challenge `adding` with some of its files replaced."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

CASES = Path(__file__).parent / "cases" / "arena"
ADDING = CASES / "adding"


def table(name: str) -> list[dict[str, Any]]:
    """The cases of a table."""
    return list(tomllib.loads((CASES / f"{name}.toml").read_text(encoding="utf-8"))["case"])


def write_challenge(folder: Path, case: Mapping[str, Any] | None = None) -> Path:
    """A copy of `adding` with the case's files in it, its fields in challenge.toml, and without what it leaves out."""
    case = case or {}
    for file in sorted(ADDING.rglob("*")):
        name = file.relative_to(ADDING).as_posix()
        if file.is_file() and name not in case.get("without", ()):
            put(folder / name, file.read_bytes())
    for name, text in case.get("files", {}).items():
        put(folder / name, text.encode())
    for name, content in case.get("bytes", {}).items():
        put(folder / name, bytes.fromhex(content))
    if "about" in case:
        known = tomllib.loads((ADDING / "challenge.toml").read_text())
        put(folder / "challenge.toml", as_toml({**known, **case["about"]}).encode())
    return folder


def put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def as_toml(fields: Mapping[str, Any]) -> str:
    """The fields as TOML; a string, a number and a flag are written as in JSON."""
    import json

    plain = [
        f"{name} = {json.dumps(value)}"
        for name, value in fields.items()
        if not isinstance(value, dict)
    ]
    tables = [
        f"[{name}]\n{as_toml(value)}" for name, value in fields.items() if isinstance(value, dict)
    ]
    return "\n".join([*plain, *tables]) + "\n"

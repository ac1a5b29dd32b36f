"""The keys of a user's agents: a file in the configuration directory that nobody else can read."""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from steelyard.errors import DataError

_PRIVATE = 0o600


class Credential(msgspec.Struct, frozen=True, kw_only=True):
    """An agent and its key."""

    agent_id: str
    api_key: str

    def __repr__(self) -> str:
        return f"Credential(agent_id={self.agent_id!r})"


class Keyring(msgspec.Struct, kw_only=True):
    """Agents by the address of their arena and by name, in the order in which they were registered."""

    servers: dict[str, dict[str, Credential]] = {}

    def add(self, server: str, name: str, credential: Credential) -> None:
        """Keep a key."""
        self.servers.setdefault(server, {})[name] = credential

    def find(self, server: str, name: str | None) -> tuple[str, Credential]:
        """The agent of that name; without a name, the only one that there is."""
        known = self.servers.get(server, {})
        if not known:
            raise DataError(
                f"there is no key for {server}; `steelyard arena register NAME` gets one"
            )
        names = ", ".join(sorted(known))
        if name is None and len(known) > 1:
            raise DataError(f"several agents play at {server} ({names}); choose one with --agent")
        chosen = next(iter(known)) if name is None else name
        if chosen not in known:
            raise DataError(
                f"there is no key of {chosen!r} for {server}; there are keys of {names}"
            )
        return chosen, known[chosen]


def credentials_file() -> Path:
    """Where the keys are: below XDG_CONFIG_HOME, or ~/.config."""
    given = os.environ.get("XDG_CONFIG_HOME", "")
    home = (
        Path(given) if given.startswith("/") else Path.home() / ".config"
    )  # as the convention has it
    return home / "steelyard" / "credentials.json"


def read_keyring() -> Keyring:
    """The keys; none where there is no file."""
    path = credentials_file()
    try:
        held = path.read_bytes()
        mode = path.stat().st_mode
    except FileNotFoundError:
        return Keyring()
    except OSError as wrong:
        raise DataError(f"cannot be read: {wrong.strerror}", file=str(path)) from None
    if stat.S_IMODE(mode) & 0o077:
        raise DataError("others may read the keys in it; `chmod 600` it first", file=str(path))
    try:
        return msgspec.json.decode(held, type=Keyring)
    except (msgspec.DecodeError, UnicodeDecodeError):
        # Not what is wrong, which could show a key.
        raise DataError("is no file of keys; move it away, or mend it", file=str(path)) from None


@contextlib.contextmanager
def changed_keyring() -> Iterator[Keyring]:
    """The keys, to be changed: kept when the context ends well. Whoever comes at the same time waits, so none is lost."""
    path = credentials_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(path.with_suffix(".lock"), "a", opener=_private) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            ring = read_keyring()
            with tempfile.NamedTemporaryFile(
                dir=path.parent, prefix=".credentials-", delete=False
            ) as made:
                # Made before anything is registered: a key that could not be kept would be lost for ever.
                yield from _kept(ring, Path(made.name), path)
    except OSError as wrong:
        raise DataError(f"cannot be written: {wrong.strerror}", file=str(path)) from None


def _kept(ring: Keyring, made: Path, path: Path) -> Iterator[Keyring]:
    try:
        yield ring
        with made.open("wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(ring), indent=2) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        made.chmod(_PRIVATE)
        made.replace(path)
    finally:
        made.unlink(missing_ok=True)


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, _PRIVATE)

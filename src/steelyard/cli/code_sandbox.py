"""The options that choose a sandbox, and the sandbox they open; there is no silent way to a weaker one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from steelyard.errors import DataError, SandboxError

if TYPE_CHECKING:
    from steelyard.sandbox.protocol import Sandbox


class Backend(StrEnum):
    """The sandboxes that can be chosen by name."""

    bubblewrap = "bubblewrap"
    docker = "docker"


Option = typer.Option
UNSAFE = "Run programs with no sandbox at all; every result says so."
Chosen = Annotated[Backend | None, Option("--sandbox", help="bubblewrap (the default) or docker.")]
Image = Annotated[str | None, Option("--image", help="With --sandbox docker: the image to run.")]
Runtime = Annotated[
    str | None, Option("--runtime", help="With --sandbox docker: its runtime, such as runsc.")
]
Unsafe = Annotated[bool, Option("--unsafe-no-sandbox", help=UNSAFE)]


class Choice(msgspec.Struct, frozen=True):
    """What the options ask for."""

    backend: Backend | None = None
    image: str | None = None
    runtime: str | None = None
    unsafe: bool = False

    def given(self) -> dict[str, object]:
        """The options that were typed, for a command that cannot use them in every form."""
        return {
            "--sandbox": self.backend,
            "--unsafe-no-sandbox": self.unsafe,
            "--image": self.image,
            "--runtime": self.runtime,
        }

    def checked(self) -> Choice:
        """Itself, or a DataError for options that do not go together."""
        if self.unsafe and self.backend is not None:
            raise DataError("--unsafe-no-sandbox does not go with --sandbox: choose one")
        for option, value in (("--image", self.image), ("--runtime", self.runtime)):
            if value is not None and self.backend is not Backend.docker:
                raise DataError(f"{option} goes with --sandbox docker")
        return self


@contextmanager
def opened(choice: Choice, *, workers: int = 1) -> Iterator[Sandbox]:
    """The sandbox, after its self-test; one that cannot be had is a DataError that says what is missing."""
    from steelyard.sandbox.opening import open_sandbox

    warn(choice)
    name, options = named(choice, workers=workers)
    try:
        sandbox = open_sandbox(name, **options)
    except SandboxError as missing:
        raise DataError(str(missing)) from None
    try:
        yield sandbox
    finally:
        sandbox.close()


def warn(choice: Choice) -> None:
    """Say on standard error what it means to have no sandbox, if that was asked for."""
    if choice.unsafe:
        typer.echo("warning: programs run without a sandbox, with all your rights", err=True)


def named(choice: Choice, *, workers: int = 1) -> tuple[str, dict[str, Any]]:
    """The name of the sandbox and the options to open it with."""
    name = "none" if choice.unsafe else (choice.backend or Backend.bubblewrap).value
    return name, _options(choice, workers)


def _options(choice: Choice, workers: int) -> dict[str, Any]:
    if choice.unsafe:
        return {}
    if choice.backend is Backend.docker:
        return {
            "image": choice.image,
            "runtime": choice.runtime,
            "keep": workers if workers > 1 else 0,
        }
    return {"keep": 2 * workers}

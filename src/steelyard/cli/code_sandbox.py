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

    name = "none" if choice.unsafe else (choice.backend or Backend.bubblewrap).value
    if choice.unsafe:
        typer.echo("warning: programs run without a sandbox, with all your rights", err=True)
    try:
        sandbox = open_sandbox(name, **_options(choice, workers))
    except SandboxError as missing:
        raise DataError(str(missing)) from None
    try:
        yield sandbox
    finally:
        sandbox.close()


def _options(choice: Choice, workers: int) -> dict[str, Any]:
    if choice.unsafe:
        return {}
    if choice.backend is Backend.docker:
        return {"image": choice.image, "runtime": choice.runtime, "keep": workers if workers > 1 else 0}
    return {"keep": 2 * workers}

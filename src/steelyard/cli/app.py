"""The application: every command group registers itself here, and every error ends here."""

from __future__ import annotations

import importlib
import os
import sys
import warnings
from typing import Annotated

import typer

from steelyard.cli.common import say_error, say_warning
from steelyard.cli.streams import drop_output, make_safe, output_was_left, what_failed
from steelyard.errors import SteelyardError
from steelyard.version import __version__

COMMANDS = (
    "score",
    "explain",
    "lint",
    "reference",
    "code",
    "eval",
    "view",
    "compare",
    "gate",
    "verify",
    "plan",
    "judge",
    "model",
    "serve",
    "arena",
    "serve_mock",
    "init",
    "schema",
)
# What a shell says of a program that SIGPIPE ended.
LEFT = 141


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"steelyard {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Print the version and leave."
        ),
    ] = False,
) -> None:
    """Steelyard weighs answers: a number that can be trusted, with the reason for it."""


def build() -> typer.Typer:
    """The application with all its commands."""
    app = typer.Typer(
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    for name in COMMANDS:
        importlib.import_module(f"steelyard.cli.{name}").register(app)
    return app


def run() -> None:
    """Run the command that the arguments name, and leave with its exit code."""
    make_safe()
    warnings.showwarning = say_warning
    try:
        try:
            build()()
        finally:
            sys.stdout.flush()
    except SteelyardError as wrong:
        say_error(str(wrong))
        sys.exit(wrong.exit_code)
    except KeyboardInterrupt:
        sys.exit(130)
    except (SystemExit, BrokenPipeError) as ended:
        if isinstance(ended, SystemExit) and not output_was_left():
            raise
        # Whoever read our output has left: nothing more can be said, and nothing went wrong.
        drop_output()
        sys.exit(LEFT)
    except OSError as failed:
        say_error(what_failed(failed))
        drop_output()
        sys.exit(3)
    except Exception as bug:  # noqa: BLE001 - the outer door: a bug is told, never swallowed
        _tell_bug(bug)
        sys.exit(3)


def _tell_bug(bug: Exception) -> None:
    if os.environ.get("STEELYARD_DEBUG"):
        raise bug
    say_error(f"this is a bug in Steelyard: {type(bug).__name__}: {bug}")
    say_error("please report it with what you ran; STEELYARD_DEBUG=1 shows where it happened")

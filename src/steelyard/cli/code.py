"""``steelyard code``: grade programs in a sandbox, check the sandbox, and run HumanEval."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from steelyard.cli.code_sandbox import Choice, Chosen, Image, Runtime, opened


def check(
    *,
    sandbox: Chosen = None,
    image: Image = None,
    runtime: Runtime = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the probes as one JSON object.")
    ] = False,
) -> None:
    """Try from inside the sandbox what must not be possible, and say for each wall that it held.

    Exit code: 0 when every wall held, 2 when one did not or there is no sandbox.
    """
    import msgspec

    from steelyard.cli.code_show import show_probes
    from steelyard.cli.common import encode_json
    from steelyard.errors import DataError, SandboxError
    from steelyard.sandbox.selftest import self_test

    with opened(Choice(sandbox, image, runtime).checked()) as found:
        try:
            probes = self_test(found)
        except SandboxError as broken:
            raise DataError(str(broken)) from None
        described = found.describe()
    if as_json:
        typer.echo(encode_json({"sandbox": described, "probes": msgspec.to_builtins(probes)}))
    else:
        show_probes(probes, described, file=sys.stdout)


def register(app: typer.Typer) -> None:
    """Add the command group."""
    from steelyard.cli.code_grade import grade
    from steelyard.cli.code_humaneval import humaneval

    group = typer.Typer(
        no_args_is_help=True,
        rich_markup_mode=None,
        help="Programs: grade them in a sandbox, check the sandbox, run HumanEval.",
    )
    group.command("grade")(grade)
    group.command("check")(check)
    group.command("humaneval")(humaneval)
    app.add_typer(group, name="code")

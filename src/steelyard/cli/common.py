"""What several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from steelyard.errors import DataError

if TYPE_CHECKING:
    from steelyard.registry import Registered


def resolve_scorer(name: str) -> Registered:
    """The scorer that ``--scorer`` names: a registered one, or ``file.py:function``."""
    from steelyard.batch.own import find_scorer

    return find_scorer(name)


def parse_params(given: list[str] | None) -> dict[str, Any]:
    """``name=value`` pairs; a value is JSON, ``@file`` for JSON from a file, or else the text itself.

    >>> parse_params(["tolerance=0.5", "mode=last", "names=[1]"])
    {'tolerance': 0.5, 'mode': 'last', 'names': [1]}
    """
    found: dict[str, Any] = {}
    for pair in given or []:
        name, value = split_pair(pair, "--param")
        if name in found:
            raise DataError(f"--param {name} is given twice")
        found[name] = read_json(Path(value[1:]), exact=False) if value.startswith("@") else _value(value)
    return found


def parse_fields(given: list[str] | None) -> dict[str, str]:
    """``ours=theirs`` pairs.

    >>> parse_fields(["response=output.text"])
    {'response': 'output.text'}
    """
    return dict(split_pair(pair, "--field") for pair in given or [])


def split_pair(pair: str, option: str) -> tuple[str, str]:
    """The two sides of ``name=value``."""
    name, equals, value = pair.partition("=")
    if not equals or not name.strip() or not value:
        raise DataError(f"{option} {pair}: name=value is needed")
    return name.strip(), value


def _value(text: str) -> Any:
    import msgspec

    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return text


def read_json(path: Path, *, exact: bool = True) -> Any:
    """The JSON value of a file; where ``exact``, numbers with a point are Decimals, as they were written."""
    import decimal

    import msgspec

    decoder = msgspec.json.Decoder(float_hook=decimal.Decimal if exact else None)
    try:
        return decoder.decode(path.read_bytes().removeprefix(b"\xef\xbb\xbf"))
    except FileNotFoundError:
        raise DataError("there is no such file", file=str(path)) from None
    except UnicodeDecodeError as wrong:
        raise DataError(f"not UTF-8: byte {wrong.start + 1} cannot be read", file=str(path)) from None
    except (OSError, ValueError) as wrong:
        what = getattr(wrong, "strerror", None)
        raise DataError(f"cannot be read: {what}" if what else f"not JSON: {wrong}", file=str(path)) from None
    except RecursionError:
        raise DataError("nested too deeply", file=str(path)) from None


def encode_json(value: Any) -> str:
    """The value as JSON for a reader; what JSON cannot say is shown as Python says it.

    >>> encode_json([1])
    '[\\n  1\\n]'
    """
    import msgspec

    encoded = msgspec.json.Encoder(enc_hook=repr, decimal_format="number").encode(value)
    return msgspec.json.format(encoded, indent=2).decode("utf-8")


def say_error(message: str) -> None:
    """Lines on standard error, each behind ``error:``, red where a terminal shows colours."""
    import os

    import typer

    colour = None if os.environ.get("NO_COLOR") else typer.colors.RED
    for line in message.splitlines() or [""]:
        typer.echo(typer.style("error:", fg=colour, bold=colour is not None) + f" {line}", err=True)

"""What several commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from steelyard.errors import DataError

_NO_NUMBERS = frozenset({"nan", "inf", "infinity"})


def parse_params(given: list[str] | None) -> dict[str, Any]:
    """``name=value`` pairs; a value is JSON, ``@file`` for JSON from a file, or else the text itself.

    >>> parse_params(["tolerance=0.5", "mode=last", "names=[1]"])
    {'tolerance': 0.5, 'mode': 'last', 'names': [1]}
    >>> parse_params(["top_p=NaN"])
    Traceback (most recent call last):
    steelyard.errors.DataError: --param top_p=NaN: NaN is no number that JSON can hold; "NaN" in quotes is the text
    """
    found: dict[str, Any] = {}
    for pair in given or []:
        name, value = split_pair(pair, "--param")
        if name in found:
            raise DataError(f"--param {name} is given twice")
        if value.lstrip("+-").lower() in _NO_NUMBERS:
            raise DataError(
                f'--param {pair}: {value} is no number that JSON can hold; "{value}" in quotes is the text'
            )
        found[name] = (
            _value(read_text(value[1:]), file=value[1:])
            if value.startswith("@")
            else _value(value, option=f"--param {name}")
        )
    return found


def param_files(given: list[str] | None) -> tuple[str, ...]:
    """The files that ``--param name=@file`` options name.

    >>> param_files(["schema=@s.json", "mode=last"])
    ('s.json',)
    """
    values = [pair.partition("=")[2] for pair in given or []]
    return tuple(value[1:] for value in values if value.startswith("@"))


def parse_fields(given: list[str] | None) -> dict[str, str]:
    """``ours=theirs`` pairs.

    >>> parse_fields(["response=output.text"])
    {'response': 'output.text'}
    """
    found: dict[str, str] = {}
    for pair in given or []:
        ours, theirs = split_pair(pair, "--field")
        if ours in found:
            raise DataError(f"--field {ours} is given twice")
        found[ours] = theirs
    return found


def split_pair(pair: str, option: str) -> tuple[str, str]:
    """The two sides of ``name=value``."""
    name, equals, value = pair.partition("=")
    if not equals or not name.strip() or not value:
        raise DataError(f"{option} {pair}: name=value is needed")
    require_text(pair, option)
    return name.strip(), value


def scorers_like(incomplete: str) -> list[str]:
    """The names of scorers that begin so, for a shell to offer; where there are none, it offers files.

    >>> scorers_like("num")
    ['numeric_match']
    """
    from steelyard.registry import SCORERS

    return [name for name in SCORERS.names() if name.startswith(incomplete)]


def refuse_with(mode: str, given: dict[str, object]) -> None:
    """Refuse the first option that was given and that this form of the command has no use for.

    >>> refuse_with("--spec", {"--param": [], "--response": "x"})
    Traceback (most recent call last):
    steelyard.errors.DataError: --response does not go with --spec
    """
    for option, value in given.items():
        if value:
            raise DataError(f"{option} does not go with {mode}")


def require_text(given: str, option: str) -> None:
    """Refuse what the shell handed over as bytes that are no text: no key of JSON is like that."""
    if given != given.encode(errors="replace").decode():
        raise DataError(f"{option} {given}: not UTF-8")


def read_text(path: str) -> str:
    return _text_of(path, Path(path).read_bytes)


def _text_of(path: str, read: Callable[[], bytes]) -> str:
    try:
        raw = read()
    except FileNotFoundError:
        raise DataError("there is no such file", file=path) from None
    except (OSError, ValueError) as wrong:
        raise DataError(
            f"cannot be read: {getattr(wrong, 'strerror', None) or wrong}", file=path
        ) from None
    return decoded(raw, path).removeprefix("\ufeff")


def decoded(raw: bytes, file: str) -> str:
    """The text of a file's bytes, which are counted from 1 where one of them is no text.

    >>> decoded(b"ab\\xff", "a.txt")
    Traceback (most recent call last):
    steelyard.errors.DataError: a.txt: not UTF-8: byte 3 cannot be read
    """
    try:
        return raw.decode()
    except UnicodeDecodeError as wrong:
        raise DataError(f"not UTF-8: byte {wrong.start + 1} cannot be read", file=file) from None


def _value(text: str, *, option: str = "", file: str = "") -> Any:
    import msgspec

    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as wrong:
        if file:
            raise DataError(f"not JSON: {wrong}", file=file) from None
        if _is_json(text):
            why = "a value that cannot be held, as a number beyond all floats; in quotes it is text"
            raise DataError(f"{option}: {why}") from None
        return text


def _is_json(text: str) -> bool:
    """Whether a text that the fast decoder refused is JSON: a number beyond all floats, or what is nested too deeply."""
    from steelyard.batch.full_json import loads

    try:
        loads(text)
    except ValueError:
        return False
    return True


def read_json(path: Path, *, attempt: bool = False) -> Any:
    """The JSON value of a file, or of standard input; numbers with a point are Decimals, as they were written.

    What an ``attempt`` wrote may hold half a surrogate pair, which is no character, and NaN, which is no number; else both are
    errors. A key that is given twice always is.
    """
    return read_value(path, attempt=attempt)[0]


def read_value(path: Path, *, attempt: bool = False) -> tuple[Any, str]:
    """The JSON value of a file as ``read_json`` gives it, and the text that stands there."""
    import json
    import sys

    from steelyard.batch.full_json import RepeatedKeyError, is_mended, loads

    name = "<stdin>" if str(path) == "-" else str(path)
    text = _text_of(name, sys.stdin.buffer.read) if name == "<stdin>" else read_text(name)
    try:
        found = loads(text, literals=attempt, unique=True)
    except json.JSONDecodeError as wrong:
        raise DataError(f"not JSON: {wrong}", file=name) from None
    except RepeatedKeyError as wrong:
        raise DataError(str(wrong), file=name) from None
    if not attempt and is_mended(found):
        raise DataError("not JSON: a lone surrogate is not text", file=name)
    return found, text


def seconds(given: float | None) -> int | float | None:
    """A time as it was written: whole seconds stay whole.

    >>> seconds(42.0), seconds(0.5)
    (42, 0.5)
    """
    return int(given) if given is not None and given.is_integer() else given


def encode_json(value: Any) -> bytes:
    """The value as indented JSON; what JSON cannot say is shown as Python says it, since evidence may hold anything.

    It is bytes, since JSON is UTF-8 whatever the terminal's encoding is.

    >>> encode_json([1])
    b'[\\n  1\\n]'
    """
    import msgspec

    from steelyard.batch.full_json import dumps_mended
    from steelyard.foreign import shown

    try:
        encoded = msgspec.json.Encoder(enc_hook=shown, decimal_format="number").encode(value)
    except UnicodeEncodeError:
        encoded = dumps_mended(value)
    return msgspec.json.format(encoded, indent=2)


def say_error(message: str) -> None:
    """Lines on standard error, each behind ``error:``, red where a terminal shows colours."""
    _say("error:", message, "red")


def say_warning(message: Warning | str, *_where: Any, **_more: Any) -> None:
    """Lines on standard error, each behind ``warning:``; it takes the place of ``warnings.showwarning``, which shows code."""
    _say("warning:", str(message), "yellow")


def say_journal_notes(folder: Path, notes: Iterable[str]) -> None:
    """Say on standard error what is to be known of a run's journal."""
    import typer

    for note in notes:
        typer.echo(f"{folder / 'journal.jsonl'}: {note}", err=True)


def _say(what: str, message: str, shade: str) -> None:
    import os

    import typer

    colour = None if os.environ.get("NO_COLOR") else shade
    for line in message.splitlines() or [""]:
        typer.echo(typer.style(what, fg=colour, bold=colour is not None) + f" {line}", err=True)

"""The errors of Steelyard.

SteelyardError
├── SpecError      the author's: every problem with its path         exit 2
├── DataError      the caller's: file, line and what is wrong        exit 2
├── EngineError    ours: never a zero, at most an unscored Score     exit 3
│   ├── ModelError
│   ├── JudgeError
│   ├── SandboxError
│   └── StoreError
└── RuleError      the agent's: carries its HTTP status

A wrong answer is never an exception. SpecError and DataError are ValueErrors as well.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable, Iterator
from typing import ClassVar, NamedTuple


def printable(text: str) -> str:
    """The text with every control character as its picture: same length, and nothing a terminal obeys.

    >>> printable("a\\x1b[31mb\\tc")
    'a␛[31mb␉c'
    """
    return (
        text if text.isascii() and text.isprintable() else "".join(_picture(char) for char in text)
    )


def _picture(char: str) -> str:
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    return "\ufffd" if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"} else char


class Problem(NamedTuple):
    """One thing that is wrong, and where: ``dimensions[1].weight``."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{printable(self.path)}: {self.message}" if self.path else self.message


class SteelyardError(Exception):
    """The root of all errors that Steelyard raises on purpose."""

    exit_code: ClassVar[int] = 3


class SpecError(SteelyardError, ValueError):
    """What an author wrote cannot be used; all problems are told at once.

    >>> str(SpecError("must be positive", path="dimensions[0].weight"))
    'dimensions[0].weight: must be positive'
    """

    exit_code = 2

    def __init__(
        self, message: str = "", *, path: str = "", problems: Iterable[Problem] = ()
    ) -> None:
        self.problems = tuple(problems) or (Problem(path, message),)
        super().__init__("\n".join(map(str, self.problems)))

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild_spec_error, (self.problems,)

    @property
    def path(self) -> str:
        """The path of the first problem."""
        return self.problems[0].path


class DataError(SteelyardError, ValueError):
    """What a caller handed in cannot be read.

    >>> str(DataError("no field 'target'", file="answers.jsonl", line=3))
    "answers.jsonl:3: no field 'target'"
    """

    exit_code = 2

    def __init__(self, message: str, *, file: str = "", line: int | None = None) -> None:
        self.message, self.file, self.line = message, file, line
        where = printable(file) if line is None else f"{printable(file)}:{line}"
        super().__init__(f"{where}: {message}" if where else message)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild_data_error, (self.message, self.file, self.line)


def _rebuild_spec_error(problems: tuple[Problem, ...]) -> SpecError:
    return SpecError(problems=problems)


def _rebuild_data_error(message: str, file: str, line: int | None) -> DataError:
    return DataError(message, file=file, line=line)


class EngineError(SteelyardError):
    """Our own fault; an attempt never pays for it."""


class ModelError(EngineError):
    """The model could not be asked, or what came back is no reply.

    ``kind`` says what it was: timeout, rate_limit, connection, server, refused, not_found, bad_request, malformed.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: str = "",
        status: int | None = None,
        retry_after: float | None = None,
    ) -> None:
        self.message, self.kind, self.status, self.retry_after = message, kind, status, retry_after
        super().__init__(message)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild_model_error, (self.message, self.kind, self.status, self.retry_after)


class JudgeError(EngineError):
    """The judge could not be asked, or its verdict could not be read."""


class SandboxError(EngineError):
    """The sandbox is missing or broke."""


class StoreError(EngineError):
    """What has to be kept could not be kept."""


def _rebuild_model_error(
    message: str, kind: str, status: int | None, retry_after: float | None
) -> ModelError:
    return ModelError(message, kind=kind, status=status, retry_after=retry_after)


class RuleError(SteelyardError):
    """An agent did what the rules do not allow."""

    def __init__(self, message: str, *, status: int) -> None:
        self.message, self.status = message, status
        super().__init__(message)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild_rule_error, (self.message, self.status)


def _rebuild_rule_error(message: str, status: int) -> RuleError:
    return RuleError(message, status=status)


_OURS, _PYTHONS = os.path.dirname(__file__), os.path.dirname(os.__file__)


def where_raised(failed: BaseException) -> str:
    """The line of a user's code that led to the exception, as ``(my_scorer.py:7)``; nothing where no file has it.

    Of a package that the code calls, the line of the call is told, which is what its author can change.
    """
    lines = list(_lines_of(failed))
    own = [line for line in lines if f"{os.sep}site-packages{os.sep}" not in line[0]]
    found = own[-1] if own else lines[0] if lines else None
    return f" ({os.path.basename(found[0])}:{found[1]})" if found else ""


def _lines_of(failed: BaseException) -> Iterator[tuple[str, int]]:
    """Each file and line on the way to the exception, without our own, those of Python, and what is in no file."""
    step = failed.__traceback__
    while step is not None:
        path = step.tb_frame.f_code.co_filename
        packaged = f"{os.sep}site-packages{os.sep}" in path
        if not path.startswith(("<", _OURS + os.sep)) and (
            packaged or not path.startswith(_PYTHONS + os.sep)
        ):
            yield path, step.tb_lineno
        step = step.tb_next

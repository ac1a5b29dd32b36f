"""The filter of system calls: which ones end a program, which ones it is refused, as a program that the kernel runs.

The rules are data (`syscalls.json`). Three kinds: calls that no honest program makes end the process; calls that an honest
library may try and do without get an error; some calls depend on an argument. A number newer than the ones that were looked at
gets ENOSYS, which is what an older kernel would say. All else is allowed: the walls are the namespaces, and the filter keeps
the kernel's rarer doors shut.
"""

from __future__ import annotations

import errno
import platform
import struct
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from steelyard.errors import SandboxError

KILL = 0x80000000  # the whole process, with SIGSYS, which it cannot catch
REFUSE = 0x00050000  # with an errno in the low bits
ALLOW = 0x7FFF0000

# Numbers from here on are x32's on x86_64 and nobody's elsewhere.
FOREIGN = 0x40000000

_ALIASES = {"amd64": "x86_64", "arm64": "aarch64"}

# Where struct seccomp_data has what is looked at. Of an argument only the lower half counts: the kernel reads these as 32 bits.
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16

_LOAD, _EQUAL, _GREATER, _AT_LEAST, _BITS, _RETURN = 0x20, 0x15, 0x25, 0x35, 0x45, 0x06


class Argument(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A call that is judged by one of its arguments; where another one is ``given``, only if that has the value."""

    call: str
    argument: int
    test: Literal["among", "not_among", "any_bit"]
    values: tuple[int, ...]
    then: str
    given: tuple[int, int] | None = None


class Machine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the kernel names an architecture, and the numbers of the calls there."""

    audit: int
    numbers: dict[str, int]


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `syscalls.json` says."""

    newest: int
    kill: tuple[str, ...]
    refuse: dict[str, tuple[str, ...]]
    uncounted: tuple[str, ...]
    uncounted_arguments: tuple[Argument, ...]
    arguments: tuple[Argument, ...]
    machines: dict[str, Machine]


@cache
def read_rules() -> Rules:
    """The rules as they are in the file."""
    return msgspec.json.decode(Path(__file__).with_name("syscalls.json").read_bytes(), type=Rules)


def action(then: str) -> int:
    """What the filter answers for ``"kill"``, the name of an errno, or ``"nothing"``: the call seems to succeed and is not made.

    >>> hex(action("EPERM"))
    '0x50001'
    """
    if then == "kill":
        return KILL
    return REFUSE | (0 if then == "nothing" else int(getattr(errno, then)))


@cache
def filter_program(machine: str | None = None, *, counted: bool = True) -> bytes:
    """The filter for this machine, or the one named: an array of struct sock_filter in the machine's byte order.

    Without ``counted`` memory, that is without a control group, a program cannot have memory that belongs to no process,
    nor larger pipes than everybody has. The buffers of a socket are counted by few control groups, so they stay as they are
    everywhere; their size is only a wish elsewhere too, so that is passed over.

    >>> len(filter_program("x86_64")) % 8
    0
    """
    rules = read_rules()
    name = (machine or platform.machine()).lower()
    known = rules.machines.get(_ALIASES.get(name, name))
    if known is None:
        raise SandboxError(
            f"no system call filter for {name}: it is known for {', '.join(sorted(rules.machines))}"
        )
    hidden = (
        []
        if counted
        else _one_of(_EQUAL, [known.numbers[call] for call in rules.uncounted], action("ENOSYS"))
    )
    judged = rules.arguments if counted else rules.arguments + rules.uncounted_arguments
    return b"".join(
        [
            *_entry(known, rules.newest),
            *hidden,
            *_by_number(rules, known),
            *_by_argument(judged, known),
            _instruction(_RETURN, ALLOW),
        ]
    )


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _entry(machine: Machine, newest: int) -> list[bytes]:
    """Calls by another door than this architecture's own, and numbers that nobody has looked at."""
    return [
        _instruction(_LOAD, _ARCH),
        _instruction(_EQUAL, machine.audit, 1, 0),
        _instruction(_RETURN, KILL),
        _instruction(_LOAD, _NUMBER),
        _instruction(_AT_LEAST, FOREIGN, 0, 1),
        _instruction(_RETURN, KILL),
        _instruction(_GREATER, newest, 0, 1),
        _instruction(_RETURN, action("ENOSYS")),
    ]


def _by_number(rules: Rules, machine: Machine) -> list[bytes]:
    """Calls that are judged by their number alone; those that an architecture lacks are left out."""
    program: list[bytes] = []
    for then, calls in {"kill": rules.kill, **rules.refuse}.items():
        numbers = [machine.numbers[call] for call in calls if call in machine.numbers]
        program += _one_of(_EQUAL, numbers, action(then))
    return program


def _by_argument(rules: tuple[Argument, ...], machine: Machine) -> list[bytes]:
    """Calls that are judged by an argument; each rule loads the number again, since it may have loaded the argument."""
    program: list[bytes] = []
    for rule in rules:
        test = [_instruction(_LOAD, _ARGUMENTS + 8 * rule.argument), *_argument_test(rule)]
        if rule.given:
            which, value = rule.given
            test = [
                _instruction(_LOAD, _ARGUMENTS + 8 * which),
                _instruction(_EQUAL, value, 0, len(test)),
                *test,
            ]
        program += [
            _instruction(_LOAD, _NUMBER),
            _instruction(_EQUAL, machine.numbers[rule.call], 0, len(test)),
            *test,
        ]
    return program


def _argument_test(rule: Argument) -> list[bytes]:
    if rule.test == "not_among":
        # One of the values jumps over the return; none of them runs into it.
        last = len(rule.values)
        jumps = [_instruction(_EQUAL, value, last - at, 0) for at, value in enumerate(rule.values)]
        return [*jumps, _instruction(_RETURN, action(rule.then))]
    return _one_of(_BITS if rule.test == "any_bit" else _EQUAL, rule.values, action(rule.then))


def _one_of(test: int, values: list[int] | tuple[int, ...], answer: int) -> list[bytes]:
    """The answer if the test holds for one of the values, else on with what follows."""
    if not values:
        return []
    last = len(values) - 1
    jumps = [
        _instruction(test, value, last - at, int(at == last)) for at, value in enumerate(values)
    ]
    return [*jumps, _instruction(_RETURN, answer)]

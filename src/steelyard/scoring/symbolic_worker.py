"""The process that works out expressions, so that one which never ends, or eats all memory, ends with it.

It reads one request a line, ``[want, got, seconds]``, and answers with one line a step: ``want`` and ``got``
with whether each could be read, then the verdict. The clock is the kernel's and counts computing time: it
ends the process even inside a single huge multiplication, and a busy machine does not shorten it.

It is run by its path, without the package around it, and imports nothing of it.
"""

from __future__ import annotations

import json
import logging
import resource
import signal
import sys
from typing import Any

_MEMORY = 2 * 2**30
_DIGITS = 14


def main() -> None:
    """Answer requests until the other side hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    logging.disable(logging.CRITICAL)
    _compare_tiny_numbers()
    _bound(resource.RLIMIT_AS, _MEMORY)
    for line in sys.stdin:
        want, got, seconds = json.loads(line)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        answer(want, got)
        signal.setitimer(signal.ITIMER_PROF, 0)


def answer(want: str, got: str) -> None:
    """Say step by step whether the two texts can be read, and whether they mean the same."""
    from math_verify import verify

    wanted = _read(want)
    _say("want", bool(wanted))
    given = _read(got)
    _say("got", bool(given))
    # Without its own timer, which works in the main thread alone and cannot stop a long multiplication.
    same = (
        bool(wanted)
        and bool(given)
        and verify(
            wanted,
            given,
            float_rounding=_DIGITS,
            numeric_precision=2 * _DIGITS,
            timeout_seconds=None,
        )
    )
    _say("same", same)


def _compare_tiny_numbers() -> None:
    """Let math_verify tell numbers apart that are both nearly 0, which it rounds to 0."""
    from math_verify import grader

    same_numbers = grader.sympy_numeric_eq

    def same(a: Any, b: Any, *args: Any) -> bool:
        return bool(same_numbers(a, b, *args)) and not _are_apart(a, b)

    grader.sympy_numeric_eq = same


def _are_apart(a: Any, b: Any) -> bool:
    """Whether two expressions differ by more than rounding, in proportion to their size.

    Variables get values, of which no two are alike.
    """
    from math_verify.grader import get_pct_val
    from sympy import Expr, Rational, prime

    if not (isinstance(a, Expr) and isinstance(b, Expr)):
        return False
    if get_pct_val(a) is not None or get_pct_val(b) is not None:
        return False
    names = sorted(a.free_symbols | b.free_symbols, key=str)
    values = {name: Rational(prime(i + 2), prime(i + 3)) for i, name in enumerate(names)}
    try:
        left, right = a.subs(values).doit(), b.subs(values).doit()
        if left.is_Rational and right.is_Rational:
            return bool(left != right)
        apart = abs((left - right) / (abs(left) + abs(right))).evalf(2 * _DIGITS)
        return bool(apart > 10 ** (2 - _DIGITS))
    except (TypeError, ValueError, ArithmeticError):  # not a number, such as nan
        return False


def _read(text: str) -> list[Any]:
    from math_verify import ExprExtractionConfig, LatexExtractionConfig, parse

    found: list[Any] = parse(
        f"${text}$",
        extraction_config=[LatexExtractionConfig(), ExprExtractionConfig()],
        fallback_mode="no_fallback",
        extraction_mode="first_match",
        parsing_timeout=None,
    )
    return found


def _say(step: str, outcome: bool) -> None:
    sys.stdout.write(json.dumps([step, outcome]) + "\n")
    sys.stdout.flush()


def _bound(kind: int, limit: int) -> None:
    _, hard = resource.getrlimit(kind)
    resource.setrlimit(kind, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))


if __name__ == "__main__":
    main()

"""How a run ended, in words for a reader."""

from __future__ import annotations

import signal

from steelyard.sandbox.job import Outcome

_LIMITS = {
    "time": "the time limit was reached",
    "memory": "the memory limit was reached",
    "output": "the output limit was reached",
    "process": "the limit of processes was reached",
    "disk": "the limit of files was reached",
}


def how_it_ended(outcome: Outcome) -> str:
    """One clause on how a run ended.

    >>> how_it_ended(Outcome(exit_code=3)), how_it_ended(Outcome(signal=11))
    ('the program ended with exit code 3', 'the program was ended by SIGSEGV')
    """
    if outcome.violation or outcome.signal == signal.SIGSYS:
        return "the program made a system call that is not allowed"
    if outcome.limit is not None:
        return _LIMITS[outcome.limit]
    if outcome.garbled:
        return "the program wrote something that is no result into the channel for results"
    if outcome.signal is not None:
        return f"the program was ended by {_signal_name(outcome.signal)}"
    if outcome.exit_code is None:
        return "the program ended without a result"
    return f"the program ended with exit code {outcome.exit_code}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"

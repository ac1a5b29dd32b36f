"""In which thread a piece of code runs while a test shares its process with a candidate.

The candidate has the main thread, as a program of its own would: what it keeps for its thread stays there from call to
call, it may set handlers for signals, and from its frames no way leads to the test. The test runs in another thread, and
who holds the key in a third.
"""

from __future__ import annotations

import _thread
import signal
from typing import Any

from .attempt import attempt
from .picture import apart


def _threads(attempt: Any, allocate: Any, start: Any, run: Any, run_in_main: Any) -> Any:
    after: list[Any] = []
    jobs: list[Any] = []
    wake = allocate()
    wake.acquire()

    def result(begin: Any, fn: Any, args: Any, kwargs: Any) -> Any:
        done: list[Any] = []
        lock = allocate()
        lock.acquire()
        begin((attempt, fn, args, kwargs, done, lock.release))
        lock.acquire()
        for step in after:
            step()
        value, failed = done[0]
        if failed is not None:
            raise failed
        return value

    def in_thread(fn: Any, *args: Any, **kwargs: Any) -> Any:
        """What the function gives in a thread of its own, from whose frames no way leads to the caller's."""
        return result(lambda job: start(run, job), fn, args, kwargs)

    def in_main(fn: Any, *args: Any, **kwargs: Any) -> Any:
        """What the function gives in the main thread, which waits for such work and does nothing else."""
        return result(hand_over, fn, args, kwargs)

    def hand_over(job: Any) -> None:
        jobs.append(job)
        wake.release()

    def work() -> None:
        wake.acquire()
        run_in_main(jobs.pop())

    return in_thread, in_main, work, after.append


def _attend(attempt: Any, work: Any) -> None:
    """The main thread's part, without an end; a handler for signals that raises something does not end it."""
    while True:
        attempt(work)


def _run(attempt: Any, fn: Any, args: Any, kwargs: Any, done: Any, release: Any) -> None:
    done.append(attempt(lambda: fn(*args, **kwargs)))
    release()


def _run_in_main(job: Any, set_timer: Any, timers: Any) -> None:
    """Likewise, and no timer that the function has set goes off after it: signals are handled in this very thread."""
    attempt, fn, args, kwargs, done, release = job
    done.append(attempt(lambda: fn(*args, **kwargs)))
    for timer in timers:
        set_timer(timer, 0)
    for _ in timers:
        attempt(
            len, timers
        )  # whatever is due comes now, between two steps, and not when the test goes on
    release()


_TIMERS = (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)
# The frames of ours that such a thread has, with nothing in their globals to be changed.
in_thread, in_main, _work, after_each = apart(
    _threads,
    attempt,
    _thread.allocate_lock,
    _thread.start_new_thread,
    apart(_run),
    apart(_run_in_main, signal.setitimer, _TIMERS),
)()
attend = apart(_attend, attempt, _work)

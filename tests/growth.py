"""How the work of reading a text grows with its size.

Regular expressions do not count their steps, and CPython has no other counter of them. So steps
are CPU time of this thread, compared with CPU time at another size: there is no limit in seconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable

_ATTEMPTS = 8
# Below the first, clock and caches decide more than the text; above the second, only the text does.
_NOISE, _CERTAIN = 0.003, 1.0


def grows_linearly(read: Callable[[str], object], text_of: Callable[[int], str], size: int) -> bool:
    """Say whether doubling a text at most triples the steps, measured over two doublings.

    Linear work grows to four times its steps, quadratic work to sixteen; the limit is nine. The
    best of several attempts counts for each size, since other processes can only add to the time.
    """
    small, large = text_of(size), text_of(4 * size)
    least = most = float("inf")
    for _ in range(_ATTEMPTS):
        least = min(least, _cpu_time(read, small))
        most = min(most, _cpu_time(read, large))
        if most <= 9 * least + _NOISE:
            return True
        if most > _CERTAIN:
            break
    return False


def _cpu_time(read: Callable[[str], object], text: str) -> float:
    start = time.thread_time()
    read(text)
    return time.thread_time() - start

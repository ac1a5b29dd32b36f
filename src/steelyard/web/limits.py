"""How often somebody may ask: a bucket for each, which fills at a steady rate and is emptied by asking."""

from __future__ import annotations

import functools
import ipaddress
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from steelyard.errors import RuleError

_MOST_BUCKETS: Final = 50_000
_NEIGHBOURS = 64  # whoever has one IPv6 address has the whole network of this prefix


class TooManyError(RuleError):
    """Somebody asks too often; `wait` is how many seconds to stay away."""

    def __init__(self, message: str, *, wait: float) -> None:
        super().__init__(message, status=429)
        self.wait = wait


class Buckets:
    """Buckets by name. The one that was left alone for the longest goes first, and it would be full by then.

    >>> now = 0.0
    >>> buckets = Buckets(rate=2, burst=3, clock=lambda: now)
    >>> [buckets.take("ada") for _ in range(4)]
    [0.0, 0.0, 0.0, 0.5]
    >>> now = 0.5
    >>> buckets.take("ada"), buckets.take("bo")
    (0.0, 0.0)
    """

    def __init__(
        self, *, rate: float, burst: float, clock: Callable[[], float], most: int = _MOST_BUCKETS
    ) -> None:
        self._rate, self._burst, self._clock, self._most = rate, max(1.0, burst), clock, most
        self._held: OrderedDict[str, tuple[float, float]] = (
            OrderedDict()
        )  # what is in it, and since when

    def __len__(self) -> int:
        return len(self._held)

    def take(self, name: str) -> float:
        """Take one out: 0 where that was allowed, else the seconds after which it will be."""
        if self._rate <= 0:
            return 0.0
        now = self._clock()
        held, since = self._held.pop(name, (self._burst, now))
        held = min(self._burst, held + (now - since) * self._rate)
        wait = 0.0 if held >= 1 else (1 - held) / self._rate
        self._held[name] = (held if wait else held - 1, now)
        if len(self._held) > self._most:
            self._held.popitem(last=False)
        return wait


@functools.lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """Who shares a bucket: an IPv4 address by itself, an IPv6 address with its network.

    >>> network_of("192.0.2.7"), network_of("2001:db8::1:2:3"), network_of("::ffff:192.0.2.7"), network_of("?")
    ('192.0.2.7', '2001:db8::/64', '192.0.2.7', '?')
    """
    try:
        read = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if isinstance(read, ipaddress.IPv4Address):
        return str(read)
    if read.ipv4_mapped is not None:
        return str(read.ipv4_mapped)
    return str(ipaddress.ip_network((read, _NEIGHBOURS), strict=False))

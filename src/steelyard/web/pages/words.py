"""Numbers and moments as people read them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from steelyard.arena.match import SECOND

GLYPHS: Final = {"win": "▲", "draw": "■", "loss": "▼"}
RESULTS: Final = {"wins": "▲", "draws": "■", "losses": "▼"}


def day(at: int) -> str:
    """The day of a moment.

    >>> day(0)
    '1970-01-01'
    """
    return _read(at).strftime("%Y-%m-%d")


def moment(at: int) -> str:
    """A moment to the second, by the server's clock.

    >>> moment(90_000_000)
    '1970-01-01 00:01:30 UTC'
    """
    return _read(at).strftime("%Y-%m-%d %H:%M:%S UTC")


def minute(at: int) -> str:
    """A moment to the minute, for a table that says which clock it is.

    >>> minute(90_000_000)
    '1970-01-01 00:01'
    """
    return _read(at).strftime("%Y-%m-%d %H:%M")


def span(seconds: float) -> str:
    """How long something takes.

    >>> span(4.26), span(90), span(7200), span(200_000)
    ('4.3 s', '1 min 30 s', '2 h', '2 d 7 h')
    """
    if seconds < 60:
        return f"{seconds:.1f}".removesuffix(".0") + " s"
    whole = round(seconds)
    sizes = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))
    parts = []
    for size, unit in sizes:
        count, whole = divmod(whole, size)
        parts.append((count, unit))
    while not parts[0][0]:
        parts.pop(0)
    return " ".join(f"{count} {unit}" for count, unit in parts[:2] if count)


def clock(seconds: float) -> str:
    """What is left, as a clock that runs down.

    >>> clock(65.2), clock(3700)
    ('1:05', '1:01:40')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def signed(change: float) -> str:
    """A change with its sign.

    >>> signed(16), signed(-5), signed(0)
    ('+16', '−5', '±0')
    """
    return f"{'+' if change > 0 else '−' if change < 0 else '±'}{abs(change):,.0f}"


def thousands(value: float) -> str:
    """A whole number with its groups.

    >>> thousands(200000), thousands(1016.4)
    ('200,000', '1,016')
    """
    return f"{value:,.0f}"


def points(value: float) -> str:
    """Points with the six places that count in a total, so that the terms of a sum can be added up.

    >>> points(1000), points(149.99), points(100 / 3)
    ('1,000', '149.99', '33.333333')
    """
    return f"{value:,.6f}".rstrip("0").rstrip(".")


def sentence(text: str) -> str:
    """The text with a capital at its start and a stop at its end.

    >>> sentence("no fault"), sentence("")
    ('No fault.', '')
    """
    return text[:1].upper() + text[1:] + ("" if text[-1:] in {".", "!", "?", "…", ""} else ".")


def _read(at: int) -> datetime:
    return datetime.fromtimestamp(at / SECOND, UTC)

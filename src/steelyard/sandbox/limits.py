"""What one run of a program may use."""

from __future__ import annotations

import msgspec

from steelyard.errors import Problem, SpecError

_MOST_OUTPUT = 64 * 1024 * 1024
_BOUNDS: dict[str, tuple[float, float]] = {
    "wall_s": (0.01, 24 * 3600),
    "memory_mb": (16, 1024 * 1024),
    "pids": (1, 10_000),
    "output_bytes": (1, _MOST_OUTPUT),
    "disk_mb": (1, 1024 * 1024),
    "cpus": (0.05, 1024),
}
_WHOLE = ("memory_mb", "pids", "output_bytes", "disk_mb")


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The time on the wall, the memory, the processes and threads, the output and the files of one run.

    >>> Limits(wall_s=2).memory_mb
    512
    """

    wall_s: float = 10.0
    memory_mb: int = 512
    pids: int = 64
    output_bytes: int = 4 * 1024 * 1024
    disk_mb: int = 64
    cpus: float = 1.0

    def checked(self, path: str = "limits") -> Limits:
        """Itself, or a SpecError that names every limit that cannot be kept."""
        wrong = [
            problem for name in _BOUNDS if (problem := _problem(name, getattr(self, name), path))
        ]
        if wrong:
            raise SpecError(problems=wrong)
        return self


def _problem(name: str, value: object, path: str) -> Problem | None:
    least, most = _BOUNDS[name]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return Problem(f"{path}.{name}", f"must be a number, not {value!r}")
    if isinstance(value, float) and name in _WHOLE:
        return Problem(f"{path}.{name}", f"must be a whole number, not {value:g}")
    if not least <= value <= most:
        told = f"{value:g}" if isinstance(value, float) or abs(value) <= most else "that much"
        return Problem(f"{path}.{name}", f"must lie between {least:g} and {most:g}, not {told}")
    return None

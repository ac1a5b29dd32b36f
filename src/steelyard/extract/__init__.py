"""Read the answer out of a response: what was found, where, and by which stage."""

from steelyard.extract.found import Found, Step, Trace

__all__ = ["Found", "Step", "Trace"]

"""The one function that calls code which a user may have written; its home is the registry."""

from __future__ import annotations

from steelyard.registry import call

__all__ = ["call"]

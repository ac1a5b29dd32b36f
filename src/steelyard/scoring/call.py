"""The one function that calls code which a user may have written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from steelyard.errors import DataError, EngineError, SpecError
from steelyard.score import Score, lift, unscored


def call(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Score:
    """The Score that ``fn`` gives; a bug in ``fn`` is our side's fault, so it leaves the sample unscored.

    >>> call(lambda sample: 1 / 0, "x").reason
    'the scorer failed: ZeroDivisionError: division by zero'
    """
    try:
        return lift(fn(*args, **kwargs))
    except (SpecError, DataError):
        raise
    except EngineError as failed:
        return unscored(str(failed))
    except Exception as failed:  # noqa: BLE001 - a user's scorer may raise anything
        return unscored(f"the scorer failed: {type(failed).__name__}: {failed}")

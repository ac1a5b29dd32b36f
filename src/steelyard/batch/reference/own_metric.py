"""A fuzzy metric out of a user's file: ``file.py:function``."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping
from typing import Any

from steelyard.batch.own import find_scorer
from steelyard.errors import SpecError
from steelyard.reference import Metric


def is_own(name: str) -> bool:
    """Whether a name means a function in a file.

    >>> is_own("my.py:same"), is_own("exact")
    (True, False)
    """
    return name.endswith(".py") or name.rpartition(":")[0].endswith(".py")


def own_metric(name: str, params: Mapping[str, Any]) -> Metric:
    """The function ``(got, want, **params)`` of the file, bound; its version is the hash of the whole file."""
    found = find_scorer(name)
    known = list(inspect.signature(found.fn).parameters.values())
    positional = [
        p for p in known if p.kind in {p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.VAR_POSITIONAL}
    ]
    if len(positional) < 2 and not any(p.kind is p.VAR_POSITIONAL for p in positional):
        raise SpecError(f"{name}: a metric takes two texts: (got, want)")
    settable = {p.name for p in known[2:]}
    for given in params:
        if given not in settable:
            raise SpecError(f"{name}: has no parameter {given!r}")
    run = functools.partial(found.fn, **params) if params else found.fn
    return Metric(name=found.name, version=found.version, run=run, params=dict(params))

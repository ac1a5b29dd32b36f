"""The signature of a spec: two totals are comparable exactly when their signatures agree."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

import msgspec

from steelyard.primitives.values import number
from steelyard.spec.model import ENCODER, Spec
from steelyard.version import __version__

_WIDE = Context(prec=2_000)


@functools.lru_cache(maxsize=64)
def spec_signature(spec: Spec) -> str:
    """What shapes the number: the spec's hash, its scorers with their versions, and the engine's version.

    Labels, descriptions, colours, the order of dimensions and the spelling of numbers do not shape it.
    """
    used = sorted({f"{d.uses}:{d.version}" for d in spec.dimensions})
    told = ",".join(used) if len(used) <= 12 else f"{len(used)} scorers"
    content = ENCODER.encode([_meaning(spec), used, __version__])
    return f"spec:{hashlib.sha256(content).hexdigest()[:16]}|{told}|steelyard:{__version__}"


def signature_under(spec: Spec, limits: Mapping[str, Any]) -> str:
    """The signature of the spec with the constraints that hold: another budget gives another number."""
    if limits == spec.constraints:
        return spec_signature(spec)
    return spec_signature(msgspec.structs.replace(spec, constraints=limits))


def _meaning(spec: Spec) -> Any:
    allowed = {"empty_truth": spec.empty_truth} if spec.empty_truth == "allow" else {}
    return _canonical(
        {
            **allowed,
            "type": spec.type,
            "constraints": dict(spec.constraints),
            "checks": [
                [c.field, c.severity, sorted(c.types), c.schema, c.required] for c in spec.checks
            ],
            "dimensions": sorted(
                (
                    [
                        d.name,
                        d.weight,
                        d.kind,
                        d.uses,
                        d.field,
                        d.ground_truth_field,
                        dict(d.params),
                        dict(d.requires),
                    ]
                    for d in spec.dimensions
                ),
                key=lambda row: str(row[0]),
            ),
        }
    )


def _canonical(value: Any) -> Any:
    """One spelling for equal values: sorted keys, and 0.5 for 0.50."""
    if isinstance(value, dict):
        return {key: _canonical(value[key]) for key in sorted(value)}
    if isinstance(value, (list, tuple)):
        return [_canonical(item) for item in value]
    if isinstance(value, Fraction):
        return str(value)
    if (found := number(value)) is None:
        return value
    return format(Decimal(found).normalize(_WIDE), "e") if found else "0"

"""A scoring spec: what is compared, by what, and at which weight. All of it is immutable."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Literal

import msgspec

from steelyard.score import exact

Type = Literal["deterministic", "test-suite", "custom-script", "judged"]
Severity = Literal["error", "warning"]
NOTHING: Mapping[str, Any] = MappingProxyType({})
ENCODER = msgspec.json.Encoder(decimal_format="number")


@functools.lru_cache(
    maxsize=4096
)  # a spec has few of these numbers, and every submission needs them
def as_fraction(number: int | Decimal | Fraction) -> Fraction:
    """A number of the spec, exactly as written."""
    return exact(number)


class Dimension(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One dimension: a primitive or a scorer over one field, with its weight and its gates.

    ``reads`` is ``field``, ``program`` (a field too), ``submission``, ``time`` or ``trajectory``; ``run`` is the
    function with its parameters set; ``sandboxed`` is true where it runs programs, ``of_text`` where the answer must be text,
    ``empty_truth`` where the array that it counts may be empty.
    """

    name: str
    weight: int | Decimal | Fraction
    kind: Literal["primitive", "scorer"]
    uses: str
    version: str
    reads: str
    run: Callable[..., Any]
    sandboxed: bool = False
    of_text: bool = False
    empty_truth: bool = False
    field: str | None = None
    ground_truth_field: str | None = None
    params: Mapping[str, Any] = NOTHING
    requires: Mapping[str, Any] = NOTHING
    label: str = ""
    description: str = ""
    color: str = ""

    @property
    def share(self) -> Fraction:
        """The weight, exactly as written."""
        return as_fraction(self.weight)


class Check(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One format check of a submission's field."""

    field: str
    severity: Severity = "error"
    types: tuple[str, ...] = ()
    schema: Any = None
    required: bool = True
    message: str = ""
    validator: Any = None


class Spec(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A loaded spec; everything in it has been checked.

    ``perfect`` is a submission that earns full marks, where the spec itself knows one. ``unclear`` says
    who decides answers that a scorer reads as unclear: judge, or zero. ``empty_truth`` says what an empty
    array in the ground truth is where items are counted: an error of the author's, or allowed.

    Two specs are equal when their sources and their meanings are. A spec travels between processes as its source.
    """

    type: Type
    dimensions: tuple[Dimension, ...]
    order: tuple[int, ...]
    profile: str = "standard"
    name: str = ""
    description: str = ""
    constraints: Mapping[str, Any] = NOTHING
    checks: tuple[Check, ...] = ()
    source: bytes = b"{}"
    perfect: Mapping[str, Any] = NOTHING
    unclear: Literal["judge", "zero"] = "zero"
    empty_truth: Literal["error", "allow"] = "error"

    def to_dict(self) -> dict[str, Any]:
        """The spec as it was written, in plain JSON types with exact decimals."""
        return _DECODER.decode(self.source)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Spec):
            return NotImplemented
        return self.source == other.source and self._meaning() == other._meaning()

    def _meaning(self) -> tuple[Any, ...]:
        """What may differ although the source is the same: an edited scorer's version, or a changed copy."""
        dimensions = [
            (
                d.name,
                d.weight,
                d.uses,
                d.version,
                d.field,
                d.ground_truth_field,
                d.params,
                d.requires,
            )
            for d in self.dimensions
        ]
        checks = [
            (c.field, c.severity, c.types, c.schema, c.required, c.message) for c in self.checks
        ]
        return self.type, self.constraints, dimensions, checks

    def __hash__(self) -> int:
        return hash(self.source)

    def __reduce__(self) -> tuple[object, ...]:
        return _reload, (self.source,)


_DECODER: msgspec.json.Decoder[dict[str, Any]] = msgspec.json.Decoder(
    dict[str, Any], float_hook=Decimal
)


def _reload(source: bytes) -> Spec:
    from steelyard.spec.load import load_spec

    return load_spec(_DECODER.decode(source))

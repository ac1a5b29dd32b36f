"""What two numbers must share to be comparable."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from steelyard.version import __version__


class Signature(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that shaped a number: two are comparable exactly when these agree.

    ``name`` is empty for a spec, which is known by its hash, whatever its file is called. ``data`` is the hash of the
    rows that were scored; None where these were not all that were asked for.
    """

    engine: str
    kind: str
    name: str
    version: str
    params: str
    data: str | None

    def __str__(self) -> str:
        """One line, as reports print it.

        >>> str(signature({"kind": "scorer", "name": "exact_match", "version": "1"}, None))
        'steelyard:0.1.0|scorer:exact_match@1|params:44136fa3|data:incomplete'
        """
        data = self.data[:12] if self.data else "incomplete"
        scored_by = f"{self.name}@{self.version}" if self.name else self.version
        return (
            f"steelyard:{self.engine}|{self.kind}:{scored_by}|params:{self.params[:8]}|data:{data}"
        )


def signature(identity: dict[str, Any], data: str | None) -> Signature:
    """The signature of a run: the engine, the scorer with its parameters, and the data."""
    rest = {
        key: value
        for key, value in identity.items()
        if key not in {"kind", "name", "version"} and value
    }
    encoded = msgspec.json.Encoder(
        order="deterministic", enc_hook=str, decimal_format="number"
    ).encode(rest)
    return Signature(
        engine=__version__,
        kind=identity["kind"],
        name="" if identity["kind"] == "spec" else identity["name"],
        version=identity["version"],
        params=hashlib.sha256(encoded).hexdigest(),
        data=data,
    )

"""What two numbers must share to be comparable."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec

from steelyard.version import __version__


class Signature(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that shaped a number. ``data`` is None where the input was not read to its end."""

    engine: str
    kind: str
    name: str
    version: str
    params: str
    data: str | None
    limit: int | None = None

    def __str__(self) -> str:
        """One line, as reports print it.

        >>> str(signature({"kind": "scorer", "name": "exact_match", "version": "1"}, None))
        'steelyard:0.1.0|scorer:exact_match@1|params:44136fa3|data:incomplete'
        """
        data = self.data[:12] if self.data else "incomplete"
        limit = f"|limit:{self.limit}" if self.limit is not None else ""
        return (
            f"steelyard:{self.engine}|{self.kind}:{self.name}@{self.version}|params:{self.params[:8]}"
            f"|data:{data}{limit}"
        )


def signature(identity: dict[str, Any], data: str | None, limit: int | None = None) -> Signature:
    """The signature of a run: the engine, the scorer with its parameters, and the data."""
    rest = {key: value for key, value in identity.items() if key not in {"kind", "name", "version"} and value}
    encoded = msgspec.json.Encoder(order="deterministic", enc_hook=str, decimal_format="number").encode(rest)
    return Signature(
        engine=__version__,
        kind=identity["kind"],
        name=identity["name"],
        version=identity["version"],
        params=hashlib.sha256(encoded).hexdigest(),
        data=data,
        limit=limit,
    )


def dataset_hash(digests: Sequence[str]) -> str:
    """One file's own hash; of several, the hash of their hashes, one a line, in order.

    >>> dataset_hash(["ab"])
    'ab'
    """
    if len(digests) == 1:
        return digests[0]
    return hashlib.sha256("".join(f"{digest}\n" for digest in digests).encode()).hexdigest()

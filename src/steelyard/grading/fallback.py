"""The weaker way to run a test: in the candidate's own box, with a proof that it ran to its end."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Any

from steelyard.sandbox.box import Box
from steelyard.sandbox.inside import values


def run_inside(box: Box, material: dict[str, Any]) -> dict[str, Any] | None:
    """The last word of the test, or None where the program said no more.

    The secret leaves this process only after the candidate's code has been loaded and what it left behind is cleared
    away. Whoever says that the test held, and cannot prove it by the secret, has made it up.
    """
    secret = secrets.token_hex(32)
    box.send(values.dumps({"examine": material}))
    ready = _read(box.receive())
    if ready is None or "ready" not in ready:
        return _refused(ready)
    box.send(secret.encode("ascii"))
    said = _read(box.receive())
    if said is None or not isinstance(said.get("finished"), dict):
        return _refused(said)
    finished: dict[str, Any] = said["finished"]
    if not _sound(finished):
        return _made_up("the last word of the test cannot be read")
    if finished["failed"] is None and not _proved(finished, secret):
        return _made_up("nothing proves that the test ran to its end")
    return finished


def _proved(finished: dict[str, Any], secret: str) -> bool:
    wanted = hashlib.blake2b(b"%d" % finished["assertions"], key=bytes.fromhex(secret)).hexdigest()
    return isinstance(finished.get("proof"), str) and hmac.compare_digest(
        finished["proof"].encode(), wanted.encode()
    )


def _sound(finished: dict[str, Any]) -> bool:
    failed = finished.get("failed")
    return (
        type(finished.get("assertions")) is int
        and finished["assertions"] >= 0
        and (
            failed is None
            or (isinstance(failed, dict) and type(failed.get("line")) in {int, type(None)})
        )
    )


def _read(message: bytes | None) -> dict[str, Any] | None:
    if message is None:
        return None
    try:
        return values.loads(message)
    except ValueError:
        return {}


def _refused(said: dict[str, Any] | None) -> dict[str, Any] | None:
    if said is None:
        return None
    failed = said.get("failed")
    text = failed.get("text") if isinstance(failed, dict) else None
    return _made_up(str(text or "the program broke the rules of the exchange"))


def _made_up(why: str) -> dict[str, Any]:
    return {
        "assertions": 0,
        "failed": {"type": "Malformed", "text": why, "line": None, "by": "candidate"},
    }

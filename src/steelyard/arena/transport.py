"""How a client asks an arena: one request, one answer, asked again where that can do no harm."""

from __future__ import annotations

import http.client
import json
import time
from typing import Any, Final, NamedTuple
from urllib.parse import quote, urlsplit

import msgspec

from steelyard.errors import DataError, EngineError, RuleError
from steelyard.models.address import web_address, without_login
from steelyard.version import __version__

API: Final = "/api/v1"
_LIKE: Final = "http://127.0.0.1:8000"
MOST_ANSWERED: Final = 128 * 2**20
_LONGEST_PAUSE, _FIRST_PAUSE = 5.0, 0.1
_BUSY = 10.0  # seconds: whoever is told to slow down has done nothing yet, and may wait so long with anything
_AGAIN = frozenset({429, 502, 503, 504})


class Answer(NamedTuple):
    """What came back."""

    status: int
    retry_after: float | None
    body: bytes


class Transport:
    """Requests to one arena. Each has a connection of its own, so several threads may ask."""

    def __init__(self, base_url: str, *, timeout: float = 60.0) -> None:
        self.base_url = read_address(base_url)
        self._parts, self._timeout = urlsplit(self.base_url), timeout

    def ask(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        key: str | None = None,
        patience: float = 0.0,
    ) -> Any:
        """The data of the answer. For so many seconds it is asked again where nobody answers or the arena is busy."""
        told = self.fetch(method, path, body=body, key=key, patience=patience)
        try:
            return msgspec.json.decode(told)["data"]
        except (msgspec.DecodeError, KeyError, TypeError):
            raise self._stranger() from None

    def fetch(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        key: str | None = None,
        patience: float = 0.0,
    ) -> bytes:
        """The answer's body, as bytes."""
        sent = None if body is None else encoded(body)  # the same bytes each time
        begun, pause = time.monotonic(), _FIRST_PAUSE
        while True:
            wait, bound = pause, patience
            try:
                answer = self._once(method, path, sent, key)
            except (OSError, http.client.HTTPException) as lost:
                failed: EngineError | RuleError = EngineError(
                    f"{self.base_url} does not answer: {_why(lost)}"
                )
            else:
                if answer.status < 300:
                    return answer.body
                failed = self._refused(answer)
                if answer.status not in _AGAIN:
                    raise failed
                wait = max(pause, answer.retry_after or 0)
                bound = max(patience, _BUSY) if answer.status == 429 else patience
            if time.monotonic() + wait > begun + bound:
                raise failed
            time.sleep(wait)
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _once(self, method: str, path: str, body: bytes | None, key: str | None) -> Answer:
        kind = (
            http.client.HTTPSConnection
            if self._parts.scheme == "https"
            else http.client.HTTPConnection
        )
        connection = kind(self._parts.hostname or "", self._parts.port, timeout=self._timeout)
        headers = {"Accept": "application/json", "User-Agent": f"steelyard/{__version__}"}
        headers |= {"Authorization": f"Bearer {key}"} if key is not None else {}
        headers |= {"Content-Type": "application/json"} if body is not None else {}
        try:
            connection.request(method, self._parts.path + API + path, body=body, headers=headers)
            got = connection.getresponse()
            content = got.read(MOST_ANSWERED + 1)
            if len(content) > MOST_ANSWERED:
                raise EngineError(
                    f"the arena at {self.base_url} answers with more than {MOST_ANSWERED >> 20} MB"
                )
            return Answer(got.status, _seconds(got.getheader("Retry-After")), content)
        finally:
            connection.close()

    def _refused(self, answer: Answer) -> RuleError | EngineError:
        """What the arena says against it: the agent's to mend below 500, else the arena's."""
        try:
            said = msgspec.json.decode(answer.body)["error"]
        except (msgspec.DecodeError, KeyError, TypeError):
            return self._stranger(answer.status)
        if answer.status < 500:
            return RuleError(str(said), status=answer.status)
        return EngineError(f"the arena at {self.base_url} answers {answer.status}: {said}")

    def _stranger(self, status: int | None = None) -> EngineError:
        told = f" (status {status})" if status is not None else ""
        return EngineError(f"what answers at {self.base_url} is no arena{told}")


def encoded(body: Any) -> bytes:
    """The body as JSON; what JSON cannot say is not sent as something else.

    >>> encoded({"a": [1, None]})
    b'{"a":[1,null]}'
    """
    try:
        return json.dumps(body, allow_nan=False, separators=(",", ":")).encode()
    except (ValueError, TypeError, RecursionError) as wrong:
        raise DataError(f"this cannot be said in JSON: {wrong}") from None


def read_address(given: str) -> str:
    """The address of an arena in the form that it is compared and kept by.

    >>> read_address("HTTP://Localhost:8000/")
    'http://localhost:8000'
    """
    parts = web_address(given, of="an arena", like=_LIKE)
    host, port = parts.hostname, parts.port
    if parts.query or parts.fragment or "@" in parts.netloc or not given.strip().isprintable():
        raise DataError(
            f"{without_login(given)!r} is no address of an arena; one looks like {_LIKE}"
        )
    shown = f"[{host}]" if ":" in str(host) else host
    return (
        f"{parts.scheme}://{shown}{f':{port}' if port is not None else ''}{parts.path.rstrip('/')}"
    )


def in_path(part: str) -> str:
    """A part of a path, which stays one whatever it holds.

    >>> in_path("a/../b?c")
    'a%2F..%2Fb%3Fc'
    """
    return quote(part, safe="") or "%20"


def _seconds(given: str | None) -> float | None:
    try:
        return min(3600.0, max(0.0, float(given))) if given is not None else None
    except ValueError:  # a date, which arenas do not send
        return None


def _why(lost: Exception) -> str:
    return getattr(lost, "strerror", None) or str(lost) or type(lost).__name__

"""Where an endpoint is, and the key to it, which nobody gets to see."""

from __future__ import annotations

import base64
import html
import json
import os
import re
from urllib.parse import SplitResult, parse_qsl, quote, quote_plus, urlsplit, urlunsplit

from steelyard.errors import DataError

CALL = "/chat/completions"
SECRET = re.compile(r"key|token|secret|password|sig", re.IGNORECASE)
LOOPBACK = re.compile(r"localhost|127\.\d+\.\d+\.\d+|::1", re.IGNORECASE)
HIDDEN = "[key]"
_HEX = re.compile("%[0-9A-F]{2}")
_FOR_URLS = str.maketrans("+/", "-_")
SHORTEST_SECRET = (
    12  # servers that want none are given words such as EMPTY, which replies may well contain
)


def chat_address(url: str) -> str:
    """The address of chat completions, from whichever of its usual forms was given.

    >>> chat_address("http://localhost:8000")
    'http://localhost:8000/v1/chat/completions'
    >>> chat_address("https://api.example.com/v1/")
    'https://api.example.com/v1/chat/completions'
    """
    parts = web_address(url, of="a model", like="http://host:port/v1")
    if parts.username or parts.password:
        raise DataError(
            "a key has no place in the model's address: name an environment variable that holds it"
        )
    if named := [name for name, _ in parse_qsl(parts.query) if SECRET.search(name)]:
        raise DataError(
            f"{named[0]!r} in the model's address looks like a key: name an environment variable instead"
        )
    path = parts.path.rstrip("/")
    if not path.endswith(CALL):
        path = (path or "/v1") + CALL
    return urlunsplit((parts.scheme, parts.netloc, path, parts.query, ""))


def web_address(url: str, *, of: str, like: str) -> SplitResult:
    """The parts of an address of the web, with a host and a port that can be read. A message about it shows no login.

    >>> web_address(" HTTP://Host:8000/x ", of="a model", like="http://host").hostname
    'host'
    """
    try:
        parts = urlsplit(url.strip())
        host, _ = parts.hostname, parts.port
    except ValueError as wrong:
        raise DataError(
            f"{without_login(url)!r} is no address of {of}, it cannot be read: {wrong}"
        ) from None
    if parts.scheme not in {"http", "https"} or not host:
        raise DataError(f"{without_login(url)!r} is no address of {of}; one looks like {like}")
    return parts


def without_login(url: str) -> str:
    """The address as it may be shown.

    >>> without_login("http://me:secret@host/x")
    'http://host/x'
    """
    return re.sub(r"//[^/@]*@", "//", url.strip())


def proxy_of(address: str) -> str | None:
    """The proxy that the environment names for an address; there is none on the way to this machine itself."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    if LOOPBACK.fullmatch(host):
        return None
    from urllib.request import (
        getproxies,
        proxy_bypass,
    )  # which a model on this machine can do without

    return None if proxy_bypass(host) else getproxies().get(parts.scheme)


class Key:
    """A key that can be used and not be seen.

    >>> Key("sk-very-secret-indeed")
    Key([key])
    """

    def __init__(self, value: str = "") -> None:
        self._value = value
        self._forms = _forms(value) if len(value) >= SHORTEST_SECRET else ()

    def __repr__(self) -> str:
        return f"Key({HIDDEN if self._value else ''})"

    def __bool__(self) -> bool:
        """Whether there is one to hide."""
        return bool(self._value)

    def header(self) -> dict[str, str]:
        """The header that carries it."""
        return {"Authorization": f"Bearer {self._value}"} if self._value else {}

    def hide(self, text: str) -> str:
        """The text without the key: a server may show it to us again."""
        for form in self._forms:
            text = text.replace(form, HIDDEN)
        return text

    def hide_in(self, body: bytes) -> bytes:
        """The body without the key, before anything is read out of it or cut from it."""
        for form in self._forms:
            body = body.replace(form.encode(), HIDDEN.encode())
        return body


def _forms(value: str) -> tuple[str, ...]:
    """The ways in which a server may write a key: as it is, in a URL, in JSON, in HTML, in base64. The longest first."""
    quoted = {quote(value, safe=""), quote(value), quote_plus(value)}
    escaped = json.dumps(value)[1:-1]
    packed = base64.b64encode(value.encode()).decode()
    quoted |= {_HEX.sub(lambda code: code[0].lower(), form) for form in quoted}
    found = {
        value,
        *quoted,
        escaped,
        escaped.replace("/", "\\/"),
        html.escape(value),
        packed,
        packed.rstrip("="),
        packed.translate(_FOR_URLS).rstrip("="),
    }
    return tuple(sorted(found, key=lambda form: (-len(form), form)))


def key_from(variable: str | None) -> Key:
    """The key that an environment variable holds; no variable, no key."""
    if not variable:
        return Key()
    value = os.environ.get(variable, "").strip()
    if not value:
        raise DataError(
            f"the environment variable {variable} is not set, or is empty: it should hold the model's key"
        )
    if not value.isascii() or not value.isprintable():
        raise DataError(
            f"the environment variable {variable} holds characters that cannot be part of a key"
        )
    return Key(value)

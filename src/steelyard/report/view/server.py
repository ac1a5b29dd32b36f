"""Pages over HTTP, for the one who sits at this machine: they are read, and nothing is ever taken in."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import shutil
import socket
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qs, unquote_to_bytes, urlsplit

from steelyard.errors import DataError, SteelyardError
from steelyard.report.view.folder import Folder
from steelyard.report.view.pages import MissingError, Page, Pages, message_page

SLOWEST = 30.0  # seconds that a client may say nothing
_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache, private",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_MOST_RUNS = 8


class ViewServer(ThreadingHTTPServer):
    """Serves the pages of a folder. With port 0 it listens at a free one."""

    daemon_threads = True  # a slow reader does not keep the program from ending

    def __init__(self, folder: Path, host: str = "127.0.0.1", port: int = 0) -> None:
        self.pages = Pages(Folder(folder))
        self.host = host
        if ":" in host:
            self.address_family = socket.AF_INET6
        try:
            super().__init__((host, port), Handler)
        except OSError as failed:
            self.pages.close()
            raise DataError(
                f"{host} port {port} cannot be had: {failed.strerror or failed}"
            ) from None

    @property
    def url(self) -> str:
        """Where the list of runs is."""
        host = "127.0.0.1" if self.host in {"", "0.0.0.0"} else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.server_address[1]}/"

    def server_bind(self) -> None:
        """Listen, without asking a name server who we are."""
        import socketserver

        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.host, int(self.server_address[1])

    def server_close(self) -> None:
        """Stop listening, and leave nothing behind."""
        super().server_close()
        self.pages.close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A reader that went away is no error; anything else is told."""
        import sys

        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)

    def knows(self, host: str) -> bool:
        """Whether a request for that host is meant for us.

        A page from elsewhere can make its own name lead to this machine, and would then be let in. It cannot do that with
        an address in numbers, or with localhost.
        """
        found = urlsplit(f"//{host}")
        name = found.hostname or ""
        plain = found.netloc == host and "@" not in host
        return plain and (name in {"localhost", self.host.casefold()} or _is_address(name))


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: ViewServer
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "steelyard", ""
    timeout = SLOWEST

    def do_GET(self) -> None:
        """Answer with a page."""
        hosts = self.headers.get_all("Host") or []
        if len(hosts) != 1 or not self._is_ours(hosts[0]):
            self._tell(
                HTTPStatus.MISDIRECTED_REQUEST,
                "This name is not ours",
                "Open the address that the command printed.",
            )
            return
        if self.path == "/favicon.ico":
            self._start(HTTPStatus.NO_CONTENT, {})
            return
        try:
            page = self._page()
        except MissingError as missing:
            self._tell(HTTPStatus.NOT_FOUND, "Not here", str(missing))
        except SteelyardError as wrong:
            told = str(wrong).replace(f"{self.server.pages.folder.root}{os.sep}", "")
            self._tell(HTTPStatus.CONFLICT, "This cannot be shown", told)
        else:
            with page.content:
                self._send(page)

    do_HEAD = do_GET  # noqa: N815 - the same, and _start leaves out the rest

    def _refuse(self) -> None:
        self.close_connection = True  # whatever was sent along is not read
        words = "These pages can only be read."
        self._tell(
            HTTPStatus.METHOD_NOT_ALLOWED,
            "Only GET and HEAD",
            words,
            Allow="GET, HEAD",
            Connection="close",
        )

    do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_TRACE = do_CONNECT = _refuse  # noqa: N815

    def _is_ours(self, host: str) -> bool:
        try:
            return self.server.knows(host)
        except ValueError:
            return False

    def _page(self) -> Page:
        """The page that the address names. Names are looked up among the runs that were found, and are never paths."""
        found, asked = _parts(self.path)
        if found.path == "/":
            return self.server.pages.index()
        if found.path.startswith("/run/"):
            return self.server.pages.run(_name(found.path.removeprefix("/run/")))
        if found.path == "/compare":
            names = [*asked.get("base", [])[:1], *asked.get("candidate", [])]
            return self.server.pages.comparison([_name(name) for name in names])
        raise MissingError("there is no such page")

    def _send(self, page: Page) -> None:
        known = {
            "Content-Security-Policy": f"{page.policy}; frame-ancestors 'none'",
            "ETag": f'"{page.tag}"',
        }
        if self.headers.get("If-None-Match") == f'"{page.tag}"':
            self._start(HTTPStatus.NOT_MODIFIED, known)
            return
        known["Content-Length"] = str(os.fstat(page.content.fileno()).st_size)
        self._start(HTTPStatus.OK, known)
        if self.command != "HEAD":
            shutil.copyfileobj(page.content, self.wfile)

    def _tell(self, status: HTTPStatus, title: str, words: str, **more: str) -> None:
        content, policy = message_page(title, words)
        known = {
            "Content-Security-Policy": f"{policy}; frame-ancestors 'none'",
            "Content-Length": str(len(content)),
            **more,
        }
        self._start(status, known)
        if self.command != "HEAD":
            self.wfile.write(content)

    def _start(self, status: HTTPStatus, known: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**_HEADERS, **known}.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name that http.server has for it
        """Say nothing: the terminal belongs to its user."""


def _parts(path: str) -> tuple[SplitResult, dict[str, list[str]]]:
    """The address, and what is asked for in it; one that is none, or asks for too much, leads nowhere."""
    try:
        found = urlsplit(path)
        return found, parse_qs(found.query, max_num_fields=_MOST_RUNS)
    except ValueError as wrong:
        raise MissingError(f"this address leads nowhere: {wrong}") from None


def _name(quoted: str) -> str:
    return unquote_to_bytes(quoted).decode("utf-8", "surrogateescape")


def _is_address(name: str) -> bool:
    with contextlib.suppress(ValueError):
        ipaddress.ip_address(name)
        return True
    return False

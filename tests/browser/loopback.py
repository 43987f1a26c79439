"""The network of the browser under test: a proxy on the loopback.

It serves the pages of the tests, and writes down whatever else is asked for.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

HOME = "http://answer.test/"
"""Where the pages of the tests live; a relative address of theirs leads here and is written down too."""
ICON = f"{HOME}favicon.ico"
"""What browsers ask every site for, whatever stands in the page."""
_BUSINESS = ("google.com", "googleapis.com", "gstatic.com", "gvt1.com", "duckduckgo.com")
"""Whom the browser talks to of its own accord. A page that did would be told by the browser's own account."""


class Loopback:
    """Pages by their addresses, and everything else that was asked for, in order."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.pages: dict[str, bytes] = {}
        self._asked: list[str] = []

    def serve(self, html: str) -> str:
        """The address at which *html* is from now on."""
        address = f"{HOME}{len(self.pages)}.html"
        self.pages[address] = html.encode("utf-8", "surrogatepass")
        return address

    def note(self, asked: str) -> None:
        if asked != ICON and not host_of(asked).endswith(_BUSINESS):
            self._asked.append(asked)

    def take(self) -> set[str]:
        """What was asked for since the last time: addresses, and of encrypted ones ``host:port``."""
        taken, self._asked = self._asked, []
        return set(taken)


def host_of(asked: str) -> str:
    """The host of what was asked for."""
    rest = asked.partition("://")[2] or asked
    return rest.partition("/")[0].rpartition(":")[0] or rest.partition("/")[0]


@contextmanager
def loopback() -> Iterator[Loopback]:
    """A proxy that answers every request by itself, while it is needed."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle(self) -> None:
            with suppress(ConnectionError):  # of a tab that has gone on
                super().handle()

        def _answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            self.rfile.read(length)
            body = here.pages.get(self.path)
            if body is None:
                here.note(self.path)
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body or b"")))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(body or b"")

        do_GET = do_POST = do_HEAD = do_OPTIONS = _answer  # noqa: N815  names of the base class

        def do_CONNECT(self) -> None:
            here.note(self.path)
            self.send_error(403)

        def log_message(self, *_: Any) -> None:
            """Silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    here = Loopback(server.server_address[1])
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield here
    finally:
        server.shutdown()
        server.server_close()

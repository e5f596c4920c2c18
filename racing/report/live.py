"""The live page of a run: standard library HTTP on loopback, and server-sent events.

The server only reads the log, from a process of its own, so it neither waits for the writer nor
holds it up. The log is replayed when its file has changed, and then not again before nine times
as long as that took, so that it uses a tenth of a core at most.

Only this machine can ask: the server listens on 127.0.0.1, wants the token that is in the address,
and refuses a Host header that is not its own, so that no other site can read the page through a
name that it points here. `http.server` waits for ever for a request that never ends, with one
thread for each, accepts five connections ahead, and prints a traceback when a client closes its
connection early: `BoundedServer` does not.
"""

from __future__ import annotations

import secrets
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from racing.base.errors import RacingError
from racing.base.plain import json_text, printable
from racing.report.page.html import html

_LOOK = 0.5  # seconds between two looks at the file
_SHARE = 9.0  # times as long as the last reading took, before the next one
_ANYWAY = 10.0  # seconds after which a log is read again though its file did not change
_BEAT = 15.0  # seconds between two signs of life

_REFUSED = (
    "This page opens only by the whole address that racing watch --web printed, with its token, "
    "and only on the machine that serves it. Copy that address from the terminal; from another "
    "machine use an SSH tunnel to the same port."
)


HALF_OPEN = 32
"""Connections whose request is not complete; one more closes the oldest of them."""

PATIENCE = 10.0
"""Seconds without a byte, in either direction, after which a connection is closed."""


class BoundedServer(ThreadingHTTPServer):
    """Answers complete requests at once, however many incomplete ones are open."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], handler: type[BoundedHandler]) -> None:
        super().__init__(address, handler)
        self._half_open: dict[socket.socket, None] = {}  # the oldest first
        self._lock = threading.Lock()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a connection in a thread of its own."""
        with self._lock:
            self._half_open[request] = None
            if len(self._half_open) > HALF_OPEN:
                oldest = next(iter(self._half_open))
                del self._half_open[oldest]
                _cut(oldest)
        super().process_request(request, client_address)

    def complete(self, request: Any) -> None:
        """Note that a request has arrived, or that its connection is closed."""
        with self._lock:
            self._half_open.pop(request, None)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection."""
        self.complete(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print the traceback of an error, unless the client disconnected."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class BoundedHandler(BaseHTTPRequestHandler):
    """A handler for `BoundedServer`: it closes idle connections."""

    timeout = PATIENCE
    server: BoundedServer

    def parse_request(self) -> bool:
        """Read the request's headers; the request line has been read."""
        read = super().parse_request()
        self.server.complete(self.request)
        return read


def _cut(connection: socket.socket) -> None:
    """Shut a connection down, so that the thread that reads from it ends."""
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


class Feed:
    """The latest data of a page, and a thread that keeps it up to date.

    Parameters
    ----------
    tell
        Makes the data anew.
    path
        The log whose changes call for it.
    """

    def __init__(self, tell: Callable[[], Mapping[str, Any]], path: Path) -> None:
        self._tell, self._path = tell, path
        self._changed = threading.Condition()
        self.ended = False
        self.data = tell()
        self.number = 1
        self._seen = _marks(path)
        self._thread = threading.Thread(target=self._follow, daemon=True, name="report-feed")

    def start(self) -> None:
        """Begin to follow the log."""
        self._thread.start()

    def end(self) -> None:
        """Stop following, and end all waiting requests."""
        with self._changed:
            self.ended = True
            self._changed.notify_all()

    def after(self, number: int, patience: float) -> tuple[int, Mapping[str, Any]] | None:
        """The data after a number, or None if there is none within so many seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self.ended or self.number > number, patience)
            return (self.number, self.data) if self.number > number else None

    def _follow(self) -> None:
        read, took = time.monotonic(), 0.0
        while not self.ended:
            time.sleep(_LOOK)
            now, marks = time.monotonic(), _marks(self._path)
            due = marks != self._seen or now - read > _ANYWAY
            if not due or now - read < _SHARE * took:
                continue
            self._take(self._latest())
            self._seen, read = marks, time.monotonic()
            took = read - now

    def _latest(self) -> Mapping[str, Any]:
        """The new data; if the log cannot be read now, the last data with the reason."""
        try:
            return self._tell()
        except (RacingError, OSError) as error:
            run = {**self.data["run"], "state": printable(str(error))[:400]}
            return {**self.data, "run": run}

    def _take(self, data: Mapping[str, Any]) -> None:
        if data == self.data:
            return
        with self._changed:
            self.data, self.number = data, self.number + 1
            self._changed.notify_all()


class LiveServer(BoundedServer):
    """Serves one page and its events at `address`, until `end`."""

    def __init__(self, feed: Feed, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.feed = feed
        self.token = secrets.token_urlsafe(16)
        self.hosts = {f"{name}:{self.server_port}" for name in ("127.0.0.1", "localhost")}

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://127.0.0.1:{self.server_port}/?token={self.token}"

    def end(self) -> None:
        """Stop serving; called from another thread than the one that serves."""
        self.feed.end()
        self.shutdown()
        self.server_close()


class _Handler(BoundedHandler):
    server: LiveServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answer the page or its events; anything else is refused."""
        try:
            asked = urlsplit(self.path)
        except ValueError:  # such as http://[::1/
            self.send_error(400)
            return
        token = parse_qs(asked.query).get("token", [""])[0]
        own = self.headers.get("Host", "") in self.server.hosts
        if not own or not secrets.compare_digest(token.encode(), self.server.token.encode()):
            self.send_error(403, explain=_REFUSED)
        elif asked.path == "/":
            self._page()
        elif asked.path == "/events":
            self._events()
        else:
            self.send_error(404)

    def _page(self) -> None:
        body = html(self.server.feed.data, live=True).encode("utf-8", "backslashreplace")
        self._begin("text/html; charset=utf-8", {"Content-Length": str(len(body))})
        self.wfile.write(body)

    def _events(self) -> None:
        self._begin("text/event-stream", {"Connection": "close"})
        self.close_connection = True
        feed, number = self.server.feed, 0
        try:
            while not feed.ended:
                news = feed.after(number, _BEAT)
                if news is None:
                    self.wfile.write(b": still here\n\n")
                else:
                    number, data = news
                    text = json_text(dict(data), indent=None)
                    self.wfile.write(f"id: {number}\ndata: {text}\n\n".encode())
                self.wfile.flush()
        except OSError:
            return  # the page was closed

    def _begin(self, kind: str, more: Mapping[str, str]) -> None:
        self.send_response(200)
        headers = {
            "Content-Type": kind,
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            **more,
        }
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing: the terminal is for people."""


def _marks(path: Path) -> tuple[tuple[int, int], ...]:
    """The state of a log's files: size and time of the file and of its -wal file."""
    found = []
    for file in (path, path.with_name(path.name + "-wal")):
        try:
            stat = file.stat()
            found.append((stat.st_mtime_ns, stat.st_size))
        except OSError:
            found.append((0, 0))
    return tuple(found)

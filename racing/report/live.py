"""The live page of a run: HTTP on loopback by asyncio, and server-sent events.

The server only reads the log, from a process of its own, so it neither waits for the writer nor
holds it up. The log is replayed when its file has changed, and then not again before nine times
as long as that took, so that it uses a tenth of a core at most.

Only this machine can ask: the server listens on 127.0.0.1, wants the token that is in the address,
and refuses a Host header that is not its own, so that no other site can read the page through a
name that it points here. A connection costs a coroutine, one whose request does not come is closed,
and of many such the oldest make room.
"""

from __future__ import annotations

import asyncio
import http.client
import io
import secrets
import socket
import threading
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
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
_NEWS = 0.2  # seconds between two looks for new data
_CHUNK = 1 << 16  # bytes that are sent at once

_REFUSED = (
    "This page opens only by the whole address that racing watch --web printed, with its token, "
    "and only on the machine that serves it. Copy that address from the terminal; from another "
    "machine use an SSH tunnel to the same port."
)
_HEADERS = {
    "Cache-Control": "no-store",
    "Connection": "close",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

HALF_OPEN = 32
"""Connections whose request is not complete; one more closes the oldest of them."""

PATIENCE = 10.0
"""Seconds without a byte, in either direction, after which a connection is closed."""


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
        self.ended = False
        self.news: tuple[int, Mapping[str, Any]] = (1, tell())
        self._seen = _marks(path)

    def start(self) -> None:
        """Begin to follow the log."""
        threading.Thread(target=self._follow, daemon=True, name="report-feed").start()

    def _follow(self) -> None:
        read, took = time.monotonic(), 0.0
        while not self.ended:
            time.sleep(_LOOK)
            now, marks = time.monotonic(), _marks(self._path)
            due = marks != self._seen or now - read > _ANYWAY
            if not due or now - read < _SHARE * took:
                continue
            (number, data), latest = self.news, self._latest()
            if latest != data:
                self.news = number + 1, latest
            self._seen, read = marks, time.monotonic()
            took = read - now

    def _latest(self) -> Mapping[str, Any]:
        """The new data; if the log cannot be read now, the last data with the reason."""
        try:
            return self._tell()
        except (RacingError, OSError) as error:
            _, data = self.news
            return {**data, "run": {**data["run"], "state": printable(str(error))[:400]}}


class LiveServer:
    """Serves one page and its events at `address`, until `end`.

    Raises
    ------
    OSError
        If it cannot listen at the port; 0 is any that is free.
    """

    def __init__(self, feed: Feed, port: int = 0) -> None:
        self.feed = feed
        self.token = secrets.token_urlsafe(16)
        self._socket = socket.create_server(("127.0.0.1", port), backlog=128)
        self.host, self.port = self._socket.getsockname()
        self._hosts = {f"{name}:{self.port}" for name in (self.host, "localhost")}
        self._half_open: dict[asyncio.Task[None], None] = {}  # the oldest first

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://{self.host}:{self.port}/?token={self.token}"

    def serve(self) -> None:
        """Serve until `end`, which another thread calls, or an interruption."""
        self.feed.start()
        asyncio.run(self._serve())

    def end(self) -> None:
        """Stop serving."""
        self.feed.ended = True

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._client, sock=self._socket)
        try:
            while not self.feed.ended:
                await asyncio.sleep(_NEWS)
        finally:  # of an interruption too; the loop ends what is open
            server.close()
            self.end()

    async def _client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request, or close the connection on which none comes."""
        own = asyncio.current_task()
        assert own is not None
        self._half_open[own] = None
        if len(self._half_open) > HALF_OPEN:
            oldest = next(iter(self._half_open))
            del self._half_open[oldest]
            oldest.cancel()
        try:
            async with asyncio.timeout(PATIENCE):
                request = await reader.readuntil(b"\r\n\r\n")
            self._half_open.pop(own, None)
            await self._answer(request, writer)
        except (OSError, EOFError, asyncio.LimitOverrunError, asyncio.CancelledError):
            pass  # the client is gone, or is to go
        finally:
            self._half_open.pop(own, None)
            writer.close()

    async def _answer(self, request: bytes, writer: asyncio.StreamWriter) -> None:
        """Send the page or its events; anything else is refused."""
        line, _, headers = request.partition(b"\r\n")
        host = http.client.parse_headers(io.BytesIO(headers)).get("Host", "")
        try:
            method, target, _ = line.decode("latin-1").split(" ")
            asked = urlsplit(target)
        except ValueError:  # such as http://[::1/
            await _send(writer, 400)
            return
        token = parse_qs(asked.query).get("token", [""])[0]
        known = secrets.compare_digest(token.encode(), self.token.encode())
        if host not in self._hosts or not known:
            await _send(writer, 403, _REFUSED)
        elif method != "GET" or asked.path not in ("/", "/events"):
            await _send(writer, 404)
        elif asked.path == "/":
            await _send(writer, 200, html(self.feed.news[1], live=True), "text/html; charset=utf-8")
        else:
            await self._events(writer)

    async def _events(self, writer: asyncio.StreamWriter) -> None:
        await _send(writer, 200, kind="text/event-stream")
        told, beat = 0, time.monotonic()
        while True:
            number, data = self.feed.news
            if number > told:
                text = json_text(dict(data), indent=None)
                await _write(writer, f"id: {number}\ndata: {text}\n\n")
            elif time.monotonic() - beat > _BEAT:
                await _write(writer, ": still here\n\n")
            else:
                await asyncio.sleep(_NEWS)
                continue
            told, beat = number, time.monotonic()


async def _send(
    writer: asyncio.StreamWriter, status: int, body: str = "", kind: str = "text/plain"
) -> None:
    """The head of an answer and what follows it: its end is that of the connection."""
    head = {"Content-Type": kind, **_HEADERS}
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", *map(": ".join, head.items())]
    await _write(writer, "\r\n".join((*lines, "", body)))


async def _write(writer: asyncio.StreamWriter, text: str) -> None:
    """Write text, as fast as the client reads it."""
    told = text.encode("utf-8", "backslashreplace")
    for at in range(0, len(told), _CHUNK):
        writer.write(told[at : at + _CHUNK])
        async with asyncio.timeout(PATIENCE):
            await writer.drain()


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

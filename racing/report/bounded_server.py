"""An HTTP server on the standard library with limits on time and connections.

`http.server` waits for ever for a request that never ends, with one thread for each, accepts five
connections ahead, and prints a traceback when a client closes its connection early.
"""

from __future__ import annotations

import socket
import sys
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

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

"""Clients that never finish, that reset, and that ask for nonsense."""

from __future__ import annotations

import http.client
import socket
import struct
import threading
from collections.abc import Iterator

import pytest

from racing.report import live
from racing.report.live import HALF_OPEN, BoundedHandler, BoundedServer, Feed, LiveServer
from tests.waiting import eventually


@pytest.fixture
def server(tmp_path) -> Iterator[LiveServer]:
    served = LiveServer(Feed(dict, tmp_path / "log"))
    thread = threading.Thread(target=served.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield served
    served.end()
    thread.join()


def connected(server: BoundedServer, words: bytes = b"") -> socket.socket:
    client = socket.create_connection(("127.0.0.1", server.server_port), timeout=20)
    client.sendall(words)
    return client


def status(server: BoundedServer, path: str) -> int:
    asked = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=20)
    try:
        asked.putrequest("GET", path, skip_host=path.startswith("http"))
        asked.endheaders()
        return asked.getresponse().status
    finally:
        asked.close()


@pytest.mark.parametrize("path", ["http://[::1/", "http://[x]/", "//[/?token=a"])
def test_an_address_that_is_none_is_a_bad_request(server, path, capfd):
    assert status(server, path) in (400, 403)
    assert status(server, "http://[::1/") == 400
    assert capfd.readouterr().err == ""


def test_a_complete_request_is_answered_among_many_that_never_end(server, monkeypatch):
    monkeypatch.setattr(BoundedHandler, "timeout", 100)
    before = threading.active_count()
    waiting = [connected(server, b"GET / HTTP/1.1\r\nHost: ") for _ in range(200)]
    assert status(server, "/") == 403
    assert eventually(lambda: threading.active_count() <= before + HALF_OPEN)
    for client in waiting:
        client.close()


def test_an_idle_connection_is_closed(server, monkeypatch):
    monkeypatch.setattr(BoundedHandler, "timeout", 0.1)
    with connected(server, b"GET / HTT") as client:
        assert client.recv(10) == b""
    assert live.PATIENCE <= 10


def test_a_client_that_resets_leaves_no_traceback(server, capfd):
    for words in (b"", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\n\r\n"):
        client = connected(server, words)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
    assert status(server, "/") == 403
    assert capfd.readouterr().err == ""


def test_an_error_of_ones_own_is_shown(capfd):
    class Broken(BoundedHandler):
        def do_GET(self) -> None:
            raise ZeroDivisionError("ours")

    with BoundedServer(("127.0.0.1", 0), Broken) as broken:
        thread = threading.Thread(target=broken.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        with connected(broken, b"GET / HTTP/1.1\r\n\r\n") as client:
            assert client.recv(10) == b""
        broken.shutdown()
        thread.join()
    assert "ZeroDivisionError: ours" in capfd.readouterr().err

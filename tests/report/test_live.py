"""The live page: only this machine with the token, the data of the report, news as they come."""

from __future__ import annotations

import http.client
import json
import re
import socket
import struct
import threading
from collections.abc import Iterator

import pytest

from racing.report import live
from racing.report.live import HALF_OPEN, Feed, LiveServer
from racing.report.page import html, read_page_data
from racing.runner.run import resume, run
from tests.runs_kit import write_scenario
from tests.waiting import eventually


@pytest.fixture
def served(tmp_path) -> Iterator[LiveServer]:
    log = tmp_path / "log.sqlite"
    run(write_scenario(tmp_path, budget=40), log=log)
    server = LiveServer(Feed(lambda: read_page_data(log), log))
    server.log, server.opened = log, []
    thread = threading.Thread(target=server.serve)
    thread.start()
    yield server
    for connection, answer in server.opened:
        answer.close()
        connection.close()
    server.end()
    thread.join()


def ask(server: LiveServer, path: str, **headers: str):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request("GET", path, headers={"Connection": "close", **headers})
    answer = connection.getresponse()
    server.opened.append((connection, answer))
    return answer


def test_the_page_has_the_data_of_the_report(served):
    answer = ask(served, f"/?token={served.token}")
    text = answer.read().decode()
    assert answer.status == 200
    assert answer.headers["Cache-Control"] == "no-store"
    facts = re.search(r'id="facts">(.*?)</script>', text, re.DOTALL)[1]
    final = re.search(r'id="facts">(.*?)</script>', html(read_page_data(served.log)), re.DOTALL)[1]
    assert json.loads(facts) == json.loads(final)
    assert 'data-live="yes"' in text


@pytest.mark.parametrize("path", ["/", "/?token=wrong", "/events", "/events?token="])
def test_without_the_token_there_is_nothing(served, path):
    answer = ask(served, path)
    assert answer.status == 403
    assert b"the whole address that racing watch --web printed" in answer.read()


def test_another_host_is_refused(served):
    path = f"/?token={served.token}"
    assert ask(served, path, Host="evil.example").status == 403
    assert ask(served, path, Host=f"localhost:{served.port}").status == 200
    assert ask(served, f"/nothing?token={served.token}").status == 404


def test_it_listens_on_loopback_alone(served):
    assert served.host == "127.0.0.1"


def event(answer) -> dict[str, object]:
    while not (line := answer.readline()).startswith(b"data: "):
        assert line
    return json.loads(line[6:])


def test_events_begin_with_what_is_there_and_go_on_with_the_run(served):
    answer = ask(served, f"/events?token={served.token}")
    assert answer.headers["Content-Type"] == "text/event-stream"
    before = event(answer)
    resume(served.log, budget=80)
    after = event(answer)
    for _ in range(20):  # the log may be told in the middle of the session
        if "ahead so far" not in after["summary"]["headline"]:
            break
        after = event(answer)
    assert json.loads(json.dumps(read_page_data(served.log)))["summary"] == after["summary"]
    assert before["summary"]["figures"]["Evaluations"] != after["summary"]["figures"]["Evaluations"]


def test_a_log_that_is_gone_leaves_the_last_state_with_the_reason(served):
    served.log.rename(served.log.with_suffix(".moved"))
    assert eventually(lambda: "there is no log" in served.feed.news[1]["run"]["state"])
    assert served.feed.news[1]["pictures"]


# --- clients that never finish, that reset, and that ask for nonsense ---------------------------


@pytest.fixture
def server(tmp_path) -> Iterator[LiveServer]:
    served = LiveServer(Feed(dict, tmp_path / "log"))
    thread = threading.Thread(target=served.serve)
    thread.start()
    yield served
    served.end()
    thread.join()


def connected(server: LiveServer, words: bytes = b"") -> socket.socket:
    client = socket.create_connection(("127.0.0.1", server.port), timeout=20)
    client.sendall(words)
    return client


def status(server: LiveServer, path: str) -> int:
    asked = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
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
    monkeypatch.setattr(live, "PATIENCE", 100)
    waiting = [connected(server, b"GET / HTTP/1.1\r\nHost: ") for _ in range(200)]
    assert status(server, "/") == 403
    assert eventually(lambda: len(server._half_open) <= HALF_OPEN)
    assert [client.recv(10) for client in waiting[:100]] == [b""] * 100, "the oldest are closed"
    for client in waiting:
        client.close()


def test_an_idle_connection_is_closed(server, monkeypatch):
    assert live.PATIENCE <= 10
    monkeypatch.setattr(live, "PATIENCE", 0.1)
    with connected(server, b"GET / HTT") as client:
        assert client.recv(10) == b""


def test_a_client_that_resets_leaves_no_traceback(server, caplog):
    connected(server, b"GET / HTTP").close()
    for words in (b"", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\n\r\n"):
        client = connected(server, words)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
    assert status(server, "/") == 403
    assert caplog.text == ""


def test_an_error_of_ones_own_is_shown(server, caplog):
    server._answer = None  # type: ignore[assignment, method-assign]
    with connected(server, b"GET / HTTP/1.1\r\n\r\n") as client:
        assert client.recv(10) == b""
    assert eventually(lambda: "TypeError" in caplog.text)

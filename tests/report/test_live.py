"""The live page: only this machine with the token, the data of the report, news as they come."""

from __future__ import annotations

import http.client
import json
import re
import threading
from collections.abc import Iterator

import pytest

from racing.report.live import Feed, LiveServer
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
    server.feed.start()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server
    for connection, answer in server.opened:
        answer.close()
        connection.close()
    server.end()
    thread.join()


def ask(server: LiveServer, path: str, **headers: str):
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=20)
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
    assert ask(served, path, Host=f"localhost:{served.server_port}").status == 200
    assert ask(served, f"/nothing?token={served.token}").status == 404


def test_it_listens_on_loopback_alone(served):
    assert served.server_address[0] == "127.0.0.1"


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
    assert eventually(lambda: "there is no log" in served.feed.data["run"]["state"])
    assert served.feed.data["pictures"]

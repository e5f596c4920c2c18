"""The server of the live page: it answers by its address, and ends with Ctrl+C."""

from __future__ import annotations

import socket
import threading
import urllib.request
import webbrowser
from pathlib import Path

import pytest

from racing.base.errors import InputError, LogError
from racing.cli import exits
from racing.cli.web import serve
from racing.report.live import LiveServer


def served(log: Path, monkeypatch: pytest.MonkeyPatch, **how: bool) -> list[str]:
    """The page, asked for while it is served; then Ctrl+C is pressed."""
    pages: list[str] = []
    forever = LiveServer.serve

    def interrupted(server: LiveServer) -> None:
        def ask() -> None:
            with urllib.request.urlopen(server.address, timeout=10) as answer:
                pages.append(answer.read().decode())
            server.end()

        asking = threading.Thread(target=ask)
        asking.start()
        forever(server)
        asking.join()
        raise KeyboardInterrupt

    monkeypatch.setattr(LiveServer, "serve", interrupted)
    assert serve(log, **how) == exits.OK  # type: ignore[arg-type]
    return pages


def test_the_printed_address_has_the_page_until_it_is_interrupted(log, monkeypatch, capsys):
    [page] = served(log, monkeypatch)
    assert "<title>" in page
    address = capsys.readouterr().err.split()[0]
    assert address.startswith("http://127.0.0.1:")
    with pytest.raises(OSError):
        urllib.request.urlopen(address, timeout=2)


@pytest.mark.parametrize("show", [False, True])
def test_a_browser_is_opened_only_if_asked_for(log, monkeypatch, capsys, show):
    shown: list[str] = []
    monkeypatch.setattr(webbrowser, "open", shown.append)
    served(log, monkeypatch, show=show)
    assert shown == [capsys.readouterr().err.split()[0]] * show


def test_a_port_that_is_taken_is_named(log):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"port {port}: cannot listen there"):
            serve(log, port=port)


def test_a_log_that_is_not_there_is_refused_before_anything_is_served(tmp_path):
    with pytest.raises(LogError, match="there is no log"):
        serve(tmp_path / "none.sqlite")

"""Watching a run, telling of it in JSON, and calling the user's command at its end."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
import webbrowser
from pathlib import Path

import pytest

from racing.base.errors import InputError, LogError
from racing.cli import exits, main
from racing.cli.watch import serve
from racing.log import SQLiteLog
from racing.report import gather
from racing.report.live import LiveServer
from racing.runner.loop import RunOptions
from racing.runner.notify import notify
from racing.runner.run import resume
from racing.runner.run import run as run_race
from tests.runs_kit import calls, write_scenario


def run(folder: Path, *options: str, **keys: object) -> Path:
    log = folder / "log.sqlite"
    scenario = write_scenario(folder, candidates=3, instances=6, **keys)
    main(["run", str(scenario), "--log", str(log), *options])
    return log


def test_a_run_is_shown_with_its_workers_and_ends_when_it_is_over(tmp_path, capsys):
    log = run(tmp_path, "--quiet")
    capsys.readouterr()
    assert main(["watch", str(log)]) == 0  # no --once: it ends by itself, as the run is over
    said = capsys.readouterr().out
    assert "over:" in said
    assert "evaluations" in said
    assert "in-process" in said
    assert "rank" in said
    assert main(["watch", str(log), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["finished"]
    assert [one["name"] for one in data["workers"]] == ["in-process"]
    assert data["spent"]["decided"] == data["evaluations"]


def test_evaluations_of_an_instance_under_way_are_counted(tmp_path, capsys):
    log = tmp_path / "log.sqlite"
    run_race(
        write_scenario(tmp_path),
        log=log,
        options=RunOptions(interrupted=lambda: len(calls(tmp_path)) >= 5),
    )
    assert main(["watch", str(log), "--once"]) == 0
    said = capsys.readouterr().out
    assert "0 evaluations · 0 instances complete · 5 on instances under way" in said
    assert re.search(r"in-process +5 +\d+ %  candidate 5 on instance 1", said)


def test_counts_and_workers_are_of_one_moment_of_the_log(tmp_path, capsys, monkeypatch):
    log, scenario = tmp_path / "log.sqlite", write_scenario(tmp_path)
    few = RunOptions(interrupted=lambda: len(calls(tmp_path)) >= 5)
    run_race(scenario, log=log, options=few)

    def gather_while_the_run_goes_on(book):
        facts = gather(book)
        resume(log)
        return facts

    monkeypatch.setattr("racing.cli.watch.gather", gather_while_the_run_goes_on)
    assert main(["watch", str(log), "--once"]) == 0
    said = capsys.readouterr().out
    assert "5 on instances under way" in said
    assert re.search(r"in-process +5 +", said)
    assert len(calls(tmp_path)) > 5, "the run went on meanwhile"


def test_failures_are_shown_with_their_last_lines(tmp_path, capsys):
    log = run(tmp_path, "--quiet")
    with SQLiteLog.open(log, write=False) as book:
        header, entrants = book.header, book.entrants()
        (told, *_), (first, *_) = book.outcomes(), book.instances()
    other = tmp_path / "failing.sqlite"
    from dataclasses import replace

    from racing.core.experiment import Status

    with SQLiteLog.create(other, header) as book:
        book.add(entrants)
        message = "crashed: exit status 1\n" + "\n".join(f"line {k}" for k in range(9))
        failed = replace(told, cost=float("inf"), status=Status.CRASHED, message=message)
        book.record(failed, first)
    capsys.readouterr()
    assert main(["watch", str(other), "--once"]) == 0
    said = capsys.readouterr().out
    assert "1 failed, lastly:" in said
    assert "crashed: exit status 1" in said
    assert "line 8" in said
    assert "line 5" not in said


def test_json_lines_tell_every_outcome_and_verdict(tmp_path, capsys):
    log = run(tmp_path, "--log-format", "json")
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    with SQLiteLog.open(log, write=False) as book:
        outcomes, verdicts = book.outcomes(), book.verdicts()
    told = [line for line in lines if line["event"] == "outcome"]
    assert [(one["candidate"], one["step"], one["cost"]) for one in told] == [
        (one.candidate, one.step, one.cost) for one in outcomes
    ]
    dropped = [line["dropped"] for line in lines if line["event"] == "verdict"]
    assert dropped == [[e.candidate for e in verdict.eliminated] for verdict in verdicts]
    assert all(line["time"] for line in lines)


def teller(folder: Path) -> tuple[str, Path]:
    """A command that writes what it is told into a file."""
    told = folder / "told.json"
    script = folder / "tell.py"
    script.write_text(
        "import json, os\n"
        "names = 'RACING_EVENT', 'RACING_RUN', 'RACING_MESSAGE'\n"
        f"json.dump([os.environ[name] for name in names], open({str(told)!r}, 'w'))\n"
    )
    return f"{sys.executable} {script}", told


def test_the_users_command_hears_of_the_end(tmp_path):
    command, told = teller(tmp_path)
    log = run(tmp_path, "--quiet", execution={"engine": "in-process", "notify": command})
    event, where, message = json.loads(told.read_text())
    assert (event, where) == ("finished", str(log.absolute()))
    assert message


def test_a_command_that_fails_is_logged_and_does_no_harm(tmp_path, caplog):
    notify(f"{sys.executable} -c 'exit(3)'", "failed", run=tmp_path, message="no")
    notify("./there-is-no-such-program", "failed", run=tmp_path, message="no")
    assert [record.levelname for record in caplog.records] == ["WARNING"] * 2
    assert "notify command failed" in caplog.text


@pytest.mark.parametrize("once", [True, False])
def test_a_log_that_is_not_there(tmp_path, capsys, once):
    assert main(["watch", str(tmp_path / "none.sqlite"), *(["--once"] if once else [])]) == 4
    assert "there is no log" in capsys.readouterr().err


def test_the_page_of_a_run_is_served_and_can_be_reached_from_another_computer(tmp_path):
    command = [sys.executable, "-m", "racing", "watch", str(run(tmp_path, "--quiet")), "--web"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        address, ends, tunnel = (process.stderr.readline() for _ in range(3))
        port = re.search(r":(\d+)/", address)[1]
        with urllib.request.urlopen(address.strip(), timeout=60) as page:
            assert b"<html" in page.read()
        process.send_signal(signal.SIGINT)
    assert process.returncode == 0
    assert "Ctrl+C ends it" in ends
    assert f"`ssh -N -L {port}:127.0.0.1:{port} " in tunnel


# --- the server of the live page: it answers by its address, and ends with Ctrl+C ---


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


def test_a_port_that_cannot_be_is_refused(log):
    with pytest.raises(
        InputError, match="--port must be a whole number from 0 to 65535; got 80000"
    ):
        serve(log, port=80000)


def test_a_log_that_is_not_there_is_refused_before_anything_is_served(tmp_path):
    with pytest.raises(LogError, match="there is no log"):
        serve(tmp_path / "none.sqlite")

"""The real program: streams, pipes, a terminal, and what it leaves behind."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys

import pytest

from racing.runner.run import run as run_race
from tests.runs_kit import racing, write_scenario

ESCAPE = "\x1b"
PATIENCE = 60.0


@pytest.fixture
def scenario(tmp_path):
    return write_scenario(tmp_path, noise=0.3, pause=0.01)


def on_a_terminal(*arguments: object, err_only: bool = False) -> tuple[str, str]:
    """(what came to the terminal, what came to a piped stdout) of a command."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "racing", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if err_only else theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"},
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            data = os.read(ours, 4096)
        except OSError:  # Linux says so when the other side is closed
            break
        if not data:
            break
        shown += data
    out = process.communicate(timeout=PATIENCE)[0] if err_only else b""
    os.close(ours)
    process.wait(timeout=PATIENCE)
    return shown.decode(), (out or b"").decode()


def test_a_terminal_gets_a_live_line_and_a_pipe_only_the_result(scenario, tmp_path):
    shown, out = on_a_terminal("run", scenario, "--log", tmp_path / "l.sqlite", err_only=True)
    assert ESCAPE not in out
    assert out.startswith("The race is over: ")
    assert re.search(r"\d+/8 left · \d+/25 instances · best #1 \S+ · \d+ evaluations", shown)
    assert ESCAPE in shown, "the live line is drawn again in place"
    after = shown.rpartition("/8 left")[2]
    assert f"{ESCAPE}[2K" in after, "the live line goes when the race is over"


def test_a_terminal_that_is_closed_does_not_end_the_run(scenario, tmp_path):
    log = tmp_path / "l.sqlite"
    ours, theirs = pty.openpty()
    run = [sys.executable, "-m", "racing", "run", str(scenario), "--log", str(log)]
    process = subprocess.Popen(
        ["sh", "-c", 'trap "" HUP; exec "$@"', "sh", *run],
        stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
        env={**os.environ, "TERM": "xterm"},
    )  # fmt: skip
    os.close(theirs)
    while ESCAPE.encode() not in os.read(ours, 4096):
        pass  # until the live line is there
    os.close(ours)
    assert process.wait(timeout=PATIENCE) == 0
    assert run_ended(log)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_result_that_cannot_be_printed_is_recorded(scenario, tmp_path, options):
    log = tmp_path / "l.sqlite"
    with open("/dev/full", "w") as full:
        process = subprocess.run(
            [sys.executable, "-m", "racing", "run", scenario, "--log", log, "--quiet", *options],
            stdout=full, stderr=subprocess.PIPE, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
    assert process.returncode == 0
    assert "the run is recorded, but its result cannot be printed (No space left" in process.stderr
    assert f"racing show {log}" in process.stderr
    assert run_ended(log)


def unread(*arguments: object) -> tuple[int, str]:
    """(exit code, stderr) of a command whose stdout is closed before it prints anything."""
    with racing(*arguments) as process:
        process.stdout.close()
        said = process.stderr.read()
        return process.wait(timeout=PATIENCE), said


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_the_exit_code_of_a_run_does_not_depend_on_a_reader(scenario, tmp_path, options):
    log = tmp_path / "l.sqlite"
    code, said = unread("run", scenario, "--log", log, "--quiet", "--budget", "17", *options)
    assert code == 1
    assert "the budget was too small to choose" in said
    assert "BrokenPipe" not in said


def test_a_failed_check_does_not_depend_on_a_reader(tmp_path):
    failing = write_scenario(tmp_path, target={"command": "echo no {parameters}"})
    code, said = unread("check", failing)
    assert code == 3
    assert "BrokenPipe" not in said


def test_pipes_get_plain_lines(scenario, tmp_path):
    process = racing("run", scenario, "--log", tmp_path / "l.sqlite")
    out, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert ESCAPE not in out + said
    assert "\r" not in out + said
    assert said.startswith("Objective: the best mean rank by cost over the instances")
    assert re.search(r"^dropped \d+: .*\d+/8 left · 5/25 instances · ", said, re.MULTILINE)
    assert "best #1" in said


def test_quiet_says_nothing_on_stderr_even_on_a_terminal(scenario, tmp_path):
    log = tmp_path / "l.sqlite"
    shown, out = on_a_terminal("run", scenario, "--log", log, "--quiet", err_only=True)
    assert shown == ""
    assert "Winner: #1" in out


def test_tables_keep_to_the_window(scenario, tmp_path):
    run_race(scenario, log=tmp_path / "l.sqlite")
    shown, _ = on_a_terminal("show", tmp_path / "l.sqlite")
    plain = re.sub(ESCAPE + r"\[[?\d;]*[A-Za-z]", "", shown)
    table = [line for line in plain.splitlines() if line.startswith(" ")]
    assert table
    assert all(len(line) <= 100 for line in table)


def test_what_c_code_prints_does_not_mix_with_the_result(tmp_path):
    (tmp_path / "prints.py").write_text(
        "import ctypes, os\n"
        "def solve(values, *_):\n"
        "    os.write(1, b'direct\\n')\n"
        "    ctypes.CDLL(None).puts(b'buffered')\n"
        "    return values['x']\n"
    )
    scenario = write_scenario(tmp_path, target={"python": "prints.py:solve"})
    for command in ("check", "run"):
        done = subprocess.run(
            [sys.executable, "-m", "racing", command, str(scenario), "--json"],
            capture_output=True,
            text=True,
            check=True,
        )
        json.loads(done.stdout)
        assert "direct" in done.stderr
        assert "buffered" in done.stderr


def test_a_reader_that_goes_away_is_no_error(scenario, tmp_path):
    run_race(scenario, log=tmp_path / "l.sqlite")
    process = racing("show", tmp_path / "l.sqlite")
    process.stdout.close()
    said = process.stderr.read()
    assert process.wait(timeout=PATIENCE) == 0
    assert said == ""
    process.stderr.close()


def test_a_race_goes_on_when_nobody_hears_its_progress(scenario, tmp_path):
    process = racing("run", scenario, "--log", tmp_path / "l.sqlite")
    process.stderr.close()
    out = process.stdout.read()
    assert process.wait(timeout=PATIENCE) == 0
    assert "Winner: #1" in out
    process.stdout.close()


def run_ended(log) -> bool:
    from racing.log import SQLiteLog

    with SQLiteLog.open(log, write=False) as book:
        return book.finished is not None


def test_an_old_encoding_gets_what_it_can_show(scenario, tmp_path):
    run_race(scenario, log=tmp_path / "l.sqlite")
    done = subprocess.run(
        [sys.executable, "-m", "racing", "show", str(tmp_path / "l.sqlite")],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        timeout=PATIENCE,
    )
    assert done.returncode == 0
    assert b"Standing after" in done.stdout
    assert done.stderr == b""


def run_json(scenario):
    """(exit code, result) of a run."""
    with racing("run", scenario, "--json", "--quiet") as process:
        return process.wait(timeout=PATIENCE), json.loads(process.stdout.read())


def test_a_python_target_that_ends_its_process_does_not_end_the_run(tmp_path):
    """One job, and no word about engines: it runs in a child."""
    (tmp_path / "ends.py").write_text(
        "import os\n"
        "def solve(values, instance, seed):\n"
        "    if values['x'] > 0.8:\n"
        "        os._exit(0)\n"
        "    try:\n"
        "        return values['x']\n"
        "    finally:\n"
        "        pass\n"
    )
    scenario = write_scenario(
        tmp_path,
        target={"python": "ends.py:solve"},
        instances=1,
        race={"first_test": 1},
        execution={"jobs": 1},
    )
    code, data = run_json(scenario)
    assert code == 0
    assert data["winner"] is not None
    assert (data["evaluations"], data["failures"]) == (8, 1)
    messages = [each["message"] for each in data["messages"]]
    assert any("its worker process died twice, lastly by EXIT(0)" in each for each in messages)


def test_a_python_target_that_swallows_everything_does_not_hang_the_run(tmp_path):
    (tmp_path / "stays.py").write_text(
        "import time\n"
        "def solve(values, instance, seed):\n"
        "    while True:\n"
        "        try:\n"
        "            time.sleep(100)\n"
        "        except BaseException:\n"
        "            pass\n"
    )
    scenario = write_scenario(
        tmp_path,
        target={"python": "stays.py:solve", "timeout": 0.1},
        candidates=2,
        instances=1,
        race={"first_test": 1},
        execution={"jobs": 1},
    )
    code, data = run_json(scenario)
    assert (code, data["stopped"]) == (1, "all_failed")


@pytest.mark.parametrize("command", [("show", "l.sqlite"), ("check", "race.yaml", "--no-run")])
def test_what_computes_nothing_starts_without_scipy(scenario, tmp_path, command):
    run_race(scenario, log=tmp_path / "l.sqlite")
    name, path, *options = command
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "racing", name, str(tmp_path / path), *options],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "numpy" in done.stderr
    assert "scipy" not in done.stderr

"""What works without the calls that Windows lacks: reading, comparing, statistics and pages.

Windows itself is not here. A process takes away its modules and functions before it imports the
package: what is used all the same fails.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MODULES = ("fcntl", "grp", "pwd", "resource", "termios")
CALLS = {
    "os": "fork forkpty getpgid getpgrp getuid killpg pidfd_open setpgid setsid sysconf uname "
    "wait4 waitid WNOWAIT",
    "select": "poll epoll",
    "signal": "SIGALRM SIGCHLD SIGKILL SIGSTOP SIGUSR1 SIGUSR2 SIGXCPU SIG_BLOCK SIG_SETMASK "
    "ITIMER_REAL alarm setitimer pthread_sigmask siginterrupt",
}  # https://docs.python.org/3/library/os.html and signal.html: "Availability: Unix"
WITHOUT = f"""
import os, select, signal, sys
import asyncio, concurrent.futures, http.server, importlib.metadata, multiprocessing, subprocess
import matplotlib, numpy, scipy.stats
for name in {MODULES!r}:
    sys.modules[name] = None
for module, names in {CALLS!r}.items():
    for name in names.split():
        vars(sys.modules[module]).pop(name, None)
"""


def run(code: str, folder: Path) -> str:
    """What a program prints, if it ends well without those calls."""
    command = [sys.executable, "-c", WITHOUT + code]
    told = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert not told.returncode, told.stderr
    return told.stdout


def test_every_public_name_can_be_imported(tmp_path: Path) -> None:
    told = run("import racing\nfor name in racing.__all__: print(getattr(racing, name))", tmp_path)
    assert len(told.splitlines()) >= 20


@pytest.mark.parametrize("command", ["compare", "check", "plan", "schema", "init"])
def test_every_command_that_only_reads_shows_its_help(command: str, tmp_path: Path) -> None:
    code = f"from racing.cli import main\ntry: main([{command!r}, '--help'])\n"
    assert run(f"{code}except SystemExit as end: assert not end.code", tmp_path).startswith("usage")


def test_a_table_is_compared_and_a_page_is_written(tmp_path: Path) -> None:
    rows = "\n".join(f"{k},{k % 7},{k % 7 + 1 + k % 2}" for k in range(20))
    (tmp_path / "table.csv").write_text(f"instance,a,b\n{rows}\n")
    options = ["table.csv", "--html", "page.html", "--cd", "cd.svg"]
    told = run(f"from racing.cli import main\nassert not main({['compare', *options]!r})", tmp_path)
    assert "a" in told
    assert (tmp_path / "page.html").stat().st_size
    assert (tmp_path / "cd.svg").read_text().startswith("<?xml")


def test_the_page_on_support_lists_the_calls_that_are_used() -> None:
    page = (ROOT / "docs" / "support.md").read_text(encoding="utf-8")
    source = "\n".join(file.read_text() for file in sorted((ROOT / "racing").rglob("*.py")))
    calls = [f"{module}.{name}" for module in CALLS for name in CALLS[module].split()]
    used = {call for call in calls if re.search(rf"\b{re.escape(call)}\b", source)}
    used |= {name for name in MODULES if re.search(rf"^\s*import {name}$", source, re.MULTILINE)}
    assert len(used) >= 10
    assert {call for call in used if f"`{call}" not in page} == set()

"""The watchdog kills the groups that are alive when its pipe ends, and no others."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from racing.evaluate.watchdog import Watchdog
from tests.evaluate.test_pool import exactly
from tests.waiting import eventually


@pytest.mark.parametrize("killed", [False, True], ids=["alive", "killed"])
def test_groups_that_did_not_leave_are_killed_also_by_the_watchdog_of_a_watchdog(
    killed: bool,
) -> None:
    """One that was killed is replaced by one that knows all groups."""
    stays, leaves = (subprocess.Popen(["sleep", "1000"], start_new_session=True) for _ in "ab")
    try:
        watchdog = Watchdog("no such mark in any environment")
        watchdog.enter(stays.pid)
        watchdog.enter(leaves.pid)
        if killed:
            first = watchdog._process
            first.kill()
            assert eventually(lambda: watchdog._process is not first)
        watchdog.leave(leaves.pid)
        watchdog.close()  # its pipe ends, as it does when this process dies
        assert stays.wait(60) == -signal.SIGKILL
        assert leaves.poll() is None
    finally:
        for process in (stays, leaves):
            process.kill()
            process.wait()


def test_a_mark_is_enough_where_there_is_no_group() -> None:
    mark = f"RACING_MARK_{os.getpid()}"
    marked = subprocess.Popen(["sleep", "1000"], env={mark: "1"})
    try:
        watchdog = Watchdog(f"{mark}=")
        watchdog.enter(0)
        watchdog.close()
        assert marked.wait(60) == -signal.SIGKILL
    finally:
        marked.kill()
        marked.wait()


SPAWNER = """
import os, time
while True:
    if os.fork() == 0:
        time.sleep(1000)
    time.sleep(0.0005)
"""


def marked(mark: str) -> list[int]:
    """Live processes with this in their environment."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if mark.encode() in path.read_bytes():
                found.append(int(path.parent.name))
    return found


def test_processes_that_start_while_others_are_killed_are_killed_too() -> None:
    mark = f"RACING_MARK_{os.getpid()}="
    spawner = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", SPAWNER],
        env={mark[:-1]: "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (5, 5)),
    )
    try:
        watchdog = Watchdog(mark)
        watchdog.enter(0)
        assert eventually(lambda: len(marked(mark)) > 20)
        watchdog.close()
        assert spawner.wait(60) == -signal.SIGKILL
        assert eventually(lambda: not marked(mark))
    finally:
        spawner.kill()
        spawner.wait()
        for pid in marked(mark):
            os.kill(pid, signal.SIGKILL)


CONTROLLER = """
import os, signal, subprocess, sys
from racing.evaluate.groups import Groups
groups = Groups(guarded=True)
groups.prepare()
name, _, number = groups.mark().partition("=")
environment = {**os.environ, name: number}
subprocess.Popen(sys.argv[1].split(), start_new_session=True, env=environment)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_program_that_has_just_started_dies_with_its_controller() -> None:
    """The controller is killed before it has entered the program's group."""
    sleep = f"sleep 1004.{os.getpid()}"
    controller = subprocess.run([sys.executable, "-c", CONTROLLER, sleep], check=False)
    assert controller.returncode == -signal.SIGKILL
    assert eventually(lambda: not exactly(sleep))

"""A process and its descendants, as Linux tells of them in /proc; elsewhere the process alone.

A descendant that has moved itself into a session of its own leaves the process group, but stays in
the family for as long as its parents live. One that has lost its parents too (a daemon) is found by
a mark in the environment that it was started with. Who clears the environment besides is not found.
"""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

PROC = Path("/proc")
MARK = "RACING_FAMILY_"
"""How the variable of the environment begins; the name of a run follows. So a run within a command
of another run adds its own mark, and does not hide the other's."""


def members(pid: int) -> dict[int, str]:
    """Process → when it was started, for a process and all its living descendants.

    The start tells a process from a later one that got the same number.
    """
    found: dict[int, str] = {}
    waiting = [pid]
    while waiting:
        one = waiting.pop()
        if one not in found and (fields := _stat(one)):
            found[one] = fields[19]
            waiting += _children(one)
    return found


def marked(run: str) -> dict[int, tuple[str, str]]:
    """Process → its mark and when it was started, for all that a run has started, wherever."""
    found: dict[int, tuple[str, str]] = {}
    prefix = f"{MARK}{run}=".encode()
    for folder in PROC.glob("[0-9]*"):
        with contextlib.suppress(OSError):  # gone, or another user's
            at = (environment := (folder / "environ").read_bytes()).find(prefix)
            if at >= 0 and (fields := _stat(int(folder.name))):
                mark = environment[at:].partition(b"\0")[0]
                found[int(folder.name)] = mark.decode(), fields[19]
    return found


def cpu_seconds(pid: int) -> float:
    """Processor seconds of a process, its living descendants, and those they have waited for."""
    ticks = 0
    for one in members(pid):
        ticks += sum(map(int, _stat(one)[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def kill(family: dict[int, str]) -> None:
    """Kill those of a family that are still alive."""
    for pid, start in family.items():
        fields = _stat(pid)
        if fields and fields[19] == start:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat from the third on; none if there is no such process."""
    try:
        return (PROC / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return []


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for task in PROC.glob(f"{pid}/task/[0-9]*/children"):
        with contextlib.suppress(OSError):
            found += map(int, task.read_text().split())
    return found

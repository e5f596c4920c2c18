"""A process and its descendants, from Linux's /proc; elsewhere the process alone.

A descendant in a new session leaves the process group, but stays in the family while its parents
live. One that has lost its parents too (a daemon) is found by a mark in its environment. If it also
clears the environment, it is not found.
"""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

PROC = Path("/proc")
MARK = "RACING_FAMILY_"
"""The prefix of the environment variable; the name of a run follows, so nested runs have different
marks."""


def members(pid: int) -> dict[int, str]:
    """Process → its start time, for a process and all its live descendants.

    The start time identifies a process if its number is reused.
    """
    found: dict[int, str] = {}
    waiting = [pid]
    while waiting:
        one = waiting.pop()
        if one not in found and (fields := _stat(one)):
            found[one] = fields[19]
            waiting += _children(one)
    return found


def children(pid: int) -> set[int]:
    """The live children of a process; none if the system does not list them."""
    return {one for one in _children(pid) if (fields := _stat(one)) and fields[0] not in "ZX"}


def marked(run: str) -> dict[int, tuple[str, str]]:
    """Process → its mark and start time, for all processes of a run."""
    found: dict[int, tuple[str, str]] = {}
    prefix = f"{MARK}{run}=".encode()
    for folder in PROC.glob("[0-9]*"):
        with contextlib.suppress(OSError):  # ended, or of another user
            at = (environment := (folder / "environ").read_bytes()).find(prefix)
            if at >= 0 and (fields := _stat(int(folder.name))):
                mark = environment[at:].partition(b"\0")[0]
                found[int(folder.name)] = mark.decode(), fields[19]
    return found


def cpu_seconds(pid: int) -> float:
    """Processor seconds of a process, its live descendants, and their reaped children."""
    ticks = 0
    for one in members(pid):
        ticks += sum(map(int, _stat(one)[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def peak_memory(pid: int) -> int:
    """The most bytes that one of a process and its living descendants has held; 0 if unknown."""
    return max(map(held_most, members(pid)), default=0)


def held_most(pid: int) -> int:
    """The most bytes that a process has held; 0 if unknown."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError, PermissionError):
        mark = (PROC / str(pid) / "status").read_text(errors="replace").partition("VmHWM:")[2]
        return int(mark.split(maxsplit=1)[0]) * 1024 if mark else 0
    return 0


def pidfd(pid: int) -> int | None:
    """A file that becomes readable when a process ends, if the system has it."""
    with contextlib.suppress(AttributeError, OSError):
        return os.pidfd_open(pid)
    return None


def kill(family: dict[int, str]) -> None:
    """Kill the live members of a family."""
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

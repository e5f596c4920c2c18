"""A small process that kills our commands and workers if this process dies.

They run in separate sessions, so they would survive. The watchdog reads the live process groups
from a pipe; if the pipe ends while some are alive, this process has died.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading

RESTARTS = 100

# It reads the pipe at intervals and at its end, not at every line, which would cost as much as a
# short command. It looks for marked processes until there are none: those that it is about to kill
# may start others meanwhile.
SCRIPT = """
import glob, os, select, signal, sys
groups, rest, open_ = set(), b"", True
os.set_blocking(0, False)
ended = select.poll()
ended.register(0, 0)
while open_:
    ended.poll(250)
    try:
        while chunk := os.read(0, 65536):
            *lines, rest = (rest + chunk).split(b"\\n")
            for line in lines:
                (groups.add if line[:1] == b"+" else groups.discard)(int(line[1:]))
        open_ = False
    except BlockingIOError:
        pass
for group in groups - {0}:
    try:
        os.killpg(group, signal.SIGKILL)
    except OSError:
        pass
for again in range(100 if groups else 0):
    found = False
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            with open(path, "rb") as file:
                if sys.argv[1].encode() in file.read():
                    os.kill(int(path.split("/")[2]), signal.SIGKILL)
                    found = True
        except OSError:
            pass
    if not found:
        break
    select.select([], [], [], 0.05)
"""


class Watchdog:
    """Watches process groups, in a separate session without Ctrl-C and hang-ups.

    If its process is killed, another one replaces it.

    Parameters
    ----------
    mark
        The environment variable of processes that it kills too, even outside their group.
    """

    def __init__(self, mark: str) -> None:
        self._mark = mark
        self._groups: set[int] = set()
        self._lock = threading.Lock()
        self._closed = False
        self._process = self._started()
        threading.Thread(target=self._keep, name="racing-watchdog", daemon=True).start()

    def enter(self, group: int) -> None:
        """Kill this group if this process dies; group 0 means all marked processes."""
        with self._lock:
            self._groups.add(group)
            self._write(b"+%d\n" % group)

    def leave(self, group: int) -> None:
        """Note that this group has ended."""
        with self._lock:
            self._groups.discard(group)
            self._write(b"-%d\n" % group)

    def close(self) -> None:
        """End it."""
        with self._lock:
            self._closed = True
            self._hang_up()
        self._process.wait()

    def _started(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", SCRIPT, self._mark],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def _keep(self) -> None:
        """Start another process when this one is killed, a limited number of times."""
        for _ in range(RESTARTS):
            self._process.wait()
            with self._lock:
                if self._closed:
                    return
                self._hang_up()
                with contextlib.suppress(OSError):
                    self._process = self._started()
                self._write(b"".join(b"+%d\n" % group for group in self._groups))

    def _hang_up(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def _write(self, line: bytes) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):  # it was killed: another one is started
            os.write(self._process.stdin.fileno(), line)

"""A small process that kills our commands and workers should we die: by SIGKILL, or with our
terminal.

They run in sessions of their own, so nothing else would end them. The watchdog reads which
process groups are alive from a pipe; when the pipe ends while some are, we are gone.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys

# It looks at the pipe now and then and when it ends, not at every line: waking for each would cost
# as much as a short command does.
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
for group in groups:
    try:
        os.killpg(group, signal.SIGKILL)
    except OSError:
        pass
for path in glob.glob("/proc/[0-9]*/environ") if groups else ():
    try:
        with open(path, "rb") as file:
            if sys.argv[1].encode() in file.read():
                os.kill(int(path.split("/")[2]), signal.SIGKILL)
    except OSError:
        pass
"""


class Watchdog:
    """Watches over process groups; a session of its own keeps Ctrl-C and hang-ups from it.

    Parameters
    ----------
    mark
        What stands in the environment of those that it kills too, though they left their group.
    """

    def __init__(self, mark: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", SCRIPT, mark],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert self._process.stdin is not None
        self._pipe = self._process.stdin

    def enter(self, group: int) -> None:
        """Kill this group if we die."""
        self._write(b"+%d\n" % group)

    def leave(self, group: int) -> None:
        """This group is gone."""
        self._write(b"-%d\n" % group)

    def close(self) -> None:
        """End it."""
        with contextlib.suppress(OSError):
            self._pipe.close()
        self._process.wait()

    def _write(self, line: bytes) -> None:
        with contextlib.suppress(OSError):  # should it have been killed, we do without it
            os.write(self._pipe.fileno(), line)

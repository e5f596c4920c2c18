"""Writers to be killed, forked from one process so that they start at once: `python writer.py`.

For every line on stdin, `LOG<tab>PIPE`, a process records the sample's outcomes in LOG, and writes
the number of each to PIPE once the log has acknowledged it. Printed are its id, and a second line
when it is gone.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from samples import CANDIDATES, HEADER, fill

from racing.log import SQLiteLog

PATIENCE = 60.0  # seconds: should nobody kill it


def write(path: Path, pipe: Path) -> None:
    out = os.open(pipe, os.O_WRONLY)
    log = SQLiteLog.open(path, write=True) if path.exists() else SQLiteLog.create(path, HEADER)
    log.begin_session(os.getpid(), "here")
    log.add(CANDIDATES)
    k, end = len(log.outcomes()), time.monotonic() + PATIENCE
    while time.monotonic() < end:
        fill(log, k + 1, start=k)
        k += 1
        os.write(out, f"{k}\n".encode())


def main() -> None:
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            write(*map(Path, line.rstrip("\n").split("\t")))
            os._exit(0)
        print(pid, flush=True)
        os.waitpid(pid, 0)
        print("gone", flush=True)


if __name__ == "__main__":
    main()

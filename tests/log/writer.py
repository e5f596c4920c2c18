"""A process that records the sample's outcomes until it is killed: `python writer.py LOG`.

It prints the number of each outcome once the log has acknowledged it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from samples import CANDIDATES, HEADER, fill

from racing.log import SQLiteLog


def main(path: Path) -> None:
    log = SQLiteLog.open(path, write=True) if path.exists() else SQLiteLog.create(path, HEADER)
    log.begin_sitting(os.getpid(), "here")
    log.add(CANDIDATES)
    k = len(log.outcomes())
    while True:
        fill(log, k + 1, start=k)
        k += 1
        os.write(1, f"{k}\n".encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]))

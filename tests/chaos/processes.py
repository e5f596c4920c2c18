"""Finding processes, to kill them or to see that none is left."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

PATIENCE = 20.0


def marked(mark: str) -> list[int]:
    """Processes with this in their environment that are alive, also after a while."""
    limit, found = time.monotonic() + PATIENCE, [0]
    while found and time.monotonic() < limit:
        found = [pid for pid, what in _files("environ") if mark.encode() in what]
        time.sleep(0.05 if found else 0)
    return found


def workers(parents: set[int]) -> list[int]:
    """Worker processes that these have started."""
    return [
        pid
        for pid, line in _files("cmdline")
        if b"racing.evaluate.engines.child" in line and _parent(pid) in parents
    ]


def named(pids: list[int]) -> list[str]:
    """The command lines of these processes."""
    return [
        f"{pid}: {line.replace(bytes(1), b' ').decode(errors='replace').strip()[:200]}"
        for pid, line in _files("cmdline")
        if pid in pids
    ]


def _files(name: str) -> Iterator[tuple[int, bytes]]:
    for path in Path("/proc").glob(f"[0-9]*/{name}"):
        try:
            yield int(path.parent.name), path.read_bytes()
        except OSError:
            continue


def _parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0

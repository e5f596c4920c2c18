"""What a live page costs the run that it shows: `python -m benchmarks.live_page [--small]`.

A race of trivial evaluations, in a process of its own, once by itself and once while `racing watch
--web` serves its page to a client that takes every event; in turns, five times each. Milliseconds
of the run's processor time for an evaluation, log on.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path


def cost(log: Path, candidates: int, instances: int) -> float:
    """Milliseconds of processor time for an evaluation of a run."""
    words = (
        "--child", "--rule", "none", "--log", log,
        "--candidates", candidates, "--instances", instances,
    )  # fmt: skip
    command = [sys.executable, "-m", "benchmarks.controller", *map(str, words)]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return float(json.loads(out)["cpu_ms"])


@contextlib.contextmanager
def watched(log: Path) -> Iterator[list[int]]:
    """A live page of a run that is about to begin, and how many events a client had of it."""
    had: list[int] = []
    words = [sys.executable, "-m", "racing", "watch", str(log), "--web"]
    waiting = 'until [ -e "$1" ]; do sleep 0.01; done; shift; exec "$@"'
    page = subprocess.Popen(
        ["sh", "-c", waiting, "sh", str(log), *words],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert page.stderr is not None
    said = page.stderr

    def follow() -> None:
        with contextlib.suppress(OSError, ValueError):  # the page was ended before it could answer
            address = said.readline().strip().replace("/?", "/events?")
            with urllib.request.urlopen(address) as events:
                had.extend(map(len, events))

    thread = threading.Thread(target=follow)
    thread.start()
    try:
        yield had
    finally:
        page.kill()  # which ends the events too
        page.wait()
        thread.join()
        said.close()


def main() -> None:
    """Measure in turns, and print medians and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true")
    args = parser.parse_args()
    size, repeats = ((20, 50), 1) if args.small else ((200, 300), 5)
    alone, beside, events = [], [], 0
    for number in range(repeats):
        with tempfile.TemporaryDirectory() as folder:
            alone.append(cost(Path(folder, "alone.sqlite"), *size))
            log = Path(folder, f"watched-{number}.sqlite")
            with watched(log) as had:
                beside.append(cost(log, *size))
                events += len(had)
    one, other = statistics.median(alone), statistics.median(beside)
    print(f"alone {one:.4f} ms, with a live page {other:.4f} ms: ratio {other / one:.2f}")
    print(json.dumps({"alone": alone, "beside": beside, "lines of events": events}))


if __name__ == "__main__":
    main()

"""How long do `import racing` and `racing --help` take, against `import numpy`?

    python benchmarks/imports.py [--pairs 15]

Each pair starts one interpreter for either side, in alternating order, so that what slows the
machine down slows both. Printed: the median of each, with the interpreter's own start (which both
contain) beside it, and the median ratio of the pairs; the aim is 2 at most.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time

NUMPY = [sys.executable, "-c", "import numpy"]
OURS = {
    "import racing": [sys.executable, "-c", "import racing"],
    "racing --help": [sys.executable, "-m", "racing", "--help"],
}


def seconds(command: list[str]) -> float:
    """How long a command takes."""
    begun = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begun


def pairs(command: list[str], n: int) -> list[tuple[float, float]]:
    """(ours, numpy's) seconds, n times."""
    timed = []
    for k in range(n):
        if k % 2:
            numpy, ours = seconds(NUMPY), seconds(command)
        else:
            ours, numpy = seconds(command), seconds(NUMPY)
        timed.append((ours, numpy))
    return timed


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=15, help="how many pairs (default: 15)")
    n = parser.parse_args().pairs
    bare = statistics.median(seconds([sys.executable, "-c", "pass"]) for _ in range(n))
    print(f"the interpreter alone: {1000 * bare:.0f} ms")
    for name, command in OURS.items():
        seconds(command)  # once for the file cache
        timed = pairs(command, n)
        ours, numpy = (statistics.median(column) for column in zip(*timed, strict=True))
        ratio = statistics.median(a / b for a, b in timed)
        print(f"{name}: {1000 * ours:.0f} ms, import numpy: {1000 * numpy:.0f} ms, "
              f"ratio {ratio:.2f}")  # fmt: skip


if __name__ == "__main__":
    main()

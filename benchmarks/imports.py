"""What `import racing` and small commands take of the processors, against `import numpy`.

    python benchmarks/imports.py [--pairs 15]

Each pair starts one interpreter for either side, in alternating order, so that what slows the
machine down slows both. Printed: the median of each, with the interpreter's own start (which both
contain) beside it, and the median ratio of the pairs; the aim is 2.8 at most, and 3.5 on searches.
Both sides read compiled modules, from a folder of their own, whatever the environment says of
writing them.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

NUMPY = [sys.executable, "-c", "import numpy"]
OURS = {
    "import racing": [sys.executable, "-c", "import racing"],
    "racing --help": [sys.executable, "-m", "racing", "--help"],
    "racing schema": [sys.executable, "-m", "racing", "schema"],
    "racing check": [sys.executable, "-m", "racing", "check", "race.yaml"],
    "racing check --no-run": [sys.executable, "-m", "racing", "check", "--no-run", "race.yaml"],
    "racing show": [sys.executable, "-m", "racing", "show", "race.sqlite"],
    "racing check --no-run, a search": [
        sys.executable, "-m", "racing", "check", "--no-run", "search.yaml",
    ],
    "racing show, a search": [sys.executable, "-m", "racing", "show", "search.sqlite"],
    "racing plan, a search": [sys.executable, "-m", "racing", "plan", "search.yaml"],
}  # fmt: skip
SCENARIO = """
target: {command: "sh -c 'echo 1' sh {parameters}"}
space: {x: {real: [0, 1]}}
candidates: {sample: 20}
instances: [a, b, c, d, e, f, g, h, i, j]
budget: 100
"""
SEARCH = """
target: {command: "sh -c 'echo 1' sh {parameters}"}
space: {x: {real: [0, 1], default: 0.5}, y: {integer: [1, 100], default: 5}}
search: true
instances: {list: [a, b, c, d, e, f, g, h, i, j], repeat: true}
budget: 100
"""


def seconds(command: list[str], folder: Path) -> float:
    """What a command takes of the processors in this folder, its children included."""
    paths = [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    ours = {"PYTHONPYCACHEPREFIX": str(folder / "cache"), "PYTHONPATH": os.pathsep.join(paths)}
    environment = {**os.environ, **ours}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    begun = _children()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, cwd=folder, env=environment)
    return _children() - begun


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def pairs(command: list[str], n: int, folder: Path) -> list[tuple[float, float]]:
    """(ours, numpy's) seconds, n times."""
    timed = []
    for k in range(n):
        if k % 2:
            numpy, ours = seconds(NUMPY, folder), seconds(command, folder)
        else:
            ours, numpy = seconds(command, folder), seconds(NUMPY, folder)
        timed.append((ours, numpy))
    return timed


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=15, help="how many pairs (default: 15)")
    n = parser.parse_args().pairs
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for name, scenario in (("race", SCENARIO), ("search", SEARCH)):
            (folder / f"{name}.yaml").write_text(scenario, encoding="utf-8")
            run = [sys.executable, "-m", "racing", "run", f"{name}.yaml", "--quiet"]
            seconds([*run, "--log", f"{name}.sqlite"], folder)
        _measure(n, folder)


def _measure(n: int, folder: Path) -> None:
    bare = statistics.median(seconds([sys.executable, "-c", "pass"], folder) for _ in range(n))
    print(f"the interpreter alone: {1000 * bare:.0f} ms")
    for name, command in OURS.items():
        seconds(command, folder)  # once for the file cache
        timed = pairs(command, n, folder)
        ours, numpy = (statistics.median(column) for column in zip(*timed, strict=True))
        ratio = statistics.median(a / b for a, b in timed)
        print(f"{name}: {1000 * ours:.0f} ms, import numpy: {1000 * numpy:.0f} ms, "
              f"ratio {ratio:.2f}")  # fmt: skip


if __name__ == "__main__":
    main()

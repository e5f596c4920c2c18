"""Apply each mutation to a copy of the project, and run the tests that must catch it."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests.mutants import MUTATIONS
from tests.mutants.mutation import Mutation, TableError

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "build", "runs", "*.egg-info", "*.npz")
SECONDS = 600
"""After which the tests of a mutation are ended; one that only makes tests hang is not caught."""


def copy(folder: Path) -> Path:
    """A copy of the project, without what no test in the tables needs."""
    shutil.copytree(ROOT, folder, ignore=LEFT_OUT, symlinks=True)
    return folder


def run_tests(root: Path, tests: Iterable[str], seconds: float | None = None) -> tuple[int, str]:
    """(exit code of pytest, what it printed); −1 if it had to be ended."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--tb=line"]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    try:
        done = subprocess.run(
            [*command, *(f"tests/{test}" for test in tests)],
            cwd=root, env=environment, capture_output=True, text=True, timeout=seconds,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return -1, f"the tests did not end within {seconds} s"
    return done.returncode, done.stdout + done.stderr


def verdict(mutation: Mutation, root: Path) -> tuple[bool, str]:
    """(whether a test caught the mutation, what to say)."""
    try:
        file, mutated = mutation.applied(root)
    except TableError as error:
        return False, str(error)
    path = root / "racing" / file
    original = path.read_text(encoding="utf-8")
    try:
        path.write_text(mutated, encoding="utf-8")
        code, output = run_tests(root, mutation.tests, SECONDS)
    finally:
        path.write_text(original, encoding="utf-8")
    if code == 1:
        return True, "caught"
    if code < 0:  # what waits for something that the mutation prevents
        return True, f"caught: {output}"
    if code == 0:
        return False, f"SURVIVED: no test in {', '.join(mutation.tests)} fails"
    return False, f"the tests could not be run:\n{output[-2000:]}"


def judge(mutations: list[Mutation], jobs: int) -> int:
    """Try all of them, each worker in a copy of its own; how many were not caught."""
    missed = 0
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(jobs):
            copies.put(copy(Path(folder, str(number))))

        def one(mutation: Mutation) -> tuple[Mutation, bool, str, float]:
            root, begun = copies.get(), time.perf_counter()
            try:
                caught, message = verdict(mutation, root)
            finally:
                copies.put(root)
            return mutation, caught, message, time.perf_counter() - begun

        with ThreadPoolExecutor(jobs) as executor:
            for mutation, caught, message, seconds in executor.map(one, mutations):
                print(f"{seconds:5.1f} s  {mutation.name}: {message}", flush=True)
                missed += not caught
    return missed


def sound(mutations: list[Mutation]) -> bool:
    """Whether the tests pass where nothing is wrong, without which no failure says anything."""
    code, output = run_tests(ROOT, sorted({test for m in mutations for test in m.tests}))
    if code:
        print(f"The tests fail without any mutation:\n{output[-4000:]}")
    return code == 0


def main(arguments: list[str] | None = None) -> int:
    """The command; 0 if every mutation was caught."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("words", nargs="*", help="only mutations whose entry has one")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--trust", action="store_true", help="the tests are known to pass")
    given = parser.parse_args(arguments)
    chosen = [
        m for m in MUTATIONS
        if not given.words or any(word in str(m) for word in given.words)
    ]  # fmt: skip
    if not (given.trust or sound(chosen)):
        return 2
    missed = judge(chosen, given.jobs)
    print(f"{len(chosen) - missed} of {len(chosen)} mutations were caught.")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())

"""Fuzz the readers until the time is up, and say what that covered.

    python -m tests.fuzz [--minutes 3] [--seed 1] [--only NAME]

Prints, for each reader, how many texts it read in how many seconds, and the lines and branches of
its modules that they reached. A text that makes a reader crash, take more than ten seconds of
processor time, or complain without saying where, is made as short as possible and printed; the exit
status is then 1. Texts of up to a megabyte may take two seconds and 300 MB; lines and branches that
they reach are not counted, as counting doubles the time.
"""

from __future__ import annotations

import argparse
import json
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import coverage
from hypothesis import HealthCheck, Phase, given, seed, settings

ROOT = Path(__file__).resolve().parents[2]
LONGEST, LONGEST_LARGE = 10.0, 2.0
"""Seconds of processor time that one text may take, and that one of a megabyte may take."""
MOST_MEMORY = 300
"""Megabytes that one text may take."""
_ROUND = 300


class Hang(AssertionError):
    """A text that takes too long."""


def main(arguments: list[str] | None = None) -> int:
    """Run, and say what was covered."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--minutes", type=float, default=3.0, help="for how long (default: 3)")
    parser.add_argument("--seed", type=int, default=1, help="of the texts (default: 1)")
    parser.add_argument("--only", action="append", help="one of the readers; may be given again")
    args = parser.parse_args(arguments)
    folders = [str(ROOT / "racing" / name) for name in ("space", "scenario", "evaluate", "log")]
    cover = coverage.Coverage(branch=True, data_file=None, source=folders)

    cover.start()
    from tests.fuzz.subjects import SUBJECTS  # so that coverage sees the modules being loaded

    names = args.only or list(SUBJECTS)
    seconds = 60 * args.minutes / len(names)
    wrong = False
    for name in names:
        (cover.stop if SUBJECTS[name].large else cover.start)()
        count, found = fuzz(name, seconds, args.seed)
        wrong |= bool(found)
        print(f"{name}: {count} texts in {seconds:.0f} s, {len(found)} errors", flush=True)
        for what, text in found.items():
            print(f"  {what}: {text!r}", flush=True)
    cover.stop()
    covered = reached(cover)
    for module in dict.fromkeys(module for name in names for module in SUBJECTS[name].modules):
        lines, branches = covered.get(module, ("–", "–"))
        print(f"racing/{module}: lines {lines}, branches {branches}")
    return 1 if wrong else 0


def fuzz(name: str, seconds: float, first: int) -> tuple[int, dict[str, str]]:
    """How many texts were read, and what went wrong → the shortest text that was found for it."""
    from tests.fuzz.subjects import SUBJECTS

    subject, found, count = SUBJECTS[name], dict[str, str](), 0
    end, number = time.monotonic() + seconds, first

    def check(text: str) -> None:
        nonlocal count
        if time.monotonic() < end:
            count += 1
            wrong = complaint(subject.read, text, LONGEST_LARGE if subject.large else LONGEST)
            if wrong and len(text) < len(found.get(wrong, text + " ")):
                found[wrong] = shortened(subject.read, text, wrong)

    rounds = settings(
        max_examples=_ROUND, deadline=None, database=None, phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    while time.monotonic() < end:
        seed(number)(rounds(given(subject.texts)(check)))()
        number += 1
    return count, found


def complaint(read: Callable[[str], None], text: str, seconds: float = LONGEST) -> str:
    """What is wrong with how a text is read: the error and the line that raised it; or nothing."""
    before = _peak()
    try:
        with limited(seconds):
            read(text)
        if _peak() - before > MOST_MEMORY:
            raise MemoryError(f"takes more than {MOST_MEMORY} MB")
    except Exception as error:  # whatever it is, it is told
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} in {Path(last.filename).name}:{last.lineno}"
    return ""


def _peak() -> float:
    """The most memory that this process ever had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def shortened(read: Callable[[str], None], text: str, wrong: str, seconds: float = 10.0) -> str:
    """A shorter text with the same complaint: pieces are left out while it stays, for so long."""
    size, end = len(text) // 2, time.monotonic() + seconds
    while size:
        place = 0
        while place < len(text) and time.monotonic() < end:
            less = text[:place] + text[place + size :]
            if complaint(read, less) == wrong:
                text = less
            else:
                place += size
        size //= 2
    return text


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `Hang` after so many seconds of processor time."""

    def ring(number: int, frame: object) -> None:
        raise Hang(f"takes more than {seconds:.0f} seconds")

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def reached(cover: coverage.Coverage) -> dict[str, tuple[str, str]]:
    """Module → lines and branches that were reached, of how many."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "coverage.json")
        cover.json_report(outfile=str(file))
        files = json.loads(file.read_text(encoding="utf-8"))["files"]
    found = {}
    for name, told in files.items():
        one = told["summary"]
        module = str(Path(name).resolve().relative_to(ROOT / "racing"))
        found[module] = (
            f"{one['covered_lines']} of {one['num_statements']}",
            f"{one['covered_branches']} of {one['num_branches']}",
        )
    return found


if __name__ == "__main__":
    sys.exit(main())

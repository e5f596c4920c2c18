"""How long it takes to read what targets print, at its worst: `python -m benchmarks.answers`.

A program prints a megabyte of each kind; the table has the processor seconds of this process, from
the program's start to its outcome, and by how much the peak of its memory has grown. A word that is
searched again and again would show here, and so would output that is kept. The limits are 2 s and
300 MB; beyond them the exit status is 1.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time

from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance
from racing.evaluate.command import Command
from racing.evaluate.evaluator import Evaluator

SECONDS, MEGABYTES = 2.0, 300.0
KINDS = {
    "one long word": "'x' * N",
    "one long number": "'1' * N",
    "words and dots": "'x.' * (N // 2)",
    "exponents": "'1e' * (N // 2)",
    "keys": "'a=' * (N // 2)",
    "NULs": "chr(0) * N",
    "brackets": "'[' * N",
    "open objects": "'{\"a\":' * (N // 5)",
    "numbers on one line": "'1 ' * (N // 2)",
    "lines": "'1\\n' * (N // 2)",
    "signs": "chr(0x2212) * (N // 3)",
    "blanks": "' ' * N",
}
ONE_BY_ONE = "import os\nfor _ in range(N): os.write(1, b'x')"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--size", type=int, default=10**6, help="bytes (default: a million)")
    size = parser.parse_args().size
    programs = {kind: f"print({code}, end='')" for kind, code in KINDS.items()}
    worst = (0.0, 0.0)
    print(f"{'printed':<22}{'output':<8}{'seconds':>8}{'MB':>7}")
    for kind, code in {**programs, "byte by byte": ONE_BY_ONE}.items():
        for output in ("number", "json", "irace"):
            seconds, grown = measured(f"N = {size}\n{code}", output)
            worst = max(worst[0], seconds), max(worst[1], grown)
            print(f"{kind:<22}{output:<8}{seconds:>8.3f}{grown:>7.1f}", flush=True)
    sys.exit(worst[0] > SECONDS or worst[1] > MEGABYTES)


def measured(code: str, output: str) -> tuple[float, float]:
    """Processor seconds of this process for one evaluation, and the megabytes it grew by."""
    words = ("{python}", "-c", code.replace("{", "{{"), "{candidate}")
    evaluate = Evaluator(Command(words, output=output))  # type: ignore[arg-type]
    experiment = Experiment(Candidate(1, {}), Instance(0, "a", 1))
    before, begun = peak(), time.process_time()
    outcome = evaluate(experiment)
    assert "unreadable" in outcome.message or outcome.cost == 1, outcome
    return time.process_time() - begun, peak() - before


def peak() -> float:
    """Megabytes that this process has held at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()

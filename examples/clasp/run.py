"""Run clasp on a CNF formula, and print what it cost: the target of configs/clasp.yaml.

    python examples/clasp/run.py FORMULA.cnf --seed=1 --restarts=L,100 [any other option of clasp]

The cost is the number of conflicts until the formula is decided, and ten times the limit if it is
not decided within the limit (PAR10). Conflicts do not depend on how busy the machine is, so a race
can be repeated exactly; `--measure=cpu` counts seconds of processor time instead, up to the same
limit of conflicts, whose penalty is ten times `--seconds`. `--measure=both` prints conflicts
without a penalty, and whether the formula was decided, for a race with several metrics.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

if __name__ == "__main__":  # started as a file, from any folder
    sys.path.insert(0, str(Path(__file__).parents[2]))

from examples.clasp.parts import assemble

DECIDED = ("SATISFIABLE", "UNSATISFIABLE")
UNKNOWN = "UNKNOWN"
FACTOR = 10


def parse(arguments: Sequence[str] | None = None) -> tuple[argparse.Namespace, list[str]]:
    """Our own options, and those for clasp."""
    parser = argparse.ArgumentParser(
        description="Print what clasp needs to decide a CNF formula; unknown options go to clasp.",
        allow_abbrev=False,
    )
    parser.add_argument("formula", help="a file in DIMACS format")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=60_000, help="conflicts after which to stop")
    parser.add_argument("--measure", choices=("conflicts", "cpu", "both"), default="conflicts")
    parser.add_argument("--seconds", type=float, default=1.0, help="limit for --measure=cpu")
    return parser.parse_known_args(arguments)


def clasp(formula: str, seed: int, limit: int, options: Sequence[str]) -> dict[str, Any]:
    """What clasp reports of a run.

    Raises
    ------
    RuntimeError
        If it stops with an error: an option that it does not know, a file that is no formula.
    """
    command = [sys.executable, "-m", "clingo", "--mode=clasp", formula, f"--seed={seed}"]
    command += [f"--solve-limit={limit}", "--outf=2", "--stats", "--quiet=2", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        report: dict[str, Any] = json.loads(done.stdout)
    except json.JSONDecodeError:
        raise RuntimeError(
            done.stderr.strip() or f"clasp printed no report:\n{done.stdout}"
        ) from None
    if report["Result"] not in (*DECIDED, UNKNOWN):
        raise RuntimeError(f"clasp answered {report['Result']!r}: {done.stderr.strip()}")
    return report


def cost(report: dict[str, Any], own: argparse.Namespace) -> float:
    """Conflicts or seconds, with the penalty for a formula that was not decided."""
    decided = report["Result"] in DECIDED
    if own.measure == "conflicts":
        return float(report["Stats"]["Core"]["Conflicts"] if decided else FACTOR * own.limit)
    seconds: float = report["Time"]["CPU"]
    return seconds if decided and seconds <= own.seconds else FACTOR * own.seconds


def both(report: dict[str, Any]) -> str:
    """Conflicts, and success: 1 if the formula was decided and 0 if not."""
    conflicts, success = report["Stats"]["Core"]["Conflicts"], int(report["Result"] in DECIDED)
    return f"conflicts={conflicts} success={success}"


def main() -> None:
    """Print the cost; exit with 1 and the reason if there is none."""
    own, options = parse()
    try:
        report = clasp(own.formula, own.seed, own.limit, assemble(options))
        print(both(report) if own.measure == "both" else cost(report, own))
    except RuntimeError as error:
        raise SystemExit(f"{own.formula}: {error}") from None


if __name__ == "__main__":
    main()

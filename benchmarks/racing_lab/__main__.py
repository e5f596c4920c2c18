"""Tables about racing rules, each from a command, with its files in benchmarks/results.

    python -m benchmarks.racing_lab TABLE [--races N] [--small] [--jobs 2] [--out FOLDER]

Tables that race: budgets, answers, growing, merging, paper, matrices, synthetic, frontier, errors,
tried, speed; the table heavy chooses without races; again holds races of the saved tables against
the same ones with the present code. From their files: dominance, figures, docs (which writes the
tables of docs/racing-lab.md anew).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.racing_lab import (
    again,
    answers,
    budgets,
    documents,
    dominance,
    experiments,
    figures,
    growing,
    heavy,
    merging,
    saved,
    speed,
)
from benchmarks.racing_lab.experiments import Case

RACED: dict[str, tuple[Callable[[], list[Case]], int]] = {
    "paper": (experiments.paper, 200),
    "matrices": (experiments.matrices, 120),
    "synthetic": (experiments.synthetic, 40),
    "frontier": (experiments.frontier, 24),
    "errors": (experiments.errors, 80),
    "tried": (experiments.workbench, 40),
}
"""Cases, and how many races each takes if nothing else is said."""
DERIVED = {"dominance": dominance.main, "figures": figures.main, "docs": documents.main}
BUDGETED: dict[str, tuple[Callable[..., None], int]] = {
    "budgets": (budgets.main, 200),
    "answers": (answers.main, answers.RACES),
    "growing": (growing.main, growing.RACES),
    "merging": (merging.main, merging.RACES),
    "again": (again.main, again.RACES),
}
"""Tables with files of their own, and how many races a world takes if nothing else is said."""
SMALL = 2
"""Races of a table that is only tried out."""


def main(arguments: list[str] | None = None) -> int:
    """Make one table, or all."""
    args = _parse(arguments)
    begun = time.perf_counter()
    folder = args.out
    if folder is None:
        folder = Path(tempfile.mkdtemp(prefix="racing-lab-")) if args.small else saved.RESULTS
    if args.table in DERIVED:
        DERIVED[args.table](folder)
    elif args.table == "speed":
        speed.main(folder, small=args.small, command=_command(args))
    elif args.table == "heavy":
        races = args.races or (SMALL if args.small else heavy.RACES)
        heavy.main(folder, races=races, seed=args.seed, command=_command(args))
    elif args.table in BUDGETED:
        make, races = BUDGETED[args.table]
        make(
            folder,
            races=args.races or (SMALL if args.small else races),
            jobs=args.jobs,
            seed=args.seed,
            command=_command(args),
            case=args.case,
            only=args.rules,
            small=args.small,
        )
    else:
        _race(args, folder)
    print(f"{args.table}: {time.perf_counter() - begun:.0f} s, files in {folder}")
    return 0


def _race(args: argparse.Namespace, folder: Path) -> None:
    cases, usual = RACED[args.table]
    chosen = [case for case in cases() if args.case in case.name]
    if args.small:
        chosen = [experiments.small(case) for case in chosen]
    saved.run(
        args.table,
        chosen,
        repetitions=args.races or (SMALL if args.small else usual),
        seed=args.seed,
        jobs=args.jobs,
        folder=folder,
        command=_command(args),
        only=args.rules,
        anew=not (args.rules or args.case),
        keep_races=args.table not in ("frontier", "errors"),
    )


def _command(args: argparse.Namespace) -> str:
    """What makes the whole table again."""
    usual = RACED[args.table][1] if args.table in RACED else 0
    usual = BUDGETED[args.table][1] if args.table in BUDGETED else usual
    usual = heavy.RACES if args.table == "heavy" else usual
    races = args.races or usual
    words = ["python -m benchmarks.racing_lab", args.table]
    words += [f"--races {races}"] if races else []
    words += ["--small"] if args.small else []
    if args.table in BUDGETED:
        words += ["--rules", *args.rules] if args.rules else []
    return " ".join(words)


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.racing_lab",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("table", choices=[*BUDGETED, "heavy", *RACED, "speed", *DERIVED])
    parser.add_argument("--races", type=int, help="races per case")
    parser.add_argument(
        "--small", action="store_true", help="two races of each case, over small worlds"
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", default="", help="only cases whose name contains this")
    parser.add_argument("--rules", nargs="*", help="race these again, and keep the others' rows")
    parser.add_argument("--out", type=Path, help="folder of the files")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())

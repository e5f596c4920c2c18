"""Searches over targets whose truth is known, beside irace 4.4; see `benchmarks.search_lab`.

    python -m benchmarks.search_lab run [--families S15 QAP] [--landscapes 0-9]
        [--seeds 5 | --seeds 1-4] [--budgets 200 1000] [--scheme irace] [--window 10]
        [--objective mean] [--set confirm=0.1] [--tuned 500] [--out FILE] [--small]
    python -m benchmarks.search_lab table FILE
    python -m benchmarks.search_lab page FILE
    python -m benchmarks.search_lab best [--families S15] [--landscapes 20-31]
    python -m benchmarks.search_lab lost [--families S15] [--landscapes 0-4] [--seeds 1]
        [--budgets 200 1000] [--small]
    python -m benchmarks.search_lab sampled [--families SAT QAP] [--landscapes 0-9] [--seeds 2]
        [--budgets 200 1000] [--small]
    python -m benchmarks.search_lab again [--landscapes 0-9] [--seeds 8] [--budgets 200 500]
    python -m benchmarks.search_lab planned [--landscapes 0-9] [--seeds 5] [--budgets 200 500]
    python -m benchmarks.search_lab large [--families S15] [--landscapes 0-5] [--seeds 1]

`--scheme irace` runs iterated racing with its defaults in place of the continuous search: its
regret should be that of irace 4.4 within the error (`irace.csv` among the results). `page` writes
the tables of docs/evidence/search.md. With `--tuned 500` the default is what another search with
500 evaluations found.
`lost` looks at the truth of all that was tried (`benchmarks.search_lab.lost`); it takes some
minutes for each budget. `sampled` runs races of random configurations, and compares them with the
stored runs of the search. `again` looks at what a changed decision between the default and what was
found does to the stored runs (`benchmarks.search_lab.again`). `planned` holds what `racing plan`
says to the stored runs (`benchmarks.search_lab.planned`). `large` searches with 10,000
evaluations on 2,000 instances (`benchmarks.search_lab.large`); what was run is kept, and not run
again. Choose on landscapes from 20 on, report on 0–9. A C compiler is needed (see `native`).
`--small` takes half a minute: three families, two landscapes, 60 and 200 evaluations.
"""

from __future__ import annotations

import argparse
import sys
from ast import literal_eval
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.search_lab import again, best, large, lost, measure, page, planned, sampled, tables
from benchmarks.search_lab.families import FAMILIES, SYNTHETIC
from racing.search import Settings

RESULTS = Path(__file__).parent.parent / "results" / "search_lab"
FILES = {"continuous": "runs.csv", "irace": "irace.csv"}
LARGE = RESULTS / "large.csv"


def _beside(rows: Callable[..., Iterator[str]]) -> Callable[[argparse.Namespace], Iterator[str]]:
    """What is compared with the stored runs."""
    return lambda args: rows(
        measure.load(args.out), args.families, args.landscapes, args.seeds, args.budgets
    )


LINES: Mapping[str, Callable[[argparse.Namespace], Iterator[str]]] = {
    "best": lambda args: best.rows(args.families or SYNTHETIC, args.landscapes),
    "lost": lambda args: lost.rows(args.families, args.landscapes, args.seeds, args.budgets),
    "large": lambda args: large.rows(args.to or LARGE, args.families, args.landscapes, args.seeds),
    "sampled": _beside(sampled.rows),
    "again": _beside(again.rows),
    "planned": _beside(planned.rows),
}
"""What prints lines, without runs of its own to store."""
BUDGETS = (60, 100, 200, 500, 1000, 3000)


def main(arguments: list[str] | None = None) -> int:
    """Run, or read what was run."""
    args = _parse(arguments)
    if args.what in LINES:
        for line in LINES[args.what](args):
            print(line, flush=True)
        return 0
    if args.what == "run":
        for _ in measure.save(_runs(args), args.out):
            pass
    runs = measure.load(args.out)
    if args.what == "page":
        page.PAGE.write_text(page.written(runs, beside()), encoding="utf-8")
        return 0
    print(tables.table(runs))
    print()
    print(tables.optimism(runs))
    return 0


def beside() -> dict[str, list[measure.Run]]:
    """The stored runs with other settings, see `page.written`."""
    return {name: measure.load(RESULTS / f"{name}.csv") for name in ("all_problems", "tuned")}


def _runs(args: argparse.Namespace) -> Iterator[measure.Run]:
    options: dict[str, Any] = {"scheme": args.scheme, "tuned": args.tuned}
    if args.scheme == "continuous":
        options |= {
            "window": args.window,
            "objective": args.objective,
            "settings": Settings(**dict(map(_setting, args.set))),
        }
    for seed in args.seeds:
        for number in args.landscapes:
            for name in args.families:
                for budget in args.budgets:
                    yield measure.run(name, number, budget=budget, seed=seed, **options)


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.search_lab",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", choices=("run", "table", "page", *LINES))
    parser.add_argument("out", nargs="?", type=Path, help="CSV file with the runs")
    parser.add_argument("--out", dest="to", type=Path, help="where to write the runs")
    parser.add_argument("--families", nargs="+", choices=FAMILIES)
    parser.add_argument("--landscapes", type=_numbers)
    parser.add_argument("--seeds", type=_seeds, default=None)
    parser.add_argument("--budgets", nargs="+", type=int)
    parser.add_argument("--scheme", choices=measure.SCHEMES, default="continuous")
    parser.add_argument("--window", type=int, default=10)
    parser.add_argument("--objective", choices=("mean", "rank"), default="mean")
    parser.add_argument("--tuned", type=int, metavar="EVALUATIONS")
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE")
    parser.add_argument("--small", action="store_true")
    args = parser.parse_args(arguments)
    small = args.small
    args.out = args.to or args.out or RESULTS / FILES[args.scheme]
    if args.what == "large":
        args.families = args.families or large.FAMILIES
    elif args.what != "best":
        args.families = args.families or (("S5", "SAT", "QAP") if small else FAMILIES)
    args.landscapes = args.landscapes or (range(2) if small else range(10))
    args.seeds = args.seeds or range(1 if small else 5)
    args.budgets = args.budgets or ((60, 200) if small else BUDGETS)
    return args


def _numbers(text: str) -> range:
    """`3` or `0-9`."""
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def _seeds(text: str) -> range:
    """`5`, the first five, or `1-4`."""
    return _numbers(text) if "-" in text else range(int(text))


def _setting(text: str) -> tuple[str, object]:
    """`name=value` for `Settings`."""
    name, _, value = text.partition("=")
    return name, literal_eval(value)


if __name__ == "__main__":
    sys.exit(main())

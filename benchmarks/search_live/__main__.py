"""Searches beside irace 3.5, Optuna and SMAC3 on live targets.

    python -m benchmarks.search_live run [--targets scipy clasp-3sat] [--contenders racing irace]
        [--budgets 180 500 2000] [--seeds 10 | --seeds 3-5] [--out FILE] [--small]
    python -m benchmarks.search_live table [FILE]
    python -m benchmarks.search_live time [--seeds 5] [--small]
    python -m benchmarks.search_live glance
    python -m benchmarks.search_live page

Each contender gets the same targets, evaluations and default configuration, one worker, and its own
defaults. Its winner is run on 120 held-back instances (hgs: 30). Contenders that run only if they
are named: `default`, no search, to whose outcomes all others are held (`--budgets 0 --seeds 1`,
before the others), `racing-ranks`, the search by mean ranks in place of means, and `racing-risk`,
which takes what is probably better than the default.
`time` compares racing with irace on eight workers, by the clock
(`benchmarks.search_live.equal_time`). `glance` prints the table of README and docs/others.md,
`page` writes it and those of docs/evidence/search-live.md, both from the stored runs.

irace needs R with the package irace (on Debian: apt-get install r-cran-irace), Optuna the extra
`optuna`, SMAC3 `pip install smac` (version 2); what is missing is left out, and said. `hgs` and
the two of clasp need the extra `examples`, `highs` and `cp-sat` the extra `peers`.
`--small`: scipy, 60 evaluations, one seed.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from benchmarks import pages
from benchmarks.search_lab.page import put
from benchmarks.search_live import equal_time, glance, measure, tables
from benchmarks.search_live.contenders import CONTENDERS
from benchmarks.search_live.targets import TARGETS, TESTS

RESULTS = Path(__file__).parent.parent / "results" / "search_live"
PAGE = pages.EVIDENCE / "search-live.md"
BUDGETS = (180, 500)
PEERS = ("racing", "irace", "optuna", "optuna-tpe", "smac")


def main(arguments: list[str] | None = None) -> int:
    """Run, or read what was run."""
    args = _parse(arguments)
    if args.what == "time":
        equal_time.main(args.seeds, args.out or RESULTS / "equal_time.csv", small=args.small)
        return 0
    if args.what == "page":
        PAGE.write_text(written(), encoding="utf-8")
        for page in glance.PAGES:
            page.write_text(at_a_glance(page), encoding="utf-8")
        return 0
    if args.what == "glance":
        print("\n".join(_glance()))
        return 0
    file = args.out or RESULTS / "runs.csv"
    if args.what == "run":
        for _ in measure.save(_runs(args), file):
            pass
    print("\n".join(tables.lines(measure.load(file))))
    return 0


def written() -> str:
    """docs/evidence/search-live.md with the tables of the stored runs."""
    runs = tables.lines(measure.load(RESULTS / "runs.csv"))
    told = {
        "runs": runs,
        "time": equal_time.lines(RESULTS / "equal_time.csv"),
        "objective": tables.lines(measure.load(RESULTS / "objective.csv")),
    }
    return put(PAGE.read_text(encoding="utf-8"), "search_live", told)


def at_a_glance(page: Path) -> str:
    """A page with the table of the stored runs."""
    return glance.put(page.read_text(encoding="utf-8"), _glance())


def _glance() -> list[str]:
    return glance.lines(measure.load(RESULTS / "runs.csv"))


def _runs(args: argparse.Namespace) -> Iterator[measure.Run]:
    for name in args.contenders:
        if not is_there(name):
            print(f"{name} is not installed: left out", file=sys.stderr)
    there = [name for name in args.contenders if is_there(name)]
    for seed in args.seeds:
        for budget in args.budgets:
            for name in args.targets:
                for contender in there:
                    tests = 3 if args.small else TESTS
                    yield measure.run(name, contender, budget=budget, seed=seed, tests=tests)


def is_there(contender: str) -> bool:
    """Whether a contender can be run here."""
    if contender == "irace":
        return shutil.which("Rscript") is not None
    return contender == "default" or find_spec(contender.partition("-")[0]) is not None


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.search_live",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", choices=("run", "table", "time", "glance", "page"))
    parser.add_argument("out", nargs="?", type=Path, help="CSV file with the runs")
    parser.add_argument("--out", dest="to", type=Path, help="where to write the runs")
    parser.add_argument("--targets", nargs="+", choices=TARGETS)
    parser.add_argument("--contenders", nargs="+", choices=CONTENDERS, default=PEERS)
    parser.add_argument("--budgets", nargs="+", type=int)
    parser.add_argument("--seeds", type=_seeds)
    parser.add_argument("--small", action="store_true")
    args = parser.parse_args(arguments)
    args.out = args.to or args.out
    args.targets = args.targets or (["scipy"] if args.small else list(TARGETS))
    args.budgets = args.budgets or ([60] if args.small else BUDGETS)
    args.seeds = args.seeds or range(1 if args.small else 10)
    return args


def _seeds(text: str) -> range:
    """`5`, the first five, or `1-4`."""
    first, dash, last = text.partition("-")
    return range(int(first), int(last) + 1) if dash else range(int(text))


if __name__ == "__main__":
    sys.exit(main())

"""Live targets: what is tuned, on which instances, and how good a configuration is on one."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from shutil import rmtree

from benchmarks.search_live import solvers
from benchmarks.search_live.functions import BOUND, function
from racing.search.search import space_of
from racing.space import Boolean, Categorical, Configuration, Integer, Real, Space

EXAMPLES = Path(__file__).parents[2] / "examples"
TRAIN, TESTS = 30, 120
"""How many instances a set has, where they are generated."""


@dataclass(frozen=True)
class Target:
    """A target. Lower costs are better.

    Attributes
    ----------
    train, test
        Instances to search on, and held-back ones.
    cost
        (configuration, instance, seed) → cost.
    """

    name: str
    space: Space
    train: Sequence[object]
    test: Sequence[object]
    cost: Callable[[Configuration, object, int], float]


@cache
def target(name: str) -> Target:
    """A target by its name."""
    return TARGETS[name]()


def _scipy() -> Target:
    strategies = [
        f"{base}{n}{cross}"
        for base, n in (("best", 1), ("rand", 1), ("best", 2), ("rand", 2), ("currenttobest", 1))
        for cross in ("bin", "exp")
    ]
    space = Space(
        {
            "strategy": Categorical(strategies, default="best1bin"),
            "popsize": Integer(3, 20, log=True, default=15),
            "mutation": Real(0.0, 1.0, default=0.5),
            "dither": Real(0.0, 0.9, default=0.5),
            "recombination": Real(0.0, 1.0, default=0.7),
            "init": Categorical(
                ["latinhypercube", "sobol", "halton", "random"], default="latinhypercube"
            ),
        }
    )
    return Target("scipy", space, *_NUMBERS, _differential_evolution)


def _differential_evolution(values: Configuration, instance: object, seed: int) -> float:
    """The base 10 logarithm of what is left to the optimum after 1500 function values."""
    from scipy.optimize import differential_evolution

    aim = function(int(instance))  # type: ignore[call-overload]
    low, popsize = float(values["mutation"]), int(values["popsize"])  # type: ignore[arg-type]
    found = differential_evolution(
        aim,
        [(-BOUND, BOUND)] * aim.dimension,
        strategy=values["strategy"],
        popsize=popsize,
        mutation=(low, min(low + float(values["dither"]), 1.99) + 1e-9),  # type: ignore[arg-type]
        recombination=values["recombination"],
        init=values["init"],
        maxiter=max(1500 // (popsize * aim.dimension) - 1, 1),
        tol=0,
        polish=False,
        updating="deferred",
        vectorized=True,
        rng=seed,
    )
    return math.log10(max(float(found.fun), 0.0) + 1e-8)


_NUMBERS = range(TRAIN), range(1000, 1000 + TESTS)
"""Seeds of generated instances."""


def _hgs() -> Target:
    space = Space(
        {
            "nbGranular": Integer(5, 50, log=True, default=20),
            "mu": Integer(5, 80, log=True, default=25),
            "lambda_": Integer(5, 120, log=True, default=40),
            "nbElite": Integer(1, 10, default=4),
            "nbClose": Integer(1, 10, default=5),
            "nbIterPenaltyManagement": Integer(10, 400, log=True, default=100),
            "targetFeasible": Real(0.05, 0.8, default=0.2),
            "penaltyDecrease": Real(0.6, 0.98, default=0.85),
            "penaltyIncrease": Real(1.02, 2.0, default=1.2),
            "useSwapStar": Boolean(default=True),
        }
    )
    train, test = (sorted(map(str, EXAMPLES.glob(f"hgs/{s}/*.vrp"))) for s in ("train", "test"))
    return Target("hgs", space, train, test, _routes)


def _routes(values: Configuration, instance: object, seed: int) -> float:
    """The excess over the best known solution in per cent, after 0.05 s of processor time."""
    from examples.hgs.instances import read
    from examples.hgs.solve import cost

    problem = read(str(instance))
    assert problem.best_known is not None
    return 100 * (cost(problem, values, seed, seconds=0.05) / problem.best_known - 1)


def _clasp_cliques() -> Target:
    """clasp on formulas that ask for a clique of 7 in a random graph."""
    from examples.clasp.instances import generate

    return _clasp("clasp-clique", lambda one: generate(one, TRAIN if one == "train" else TESTS))


def _clasp_3sat() -> Target:
    """clasp on random 3-SAT near the threshold."""
    return _clasp("clasp-3sat", _random_3sat)


def _clasp(name: str, generate: Callable[[str], Mapping[str, str]]) -> Target:
    """clasp with the space of configs/clasp.yaml on generated formulas, which are kept as files."""
    import yaml

    text = (EXAMPLES.parent / "configs" / "clasp.yaml").read_text(encoding="utf-8")
    sets = [_written(name, one, generate) for one in ("train", "test")]
    return Target(name, space_of(yaml.safe_load(text)["space"]), *sets, _conflicts)


def _written(name: str, one: str, generate: Callable[[str], Mapping[str, str]]) -> list[str]:
    """The files of a set of formulas in order, made now if they are not there."""
    folder = Path(tempfile.gettempdir()) / f"racing-search-live-{name}-{TESTS}" / one
    if not folder.exists():
        made = Path(tempfile.mkdtemp(dir=tempfile.gettempdir()))
        for file, formula in generate(one).items():
            (made / file).write_text(formula, encoding="utf-8")
        folder.parent.mkdir(exist_ok=True)
        with suppress(OSError):  # a benchmark that runs beside this one was first
            made.rename(folder)
        rmtree(made, ignore_errors=True)
    return sorted(map(str, folder.glob("*.cnf")), key=lambda file: (len(file), file))


def _random_3sat(name: str) -> dict[str, str]:
    """Formulas of 140 to 169 variables and 4.26 times as many clauses, by file name."""
    import cnfgen

    first, count = (0, TRAIN) if name == "train" else (1000, TESTS)
    found = {}
    for place in range(count):
        n, seed = 140 + place % 30, first + 140 + place
        formula = cnfgen.RandomKCNF(3, n, round(4.26 * n), seed=seed)
        found[f"3sat-{place:03}.cnf"] = formula.to_dimacs()
    return found


def _conflicts(values: Configuration, instance: object, seed: int) -> float:
    """The base 10 logarithm of the conflicts until decided; ten times 10 000 if it is not."""
    from examples.clasp.run import DECIDED, FACTOR, clasp

    options = [f"--{name}={value}" for name, value in values.items()]
    report = clasp(str(instance), seed, _LIMIT, options)
    decided = report["Result"] in DECIDED
    return math.log10(max(report["Stats"]["Core"]["Conflicts"] if decided else FACTOR * _LIMIT, 1))


_LIMIT = 10_000


def _highs() -> Target:
    return Target("highs", solvers.HIGHS, *_NUMBERS, solvers.highs)


def _cp_sat() -> Target:
    return Target("cp-sat", solvers.CP_SAT, *_NUMBERS, solvers.cp_sat)


TARGETS: dict[str, Callable[[], Target]] = {
    "scipy": _scipy,
    "hgs": _hgs,
    "clasp-clique": _clasp_cliques,
    "clasp-3sat": _clasp_3sat,
    "highs": _highs,
    "cp-sat": _cp_sat,
}

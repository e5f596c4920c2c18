"""HGS-CVRP, the hybrid genetic search of Vidal (2022), through hygese: the target.

`solve` answers how much dearer than the best known solution its solution is, in per cent, after a
quarter of a second of processor time. The library counts the processor time of its process, so
other processes hardly disturb it, but threads of the same process would: race it with
`engine: loky` or `in-process`, never `threading`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from .instances import Problem, read

SECONDS = 0.25
ENDLESS = 10**9

# name: (kind, low, high); the library checks nothing, and ends the process on nonsense
ALLOWED: dict[str, tuple[type, float, float]] = {
    "nbGranular": (int, 1, 1000),
    "mu": (int, 1, 1000),
    "lambda_": (int, 1, 1000),
    "nbElite": (int, 1, 1000),
    "nbClose": (int, 1, 1000),
    "nbIterPenaltyManagement": (int, 1, 10**6),
    "targetFeasible": (float, 0, 1),
    "penaltyDecrease": (float, 0.01, 1),
    "penaltyIncrease": (float, 1, 100),
    "useSwapStar": (bool, 0, 1),
}


def check(values: Mapping[str, Any]) -> None:
    """Refuse values that the library would not survive.

    Raises
    ------
    ValueError
        Naming the parameter, its value and what is allowed.
    """
    for name, value in values.items():
        if name not in ALLOWED:
            raise ValueError(f"unknown parameter {name!r}; there are {', '.join(ALLOWED)}")
        kind, low, high = ALLOWED[name]
        kinds = (int, float) if kind is float else kind
        if not isinstance(value, kinds) or (isinstance(value, bool) and kind is not bool):
            raise ValueError(f"{name} must be of the type {kind.__name__}; got {value!r}")
        if not low <= value <= high:
            raise ValueError(f"{name} must be from {low} to {high}; got {value!r}")


def cost(
    problem: Problem,
    values: Mapping[str, Any],
    seed: int,
    *,
    seconds: float = 0.0,
    iterations: int = ENDLESS,
) -> float:
    """What the routes cost that HGS finds; inf if it finds none that are feasible.

    Parameters
    ----------
    problem, values, seed
        Parameters that `values` leaves out have HGS's own defaults.
    seconds
        Processor time after which to stop; 0: none.
    iterations
        Stop after this many iterations without a better solution. The answer then depends on
        nothing but the arguments.
    """
    import hygese

    check(values)
    parameters = hygese.AlgorithmParameters(
        **values, seed=seed, nbIter=iterations, timeLimit=seconds
    )
    data = {
        "x_coordinates": problem.points[:, 0],
        "y_coordinates": problem.points[:, 1],
        "demands": problem.demands,
        "vehicle_capacity": problem.capacity,
    }
    found = hygese.Solver(parameters=parameters, verbose=False).solve_cvrp(data, rounding=True)
    return found.cost if found.routes and math.isfinite(found.cost) else math.inf


def solve(values: Mapping[str, Any], instance: object, seed: int) -> float:
    """The excess over the best known solution in per cent: lower is better.

    Parameters
    ----------
    values
        Parameters by their names in hygese; those left out have their defaults. With `patience`,
        the search ends after this many iterations without a better solution, not by the clock.
    instance
        The path of a CVRPLIB file.
    seed
        Of the search, from 0 to 2³¹ − 1.
    """
    settings = dict(values)
    patience = settings.pop("patience", None)
    check(settings)
    problem = read(str(instance))
    if problem.best_known is None:
        raise ValueError(f"{instance} does not say `COMMENT : best known COST`")
    if patience is None:
        found = cost(problem, settings, seed, seconds=SECONDS)
    else:
        found = cost(problem, settings, seed, iterations=patience)
    return 100 * (found / problem.best_known - 1)

"""HiGHS on mixed-integer programs and CP-SAT on job shops, both made from seeds.

Work is counted, not timed: LP iterations and deterministic time are the same on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from racing.space import Boolean, Categorical, Integer, Real, Space

NODES = 1000
"""After so many nodes HiGHS gives up."""
DETERMINISTIC_TIME = 0.05
"""After so much of it CP-SAT gives up: about .2 s."""
UNSOLVED = 10
"""The work of a run that gives up counts so many times."""

HIGHS = Space(
    {
        "presolve": Categorical(["choose", "off"], default="choose"),
        "mip_heuristic_effort": Real(0.001, 0.5, log=True, default=0.05),
        "mip_pscost_minreliable": Integer(1, 64, log=True, default=8),
        "mip_lp_age_limit": Integer(1, 100, log=True, default=10),
        "mip_pool_age_limit": Integer(1, 300, log=True, default=30),
        "mip_pool_soft_limit": Integer(100, 100_000, log=True, default=10_000),
        "mip_detect_symmetry": Boolean(default=True),
        "mip_allow_restart": Boolean(default=True),
        "mip_allow_cut_separation_at_nodes": Boolean(default=True),
        "mip_heuristic_run_rins": Boolean(default=True),
        "mip_heuristic_run_rens": Boolean(default=True),
        "mip_heuristic_run_root_reduced_cost": Boolean(default=True),
    }
)

CP_SAT = Space(
    {
        "search_branching": Categorical(
            [
                "AUTOMATIC_SEARCH",
                "PSEUDO_COST_SEARCH",
                "PORTFOLIO_SEARCH",
                "PORTFOLIO_WITH_QUICK_RESTART_SEARCH",
                "LP_SEARCH",
            ],
            default="AUTOMATIC_SEARCH",
        ),
        "linearization_level": Integer(0, 2, default=1),
        "cp_model_probing_level": Integer(0, 3, default=2),
        "initial_polarity": Categorical(
            ["POLARITY_FALSE", "POLARITY_TRUE", "POLARITY_RANDOM"], default="POLARITY_FALSE"
        ),
        "use_phase_saving": Boolean(default=True),
        "use_erwa_heuristic": Boolean(default=False),
        "variable_activity_decay": Real(0.5, 0.99, default=0.8),
        "random_branches_ratio": Real(0.0, 0.2, default=0.0),
        "clause_cleanup_period": Integer(100, 50_000, log=True, default=10_000),
        "restart_period": Integer(10, 1000, log=True, default=50),
        "binary_search_num_conflicts": Categorical(["-1", "10", "100"], default="-1"),
        "optimize_with_core": Boolean(default=False),
        "use_strong_propagation_in_disjunctive": Boolean(default=False),
        "use_dynamic_precedence_in_disjunctive": Boolean(default=False),
    }
)


def highs(values: Mapping[str, object], instance: object, seed: int) -> float:
    """The base 10 logarithm of the LP iterations until a program is solved."""
    import highspy

    solver = highspy.Highs()
    fixed = {"output_flag": False, "threads": 1, "mip_rel_gap": 0.0, "mip_max_nodes": NODES}
    for name, value in {**fixed, "random_seed": seed % 2**31, **values}.items():
        if solver.setOptionValue(name, value) != highspy.HighsStatus.kOk:
            raise ValueError(f"HiGHS refuses {name} = {value!r}")
    number = int(instance)  # type: ignore[call-overload]
    solver.passModel(_facilities(number) if number % 2 else _knapsack(number))
    solver.run()
    solved = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    iterations = max(solver.getInfo().simplex_iteration_count, 1)
    return math.log10(iterations if solved else UNSOLVED * iterations)


def _knapsack(number: int) -> object:
    """A knapsack problem with five constraints and 15 to 20 items whose values are near weights."""
    rng = np.random.default_rng([31, number])
    items = int(rng.integers(15, 21))
    weights = rng.integers(1, 1000, (5, items)).astype(float)
    values = np.round(weights.mean(axis=0) + 500 * rng.random(items))
    return _program(-values, np.ones(items), weights, np.full(5, -np.inf), weights.sum(1) // 2)


def _facilities(number: int) -> object:
    """Facility location with capacities: 10 to 14 customers, 6 to 8 sites.

    After Cornuéjols, Sridharan and Thizy (1991), A comparison of heuristics and relaxations for the
    capacitated plant location problem: four times as much capacity as demand.
    """
    rng = np.random.default_rng([32, number])
    customers, sites = int(rng.integers(10, 15)), int(rng.integers(6, 9))
    demand, capacity = rng.integers(5, 36, customers), rng.integers(10, 161, sites)
    capacity = np.ceil(capacity * 4 * demand.sum() / capacity.sum())
    opening = rng.integers(0, 91, sites) + rng.integers(100, 111, sites) * np.sqrt(capacity)
    apart = rng.random((customers, 1, 2)) - rng.random((1, sites, 2))
    carrying = 10 * demand[:, None] * np.hypot(apart[..., 0], apart[..., 1])
    served = np.hstack([np.kron(np.eye(customers), np.ones(sites)), np.zeros((customers, sites))])
    within = np.hstack([np.kron(demand, np.eye(sites)), -np.diag(capacity)])
    return _program(
        np.r_[carrying.ravel(), opening],
        np.r_[np.zeros(customers * sites), np.ones(sites)],
        np.vstack([served, within]),
        np.r_[np.ones(customers), np.full(sites, -np.inf)],
        np.r_[np.ones(customers), np.zeros(sites)],
    )


def _program(
    costs: np.ndarray, whole: np.ndarray, rows: np.ndarray, low: np.ndarray, high: np.ndarray
) -> object:
    """Minimise costs over variables from 0 to 1, some of which are whole."""
    import highspy
    from scipy.sparse import csr_array

    model, matrix = highspy.HighsLp(), csr_array(rows)
    model.num_col_, model.num_row_ = len(costs), len(rows)
    model.col_cost_, model.col_lower_, model.col_upper_ = costs, 0 * costs, 0 * costs + 1
    model.row_lower_, model.row_upper_ = low, high
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = matrix.indptr
    model.a_matrix_.index_ = matrix.indices
    model.a_matrix_.value_ = matrix.data
    kinds = highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger
    model.integrality_ = [kinds[int(one)] for one in whole]
    return model


def cp_sat(values: Mapping[str, object], instance: object, seed: int) -> float:
    """The base 10 logarithm of the deterministic time until a job shop's best plan is proved.

    With the default options the seed changes nothing.
    """
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    fixed = {"num_workers": 1, "max_deterministic_time": DETERMINISTIC_TIME}
    given = {**fixed, "random_seed": seed % 2**31, **values}
    text = "\n".join(f"{name}: {str(value).removesuffix('.0')}" for name, value in given.items())
    if not solver.parameters.parse_text_format(text):
        raise ValueError(f"CP-SAT refuses\n{text}")
    proved = solver.solve(_job_shop(int(instance))) == cp_model.OPTIMAL  # type: ignore[call-overload]
    took = max(solver.response_proto.deterministic_time, 1e-6)
    return math.log10(took if proved else UNSOLVED * DETERMINISTIC_TIME)


def _job_shop(number: int) -> object:
    """Six or seven jobs, each on five or six machines in an order of its own; times 1 to 99."""
    from ortools.sat.python import cp_model

    rng = np.random.default_rng([33, number])
    jobs, machines = int(rng.integers(6, 8)), int(rng.integers(5, 7))
    times = rng.integers(1, 100, (jobs, machines))
    route = np.array([rng.permutation(machines) for _ in range(jobs)])
    model, horizon, ends = cp_model.CpModel(), int(times.sum()), []
    busy: list[list[object]] = [[] for _ in range(machines)]
    for places, lengths in zip(route, times.tolist(), strict=True):
        free: object = 0
        for machine, took in zip(places, lengths, strict=True):
            start = model.new_int_var(0, horizon, "")
            model.add(start >= free)
            busy[machine].append(model.new_fixed_size_interval_var(start, took, ""))
            free = start + took
        ends.append(free)
    for intervals in busy:
        model.add_no_overlap(intervals)
    last = model.new_int_var(0, horizon, "")
    model.add_max_equality(last, ends)
    model.minimize(last)
    return model

"""The vehicle routing example: its instances, its answers, and what it refuses."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import yaml

import racing
from examples.hgs.instances import (
    HERE,
    SETS,
    Problem,
    generate_set,
    read,
    text,
    with_known_cost,
)
from examples.hgs.solve import ALLOWED, cost, solve

FILES = sorted(HERE.glob("t*/*.vrp"))
TINY = Problem(
    "tiny",
    np.array([[50, 50], [0, 0], [3, 4], [90, 90], [95, 80], [20, 70]]),
    np.array([0, 2, 2, 3, 1, 3]),
    5,
)


def cheapest(problem: Problem) -> float:
    """By trying every order of the customers, cut in two or three routes where it is best."""

    def length(route: tuple[int, ...]) -> int:
        stops = [problem.points[i].tolist() for i in (0, *route, 0)]
        return sum(math.floor(math.dist(a, b) + 0.5) for a, b in itertools.pairwise(stops))

    def split(order: tuple[int, ...]) -> float:
        if not order:
            return 0
        fits = (i for i in range(1, len(order) + 1)
                if sum(problem.demands[j] for j in order[:i]) <= problem.capacity)  # fmt: skip
        return min(length(order[:i]) + split(order[i:]) for i in fits)

    return min(map(split, itertools.permutations(range(1, len(problem.points)))))


@pytest.mark.parametrize("name", SETS)
def test_instances_are_what_their_seeds_give(name: str) -> None:
    for problem in generate_set(name):
        path = HERE / name / f"{problem.name}.vrp"
        assert path.read_text() == text(with_known_cost(problem, path))
        assert problem.demands.max() <= problem.capacity


def test_both_kinds_are_in_both_sets_and_no_instance_is_in_two() -> None:
    assert len(FILES) == 60
    assert {path.stem.split("-")[0] for path in FILES} == {"uniform", "clustered"}
    assert len({read(path).points.tobytes() for path in FILES}) == 60


def test_the_cheapest_routes_of_a_tiny_problem_are_found() -> None:
    assert cost(TINY, {}, 1, iterations=100) == cheapest(TINY)


def test_without_a_clock_the_same_seed_gives_the_same_cost() -> None:
    problem = read(FILES[0])
    once, twice = (cost(problem, {"mu": 10}, 7, iterations=20) for _ in range(2))
    assert once == twice


def test_solutions_are_close_to_the_best_known() -> None:
    for path in FILES[::20]:
        assert -0.5 < solve({}, str(path), 1) < 8


def test_more_iterations_give_better_solutions() -> None:
    problems = [read(path) for path in FILES[::30]]
    few, many = (sum(cost(problem, {}, 1, iterations=n) for problem in problems) for n in (1, 30))
    assert many < few


def test_a_search_of_little_patience_ends_without_a_clock() -> None:
    path = str(FILES[0])
    once, twice = (solve({"mu": 10, "patience": 5}, path, 7) for _ in range(2))
    problem = read(path)
    assert problem.best_known is not None
    found = cost(problem, {"mu": 10}, 7, iterations=5)
    assert once == twice == 100 * (found / problem.best_known - 1)


def test_the_front_of_the_page_is_raced(
    short: Callable[..., racing.Scenario], tmp_path: Path
) -> None:
    lines = yaml.safe_load((HERE / "README.md").read_text().split("```yaml\n")[1].split("```")[0])
    space = {"patience": {"integer": [1, 20], "default": 9}}
    assert "patience" in lines["space"]
    lines |= {"space": space, "budget": 60}
    race = racing.run(short("hgs", **lines), log=tmp_path / "front.sqlite")
    assert 0 < len(race.front) <= 4
    assert all(set(one.metrics) == {"excess", "time"} for one in race.front)


@pytest.mark.parametrize("end", [1, 2])
def test_the_library_survives_the_ends_of_every_range(end: int) -> None:
    values = {name: kind(limits[end - 1]) for name, (kind, *limits) in ALLOWED.items()}
    smaller = {name: min(value, 30) if name != "useSwapStar" else value
               for name, value in values.items()}  # fmt: skip
    assert cost(TINY, smaller, 1, iterations=5) >= cheapest(TINY)


def test_what_cannot_be_served_costs_infinity() -> None:
    impossible = Problem("impossible", TINY.points, TINY.demands, 2)
    assert cost(impossible, {}, 1, iterations=5) == math.inf


@pytest.mark.parametrize(
    "values",
    [
        {"mu": 0}, {"mu": -5}, {"mu": 10.5}, {"mu": True}, {"mu": "10"}, {"mu": 10**9},
        {"nbGranular": 0}, {"targetFeasible": 1.5}, {"targetFeasible": float("nan")},
        {"penaltyIncrease": 0.5}, {"penaltyDecrease": 0}, {"useSwapStar": "yes"},
        {"useSwapStar": 1}, {"lambda": 40}, {"seed": 1}, {"nbIter": 5},
    ],
)  # fmt: skip
def test_values_that_cannot_be_used_are_named(values: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(values))):
        solve(values, FILES[0], 1)


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda good: "", "not a CVRPLIB file"),
        (lambda good: good.replace("EUC_2D", "GEO"), "not a CVRPLIB file"),
        (lambda good: good.replace("CAPACITY : 5", "CAPACITY : many"), "not a CVRPLIB file"),
        (lambda good: good.replace("3 3 4\n", "3 3 four\n"), "cannot be read"),
        (lambda good: good.replace("3 3 4\n", "3 3\n"), "cannot be read"),
        (lambda good: good.replace("3 3 4\n", ""), "5 nodes and 6 demands"),
    ],
)
def test_files_that_cannot_be_used_are_refused(
    tmp_path: Path, spoil: Callable[[str], str], complaint: str
) -> None:
    path = tmp_path / "bad.vrp"
    path.write_text(spoil(text(TINY)))
    with pytest.raises(ValueError, match=complaint):
        read(path)


def test_a_file_without_a_reference_can_be_read_but_not_solved(tmp_path: Path) -> None:
    path = tmp_path / "new.vrp"
    path.write_text(text(TINY))
    assert read(path).capacity == 5
    with pytest.raises(ValueError, match="best known"):
        solve({}, path, 1)


def test_the_scenario_races(short: Callable[..., racing.Scenario], tmp_path: Path) -> None:
    race = racing.run(short("hgs"), log=tmp_path / "short.sqlite")
    assert race.winner is not None
    assert 2 <= race.instances_seen <= 3
    assert not np.isinf(race.results.costs).any()

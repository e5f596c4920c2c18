"""The travelling salesman example: its instances, its moves, and that its settings matter."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import racing
from examples.tsp.instances import HERE, SETS, Problem, generate_set, read, text, with_known_length
from examples.tsp.kicks import KICKS, kicked
from examples.tsp.local_search import LocalSearch, Work
from examples.tsp.solve import Search, Settings, solve
from examples.tsp.starts import STARTS
from examples.tsp.tour import Tour

FILES = sorted(HERE.glob("t*/*.tsp"))
POINTS = np.random.default_rng(7).integers(0, 1000, size=(40, 2))


def edges(tour: Tour) -> set[frozenset[int]]:
    return {frozenset(pair) for pair in itertools.pairwise([*tour.order, tour.order[0]])}


def is_sound(tour: Tour) -> bool:
    places = [tour.position[city] for city in tour.order]
    return sorted(tour.order) == places == list(range(len(places)))


@pytest.mark.parametrize("name", SETS)
def test_instances_are_what_their_seeds_give(name: str) -> None:
    for problem in generate_set(name):
        path = HERE / name / f"{problem.name}.tsp"
        assert path.read_text() == text(with_known_length(problem, path))


def test_both_kinds_are_in_both_sets_and_no_instance_is_in_two() -> None:
    assert len(FILES) == 60
    assert {path.stem.split("-")[0] for path in FILES} == {"uniform", "clustered"}
    assert len({read(path).points.tobytes() for path in FILES}) == 60


def test_no_short_run_beats_the_best_known_tour() -> None:
    for path in FILES:
        problem = read(path)
        assert problem.best_known is not None
        assert Search(problem, Settings(), 1).run(5_000) >= problem.best_known


def test_distances_are_rounded_as_in_tsplib() -> None:
    problem = Problem("triangle", np.array([[0, 0], [1, 1], [3, 4]]))
    assert problem.distance == [[0, 1, 5], [1, 0, 4], [5, 4, 0]]
    assert problem.by_nearness == [[1, 2], [0, 2], [1, 0]]


@given(st.permutations(range(9)), st.data())
def test_an_exchange_swaps_two_edges_for_two(order: list[int], data: st.DataObject) -> None:
    tour = Tour(list(order))
    onward = data.draw(st.sampled_from([tour.after, tour.before]))
    a, c = data.draw(st.lists(st.integers(0, 8), min_size=2, max_size=2, unique=True))
    b, d = onward(a), onward(c)
    before = edges(tour)
    tour.exchange(a, b, c, d)
    gone, come = ({frozenset((a, b)), frozenset((c, d))}, {frozenset((a, c)), frozenset((b, d))})
    assert is_sound(tour)
    assert edges(tour) == (before - gone) | {edge for edge in come if len(edge) == 2}


@given(st.permutations(range(10)), st.integers(0, 4), st.sampled_from(["first", "best"]))
def test_local_search_saves_what_it_says(order: list[int], segment: int, choice: str) -> None:
    problem = Problem("p", POINTS[:10])
    tour = Tour(list(order))
    length = tour.length(problem.distance)
    local = LocalSearch(problem.distance, problem.by_nearness, segment, choice)
    saved = local.improve(tour, range(10), Work(10**6))
    assert is_sound(tour)
    assert tour.length(problem.distance) == length - saved


def test_local_search_leaves_no_improving_move() -> None:
    problem = Problem("p", POINTS[:20])
    tour = Tour(list(range(20)))
    local = LocalSearch(problem.distance, problem.by_nearness, 3, "first")
    local.improve(tour, range(20), Work(10**6))
    best = tour.length(problem.distance)
    for i, j in itertools.combinations(range(20), 2):
        piece, rest = tour.order[i:j], tour.order[:i] + tour.order[j:]
        turned = tour.order[:i] + piece[::-1] + tour.order[j:]
        assert Tour(turned).length(problem.distance) >= best
        for place in range(len(rest) if j - i <= 3 else 0):
            for inserted in (piece, piece[::-1]):
                moved = rest[:place] + inserted + rest[place:]
                assert Tour(moved).length(problem.distance) >= best


@pytest.mark.parametrize("name", STARTS)
def test_starts_visit_every_city_once(name: str) -> None:
    order = STARTS[name](Problem("p", POINTS), Random(1))
    assert sorted(order) == list(range(len(POINTS)))


def test_sensible_starts_are_much_shorter_than_a_random_one() -> None:
    problem = Problem("p", POINTS)
    length = {name: Tour(start(problem, Random(1))).length(problem.distance)
              for name, start in STARTS.items()}  # fmt: skip
    assert max(length[name] for name in ("nearest", "greedy", "curve")) < 0.6 * length["random"]


@pytest.mark.parametrize("name", KICKS)
@pytest.mark.parametrize("size", [8, 9, 12, 40])
def test_kicks_change_only_the_window_and_name_what_they_unlink(name: str, size: int) -> None:
    tour = Tour(list(range(40)))
    for seed in range(50):
        new, unlinked = kicked(tour, KICKS[name], size, Random(seed))
        assert is_sound(new)
        assert set(unlinked) == set().union(*(edges(tour) - edges(new)))
        assert len(unlinked) <= size + 1


def test_the_same_seed_gives_the_same_answer() -> None:
    path = str(FILES[0])
    once, twice = solve({"kicks": 2}, path, 5), solve({"kicks": 2}, path, 5)
    assert once == twice
    assert once >= 0


def test_better_settings_give_better_tours() -> None:
    good = Settings(neighbours=20, window=200)
    poor = Settings(start="random", longest_segment=0, kick="scramble", acceptance="always")
    mean = {
        settings: np.mean([100 * Search(problem, settings, 1).run(50_000) / problem.best_known
                           for problem in map(read, FILES[:60:7])])
        for settings in (good, Settings(), poor)
    }  # fmt: skip
    assert mean[good] < mean[Settings()] < mean[poor] - 1


@pytest.mark.parametrize(
    "values",
    [
        {"start": "farthest"}, {"start": ["nearest"]}, {"neighbours": 1}, {"neighbours": 10.0},
        {"neighbours": True}, {"longest_segment": -1}, {"window": 7}, {"kicks": 0},
        {"patience": "100"}, {"temperature": 0}, {"temperature": float("nan")},
        {"temperature": float("inf")}, {"temperature": "0.1"}, {"neighbors": 10},
    ],
)  # fmt: skip
def test_values_that_cannot_be_used_are_named(values: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(values))):
        solve(values, FILES[0], 1)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "not a TSPLIB file"),
        ("EDGE_WEIGHT_TYPE: GEO\nNODE_COORD_SECTION\n1 0 0\n", "not a TSPLIB file"),
        ("EDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0\n", "number x y"),
        ("EDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 a\n", "number x y"),
        ("EDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\nEOF\n", "has 1 cities"),
    ],
)
def test_files_that_cannot_be_used_are_refused(
    tmp_path: Path, content: str, complaint: str
) -> None:
    path = tmp_path / "bad.tsp"
    path.write_text(content)
    with pytest.raises(ValueError, match=complaint):
        read(path)


def test_a_file_without_a_reference_can_be_read_but_not_solved(tmp_path: Path) -> None:
    path = tmp_path / "new.tsp"
    path.write_text(text(Problem("new", POINTS)))
    assert read(path).best_known is None
    with pytest.raises(ValueError, match="best known"):
        solve({}, path, 1)


def test_the_scenario_races(short: Callable[..., racing.Scenario], tmp_path: Path) -> None:
    race = racing.run(short("tsp"), log=tmp_path / "short.sqlite")
    assert race.winner is not None
    assert race.instances_seen == 3
    assert not np.isinf(race.results.costs).any()

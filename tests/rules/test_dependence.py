"""What dependent instances are worth, and that rules hear of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from racing.base.errors import InputError
from racing.core.instances import Instances
from racing.core.verdict import Verdict
from racing.race import Race
from racing.rules import Auto
from racing.rules.dependence import effective_size, movements
from tests.worlds import finish, race_over

GROUPS = st.lists(st.integers(0, 3), min_size=2, max_size=12)
RHO = st.floats(0.0, 0.95)


@given(groups=GROUPS, rho=RHO)
def test_it_is_the_expected_sample_variance_over_the_variance_of_the_mean(groups, rho):
    """By the covariance matrix itself: 1 on the diagonal, ρ within a group."""
    g = np.array(groups)
    covariance = np.where(g[:, None] == g, rho, 0.0)
    np.fill_diagonal(covariance, 1.0)
    n = len(g)
    of_mean = covariance.mean()
    centre = np.eye(n) - 1 / n
    sample = np.trace(centre @ covariance) / (n - 1)
    assert effective_size(groups, rho) == pytest.approx(sample / of_mean)


def test_one_group_has_a_limit_and_singletons_count_in_full():
    assert effective_size([0] * 30, 0.1) == pytest.approx(30 * 0.9 / 3.9)
    assert effective_size([0] * 10**6, 0.1) == pytest.approx(9, rel=1e-4)
    assert effective_size(range(30), 0.7) == pytest.approx(30)
    assert effective_size([0] * 30, 0.0) == 30
    assert effective_size([], 0.5) == 0


class Spy:
    """A rule that notes what it is told."""

    def __init__(self) -> None:
        self.told = []

    def __call__(self, results, outlook, rng):
        self.told.append((results.groups, outlook.correlation, outlook.coming))
        return Verdict(instances=len(results.block), leader=results.id(0))


def test_a_rule_hears_the_groups_of_what_was_seen_and_of_what_can_come():
    labels = ["b", "a", "b", "b", "a"]
    stream = Instances(range(5), groups=labels, correlation=0.25)
    spy = Spy()
    race = Race([{"x": 1}, {"x": 2}], stream, rule=spy, first_test=1, seed=4)
    met = []
    for experiment in race:
        met.append(labels[experiment.instance.problem])
        race.tell(experiment, float(experiment.candidate.id))
    codes = [{"b": 0, "a": 1}[label] for label in met[::2]]
    for n, (groups, correlation, coming) in enumerate(spy.told, start=1):
        assert groups.tolist() == codes[:n]
        assert coming == tuple(codes[n:])
        assert correlation == 0.25


def test_without_groups_there_is_nothing_to_hear():
    spy = Spy()
    finish(race_over(np.eye(3), spy, first_test=1), np.eye(3))
    assert {(groups is None, rho, coming) for groups, rho, coming in spy.told} == {(True, 0.0, ())}


def test_groups_repeat_with_their_problems():
    stream = Instances("xyz", groups=[7, 8, 7], order="listed", repeat=True)
    assert [stream.group_at(step, 1) for step in range(6)] == [0, 1, 0, 0, 1, 0]
    assert Instances("xyz").group_at(0, 1) is None


def test_wrong_groups_are_refused():
    with pytest.raises(InputError, match="groups must be 3, one per instance, or none; got 2"):
        Instances("xyz", groups=["a", "b"])
    for wrong in (-0.1, 1.0, float("nan")):
        with pytest.raises(InputError, match="correlation must be"):
            Instances("xyz", groups="aab", correlation=wrong)


def folds(costs: np.ndarray, **options: object) -> Race:
    """A race over rows that are folds of one data set."""
    stream = Instances(range(len(costs)), groups=["data"] * len(costs), **options)
    race = Race([{"column": j} for j in range(costs.shape[1])], stream, rule=Auto(),
                objective="mean", first_test=3)  # fmt: skip
    return finish(race, costs)


def test_auto_spends_less_where_more_folds_cannot_tell_more():
    """Candidates that differ by less than what all folds have in common."""
    spent = {True: 0, False: 0}
    for seed in range(3):
        rng = np.random.default_rng(seed)
        costs = rng.normal(size=(60, 8)) + 0.3 * rng.normal(size=8)
        spent[True] += folds(costs, correlation=0.2).spent.evaluations
        independent = race_over(costs, Auto(), objective="mean", first_test=3)
        spent[False] += finish(independent, costs).spent.evaluations
    assert spent[True] < 0.7 * spent[False]


def test_auto_with_a_correlation_of_zero_is_as_without_groups():
    costs = np.random.default_rng(3).normal(size=(30, 8)) + np.arange(8) / 5
    one = folds(costs, correlation=0.0)
    other = finish(race_over(costs, Auto(), objective="mean", first_test=3), costs)
    assert [v.eliminated for v in one.verdicts] == [v.eliminated for v in other.verdicts]


# --- by how much means still move -----------------------------------------------------------------


def covariance(groups: list[int], rho: float) -> np.ndarray:
    same = np.equal.outer(groups, groups)
    return np.where(same, rho, 0.0) + (1 - rho) * np.eye(len(groups))


@settings(deadline=None, max_examples=60)
@given(
    groups=st.lists(st.integers(0, 3), min_size=3, max_size=14),
    rho=st.floats(0, 0.95),
    n=st.integers(2, 5),
)
def test_a_mean_moves_by_the_variance_that_it_loses(groups, rho, n):
    """By brute force: variances of means and of samples from the covariance matrix."""
    n = min(n, len(groups) - 1)
    ahead = np.arange(1, len(groups) - n + 1)
    v = [covariance(groups, rho)[:m, :m].mean() for m in range(1, len(groups) + 1)]
    sample = n / (n - 1) * (1 - v[n - 1])  # E[S²] = n/(n − 1) · (σ² − Var(mean))
    least = [min(v[n - 1 : n + h]) for h in ahead]
    expected = [max((v[n - 1] - after) / sample, 1e-12) for after in least]
    assert movements(groups, n, ahead, rho) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("groups", [[0] * 40, list(range(40))], ids=["one", "each its own"])
def test_within_one_group_means_move_as_where_all_is_independent(groups):
    h = np.array([1.0, 4.0, 32.0])
    assert movements(groups, 8, h, 0.3) == pytest.approx(1 / 8 - 1 / (8 + h))


def test_what_comes_beyond_the_known_groups_moves_nothing():
    far = movements([0, 0, 1, 1, 2, 2], 3, np.array([3.0, 64.0]), 0.3)
    assert far[0] == far[1]


@pytest.mark.parametrize("budget", [None, 720], ids=["by price", "hopeless"])
def test_auto_gives_up_sooner_where_the_rest_is_of_groups_that_were_met(budget):
    """Ten documents with twelve questions each; their first questions have shown most of them."""
    spent = {}
    for rho in (0.0, 0.6):
        total = 0
        for seed in range(4):
            rng = np.random.default_rng(seed)
            document = np.repeat(rng.normal(size=(10, 6)), 12, axis=0)
            costs = 0.8 * document + 0.6 * rng.normal(size=(120, 6)) + np.arange(6) / 4
            groups = [f"document {k // 12}" for k in range(120)]
            stream = Instances(range(120), groups=groups, correlation=rho)
            race = Race(
                [{"column": j} for j in range(6)], stream, rule=Auto(), objective="mean",
                budget=budget,
            )  # fmt: skip
            total += finish(race, costs).spent.evaluations
        spent[rho] = total
    assert spent[0.6] < 0.95 * spent[0.0]

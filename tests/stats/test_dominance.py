"""Joint statements of dominance, against brute force, their laws, and their errors."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from racing.base.errors import InputError
from racing.stats import JointDominance, joint_comparisons, joint_dominance
from racing.stats.dominance import widened

Floats = NDArray[np.float64]


def table(seed: int, n: int = 12, m: int = 5, several: int = 2) -> Floats:
    """Whole numbers: some algorithms tie on some instances."""
    rng = np.random.default_rng(seed)
    return rng.integers(0, 6, (n, m, several)) + rng.integers(0, 4, (m, several)).astype(float)


def asked(X: Floats, seed: int = 0, **options: object) -> JointDominance:
    return joint_dominance(X, rng=np.random.default_rng(seed), **options)  # type: ignore[arg-type]


def statements(found: JointDominance) -> dict[tuple[int, int], float]:
    pairs = zip(found.better.tolist(), found.worse.tolist(), strict=True)
    return dict(zip(pairs, found.posteriors.tolist(), strict=True))


def true_in(means: Floats, j: int, c: int, ropes: list[float]) -> bool:
    """Whether j dominates c by these (m, K) means, metric by metric."""
    d = [means[c, k] - means[j, k] for k in range(means.shape[1])]
    better = any(one > rope + 1e-9 for one, rope in zip(d, ropes, strict=True))
    return better and all(one >= -rope - 1e-9 for one, rope in zip(d, ropes, strict=True))


@given(seed=st.integers(0, 10**6), several=st.integers(1, 3), rope=st.sampled_from([0.0, 0.5, 2.0]))
@settings(max_examples=25, deadline=None)
def test_it_counts_draws_as_one_would_by_hand(seed: int, several: int, rope: float) -> None:
    X, draws = table(seed, several=several), 40
    ropes = [rope] * several
    found = asked(X, seed, ropes=ropes, draws=draws, gamma=0.4)
    shares = np.random.default_rng(seed).dirichlet(np.ones(len(X)), draws)
    weights = widened(shares, np.ones(len(X), dtype=bool))
    drawn = [np.array([w @ X[:, :, k] for k in range(several)]).T for w in weights]
    held = {
        pair: [true_in(means, *pair, ropes) for means in drawn]
        for pair in itertools.permutations(range(5), 2)
    }
    assert statements(found) == {p: np.mean(h) for p, h in held.items() if np.mean(h) > 0.6}
    assert found.posteriors.tolist() == sorted(found.posteriors, reverse=True)
    stated = [held[pair] for pair in statements(found)]
    together = [np.mean(np.all(stated[:k], axis=0)) for k in range(1, len(stated) + 1)]
    assert found.accepted == sum(share > 0.6 for share in together)
    assert found.joint == (together[found.accepted - 1] if found.accepted else 1.0)
    alone = [
        np.mean([not any(true_in(means, j, c, ropes) for j in range(5)) for means in drawn])
        for c in range(5)
    ]
    assert found.on_front.tolist() == alone


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_algorithms_and_metrics_and_their_units_have_no_effect(seed: int) -> None:
    X = np.random.default_rng(seed).normal(size=(15, 6, 3)) + 2.0 * np.arange(6)[:, None]
    order, metrics = np.random.default_rng(seed + 9).permutation(6), [2, 0, 1]
    found = asked(X)
    moved = asked(X[:, order][:, :, metrics] * [10.0, 0.01, 3.0] + [5.0, -2.0, 0.0])
    assert statements(found) == {
        (int(order[j]), int(order[c])): p for (j, c), p in statements(moved).items()
    }
    assert found.accepted == moved.accepted
    assert found.dominated == tuple(int(order[c]) for c in moved.dominated)
    np.testing.assert_array_equal(found.on_front[order], moved.on_front)


def test_of_one_metric_the_lower_mean_dominates() -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(30, 2, 1)) + np.array([[0.0], [0.25]])
    found = asked(X, draws=20_000, gamma=0.9)
    d = X[:, 1, 0] - X[:, 0, 0]
    z = d.mean() / (d.std(ddof=1) / np.sqrt(30) * np.sqrt(1 + 5 / 30))
    expected = float(np.mean(rng.normal(size=10**6) < z))
    assert statements(found)[0, 1] == pytest.approx(expected, abs=0.01)
    assert found.on_front.sum() == pytest.approx(1.0)


def test_equals_in_all_metrics_dominate_neither_each_other() -> None:
    X = table(1)
    X[:, 1] = X[:, 0]
    found = asked(X, gamma=0.9)
    assert not {(0, 1), (1, 0)} & set(statements(found))


def test_a_rope_wider_than_all_differences_leaves_all_on_the_front() -> None:
    assert asked(table(2), ropes=[50.0, 50.0]).on_front.tolist() == [1.0] * 5


def test_many_algorithms_are_compared_in_parts() -> None:
    X = np.random.default_rng(5).normal(size=(8, 80, 2)) + np.linspace(0, 6, 80)[:, None]
    found = asked(X, draws=500)
    assert found.accepted > 500
    assert found.joint > 0.95
    pairs = list(statements(found))[: found.accepted]
    means = X.mean(axis=0)
    assert all((means[j] < means[c]).all() for j, c in pairs)


def false_share(errors: list[bool]) -> tuple[float, float]:
    share = float(np.mean(errors))
    return share, 2 * float(np.sqrt(share * (1 - share) / len(errors)))


@pytest.mark.parametrize(("n", "most"), [(5, 0.05), (10, 0.05), (30, 0.05)])
def test_where_four_are_equal_few_tables_give_a_statement(n: int, most: float) -> None:
    """All have the same distribution in both metrics, so each statement is false."""
    rng = np.random.default_rng(n)
    tables = rng.normal(size=(400, n, 1, 2)) + rng.normal(size=(400, n, 4, 2))
    share, error = false_share([asked(X, draws=400).accepted > 0 for X in tables])
    assert share - error <= most


def test_at_the_edge_it_is_no_correction_for_the_number_of_rivals() -> None:
    """One ties with three others in a metric, and is worse in the other: about .12, not .05."""
    rng = np.random.default_rng(7)
    tables = rng.normal(size=(400, 20, 4, 2))
    tables[:, :, 0, 1] += 3
    share, error = false_share([0 in asked(X, draws=400).dominated for X in tables])
    assert share + error > 0.05
    assert share - error < 0.16


@pytest.mark.parametrize("n", [6, 12, 40])
def test_at_the_edge_one_rival_is_wrong_no_more_often_than_gamma(n: int) -> None:
    """Equal in one metric, clearly worse in the other: the worst case of a pair."""
    tables = np.random.default_rng([n, 2]).normal(size=(500, n, 2, 2))
    tables[:, :, 1, 1] += 3
    share, error = false_share([asked(X, draws=400).accepted > 0 for X in tables])
    assert share - error <= 0.05
    assert share + error > 0.02


@pytest.mark.parametrize("n", [6, 12, 40])
def test_where_means_are_drawn_too_all_statements_are_mostly_true(n: int) -> None:
    rng = np.random.default_rng([n, 3])
    means = 0.5 * rng.normal(size=(300, 6, 2))
    tables = means[:, None] + rng.normal(size=(300, n, 6, 2)) + rng.normal(size=(300, n, 1, 2))
    errors, said = [], 0
    for truth, X in zip(means, tables, strict=True):
        found = asked(X, draws=400)
        pairs = list(statements(found))[: found.accepted]
        errors.append(any((truth[j] > truth[c]).any() for j, c in pairs))
        said += len(pairs)
    share, error = false_share(errors)
    assert share - error <= 0.05
    assert said > 50


def test_two_instances_have_a_closed_form() -> None:
    """The weight of the first is uniform, widened by s: probabilities are lengths of intervals."""
    X = np.array([[[0.0, 0.0], [1.0, 2.0]], [[3.0, 4.0], [2.0, 1.0]]])
    s = np.sqrt((1 + 5 / 2) * 3)  # w·d1 + (1 − w)·d2 with d = (1, 2) and (−1, −3)
    found = asked(X, gamma=0.99, draws=40_000)
    assert statements(found)[0, 1] == pytest.approx(0.5 - (3 / 5 - 0.5) / s, abs=0.01)
    assert statements(found)[1, 0] == pytest.approx(0.5, abs=0.01)


def with_failures(seed: int, n: int = 7, m: int = 5) -> Floats:
    """Each algorithm fails now and then; one in three tables has one which always does."""
    rng, X = np.random.default_rng(seed), table(seed, n, m)
    X[rng.random((n, m)) < rng.choice([0.0, 0.2, 0.6], m)] = np.nan
    X[:, 0] = np.nan if seed % 3 == 0 else X[:, 0]
    X[:2, -1] = 1.0
    return X


def by_hand(X: Floats, share: Floats, j: int, c: int, ropes: list[float]) -> bool:
    """Whether j dominates c in a draw: failures as a metric, the others where both ran."""
    failed = np.isnan(X[:, :, 0])
    both = np.flatnonzero(~failed[:, j] & ~failed[:, c])
    if len(both) < 2 and not (failed[:, j].all() or failed[:, c].all()):
        return False
    means = [[sum(w for w, f in zip(share, failed[:, i], strict=True) if f)] for i in (j, c)]
    if len(both) >= 2:
        for i, own in zip((j, c), means, strict=True):
            own.extend(mean(X, share, both, i))
    several = len(means[0])
    return true_in(np.array(means), 0, 1, [0.0, *ropes][:several])


def mean(X: Floats, share: Floats, rows: NDArray[np.intp], i: int) -> list[float]:
    own, r = share[rows] / share[rows].sum(), len(rows)
    weights = 1 / r + np.sqrt((r + 1) / (r - 1) * (1 + 5 / r)) * (own - 1 / r)
    return [float(weights @ X[rows, i, k]) for k in range(X.shape[2])]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("rope", [0.0, 0.5])
def test_failures_are_one_more_metric_and_the_others_count_where_both_ran(
    seed: int, rope: float
) -> None:
    X, draws, ropes = with_failures(seed), 30, [rope, rope]
    found = asked(X, seed, ropes=ropes, draws=draws, gamma=0.6)
    shares = np.random.default_rng(seed).dirichlet(np.ones(len(X)), draws)
    held = {
        (j, c): np.mean([by_hand(X, share, j, c, ropes) for share in shares])
        for j, c in itertools.permutations(range(5), 2)
    }
    assert statements(found) == pytest.approx({p: h for p, h in held.items() if h > 0.4})
    failed = np.isnan(X[:, :, 0])
    first = np.flatnonzero(failed.sum(axis=0) == failed.sum(axis=0).min())
    alone = np.zeros(5)
    for share in shares:
        means = {i: np.array(mean(X, share, np.flatnonzero(~failed[:, i]), i)) for i in first}
        for c in first:
            pairs = [np.array([means[j], means[c]]) for j in first if j != c]
            alone[c] += not any(true_in(pair, 0, 1, ropes) for pair in pairs)
    assert found.on_front.tolist() == pytest.approx((alone / draws).tolist())


@pytest.mark.parametrize("seed", range(5))
def test_what_fails_more_is_dominated_no_less(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(15, 3, 2)) + 3.0 * np.arange(3)[:, None]
    X[4, 1] = np.nan
    before = statements(asked(X, gamma=0.99))
    assert before[0, 1] > 0.9
    assert (1, 2) not in before
    X[[3, 5], 2] = np.nan
    assert statements(asked(X, gamma=0.99)).get((1, 2), 0.0) > 0.5
    X[:, 2] = np.nan
    assert statements(asked(X))[0, 2] == statements(asked(X))[1, 2] == 1.0


@pytest.mark.parametrize("seed", range(3))
def test_of_one_metric_that_is_0_or_1_it_says_what_comparisons_of_wins_say(seed: int) -> None:
    """There the mean difference, under any weights, is the difference of wins and losses."""
    rng = np.random.default_rng(seed)
    X = (rng.random((400, 5)) < np.linspace(0.3, 0.7, 5)).astype(float)
    wins = joint_comparisons(X, rng=rng, tolerance=0, max_draws=40_000)
    found = asked(X[:, :, None], draws=20_000)
    errors = {
        (int(j), int(c)): error
        for j, c, error in zip(wins.better, wins.worse, wins.errors, strict=True)
    }
    for pair, posterior in statements(found).items():
        assert 1 - posterior == pytest.approx(errors.get(pair, 0.05), abs=0.008)
    assert abs(found.accepted - wins.accepted) <= 1
    assert found.joint == pytest.approx(wins.joint, abs=0.03)


@pytest.mark.parametrize(
    ("X", "options", "what"),
    [
        (np.zeros((3, 4)), {}, r"two or more algorithms × metrics; got shape \(3, 4\)"),
        (np.zeros((1, 4, 2)), {}, "two or more instances"),
        (np.zeros((3, 1, 2)), {}, "two or more algorithms"),
        (np.zeros((3, 4, 0)), {}, "metrics; got shape"),
        (np.full((3, 4, 2), np.inf), {}, "X must be finite; NaN in all metrics where an"),
        (np.where([True, False], np.zeros((3, 4, 2)), np.nan), {}, "NaN in all metrics"),
        (np.full((3, 4, 2), np.nan), {}, "every algorithm failed on all instances"),
        (np.zeros((3, 4, 2)), {"ropes": [1.0]}, "ropes must be 2 numbers, 0 or more"),
        (np.zeros((3, 4, 2)), {"ropes": [1.0, -1.0]}, "0 or more"),
    ],
)
def test_bad_input_is_refused(X: Floats, options: dict[str, object], what: str) -> None:
    with pytest.raises(InputError, match=what):
        asked(X, **options)

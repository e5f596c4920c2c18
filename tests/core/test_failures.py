"""What a failure counts as: the worst, a stated answer, or what its rate shows."""

from __future__ import annotations

import itertools
import random
from functools import partial

import numpy as np
import pytest

import racing
from racing.answer.head import gain_in
from racing.base.errors import InputError
from racing.core.experiment import Status
from racing.core.failures import LEVEL, Failures, to_blame
from racing.core.objective import standing
from racing.core.results import Results
from racing.log import SQLiteLog, replay
from racing.search import IteratedRacing, PortfolioSearch, Search, Settings
from racing.search.block import Block

RATE = Failures("rate")
SPACE = {"x": {"real": [0, 1], "default": 0.9}, "y": {"real": [0, 1], "default": 0.5}}
METRICS = {"loss": {}, "time": {}}
INF = np.inf


def results(costs, failures=RATE):
    n, m = costs.shape
    alive = np.ones((n, m), dtype=bool)
    return Results(costs, alive, tuple(range(1, m + 1)), np.arange(m), failures=failures)


def order(costs, policy):
    return standing(results(costs, Failures(policy)), "mean").tolist()


def pair(failures, n=40, gain=1.298):
    """A candidate that is better on each instance, and failed on some; and the default."""
    default = np.random.default_rng(1).standard_normal(n)
    found = default - gain
    found[:failures] = INF
    return np.column_stack([found, default])


def test_two_failures_do_not_outweigh_a_difference_on_every_pair():
    assert order(pair(2), "worst") == [1, 0]
    assert order(pair(2), "rate") == [0, 1]


def test_failures_that_chance_does_not_explain_are_as_bad_as_ever():
    assert order(pair(12, gain=1e6), "rate") == order(pair(12), "worst") == [1, 0]


def chance(failed, ran, i):
    """P(F_i ≥ its own) by all ways in which the failures of each instance fall on its runs."""
    own, total = failed[:, i].sum(), 0.0
    shares = [failed[j, ran[j]].mean() if ran[j, i] else 0.0 for j in range(len(failed))]
    for draw in itertools.product((0, 1), repeat=len(failed)):
        if sum(draw) >= own:
            total += np.prod([p if d else 1 - p for d, p in zip(draw, shares, strict=True)])
    return total


def test_blame_is_that_of_brute_force():
    rng, seen = np.random.default_rng(3), set()
    for _ in range(100):
        failed, ran = rng.random((6, 4)) < rng.random(4) ** 2, rng.random((6, 4)) < 0.9
        failed &= ran
        telling = failed.any(axis=1) & (ran & ~failed).any(axis=1)
        never = ~(ran & ~failed).any(axis=0)
        expected = [never[i] or chance(failed[telling], ran[telling], i) <= LEVEL for i in range(4)]
        assert to_blame(failed, ran).tolist() == expected
        seen.update(zip(expected, never.tolist(), strict=True))
    assert seen == {(True, True), (True, False), (False, False)}


def test_a_failure_stays_the_worst_of_its_instance_and_ranks_are_as_ever():
    rng = np.random.default_rng(5)
    costs = rng.standard_normal((60, 5)) + rng.standard_normal((60, 1)) * 9
    costs[rng.random(costs.shape) < 0.05] = INF
    raw = results(costs)
    judged = raw.judged
    failed = np.isinf(costs)
    assert failed.any()
    assert np.isfinite(judged.costs).all()
    np.testing.assert_array_equal(judged.costs[~failed], costs[~failed])
    worst = np.where(failed, -INF, costs).max(axis=1)
    above = (judged.costs - worst[:, None])[failed]
    assert above.min() > 0
    assert np.ptp(above) < 1e-9
    np.testing.assert_array_equal(judged.field_ranks, raw.field_ranks)
    np.testing.assert_array_equal(judged.wins, raw.wins)
    assert judged.judged is judged


def test_what_nobody_solved_and_who_never_succeeded_stay_failed():
    costs = np.array([[INF, INF, INF], [1.0, INF, 3.0], [2.0, INF, INF]])
    expected = np.array([[INF, INF, INF], [1.0, INF, 3.0], [2.0, INF, 4.0]])
    np.testing.assert_array_equal(RATE.judged(costs)[0], expected)
    assert Failures().judged(costs)[0] is costs


def test_each_metric_has_its_own_worst():
    costs = np.array([[1.0, 3.0], [INF, 4.0], [2.0, 6.0]])
    metrics = np.stack([costs, 10 * costs], axis=2)
    found, each = RATE.judged(costs, metrics)
    assert found[1, 0] == 7.0
    assert each is not None
    assert each[1, 0].tolist() == [7.0, 70.0]


def test_a_block_of_a_search_is_judged_before_it_is_scored():
    costs = np.column_stack([pair(2), pair(0)[:, 0] + 5])
    expected = RATE.judged(costs)[0]
    block = Block(costs, "mean", failures=RATE)
    np.testing.assert_array_equal(block.scores, expected)
    lag = block.take([1, 2]).lag(block.take([0]), range(40), 1.0)
    np.testing.assert_array_equal(lag.d, expected[:, 0] - expected[:, 1])
    assert block.noise() == pytest.approx((expected[:, 1:] - expected[:, :1]).var(0, ddof=1).mean())


# --- the argument -----------------------------------------------------------------------------


def a_race(**options):
    return racing.Race([{"x": 1}, {"x": 2}], range(40), **options)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("wrost", "on_failure must be worst, rate or stop"),
        ([5], "on_failure must be worst, rate or stop"),
        ({"polcy": "rate"}, "on_failure.polcy: unknown key; did you mean 'policy'"),
        ({"penalty": float("nan")}, "on_failure.penalty must be a number"),
        ({"penalty": float("inf")}, "on_failure.penalty must be a number"),
        ({"penalty": -1e76}, "penalty: -1e+76 is beyond 1e+75, the largest cost"),
        ({"penalty": True}, "on_failure.penalty must be a number"),
        ({"penalty": {"time": 3}}, "penalty must be a number; got"),
        ({"penalty": 1, "policy": "worst"}, "on_failure.penalty: beside policy: worst"),
        ("stop", "a race by ask and tell has no retries"),
        ({"retries": 2}, "a race by ask and tell has no retries"),
    ],
)
def test_refused(given, words):
    for made in (
        lambda: a_race(on_failure=given),
        lambda: Search(SPACE, range(9), budget=99, on_failure=given),
        lambda: racing.compare(np.ones((3, 2)), on_failure=given),
    ):
        with pytest.raises(InputError) as error:
            made()
        assert words in str(error.value)


@pytest.mark.parametrize("penalty", [3.0, {"loss": 1.0}, {"loss": 1.0, "tiem": 2.0}])
def test_a_penalty_has_a_value_for_each_metric(penalty):
    with pytest.raises(InputError, match=r"a value of each metric \(loss, time\)"):
        a_race(
            metrics=METRICS, objective={"minimize": "loss"}, on_failure={"penalty": penalty}
        )  # fmt: skip


@pytest.mark.parametrize(("direction", "penalty"), [("minimize", 7.0), ("maximize", -7.0)])
def test_a_penalty_is_an_answer_in_the_direction_of_the_scores(direction, penalty):
    race = a_race(direction=direction, on_failure={"penalty": penalty}, budget=4, first_test=1)
    for one in race:
        worst = INF if direction == "minimize" else -INF
        failed = one.candidate.id == 1
        race.tell(one, worst if failed else penalty / 2 if direction == "minimize" else -1.0)
    assert race.results.costs[:, 0].tolist() == [7.0] * len(race.results.costs)
    assert race.ranking()[0].candidate.id == 2


def test_a_run_in_which_all_fails_ends_also_with_a_penalty():
    race = a_race(on_failure={"penalty": 7.0})
    for one in race:
        race.tell(one.failure(Status.CRASHED))
    assert (race.stopped, race.spent.evaluations) == (racing.race.Stop.ALL_FAILED, 2)
    search = Search(SPACE, range(99), budget=300, on_failure={"penalty": 7.0})
    for one in search:
        search.tell(one, INF)
    assert search.stopped is racing.race.Stop.ALL_FAILED


# --- everywhere -------------------------------------------------------------------------------


def loss(values, instance, seed):
    """A target that fails now and then."""
    draw = random.Random(f"{seed} {sorted(values.items())}")
    if draw.random() < 0.1:
        raise RuntimeError("bad luck")
    return abs(values["x"] - 0.3) + draw.random()


def two(values, instance, seed):
    """The same with two metrics."""
    return {"loss": loss(values, instance, seed), "time": values["y"]}


def run(log, function, on_failure, **options):
    space = options.pop("candidates", SPACE)
    return racing.minimize(function, space, range(60), on_failure=on_failure, log=log, **options)


RACED = {"candidates": [{"x": x / 9, "y": y} for x in range(6) for y in (0, 1)], "budget": 400}
FRONT = {"metrics": METRICS, "objective": {"front": ["loss", "time"]}}
RUNS = {
    "race": (loss, {**RACED, "objective": "mean", "rule": "t-test"}),
    "race by rank": (loss, RACED),
    "front of a race": (two, {**RACED, **FRONT}),
    "search": (loss, {"budget": 300}),
    "search for a front": (two, {"budget": 300, **FRONT}),
    "constraints": (
        two,
        {
            "budget": 300, "metrics": METRICS,
            "objective": {"minimize": "loss", "subject_to": ["time <= 0.8"]},
        },
    ),
    "single race": (loss, {"budget": 50}),
    "iterated racing": (loss, {"budget": 300, "search": {"scheme": "irace"}}),
    "team": (loss, {"budget": 700, "search": {"portfolio": 2}}),
}  # fmt: skip


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("policy", ["rate", "penalty"])
def test_a_log_is_read_and_resumed_by_its_policy(name, policy, tmp_path):
    function, options = RUNS[name]
    penalty = {"loss": 2.0, "time": 2.0} if function is two else 2.0
    on_failure = "rate" if policy == "rate" else {"penalty": penalty}
    done = run(tmp_path / "whole.sqlite", function, on_failure, **options)

    heard = itertools.count()

    def enough(event):
        return next(heard) == 25

    broken = run(tmp_path / "broken.sqlite", function, on_failure, callbacks=[enough], **options)
    assert not broken.done
    again = run(tmp_path / "broken.sqlite", function, on_failure, **options)
    races = []
    for name in ("whole", "broken"):
        with SQLiteLog.open(tmp_path / f"{name}.sqlite", write=False) as log:
            races.append(replay(log))
            failed = [one for one in log.each_outcome() if one.failed]
            assert {one.cost for one in failed} == {INF}
    assert races[0].failures.policy == ("rate" if policy == "rate" else "worst")
    assert done.ranking == again.ranking == tuple(races[0].ranking())
    assert done.best == again.best
    assert races[0].verdicts == races[1].verdicts


def histories(kind, policies=("worst", "rate")):
    """The verdicts of a race or search with failures now and then, by each policy."""
    for policy in policies:
        search = kind(range(99), budget=300, seed=3, on_failure=policy)
        for one in search:
            draw = random.Random(f"{one.instance.seed} {one.candidate.values['x']}")
            failed, x = draw.random() < 0.2, one.candidate.values["x"]
            search.tell(one, INF if failed else x + draw.random())
        yield search.verdicts


@pytest.mark.parametrize(
    "kind",
    [
        *(
            partial(racing.Race, [{"x": x / 9} for x in range(9)], objective="mean", rule=rule)
            for rule in ("auto", "successive-halving", "t-test")
        ),
        partial(Search, SPACE),
        partial(IteratedRacing, SPACE, objective="mean", rule="t-test"),
    ],
)
def test_means_are_judged_by_the_policy(kind):
    first, other = histories(kind)
    assert first != other


def test_rare_failures_do_not_make_a_far_worse_default_win():
    """The default is worse by more than 1.2 on every pair."""
    space = {"x": {"real": [0, 1], "default": 1.0}}
    won = {"rate": 0}
    for policy, seed in itertools.product(won, range(6)):
        search = Search(space, range(200), budget=300, seed=seed, on_failure=policy)
        for one in search:
            x = one.candidate.values["x"]
            draw = random.Random(f"{one.instance.seed} {x}")
            failed = draw.random() < 0.05
            search.tell(one, INF if failed else 1.5 * x + 0.1 * draw.random())
        won[policy] += search.winner.values["x"] < 0.3
    assert won["rate"] == 6


def test_a_team_is_chosen_by_the_policy():
    names = {}
    for policy in ("worst", "rate"):
        search = PortfolioSearch(
            {"x": {"real": [0, 1], "default": 0.5}}, [0.1, 0.9] * 30, budget=600, portfolio=2,
            on_failure=policy,
        )  # fmt: skip
        for one in search:
            x = one.candidate.values["x"]
            failed = random.Random(f"{one.instance.seed} {x}").random() < 0.05
            search.tell(one, INF if failed else abs(x - one.instance.problem))
        names[policy] = [one.values["x"] for one in search.team]
    assert names["worst"] != names["rate"]
    assert sorted(round(x, 1) for x in names["rate"]) == [0.1, 0.9]


# --- finished tables --------------------------------------------------------------------------


def test_a_finished_table_is_compared_by_the_policy():
    table = pair(2)
    with pytest.raises(InputError, match="finite"):
        racing.compare(table, test="t")
    assert racing.compare(table, test="t", on_failure="rate").family.adjusted < 0.001
    stated = racing.compare(table, on_failure={"penalty": 50.0}).table.scores
    assert stated[:2, 0].tolist() == [50.0, 50.0]
    upside_down = racing.compare(-table, test="t", direction="maximize", on_failure="rate")
    np.testing.assert_allclose(
        upside_down.table.scores, -racing.compare(table, on_failure="rate").table.scores
    )


def test_repetitions_are_judged_one_by_one():
    costs = np.arange(24.0).reshape(4, 3, 2)
    costs[0, 0, 1] = INF
    found = racing.compare(costs, on_failure="rate").table.scores
    assert found[0, 0].tolist() == [0.0, 5.0 + (7 * 4 + 2) / 8]
    np.testing.assert_array_equal(found[1:], costs[1:])


def test_runs_that_nothing_pairs_have_a_penalty_only():
    runs = {"a": [1.0, INF, 2.0, 3.0, 2.5], "b": [4.0, 5.0, 6.0, 5.5, 4.4]}
    found = racing.compare(runs, paired=False, on_failure={"penalty": 9.0})
    assert max(found.table.runs[0][0]) == 9.0
    with pytest.raises(InputError, match="rate is for paired runs"):
        racing.compare(runs, paired=False, on_failure="rate")


PENALIZED = {"on_failure": {"penalty": 5}, "objective": "mean"}


def crashing(experiment):
    x, step = experiment.candidate.values["x"], experiment.instance.step
    if x == 0 and step % 3 == 0:
        return experiment.failure()
    return experiment.outcome(x + step % 2 / 10)


def test_what_failed_is_counted_whatever_it_counts_as():
    race = racing.Race([{"x": 0}, {"x": 9}], range(12), rule="none", **PENALIZED)
    while not race.done:
        for experiment in race.ask():
            race.tell(crashing(experiment))
    first, second = race.ranking()
    assert (first.candidate.values["x"], first.failures, second.failures) == (0, 4, 0)
    assert first.mean_cost == pytest.approx((4 * 5 + 4 * 0.1) / 12)
    told = gain_in(race.results, [0, 1], ("a", "b"), objective="rank")
    assert (told.failures, told.over_failures, told.pairs) == (4, 0, 12)
    assert race.results.judged.failures_seen.tolist() == [4, 0]


def test_a_search_counts_what_failed_in_its_standing_and_its_gain():
    space = {"x": {"real": [0, 1], "default": 0.9}}
    search = Search(space, range(200), budget=600, settings=Settings(confirm=0.3), **PENALIZED)
    while not search.done:
        for experiment in search.ask(4):
            step, found = experiment.instance.step, experiment.candidate.values["x"] < 0.5
            fails = found and step % 4 == 0
            cost = 20 * experiment.candidate.values["x"] + experiment.instance.seed % 97 / 97
            search.tell(experiment.failure() if fails else experiment.outcome(cost))
    first = search.ranking()[0]
    assert first.failures == sum(step % 4 == 0 for step in search.steps) > 0
    assert search.gain.failures == sum(step % 4 == 0 for step in search.unseen) > 0
    assert search.gain.pairs == search.gain.instances
    at = search.results.candidates.index(first.candidate.id)
    assert search.results.lost([at]).sum() >= first.failures

"""The race of one iteration, its instances, the estimation before it, the selection after it."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from racing.core.budget import Budget
from racing.core.instances import Instances
from racing.core.stop import Stop
from racing.core.verdict import Verdict, eliminations
from racing.rules.none import Keep
from racing.rules.rule import Outlook
from racing.search.account import BudgetAccount
from racing.search.coding import Coding, Design, Draw
from racing.search.iterated.capping import Capping
from racing.search.iterated.iteration import Iteration, RaceOrder, Terms, finalists
from racing.search.iterated.settings import IteratedSettings
from racing.search.phase import SearchContext
from racing.search.settings import Settings
from racing.search.trials import Trials
from racing.space import Real, Space
from tests.search.iterated.kit import iterated
from tests.search.kit import finish, line_space, noisy


class Bench:
    """A context with candidates 1 … n; a cost is the number of the candidate plus step % 3."""

    def __init__(self, n: int, *, evaluations: int = 10**6, limit: float = math.inf) -> None:
        space = Space({"x": Real(0, 1)})
        self.trials = Trials(Coding(space), Instances(range(5), repeat=True), 1)
        self.account = BudgetAccount(Budget(evaluations=evaluations))
        self.verdicts: list[Verdict] = []
        self.context = SearchContext(
            trials=self.trials, account=self.account, design=Design(self.trials.coding, (), 1),
            decided=self.verdicts.append, settings=Settings(), objective="mean",
        )  # fmt: skip
        self.context.limit = limit
        for i in range(n):
            self.trials.enter(Draw({"x": i / n}, np.array([i / n])))
        self.asked: list[tuple[int, int]] = []
        self.bounds: dict[tuple[int, int], float | None] = {}

    def run(self, race: Iteration, cost=lambda id, step: id + step % 3) -> Iteration:
        """Answer everything that is asked for."""
        while not race.over:
            batch = self.trials.queue.take(None)
            assert batch
            for experiment in batch:
                self.asked.append(experiment.key)
                self.bounds[experiment.key] = experiment.bound
                self.trials.record(experiment.outcome(float(cost(*experiment.key))))
                race.update(experiment.key[0])
        return race

    def met(self, id: int) -> list[int]:
        """The steps that a candidate was run on, in order."""
        return [step for one, step in self.asked if one == id]


def terms(**changes: object) -> Terms:
    given: dict[str, object] = {
        "number": 1, "evaluations": 10**6, "order": RaceOrder(), "rule": Worst(), "survivors": 2,
    }  # fmt: skip
    options = IteratedSettings(
        first_test=changes.pop("first_test", 5), each_test=changes.pop("each_test", 1),
        elitist_limit=changes.pop("idle", 0),
    )  # fmt: skip
    return Terms(**{**given, **changes}, options=options)  # type: ignore[arg-type]


class Worst:
    """Drops the worst of all at every test."""

    def __call__(self, results, outlook: Outlook, rng) -> Verdict:
        means = results.block.mean(axis=0)
        worst, best = int(means.argmax()), int(means.argmin())
        return Verdict(
            instances=len(results.block),
            leader=results.id(best),
            eliminated=eliminations(
                results, [worst], against=best, measure="mean", value=means, threshold=0.0,
                statistic=means,
            ),
        )  # fmt: skip


def test_the_first_test_comes_after_five_instances_and_the_others_one_by_one():
    bench = Bench(5)
    race = bench.run(Iteration(bench.context, terms(), [1, 2, 3, 4, 5]))
    assert [verdict.instances for verdict in bench.verdicts] == [5, 6, 7]
    assert [len(bench.met(id)) for id in (5, 4, 3, 2, 1)] == [5, 6, 7, 7, 7]
    assert race.elites == [1, 2]
    assert race.steps == list(range(7))
    assert race.instances == 7


def test_tests_come_after_every_so_many_instances():
    bench = Bench(4)
    bench.run(Iteration(bench.context, terms(first_test=4, each_test=2), [1, 2, 3, 4]))
    assert [verdict.instances for verdict in bench.verdicts] == [4, 6]


def test_everything_up_to_the_first_test_is_asked_for_at_once():
    bench = Bench(4)
    Iteration(bench.context, terms(), [1, 2, 3, 4])
    assert len(bench.trials.queue.take(None)) == 4 * 5


def test_it_leaves_no_more_than_asked_for_the_best_first():
    bench = Bench(6)
    race = Iteration(bench.context, terms(rule=Keep(), evaluations=32), [1, 2, 3, 4, 5, 6])
    bench.run(race)
    assert race.elites == [1, 2]
    assert [e.candidate for e in bench.verdicts[-1].eliminated] == [6, 5, 4, 3]


def test_it_stops_when_another_test_does_not_fit():
    bench = Bench(6)
    bench.run(Iteration(bench.context, terms(rule=Keep(), evaluations=41), [1, 2, 3, 4, 5, 6]))
    assert len(bench.asked) == 36  # 6 · 5, and another 6: with 6 more it would be 42


def test_two_tests_without_a_drop_end_it():
    bench = Bench(4)
    bench.run(Iteration(bench.context, terms(rule=Keep(), idle=2), [1, 2, 3, 4]))
    assert [verdict.instances for verdict in bench.verdicts[:2]] == [5, 6]
    assert len(bench.asked) == 4 * 6


def test_it_ends_with_the_instances():
    bench = Bench(4, limit=7)
    race = bench.run(Iteration(bench.context, terms(rule=Keep()), [1, 2, 3, 4]))
    assert race.instances == 7
    assert race.why is None


def later(bench: Bench, race_terms: Terms) -> Iteration:
    """A second race after one that has left 3 and 4, which are now worse than all others."""
    first = terms(rule=Keep(), evaluations=12, first_test=3)
    bench.run(Iteration(bench.context, first, [3, 4, 5, 6]))
    bench.asked.clear()
    bench.verdicts.clear()
    race = Iteration(bench.context, race_terms, [3, 4, 1, 2], [3, 4], [0, 1, 2])
    return bench.run(race, lambda id, step: 50 + id if id >= 3 else id)


ELITIST = {"order": RaceOrder((2, 0, 1), 1, 3), "number": 2, "first_test": 2, "survivors": 1}


def test_elites_are_not_run_again_and_not_dropped_before_the_others_have_seen_the_same():
    bench = Bench(6)
    race = later(bench, terms(**ELITIST))
    assert bench.met(1)[:4] == [3, 2, 0, 1]
    assert bench.met(4) == [3]  # the new one, and none of 0, 1, 2 again
    assert bench.met(3) == [3, 4]
    gone = {e.candidate: v.instances for v in bench.verdicts for e in v.eliminated}
    assert gone == {4: 4, 3: 5, 2: 6}
    assert race.elites == [1]


def test_tests_that_drop_nobody_count_once_the_elites_can_be_dropped():
    bench = Bench(6)
    race = later(bench, terms(**{**ELITIST, "rule": Keep(), "idle": 2}))
    asked = [v.instances for v in bench.verdicts if v.instances < 6 and not v.eliminated]
    assert asked == [2, 3, 4, 5]
    assert race.instances == 5


def test_until_then_the_elites_remain_the_best():
    bench = Bench(6)
    bench.run(
        Iteration(bench.context, terms(rule=Keep(), evaluations=12, first_test=3), [3, 4, 5, 6])
    )
    race = Iteration(bench.context, terms(**ELITIST), [3, 4, 1, 2], [3, 4], [0, 1, 2])
    assert race.elites == [3, 4]
    assert race.steps == [0, 1, 2]


def test_a_budget_that_ends_before_leaves_the_elites_as_they_were():
    bench = Bench(6, evaluations=12 + 6)
    race = later(bench, terms(**ELITIST, rule=Keep()))
    assert race.why is Stop.EVALUATIONS
    assert race.elites == [3, 4]
    assert race.steps == [0, 1, 2]
    assert {e.candidate for e in bench.verdicts[-1].eliminated} == {1, 2}


def test_where_nothing_works_it_ends():
    bench = Bench(3)
    race = bench.run(Iteration(bench.context, terms(), [1, 2, 3]), lambda id, step: math.inf)
    assert race.why is Stop.ALL_FAILED


def test_an_outcome_that_is_known_is_not_asked_for_again_but_charged():
    bench = Bench(3)
    for step in range(5):
        bench.trials.record(outcome_of(bench, 1, step))
    race = Iteration(bench.context, terms(), [1, 2, 3])
    bench.run(race)
    assert 0 not in bench.met(1)
    assert bench.account.spent.evaluations >= 15


def outcome_of(bench: Bench, id: int, step: int):
    from racing.core.experiment import Experiment

    return Experiment(bench.trials.candidates[id], bench.trials.instance(step)).outcome(float(id))


@pytest.mark.parametrize("statistic", ["median", "worst"])
def test_runs_are_capped_by_what_the_elites_took(statistic):
    bench = Bench(6)
    bench.run(
        Iteration(bench.context, terms(rule=Keep(), evaluations=12, first_test=3), [3, 4, 5, 6])
    )
    capping = Capping(most=100.0, statistic=statistic)
    race = Iteration(
        bench.context, terms(**ELITIST, capping=capping), [3, 4, 1, 2], [3, 4], [0, 1, 2]
    )
    bench.run(race, lambda id, step: 2.0 * id)
    each = {"median": 7.0, "worst": 8.0}[statistic]
    assert bench.bounds[3, 3] == 100.0
    assert bench.bounds[1, 3] == pytest.approx(each + 0.01)
    later = [bench.bounds[key] for key in bench.asked[12:]]
    assert all(bound is not None and bound <= 100.0 for bound in later)
    assert race.elites == [1]


def test_a_run_that_reached_its_bound_counts_as_the_most():
    bench = Bench(2)
    capping = Capping(most=9.0)
    capping.bounds[2, 0] = 1.5
    bench.trials.record(outcome_of(bench, 1, 0))
    bench.trials.record(outcome_of(bench, 2, 0))
    assert capping.costs(bench.trials, [1, 2], [0]).tolist() == [[1.0, 9.0]]


def largest(elites, missing, room, each):
    """How many fit, by trying every set of the others."""
    most = 0
    for n in range(len(missing) + 1):
        for chosen in itertools.combinations(missing, n):
            needed = sum(chosen) + (elites + n) * each
            most = max(most, elites + n) if needed <= room else most
    return most


def test_the_latest_elites_go_first_then_those_that_miss_the_fewest():
    assert finalists([5, 6], [3, 4, 1], [4, 1, 1], room=30, each_test=1) == [5, 6, 4, 1, 3]
    assert finalists([5, 6], [3, 4, 1], [4, 1, 1], room=5, each_test=1) == [5, 6, 4]


def test_no_more_elites_than_the_budget_covers():
    assert finalists([5, 6, 7], [], [], room=2, each_test=1) == [5, 6]
    assert finalists([5, 6, 7], [], [], room=5, each_test=3) == [5]
    assert finalists([5], [6], [0], room=0, each_test=1) == []


def test_sixteen_at_most():
    assert len(finalists([0], list(range(1, 40)), [0] * 39, room=1000, each_test=1)) == 16


def test_no_set_that_fits_is_larger():
    rng = np.random.default_rng(6)
    for _ in range(100):
        missing = rng.integers(0, 9, rng.integers(0, 7)).tolist()
        room, each = int(rng.integers(3, 40)), int(rng.integers(1, 3))
        found = finalists([100], list(range(len(missing))), missing, room=room, each_test=each)
        assert len(found) == largest(1, missing, room, each)


def test_the_first_race_goes_from_the_first_instance_on():
    assert RaceOrder().steps(4) == [0, 1, 2, 3]
    assert RaceOrder().safe == 0


def test_an_elitist_race_meets_new_ones_then_past_ones_then_further_ones():
    order = RaceOrder((2, 0, 1), 2, 3)
    assert order.steps(8) == [3, 4, 2, 0, 1, 5, 6, 7]
    assert order.safe == 5


def test_without_new_ones_it_begins_with_the_past():
    assert RaceOrder((1, 0), 0, 2).steps(4) == [1, 0, 2, 3]


def test_a_race_of_its_own_begins_where_the_last_one_ended():
    assert RaceOrder(first=7).steps(3) == [7, 8, 9]


def test_it_ends_with_the_stream():
    assert RaceOrder((2, 0, 1), 1, 3).limit(5) == 5
    assert RaceOrder(first=7).limit(9) == 2
    assert RaceOrder().limit(math.inf) == math.inf


def first_batch(**options):
    settings = IteratedSettings(**options)
    search = iterated(line_space(), budget=Budget(target_time=3000.0), settings=settings)
    batch = search.ask()
    return search, batch


def test_two_configurations_on_the_first_instances():
    search, batch = first_batch()
    assert search.phase == "estimation"
    assert len(batch) == 2 * 5
    assert [one.origin for one in search.entrants] == ["given", "sobol"]


def test_then_as_many_as_the_share_of_the_time_allows():
    search, batch = first_batch()
    for experiment in batch:
        search.tell(experiment, 1.0 + experiment.candidate.id, seconds=2.0)
    assert search.phase == "estimation"
    assert len(search.ask()) == 13 * 5  # 5 % of 1500 evaluations are 75: 15 configurations in all


def test_without_a_share_the_first_race_begins_at_once():
    search, batch = first_batch(estimation=0.0)
    for experiment in batch:
        search.tell(experiment, 1.0, seconds=2.0)
    assert search.phase == "iteration"
    assert search.spent.evaluations == 10


def test_they_take_part_in_the_first_race_and_are_charged_once():
    search = finish(iterated(line_space(), budget=Budget(target_time=900.0)), noisy())
    assert search.spent.evaluations == search.outcomes
    assert search.winner is not None

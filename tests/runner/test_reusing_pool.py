"""A pool that answers what is known, before one that evaluates the rest."""

from __future__ import annotations

from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance, Outcome, Reused
from racing.evaluate.pool import open_pool
from racing.runner.reuse import Earlier, key_of
from racing.runner.reusing_pool import ReusingPool, reusing

KNOWN = [Experiment(Candidate(k, {"x": k}), Instance(0, "i", 7)) for k in (1, 2)]
NEW = Experiment(Candidate(3, {"x": 3}), Instance(0, "i", 7))
EARLIER = Earlier(
    outcomes={
        key_of(one.candidate.values, one.instance): Outcome(9, 9, 0.5, reused=Reused(log="old"))
        for one in KNOWN
    }
)


def evaluate(experiment: Experiment) -> Outcome:
    return experiment.outcome(1.0)


def test_each_outcome_comes_once_the_known_ones_first():
    with ReusingPool(open_pool(evaluate), EARLIER) as pool:
        for one in (NEW, *KNOWN):
            pool.submit(one)
        assert (pool.running, pool.size) == (3, 1)
        first = pool.wait()
        assert [one.key for one in first] == [one.key for one in KNOWN]
        assert {one.cost for one in first} == {0.5}
        assert pool.running == 1
        assert [one.key for one in pool.wait()] == [NEW.key]
        assert pool.wait(0) == []


def test_what_is_dropped_is_never_returned():
    with ReusingPool(open_pool(evaluate, jobs=2, engine="threading"), EARLIER) as pool:
        for one in (*KNOWN, NEW):
            pool.submit(one)
        pool.drop([KNOWN[0], NEW])
        assert [one.key for one in pool.wait()] == [KNOWN[1].key]
        pool.submit(KNOWN[0])
        pool.drop()
        assert pool.running == 0


def test_a_pool_alone_does_where_nothing_is_known():
    with open_pool(evaluate) as pool:
        assert reusing(pool, Earlier()) is pool

"""One challenger: its states, and that no transition is possible from a wrong one."""

from __future__ import annotations

import numpy as np
import pytest

from racing.search import Settings
from racing.search.block import Block
from racing.search.challenger import Challenger, ChallengerState
from racing.search.coding import Draw
from racing.search.sampler import State
from tests.search.kit import a_context, line_space

CLIMBING, HELD, PASSED, DROPPED = ChallengerState


class Bench:
    """A challenger with the id 3 that races two elites, whose costs are 1, on 4 of 6 instances."""

    def __init__(self, *, prepaid: int = 8, **settings: object) -> None:
        self.context = a_context(line_space(), settings=Settings(**settings))
        self.trials = self.context.trials
        for x in (0.1, 0.2, 0.3):
            self.trials.enter(Draw({"x": x}, np.array([x])))
        state = State(
            decisions=0,
            progress=0.0,
            elites=(1, 2),
            points=np.array([[0.1], [0.2]]),
            block=Block(np.ones((4, 2)), "mean"),
            noise=1.0,
        )
        draw = Draw({"x": 0.3}, np.array([0.3]))
        self.challenger = Challenger(
            0, 3, draw, state, [2, 0, 1, 3, 4, 5], prepaid, self.context, self.context.limit
        )

    def run(self, cost: float) -> list[int]:
        """Record this cost wherever it is to run; the steps."""
        experiments = self.trials.queue.take(None)
        for experiment in experiments:
            self.trials.record(experiment.outcome(cost))
        return [one.instance.step for one in experiments]

    def climb(self, rungs: int) -> Challenger:
        """Start, and pass the tests of so many rungs."""
        self.challenger.start()
        for _ in range(rungs):
            self.run(0.0)
            self.challenger.test()
        return self.challenger


def test_it_climbs_rung_by_rung_and_passes_the_last_test():
    bench = Bench()
    one, met = bench.challenger, []
    one.start()
    for _ in range(3):
        assert one.at is CLIMBING
        met.append(bench.run(0.0))
        assert one.testable
        one.test()
    assert met == [[2], [0], [1, 3]]
    assert one.at is PASSED
    assert not one.resolved
    assert bench.run(0.0) == [4, 5]
    assert one.resolved
    assert one.verdict is None
    assert [stood.n for stood in one.tested] == [1, 2, 4]


def test_it_is_dropped_by_a_test():
    bench = Bench()
    one = bench.challenger
    one.start()
    bench.run(9.0)
    assert one.most == 6
    one.test()
    assert one.at is DROPPED
    assert one.resolved
    assert one.most == 1
    assert one.verdict.steps == (2,)


def test_it_is_held_before_the_rung_that_takes_it_past_what_is_prepaid():
    bench = Bench(prepaid=2)
    one = bench.climb(2)
    assert one.at is HELD
    assert not one.extended
    assert not bench.trials.queue.take(None)
    one.resume()
    assert one.at is CLIMBING
    assert one.extended
    assert bench.run(0.0) == [1, 3]
    one.test()
    assert one.at is PASSED


def test_it_may_pass_within_what_is_prepaid_and_be_held_before_the_rest():
    bench = Bench(prepaid=4)
    one = bench.climb(3)
    assert one.at is HELD
    one.resume()
    assert one.at is PASSED


@pytest.mark.parametrize("resumed", [False, True])
def test_refused_it_is_dropped_where_it_was_within_what_is_prepaid(resumed):
    bench = Bench(prepaid=2)
    one = bench.climb(2)
    if resumed:
        one.resume()
        bench.run(0.0)
        one.test()
    one.refuse(6, 3)
    assert one.at is DROPPED
    (gone,) = one.verdict.eliminated
    assert (gone.measure, gone.value, gone.threshold) == ("evaluations needed", 6, 3)
    assert (one.verdict.steps, one.seen, one.most) == ((2, 0), [2, 0], 2)


def test_no_transition_is_possible_from_a_wrong_state():
    bench = Bench(prepaid=1)
    one = bench.challenger
    with pytest.raises(RuntimeError, match="challenger 0 is climbing on rung -1"):
        one.refuse(4, 1)
    one.start()
    for wrong in (one.start, one.test, one.resume):
        with pytest.raises(RuntimeError, match="challenger 0 is climbing on rung 0"):
            wrong()
    bench.run(0.0)
    one.test()
    for wrong in (one.start, one.test):
        with pytest.raises(RuntimeError, match="challenger 0 is held"):
            wrong()
    one.refuse(4, 1)
    for wrong in (one.start, one.test, one.resume):
        with pytest.raises(RuntimeError, match="challenger 0 is dropped"):
            wrong()

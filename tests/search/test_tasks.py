"""The queue hands out each experiment once."""

from __future__ import annotations

import pytest

from racing.base.errors import RaceError
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance
from racing.search.trials import Batch, TaskQueue


def experiment(candidate: int, step: int = 0) -> Experiment:
    return Experiment(Candidate(candidate, {}), Instance(step, "", 1))


def test_low_numbers_first_then_first_come():
    queue, batch = TaskQueue(), Batch()
    for id, priority in ((1, 5), (2, 0), (3, 5), (4, 0)):
        queue.want(experiment(id), batch, priority)
    assert [one.candidate.id for one in queue.take(3)] == [2, 4, 1]
    assert [one.candidate.id for one in queue.take(None)] == [3]
    assert queue.take(None) == []


def test_a_batch_is_complete_when_all_is_answered():
    queue, batch = TaskQueue(), Batch()
    assert batch.complete
    for id in (1, 2):
        queue.want(experiment(id), batch, 0)
    queue.take(None)
    queue.answered((1, 0))
    assert not batch.complete
    queue.answered((2, 0))
    assert batch.complete


def test_two_may_wait_for_one_experiment():
    queue, one, two = TaskQueue(), Batch(), Batch()
    queue.want(experiment(1), one, 0)
    assert len(queue.take(None)) == 1
    queue.want(experiment(1), two, 0)
    assert queue.take(None) == []
    queue.answered((1, 0))
    assert one.complete
    assert two.complete


def test_the_lost_come_back_and_strangers_do_not():
    queue, batch = TaskQueue(), Batch()
    queue.want(experiment(1), batch, 0)
    with pytest.raises(RaceError, match="is not out, so it cannot be lost"):
        queue.lost(experiment(1))
    (out,) = queue.take(None)
    queue.lost(out)
    assert queue.out == ()
    assert queue.take(None) == [out]


def test_what_nobody_waits_for_is_unwanted_and_not_handed_out_again():
    queue, batch = TaskQueue(), Batch()
    for id in (1, 2):
        queue.want(experiment(id), batch, 0)
    (out,) = queue.take(1)
    queue.clear()
    assert queue.unwanted == (out,)
    queue.lost(out)
    assert queue.take(None) == []


def test_what_is_wanted_again_after_a_clearing_while_it_is_out_is_not_handed_out_twice():
    queue, batch = TaskQueue(), Batch()
    queue.want(experiment(1), Batch(), 0)
    (out,) = queue.take(None)
    queue.clear()
    queue.want(out, batch, 0)
    assert queue.take(None) == []
    queue.answered(out.key)
    assert batch.complete

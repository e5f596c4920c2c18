"""A decider that works in batches is a function of its arguments and its outcomes."""

from __future__ import annotations

import numpy as np
import pytest

from racing.base.errors import RaceError
from racing.core.candidate import Candidate
from racing.core.decider import Entrant
from racing.core.experiment import Outcome
from racing.log import Header, MemoryLog, Recorder
from tests.analysis.explain.test_ablation import ablation, answer, facts, finish
from tests.analysis.portfolio.test_fill import filling, world
from tests.search.kit import lossy_finish

TRUTH, KNOWN = world(1)
KINDS = {
    "ablation": (lambda: ablation(budget=120), answer, facts),
    "filling": (
        lambda: filling(KNOWN, 60),
        lambda one: one.outcome(TRUTH[one.instance.step, one.candidate.id - 1], seconds=0.5),
        lambda one: (one.costs.tobytes(), one.spent, one.stopped, one.entrants),
    ),
}


@pytest.fixture(params=KINDS)
def kind(request):
    """How one is made and answered, and what came of it."""
    return KINDS[request.param]


@pytest.mark.parametrize("workers", [2, 5, 30])
def test_neither_the_number_of_workers_nor_the_order_of_arrival_matters(kind, workers):
    make, told, result = kind
    alone, many = finish(make(), answer=told), finish(make(), workers, seed=workers, answer=told)
    assert result(many) == result(alone)


def test_what_is_lost_is_asked_for_again(kind):
    make, told, result = kind
    assert result(lossy_finish(make(), told, 4)) == result(finish(make(), answer=told))


@pytest.mark.parametrize("stretch", [4, 23, 100])
def test_sessions_that_are_killed_come_to_the_same_and_repeat_nothing(kind, stretch):
    make, told, result = kind
    log, done, sessions = MemoryLog(Header(name="a", seed=3)), False, 0
    while not done:
        one, rng = make(), np.random.default_rng(sessions)
        recorder = Recorder(one, log)
        for _ in range(stretch):
            recorder.ask(5 - len(one.pending))
            if one.done:
                break
            recorder.tell(told(one.pending[int(rng.integers(len(one.pending)))]))
        done, sessions = one.done, sessions + 1
    assert result(one) == result(finish(make(), answer=told))
    assert len(log.outcomes()) <= one.budget.evaluations


def test_misuse_is_refused(kind):
    make, told, _ = kind
    one = make()
    with pytest.raises(RaceError, match=f"the log of another {one.word}"):
        one.restore([Entrant(candidate=Candidate(1, {"x": 9}))])
    experiment = one.ask(1)[0]
    one.tell(told(experiment))
    for match, wrong in {
        "told before": lambda: one.tell(told(experiment)),
        f"not in this {one.word}": lambda: one.tell(Outcome(999, 0, 1.0)),
        "is not out": lambda: one.lost(experiment),
        "restore must come before": lambda: one.restore(one.entrants),
        "cannot be extended|not over yet": lambda: one.extend(one.budget),
    }.items():
        with pytest.raises(RaceError, match=match):
            wrong()

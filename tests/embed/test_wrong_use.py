"""Ask and tell used wrongly: the error says what to do, and the loop goes on as if nothing was."""

from __future__ import annotations

import math

import pytest

import racing
from racing.base.errors import InputError, RaceError
from racing.core.ask_tell import outcome_of
from racing.core.experiment import Outcome, Status
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function


def cost(experiment: racing.Experiment) -> float:
    return abs(experiment.candidate.values["x"] - 0.31) + experiment.instance.seed % 7 / 100


def race() -> racing.Race:
    return racing.Race([{"x": k / 10} for k in range(8)], range(12))


def search() -> racing.Search:
    return racing.Search({"x": {"real": [0, 1]}}, range(12), budget=90)


WRONG = [
    (lambda d, out: d.tell(out), InputError, "has no score; tell"),
    (lambda d, out: d.tell(out, "0.5"), InputError, 'must be a number; got "0.5"'),
    (lambda d, out: d.tell(7, 1.0), InputError, "told must be an Outcome, or an experiment"),
    (lambda d, out: d.tell(Outcome(99, 0, 1.0)), RaceError, "tell outcomes of experiments that"),
    (lambda d, out: d.ask(1.5), InputError, "to ask for must be a whole number, or None .*got 1.5"),
    (lambda d, out: d.ask("all"), InputError, 'must be a whole number, or None .*; got "all"'),
    (lambda d, out: d.lost(out, out), RaceError, "is not out|was not handed out"),
]


def finished(decider) -> tuple:
    for experiment in iter(lambda: next(iter(decider.ask(1)), None), None):
        decider.tell(experiment, cost(experiment))
    return decider.winner.values, decider.spent, decider.stopped, list(decider.verdicts)


@pytest.mark.parametrize("make", [race, search])
@pytest.mark.parametrize(
    ("wrong", "error", "words"), WRONG, ids=[str(n) for n in range(len(WRONG))]
)
def test_nothing_is_lost(make, wrong, error, words):
    decider = make()
    for experiment in decider.ask(10):
        decider.tell(experiment, cost(experiment))
    [out] = decider.ask(1)
    with pytest.raises(error, match=words):
        wrong(decider, out)
    decider.lost(*decider.pending)
    assert finished(decider) == finished(make())


@pytest.mark.parametrize("make", [race, search])
def test_an_outcome_told_twice_counts_once(make):
    decider = make()
    [out] = decider.ask(1)
    decider.tell(out, cost(out))
    with pytest.raises(RaceError, match="was told before, and the first one counts; `pending` has"):
        decider.tell(out, 99.0)
    assert finished(decider) == finished(make())


@pytest.mark.parametrize("make", [race, search])
def test_an_interrupted_cell_can_be_run_again(make):
    decider, cells = make(), 0

    def cell():
        for experiment in decider.ask(4):
            if (decider.outcomes + len(decider.pending)) % 5 == 0:
                raise KeyboardInterrupt
            decider.tell(experiment, cost(experiment))

    while not decider.done:
        try:
            cell()
        except KeyboardInterrupt:
            cells += 1
            for experiment in decider.pending:
                decider.tell(experiment, cost(experiment))
    assert cells > 1
    assert finished(decider) == finished(make())


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf, 1e308, -(10**400)])
@pytest.mark.parametrize("direction", ["minimize", "maximize"])
def test_what_is_no_cost_is_a_failure_in_ones_own_loop_as_in_a_run(score, direction):
    [experiment] = race().ask(1)
    evaluate = Evaluator(Function(lambda *_: score), direction=direction)
    for found in (outcome_of(experiment, score, direction=direction), evaluate(experiment)):
        assert (found.cost, found.status) == (math.inf, Status.UNREADABLE)
        assert found.message.startswith("unreadable: ")


@pytest.mark.parametrize("make", [race, search])
def test_a_failure_that_was_told_as_nan_never_wins(make):
    decider = make()
    for experiment in iter(lambda: next(iter(decider.ask(1)), None), None):
        bad = abs(experiment.candidate.values["x"] - 0.31) < 0.15
        decider.tell(experiment, math.nan if bad else cost(experiment))
    assert abs(decider.winner.values["x"] - 0.31) >= 0.15

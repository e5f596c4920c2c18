"""Callbacks hear everything once, can stop a run, and cannot lose it."""

from __future__ import annotations

import numpy as np
import pytest

import racing
from racing.base.errors import CallbackError, InputError
from racing.embed import Decided, Ended, Heard

TEN = [{"x": k / 10} for k in range(11)]


def cost(values, instance, seed):
    return abs(values["x"] - 0.3) + (seed % 7) / 100


def test_every_outcome_every_verdict_and_the_end_are_told_once():
    events = []
    found = racing.minimize(cost, TEN, range(20), budget=150, callbacks=[events.append])
    outcomes = [event.outcome for event in events if isinstance(event, Heard)]
    assert [one.key for one in outcomes] == [one.key for one in found.log.outcomes()]
    verdicts = [event.verdict for event in events if isinstance(event, Decided)]
    assert verdicts == list(found.race.verdicts)
    assert isinstance(events[-1], Ended)
    assert events[-1].result.best == found.best
    assert sum(isinstance(event, Ended) for event in events) == 1


def test_what_was_told_before_an_interruption_is_not_told_again():
    first, second = [], []

    def stop(event):
        first.append(event)
        return event.race.outcomes >= 60

    part = racing.minimize(cost, TEN, range(20), budget=150, callbacks=[stop])
    whole = racing.minimize(
        cost, TEN, range(20), budget=150, log=part.log, callbacks=[second.append]
    )
    verdicts = [e.verdict for e in first + second if isinstance(e, Decided)]
    assert verdicts == list(whole.race.verdicts)
    assert sum(isinstance(e, Heard) for e in first + second) == whole.race.outcomes


def test_only_true_stops():
    full = racing.minimize(cost, TEN, range(6), callbacks=[lambda _: 1, lambda _: "yes"])
    assert full.done
    for true in (True, np.bool_(True)):
        stop = [lambda _: None, lambda _, answer=true: answer]
        part = racing.minimize(cost, TEN, range(6), callbacks=stop)
        assert part.race.outcomes == 1


@pytest.mark.parametrize("given", [lambda f: f, lambda f: (one for one in [f])])
def test_a_single_callback_and_any_series_of_them_are_called(given):
    heard = []
    found = racing.minimize(cost, TEN, range(20), budget=150, callbacks=given(heard.append))
    assert sum(isinstance(one, Heard) for one in heard) == found.race.outcomes


@pytest.mark.parametrize("given", [None, 3, "print", [3]])
def test_what_is_no_callback_is_refused(given):
    with pytest.raises(InputError, match=r"must be a function of an event.*; got"):
        racing.minimize(cost, TEN, range(20), budget=150, callbacks=given)


@pytest.mark.parametrize("kind", [Heard, Decided, Ended])
def test_a_callback_that_fails_loses_nothing(kind):
    def broken(event):
        if isinstance(event, kind):
            raise ZeroDivisionError("oops")

    with pytest.raises(CallbackError, match="the callback broken raised ZeroDivisionError") as told:
        racing.minimize(cost, TEN, range(8), callbacks=[broken])
    assert isinstance(told.value.__cause__, ZeroDivisionError)
    rest = racing.minimize(cost, TEN, range(8), log=told.value.result.log)
    assert rest.best == racing.minimize(cost, TEN, range(8)).best
    assert len(rest.log.outcomes()) == rest.race.outcomes

"""Counts of outcomes: what is added is counted once, and what is removed not at all."""

from __future__ import annotations

from racing.answer.head import Message
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance
from racing.report.counts import Expense, Tally

ONE, OTHER = Candidate(1, {}), Candidate(2, {})


def outcome(candidate, cost=None, *, message="no luck\nat all", seconds=2.0):
    experiment = Experiment(candidate, Instance(0, "a", 1, "a"))
    if cost is None:
        return experiment.failure(message=message, seconds=seconds)
    return experiment.outcome(cost, seconds=seconds)


def said(message, times, last_line=""):
    return Message(message=message, times=times, last_line=last_line)


def test_outcomes_are_counted_by_candidate():
    tally = Tally()
    for one in (outcome(ONE, 3.0), outcome(ONE), outcome(OTHER, 1.0, seconds=0.5)):
        tally.add(one)
    assert tally.expense(ONE) == Expense(candidate=ONE, evaluations=2, failures=1, seconds=4.0)
    assert tally.expense(OTHER) == Expense(candidate=OTHER, evaluations=1, failures=0, seconds=0.5)
    assert tally.messages == (said("no luck", 1, "at all"),)


def test_what_is_removed_leaves_no_trace():
    tally = Tally()
    for one in (outcome(ONE, 3.0), outcome(ONE)):
        tally.add(one)
        tally.remove(one)
    assert tally.expense(ONE) == Expense(candidate=ONE, evaluations=0, failures=0, seconds=0.0)
    assert tally.messages == ()


def test_messages_come_by_frequency_then_by_text():
    tally = Tally()
    for message in ("b", "c", "a", "c"):
        tally.add_message(outcome(ONE, message=message))
    assert tally.messages == (said("c", 2), said("a", 1), said("b", 1))


def test_messages_that_differ_in_numbers_and_names_are_one():
    tally = Tally()
    for message in ("no file '/tmp/a'", "no file '/tmp/b'", "exit status 3", "exit status 3"):
        tally.add_message(outcome(ONE, message=message))
    assert tally.messages == (said("exit status 3", 2), said("no file …", 2))


def test_of_several_attempts_each_is_counted_once_by_its_own_cause():
    tally = Tally()
    last = "attempt 1 of 3: late\nwhy\nattempt 2 of 3: late\nwhy\nattempt 3 of 3: no luck\nat all"
    for message in ("late\nwhy", "late\nwhy", last):
        tally.add_message(outcome(ONE, message=message))
    assert tally.messages == (said("late", 2, "why"), said("no luck", 1, "at all"))

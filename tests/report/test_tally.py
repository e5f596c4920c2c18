"""Counts of outcomes: what is added is counted once, and what is removed not at all."""

from __future__ import annotations

from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance
from racing.report.tally import Expense, Tally

ONE, OTHER = Candidate(1, {}), Candidate(2, {})


def outcome(candidate, cost=None, *, message="no luck\nat all", seconds=2.0):
    experiment = Experiment(candidate, Instance(0, "a", 1, "a"))
    if cost is None:
        return experiment.failure(message=message, seconds=seconds)
    return experiment.outcome(cost, seconds=seconds)


def test_outcomes_are_counted_by_candidate():
    tally = Tally()
    for one in (outcome(ONE, 3.0), outcome(ONE), outcome(OTHER, 1.0, seconds=0.5)):
        tally.add(one)
    assert tally.expense(ONE) == Expense(candidate=ONE, evaluations=2, failures=1, seconds=4.0)
    assert tally.expense(OTHER) == Expense(candidate=OTHER, evaluations=1, failures=0, seconds=0.5)
    assert tally.by_message == (("no luck", 1, "at all"),)


def test_what_is_removed_leaves_no_trace():
    tally = Tally()
    for one in (outcome(ONE, 3.0), outcome(ONE)):
        tally.add(one)
        tally.remove(one)
    assert tally.expense(ONE) == Expense(candidate=ONE, evaluations=0, failures=0, seconds=0.0)
    assert tally.by_message == ()


def test_messages_come_by_frequency_then_by_text():
    tally = Tally()
    for message in ("b", "c", "a", "c"):
        tally.add_message(outcome(ONE, message=message))
    assert tally.by_message == (("c", 2, ""), ("a", 1, ""), ("b", 1, ""))


def test_messages_that_differ_in_numbers_and_names_are_one():
    tally = Tally()
    for message in ("no file '/tmp/a'", "no file '/tmp/b'", "exit status 3", "exit status 3"):
        tally.add_message(outcome(ONE, message=message))
    assert tally.by_message == (("exit status 3", 2, ""), ("no file …", 2, ""))

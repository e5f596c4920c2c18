"""Counts of outcomes: each is counted once, and failures that are alike together."""

from __future__ import annotations

import numpy as np
import pytest

from racing.answer.head import Message
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance, Outcome, Status
from racing.report.counts import END, Expense, FailureGroups, Tally, common, pattern
from tests.report.kit import told

# --- counts of outcomes: what is added is counted once, and what is removed not at all --------

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


# --- failures in groups, with the ends of their messages --------------------------------------


def failed(candidate: int, message: str, status: Status = Status.CRASHED) -> Outcome:
    return Outcome(candidate, 0, np.inf, status=status, message=message)


def test_groups_are_by_status_and_first_line():
    groups = FailureGroups()
    for outcome in (
        failed(1, "no memory\nat line 3"),
        failed(2, "no memory\nat line 4"),
        failed(1, "no memory", Status.TIMEOUT),
        Outcome(3, 0, 1.0),
    ):
        groups.add(outcome)
    first, second = groups.all()
    assert (first.count, [*first.candidates], first.status) == (2, [1, 2], "crashed")
    assert first.end.endswith("line 4")
    assert second.status == "timeout"


def test_of_a_long_message_the_end_is_kept():
    groups = FailureGroups()
    groups.add(failed(1, "x" * 100_000 + "the reason"))
    (one,) = groups.all()
    assert len(one.end) == END
    assert one.end.endswith("the reason")
    assert len(one.first) == 300


def test_messages_that_all_differ_share_a_group():
    groups = FailureGroups()
    for number in range(1000):
        groups.add(failed(number, f"error {'x' * number}"))
    found = groups.all()
    assert sum(one.count for one in found) == 1000
    assert len(found) == 201


def test_failures_of_a_run_are_all_counted():
    costs = np.ones((6, 3))
    costs[:, 1] = np.inf
    run = told(costs, rule="none")
    (only,) = run.failure_groups
    assert (only.count, [*only.candidates]) == (6, [2])
    assert only.end.endswith("long story")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("exit status 3", "exit status 139"),
        ("no file 'a b.txt' in it", "no file 'c.txt' in it"),
        ("cannot open /tmp/x/1.cnf", "cannot open data/2.cnf"),
        ("at 0x7f1c after 1.5e-3 s", "at 0x10 after 20 s"),
    ],
)
def test_messages_that_differ_in_numbers_and_names_are_one_kind(one, other):
    assert pattern(one) == pattern(other)
    assert pattern(one) != pattern("out of memory")


def test_of_one_kind_only_what_differs_is_left_out():
    name = "log(time - 5) has no value for {'time': %s, 'right': 0.0}"
    assert common([name % "1.0", name % "2.5"]) == name % "…"
    assert common([name % "1.0"]) == name % "1.0"
    assert common(["exit status 3\nat 4", "exit status 3\nat 5"]) == "exit status 3"
    assert common(["… of 7 in '/a/b'", "9 of 7 in '/a/c'"])

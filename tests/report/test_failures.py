"""Failures in groups, with the ends of their messages."""

from __future__ import annotations

import numpy as np
import pytest

from racing.core.experiment import Outcome, Status
from racing.report.counts import END, FailureGroups, common, pattern
from tests.report.kit import told


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

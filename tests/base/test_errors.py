"""How many errors are reported, and how long they may be."""

from __future__ import annotations

import pickle

from racing.base.errors import MOST_ERRORS, FormatError, ScenarioError, did_you_mean, told


def test_at_most_fifty_errors_are_reported_and_the_rest_is_counted() -> None:
    errors = tuple(f"race.yaml:{i}: wrong" for i in range(90_000))
    found = ScenarioError(errors).errors
    assert len(found) == MOST_ERRORS
    assert found[-1] == f"… and {90_000 - MOST_ERRORS + 1} more errors"
    assert told(errors[:MOST_ERRORS]) == errors[:MOST_ERRORS]


def test_errors_travel_between_processes_as_they_are() -> None:
    error = FormatError(f"file:{i}:1: wrong" for i in range(100))
    assert pickle.loads(pickle.dumps(error)).errors == error.errors


def test_an_endless_error_is_cut() -> None:
    assert len(told(["x" * 10**6])[0]) < 3_000


def test_hints_are_given_only_where_they_take_a_moment() -> None:
    assert did_you_mean("alpa", ["alpha"]) == "; did you mean 'alpha'?"
    assert "did you mean" not in did_you_mean("alpa" * 100, ["alpha"])
    many = [f"p{i}" for i in range(5_000)]
    assert did_you_mean("p", many).endswith("p99, …")


def test_a_number_that_there_is_not_is_no_misspelling():
    known = [*(f"#{number}" for number in range(1, 31)), "default"]
    assert did_you_mean("#999", known) == "; there are #1 to #30"
    assert did_you_mean("#9", ["a", "b"]) == ""
    assert did_you_mean("defalt", known) == "; did you mean 'default'?"

"""Times with a cutoff: who is stopped, and what is no time."""

from __future__ import annotations

import numpy as np
import pytest

from racing.analysis.compare import as_table, compare, compare_metrics
from racing.analysis.compare.result_table import policy_of, stopped_at
from racing.base.errors import InputError
from tests.analysis.compare.comparisons import as_runs


def test_a_run_that_reaches_the_cutoff_is_a_failure():
    runs = stopped_at(as_runs({"a": [1, 60, 59.9], "b": [600, np.inf]}), 60)
    assert [x.tolist() for x in runs.runs[0]] == [[1, np.inf, 59.9], [np.inf, np.inf]]
    table = stopped_at(as_table([[1.0, 60.0], [2.0, 3.0]]), 60)
    assert table.scores.tolist() == [[1, np.inf], [2, 3]]
    assert (runs.cutoff, table.cutoff) == (60, 60)


@pytest.mark.parametrize("cutoff", [0, -1, np.inf, np.nan, "60"])
def test_what_is_no_cutoff(cutoff):
    with pytest.raises(InputError, match="cutoff must be a number above 0"):
        stopped_at(as_runs({"a": [1], "b": [2]}), cutoff)


def test_scores_that_are_no_times():
    with pytest.raises(InputError, match="one of the scores is negative: -1"):
        stopped_at(as_runs({"a": [-1], "b": [2]}), 60)
    with pytest.raises(InputError, match="lower ones are better"):
        stopped_at(as_runs({"a": [1], "b": [2]}, direction="maximize"), 60)


@pytest.mark.parametrize(
    ("given", "penalty"),
    [(10, 10.0), (np.int64(10), 10.0), ("10", 10.0), ({"penalty": 10}, 10.0), ("worst", None),
     ({"q": 10, "t": 3}, {"q": 10, "t": 3}), ("q=10, t=3", {"q": 10.0, "t": 3.0})],
)  # fmt: skip
def test_what_failures_count_as_in_all_forms(given, penalty):
    assert policy_of(given).penalty == penalty
    table = [[1.0, np.inf], [2.0, 3.0]]
    if isinstance(penalty, dict):
        found = compare_metrics({"q": table, "t": table}, on_failure=given)
        assert [one.scores[0, 1] for one in found.tables.values()] == [10, 3]
    else:
        assert compare(table, on_failure=given).table.scores[0, 1] == (penalty or np.inf)


@pytest.mark.parametrize("given", ["wrost", "time=many", True, [10]])
def test_what_failures_cannot_count_as(given):
    with pytest.raises(InputError, match=r"on_failure|penalty"):
        compare([[1.0, np.inf], [2.0, 3.0]], on_failure=given)

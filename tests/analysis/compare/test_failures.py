"""Times with a cutoff: who is stopped, and what is no time."""

from __future__ import annotations

import numpy as np
import pytest

from racing.analysis.compare import as_table
from racing.analysis.compare.result_table import stopped_at
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

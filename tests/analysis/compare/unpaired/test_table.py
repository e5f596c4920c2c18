"""Tables of runs: gaps are named or left out, and what cannot be compared is refused."""

from __future__ import annotations

import numpy as np
import pytest

from racing.analysis.compare.unpaired.table import RunTable, gathered
from racing.base.errors import TableError

SCORES = {("p", "a"): [1, 2], ("p", "b"): [3], ("q", "a"): [4], ("q", "b"): [5], ("p", "c"): [6]}


def made(**how):
    return gathered(SCORES, **{"direction": None, "missing": "refuse", "source": "t"} | how)


def test_a_missing_run_is_named_with_both_ways_out():
    with pytest.raises(TableError, match="t: no run of c on q") as error:
        made()
    assert "1 of 2 problems (--missing drop-instances)" in str(error.value)
    assert "1 of 3 algorithms (--missing drop-algorithms)" in str(error.value)


def test_problems_or_algorithms_are_left_out():
    without_q = made(missing="drop-instances")
    assert (without_q.problems, without_q.names) == (("p",), ("a", "b", "c"))
    without_c = made(missing="drop-algorithms")
    assert (without_c.problems, without_c.names) == (("p", "q"), ("a", "b"))
    assert without_c.left_out == ("c",)
    assert without_c.sizes.tolist() == [[2, 1], [1, 1]]
    with pytest.raises(TableError, match=r"are left.*--missing drop-instances"):
        gathered({("p", "a"): [1], ("q", "b"): [2]}, direction=None, missing="drop-algorithms",
                 source="t")  # fmt: skip


def test_costs_are_negated_scores_where_higher_is_better():
    table = made(missing="drop-instances", direction="maximize")
    assert table.costs(0)[0].tolist() == [-1, -2]
    assert not table.assumed
    assert made(missing="drop-instances").assumed


def test_one_problem_can_be_chosen_by_name():
    table = made(missing="drop-algorithms")
    assert table.only("q").runs[0][0].tolist() == [4]
    with pytest.raises(TableError, match='no problem is called "r"'):
        table.only("r")
    with pytest.raises(TableError, match='no algorithm is called "z"'):
        table.column("z")


@pytest.mark.parametrize(
    ("names", "runs", "message"),
    [
        (("a",), [[1.0]], 'at least two algorithms, got 1 ."a".'),
        (("a", "a"), [[1.0], [2.0]], 'two algorithms are called "a"; rename one'),
        (("a", "b"), [[1.0], []], "p: expected a vector|b on p: expected a vector"),
        (("a", "b"), [[1.0], [np.nan]], "b on p: a score is NaN; a run that failed is inf"),
        (("a", "b"), [[1.0], [-np.inf]], "infinitely good.*--maximize"),
        (("a", "b"), [[1.0], [-1e80]], r"a score is -1e\+80, infinitely good.*--maximize"),
    ],
)
def test_what_cannot_be_compared(names, runs, message):
    with pytest.raises(TableError, match=message):
        RunTable(names, ("p",), (tuple(np.array(x, dtype=float) for x in runs),))

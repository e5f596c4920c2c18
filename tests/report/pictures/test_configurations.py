"""The family tree of a search, and of a race that has none."""

from __future__ import annotations

import numpy as np

from racing.log import SQLiteLog
from racing.report import history
from racing.report.pictures.configurations import lineage, origins
from tests.report.kit import told, told_search


def test_the_tree_of_a_search_is_that_of_its_entrants(tmp_path):
    with SQLiteLog.open(told_search(tmp_path), write=False) as log:
        run = history(log)
    found = origins(run)
    by_id = {one.candidate: one for one in found}
    assert [one.number for one in found] == list(range(1, len(found) + 1))
    for one in found:
        assert one.parent == run.candidates[one.candidate].parent
        if one.parent is None:
            assert one.generation == 0
        else:
            assert one.generation == by_id[one.parent].generation + 1
    line = lineage(run)
    assert line[-1] == run.winner.id
    assert [one.candidate for one in found if one.ancestor] == sorted(line)
    assert sum(run.fate(one.candidate) == "winner" for one in found) == 1


def test_in_a_race_everybody_is_of_generation_0():
    run = told(np.array([[1.0, 2.0, 3.0]] * 4), rule="none")
    assert {one.generation for one in origins(run)} == {0}
    assert lineage(run) == (1,)

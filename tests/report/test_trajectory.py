"""The course of a run must be what the race went through."""

from __future__ import annotations

from racing.log import SQLiteLog
from racing.report import history
from tests.report.kit import told, told_race, told_search
from tests.worlds import hard_world, normal_world


def test_the_marks_of_a_race_follow_its_verdicts():
    run = told(normal_world(8, 30, seed=1, noise=0.3))
    alive, left = 8, {v.instances: len(v.eliminated) for v in run.race.verdicts}
    for mark in run.marks:
        alive = 8 - sum(many for at, many in left.items() if at <= mark.instances)
        assert mark.alive == alive
    assert run.marks[-1].alive == len(run.survivors)
    assert run.marks[-1].evaluations == len(run.outcomes)
    assert [mark.instances for mark in run.marks] == sorted(mark.instances for mark in run.marks)


def test_evaluations_of_a_mark_are_those_of_the_complete_instances():
    run = told(normal_world(6, 20, seed=2, noise=0.3))
    ran = run.matrices.ran
    for mark in run.marks[1:-1]:
        assert mark.evaluations == ran[: mark.instances].sum()


def test_a_run_without_outcomes_has_one_mark():
    run = history(told_race(hard_world(4, 5, seed=1), stop_after=0))
    assert [(mark.evaluations, mark.alive, mark.entered) for mark in run.marks] == [(0, 4, 4)]


def test_the_marks_of_a_search_count_its_elites(tmp_path):
    with SQLiteLog.open(told_search(tmp_path), write=False) as log:
        run = history(log)
    assert run.searching
    last = run.marks[-1]
    assert last.leader == run.winner.id
    assert last.entered == len(run.entrants) > run.marks[0].entered
    assert last.alive == len(run.survivors)

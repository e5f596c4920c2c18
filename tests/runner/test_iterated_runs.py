"""`search: irace` from a scenario to a winner: any workers, killed, resumed, extended."""

from __future__ import annotations

import pytest

from racing.log import SQLiteLog, replay
from racing.runner.run import resume, run
from racing.search import IteratedRacing
from tests.runs_kit import calls, decision, interrupted_after, killed, result, write_search

OPTIONS = {"scheme": "irace", "configurations": 12}


def searched(folder, **parts):
    """A run of iterated racing, and its log."""
    log = folder / "log.sqlite"
    search = run(write_search(folder, **{"search": OPTIONS, "budget": 150, **parts}), log=log)
    assert isinstance(search, IteratedRacing)
    return search, log


@pytest.mark.parametrize("options", ["irace", OPTIONS, {"scheme": "irace", "elitist": False}])
def test_it_finds_better_ones_than_the_default(tmp_path, options):
    search, log = searched(tmp_path, search=options, noise=0.2)
    assert search.done
    assert search.winner.values["x"] < 0.4
    assert search.iterations >= 2
    assert len(calls(tmp_path)) == search.outcomes <= 150
    with SQLiteLog.open(log, write=False) as book:
        told = replay(book)
        assert isinstance(told, IteratedRacing)
        assert told.winner == search.winner
        assert told.ranking() == search.ranking()
        entrants = book.entrants()
    drawn = [one for one in entrants if one.origin == "model"]
    assert drawn
    assert all(one.candidate.parent is not None and one.draw for one in drawn)


def test_the_number_of_jobs_does_not_matter(tmp_path):
    _, alone = searched(tmp_path / "one", execution={"jobs": 1, "engine": "threading"})
    _, several = searched(tmp_path / "three", execution={"jobs": 3, "engine": "threading"})
    assert decision(alone) == decision(several)


def test_interrupted_again_and_again_it_comes_to_the_same(tmp_path):
    _, whole = searched(tmp_path / "whole")
    log = tmp_path / "parts.sqlite"
    scenario = write_search(tmp_path / "parts", search=OPTIONS, budget=150)
    search = run(scenario, log=log, options=interrupted_after(7))
    while not search.done:
        search = resume(log, options=interrupted_after(41))
    assert result(log) == result(whole)
    assert len(calls(tmp_path / "parts")) == len(calls(tmp_path / "whole"))


def test_kill_9_at_any_moment_then_resume_is_as_if_nothing_had_happened(tmp_path):
    folder, log = tmp_path / "killed", tmp_path / "killed" / "log.sqlite"
    execution = {"jobs": 2, "engine": "threading"}
    scenario = write_search(folder, search=OPTIONS, budget=150, pause=0.01, execution=execution)
    killed(folder, scenario, log, times=2, calls_apart=range(20, 61))
    write_search(folder, search=OPTIONS, budget=150)  # the same target, without its pause
    resume(log, accept_changed_target=True)
    _, whole = searched(tmp_path / "whole")
    assert result(log) == result(whole)


def test_an_extension_can_be_interrupted(tmp_path):
    logs = {}
    for name, most in (("whole", 10_000), ("parts", 33)):
        before, log = searched(tmp_path / name)
        search = resume(log, budget=90, options=interrupted_after(most))
        while not search.done:
            search = resume(log, options=interrupted_after(most))
        assert isinstance(search, IteratedRacing)
        assert before.spent.evaluations < search.spent.evaluations
        logs[name] = log
    assert result(logs["parts"]) == result(logs["whole"])


def test_a_budget_of_time_ends_it(tmp_path):
    search, log = searched(tmp_path, budget={"target_time": 1.2}, pause=0.005)
    assert search.spent.target_time <= 1.2
    with SQLiteLog.open(log, write=False) as book:
        assert replay(book).winner == search.winner

"""`search: irace` from a scenario to a winner, and its extension."""

from __future__ import annotations

import pytest

from racing.log import SQLiteLog, replay
from racing.runner.run import resume, run
from racing.search import IteratedRacing
from tests.runs_kit import calls, interrupted_after, result, write_search

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

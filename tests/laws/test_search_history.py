"""A log is the history of a search too: told again it gives the same search, at any point."""

from __future__ import annotations

import numpy as np
import pytest

from racing.base.errors import LogError, RacingError
from racing.core.budget import Budget
from racing.log import Header, MemoryLog, Recorder, SQLiteLog
from racing.search import Search, Settings
from racing.search.sampler import LocalSampler
from tests.search.kit import a_search, facts, finish, noisy

BUDGETS = {
    "evaluations": Budget(evaluations=130),
    "race": Budget(evaluations=40),
    "target_time": Budget(target_time=160.0),
}
HEADER = Header(name="search", seed=3, direction="minimize", objective="rank", scenario={})


def go_on(recorder: Recorder[Search], *, workers: int, seed: int, most: int) -> None:
    """Drive a search through its recorder for so many outcomes; what is out then is lost."""
    rng, search = np.random.default_rng(seed), recorder.decider
    while not search.done and most:
        recorder.ask(max(workers - len(search.pending), 0))
        if search.done:
            break
        one = search.pending[int(rng.integers(len(search.pending)))]
        recorder.tell(noisy()(one))
        most -= 1


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("stretch", [1, 17, 60])
def test_sessions_that_are_killed_and_resumed_come_to_the_same(budget, stretch):
    whole = finish(a_search(budget=BUDGETS[budget]), noisy())
    log, sessions, search = MemoryLog(HEADER), 0, None
    while search is None or not search.done:
        search = a_search(budget=BUDGETS[budget])
        go_on(Recorder(search, log), workers=5, seed=sessions, most=max(stretch, sessions // 3))
        sessions += 1
    assert sessions > 1 or search.outcomes <= stretch
    assert facts(search) == facts(whole)
    assert len(list(log.outcomes())) == search.outcomes


def test_a_file_tells_it_too(tmp_path):
    path = tmp_path / "search.sqlite"
    with SQLiteLog.create(path, HEADER) as log:
        search = a_search()
        go_on(Recorder(search, log), workers=4, seed=1, most=70)
    with SQLiteLog.open(path, write=True) as log:
        resumed = a_search()
        recorder = Recorder(resumed, log)
        assert resumed.outcomes == 70
        go_on(recorder, workers=3, seed=2, most=1000)
        recorder.finish()
        entrants = log.entrants()
    assert facts(resumed) == facts(finish(a_search(), noisy()))
    assert [one.candidate.parent for one in entrants] == [
        one.candidate.parent for one in resumed.entrants
    ]
    assert [one.draw for one in entrants] == [one.draw for one in resumed.entrants]


@pytest.mark.parametrize(
    "change",
    [
        {"sampler": LocalSampler(width=0.3)},
        {"seed": 4},
        {"settings": Settings(drop=0.3)},
        {"window": 11},
    ],
)
def test_a_log_of_another_scenario_is_refused(change):
    log = MemoryLog(HEADER)
    go_on(Recorder(a_search(), log), workers=4, seed=1, most=120)
    with pytest.raises((LogError, RacingError)):
        Recorder(a_search(**change), log)

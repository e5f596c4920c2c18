"""A log is the history of a search too: told again it gives the same search, at any point."""

from __future__ import annotations

import pytest

from racing.base.errors import LogError, RacingError
from racing.log import Header, MemoryLog, Recorder, SQLiteLog
from racing.search import Settings
from racing.search.sampler import LocalSampler
from tests.laws.every_search import go_on
from tests.search.kit import a_search, facts, finish, noisy

HEADER = Header(name="search", seed=3, direction="minimize", objective="rank", scenario={})


def test_a_file_tells_it_too(tmp_path):
    path = tmp_path / "search.sqlite"
    with SQLiteLog.create(path, HEADER) as log:
        search = a_search()
        go_on(Recorder(search, log), noisy(), workers=4, seed=1, most=70)
    with SQLiteLog.open(path, write=True) as log:
        resumed = a_search()
        recorder = Recorder(resumed, log)
        assert resumed.outcomes == 70
        go_on(recorder, noisy(), workers=3, seed=2, most=1000)
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
    go_on(Recorder(a_search(), log), noisy(), workers=4, seed=1, most=120)
    with pytest.raises((LogError, RacingError)):
        Recorder(a_search(**change), log)

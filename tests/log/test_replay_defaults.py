"""A race that leaves everything to its rule is replayed as it was: first look, merged equals."""

import pytest

import racing
from racing.log import MemoryLog, Recorder, SQLiteLog, header_of, replay
from racing.search import IteratedSettings, PortfolioSearch, Settings
from tests.runs_kit import write_scenario

SPACE = {"x": {"real": [0, 1], "default": 0.9}}


@pytest.mark.parametrize("budget", [60, 120, {"instances": 12}])
def test_what_is_replayed_is_what_the_race_came_to(tmp_path, budget):
    scenario = write_scenario(tmp_path, rule="auto", budget=budget, candidates=8)
    log = tmp_path / "log.sqlite"
    race = racing.run(scenario, log=log)
    with SQLiteLog.open(log, write=False) as book:
        again = replay(book)
    assert again.stopped == race.stopped
    assert again.winner == race.winner
    assert again.spent == race.spent
    assert list(again.verdicts) == list(race.verdicts)
    assert again.instances_seen == race.instances_seen


@pytest.mark.parametrize(
    "search",
    [
        racing.Search(SPACE, range(20), budget=150, settings=Settings(confirm=0.1)),
        racing.IteratedRacing(SPACE, range(20), budget=200, settings=IteratedSettings(mu=7)),
        PortfolioSearch(SPACE, range(20), budget=600, portfolio=2),
    ],
    ids=lambda one: type(one).__name__,
)
def test_a_search_of_ones_own_is_replayed_as_what_it_was(search):
    log = MemoryLog(header_of(search))
    recorder = Recorder(search, log)
    while not search.done:
        for one in recorder.ask(4):
            recorder.tell(one.outcome(one.candidate.values["x"] + one.instance.seed % 7 / 10))
    recorder.finish()
    again = replay(log)
    assert type(again) is type(search)
    assert (again.spent, again.winner) == (search.spent, search.winner)
    assert list(again.verdicts) == list(search.verdicts)
    assert log.header.scenario == header_of(again).scenario


def test_equals_that_were_merged_are_merged_once(tmp_path):
    twins = [{"x": 0.25}, {"x": 0.5}, {"x": 0.5 + 1e-12}, {"x": 0.75}, {"x": 1.0}]
    scenario = write_scenario(
        tmp_path, rule="sign", noise=0.0, instances=30, budget=150, candidates=1
    )
    text = scenario.read_text().replace("list:\n  - x: 0.0\n", f"list: {twins}\n")
    scenario.write_text(text)
    log = tmp_path / "log.sqlite"
    race = racing.run(scenario, log=log)
    with SQLiteLog.open(log, write=False) as book:
        again = replay(book)
    assert list(again.verdicts) == list(race.verdicts)
    assert again.winner == race.winner

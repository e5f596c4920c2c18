"""The winner against another candidate, on problems that the race has not met."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from racing.analysis.unseen import holdout, recorded
from racing.base.errors import InputError, TargetError
from racing.log import SQLiteLog, replay
from racing.runner.loop import RunOptions
from racing.runner.run import run
from racing.scenario import InstanceSource, Problem
from racing.stats.effects import median_difference
from racing.stats.sign import group_means
from racing.stats.wilcoxon import wilcoxon
from tests.runs_kit import calls, write_scenario

HELD_OUT = [f"held-out-{k}" for k in range(12)]


@pytest.fixture
def log(tmp_path):
    """The log of a race that candidate #1 wins, with the smallest x."""
    path = tmp_path / "log.sqlite"
    run(write_scenario(tmp_path, noise=0.3), log=path)
    return path


def test_the_winner_is_compared_with_the_candidate_asked_for(log, tmp_path):
    before = len(calls(tmp_path))
    found = holdout(log, HELD_OUT, against="#8")
    assert str(found.result[0]) == found.gain.name == "#1"
    assert str(found.others[0]) == found.gain.over == "#8"
    assert found.instances == tuple(HELD_OUT)
    assert found.costs.shape == (12, 2)
    assert len(calls(tmp_path)) == before + 24
    difference = found.costs[:, 1] - found.costs[:, 0]
    assert found.gain.low < np.median(difference) < found.gain.high
    assert found.gain.low > 0, "#1 is better by 7/8 with noise of 0.3"
    assert (found.gain.wins, found.gain.losses) == (12, 0)
    assert found.gain.p == wilcoxon(found.costs[:, 0], found.costs[:, 1]).pvalue


@pytest.mark.parametrize(("objective", "measure"), [("mean", "mean"), ("rank", "median")])
def test_the_gain_is_of_what_is_chosen_by(tmp_path, objective, measure):
    path = tmp_path / "log.sqlite"
    run(write_scenario(tmp_path, noise=0.3, objective=objective), log=path)
    assert holdout(path, HELD_OUT, against="#8").gain.measure == measure


def test_both_share_the_seed_of_an_instance(log, tmp_path):
    before = len(calls(tmp_path))
    holdout(log, HELD_OUT, against="#8")
    seeds = {}
    for line in calls(tmp_path)[before:]:
        _, instance, seed = line.split()
        assert seeds.setdefault(instance, seed) == seed
    assert len(set(seeds.values())) == 12


def test_calling_again_evaluates_nothing_again(log, tmp_path):
    first = holdout(log, HELD_OUT, against="#8")
    before = calls(tmp_path)
    again = holdout(log, HELD_OUT, against="#8")
    assert calls(tmp_path) == before
    assert np.array_equal(again.costs, first.costs)


def test_an_interrupted_test_goes_on(log, tmp_path):
    told = []
    options = RunOptions(watch=lambda race, o: told.append(o), interrupted=lambda: len(told) >= 7)
    assert holdout(log, HELD_OUT, against="#8", options=options) is None
    before = len(calls(tmp_path))
    assert holdout(log, HELD_OUT, against="#8") is not None
    assert len(calls(tmp_path)) == before + 24 - 7


def test_another_test_needs_another_record(log, tmp_path):
    holdout(log, HELD_OUT, against="#8")
    with pytest.raises(InputError, match="a test of other candidates"):
        holdout(log, HELD_OUT, against="#7", record=log.with_suffix(".test.sqlite"))
    with pytest.raises(InputError, match="a test of other instances"):
        holdout(log, HELD_OUT[1:], against="#8", record=log.with_suffix(".test.sqlite"))
    assert holdout(log, HELD_OUT[1:], against="#8", record=tmp_path / "other.sqlite") is not None


def test_a_test_on_more_instances_runs_only_the_new_ones(log, tmp_path):
    first = holdout(log, HELD_OUT[:6], against="#8")
    before = len(calls(tmp_path))
    longer = holdout(log, HELD_OUT, against="#8")
    assert len(calls(tmp_path)) == before + 2 * (len(HELD_OUT) - 6)
    assert sorted(longer.instances) == sorted(HELD_OUT)
    same = [longer.instances.index(name) for name in first.instances]
    assert np.array_equal(longer.costs[same], first.costs)
    before = calls(tmp_path)
    again = holdout(log, HELD_OUT, against="#8")
    assert np.array_equal(again.costs, longer.costs)
    assert np.array_equal(holdout(log, HELD_OUT[:6], against="#8").costs, first.costs)
    other = holdout(log, HELD_OUT, against="#7")
    assert len(calls(tmp_path)) == len(before) + len(HELD_OUT), "the winner does not run again"
    assert np.array_equal(np.sort(other.costs[:, 0]), np.sort(longer.costs[:, 0]))
    shorter = holdout(log, HELD_OUT[3:9], against="#7")
    assert len(calls(tmp_path)) == len(before) + len(HELD_OUT)
    assert len(shorter.costs) == 6


def test_instances_that_the_race_has_met_are_refused(log):
    with SQLiteLog.open(log, write=False) as book:
        met = book.instances()[0].name
    with pytest.raises(InputError, match=f"the race has met {met}; a fair test"):
        holdout(log, [*HELD_OUT, met], against="#8")
    with pytest.raises(InputError, match="and 1 others"):
        holdout(log, [met, book_name(log, 1)], against="#8")


def book_name(log, step):
    with SQLiteLog.open(log, write=False) as book:
        return book.instances()[step].name


def test_where_the_race_had_files_those_held_back_are_files_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for k in range(12):
        (tmp_path / f"i{k}").touch()
    run(write_scenario(tmp_path, noise=0.3, instances=6), log="log.sqlite")
    with pytest.raises(InputError, match=r"j\*.txt: no file matches"):
        holdout("log.sqlite", ["j*.txt"], against="#8")
    found = holdout("log.sqlite", [f"i{k}" for k in range(6, 12)], against="#8")
    assert found.gain.wins == 6, "the mistake left nothing behind"


def test_the_scenario_may_name_the_instances(tmp_path):
    log = tmp_path / "log.sqlite"
    run(write_scenario(tmp_path, noise=0.3, test_instances={"list": HELD_OUT}), log=log)
    found = holdout(log, against="#8")
    assert sorted(found.instances) == sorted(HELD_OUT)
    assert found.gain.wins == 12
    assert holdout(log, HELD_OUT[:6], against="#8", record=tmp_path / "b.sqlite").gain.wins == 6


def test_without_any_instances_there_is_no_test(log):
    with pytest.raises(InputError, match="its scenario has no test_instances; name instances that"):
        holdout(log, against="#8")


def test_a_folder_or_a_pattern_stands_for_its_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("new/a.txt", "new/b.txt", "new/c.cnf"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    run(write_scenario(tmp_path, noise=0.3), log="log.sqlite")
    names = [str(tmp_path / "new" / name) for name in ("a.txt", "b.txt", "c.cnf")]
    assert list(holdout("log.sqlite", ["new"], against="#8").instances) == names
    some = holdout("log.sqlite", ["new/*.txt", "x"], against="#8", record="some.sqlite")
    assert list(some.instances) == [*names[:2], "x"]


def test_a_file_that_the_race_has_met_is_known_by_any_name(tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    for k in range(7):
        (tmp_path / "data" / f"{k}.txt").write_text("")
    scenario = write_scenario(tmp_path, noise=0.0, source={"glob": "data/*.txt"})
    run(scenario, log=tmp_path / "log.sqlite")
    monkeypatch.chdir(tmp_path / "data")
    names = {Path(book_name(tmp_path / "log.sqlite", step)).name for step in range(5)}
    with pytest.raises(InputError, match="the race has met"):
        holdout(tmp_path / "log.sqlite", [names.pop()], against="#8")


def test_who_to_compare_with_must_be_somebody_else(log):
    with pytest.raises(InputError, match="no candidate is called '#88'; there are #1 to #8"):
        holdout(log, HELD_OUT, against="#88")
    with pytest.raises(InputError, match="what is tested is #1 itself, the best found"):
        holdout(log, HELD_OUT)


def test_a_run_without_a_winner_has_nothing_to_test(tmp_path):
    scenario = write_scenario(tmp_path, target={"command": "false {parameters}"})
    run(scenario, log=tmp_path / "log.sqlite")
    with pytest.raises(InputError, match="no winner"):
        holdout(tmp_path / "log.sqlite", HELD_OUT)


def test_a_target_that_always_fails_on_the_new_instances_is_an_error(tmp_path):
    solver = "import sys; print(1 / (sys.argv[1] != 'gone') + float(sys.argv[2][4:]))"
    (tmp_path / "solver.py").write_text(solver)
    scenario = write_scenario(
        tmp_path, target={"command": "{python} solver.py {instance} {parameters}"}, candidates=3,
        instances=6, rule="none",
    )  # fmt: skip
    run(scenario, log=tmp_path / "log.sqlite")
    with pytest.raises(TargetError, match="every evaluation failed"):
        holdout(tmp_path / "log.sqlite", ["gone"], against="#2")
    source = InstanceSource(list=["gone", *HELD_OUT[:7]], order="listed")
    found = holdout(tmp_path / "log.sqlite", source, against="#2").gain
    assert (found.instances, found.failures, found.over_failures) == (8, 1, 1)


def test_instances_can_be_given_as_in_a_scenario(log):
    source = InstanceSource(list=[Problem("held-out", seeds=[3, 4])], order="listed")
    assert holdout(log, source, against="#8").instances == ("held-out", "held-out")


def replayed(log):
    with SQLiteLog.open(log, write=False) as book:
        return replay(book)


def test_the_test_beside_a_log_is_found_and_the_default_s_comes_first(log):
    race = replayed(log)
    assert recorded(log, race) == ()
    first = holdout(log, HELD_OUT, against="#8")
    (found,) = recorded(log, race)
    assert (found.result, found.others, found.gain) == (first.result, first.others, first.gain)
    assert np.array_equal(found.costs, first.costs)
    assert found.instances == first.instances
    last = holdout(log, HELD_OUT, against="#7")
    assert recorded(log, race)[0].others == last.others


def test_a_test_of_another_winner_or_one_that_was_interrupted_is_none(log):
    race = replayed(log)
    other = SimpleNamespace(
        winner=race.candidates[4], found=race.candidates[4], baseline=race.candidates[1],
        candidates=race.candidates, as_search=None, worse=None, stopped=race.stopped,
        results=race.results,
    )  # fmt: skip
    stopped = RunOptions(interrupted=lambda: True)
    assert holdout(log, HELD_OUT, against="#8", options=stopped) is None
    assert recorded(log, race) == ()
    holdout(log, HELD_OUT, against="#8")
    assert len(recorded(log, race)) == 1
    assert recorded(log, other) == ()


def test_groups_of_held_out_instances_count_once_each(log, tmp_path):
    listed = [Problem(name, group=f"text {k % 6}") for k, name in enumerate(HELD_OUT)]
    found = holdout(log, InstanceSource(list=listed), against="#8")
    assert len(found.groups) == 12
    rows = group_means(found.costs, found.groups)
    assert rows.shape == (6, 2)
    difference = median_difference(*rows.T)
    assert found.gain.p == wilcoxon(*rows.T).pvalue
    assert (found.gain.estimate, found.gain.low) == (difference.estimate, difference.low)
    assert (found.gain.wins, found.gain.losses) == (12, 0)
    assert (found.gain.instances, found.gain.groups, found.gain.evidence) == (12, 6, "better")
    said = "The instances come in 6 groups; each counts once in the interval and the test."
    assert said in str(found)


def test_a_test_prints_what_it_found(log):
    found = holdout(log, HELD_OUT, against="#8")
    assert str(found) == str(found.gain)
    assert str(found).startswith("On 12 unseen problems, #1 is better than #8 by ")
    assert repr(found) == f"<UnseenTest: {found}>"

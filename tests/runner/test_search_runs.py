"""A search from a scenario to a winner: any workers, killed at any point, resumed, extended."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from racing.base.errors import InputError, LogError, ScenarioError
from racing.core.budget import Budget
from racing.core.stop import Stop
from racing.evaluate.pool import open_pool
from racing.log import SQLiteLog, replay
from racing.race import Race
from racing.runner.edited import edits
from racing.runner.loop import RunOptions
from racing.runner.run import resume, run
from racing.scenario import SearchSettings, read
from racing.search import IteratedRacing, Search
from tests.runs_kit import (
    calls,
    decision,
    interrupted_after,
    killed,
    result,
    write_scenario,
    write_search,
)


def searched(folder: Path, **parts: object) -> tuple[Search, Path]:
    """A search that has run, and its log."""
    log = folder / "log.sqlite"
    search = run(write_search(folder, **parts), log=log)
    return search, log


def test_a_search_finds_better_ones_than_the_default_and_says_by_how_much(tmp_path):
    search, log = searched(tmp_path)
    assert search.done
    assert search.winner is not None
    assert search.winner.values["x"] < 0.4
    assert search.baseline is not None
    assert search.baseline.values == {"x": 0.9}
    assert search.gain is not None
    assert search.gain.estimate > 0
    assert len(calls(tmp_path)) == search.outcomes <= 120
    with SQLiteLog.open(log, write=False) as book:
        assert replay(book).winner == search.winner
        assert [entrant.candidate for entrant in book.entrants()] == list(search.candidates)


@pytest.mark.parametrize("search", [{"window": 6}, "irace"], ids=str)
@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_the_number_of_jobs_does_not_matter(tmp_path, backend, search):
    logs = {jobs: tmp_path / f"{jobs}.sqlite" for jobs in (1, 3)}
    for jobs, log in logs.items():
        execution = {"jobs": jobs, "engine": backend}
        run(write_search(tmp_path / str(jobs), search=search, execution=execution), log=log)
    assert decision(logs[1]) == decision(logs[3])


@pytest.mark.parametrize(
    ("jobs", "search", "window"),
    [
        (1, True, 10), (2, True, 10), (5, True, 20), (50, True, 50), (500, True, 150),
        (5, {"portfolio": 2}, 12), (5, {"window": 3}, 3),
    ],
)  # fmt: skip
def test_the_window_follows_the_workers_unless_it_is_set(tmp_path, jobs, search, window):
    """One for each up to a tenth of the evaluations, four up to a fortieth, and 10 at least."""
    assert SearchSettings().window_of(50, None) == 200
    path = write_search(tmp_path, search=search, budget=1500)
    settings = read(path).search
    assert isinstance(settings, SearchSettings)
    assert settings.window_of(jobs, 1500) == window


def test_a_run_keeps_the_window_that_it_began_with(tmp_path):
    """The window is of the log, whatever the jobs of a resumed run and its scenario say."""
    path, log = write_search(tmp_path, search=True, budget=640), tmp_path / "log.sqlite"
    threads = {"options": RunOptions(jobs=3), "pool": "threading"}
    begun = run(path, log=log, **{**threads, "options": replace(interrupted_after(40), jobs=3)})
    assert begun.window == 12
    for jobs, again in ((1, None), (9, read(path))):
        options = replace(interrupted_after(60), jobs=jobs)
        assert resume(log, scenario=again, options=options, pool="threading").window == 12
    with SQLiteLog.open(log, write=False) as book:
        assert replay(book).window == 12
        assert not [*edits(book, extended=False)]
    assert resume(log).done
    assert resume(log, budget=40).window == 12
    fixed = write_search(tmp_path / "fixed", search={"window": 12}, budget=640)
    run(fixed, log=tmp_path / "fixed.sqlite", options=RunOptions(jobs=1))
    resume(tmp_path / "fixed.sqlite", budget=40)
    assert decision(log) == decision(tmp_path / "fixed.sqlite")


def test_a_pool_of_ones_own_has_the_workers_that_count(tmp_path):
    path = write_search(tmp_path, search=True, budget=640)
    a_pool = lambda evaluator, size: open_pool(evaluator, jobs=6, engine="threading")  # noqa: E731
    assert run(path, log=tmp_path / "log.sqlite", pool=a_pool).window == 16


IRACE = {"search": {"scheme": "irace", "configurations": 12}, "budget": 150}


@pytest.mark.parametrize(
    "parts",
    [{"budget": 30}, {"budget": 120}, {"budget": {"evaluations": 90, "instances": 8}}, IRACE],
    ids=str,
)
def test_interrupted_again_and_again_it_comes_to_the_same(tmp_path, parts):
    whole, log = tmp_path / "whole.sqlite", tmp_path / "parts.sqlite"
    run(write_search(tmp_path / "whole", **parts), log=whole)
    search = run(write_search(tmp_path / "parts", **parts), log=log, options=interrupted_after(7))
    while not search.done:
        search = resume(log, options=interrupted_after(31))
    assert result(log) == result(whole)
    assert len(calls(tmp_path / "parts")) == len(calls(tmp_path / "whole"))


@pytest.mark.parametrize(
    ("parts", "times", "calls_apart"), [({}, 4, range(1, 26)), (IRACE, 2, range(20, 61))], ids=str
)
def test_kill_9_at_any_moment_then_resume_is_as_if_nothing_had_happened(
    tmp_path, parts, times, calls_apart
):
    folder, log = tmp_path / "killed", tmp_path / "killed" / "log.sqlite"
    execution = {"jobs": 2, "engine": "threading"}
    scenario = write_search(folder, pause=0.01, execution=execution, **parts)
    killed(folder, scenario, log, times=times, calls_apart=calls_apart)
    write_search(folder, **parts)  # the same target, without its pause
    resume(log, accept_changed_target=True)
    whole = tmp_path / "whole.sqlite"
    run(write_search(tmp_path / "whole", **parts), log=whole)
    assert result(log) == result(whole)


@pytest.mark.parametrize(
    "options", ["irace", IRACE["search"], {"scheme": "irace", "elitist": False}]
)
def test_iterated_racing_finds_better_ones_than_the_default(tmp_path, options):
    search, log = searched(tmp_path, search=options, budget=150, noise=0.2)
    assert search.winner.values["x"] < 0.4
    assert search.iterations >= 2
    assert len(calls(tmp_path)) == search.outcomes <= 150
    with SQLiteLog.open(log, write=False) as book:
        told, entrants = replay(book), book.entrants()
    assert isinstance(told, IteratedRacing)
    assert (told.winner, told.ranking()) == (search.winner, search.ranking())
    drawn = [one for one in entrants if one.origin == "model"]
    assert drawn
    assert all(one.candidate.parent is not None and one.draw for one in drawn)


def test_a_budget_of_time_ends_iterated_racing(tmp_path):
    budget = {"target_time": 1.2}
    search, log = searched(tmp_path, search=IRACE["search"], budget=budget, pause=0.005)
    assert search.spent.target_time <= 1.2
    with SQLiteLog.open(log, write=False) as book:
        assert replay(book).winner == search.winner


def test_known_candidates_enter_first_with_their_names(tmp_path):
    known = {"list": [{"name": "mine", "values": {"x": 0.05}}, {"x": 0.95}]}
    search, _ = searched(tmp_path, candidates=known)
    first = [(one.name, one.values["x"]) for one in search.candidates[:3]]
    assert first == [("mine", 0.05), ("", 0.95), ("default", 0.9)]
    assert search.baseline == search.candidates[2]


@pytest.mark.parametrize("rule", ["sign", {"name": "t-test", "level": 0.1}], ids=str)
def test_a_rule_of_the_project_can_judge_challengers(tmp_path, rule):
    scenario = write_search(tmp_path)
    scenario.write_text(f"{scenario.read_text()}\nrule: {rule!r}\n".replace("level", "alpha"))
    search = run(scenario, log=tmp_path / "log.sqlite")
    with SQLiteLog.open(tmp_path / "log.sqlite", write=False) as book:
        assert list(replay(book).verdicts) == list(search.verdicts)


# --- extensions -----------------------------------------------------------------------------------


def test_a_search_that_is_over_goes_on_with_a_budget_of_its_own(tmp_path):
    before, log = searched(tmp_path)
    after = resume(log, budget=60)
    assert isinstance(after, Search)
    assert after.budget == Budget(evaluations=before.spent.evaluations + 60)
    assert before.spent.evaluations < after.spent.evaluations <= after.budget.evaluations
    assert after.outcomes == len(calls(tmp_path))
    assert len(after.candidates) > len(before.candidates)
    assert len({one.id for one in after.candidates}) == len(after.candidates)
    assert list(after.verdicts[: len(before.verdicts)]) == list(before.verdicts)
    with SQLiteLog.open(log, write=False) as book:
        again, (extension,) = replay(book), book.extensions()
    assert extension.after == before.outcomes
    assert extension.finish.winner == before.winner.id
    assert (again.winner, again.spent, again.stopped) == (after.winner, after.spent, after.stopped)
    assert list(again.verdicts) == list(after.verdicts)


@pytest.mark.parametrize("parts", [{}, IRACE], ids=str)
def test_an_extension_can_be_interrupted_and_extended_again(tmp_path, parts):
    logs = {}
    for name, most in (("whole", 10_000), ("parts", 23)):
        _, log = searched(tmp_path / name, **parts)
        for more in (90, 40):
            search = resume(log, budget=more, options=interrupted_after(most))
            while not search.done:
                search = resume(log, options=interrupted_after(most))
        logs[name] = log
    assert result(logs["parts"]) == result(logs["whole"])
    with SQLiteLog.open(logs["parts"], write=False) as book:
        assert len(book.extensions()) == 2


@pytest.mark.parametrize("jobs", [1, 3])
def test_an_extension_does_not_depend_on_jobs(tmp_path, jobs):
    _, log = searched(tmp_path / "a")
    _, other = searched(tmp_path / "b", execution={"engine": "threading"})
    resume(log, budget=60)
    resume(other, budget=60, options=RunOptions(jobs=jobs))
    assert decision(log) == decision(other)


def test_a_plain_race_in_place_of_a_search_is_extended_to_a_search(tmp_path):
    before, log = searched(tmp_path, budget=9)
    assert before.notes[0].startswith("9 evaluations are too few for a search")
    after = resume(log, budget=100)
    assert isinstance(after, Search)
    assert after.phase == "confirmation"
    assert any(one.origin == "model" for one in after.entrants)


def test_a_race_that_its_budget_ended_goes_on(tmp_path):
    log = tmp_path / "log.sqlite"
    parts = {"candidates": 6, "instances": 30, "noise": 6.0}
    before = run(write_scenario(tmp_path / "a", budget=40, **parts), log=log)
    assert isinstance(before, Race)
    assert before.stopped is Stop.EVALUATIONS
    after = resume(log, budget=80)
    whole_budget = before.spent.evaluations + 80
    whole = tmp_path / "whole.sqlite"
    run(write_scenario(tmp_path / "b", budget=whole_budget, **parts), log=whole)
    assert decision(log) == decision(whole)
    assert after.spent.evaluations <= whole_budget


def test_what_cannot_be_extended_is_refused_and_left_as_it_was(tmp_path):
    log = tmp_path / "log.sqlite"
    scenario = write_search(tmp_path / "a")
    run(scenario, log=log, options=interrupted_after(5))
    with pytest.raises(InputError, match="not over"):
        resume(log, budget=10)
    done = tmp_path / "done.sqlite"
    race = run(write_scenario(tmp_path / "b", instances=6), log=done)
    assert race.stopped in (Stop.INSTANCES, Stop.SURVIVORS)
    with pytest.raises(InputError, match=r"a larger budget changes nothing: .*; (add|test)"):
        resume(done, budget=10)
    with SQLiteLog.open(done, write=True) as book:
        assert book.extensions() == []
        assert book.finished is not None
    with SQLiteLog.open(log, write=True) as book, pytest.raises(LogError, match="not over"):
        book.extend(Budget(evaluations=10))


def test_a_scenario_that_is_no_search_is_told(tmp_path):
    scenario = write_search(tmp_path, budget={"instances": 5})
    with pytest.raises(ScenarioError, match="a search has no end of its own"):
        run(scenario)

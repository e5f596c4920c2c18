"""Seeds that hang on the instance, where outcomes of earlier logs are taken."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from racing.log import SQLiteLog
from racing.runner.known_seeds import with_known_seeds
from racing.runner.run import resume, run
from racing.scenario import InstanceSource, Scenario, read
from tests.runs_kit import interrupted_after, result, write_scenario


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = write_scenario(tmp_path, candidates=3, instances=6, rule="none")
    run(path, log=tmp_path / "old.sqlite")
    return tmp_path / "old.sqlite"


def scenario(old: Path, *names: str, **source: object) -> Scenario:
    """One that takes from the log, on these instances."""
    given = read(old.with_name("race.yaml"))
    listed = InstanceSource(list=names, **source)
    return replace(given, reuse="old.sqlite", instances=listed, budget=36)


def seeds(given: Scenario) -> dict[str, tuple[int, ...]]:
    return {one.name: tuple(one.seeds) for one in with_known_seeds(given).plan.problems}


def met(log: Path) -> dict[str, int]:
    with SQLiteLog.open(log, write=False) as book:
        return {one.name: one.seed for one in book.instances()}


def test_an_instance_has_the_seed_with_which_the_earlier_run_met_it(old):
    found = seeds(scenario(old, "new", *(f"i{k}" for k in range(6))))
    assert {name: (seed,) for name, seed in met(old).items()}.items() < found.items()


def test_a_new_instance_has_a_seed_that_depends_on_no_other(old):
    alone, others = seeds(scenario(old, "new")), seeds(scenario(old, "i3", "other", "new"))
    assert alone["new"] == others["new"]
    assert len(set(others.values())) == 3
    assert seeds(replace(scenario(old, "new"), seed=6)) != alone


def test_seeds_that_the_scenario_fixes_stay(old):
    given = scenario(old, "i1", "i2")
    listed = [replace(one, seeds=(7, 8)) for one in given.plan.problems[:1]]
    source = InstanceSource(list=[*listed, *given.plan.problems[1:]])
    assert seeds(replace(given, instances=source))["i1"] == (7, 8)


def test_repeated_instances_have_as_many_seeds_as_the_earlier_run_met(old):
    with SQLiteLog.open(old, write=False) as book:
        first = {one.name: one.seed for one in book.instances()}
    twice = scenario(old, *(f"i{k}" for k in range(6)), repeat=True)
    run(replace(twice, reuse=(), rule="none"), log=old.with_name("two.sqlite"))
    found = seeds(replace(twice, reuse=("old.sqlite", "two.sqlite")))
    assert {len(own) for own in found.values()} == {1}  # the first log has met each once
    assert {name: own[0] for name, own in found.items()} == first
    found = seeds(replace(twice, reuse="two.sqlite"))
    assert {len(set(own)) for own in found.values()} == {2}


def test_without_reuse_nothing_changes(old):
    given = read(old.with_name("race.yaml"))
    assert with_known_seeds(given) is given


def test_a_resumed_run_keeps_its_seeds_though_the_earlier_log_has_grown(tmp_path):
    half = tmp_path / "old.sqlite"
    path = write_scenario(tmp_path, candidates=4, instances=8, noise=6.0)
    run(path, log=half, options=interrupted_after(9))
    given, new = replace(read(path), reuse="old.sqlite"), tmp_path / "new.sqlite"
    whole = tmp_path / "whole.sqlite"
    run(given, log=whole)
    run(given, log=new, options=interrupted_after(14))
    resume(half)
    resume(new, scenario=given)
    assert result(new) == result(whole)

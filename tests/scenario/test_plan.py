"""A scenario is looked up once: a run is made of what there was when the scenario was read."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest

import racing
from racing.base.errors import InputError, ScenarioError
from racing.evaluate.function import Function
from racing.scenario import CandidateSource, InstanceSource, Plan, Scenario, reads
from racing.space import Integer, Real, Space
from tests.scenario.bad_scenarios import scenario


def solve(values: dict[str, float], instance: object, seed: int) -> float:
    return values["a"]


@pytest.fixture
def read(tmp_path: Path) -> Scenario:
    (tmp_path / "candidates.csv").write_text("a\n0.1\n0.2\n0.3\n")
    (tmp_path / "instances.txt").write_text("".join(f"i{k} {k + 1}\n" for k in range(8)))
    (tmp_path / "held.txt").write_text("j1\nj2\n")
    return Scenario(
        target=Function(python=solve),
        space=Space({"a": Real(0, 1)}),
        candidates=CandidateSource(csv="candidates.csv", sample=2),
        instances=InstanceSource(file="instances.txt"),
        test_instances=InstanceSource(file="held.txt"),
        folder=str(tmp_path),
    )


def test_it_is_made_once(read: Scenario) -> None:
    assert read.plan is read.plan
    assert read.plan.candidates is read.plan.candidates
    assert read.plan.instances is read.plan.instances
    with pytest.raises(FrozenInstanceError):
        read.plan.candidates = ()  # type: ignore[misc]


def test_a_run_reads_no_file_of_the_scenario_again(read: Scenario, tmp_path: Path) -> None:
    for name in ("candidates.csv", "instances.txt", "held.txt"):
        (tmp_path / name).unlink()
    race = racing.run(read, log=tmp_path / "log.sqlite")
    assert race.done
    assert len(race.candidates) == 5
    assert racing.resume(tmp_path / "log.sqlite", scenario=read).winner == race.winner


def test_another_scenario_has_a_plan_of_its_own(read: Scenario) -> None:
    other = replace(read, candidates=CandidateSource(list=[{"a": 0.5}, {"a": 0.6}]))
    assert len(other.plan.candidates) == 2
    assert len(read.plan.candidates) == 5
    assert other.plan.instances.names == read.plan.instances.names


def test_written_out_it_is_the_scenario_resolved(read: Scenario) -> None:
    assert read.to_dict(resolved=True) == read.resolved().to_dict()
    assert read.resolved().plan.candidates == read.plan.candidates
    assert [one.name for one in read.resolved().plan.test_problems] == ["j1", "j2"]
    assert isinstance(read.plan, Plan)


def test_instances_are_a_list_a_pattern_or_a_folder(tmp_path: Path) -> None:
    for name in ("data/b.cnf", "data/a.cnf", "data/c.txt", "data/deep/d.cnf", "data/.hidden"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()

    def names(text: str) -> list[str]:
        found = reads(scenario(instances=text, race="{first_test: 1}"), str(tmp_path / "race.yaml"))
        return [problem.name for problem in found.plan.problems]

    assert names("[u, {name: v, seeds: [1]}]") == ["u", "v"]
    assert names("data/*.cnf") == ["data/a.cnf", "data/b.cnf"]
    assert names("data") == ["data/a.cnf", "data/b.cnf", "data/c.txt"]
    assert names("{glob: data/deep, order: listed}") == ["data/deep/d.cnf"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(ScenarioError, match="no file lies in"):
        names("empty")


def test_instances_held_back_are_none_of_the_race(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="test_instances: u and 1 more: also among"):
        reads(scenario(test_instances="[x2, u, v]"), str(tmp_path / "race.yaml"))
    assert reads(scenario(), "race.yaml").plan.test_problems == ()
    with pytest.raises(InputError, match="test_instances: the list is empty"):
        reads(scenario(test_instances="[]"), "race.yaml")


def test_a_seed_is_what_a_log_can_hold(tmp_path: Path) -> None:
    largest = 2**63 - 1
    text = scenario(seed=str(largest), target="{python: 'math:hypot'}")
    assert reads(text, "race.yaml").seed == largest
    with pytest.raises(ScenarioError, match=r"seed must be a whole number from 0 to 2\^63 - 1"):
        reads(scenario(seed=str(largest + 1)), "race.yaml")


@pytest.mark.parametrize("seed", range(1, 9))
def test_samples_are_none_of_those_that_are_given(read: Scenario, seed: int) -> None:
    given = CandidateSource(list=[{"a": 1}, {"a": 2}], sample=2)
    space = Space({"a": Integer(1, 4)})
    found = replace(read, space=space, candidates=given, seed=seed).plan.candidates
    assert [one.values["a"] for one in found[:2]] == [1, 2]
    assert {one.values["a"] for one in found} == {1, 2, 3, 4}

"""Logs of what follows a run: where they are, what they hold, and a target that has changed."""

from __future__ import annotations

import pytest

import racing
from racing.analysis import follow_up
from racing.base.errors import InputError
from racing.scenario import read


@pytest.fixture
def scenario(tmp_path):
    (tmp_path / "target.py").write_text("def solve(values, instance, seed):\n    return 1.0\n")
    path = tmp_path / "race.yaml"
    path.write_text(
        "target: {python: target.py:solve}\n"
        "candidates: [{x: 1}, {x: 2}]\n"
        "instances: {list: [a, b]}\n"
        "budget: 10\n"
    )
    return read(path)


def test_logs_are_numbered_beside_the_log_of_the_run(tmp_path):
    log = tmp_path / "race.sqlite"
    first, second, third = (follow_up.path_of(log, "fill", number) for number in (1, 2, 3))
    assert (first.name, second.name) == ("race.fill.sqlite", "race.fill2.sqlite")
    for path in (first, third, follow_up.path_of(log, "explain", 1)):
        path.touch()
    assert follow_up.logs_of(log, "fill") == [first], "the third does not count without a second"


def test_a_log_holds_its_task_and_no_other(scenario, tmp_path):
    path = tmp_path / "race.fill.sqlite"
    follow_up.opened(path, scenario, "filling", {"size": 2}).close()
    with follow_up.opened(path, scenario, "filling", {"size": 9}) as book:
        assert follow_up.task_in(book) == {"size": 2}, "what is there stays"
    assert follow_up.task_of(tmp_path / "none.sqlite") == {}


def test_a_function_that_the_name_in_a_log_does_not_stand_for_is_not_tested(tmp_path):
    log, names = tmp_path / "race.sqlite", [f"i{number}" for number in range(9)]
    racing.minimize(length, [{"of": max}, {"of": sorted}], names, log=log, rule="none")
    with pytest.raises(
        InputError, match=r"is not the one that its log names, tests\..*:length: Py"
    ):
        racing.holdout(log, ["new"], against="#2")
    log.unlink()
    racing.minimize(length, [{"of": "a"}, {"of": "bc"}], names, log=log, rule="none")
    assert racing.holdout(log, ["new"], against="#2").costs.tolist() == [[1.0, 2.0]]


def length(values, instance, seed):
    return float(len(str(values["of"])))


def test_a_target_that_has_changed_is_refused_with_what_can_be_done(scenario, tmp_path):
    with follow_up.opened(tmp_path / "log.sqlite", scenario, "filling", {}) as book:
        follow_up.watch(scenario, book, begun="the run")
        (tmp_path / "target.py").write_text("def solve(values, instance, seed):\n    return 2.0\n")
        with pytest.raises(InputError, match=r"target\.py changed since it began.*put it back, or"):
            follow_up.watch(scenario, book, begun="it began", remedy=", or begin another")

"""`--fill` with a target: recorded, resumed, and known to the next choice."""

from __future__ import annotations

import numpy as np
import pytest

from racing.analysis.portfolio.choice import portfolio
from racing.analysis.portfolio.fill import fill
from racing.analysis.portfolio.table import fills_of, read_costs
from racing.base.errors import InputError, LogError
from racing.log import SQLiteLog, replay
from racing.runner.run import run
from tests.analysis.portfolio.kit import kinds_log, write_kinds
from tests.runs_kit import calls, interrupted_after


@pytest.fixture
def log(kept):
    return kept(kinds_log)


def cells(log):
    return int((~np.isnan(read_costs([log]).costs)).sum())


def test_its_costs_are_known_to_the_next_choice(log):
    known, before = cells(log), len(calls(log.parent))
    assert fill([log], 70, size=3)
    assert len(calls(log.parent)) == before + 70
    assert cells(log) == known + 70
    found = portfolio(log, size=3)
    assert sorted(one.candidate.values["x"] for one in found.members) == [0, 2, 5]


def test_a_failure_that_it_finds_costs_its_penalty(tmp_path):
    path = write_kinds(tmp_path, on_failure={"penalty": 9})
    code = (tmp_path / "target.py").read_text().rstrip()
    (tmp_path / "target.py").write_text(f"{code} + 0 / ((seed + values['x']) % 3)\n")
    run(path, log=tmp_path / "log.sqlite")
    before = (read_costs([tmp_path / "log.sqlite"]).costs == 9).sum()
    fill([tmp_path / "log.sqlite"], 60, size=3)
    costs = read_costs([tmp_path / "log.sqlite"]).costs
    assert not np.isinf(costs).any()
    assert (costs == 9).sum() > before


def test_the_same_again_evaluates_nothing_and_a_larger_number_goes_on(log):
    fill([log], 20, size=3)
    before = calls(log.parent)
    fill([log], 20, size=3)
    assert calls(log.parent) == before
    fill([log], 29, size=3)
    assert len(calls(log.parent)) == len(before) + 9
    assert len(fills_of(log)) == 1


def test_an_interrupted_one_goes_on_to_the_same_costs(tmp_path):
    whole, parts = (kinds_log(tmp_path / name) for name in ("whole", "parts"))
    fill([whole], 25, size=3)
    assert not fill([parts], 25, size=3, options=interrupted_after(7))
    assert fill([parts], 25, size=3)
    np.testing.assert_array_equal(read_costs([whole]).costs, read_costs([parts]).costs)
    assert len(calls(tmp_path / "parts")) == len(calls(tmp_path / "whole"))


def test_another_size_takes_over_what_is_known(log):
    fill([log], 16, size=3)
    before = len(calls(log.parent))
    fill([log], 8, size=2)
    assert [path.name for path, _ in fills_of(log)] == ["log.fill.sqlite", "log.fill2.sqlite"]
    lines = calls(log.parent)
    assert len(lines) == len(set(lines)) == before + 8
    fill([log], 20, size=3)
    assert len(set(calls(log.parent))) >= before + 8


def test_a_target_that_changed_is_refused(log):
    target = log.parent / "target.py"
    target.write_text(target.read_text() + "\n# another\n")
    with pytest.raises(InputError, match=r"target\.py changed since the run"):
        fill([log], 8, size=3)


@pytest.mark.parametrize("evaluations", [0, -3, 2.5])
def test_a_number_that_is_none_is_refused(log, evaluations):
    with pytest.raises(InputError, match="fill must be a whole number"):
        fill([log], evaluations)


def test_a_size_that_cannot_be_is_refused_before_anything_is_written(log):
    with pytest.raises(InputError, match="from 1 to 6"):
        fill([log], 8, size=9)
    assert not fills_of(log)


def test_its_log_is_no_run(log):
    fill([log], 8, size=3)
    with (
        SQLiteLog.open(fills_of(log)[0][0], write=False) as book,
        pytest.raises(LogError, match="--fill"),
    ):
        replay(book)

"""Logs of what follows a run: where they are, what they hold, and a target that has changed."""

from __future__ import annotations

import os
from itertools import islice

import pytest

import racing
from racing.analysis import follow_up
from racing.analysis.explain.explanation import explain
from racing.analysis.portfolio.fill import fill
from racing.answer.document import Command
from racing.base.errors import InputError
from racing.log import MemoryLog, SQLiteLog
from racing.report.explanation import explained


def test_logs_are_numbered_beside_the_log_of_the_run(tmp_path):
    log = tmp_path / "race.sqlite"
    first, second, third = islice(follow_up.names(log, "fill"), 3)
    assert (first.name, second.name) == ("race.fill.sqlite", "race.fill2.sqlite")
    for path in (first, third, next(follow_up.names(log, "explain"))):
        path.touch()
    assert follow_up.logs_of(log, "fill") == [first], "the third does not count without a second"


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


# --- what stands for a log ---

SPACE = {"x": {"real": [0, 1], "default": 0.9}, "y": {"real": [0, 1], "default": 0.5}}


def tuned(log=None, instances=("a", "b", "c"), **how):
    """The result of a search over a function, whose scenario only Python code can make again."""

    def cost(values, instance, seed):
        return abs(values["x"] - 0.1 * (str(instance) > "a")) + seed % 7 / 50

    stream = {"list": instances, "repeat": True}
    return racing.minimize(cost, SPACE, stream, budget=120, log=log, progress=False, **how)


def reuse(log):
    return tuned(reuse=log)


ASKING = (explain, racing.portfolio, racing.by_family, racing.holdout, racing.resume, reuse,
          lambda log: fill(log, 3))  # fmt: skip


def test_a_path_a_log_and_a_result_stand_for_a_log(tmp_path):
    found = tuned(tmp_path / "log.sqlite", [("a",), ("b",)])
    with SQLiteLog.open(found.log, write=False) as book:
        several = [os.fspath(found.log), found.log, book, found]
        told = [racing.portfolio(given).answer for given in several]
        assert told == [told[0]] * 4
        told = [explain(given).evaluations for given in several]
        assert told == [found.spent.evaluations] * 4
        told = [racing.by_family(given) for given in several]
        assert not any(told)
        assert {one.why for one in told} == {told[0].why}
        assert told[0].why
    assert racing.portfolio([found, found.log]).answer == racing.portfolio(found).answer
    again = tuned(found, [("a",), ("b",)])
    assert (again.spent, again.winner) == (found.spent, found.winner)


def test_a_log_in_memory_is_read_and_nothing_is_recorded_beside_it():
    found = tuned()
    assert isinstance(found.log, MemoryLog)
    for given in (found, found.log):
        assert explain(given).evaluations == found.spent.evaluations
        assert len(racing.portfolio(given).sizes) > 0
    for ask in (reuse, racing.resume, lambda log: fill(log, 3), lambda log: explain(log, budget=9)):
        with pytest.raises(InputError, match="is in memory, and this needs one in a file; give"):
            ask(found)


def test_what_only_python_can_make_again_is_explained_and_not_run_again(tmp_path):
    log = tuned(tmp_path / "log.sqlite", [("a",), ("b",)]).log
    told = explain(log)
    assert told.importance is not None
    assert told.changes
    assert not any(isinstance(part, Command) for part in explained(told))
    for ask in (racing.holdout, lambda log: explain(log, budget=9), lambda log: fill(log, 3)):
        with pytest.raises(InputError, match=r"cannot be read back, so nothing .*: target: python"):
            ask(log)


def test_outcomes_of_a_path_or_a_result_are_used_again(tmp_path):
    found = tuned(tmp_path / "log.sqlite")
    for given in (found, found.log, [found.log], [found], str(found.log)):
        assert reuse(given).spent.reused == found.spent.evaluations


@pytest.mark.parametrize("ask", ASKING)
@pytest.mark.parametrize("given", [3, [None], racing])
def test_what_is_no_log_is_refused_in_plain_words(ask, given):
    with pytest.raises(InputError, match=r"must be the path of a log, a log, or the result of rac"):
        ask(given)

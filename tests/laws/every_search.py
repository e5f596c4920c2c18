"""What every search keeps: workers, order of arrival, losses and crashes do not matter."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import pytest

from racing.base.seeds import Purpose
from racing.core.stop import Stop
from racing.log import Header, MemoryLog, Recorder, header_of
from racing.log.recorder import retell
from racing.search.settings import Settings
from tests.search import kit
from tests.search.kit import Target, finish, lossy_finish, resumed, shuffled_finish


@dataclass(frozen=True)
class Run:
    """How a search is begun, and what answers it."""

    begin: Callable[[], Any]
    target: Target


@cache
def alone(run: Run) -> Any:
    """The search whose evaluations come one after the other."""
    return finish(run.begin(), run.target)


def go_on(recorder: Recorder[Any], target: Target, *, workers: int, seed: int, most: int) -> None:
    """Drive a search through its recorder for so many outcomes; what is out then is lost."""
    rng, search = np.random.default_rng(seed), recorder.decider
    while not search.done and most:
        recorder.ask(max(workers - len(search.pending), 0))
        if search.done:
            break
        recorder.tell(target(search.pending[int(rng.integers(len(search.pending)))]))
        most -= 1


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of search, and what the laws try of it.

    Attributes
    ----------
    runs
        Runs by their names; workers and order of arrival must not matter.
    few
        Runs that also crash, lose evaluations, are killed and asked while they run.
    windows, extended, limited
        Runs with windows of all sizes, runs that can go on, and runs with a limit of evaluations.
    workers
        How many there are.
    apart
        Outcomes between two crashes.
    stretches
        Outcomes of a session.
    more
        The budget of a search that goes on.
    once
        Whether who was dropped never comes back.
    facts
        What must be the same.
    header
        The header of its log.
    """

    runs: Mapping[str, Run]
    few: Mapping[str, Run]
    windows: Mapping[str, Run] = field(default_factory=dict)
    extended: Mapping[str, Run] = field(default_factory=dict)
    limited: Mapping[str, Run] = field(default_factory=dict)
    workers: tuple[int, ...]
    apart: int
    stretches: tuple[int, ...]
    more: int = 0
    once: bool = True
    facts: Callable[[Any], object] = kit.facts
    header: Callable[[Any], Header] = header_of


class SearchLaws:
    """The laws of one kind of search; what it cannot do is None in its class."""

    kind: Kind

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Give a law the runs that its argument names."""
        for name in ("runs", "few", "windows", "extended", "limited"):
            if name in metafunc.fixturenames:
                given = getattr(self.kind, name)
                metafunc.parametrize(name, given.values(), ids=given)
        for name in ("workers", "stretches"):
            if name in metafunc.fixturenames:
                metafunc.parametrize(name, getattr(self.kind, name))

    def test_workers_and_order_of_arrival_do_not_matter(self, runs: Run, workers: int) -> None:
        search = runs.begin()
        shuffled_finish(search, runs.target, workers=workers, seed=workers)
        assert self.kind.facts(search) == self.kind.facts(alone(runs))

    def test_no_window_makes_the_order_of_arrival_matter(self, windows: Run) -> None:
        one_by_one = finish(windows.begin(), windows.target, limit=1)
        search = windows.begin()
        shuffled_finish(search, windows.target, workers=13, seed=7)
        assert self.kind.facts(search) == self.kind.facts(one_by_one)

    def test_an_extension_does_not_depend_on_workers(self, extended: Run) -> None:
        def longer(workers: int) -> object:
            search = extended.begin()
            shuffled_finish(search, extended.target, workers=workers, seed=2)
            search.extend(self.kind.more)
            shuffled_finish(search, extended.target, workers=workers, seed=3)
            return self.kind.facts(search)

        assert longer(1) == longer(12)

    def test_a_crash_after_any_outcome_changes_nothing_and_repeats_nothing(self, few: Run) -> None:
        whole = few.begin()
        told = shuffled_finish(whole, few.target, workers=4, seed=7)
        for crash in range(0, len(told), self.kind.apart):
            after = resumed(few.begin(), whole, told[:crash], few.target)
            assert self.kind.facts(after) == self.kind.facts(whole)

    def test_what_is_lost_is_handed_out_again_and_changes_nothing(self, few: Run) -> None:
        search = lossy_finish(few.begin(), few.target, 5)
        assert self.kind.facts(search) == self.kind.facts(alone(few))

    def test_sessions_that_are_killed_and_resumed_come_to_the_same(
        self, few: Run, stretches: int
    ) -> None:
        search, sessions = few.begin(), 0
        log = MemoryLog(self.kind.header(search))
        while not search.done:
            search = few.begin()
            most = max(stretches, sessions // 3)
            go_on(Recorder(search, log), few.target, workers=5, seed=sessions, most=most)
            sessions += 1
        assert sessions > 1 or search.outcomes <= stretches
        assert self.kind.facts(search) == self.kind.facts(alone(few))
        assert len(list(log.outcomes())) == search.outcomes

    def test_a_budget_is_never_exceeded_and_each_evaluation_is_charged_once(
        self, limited: Run
    ) -> None:
        search = limited.begin()
        told = shuffled_finish(search, limited.target, workers=9, seed=1)
        assert len(told) <= search.budget.evaluations
        assert search.spent.evaluations == len(told)
        assert len({outcome.key for outcome in told}) == len(told)

    def test_a_copy_of_a_search_under_way_comes_to_the_same_end(self, few: Run) -> None:
        search = few.begin()
        log = MemoryLog(self.kind.header(search))
        go_on(Recorder(search, log), few.target, workers=1, seed=1, most=alone(few).outcomes // 2)
        copy = finish(pickle.loads(pickle.dumps(search)), few.target)
        assert self.kind.facts(copy) == self.kind.facts(alone(few))

    def test_wherever_the_clock_ends_it_the_default_stays_unless_another_is_shown_better(
        self, few: Run
    ) -> None:
        for most in range(2, alone(few).outcomes, self.kind.apart):
            search = few.begin()
            log = MemoryLog(self.kind.header(search))
            go_on(Recorder(search, log), few.target, workers=4, seed=most, most=most)
            search.end(Stop.WALL_TIME)
            again = few.begin()
            retell(again, log)
            again.end(Stop.WALL_TIME)
            assert self.kind.facts(again) == self.kind.facts(search)
            if search.winner is not None and search.baseline is not None:
                self.check_that_the_default_stays(search)

    def check_that_the_default_stays(self, search: Any) -> None:
        """The winner of a search that the clock ended is the default, unless shown better."""
        kept = search.worse is None or search.worse > Settings().risk
        assert (search.winner == search.baseline) == kept

    def test_where_all_fails_it_stops_and_has_no_winner(self, few: Run) -> None:
        search = finish(few.begin(), kit.always_failing)
        assert search.stopped is Stop.ALL_FAILED
        assert search.winner is None
        assert (search.team, search.team_gain) == ((), None)

    def test_no_configuration_comes_twice_and_whoever_is_drawn_tells_whence(self, few: Run) -> None:
        search = alone(few)
        keys = [search.space.key(one.values) for one in search.candidates]
        assert len(set(keys)) == len(keys)
        ids = {one.id for one in search.candidates}
        drawn = [one for one in search.entrants if one.origin in ("model", "uniform")]
        assert all(one.draw[0] == Purpose.CHALLENGER for one in drawn)
        assert all(one.candidate.parent in ids for one in drawn if one.origin == "model")

    def test_queries_change_nothing_and_what_is_told_only_grows(self, few: Run) -> None:
        search, entrants, verdicts, met = few.begin(), [], [], set()
        while not search.done:
            for experiment in search.ask(3):
                if search.outcomes % 5 == 0:
                    self.kind.facts(search)
                    assert search.results.costs.shape[1] == len(search.candidates)
                    shared = {(one.id, step) for one in search.elites for step in search.steps}
                    assert shared <= met
                assert search.pending
                assert search.unwanted == ()
                assert 0 <= search.progress <= 1
                assert list(search.entrants[: len(entrants)]) == entrants
                entrants = list(search.entrants)
                assert experiment.candidate in [entrant.candidate for entrant in entrants]
                search.tell(few.target(experiment))
                met.add(experiment.key)
                assert list(search.verdicts[: len(verdicts)]) == verdicts
                verdicts = list(search.verdicts)
        assert self.kind.facts(search) == self.kind.facts(alone(few))
        gone = [e.candidate for verdict in search.verdicts for e in verdict.eliminated]
        assert len(set(gone)) == len(gone) or not self.kind.once
        assert {one.id for one in search.candidates} == {*gone, *(one.id for one in search.elites)}

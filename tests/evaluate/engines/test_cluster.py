"""Places of a cluster: who has which, and what it means that a member is gone."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from racing.base.errors import TargetError
from racing.core.experiment import Status
from racing.evaluate.engines.cluster import LOSSES, Answer, ClusterWorker, Place, Places
from racing.evaluate.workers import Report
from tests.evaluate.cluster_kit import experiments


class ByHand:
    """A transport that keeps what it was given; the test tells the ends of attempts."""

    name = "hand"

    def __init__(self) -> None:
        self.calls: list[Callable[[Answer], None]] = []

    def send(
        self, place: Place, number: int, task: bytes, name: str, hear: Callable[[Answer], None]
    ) -> None:
        self.calls.append(hear)

    def forget(self, number: int) -> None: ...

    def kill(self, place: Place, number: int) -> None: ...

    def close(self) -> None: ...


@pytest.fixture
def by_hand() -> ByHand:
    return ByHand()


@pytest.fixture
def places(by_hand: ByHand) -> Places:
    return Places(by_hand)  # type: ignore[arg-type]


def workers(places: Places, count: int, reports: list[Report]) -> list[ClusterWorker]:
    return [
        ClusterWorker(places, f"hand-{k}", lambda worker, report: reports.append(report))
        for k in range(count)
    ]


def test_places_are_taken_where_most_are_free_and_never_twice(places: Places) -> None:
    places.update({("a", "1"): 2, ("b", "2"): 1})
    found = workers(places, 3, [])
    assert sorted(worker.place[0] for worker in found) == ["a", "a", "b"]
    assert len({worker.place for worker in found}) == 3
    found[0].end()
    assert workers(places, 1, [])[0].place == found[0].place


def test_the_place_of_a_lost_worker_is_given_to_nobody(places: Places) -> None:
    places.update({("a", "1"): 2, ("b", "2"): 1})
    found = workers(places, 3, [])
    assert set(places.update({("a", "9"): 1})) == set(found)  # started again at the same address
    assert workers(places, 1, [])[0].place == ("a", "9", 0)
    reports: list[Report] = []
    (without,) = workers(places, 1, reports)
    without.start(experiments(0.0)[0])
    assert [one.alive for one in reports] == [False], "without a place it reports at once"


def test_who_loses_worker_after_worker_is_taken_to_be_the_reason(places: Places) -> None:
    reports: list[Report] = []
    (experiment,) = experiments(0.0)
    places.update({("a", str(k)): 1 for k in range(LOSSES + 1)})
    for worker in workers(places, LOSSES, reports):
        worker.start(experiment)
        worker.lose(blame=True)
    assert [one.died for one in reports] == [False] * (LOSSES - 1) + [True]
    assert [one.outcome is None for one in reports] == [True] * (LOSSES - 1) + [False]
    assert not any(one.alive for one in reports)


def test_a_scheduler_that_goes_away_is_held_against_nobody(places: Places) -> None:
    reports: list[Report] = []
    (experiment,) = experiments(0.0)
    places.update({("a", str(k)): 1 for k in range(3 * LOSSES)})
    for worker in workers(places, 3 * LOSSES, reports):
        worker.start(experiment)
        worker.lose(blame=False)
    assert all(one.outcome is None for one in reports)


def test_what_does_not_come_back_is_begun_again_where_its_member_is_still_there(
    places: Places, by_hand: ByHand
) -> None:
    reports: list[Report] = []
    places.update({("a", "1"): 1})
    (worker,) = workers(places, 1, reports)
    worker.start(experiments(0.0)[0])
    worker.begin_again()
    assert not reports, "it is under way"
    by_hand.calls[0](None)
    assert not reports, "the next look tells what that means"
    worker.begin_again()
    assert reports == [Report()]
    by_hand.calls[0](pickle.dumps(Report(alive=False)))
    assert len(reports) == 1, "an attempt ends once"


def told(places: Places, by_hand: ByHand, answer: Answer) -> Report:
    """What a worker reports of an attempt with this answer."""
    reports: list[Report] = []
    places.update({("a", "1"): 1})
    (worker,) = workers(places, 1, reports)
    worker.start(experiments(0.0)[0])
    assert not worker.gone()
    by_hand.calls[0](answer)
    assert worker.gone()
    worker.join(60)
    return reports[0]


def test_an_answer_is_the_report_that_was_sent(places: Places, by_hand: ByHand) -> None:
    report = Report(experiments(0.0)[0].outcome(3.0))
    assert told(places, by_hand, pickle.dumps(report)) == report


def test_what_cannot_be_pickled_there_is_a_crash_of_its_own(
    places: Places, by_hand: ByHand
) -> None:
    report = told(places, by_hand, TypeError("cannot pickle a lock"))
    assert report.outcome is not None
    assert report.outcome.key == experiments(0.0)[0].key
    assert report.outcome.status is Status.CRASHED
    assert "could not be sent" in report.outcome.message
    assert "TypeError: cannot pickle a lock" in report.outcome.message
    assert report.alive
    assert not report.died


def test_what_cannot_be_pickled_here_is_not_sent(places: Places, by_hand: ByHand) -> None:
    reports: list[Report] = []
    places.update({("a", "1"): 1})
    (worker,) = workers(places, 1, reports)
    (sound,) = experiments(0.0)
    worker.start(replace(sound, instance=replace(sound.instance, problem=threading.Lock())))
    assert reports[0].outcome is not None
    assert "could not be sent" in reports[0].outcome.message
    assert by_hand.calls == []


def test_a_cluster_that_cannot_run_racing_ends_the_run(places: Places, by_hand: ByHand) -> None:
    error = TargetError("racing must be installed there")
    assert told(places, by_hand, error).broken is error

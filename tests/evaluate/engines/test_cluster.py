"""Places of a cluster: who has which, and what it means that a member is gone."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from racing.core.experiment import Experiment
from racing.evaluate.engines.cluster import LOSSES, ClusterWorker, Places
from racing.evaluate.engines.transport import Place
from racing.evaluate.worker import Report
from tests.evaluate.cluster_kit import experiments


class Call:
    """An attempt whose end the test tells."""

    def when_done(self, tell: Callable[[Report | None], None]) -> None:
        self.tell = tell

    def cancel(self) -> None: ...

    def wait(self, seconds: float) -> None: ...


class ByHand:
    """A transport that keeps what it was given."""

    name = "hand"

    def __init__(self) -> None:
        self.calls: list[Call] = []

    def send(self, place: Place, number: int, experiment: Experiment, name: str) -> Call:
        self.calls.append(Call())
        return self.calls[-1]

    def kill(self, place: Place, number: int) -> None: ...

    def close(self) -> None: ...


def workers(
    places: Places, count: int, reports: list[Report], by_hand: ByHand | None = None
) -> list[ClusterWorker]:
    losses: dict[tuple[int, int], int] = {}
    return [
        ClusterWorker(
            f"hand-{k}", places, by_hand or ByHand(), itertools.count(1), losses,  # type: ignore[arg-type]
            lambda worker, report: reports.append(report),
        )
        for k in range(count)
    ]  # fmt: skip


def test_places_are_taken_where_most_are_free_and_never_twice() -> None:
    places = Places()
    places.update({("a", "1"): 2, ("b", "2"): 1})
    found = workers(places, 3, [])
    assert sorted(worker.place[0] for worker in found) == ["a", "a", "b"]
    assert len({worker.place for worker in found}) == 3
    found[0].end()
    assert workers(places, 1, [])[0].place == found[0].place


def test_the_place_of_a_lost_worker_is_given_to_nobody() -> None:
    places = Places()
    places.update({("a", "1"): 2, ("b", "2"): 1})
    found = workers(places, 3, [])
    assert set(places.update({("a", "9"): 1})) == set(found)  # started again at the same address
    assert workers(places, 1, [])[0].place == ("a", "9", 0)
    reports: list[Report] = []
    (without,) = workers(places, 1, reports)
    without.start(experiments(0.0)[0])
    assert [one.alive for one in reports] == [False], "without a place it reports at once"


def test_who_loses_worker_after_worker_is_taken_to_be_the_reason() -> None:
    places, reports = Places(), []
    (experiment,) = experiments(0.0)
    places.update({("a", str(k)): 1 for k in range(LOSSES + 1)})
    for worker in workers(places, LOSSES, reports):
        worker.start(experiment)
        worker.lose(blame=True)
    assert [one.died for one in reports] == [False] * (LOSSES - 1) + [True]
    assert [one.outcome is None for one in reports] == [True] * (LOSSES - 1) + [False]
    assert not any(one.alive for one in reports)


def test_a_scheduler_that_goes_away_is_held_against_nobody() -> None:
    places, reports = Places(), []
    (experiment,) = experiments(0.0)
    places.update({("a", str(k)): 1 for k in range(3 * LOSSES)})
    for worker in workers(places, 3 * LOSSES, reports):
        worker.start(experiment)
        worker.lose(blame=False)
    assert all(one.outcome is None for one in reports)


def test_what_does_not_come_back_is_begun_again_where_its_member_is_still_there() -> None:
    places, reports, by_hand = Places(), [], ByHand()
    places.update({("a", "1"): 1})
    (worker,) = workers(places, 1, reports, by_hand)
    worker.start(experiments(0.0)[0])
    worker.begin_again()
    assert not reports, "it is under way"
    by_hand.calls[0].tell(None)
    assert not reports, "the next look tells what that means"
    worker.begin_again()
    assert reports == [Report()]
    by_hand.calls[0].tell(Report(alive=False))
    assert len(reports) == 1, "an attempt ends once"

"""A process is replaced for what an evaluation leaves in it, unless all first evaluations do."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from racing.evaluate.engines.loky import HABIT, Leftovers
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function
from racing.evaluate.pool import open_pool
from tests.evaluate.cluster_kit import by_value
from tests.evaluate.mixes import experiments

THREAD = ("a thread",)


def test_what_an_evaluation_leaves_spoils_its_process() -> None:
    leftovers = Leftovers()
    assert leftovers.spoil(THREAD, first=True)
    assert leftovers.spoil(THREAD, first=False)
    assert not leftovers.spoil((), first=True)
    assert not leftovers.spoil((), first=False)


def test_what_every_first_evaluation_leaves_belongs_to_the_target() -> None:
    leftovers = Leftovers()
    assert [leftovers.spoil(THREAD, first=True) for _ in range(HABIT)] == [True] * HABIT
    assert not leftovers.spoil(THREAD, first=True)
    assert leftovers.spoil(THREAD, first=False), "more than after the first evaluation"
    assert leftovers.spoil((*THREAD, "a child process"), first=True), "something else"


@pytest.mark.parametrize("other", [(), ("a child process",)])
def test_one_that_leaves_something_else_ends_the_habit(other: tuple[str, ...]) -> None:
    leftovers = Leftovers()
    for _ in range(HABIT):
        leftovers.spoil(THREAD, first=True)
    leftovers.spoil(other, first=True)
    assert leftovers.spoil(THREAD, first=True)


def test_what_cannot_be_restored_always_spoils() -> None:
    leftovers, stays = Leftovers(), ("another working folder",)
    assert all(leftovers.spoil(stays, first=True) for _ in range(2 * HABIT))


def with_a_monitor(values: dict[str, str], instance: str, seed: int) -> float:
    """It has a thread at work from the first call on, as a progress bar has."""
    import os

    if not any(thread.name == "monitor" for thread in threading.enumerate()):
        threading.Thread(target=time.sleep, args=(60,), name="monitor", daemon=True).start()
    return float(os.getpid())


def with_a_thread_each(values: dict[str, str], instance: str, seed: int) -> float:
    """It leaves another thread at each call."""
    import os

    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    return float(os.getpid())


@pytest.mark.parametrize(
    ("solve", "processes"), [(with_a_monitor, HABIT + 1), (with_a_thread_each, HABIT + 2)]
)
def test_a_worker_is_replaced_only_as_long_as_that_helps(
    solve: Callable[..., float], processes: int
) -> None:
    """Of seven evaluations; of those with a thread each, every second one has a fresh process."""
    found = set()
    with open_pool(Evaluator(Function(by_value(solve))), engine="loky", jobs=1) as workers:
        for experiment in experiments(["nothing"] * 7):
            workers.submit(experiment)
            found.add(workers.wait(60)[0].cost)
    assert len(found) == processes

"""An attempt that takes too long is given up, by the ticks of a clock that counts no pauses."""

from __future__ import annotations

import threading
import time

from racing.evaluate.stops import TICK, Limit


def test_it_gives_up_again_and_again_till_that_is_accepted() -> None:
    called = 0
    accepted = threading.Event()

    def give_up() -> bool:
        nonlocal called
        called += 1
        if called == 3:
            accepted.set()
        return called == 3

    limit = Limit(TICK, give_up)
    limit.begin()
    assert accepted.wait(60)
    time.sleep(3 * TICK)
    assert called == 3


def test_an_attempt_that_has_ended_is_left_alone() -> None:
    late, other = Limit(TICK, lambda: bool(called.append(1))), threading.Event()
    called: list[int] = []
    late.begin()
    late.end()
    Limit(2 * TICK, lambda: other.set() or True).begin()
    assert other.wait(60)
    assert called == []


def test_a_late_tick_counts_as_two_at_most() -> None:
    limit = Limit(3 * TICK, lambda: True)
    assert not limit.tick(3600.0, stopped=False)
    assert limit.tick(3600.0, stopped=False)


def test_the_time_begins_anew_after_a_stop_of_this_process() -> None:
    limit = Limit(2 * TICK, lambda: True)
    assert not limit.tick(TICK, stopped=False)
    assert not limit.tick(3600.0, stopped=True)
    assert not limit.tick(TICK, stopped=False)
    assert limit.tick(TICK, stopped=False)
    assert limit.stopped


def test_each_attempt_has_the_whole_limit() -> None:
    limit = Limit(2 * TICK, lambda: True)
    for _ in range(2):
        limit.begin()
        assert not limit.tick(TICK, stopped=False)
        assert limit.tick(TICK, stopped=False)
        limit.end()

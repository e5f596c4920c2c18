"""The alarm interrupts a function in the main thread, and leaves nothing behind."""

from __future__ import annotations

import contextlib
import signal
import threading
import time

import pytest

from racing.evaluate.alarm import OwnAlarm, TimeIsUp, alarm, possible


def forever() -> None:
    while True:
        time.sleep(0.01)


def test_it_ends_a_function_whose_time_is_up() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(TimeIsUp), alarm(0.05):
        forever()
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def swallowing() -> None:
    with contextlib.suppress(TimeIsUp):
        forever()
    forever()


def test_it_rings_again_for_a_function_that_swallows_it() -> None:
    with pytest.raises(TimeIsUp), alarm(0.05):
        swallowing()


def test_an_alarm_of_the_functions_own_is_no_timeout() -> None:
    """It takes the one timer that there is; the limit stays."""

    def with_alarm() -> None:
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        forever()

    def ignoring() -> None:
        with contextlib.suppress(OwnAlarm):
            with_alarm()
        forever()

    with pytest.raises(OwnAlarm), alarm(60.0):
        with_alarm()
    with pytest.raises(TimeIsUp), alarm(0.2):
        ignoring()


def test_a_function_in_time_is_left_alone() -> None:
    for seconds in (None, 60.0):
        with alarm(seconds):
            pass
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_an_alarm_that_was_set_before_stays_set() -> None:
    before = signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 1000.0)
    try:
        with alarm(60.0):
            pass
        assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= 1000.0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_only_the_main_thread_can_be_interrupted() -> None:
    found: list[bool] = []
    thread = threading.Thread(target=lambda: found.append(possible()))
    thread.start()
    thread.join()
    assert found == [False]
    assert possible()

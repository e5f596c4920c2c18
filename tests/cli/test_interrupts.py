"""Ctrl-C and SIGTERM, sent to this very process."""

from __future__ import annotations

import signal

import pytest

from racing.cli.interrupts import Interrupts


def test_the_first_ctrl_c_is_a_request_and_the_second_stops_at_once():
    said: list[str] = []
    before = signal.getsignal(signal.SIGINT)
    with Interrupts(said.append) as interrupted:
        assert not interrupted()
        signal.raise_signal(signal.SIGINT)
        assert interrupted()
        assert len(said) == 1
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)  # ignored: the program is about to exit
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    signal.signal(signal.SIGINT, before)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def test_sigterm_stops_at_once():
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with Interrupts(print), pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGTERM)
    for number, handler in zip((signal.SIGINT, signal.SIGTERM), before, strict=True):
        signal.signal(number, handler)


def test_without_a_signal_the_handlers_are_as_before():
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with Interrupts(print) as interrupted:
        assert signal.getsignal(signal.SIGINT) not in before
    assert not interrupted()
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before

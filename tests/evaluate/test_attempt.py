"""Attempts: messages that are safe to print, and answers that reach their bound."""

from __future__ import annotations

from racing.core.experiment import Status
from racing.evaluate.answers import CHARACTERS_KEPT, LINES_KEPT, Attempt, message, within


def test_a_message_is_a_headline_a_detail_and_the_last_lines_of_stderr() -> None:
    lines = [f"line {n}" for n in range(50)]
    found = message("crashed", "why", "\n".join(lines)).splitlines()
    assert found == ["crashed", "why", *lines[-LINES_KEPT:]]
    assert message("crashed") == "crashed"
    assert len(message("", "", "x" * 10_000)) == CHARACTERS_KEPT


def test_control_characters_are_not_printed() -> None:
    assert message("crashed", "", "a\x1b[31mb\tc") == "crashed\na\N{REPLACEMENT CHARACTER}[31mb\tc"


def test_an_answer_that_reaches_its_bound_is_censored() -> None:
    assert within(Attempt(score=1.0), None).status is Status.OK
    assert within(Attempt(score=1.0), 2.0).status is Status.OK
    assert within(Attempt(score=2.0), 2.0).status is Status.CENSORED
    failed = Attempt(status=Status.CRASHED)
    assert within(failed, 2.0) is failed

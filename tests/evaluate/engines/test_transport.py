"""What every transport says of experiments that it could not send, and of answers."""

from __future__ import annotations

import pickle

from racing.core.experiment import Status
from racing.evaluate.engines.transport import Unsent, report_in, unsendable
from racing.evaluate.worker import Report
from tests.evaluate.cluster_kit import experiments

ONE = experiments(0.0)[0]


def test_what_cannot_be_pickled_is_a_crash_of_its_own() -> None:
    report = unsendable(ONE, TypeError("cannot pickle a lock"))
    assert report.outcome is not None
    assert report.outcome.key == ONE.key
    assert report.outcome.status is Status.CRASHED
    assert "could not be sent" in report.outcome.message
    assert "TypeError: cannot pickle a lock" in report.outcome.message
    assert report.alive
    assert not report.died


def test_an_answer_is_the_report_that_was_sent() -> None:
    report = Report(ONE.outcome(3.0))
    assert report_in(pickle.dumps(report)) == report


def test_what_was_not_sent_is_reported_at_once_or_counts_as_lost() -> None:
    for report in (unsendable(ONE, TypeError("no")), None):
        told: list[Report | None] = []
        sent = Unsent(report)
        sent.when_done(told.append)
        sent.cancel()
        sent.wait(60.0)
        assert told == [report]

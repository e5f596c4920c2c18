"""The records of logs."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime, timedelta

import pytest

from racing.log import FailedAttempt, Header
from racing.log.records import Finish, Unfinished, now
from tests.log.samples import HEADER, outcome


def test_now_is_in_utc_to_the_millisecond() -> None:
    before = datetime.now(UTC) - timedelta(milliseconds=1)
    said = datetime.fromisoformat(now())
    assert before <= said <= datetime.now(UTC)
    assert said.utcoffset() == timedelta(0)
    assert said.microsecond % 1000 == 0


def test_a_header_notes_when_it_was_made() -> None:
    assert HEADER.created <= Header(name="later", seed=1).created <= now()


@pytest.mark.parametrize(
    "record",
    [HEADER, Finish(stopped="instances", winner=1), Unfinished(),
     FailedAttempt(outcome=outcome(3), then="retried")],
    ids=lambda record: type(record).__name__,
)  # fmt: skip
def test_records_cannot_be_changed(record: object) -> None:
    assert dataclasses.is_dataclass(record)
    name = dataclasses.fields(record)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(record, name, None)
    assert dataclasses.replace(record) == record  # type: ignore[type-var]

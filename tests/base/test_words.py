"""Numbers, counts and times in sentences."""

from __future__ import annotations

from racing.base.words import moment
from racing.log.log import now


def test_a_moment_is_told_to_the_minute_and_anything_else_as_it_is() -> None:
    assert moment("2024-05-01T10:09:59.999+00:00") == "2024-05-01 10:09 UTC"
    assert moment(now()).endswith(" UTC")
    assert moment("2024-05-01T10:09+02:00") == "2024-05-01T10:09+02:00"
    assert moment("<b>") == "<b>"

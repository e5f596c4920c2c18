"""How closely a replayed verdict must agree with the one in the log."""

from __future__ import annotations

from dataclasses import replace

import pytest

from racing.base.errors import LogError
from racing.core.verdict import Elimination, Verdict
from racing.log.check import check_verdict

OUT = Elimination(
    candidate=2, against=1, measure="p-value", value=0.0123, threshold=0.05, statistic=9.0
)
VERDICT = Verdict(instances=9, leader=1, eliminated=(OUT,))


def moved(field: str, factor: float) -> Verdict:
    """The verdict with one of its numbers off by a factor."""
    return replace(VERDICT, eliminated=(replace(OUT, **{field: getattr(OUT, field) * factor}),))


@pytest.mark.parametrize("field", ["value", "threshold", "statistic"])
def test_the_last_bits_may_differ_and_nothing_more(field: str) -> None:
    check_verdict(VERDICT, moved(field, 1 + 1e-13), 1, "log")
    for factor in (1 + 1e-7, 1 - 1e-4, 2.0):
        with pytest.raises(LogError, match="has as verdict 1"):
            check_verdict(VERDICT, moved(field, factor), 1, "log")

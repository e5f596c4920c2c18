"""What a target says when its service is busy."""

from __future__ import annotations

import time
from email.utils import formatdate
from typing import Any

import pytest

from racing import Retry
from racing.base.errors import InputError
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance
from racing.core.failures import OnFailure
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function


@pytest.mark.parametrize(("after", "seconds"), [(2, 2.0), ("1.5", 1.5), (0, 0.0), (None, None)])
def test_how_long_to_wait_is_a_number_or_a_header(after: Any, seconds: float | None) -> None:
    assert Retry(after=after).after == seconds


def test_a_header_may_have_a_date() -> None:
    after = Retry(after=formatdate(time.time() + 100, usegmt=True)).after
    assert after is not None
    assert 90 < after <= 100
    assert Retry(after=formatdate(time.time() - 100, usegmt=True)).after == 0


@pytest.mark.parametrize(
    "options",
    [
        {"after": -1}, {"after": "soon"}, {"after": float("nan")}, {"after": float("inf")},
        {"after": [1]}, {"spent": {"usd": -1}}, {"spent": {"usd": "1"}}, {"spent": {1: 1}},
        {"spent": [1]},
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"^(after must be|Retry: (a key of )?spent)"):
        Retry("busy", **options)


def test_plain_functions_may_raise_it_too() -> None:
    calls: list[int] = []

    def busy_once(values: Any, instance: Any, seed: Any) -> dict[str, Any]:
        calls.append(seed)
        if len(calls) == 1:
            raise Retry("503", after=0.001, spent={"usd": 0.5})
        return {"cost": 3, "spent": {"usd": 0.25}}

    outcome = Evaluator(Function(busy_once), on_failure=OnFailure(patience=9))(
        Experiment(Candidate(1, {}), Instance(0, "a", 7))
    )
    assert (outcome.cost, outcome.refused, outcome.spent) == (3, 1, {"usd": 0.75})

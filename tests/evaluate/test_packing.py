"""Experiments as bytes."""

from __future__ import annotations

import pickle
from decimal import Decimal

import pytest

from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance
from racing.evaluate import work

PLAIN = Experiment(Candidate(1, {"x": 0.5, "mode": "a", "on": True}), Instance(0, "a", 7))


@pytest.mark.parametrize("problem", ["a", 3, {"size": 4}, Decimal(2), lambda: 5])
def test_what_is_unpacked_is_what_was_packed(problem: object) -> None:
    experiment = Experiment(PLAIN.candidate, Instance(0, "i0", 7, problem))
    found = pickle.loads(work.experiment_bytes(experiment))
    if callable(problem):
        assert found.instance.problem() == problem()
    else:
        assert found == experiment


def test_plain_values_take_the_short_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "as_bytes", lambda value: b"the long way")
    assert pickle.loads(work.experiment_bytes(PLAIN)) == PLAIN
    odd = Experiment(Candidate(1, {"x": Decimal(1)}), PLAIN.instance)  # type: ignore[dict-item]
    assert work.experiment_bytes(odd) == b"the long way"

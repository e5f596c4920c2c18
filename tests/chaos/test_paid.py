"""Two of the mixes of `python -m tests.chaos.paid`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chaos.paid import BUDGET, mixed


@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
@pytest.mark.parametrize("seed", [1, 2])
def test_the_log_has_what_the_service_charges(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bill = mixed(seed, tmp_path, monkeypatch)
    assert bill.answered <= bill.charged + 1e-12
    assert bill.charged <= bill.answered + bill.unanswered * bill.most
    assert bill.charged <= BUDGET + bill.jobs * bill.most
    assert bill.same or not bill.kept

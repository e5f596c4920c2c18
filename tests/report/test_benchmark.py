"""The benchmarks of pages, in small: sizes stay below what a page may have; no page is left."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from benchmarks.live_page import cost, watched
from benchmarks.report_page import page, race_of


def test_a_race_has_as_many_evaluations_as_asked_for() -> None:
    race = race_of(1000)
    assert len(race.candidates) * race.instances.limit == 1000


def test_a_page_of_a_thousand_evaluations_is_below_a_megabyte() -> None:
    *_, text = page(1000)
    assert len(text.encode()) < 1_000_000


@pytest.mark.parametrize("runs", [True, False])
def test_a_live_page_ends_with_its_measurement(
    runs: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = []

    class Noted(subprocess.Popen[str]):
        def __init__(self, *words: object, **options: object) -> None:
            super().__init__(*words, **options)  # type: ignore[call-overload]
            started.append(self)

    log = tmp_path / "log.sqlite"
    with monkeypatch.context() as patch:
        patch.setattr("benchmarks.live_page.subprocess.Popen", Noted)
        with watched(log):
            if runs:
                assert cost(log, 5, 20) > 0
    assert started
    assert all(one.poll() is not None for one in started)

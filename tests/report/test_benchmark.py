"""The benchmark of pages, in small: sizes stay below what a page may have."""

from __future__ import annotations

from benchmarks.report_page import page, race_of


def test_a_race_has_as_many_evaluations_as_asked_for() -> None:
    race = race_of(1000)
    assert len(race.candidates) * race.instances.limit == 1000


def test_a_page_of_a_thousand_evaluations_is_below_a_megabyte() -> None:
    *_, text = page(1000)
    assert len(text.encode()) < 1_000_000

"""The words of the gain by family: better, worse, open and few, and never more than is shown."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from racing.core.candidate import Candidate
from racing.report.answer import answer
from racing.report.families import ByFamily
from racing.report.family_rows import FamilyGain
from racing.report.family_words import family_data, family_sentences
from racing.report.figures import draw
from racing.report.forms import Intervals, Points
from racing.report.pictures import pictures
from racing.report.pictures.result import families
from tests.report.kit import marks, told

WINNER, DEFAULT = Candidate(7, {"x": 1}), Candidate(1, {"x": 0}, "default")


def row(family, evidence, **how):
    numbers = {"gain": 0.5, "low": -0.25, "high": 1.25, "wins": 8, "ties": 1, "losses": 3, **how}
    return FamilyGain(
        family=family, instances=12, evidence=evidence,
        **{"winner_failures": 0, "against_failures": 0, "ahead": None, **numbers},
    )  # fmt: skip


def found(*rows, fresh=True):
    return ByFamily(
        winner=WINNER, against=DEFAULT, rows=rows, level=0.95, measure="median", fresh=fresh
    )


def words(*rows, **how):
    return list(family_sentences(found(*rows, **how)))


def test_each_kind_of_evidence_has_its_words():
    said = words(row("a", "better"), row("b", "open"), row("c", "few"), row("d", "better"))
    assert said == [
        "By family, #7 is better than default on a and d; nothing is shown on b; there are too few "
        "instances of c (95 % for all 4 together)."
    ]


def test_a_loss_is_told_with_its_interval_and_what_to_do():
    said = words(row("a", "better"), row("b", "worse", gain=-2.0, low=-3.0, high=-1.0))
    assert said == [
        "By family, #7 is better than default on a; #7 is worse on b (95 % for all 2 together).",
        "On b keep default: there #7 loses 2 (median; interval 1 to 3).",
    ]


def test_a_loss_by_failures_is_told_by_their_number():
    said = words(row("b", "worse", winner_failures=9, low=None, high=None), fresh=False)
    assert said[0].startswith("By family, #7 is worse than default on b (")
    assert said[1] == (
        "On b keep default: there #7 failed on 9 and default on 0 of 12, though it was also "
        "chosen on these instances."
    )


def test_a_loss_without_ends_is_told_by_counts():
    said = words(row("b", "worse", low=None, high=None))
    assert said[1] == "On b keep default: there #7 is better on 8 and worse on 3."


def test_nothing_is_said_where_no_families_are_known():
    assert not list(family_sentences(None))
    assert family_data(None) is None


def test_data_has_names_and_numbers():
    data = family_data(found(row("a", "open", ahead=WINNER), fresh=False))
    assert data["chosen_on_these_instances"] is True
    assert data["families"][0]["ahead"] == "#7"
    assert (data["families"][0]["low"], data["families"][0]["evidence"]) == (-0.25, "open")


def test_a_page_has_the_sentences_and_a_picture_that_is_drawn():
    run = told(np.column_stack([np.zeros(12), np.ones(12)]), rule="none")
    assert families(run) is None
    rows = row("a", "better"), row("b", "worse", gain=None), row("c", "open", high=math.inf)
    run = replace(run, facts=replace(run.facts, families=found(*rows)))
    assert any("By family" in one for one in answer(run.facts).sentences)
    drawn = next(one for one in pictures(run) if one.id == "families")
    (points,), (lines,) = marks(drawn, Points), marks(drawn, Intervals)
    assert points.x[0] == (0.5, None, 0.5)
    assert lines.low[0][0] == -0.25
    assert (lines.high[0][0], lines.high[0][2]) == (1.25, None), "an end that there is not"
    assert len(drawn.table.rows) == 3
    assert draw(drawn.figure).axes

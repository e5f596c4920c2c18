"""A team as plain data, for `racing portfolio --json` and every text."""

from __future__ import annotations

from typing import Any

from racing.analysis.portfolio import Portfolio
from racing.analysis.portfolio.by_family import FamilyTable
from racing.analysis.portfolio.crossfit import Estimate, Size
from racing.base.quantities import Direction, score_of
from racing.report.pair_data import Data
from racing.report.portfolio_words import team_sentences
from racing.report.use_forms import command_line


def portfolio_data(found: Portfolio) -> Data:
    """A team, its members, its value and that of other sizes; scores in the user's direction.

    Gains are in the unit of the scores, above 0 where the team is better. With the objective `rank`
    scores are places among the candidates, from 0 to 1, in any direction.
    """
    known, flip = found.known, _flip(found)
    scenario = known.scenario.to_dict()
    return {
        "size": found.size.size,
        "asked": found.asked,
        "answer": team_sentences(found),
        "measure": "place" if known.objective == "rank" else "score",
        "instances": len(known.instances),
        "candidates": len(known.candidates),
        "complete": found.complete,
        "censored": known.censored,
        "team": [
            {
                "id": one.candidate.id,
                "name": str(one.candidate),
                "values": dict(one.candidate.values),
                "adds": one.adds,
                "best_on": one.best_on,
                "ran_on": one.ran_on,
                "command": command_line(scenario, one.candidate) or None,
            }
            for one in found.members
        ],
        "score": _estimate(found.size.score, flip),
        "worst": score_of(found.size.worst, flip),
        "gain": _estimate(found.size.gain, "minimize"),
        "shown": found.shown,
        "single_best": {"id": found.single.id, "name": str(found.single),
                        "score": _estimate(found.sizes[0].score, flip)},
        "virtual_best": score_of(found.virtual, flip),
        "closed": found.closed,
        "sizes": [_size(found, one) for one in found.sizes],
        "by_family": _families(found.by_family, flip),
    }  # fmt: skip


def _flip(found: Portfolio) -> Direction:
    """Places are low where they are good, whatever the direction of the scores."""
    return "minimize" if found.known.objective == "rank" else found.known.direction


def _estimate(one: Estimate, flip: Direction) -> Data:
    ends = sorted((score_of(one.low, flip), score_of(one.high, flip)))
    return {"mean": score_of(one.mean, flip), "low": ends[0], "high": ends[1], "level": one.level}


def _size(found: Portfolio, one: Size) -> Data:
    return {
        "size": one.size,
        "team": [str(found.known.candidates[column]) for column in one.team],
        "score": _estimate(one.score, _flip(found)),
        "gain": _estimate(one.gain, "minimize"),
        "on_instances_that_chose_it": score_of(one.known, _flip(found)),
    }


def _families(table: FamilyTable | None, flip: Direction) -> Data | None:
    if table is None:
        return None
    rows: list[dict[str, Any]] = [
        {
            "family": one.family,
            "instances": one.instances,
            "candidate": {"id": one.candidate.id, "name": str(one.candidate),
                          "values": dict(one.candidate.values)},
            "score": score_of(one.mean, flip),
            "single_best": score_of(one.single, flip),
        }
        for one in table.rows
    ]  # fmt: skip
    return {
        "families": rows,
        "score": _estimate(table.score, flip),
        "gain": _estimate(table.gain, "minimize"),
    }

"""A comparison of runs as plain data, for JSON: every number unrounded, names for columns."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from racing.analysis.compare.json_data import (
    as_data,
    groups_data,
    notes_data,
    posterior_data,
    tested_data,
)
from racing.analysis.compare.unpaired.comparison import ProblemComparison, RunComparison
from racing.stats.pseudo_ranks import RelativeEffects


def run_data(c: RunComparison) -> dict[str, Any]:
    """All data of a comparison of runs except the scores."""
    control = c.choices.control
    return {
        "source": c.table.source,
        "paired": False,
        "direction": c.table.direction,
        "left_out": list(c.table.left_out),
        "choices": {
            **asdict(c.choices),
            "control": None if control is None else c.names[control],
        },
        "problems": [_problem(one) for one in c.problems],
        "over": _over(c),
        "notes": notes_data(c.notes),
    }


def _problem(c: ProblemComparison) -> dict[str, Any]:
    effects, medians = _effects(c.relative), c.medians
    return {
        "problem": c.problem,
        "algorithms": [
            {
                "name": c.names[i],
                "runs": int(c.sizes[i]),
                "mean_rank": float(c.mean_ranks[i]),
                "relative_effect": effects[i],
                "median": float(medians[i]),
            }
            for i in c.order
        ],
        "omnibus": None if c.omnibus is None else asdict(c.omnibus),
        "comparisons": _comparisons(c),
        "groups": groups_data(c),
        "posterior": posterior_data(c),
        "statements": _statements(c),
        "notes": notes_data(c.notes),
    }


def _comparisons(c: ProblemComparison) -> list[dict[str, Any]]:
    e = c.effects
    return [
        {**tested_data(c, k), "a": [float(e.a[k]), float(e.a_low[k]), float(e.a_high[k])]}
        for k in range(c.family.first.size)
    ]


def _statements(c: ProblemComparison) -> dict[str, Any] | None:
    """The Bayesian Kruskal-Wallis test."""
    found = c.statements
    if found is None:
        return None
    return {
        "names": list(c.names),
        "any_difference": found.any_difference,
        "a": found.a.tolist(),
        "low": found.low.tolist(),
        "high": found.high.tolist(),
        "better": found.p_better.tolist(),
        "probability": found.joint,
        "accepted": [
            {"better": c.names[int(b)], "worse": c.names[int(w)], "error": float(error)}
            for b, w, error in zip(
                found.better[: found.accepted],
                found.worse[: found.accepted],
                found.errors[: found.accepted],
                strict=True,
            )
        ],
        "draws": found.draws,
    }


def _over(c: RunComparison) -> dict[str, Any] | None:
    if c.over is None:
        return None
    effects = _effects(c.over.effects)
    return {
        "effects": [
            {"name": name, "relative_effect": effects[i]} for i, name in enumerate(c.names)
        ],
        "paired": None if c.over.paired is None else as_data(c.over.paired),
    }


def _effects(found: RelativeEffects) -> list[list[float]]:
    """[effect, low, high] of each algorithm."""
    ends = zip(found.effects, found.low, found.high, strict=True)
    return [[float(x) for x in three] for three in ends]

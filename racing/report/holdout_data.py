"""The winner on held-out instances, as plain data."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np

from racing.base.quantities import Direction, score_of
from racing.core.candidate import Candidate
from racing.report.answer import held_out_sentences
from racing.report.families import ByFamily
from racing.report.family_words import family_data, family_sentences
from racing.report.gain import gain_held_out
from racing.report.limit_words import limit_sentences
from racing.report.pair_data import Data, candidate_data, pair_data

if TYPE_CHECKING:
    from racing.analysis.holdout import Holdout


def holdout_data(
    found: Holdout, direction: Direction, *, unit: str = "", families: ByFamily | None = None
) -> Data:
    """A comparison on held-out instances; scores are in the user's direction.

    Parameters
    ----------
    unit
        What the scores are counted in.
    families
        The same by family.
    """
    gain = gain_held_out(found, unit)
    mean, other_mean = (_mean(costs) for costs in found.costs.T)
    return {
        "winner": candidate_data(found.winner),
        "against": candidate_data(found.against),
        "against_drawn_at_random": found.drawn,
        "mean_winner": score_of(mean, direction),
        "mean_against": score_of(other_mean, direction),
        "unit": unit or None,
        **_several(found),
        **pair_data(gain.pair),
        "evidence": gain.evidence,
        "answer": (*held_out_sentences(gain), *family_sentences(families)),
        "families": family_data(families),
        "costs": [
            {
                "instance": name,
                "winner": score_of(float(own), direction),
                "against": score_of(float(other), direction),
            }
            for name, (own, other) in zip(found.instances, found.costs, strict=True)
        ],
    }


def _several(found: Holdout) -> Data:
    """The additional data of a test of several metrics."""
    if not found.metrics:
        return {}
    return {
        "metrics": {
            name: {"winner": own, "against": other} for name, (own, other) in found.metrics.items()
        },
        "limits": [asdict(one) for one in found.limits],
        "limits_against": [asdict(one) for one in found.other_limits],
        "limit_sentences": list(limit_sentences(gain_held_out(found))),
    }


def nothing_to_test(winner: Candidate) -> Data:
    """The same where the winner is the candidate that it would be compared with."""
    same = candidate_data(winner)
    return {"winner": same, "against": same, "instances": 0}


def _mean(costs: np.ndarray) -> float:
    """The mean of the costs that are numbers; NaN without any."""
    finite = [float(cost) for cost in costs if math.isfinite(cost)]
    return math.fsum(cost / len(finite) for cost in finite) if finite else math.nan

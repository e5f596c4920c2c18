"""The best candidate of each family of instances, and the cross-validated gain of this choice."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from racing.analysis.portfolio.crossfit import (
    Estimate,
    folds_of,
    gain_of,
    held_out,
    held_out_teams,
    mean_of,
    numbered,
    reach_of,
)
from racing.analysis.portfolio.table import KnownCosts
from racing.base.quantities import score_of
from racing.core.candidate import Candidate
from racing.scenario.families import kinds

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class FamilyChoice:
    """The candidate of a family.

    Attributes
    ----------
    family, instances
        What it is called, and how many instances there are.
    candidate
        The best one there.
    score, single_best
        Its mean score there, and that of the single best of all instances, in the direction of the
        user; both were chosen here.
    """

    family: str
    instances: int
    candidate: Candidate
    score: float
    single_best: float


@dataclass(frozen=True, kw_only=True)
class FamilyTable:
    """Family → candidate.

    Attributes
    ----------
    families
        By name.
    score
        The mean score of choosing by family, on fresh instances, in the direction of the user.
    gain
        By how much that is better than the single best.
    """

    families: tuple[FamilyChoice, ...]
    score: Estimate
    gain: Estimate


def family_table(known: KnownCosts, scores: Floats, by: str) -> FamilyTable:
    """The best candidate of each family.

    Raises
    ------
    InputError
        If the families cannot be told, or there is only one.
    """
    labels = kinds(known.instances, by, Path(known.scenario.folder))
    folds, single = folds_of(known.problems), int(np.argmin(scores.mean(axis=0)))

    def told(rest: Floats, own: NDArray[np.intp]) -> Floats:
        others = np.delete(labels, own)
        return np.array([scores[row, _best(rest, others == labels[row])] for row in own])

    values, own = held_out(scores, folds, told), numbered(known.problems)
    best = {family: _best(scores, labels == family) for family in sorted(set(labels.tolist()))}
    chosen = scores[np.arange(len(scores)), [best[family] for family in labels.tolist()]]
    reach = reach_of(scores, list(best.values()))
    return FamilyTable(
        families=tuple(
            FamilyChoice(
                family=family,
                instances=int(here.sum()),
                candidate=known.candidates[column],
                score=score_of(float(scores[here, column].mean()), known.way),
                single_best=score_of(float(scores[here, single].mean()), known.way),
            )
            for family, column in best.items()
            for here in [labels == family]
        ),
        score=mean_of(values, chosen, own, reach).scored(known.way),
        gain=gain_of(held_out_teams(scores, folds, 1) - values, own, reach),
    )


def _best(scores: Floats, rows: NDArray[np.bool_]) -> int:
    """The best candidate on some rows; on all of them where there is none."""
    return int(np.argmin((scores[rows] if rows.any() else scores).mean(axis=0)))

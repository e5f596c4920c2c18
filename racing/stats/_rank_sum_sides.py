"""Posterior probabilities of A on both sides of the rope, by draws or by moments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from racing.base.errors import InputError
from racing.stats._checks import Floats, as_count, one_of
from racing.stats._placements import Placements
from racing.stats._rank_sum_draws import drawn
from racing.stats._rank_sum_moments import beta_above, moments
from racing.stats.sign_posterior import as_weight

RankSumPrior: TypeAlias = Literal["none", "left", "rope", "right"]
Sides: TypeAlias = tuple[Floats, Floats, Floats]
PosteriorMethod: TypeAlias = Literal["auto", "monte carlo", "beta"]

AT = {"none": 0.5, "left": 1.0, "rope": 0.5, "right": 0.0}
"""What a comparison with an atom of the prior counts for the first sample."""
_AUTO = 30  # runs of each sample from which "auto" draws nothing


@dataclass(frozen=True)
class SideOptions:
    """Checked options of a posterior."""

    rope: float
    s: float
    method: PosteriorMethod
    draws: int

    @classmethod
    def of(cls, rope: float, s: float, method: PosteriorMethod, draws: int) -> SideOptions:
        one_of(method, ("auto", "monte carlo", "beta"), name="method")
        return cls(_as_rope(rope), as_weight(s), method, as_count(draws, name="draws"))

    def by_moments(self, placed: Placements) -> bool:
        """Whether nothing is drawn."""
        enough = int(placed.groups.sizes.min()) >= _AUTO
        return self.method == "beta" or (self.method == "auto" and enough)

    def weight(self, prior: RankSumPrior) -> float:
        """The weight of the atoms."""
        return 0.0 if prior == "none" else self.s


def posteriors(
    placed: Placements,
    priors: Sequence[RankSumPrior],
    options: SideOptions,
    rng: np.random.Generator,
) -> list[Sides]:
    """(p_left, p_rope, p_right) of all pairs for each prior, each (k, k), from the same draws.

    All priors but "none" have the same weight, so "none" cannot be combined with others.
    """
    if options.by_moments(placed):
        found = [_by_moments(placed, prior, options) for prior in priors]
    else:
        found = _by_draws(placed, priors, options, rng)
    return [
        _told(placed, left, right, prior, options)
        for prior, (left, right) in zip(priors, found, strict=True)
    ]


def _by_moments(
    placed: Placements, prior: RankSumPrior, options: SideOptions
) -> tuple[Floats, Floats]:
    mean, variance = moments(placed, options.weight(prior), AT[prior])
    edge = 0.5 + options.rope
    return beta_above(mean, variance, edge), beta_above(1 - mean, variance, edge)


def _by_draws(
    placed: Placements,
    priors: Sequence[RankSumPrior],
    options: SideOptions,
    rng: np.random.Generator,
) -> list[tuple[Floats, Floats]]:
    k, edge, weight = placed.groups.k, options.rope, options.weight(priors[0])
    above = np.triu_indices(k, 1)
    counts = np.zeros((len(priors), 4, above[0].size))
    for block in drawn(placed.groups, weight, options.draws, rng):
        for row, prior in enumerate(priors):
            a = block.a(AT[prior])
            # In a pair (j, i), the prior is on the side of j
            turned = a if AT[prior] == 0.5 else block.a(1 - AT[prior])
            counts[row, 0] += np.count_nonzero(a > 0.5 + edge, axis=1)
            counts[row, 1] += np.count_nonzero(a < 0.5 - edge, axis=1)
            counts[row, 2] += np.count_nonzero(turned < 0.5 - edge, axis=1)
            counts[row, 3] += np.count_nonzero(turned > 0.5 + edge, axis=1)
    matrices = np.zeros((len(priors), 2, k, k))
    matrices[:, :, above[0], above[1]] = counts[:, :2] / options.draws
    matrices[:, :, above[1], above[0]] = counts[:, 2:] / options.draws
    return [(left, right) for left, right in matrices]


def _told(
    placed: Placements, left: Floats, right: Floats, prior: RankSumPrior, options: SideOptions
) -> Sides:
    """Set A of equal runs to exactly 1/2 without rope, so that rounding does not decide."""
    itself = np.eye(len(left), dtype=np.bool_)
    if options.rope > 0.0:
        left, right = np.where(itself, 0.0, left), np.where(itself, 0.0, right)
        return left, np.maximum(1.0 - left - right, 0.0), right
    share = AT[prior] if options.weight(prior) > 0 else 0.5
    tied = placed.tied()
    left = np.where(itself, 0.5, np.where(tied, share, left))
    right = np.where(itself, 0.5, np.where(tied, 1.0 - share, right))
    return left, np.zeros_like(left), right


def _as_rope(rope: float) -> float:
    number = isinstance(rope, (int, float, np.floating)) and not isinstance(rope, bool)
    if not number or not 0.0 <= rope < 0.5:
        raise InputError(
            "rope: expected half the width of the region around A = 1/2, from 0 to below 0.5, "
            f"got {rope!r}"
        )
    return float(rope)

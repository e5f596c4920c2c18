"""Posteriors of many signed-rank comparisons from the same draws: the loop around `_walsh`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from racing.stats._checks import Bools, Floats, as_count, one_of
from racing.stats._rope import PLACES, PriorPlace, as_generator, as_rope
from racing.stats._walsh import (
    Atoms,
    closed_form,
    conditional,
    expected_quadratics,
    normal_approximation,
    quadratics,
)
from racing.stats.sign_posterior import as_weight

RankMethod: TypeAlias = Literal["auto", "monte carlo", "normal"]

_AUTO = 5000  # instances up to which "auto" draws
_FLAT = 1e-12  # a control variate that varies less is only rounding
_CELLS = 1 << 18  # weights drawn at once


@dataclass(frozen=True)
class RankOptions:
    """Checked options of a signed-rank posterior."""

    rope: float
    s: float
    prior: PriorPlace
    method: RankMethod
    draws: int

    @classmethod
    def of(
        cls, rope: float, s: float, prior: PriorPlace, method: RankMethod, draws: int
    ) -> RankOptions:
        one_of(prior, PLACES, name="prior")
        one_of(method, ("auto", "monte carlo", "normal"), name="method")
        draws = as_count(draws, name="draws", least=2)
        return cls(as_rope(rope), as_weight(s), prior, method, draws)

    def draws_for(self, n: int) -> int:
        """The number of draws for n instances; 0 for the normal approximation."""
        normal = self.method == "normal" or (self.method == "auto" and n > _AUTO)
        return 0 if normal else self.draws


def rank_posteriors(
    gains: Floats, options: RankOptions, rng: np.random.Generator
) -> tuple[Floats, Floats, Floats, Bools]:
    """p_left, p_right, standard error and whether they are exact, for each row of (P, n) gains."""
    as_generator(rng)
    left, right, error = (np.zeros(len(gains)) for _ in range(3))
    exact = np.zeros(len(gains), dtype=bool)
    drawn: list[tuple[int, Atoms]] = []
    for row, gain in enumerate(gains):
        atoms = rank_atoms(gain, options)
        known = closed_form(atoms) if options.rope == 0.0 else None
        if known is not None:
            left[row], right[row], exact[row] = known, 1.0 - known, True
        elif options.draws_for(gain.size) == 0:
            left[row], right[row] = normal_approximation(atoms)
        else:
            drawn.append((row, atoms))
    if drawn:
        rows = [row for row, _ in drawn]
        left[rows], right[rows], error[rows] = _estimate(
            [atoms for _, atoms in drawn], gains.shape[1], options, rng
        )
    return left, right, error, exact


def _estimate(
    atoms: list[Atoms], n: int, options: RankOptions, rng: np.random.Generator
) -> tuple[Floats, Floats, Floats]:
    """Means over the draws, and the largest of their standard errors, per comparison."""
    moments = np.zeros((len(atoms), 7, 7))
    for weights in rank_weights(n, options, rng):
        for k, one in enumerate(atoms):
            parts = quadratics(one, weights)
            left, right = conditional(one, parts)
            centred = parts - expected_quadratics(one)[:, None]
            rows = np.stack([np.ones_like(left), left, right, *centred])
            moments[k] += rows @ rows.T
    moments /= options.draws
    means, errors = zip(*(_controlled(m, options.draws) for m in moments), strict=True)
    left, right = np.clip(np.stack(means), 0.0, 1.0).T
    return left, right, np.array(errors)


def _controlled(moments: Floats, draws: int) -> tuple[Floats, float]:
    """Means of (p_left, p_right) corrected by four control variates of mean zero, and the error.

    `moments` are the averages of the products of (1, p_left, p_right, controls).
    """
    mean = moments[0, 1:]
    covariance = moments[1:, 1:] - np.outer(mean, mean)
    values, vectors = np.linalg.eigh(covariance[2:, 2:])
    along = np.divide(1.0, values, out=np.zeros(4), where=values > _FLAT)
    slopes = covariance[:2, 2:] @ (vectors * along) @ vectors.T
    rest = covariance[:2, :2] - slopes @ covariance[2:, :2]
    variances = np.array([rest[0, 0], rest[1, 1], rest.sum()])  # the last is that of p_rope
    error = float(np.sqrt(max(variances.max(), 0.0) / (draws - 1)))
    return mean[:2] - slopes @ mean[2:], error


def rank_atoms(gains: Floats, options: RankOptions) -> Atoms:
    """The instances with weight 1 each, then two atoms for the prior."""
    s = options.s
    place, share = {
        "left": ([np.inf, 0.0], [s, 0.0]),
        "rope": ([0.0, 0.0], [s, 0.0]),
        "right": ([-np.inf, 0.0], [s, 0.0]),
        "symmetric": ([np.inf, -np.inf], [s / 2, s / 2]),
    }[options.prior]
    weights = np.concatenate([np.ones(gains.size), share])
    return Atoms.of(np.concatenate([gains, place]), weights, options.rope)


def rank_weights(n: int, options: RankOptions, rng: np.random.Generator) -> Iterator[Floats]:
    """Gamma variates for n instances and the two atoms of the prior, (n + 2, D) at a time."""
    share = rank_atoms(np.zeros(0), options)
    prior = np.empty(2)
    prior[share.order] = share.weights
    step = max(1, _CELLS // (n + 2))
    for start in range(0, options.draws, step):
        size = min(step, options.draws - start)
        weights = np.empty((n + 2, size))
        rng.standard_exponential(out=weights[:n])
        weights[n:] = rng.standard_gamma(prior[:, None], size=(2, size))
        yield weights

"""Draws challengers by a model of all outcomes, where problems are so few that all meet them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from racing.base.quantities import Count
from racing.search.process import features, fitted, squares
from racing.search.sampler import LocalSampler, Proposal, Seen, State

Floats = NDArray[np.float64]

_LEAST = 4
"""With fewer configurations there is nothing to learn from."""

_SAME = 1e-12
"""Configurations whose squared distance is at most this are one."""

_PARENTS = 5
"""Half of the pool is near one of so many: the best, each the more often the better it is."""

_WIDEST, _HALVINGS = 0.3, 5
"""Standard deviations of the normals around a parent: the widest, and how many halvings of it."""


@dataclass(frozen=True, kw_only=True)
class ModelSampler:
    """Draws many points, and takes the one with the greatest expected improvement.

    Half of the points are uniform, half near one of the best configurations. A Gaussian process
    over all configurations decided on says what each may cost. It knows costs by their ranks alone,
    so a proposal is the same for any increasing function of the costs. Its draws take some
    milliseconds each, and the cube of `most` bounds them; that is why it serves where each
    configuration has met nearly all instances, so that there are few outcomes to learn from and
    none is an average over many.

    Attributes
    ----------
    pool
        The number of points to choose from.
    most
        The most configurations that the model is fitted to. Of more than about 100, libraries of
        linear algebra start threads, which wait for the processors that run the target.
    local
        Draws in its place as long as fewer than four configurations are decided on, and where
        no point of the pool is new and allowed.
    """

    learns: ClassVar[bool] = True

    pool: Count = 200
    most: Count = 80
    local: LocalSampler = field(default_factory=LocalSampler)

    def draw(self, state: State, choices: NDArray[np.intp], rng: np.random.Generator) -> Proposal:
        """The most promising of a pool of points; see `Sampler`."""
        seen = state.seen
        if seen is None or len(seen.costs) < _LEAST:
            return self.local.draw(state, choices, rng)
        pool = np.concatenate([rng.random((self.pool - self.pool // 2, len(choices))),
                               _near(self.pool // 2, seen, choices, rng)])  # fmt: skip
        rows, levels = seen.rows(pool), tuple(choices.tolist())
        known, parameter = features(np.concatenate([seen.points, state.pending]), levels)
        found, _ = features(rows, levels)
        model = fitted(known, parameter, seen.costs, self.most)
        promise = np.where(seen.allowed(rows), model.improvement(found), -np.inf)
        for best in np.argsort(-promise, kind="stable"):
            if promise[best] > -np.inf and squares(found[[best]], known).min() > _SAME:
                return Proposal(pool[best])
        return self.local.draw(state, choices, rng)


def _near(n: int, seen: Seen, choices: NDArray[np.intp], rng: np.random.Generator) -> Floats:
    """(n, d) points of the cube near the best configurations; half of the values are theirs."""
    best = np.argsort(seen.costs, kind="stable")[:_PARENTS]
    parents = seen.points[best[rng.integers(len(best), size=(2, n)).min(axis=0)]]
    sd = _WIDEST * 0.5 ** rng.integers(_HALVINGS, size=(n, 1))
    fresh, moved = rng.random(parents.shape), rng.random(parents.shape) < 0.5
    own = np.where(choices > 0, (parents + 0.5) / np.maximum(choices, 1), parents)
    number = np.clip(parents + sd * rng.standard_normal(parents.shape), 0.0, 1.0)
    anew = rng.random(parents.shape) < np.minimum(2 * sd, _WIDEST)
    other = np.where(choices > 0, np.where(anew, fresh, own), number)
    return np.asarray(np.where(np.isnan(parents), fresh, np.where(moved, other, own)))

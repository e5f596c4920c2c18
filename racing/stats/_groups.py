"""Independent (unpaired) samples of costs: k groups of runs, of any sizes.

They are kept in one vector, group after group, so that ranks are computed once and sums over groups
are one call.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.stats._checks import Floats, Ints, as_vector
from racing.stats.ranks import rank_rows


@dataclass(frozen=True, eq=False)
class Groups:
    """k samples in one vector.

    Attributes
    ----------
    costs
        Shape (N,), the groups one after another; lower is better.
    sizes
        Shape (k,), the number of runs of each group.
    """

    costs: Floats
    sizes: Ints

    @classmethod
    def of(cls, samples: Iterable[ArrayLike], *, least: int = 1) -> Groups:
        """Checked samples, each with at least `least` runs."""
        vectors = [as_vector(x, name=f"samples[{i}]") for i, x in enumerate(_each(samples))]
        if not vectors:
            raise InputError("samples: expected a vector of costs for each algorithm, got none")
        sizes = np.array([x.size for x in vectors], dtype=np.intp)
        if sizes.min() < least:
            short = int(np.argmin(sizes))
            raise InputError(
                f"samples[{short}]: expected at least {least} runs, got {sizes[short]}; "
                "a variance needs more than one"
            )
        return cls(np.concatenate(vectors), sizes)

    @property
    def k(self) -> int:
        return int(self.sizes.size)

    @property
    def total(self) -> int:
        return int(self.costs.size)

    @property
    def starts(self) -> Ints:
        """The index at which each group begins."""
        return np.asarray(np.cumsum(self.sizes) - self.sizes)

    @property
    def labels(self) -> Ints:
        """Shape (N,), the group of each run."""
        return np.repeat(np.arange(self.k), self.sizes)

    def ranks(self) -> Floats:
        """Ranks among all runs of all groups, shape (N,): rank 1 is best, ties share the mean."""
        return np.asarray(rank_rows(self.costs[None], check=False)[0])

    def sums(self, values: Floats) -> Floats:
        """Sums over each group: (..., N) in, (..., k) out."""
        return np.asarray(np.add.reduceat(values, self.starts, axis=-1))

    def split(self, values: Floats) -> list[Floats]:
        """A vector of all runs cut into one of each group."""
        return np.split(values, self.starts[1:])


def tie_sum(ranks: Floats) -> float:
    """Σ(t³ − t) over the groups of t tied values of one vector of ranks."""
    _, counts = np.unique(ranks, return_counts=True)
    return float(np.sum(counts.astype(np.float64) ** 3 - counts))


def _each(samples: Iterable[ArrayLike]) -> Iterable[ArrayLike]:
    """The samples one by one; a matrix could mean two things, so it is refused."""
    if isinstance(samples, (str, bytes, dict)) or not isinstance(samples, Iterable):
        raise InputError(
            f"samples: expected a sequence of vectors, one for each algorithm, got {samples!r}"
        )
    if getattr(samples, "ndim", 1) > 1:
        raise InputError(
            "samples: expected a sequence of vectors, got a matrix; "
            "for one with a column for each algorithm pass list(X.T)"
        )
    return samples

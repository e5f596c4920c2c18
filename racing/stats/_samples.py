"""Samples of costs: paired by instance, or independent.

Pairs of samples of costs on the same instances: one pair, or many at once.

A pair is two vectors of n costs. Many pairs are two arrays of shape (..., n), the instances last,
whose leading axes are broadcast against each other. What a test returns has that leading shape: it
is a number for one pair. For all pairs of columns of a table X, (n, m), take
`i, j = np.triu_indices(m, 1)`, x = X.T[i] and y = X.T[j].

Independent (unpaired) samples of costs: k groups of runs, of any sizes, and their placements.

They are kept in one vector, group after group, so that ranks are computed once and sums over groups
are one call.

The placement of a run in another group says how many runs of it the run is better than. Mann and
Whitney's U, Vargha and Delaney's A, Brunner and Munzel's variance, pseudo-ranks and the Dirichlet
posterior of A are computed from placements alone. One sort and two searches for each group give
them for all pairs at once, in O(kN log N).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from racing.base.errors import InputError, must_be
from racing.stats._checks import Alternative, Bools, Floats, Ints, as_vector, blocks
from racing.stats.intervals import newcombe
from racing.stats.ranks import rank_rows

OneOrMany: TypeAlias = ArrayLike | Iterable[ArrayLike]  # the first of two samples, or many

_BLOCK = 1 << 18  # numbers handled at once: hides numpy's overhead, stays in cache
_POWERS = np.array([float(f"1e{e}") for e in range(309)])  # correctly rounded, unlike 10.0**e


@dataclass(frozen=True, eq=False)
class Paired:
    """P pairs of samples on n instances.

    Attributes
    ----------
    x, y
        Shape (P, n), costs; lower is better.
    shape
        The leading shape of what was given, of which P is the size.
    """

    x: Floats
    y: Floats
    shape: tuple[int, ...]

    @classmethod
    def of(cls, x: Any, y: Any, *, means_for: str = "") -> Paired:
        """Checked pairs.

        Raises
        ------
        InputError
            If x or y holds no costs, or they differ in the number of instances, or one is infinite
            and the test computes means.
        """
        first, second = (
            as_vector(v, name=n, many=True, means_for=means_for) for v, n in ((x, "x"), (y, "y"))
        )
        shapes = f"got shapes {first.shape} and {second.shape}"
        if first.shape[-1] != second.shape[-1]:
            raise InputError(f"x and y must be of equal length, as they are paired; {shapes}")
        try:
            if first.shape != second.shape:
                first, second = np.broadcast_arrays(first, second)
        except ValueError as error:
            raise InputError(f"x and y must be of shapes that fit, as pairs; {shapes}") from error
        n = first.shape[-1]
        return cls(first.reshape(-1, n), second.reshape(-1, n), first.shape[:-1])

    @property
    def n(self) -> int:
        return int(self.x.shape[1])

    def each(self, test: Callable[[Floats, Floats], tuple[NDArray[Any], ...]]) -> tuple[Any, ...]:
        """What `test` finds for blocks of pairs, (p, n) each, in the shape of the pairs."""
        parts = [*blocks(len(self.x), self.n, _BLOCK)] or [slice(0)]
        found = [test(self.x[part], self.y[part]) for part in parts]
        return tuple(self.shaped(np.concatenate(each)) for each in zip(*found, strict=True))

    def wins_ties_losses(self) -> tuple[Ints, Ints, Ints]:
        """Instances on which the first is better, as good, and worse."""
        wins, losses = self.each(lambda a, b: ((a < b).sum(axis=1), (b < a).sum(axis=1)))
        return wins, self.n - wins - losses, losses

    def shaped(self, values: NDArray[Any]) -> Any:
        """(P, ...) values in the shape of the pairs: numbers for one pair."""
        return values.reshape(self.shape + values.shape[1:])[()]


def p_value(t: Floats, cdf: Callable[[Floats], Floats], alternative: Alternative) -> Floats:
    """p-values of statistics that are large where the first is better, and symmetric around 0."""
    if alternative == "two-sided":
        return np.minimum(2.0 * cdf(-np.abs(t)), 1.0)
    return cdf(-t if alternative == "better" else t)


def over(difference: Floats | float, error: Floats | float) -> Floats:
    """Difference over its standard error, which leaves 0 or ±inf where it is 0."""
    away, some = np.asarray(difference, dtype=np.float64), np.asarray(error) > 0
    certain = 0.0 if some.all() else np.where(away == 0.0, 0.0, np.copysign(np.inf, away))
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        return np.where(some, away / error, certain)[()]


def differences(a: Floats, b: Floats, digits: int | None = None) -> Floats:
    """b − a, positive where a is better; 0 for two failures.

    With `digits`, rounded to so many significant digits of the larger of the two costs, so that
    0.3 − 0.2 and 0.2 − 0.1 tie.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        d: Floats = b - a
    d[np.isnan(d)] = 0.0
    if digits is None:
        return d
    larger = np.maximum(np.abs(a), np.abs(b))
    larger[(larger == 0.0) | np.isinf(larger)] = 1.0
    decimals = digits - 1 - np.floor(np.log10(larger)).astype(np.intp)
    # Only one of the two powers differs from 1, and dividing a whole number by a power of ten
    # gives the float nearest to that decimal: equal decimals become equal floats.
    up, down = _POWERS[np.clip(decimals, 0, 308)], _POWERS[np.clip(-decimals, 0, 308)]
    with np.errstate(over="ignore"):
        return np.asarray(np.rint(d * up / down) / up * down)


@dataclass(frozen=True, eq=False)
class Groups:
    """k samples in one vector.

    Attributes
    ----------
    costs
        Shape (N,), the groups one after another; lower is better.
    sizes
        Shape (k,), the number of runs of each group.
    single
        Whether they were given as two vectors, so that one comparison is wanted.
    """

    costs: Floats
    sizes: Ints
    single: bool = False

    @classmethod
    def of(cls, x: Any, y: ArrayLike | None = None, *, least: int = 1) -> Groups:
        """Checked samples, each with at least `least` runs: k vectors, or the vectors x and y."""
        if y is not None:
            vectors = [as_vector(x, name="x"), as_vector(y, name="y")]
        else:
            vectors = [as_vector(s, name=f"samples[{i}]") for i, s in enumerate(_each(x))]
        if not vectors:
            raise InputError("samples must be a vector of costs for each algorithm; got none")
        sizes = np.array([x.size for x in vectors], dtype=np.intp)
        if sizes.min() < least:
            short = int(np.argmin(sizes))
            raise InputError(
                f"samples[{short}] must be {least} or more runs; got {sizes[short]}; "
                "a variance needs more than one"
            )
        return cls(np.concatenate(vectors), sizes, y is not None)

    def told(self, matrix: NDArray[Any]) -> Any:
        """A (k, k) matrix of comparisons; of two vectors, the first against the second."""
        return matrix[0, 1] if self.single else matrix

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


@dataclass(frozen=True, eq=False)
class Placements:
    """Placements of N runs of k groups.

    Attributes
    ----------
    beats
        Shape (k, N): how many runs of group j are worse than run a, equal ones counted half.
        Halves are exact, and so are sums of them.
    equal
        Shape (k, N): how many runs of group j are equal to run a.
    """

    groups: Groups
    beats: Floats
    equal: Floats

    @classmethod
    def of(cls, groups: Groups) -> Placements:
        beats, equal = (np.empty((groups.k, groups.total)) for _ in range(2))
        for j, sample in enumerate(groups.split(groups.costs)):
            ordered = np.sort(sample)
            below = np.searchsorted(ordered, groups.costs, side="left")
            upto = np.searchsorted(ordered, groups.costs, side="right")
            equal[j] = upto - below
            beats[j] = sample.size - (below + upto) / 2
        return cls(groups, beats, equal)

    @property
    def pairs(self) -> Floats:
        """Shape (k, k): the number n_i·n_j of comparisons of i with j."""
        return np.outer(self.groups.sizes, self.groups.sizes).astype(np.float64)

    def u(self) -> Floats:
        """Shape (k, k): U_ij, how many comparisons i wins against j, ties counted half."""
        return self.groups.sums(self.beats).T

    def a(self) -> Floats:
        """Shape (k, k): A_ij = U_ij / (n_i n_j), the chance that i is better than j."""
        return self.u() / self.pairs

    def interval(self, level: float) -> tuple[Floats, Floats]:
        """(k, k): Newcombe's interval of each A, by the sizes alone; 1/2 on the diagonal."""
        sizes = self.groups.sizes
        low, high = newcombe(self.a(), sizes[:, None], sizes, level)
        for end in (low, high):
            np.fill_diagonal(end, 0.5)
        return low, high

    def ties(self) -> Floats:
        """Shape (k, k): how many comparisons of i with j are ties."""
        return self.groups.sums(self.equal).T

    def squares(self) -> Floats:
        """Shape (k, k): Σ over the runs of i of the square of their placement in j."""
        return self.groups.sums(self.beats**2).T

    def scatter(self) -> Floats:
        """Shape (k, k): Σ over the runs of i of the squared distance of their placement in j from
        its mean, in units of runs of j."""
        centred = self.beats - np.repeat(self.u().T / self.groups.sizes, self.groups.sizes, axis=1)
        return self.groups.sums(centred**2).T

    def tie_sums(self) -> Floats:
        """Shape (k, k): Σ(t³ − t) over the groups of t equal runs of i and j together.

        Σt³ is the sum over the runs of the square of how many are equal to each.
        """
        labels, runs = self.groups.labels, np.arange(self.groups.total)
        squared = self.groups.sums((self.equal + self.equal[labels, runs]) ** 2).T
        sizes = self.groups.sizes
        return np.asarray(squared + squared.T - np.add.outer(sizes, sizes))

    def tied(self) -> Bools:
        """Shape (k, k): whether all runs of i and j are equal."""
        return np.asarray(self.ties() == self.pairs)


def tie_sum(ranks: Floats) -> float:
    """Σ(t³ − t) over the groups of t tied values of one vector of ranks."""
    _, counts = np.unique(ranks, return_counts=True)
    return float(np.sum(counts.astype(np.float64) ** 3 - counts))


def _each(samples: Iterable[ArrayLike]) -> Iterable[ArrayLike]:
    """The samples one by one; a matrix could mean two things, so it is refused."""
    if isinstance(samples, (str, bytes, dict)) or not isinstance(samples, Iterable):
        raise InputError(must_be("samples", "a list of vectors, one per algorithm", samples))
    if getattr(samples, "ndim", 1) > 1:
        raise InputError(
            "samples must be a list of vectors, one per algorithm; got a matrix; "
            "if its columns are the algorithms, pass list(X.T)"
        )
    return samples

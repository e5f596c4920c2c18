"""The longest prefix of sorted statements that are all true with probability 1 − γ.

The joint error of a prefix lies between its largest marginal error and their sum, where equal rows
of signs count once. Monte Carlo decides between the two. Each draw yields the index of a statement,
or none; the joint error of a prefix is `mass` times the chance that the index falls into it:

- plain: weights from the posterior, the first statement that they make false; mass 1;
- conditional (Karp and Luby, 1983): a statement in proportion to its error, then weights that make
  it false, kept if none before it is false; mass = the summed errors.

So counts are binomial either way, and the variance is that of the mode with the smaller mass. The
index at a quantile of the binomial is a confidence limit for the cut, for all prefixes at once,
because the counts only grow along the order. Each round uses its own draws and decides only what
the last one left open.

A statement is a row of signs over the instances: +1 won, −1 lost, 0 tied. A draw of weights makes
it false when Σ weight·sign is not positive (Benavoli et al., 2015, section 5.3). Comparing with
zero, instead of Σ weight·H with 1/2, keeps ties exact.

Weights are rounded to whole multiples of a grid that is fine enough to be harmless and coarse
enough that every sum is exact in floating point: so the result depends neither on the order of
addition nor on the machine. The weights need not sum to 1, because only signs matter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from racing.base.special import bdtr, bdtrc
from racing.stats._checks import Floats, Ints, batches, blocks

Signs: TypeAlias = NDArray[np.int8]
Weights: TypeAlias = NDArray[np.float32]

_SKIPPED = 5e-3  # of gamma: errors of the most certain statements, which are summed, not drawn
_REACH = 4.0  # times gamma: the summed errors that the first round covers
_STATEMENTS = 512  # statements and draws in one matrix product, which stays in cache
_DRAWS = 1024
CELLS = 2**24  # of the largest arrays held at once
_SINGLE = 2**12  # instances from which single precision would be too coarse a grid
_TINY = np.float32(1e-30)  # stands for a weight of 0, which cannot be rescaled


@dataclass(frozen=True, eq=False)
class Statements:
    """K statements, most certain first: P(false) = P(Beta(a, b) < 1/2).

    `signs(start, stop)` gives their rows of signs over the instances.
    """

    a: Floats
    b: Floats
    errors: Floats
    signs: Callable[[int, int], Signs]


@dataclass(frozen=True)
class Cut:
    """The length of the accepted prefix: estimate and confidence limits; its joint error."""

    accepted: int
    low: int
    high: int
    error: float
    draws: int


def find_cut(
    statements: Statements,
    shapes: Floats,
    *,
    gamma: float,
    rng: np.random.Generator,
    draws: int,
    max_draws: int,
    tolerance: float,
    miss: float,
) -> Cut:
    """The longest prefix whose joint error is below gamma.

    `shapes` are the Dirichlet parameters of the instances. Rounds of `draws`, then twice as many
    and so on, are made until its confidence limits are as close as `tolerance` times the estimate,
    or `max_draws` are spent; `miss` is the probability that they err, all rounds together.
    """
    draws = min(draws, max_draws)
    spent, reach = 0, _REACH
    while True:  # look further until the cut is in range
        family = _Family.of(statements, gamma, reach, shapes, rng)
        cut = family.settled()
        if cut.low < cut.high:
            miss, spent = miss / 2, spent + draws
            cut = family.narrowed(cut, draws, miss)
        if cut.high < family.stop or family.stop == statements.errors.size:
            break
        reach *= 4
    while cut.high - cut.low > tolerance * cut.accepted and spent < max_draws:  # look closer
        size = min(2 * draws, max_draws - spent)
        miss, draws, spent = miss / 2, 2 * draws, spent + size
        family = family.up_to(cut.high)
        cut = family.narrowed(cut, size, miss)
    return replace(cut, draws=spent)


@dataclass(frozen=True, eq=False)
class _Family:
    """Distinct rows of signs of the statements up to `stop`; `place` is the first with that row.
    Statements before them are skipped; their summed error is `skipped`.

    `shapes` are the Dirichlet parameters of the instances.
    """

    signs: Signs
    a: Floats
    b: Floats
    errors: Floats
    place: Ints
    skipped: float
    stop: int
    gamma: float
    shapes: Floats
    rng: np.random.Generator

    @classmethod
    def of(cls, found: Statements, gamma: float, reach: float, *source: Any) -> _Family:
        """The statements whose summed errors are between the skipped part and `reach` · gamma."""
        sums = found.errors.cumsum()
        start = int(np.searchsorted(sums, _SKIPPED * gamma, side="right"))
        stop = max(start, int(np.searchsorted(sums, reach * gamma, side="right")))
        signs = found.signs(start, stop)
        rows = _distinct(signs)
        place = rows + start
        of_rows = signs[rows], found.a[place], found.b[place], found.errors[place], place
        return cls(*of_rows, float(sums[start - 1]) if start else 0.0, stop, gamma, *source)

    def up_to(self, stop: int) -> _Family:
        """The rows that occur in a prefix of this length."""
        k = int(np.searchsorted(self.place, stop))
        rows = (self.signs[:k], self.a[:k], self.b[:k], self.errors[:k], self.place[:k])
        return _Family(*rows, self.skipped, stop, self.gamma, self.shapes, self.rng)

    def before(self, row: int) -> int:
        """The longest prefix without this row."""
        return int(self.place[row]) if row < self.place.size else self.stop

    def error_bound(self, length: int) -> float:
        """The summed errors of a prefix."""
        rows = int(np.searchsorted(self.place, length))
        return self.skipped + float(self.errors[:rows].sum())

    def settled(self) -> Cut:
        """The prefix that is certain without draws: its summed errors stay below gamma."""
        sums = self.skipped + self.errors.cumsum()
        low = self.before(int(np.searchsorted(sums, self.gamma)))
        return Cut(low, low, self.stop, self.error_bound(low), 0)

    def narrowed(self, last: Cut, draws: int, miss: float) -> Cut:
        """The last cut after one round of draws."""
        mass = min(1.0, float(self.errors.sum()))
        least, estimate, most = _allowed(draws, (self.gamma - self.skipped) / mass, miss)
        sample = self._conditional if mass < 1.0 else self._plain
        parts = batches(draws, self.shapes.size, CELLS)
        rows = np.sort(np.concatenate([sample(size, most + 1) for size in parts]))

        def prefix(count: int) -> int:
            """The longest prefix into which at most so many of the draws fall."""
            return self.before(int(rows[count]) if count < rows.size else self.place.size)

        accepted = max(prefix(estimate), self.settled().low)
        low = min(accepted, max(last.low, prefix(least)) if least >= 0 else last.low)
        high = max(accepted, min(last.high, prefix(most)))
        fallen = int(np.searchsorted(rows, np.searchsorted(self.place, accepted)))
        error = self.skipped + mass * fallen / draws
        return Cut(accepted, low, high, min(error, self.error_bound(accepted)), draws)

    def _plain(self, draws: int, enough: int) -> Ints:
        """The first false row of each draw that has one; complete up to the row that makes
        `enough`."""
        weights = draw_weights(self.rng, draws, self.shapes)
        none = len(self.signs)
        rows = first_false(self.signs, weights, np.full(draws, none), enough=enough)
        return np.asarray(rows[rows < none])

    def _conditional(self, draws: int, enough: int) -> Ints:
        """Rows drawn by their errors and then made false, where none before them is false."""
        sums = self.errors.cumsum()
        picked = np.searchsorted(sums, sums[-1] * self.rng.random(draws), side="right")
        picked = np.minimum(picked, sums.size - 1)
        weights = draw_weights(self.rng, draws, self.shapes)
        rows = self.signs[picked], self.a[picked], self.b[picked]
        weights = condition(self.rng, weights, *rows)
        first = first_false(self.signs, weights, picked, enough=draws)
        return np.asarray(picked[first == picked])


def _distinct(signs: Signs) -> Ints:
    """The first of each set of equal rows, found by a random 64-bit linear code."""
    odd = odd_numbers(signs.shape[1])
    codes = np.empty(len(signs), dtype=np.int64)
    for part in blocks(len(signs), 1, 4096):
        np.einsum("ij,j->i", signs[part], odd, out=codes[part])
    return np.sort(np.unique(codes, return_index=True)[1])


def odd_numbers(size: int) -> Ints:
    """Fixed random odd numbers: sums of them, modulo 2⁶⁴, separate rows of small integers."""
    return np.random.default_rng(0).integers(-(2**62), 2**62, size=size, dtype=np.int64) * 2 + 1


def _allowed(draws: int, chance: float, miss: float) -> tuple[int, int, int]:
    """How many of the draws may fall into a prefix whose chance is below `chance`: for certain
    (−1: none), by the estimate, and at most. Clopper-Pearson limits, read from the other side."""
    if chance >= 1.0:
        return draws, draws, draws
    centre, width = draws * chance, 10 + 8 * np.sqrt(draws * chance * (1 - chance))
    counts = np.arange(max(0, int(centre - width)), min(draws, int(centre + width)) + 1)
    below = bdtr(counts, draws, chance)
    above = np.where(counts > 0, bdtrc(np.maximum(counts - 1.0, 0.0), draws, chance), 1.0)
    least = counts[0] - 1 + np.count_nonzero(below < miss / 2)
    most = counts[0] - 1 + np.count_nonzero(above >= miss / 2)
    return int(least), int(np.ceil(centre)) - 1, int(most)


def draw_weights(rng: np.random.Generator, draws: int, shapes: Floats) -> Weights:
    """Gamma variates of shape (draws, len(shapes)); normalised they would be Dirichlet(shapes)."""
    weights = rng.standard_exponential((draws, shapes.size), dtype=np.float32)
    for column in np.flatnonzero(shapes != 1.0):
        weights[:, column] = rng.standard_gamma(shapes[column], size=draws)
    np.maximum(weights, _TINY, out=weights)
    return weights


def condition(
    rng: np.random.Generator, weights: Weights, signs: Signs, a: Floats, b: Floats
) -> Weights:
    """Move each draw to where its own statement, `signs[d]`, is false.

    The winners' share V = W / (W + L) is Beta(a, b), independent of how W and L are divided within
    and of W + L. So V is redrawn below 1/2, and the weights of the winners and of the losers are
    rescaled to it.
    """
    share = beta_below_half(rng, a, b).astype(np.float32)
    won, lost = (signs > 0).astype(np.float32), (signs < 0).astype(np.float32)
    wins, losses = np.einsum("ij,ij->i", weights, won), np.einsum("ij,ij->i", weights, lost)
    up, down = share * (wins + losses) / wins, (1 - share) * (wins + losses) / losses
    won *= up[:, None] - 1
    lost *= down[:, None] - 1
    factor = won  # in place: 1 + won·(up − 1) + lost·(down − 1)
    factor += lost
    factor += 1
    factor *= weights
    return factor


def beta_below_half(rng: np.random.Generator, a: Floats, b: Floats) -> Floats:
    """Beta(a, b) variates given that they are below 1/2, for a >= 1 and a >= b.

    With x = 1/2 − v the density is (1 − 2x)^(a−1) (1 + 2x)^(b−1) <= exp(−λx), by log(1+y) <= y:
    rejection from an exponential, which accepts more than half where the error is small.
    """
    v = np.empty(a.size)
    rate = np.maximum(2.0 * (a - np.maximum(b, 1.0)), 1e-6)
    left = np.arange(a.size)
    while left.size:
        rates = rate[left]
        x = -np.log1p(rng.random(left.size) * np.expm1(-rates / 2)) / rates
        x = np.minimum(x, 0.5 - 1e-12)
        log_ratio = (a[left] - 1) * np.log1p(-2 * x) + (b[left] - 1) * np.log1p(2 * x) + rates * x
        taken = np.log(1.0 - rng.random(left.size)) <= log_ratio
        v[left[taken]] = 0.5 - x[taken]
        left = left[~taken]
    return v


def first_false(signs: Signs, weights: Weights, limits: Ints, *, enough: int) -> Ints:
    """For each draw the first statement that it makes false, or its limit if none is before that.

    Parameters
    ----------
    signs : (K, n) rows of signs, in order.
    weights : (D, n) draws.
    limits : (D,) how many statements are checked for each draw.
    enough : stop once so many draws have a false statement; the others get their limit.
    """
    grid = _on_grid(weights)
    step = int(np.clip(CELLS // grid.shape[1], 1, _STATEMENTS))
    first = limits.copy()
    alive = np.argsort(-limits, kind="stable")  # longest first: those that are done leave the end
    found = 0
    for start in range(0, len(signs), step):
        alive = alive[: np.searchsorted(-limits[alive], -start)]
        if alive.size == 0 or found >= enough:
            break
        block = signs[start : start + step].astype(grid.dtype).T
        false = _first_in_block(grid, alive, block)
        hit = alive[false >= 0]
        first[hit] = np.minimum(limits[hit], start + false[false >= 0])
        alive = alive[false < 0]
        found += hit.size
    return first


def _on_grid(weights: Weights) -> NDArray[np.floating]:
    """The weights in units that make every signed sum a whole number within the mantissa."""
    instances = weights.shape[1]
    precise: type[np.floating] = np.float32 if instances < _SINGLE else np.float64
    largest = float(weights.sum(axis=1, dtype=np.float64).max(initial=1.0)) + instances
    exponent = np.finfo(precise).nmant + 1 - int(np.ceil(np.log2(largest)))
    return np.rint(np.ldexp(weights.astype(precise), exponent))


def _first_in_block(
    weights: NDArray[np.floating], alive: Ints, block: NDArray[np.floating]
) -> Ints:
    """For each of the draws `alive`, the first column of the block that it makes false, or −1."""
    first = np.empty(alive.size, dtype=np.intp)
    for start in range(0, alive.size, _DRAWS):
        part = slice(start, start + _DRAWS)
        false = weights[alive[part]] @ block <= 0
        place = false.argmax(axis=1)
        first[part] = np.where(false[np.arange(place.size), place], place, -1)
    return first

"""Monte Carlo over Dirichlet weights: the first statement that each draw makes false.

A statement is a row of signs over the instances: +1 won, −1 lost, 0 tied. A draw of weights makes
it false when Σ weight·sign is not positive (Benavoli et al., 2015, section 5.3). Comparing with
zero, instead of Σ weight·H with 1/2, keeps ties exact.

Weights are rounded to whole multiples of a grid that is fine enough to be harmless and coarse
enough that every sum is exact in floating point: so the result depends neither on the order of
addition nor on the machine. The weights need not sum to 1, because only signs matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from racing.stats._checks import Floats, Ints

Signs: TypeAlias = NDArray[np.int8]
Weights: TypeAlias = NDArray[np.float32]

_STATEMENTS = 512  # statements and draws in one matrix product, which stays in cache
_DRAWS = 1024
_CELLS = 2**24  # of the largest arrays held at once
_SINGLE = 2**12  # instances from which single precision would be too coarse a grid
_TINY = np.float32(1e-30)  # stands for a weight of 0, which cannot be rescaled


def draw_weights(rng: np.random.Generator, draws: int, shapes: Floats) -> Weights:
    """Gamma variates of shape (draws, len(shapes)); normalised they would be Dirichlet(shapes)."""
    weights = rng.standard_exponential((draws, shapes.size), dtype=np.float32)
    for column in np.flatnonzero(shapes != 1.0):
        weights[:, column] = rng.standard_gamma(shapes[column], size=draws)
    np.maximum(weights, _TINY, out=weights)
    return weights


def batches(draws: int, instances: int) -> Iterator[int]:
    """Numbers of draws that add up to `draws`, each small enough to be held in memory."""
    size = max(1, _CELLS // instances)
    for start in range(0, draws, size):
        yield min(size, draws - start)


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
    step = int(np.clip(_CELLS // grid.shape[1], 1, _STATEMENTS))
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

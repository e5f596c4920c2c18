"""Signed ranks of many pairs of samples at once, and their null distribution.

The arithmetic behind `wilcoxon`: rounded differences, ranks with their zeros, tail probabilities.
P pairs of samples of length n are arrays of shape (P, n).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from racing.base.errors import InputError
from racing.base.special import ndtr
from racing.stats._checks import Bools, Floats, Ints
from racing.stats.ranks import rank_rows

ZeroRule: TypeAlias = Literal["split", "pratt", "wilcox"]
WilcoxonMethod: TypeAlias = Literal["auto", "exact", "normal"]

_AUTO_EXACT = 50  # non-zero differences up to which "auto" is exact
_MOST_EXACT = 2000  # beyond, the exact distribution needs gigabytes and differs in no shown digit
_HALVINGS = 1000  # 0.5 to this power is still a normal float
_POWERS = np.array([float(f"1e{e}") for e in range(309)])  # correctly rounded, unlike 10.0**e


@dataclass(frozen=True, eq=False)
class SignedRankSums:
    """Signed ranks of P pairs of samples; the ranks of zeros are set to 0 in `ranks`, (P, n)."""

    ranks: Floats
    plus: Floats
    minus: Floats
    zero_share: Floats  # what the zeros add to each side
    zeros: Ints
    n_used: Ints
    untied_variance: Floats

    def exact(self, method: WilcoxonMethod) -> Bools:
        nonzero = self.ranks.shape[1] - self.zeros
        if method == "exact" and nonzero.size and nonzero.max() > _MOST_EXACT:
            raise InputError(
                f"method: 'exact' is for up to {_MOST_EXACT} non-zero differences, "
                f"got {nonzero.max()}; use 'normal', which is accurate there"
            )
        limit = {"auto": _AUTO_EXACT, "exact": _MOST_EXACT, "normal": -1}[method]
        return np.asarray(nonzero <= limit)

    def z(self, tie_correction: bool) -> Floats:
        # Given the ranks, R+ - R- is a sum of independent signs times ranks: variance sum r^2.
        # Demsar (2006), section 3.1.3, prints N(N+1)(2N+1)/24 for the variance of R+.
        squares = np.einsum("ij,ij->i", self.ranks, self.ranks)
        variance = squares / 4 if tie_correction else self.untied_variance
        deviation = (self.plus - self.minus) / 2
        return np.divide(
            deviation, np.sqrt(variance), out=np.zeros_like(deviation), where=squares > 0
        )

    def effect(self) -> Floats:
        total = self.plus + self.minus
        return np.divide(self.plus - self.minus, total, out=np.zeros_like(total), where=total > 0)


def rounded_differences(a: Floats, b: Floats, digits: int | None) -> Floats:
    """b - a, (P, n), rounded; positive where a is better; 0 for two failures."""
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


def signed_rank_sums(d: Floats, zero_rule: ZeroRule) -> SignedRankSums:
    """Signed ranks of each row of differences.

    Zeros hold the lowest ranks, so dropping s of them lowers every other rank by s.
    """
    n = d.shape[1]
    zero = d == 0.0
    zeros = np.count_nonzero(zero, axis=1)
    dropped = {"split": zeros % 2, "pratt": 0 * zeros, "wilcox": zeros}[zero_rule]
    ranks = rank_rows(np.abs(d), check=False) - dropped[:, None]
    ranks[zero] = 0.0
    kept = zeros - dropped
    share = kept * (kept + 1.0) / 4 if zero_rule == "split" else np.zeros(len(d))
    n_used = n - dropped
    untied = n_used * (n_used + 1.0) * (2 * n_used + 1) / 24
    if zero_rule == "pratt":
        untied = untied - zeros * (zeros + 1.0) * (2 * zeros + 1) / 24
    return SignedRankSums(
        ranks=ranks,
        plus=np.where(d > 0, ranks, 0.0).sum(axis=1) + share,
        minus=np.where(d < 0, ranks, 0.0).sum(axis=1) + share,
        zero_share=share,
        zeros=zeros,
        n_used=n_used,
        untied_variance=untied,
    )


def tail_probabilities(ranked: SignedRankSums, exact: Bools, tie_correction: bool) -> Floats:
    """(3, P): two-sided, "better", "worse"."""
    better, worse = ndtr(-ranked.z(tie_correction)), ndtr(ranked.z(tie_correction))
    # The distribution is symmetric: P(R+ >= r_plus) = P(R+ <= r_minus).
    if exact.any():
        share = ranked.zero_share[exact]
        low = np.stack([ranked.minus[exact] - share, ranked.plus[exact] - share], axis=1)
        better[exact], worse[exact] = _exact_cdf(ranked.ranks[exact], low).T
    return np.stack([np.minimum(1.0, 2 * np.minimum(better, worse)), better, worse])


def _exact_cdf(ranks: Floats, sums: Floats) -> Floats:
    """P(rank sum <= s) under random signs, for the sums (P, 2) of P rows of ranks (zeros as 0).

    Average ranks are halves: doubled, they are integers. Rows with the same ranks share one
    distribution.
    """
    doubled = np.rint(2 * ranks).astype(np.int32)
    targets = np.rint(2 * sums).astype(np.intp)
    out = np.empty(sums.shape)
    for values, rows in _alike(doubled):
        unit = max(1, int(np.gcd.reduce(values)))
        cdf = np.cumsum(sum_distribution(values[values > 0] // unit))
        out[rows] = np.minimum(cdf[targets[rows] // unit], 1.0)
    return out


def _alike(doubled: NDArray[np.int32]) -> Iterator[tuple[NDArray[np.int32], Ints]]:
    """The different sets of doubled ranks, ascending, and the rows that have them."""
    n = doubled.shape[1]
    # Only 2, 4, ..., 2n has this sum of squares: ties lower it, and so do dropped zeros.
    squares = np.einsum("ij,ij->i", doubled, doubled, dtype=np.float64)
    untied = squares == 2 * n * (n + 1) * (2 * n + 1) / 3
    if untied.any():
        yield np.arange(2, 2 * n + 2, 2, dtype=np.int32), np.flatnonzero(untied)
    tied = np.flatnonzero(~untied)
    rows_of: dict[bytes, list[int]] = {}
    for row, ranks in zip(tied, np.sort(doubled[tied], axis=1), strict=True):
        rows_of.setdefault(ranks.tobytes(), []).append(int(row))
    for key, rows in rows_of.items():
        yield np.frombuffer(key, dtype=np.int32), np.array(rows)


def sum_distribution(values: NDArray[np.signedinteger]) -> Floats:
    """Probabilities of each sum of a random subset of positive integers, in ascending order."""
    steps = values.tolist()
    pmf = np.zeros(sum(steps) + 1)
    pmf[0] = 0.5 ** min(len(steps), _HALVINGS)
    reach = 1
    for number, value in enumerate(steps):
        pmf[value : value + reach] += pmf[:reach]
        reach += value
        if number >= _HALVINGS:
            pmf[:reach] /= 2
    return pmf

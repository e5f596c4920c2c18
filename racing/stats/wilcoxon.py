"""Wilcoxon's signed-ranks test of two columns: are their differences symmetric around zero?

Differences are ranked by size; `r_plus` sums the ranks of the instances on which the first side
is better (has the lower cost), `r_minus` those on which it is worse. The test assumes that larger
differences mean more also across instances, and that under equality they are symmetric. A failure
(+inf) against a finite cost is a difference larger than any finite one; two failures are equal.

Three choices:

- zeros (`zero_rule`): "split" ranks them and gives half of their ranks to each side, one dropped
  if their number is odd (Demšar, 2006); "pratt" ranks them and then drops their ranks; "wilcox"
  drops them before ranking.
- ties and exactness: "exact" is the permutation distribution of the observed ranks, average ranks
  of ties included, given the zeros; "normal" approximates it with its own variance, which is a tie
  correction. "auto" is exact up to 50 non-zero differences.
- rounding (`digits`): a difference is rounded to 9 significant digits of the larger of its two
  costs, so that 0.3 - 0.2 and 0.2 - 0.1 tie.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from racing.base.errors import InputError
from racing.base.special import ndtr
from racing.stats._checks import Alternative, Bools, Digits, Floats, Ints, checked
from racing.stats._samples import Paired, differences, over
from racing.stats.ranks import rank_rows

ZeroRule: TypeAlias = Literal["split", "pratt", "wilcox"]


WilcoxonMethod: TypeAlias = Literal["auto", "exact", "normal"]


_AUTO_EXACT = 50  # non-zero differences up to which "auto" is exact


_MOST_EXACT = 2000  # beyond, the exact distribution needs gigabytes and differs in no shown digit


_HALVINGS = 1000  # 0.5 to this power is still a normal float


@dataclass(frozen=True, eq=False)
class SignedRanks:
    """Wilcoxon's tests of first samples against second ones, one entry for each pair.

    `wilcoxon` returns it. The lower cost wins.

    `z` is positive where the first is better, `exact` says where the p-value is exact, `zeros`
    counts the instances without a difference, and `n_used` the differences that were ranked.

    Examples
    --------
    >>> from racing.stats import wilcoxon
    >>> x, y = [3, 4, 5, 3, 6, 5, 7], [1, 2, 4, 2, 3, 5, 4]
    >>> found = wilcoxon(x, y)
    >>> f"R+ = {found.r_plus}, R- = {found.r_minus}, {found.zeros} without difference"
    'R+ = 0.0, R- = 21.0, 1 without difference'
    >>> bool(found.exact), float(found.effect)
    (True, -1.0)
    """

    r_plus: Floats
    r_minus: Floats
    z: Floats
    pvalue: Floats
    exact: Bools
    zeros: Ints
    n_used: Ints

    @property
    def statistic(self) -> Floats:
        """Demšar's T, the smaller rank sum."""
        return np.minimum(self.r_plus, self.r_minus)

    @property
    def effect(self) -> Floats:
        """The matched-pairs rank-biserial correlation (R+ - R-) / (R+ + R-); 0 without ranks."""
        total = self.r_plus + self.r_minus
        return (self.r_plus - self.r_minus) / np.where(total > 0, total, 1.0)


@checked
def wilcoxon(
    x: ArrayLike,
    y: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    method: WilcoxonMethod = "auto",
    zero_rule: ZeroRule = "split",
    tie_correction: bool = True,
    digits: Digits | None = 9,
) -> SignedRanks:
    """Wilcoxon's signed-ranks test of x against y, (n,) costs on the same instances.

    Or of many pairs, (..., n). The p-values are not corrected for their number.

    Parameters
    ----------
    alternative : "better": x tends to have the lower costs; "worse": the higher.
    method, zero_rule, digits : see the head of this module. `digits=None` rounds nothing.
    tie_correction : False gives the variance of untied ranks in the normal approximation, as
        printed in Demšar (2006); with ties or zeros it is too large, so the test is conservative.

    Raises
    ------
    InputError
        If x and y are no paired costs, an option is unknown, or "exact" is asked of more than
        2000 non-zero differences.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import wilcoxon
    >>> x, y = np.array([3, 4, 5, 3, 6, 5, 7]), np.array([1, 2, 4, 2, 3, 5, 4])
    >>> found = wilcoxon(x, y)
    >>> round(float(found.pvalue), 4)
    0.0312
    """

    def test(a: Floats, b: Floats) -> tuple[NDArray[Any], ...]:
        ranked = SignedRankSums.of(differences(a, b, digits), zero_rule)
        exact, z = ranked.exact(method), ranked.z(tie_correction)
        p = ranked.tails(exact, z)[alternative]
        return ranked.plus, ranked.minus, z, p, exact, ranked.zeros, ranked.n_used

    return SignedRanks(*Paired.of(x, y).each(test))


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

    @classmethod
    def of(cls, d: Floats, zero_rule: ZeroRule) -> SignedRankSums:
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
        plus = np.where(d > 0, ranks, 0.0).sum(axis=1) + share
        minus = np.where(d < 0, ranks, 0.0).sum(axis=1) + share
        return cls(ranks, plus, minus, share, zeros, n_used, untied)

    def exact(self, method: WilcoxonMethod) -> Bools:
        nonzero = self.ranks.shape[1] - self.zeros
        if method == "exact" and nonzero.size and nonzero.max() > _MOST_EXACT:
            raise InputError(
                f"differences that are not zero must be at most {_MOST_EXACT} for method='exact'; "
                f"got {nonzero.max()}; use 'normal', which is accurate there"
            )
        limit = {"auto": _AUTO_EXACT, "exact": _MOST_EXACT, "normal": -1}[method]
        return np.asarray(nonzero <= limit)

    def z(self, tie_correction: bool) -> Floats:
        # Given the ranks, R+ - R- is a sum of independent signs times ranks: variance sum r^2.
        # Demsar (2006), section 3.1.3, prints N(N+1)(2N+1)/24 for the variance of R+.
        squares = np.einsum("ij,ij->i", self.ranks, self.ranks)
        variance = squares / 4 if tie_correction else self.untied_variance
        return over((self.plus - self.minus) / 2, np.sqrt(np.where(squares > 0, variance, 0.0)))

    def tails(self, exact: Bools, z: Floats) -> dict[str, Floats]:
        """p-values by alternative, (P,) each."""
        better, worse = ndtr(-z), ndtr(z)
        # The distribution is symmetric: P(R+ >= r_plus) = P(R+ <= r_minus).
        if exact.any():
            share = self.zero_share[exact]
            low = np.stack([self.minus[exact] - share, self.plus[exact] - share], axis=1)
            better[exact], worse[exact] = _exact_cdf(self.ranks[exact], low).T
        both = np.minimum(1.0, 2 * np.minimum(better, worse))
        return {"two-sided": both, "better": better, "worse": worse}


def _exact_cdf(ranks: Floats, sums: Floats) -> Floats:
    """P(rank sum <= s) under random signs, for the sums (P, 2) of P rows of ranks (zeros as 0).

    Average ranks are halves: doubled, they are integers. Rows with the same ranks share one
    distribution.
    """
    rows_of: dict[bytes, list[int]] = {}
    for row, own in enumerate(np.sort(np.rint(2 * ranks).astype(np.int32), axis=1)):
        rows_of.setdefault(own.tobytes(), []).append(row)
    targets = np.rint(2 * sums).astype(np.intp)
    out = np.empty(sums.shape)
    for key, rows in rows_of.items():
        values = np.frombuffer(key, dtype=np.int32)
        unit = max(1, int(np.gcd.reduce(values)))
        cdf = np.cumsum(sum_distribution(values[values > 0] // unit))
        out[rows] = np.minimum(cdf[targets[rows] // unit], 1.0)
    return out


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

"""The Plackett–Luce model: the worth of each algorithm, from the rankings on all instances.

An instance ranks the algorithms by drawing the best of all, then the best of the rest, and so on,
each in proportion to its worth. The chance that an algorithm is the best of all is its share of
worth, and the chance that i beats j is w_i/(w_i + w_j), whatever else is in the table (Luce's
axiom, which the model assumes).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.stats._checks import Floats, Weight, as_costs, checked
from racing.stats.ranks import ranks_of

_ROUNDS = 200


@dataclass(frozen=True, slots=True, eq=False)
class PlackettLuce:
    """Worths of m algorithms.

    `plackett_luce` returns it.

    Attributes
    ----------
    worths
        Shape (m,), adding up to 1: the chance that each is best of all on an instance.
    log_worths
        Shape (m,): their logarithms, less the mean of these.
    covariance
        Shape (m, m): of `log_worths`, from the curvature of the log-likelihood at its top; NaN if a
        log worth is infinite.
    beats
        Shape (m, m): the chance that i beats j; ½ on the diagonal.
    log_likelihood
        Of the rankings, without the pseudo-comparisons.
    pseudo
        How many wins and losses against an imagined algorithm were added for each.

    Examples
    --------
    >>> from racing.stats import plackett_luce
    >>> X = [[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]]
    >>> found = plackett_luce(X)
    >>> found.beats[1].round(2).tolist()
    [0.98, 0.5, 0.79]
    >>> low, high = found.interval()
    >>> low.round(1).tolist(), high.round(1).tolist()
    ([-4.2, 0.3, -0.8], [-0.3, 3.2, 1.7])
    """

    worths: Floats
    log_worths: Floats
    covariance: Floats
    beats: Floats
    log_likelihood: float
    pseudo: float
    n: int
    m: int

    def interval(self, quantile: float = 1.96) -> tuple[Floats, Floats]:
        """Log worths, minus and plus so many standard errors."""
        error = np.sqrt(np.diag(self.covariance))
        return self.log_worths - quantile * error, self.log_worths + quantile * error


@checked
def plackett_luce(X: ArrayLike, *, pseudo: Weight = 0.5, ranked: bool = False) -> PlackettLuce:
    """The worths that make the rankings of the instances most likely.

    Parameters
    ----------
    X
        Costs of shape (n instances, m algorithms), lower better.
    pseudo
        Each algorithm also wins and loses so many comparisons against an imagined one of average
        worth, as in the R package PlackettLuce: it keeps worths finite where an algorithm wins
        always, and pulls them together a little. 0 is plain maximum likelihood.
    ranked
        `X` holds ranks rather than costs.

    Raises
    ------
    InputError
        If `X` is no table of costs, `pseudo` is negative, or with `pseudo=0` no worths are most
        likely, because some algorithms always beat all others.

    Notes
    -----
    Luce (1959), Plackett (1975), Hunter (2004): log-likelihood Σ log w_chosen − Σ log Σ_left w.
    Ties by Efron's (1977) approximation: the i-th choice from a group of t tied algorithms leaves
    1 − (i−1)/t of each of them, so that equals stay equal. Found by Newton's method on the log
    worths. The caveat: instances count as independent rankings; the model ignores the size of
    differences.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.stats import plackett_luce
    >>> X = np.array([[3, 1, 2], [4, 2, 3], [5, 1, 4], [3, 2, 1], [6, 3, 4], [5, 2, 3]])
    >>> found = plackett_luce(X)
    >>> found.worths.round(4).tolist()
    [0.0139, 0.7799, 0.2062]
    """
    costs = as_costs(X)
    ranks = ranks_of(costs, ranked=ranked, check=ranked)
    n, m = ranks.shape
    left = np.concatenate([_left(row) for row in ranks])
    if pseudo == 0:
        _check_connected(ranks)
    chosen, centre = np.full(m, float(n)), np.eye(m) - 1.0 / m
    log_worths = _maximum(left, chosen, pseudo)
    shares = np.exp(log_worths - log_worths.max())
    information = _derivatives(log_worths, left, chosen, pseudo)[1]
    covariance = centre @ np.linalg.pinv(information, hermitian=True) @ centre
    beats = 1.0 / (1.0 + np.exp(log_worths[None, :] - log_worths[:, None]))
    likelihood = _value(log_worths, left, chosen, 0.0)
    worths, centred = shares / shares.sum(), log_worths - log_worths.mean()
    return PlackettLuce(worths, centred, covariance, beats, likelihood, pseudo, n, m)


def _left(ranks: Floats) -> Floats:
    """(m, m): before each choice of one ranking, the share of each algorithm that is left."""
    m = ranks.size
    left = np.empty((m, m))
    start = 0
    for rank in np.unique(ranks):
        group = ranks == rank
        size = int(group.sum())
        for i in range(size):
            left[start + i] = ranks > rank
            left[start + i, group] = 1.0 - i / size
        start += size
    return left


def _value(v: Floats, left: Floats, chosen: Floats, pseudo: float) -> float:
    """The log-likelihood of log worths; chosen[i] says how often i is chosen (once a ranking)."""
    top = v.max()
    total = float(chosen @ v - (np.log(left @ np.exp(v - top)) + top).sum())
    return total + pseudo * float((v - 2.0 * np.logaddexp(v, 0.0)).sum())


def _derivatives(v: Floats, left: Floats, chosen: Floats, pseudo: float) -> tuple[Floats, Floats]:
    """Gradient, and the negative of the matrix of second derivatives."""
    shares = left * np.exp(v - v.max())
    shares /= shares.sum(axis=1, keepdims=True)
    logistic = 1.0 / (1.0 + np.exp(-v))
    expected = shares.sum(axis=0)
    gradient = chosen - expected + pseudo * (1.0 - 2.0 * logistic)
    information = np.diag(expected) - shares.T @ shares
    information += np.diag(2.0 * pseudo * logistic * (1.0 - logistic))
    return gradient, information


def _maximum(left: Floats, chosen: Floats, pseudo: float) -> Floats:
    """Newton's method with step halving; the log-likelihood is concave."""
    m = chosen.size
    v, value = np.zeros(m), _value(np.zeros(m), left, chosen, pseudo)
    for _ in range(_ROUNDS):
        gradient, information = _derivatives(v, left, chosen, pseudo)
        # without pseudo-comparisons only differences count: 1/m fixes the mean, and changes no step
        step = np.linalg.solve(information + (1.0 / m if pseudo == 0 else 0.0), gradient)
        step *= min(1.0, 5.0 / max(float(np.abs(step).max()), 1e-300))
        size, gain = 1.0, -np.inf
        while size > 1e-10 and gain < value - 1e-12 * abs(value):
            gain = _value(v + size * step, left, chosen, pseudo)
            size /= 2
        v, value = v + 2 * size * step, gain
        if float(np.abs(step).max()) < 1e-10:
            break
    return v


def _check_connected(ranks: Floats) -> None:
    """Ford (1957): worths are finite only if no group always beats all the others."""
    from scipy.sparse.csgraph import connected_components  # takes long to load

    beaten = np.asarray((ranks[:, :, None] <= ranks[:, None, :]).any(axis=0))
    if connected_components(beaten, connection="strong")[0] > 1:
        raise InputError(
            "pseudo: some algorithms beat all others on every instance, so that no finite worths "
            "are most likely; give pseudo=0.5"
        )

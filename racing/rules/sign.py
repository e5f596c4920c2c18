"""F-race with sign tests: drops candidates that lose significantly more often than they win."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from racing import stats
from racing.base.errors import InputError
from racing.base.quantities import Level
from racing.core.goal import Kind
from racing.core.results import Results
from racing.core.verdict import Elimination, Gate, Reason, eliminations
from racing.rules.f_race import FrequentistGate, dominated, frequentist_gate
from racing.rules.rule import Outlook, Places, RuleBase
from racing.stats.sign import Counts

_BLOCK = 1 << 21  # pairs with margins in memory at once
_TILE = 512  # columns of them that are filled in at once


@dataclass(frozen=True, kw_only=True)
class Sign(RuleBase):
    """F-race with sign tests.

    A Friedman test decides whether there is any difference; if so, every candidate is dropped that
    is inferior to another by a one-sided exact sign test. The level is kept for each test, not for
    the family of pairs (Birattari et al., 2002; Benavoli et al., 2015, section 7.1), and not over
    repeated looks: see "Choosing a rule" in the docs.

    Ties are split evenly, one dropped if their number is odd (Demšar, 2006).

    Of a front, a candidate is dropped that is inferior to another by the sign test of every metric,
    without an omnibus test. This too is a level for one pair and one look: in a long race, members
    of the front are lost (`python -m benchmarks.front_promise`); `bets` promises not to.

    Attributes
    ----------
    alpha
        Level of the gate and of each sign test.
    gate
        The omnibus test: `friedman` (tie-corrected χ²), `iman-davenport` (keeps its level better on
        few instances), or `none`. With two survivors the sign test stands alone.

    Examples
    --------
    >>> from racing import Race
    >>> from racing.rules import Sign
    >>> race = Race([{"x": x} for x in range(5)], range(40), rule=Sign())
    >>> for experiment in race:
    ...     noise = experiment.instance.seed % 7 / 10
    ...     race.tell(experiment, experiment.candidate.values["x"] + noise)
    >>> race.winner.values, race.spent.evaluations
    ({'x': 0}, 25)
    """

    serves: ClassVar[tuple[Kind, ...]] = ("single", "front")

    alpha: Level = 0.05
    gate: FrequentistGate = "friedman"

    def check(self, outlook: Outlook) -> None:
        """Refuse a gate for a front.

        Raises
        ------
        InputError
            If another one than the default is asked for.
        """
        if outlook.goal == "front" and self.gate == "iman-davenport":
            raise InputError("sign tests of a front have no omnibus test; leave gate out")

    def omnibus(self, results: Results, outlook: Outlook) -> Gate | None:
        """The gate, for three survivors or more and one cost."""
        if outlook.goal == "front":
            return None
        test = self.gate if len(results.survivors) > 2 else "none"
        return frequentist_gate(results.block, test, self.alpha)

    def judge(self, results: Results, outlook: Outlook, order: Places) -> Iterable[Elimination]:
        """Eliminate candidates that are inferior to another; of a front, in every metric."""
        if outlook.goal == "front":
            return _beaten_in_all(results, order, self.alpha)
        return _beaten(results, order, results.wins, self.alpha)


def _beaten(
    results: Results, order: NDArray[np.intp], wins: Counts, alpha: float
) -> tuple[Elimination, ...]:
    """Eliminate candidates (not the leader) that lose to another significantly more often.

    Each elimination names the rival that wins most often; of several, the one with the best
    standing. Candidates are tested in blocks, because the margins of ten thousand are 10⁸ numbers.
    """
    n, k = len(results.block), len(order)
    p_values = _p_of_margins(n)
    place = np.empty(k, dtype=np.intp)
    place[order] = np.arange(k)
    step = max(1, _BLOCK // k)
    rivals, p_of = np.empty(k, dtype=np.intp), np.ones(k)
    for start in range(0, k, step):
        margins = _margins(wins, slice(start, start + step), n)
        most = margins.max(axis=1)
        p_of[start : start + step] = p_values[most]
        for at in np.flatnonzero(p_values[most] < alpha).tolist():
            equally = np.flatnonzero(margins[at] == most[at])
            rivals[start + at] = equally[place[equally].argmin()]
    # the leader stays even if another beats it
    gone = [i for i in order[1:].tolist() if p_of[i] < alpha]
    won = {i: wins[rivals[i], i] for i in gone}
    return eliminations(results, gone, rivals, "p-value", p_of, alpha, won)


def _beaten_in_all(
    results: Results, order: NDArray[np.intp], alpha: float
) -> tuple[Elimination, ...]:
    """Eliminate candidates that lose to another significantly more often in every metric."""
    assert results.goal is not None
    n, k = len(results.block), len(order)
    p_values, least = np.zeros((k, k)), np.full((k, k), n)
    for name in results.goal.front:
        wins = results.of(name).wins.astype(np.intp)
        p_values = np.maximum(p_values, _p_of_margins(n)[wins.T - wins])
        least = np.minimum(least, wins.T)
    return dominated(results, order, p_values, least, alpha=alpha, reason=Reason.DOMINATED)


def _margins(wins: Counts, part: slice, n: int) -> NDArray[np.signedinteger]:
    """(b, k) margins: wins minus losses of each other candidate against those of `part`."""
    signed = np.int16 if n < 2**14 else np.int64
    margins = np.negative(wins[part], dtype=signed, casting="unsafe")
    for start in range(0, margins.shape[1], _TILE):  # by tiles: a whole column is never in cache
        tile = slice(start, start + _TILE)
        margins[:, tile] += wins[tile, part].T
    each = np.arange(len(margins))
    margins[each, part.start + each] = -n - 1  # no candidate is compared with itself
    return margins


def _p_of_margins(n: int) -> NDArray[np.float64]:
    """A table of p-values by margin (wins minus losses) from 0 to n, then from -n - 1 to -1.

    With ties split evenly and one dropped if their number is odd, the number of remaining instances
    is n or n - 1, with the parity of the margin. So the p-value depends on the margin alone, and
    falls with it.
    """
    margin = np.concatenate([np.arange(n + 1), np.arange(-n, 0)])
    left = n - (n - margin) % 2
    p = stats.sign_p((left + margin) // 2, (left - margin) // 2, alternative="better")
    return np.insert(p, n + 1, 1.0)

"""F-race with sign tests: who is beaten on significantly more than half of the instances goes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing import stats
from racing.objective import standing
from racing.quantities import Level
from racing.records import Checked
from racing.results import Results
from racing.rules.dominated import beaten
from racing.rules.gates import FrequentistGate, frequentist_gate
from racing.rules.rule import Outlook
from racing.rules.verdict import Elimination, Verdict
from racing.stats._win_counts import Counts

_BLOCK = 1 << 21  # pairs whose margins are held at once
_TILE = 512  # columns of them that are filled in at once


@dataclass(frozen=True, kw_only=True)
class Sign(Checked):
    """F-race with sign tests.

    A Friedman test decides whether there is any difference; if so, every candidate to which some
    other is superior by a one-sided exact sign test leaves. The level is kept for each test, not
    for the family of pairs (Birattari et al., 2002; Benavoli et al., 2015, section 7.1), and not
    over repeated looks: see "Choosing a rule" in the docs.

    Ties are split evenly, one dropped if their number is odd (Demšar, 2006).

    Attributes
    ----------
    alpha
        Level of the gate and of each sign test.
    gate
        The omnibus test: `friedman` (tie-corrected χ²), `iman-davenport` (keeps its level better on
        few instances), or `none`. With two survivors the sign test stands alone.
    """

    alpha: Level = 0.05
    gate: FrequentistGate = "friedman"

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Judge the survivors; `rng` is not used."""
        block = results.block
        order = standing(results, outlook.objective)
        gate = frequentist_gate(block, self.gate if len(order) > 2 else "none", self.alpha)
        eliminated: tuple[Elimination, ...] = ()
        if gate is None or gate.passed:
            eliminated = _beaten(results, order, results.wins, self.alpha)
        return Verdict(
            instances=len(block),
            leader=results.id(int(order[0])),
            eliminated=eliminated,
            gate=gate,
        )


def _beaten(
    results: Results, order: NDArray[np.intp], wins: Counts, alpha: float
) -> tuple[Elimination, ...]:
    """Everybody but the leader to whom somebody is superior, each with whoever beats it most often.

    Of several who beat it equally often, the one with the best standing. Candidates are judged in
    blocks, because the margins of ten thousand are 10⁸ numbers.
    """
    n, k = len(results.block), len(order)
    p_values = _p_of_margins(n)
    place = np.empty(k, dtype=np.intp)
    place[order] = np.arange(k)
    step = max(1, _BLOCK // k)
    gone = []
    for start in range(0, k, step):
        margins = _margins(wins, slice(start, start + step), n)
        most = margins.max(axis=1)
        p = p_values[most]
        for at in np.flatnonzero(p < alpha).tolist():
            if start + at == order[0]:  # the leader stays even where somebody beats it
                continue
            equally = np.flatnonzero(margins[at] == most[at])
            i, j = start + at, int(equally[place[equally].argmin()])
            gone.append((place[i], i, j, float(p[at])))
    return tuple(
        beaten(results, i, j, p=p, alpha=alpha, statistic=float(wins[j, i]))
        for _, i, j, p in sorted(gone)
    )


def _margins(wins: Counts, part: slice, n: int) -> NDArray[np.signedinteger]:
    """(b, k): on how many more instances each other candidate beats those of `part` than loses."""
    signed = np.int16 if n < 2**14 else np.int64
    margins = np.negative(wins[part], dtype=signed, casting="unsafe")
    for start in range(0, margins.shape[1], _TILE):  # by tiles: a whole column is never in cache
        tile = slice(start, start + _TILE)
        margins[:, tile] += wins[tile, part].T
    each = np.arange(len(margins))
    margins[each, part.start + each] = -n - 1  # nobody is compared with himself
    return margins


def _p_of_margins(n: int) -> NDArray[np.float64]:
    """p-values by margin (wins less losses) from 0 to n, then from -n - 1 to -1: a table to index.

    With ties split evenly and one dropped if their number is odd, the number of instances that are
    left is n or n - 1, whichever is as odd as the margin. So the margin says it all, and a larger
    one has a smaller p-value.
    """
    margin = np.concatenate([np.arange(n + 1), np.arange(-n, 0)])
    left = n - (n - margin) % 2
    p = stats.sign_p((left + margin) // 2, (left - margin) // 2, alternative="better")
    return np.insert(p, n + 1, 1.0)

"""Draws of A = P(X < Y) + P(X = Y)/2 for all pairs of k samples, from the same Dirichlet weights.

The weights of a sample are summed once along its order, so that a pair costs O(n) for each draw.
`dp_rank_sum` says what A and its atoms are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from racing.stats._checks import Floats, Ints
from racing.stats._groups import Groups

_CELLS = 1 << 19  # weights drawn at once

Places = list[tuple[Ints, Ints]]


@dataclass(frozen=True, eq=False)
class Draws:
    """D draws of the sums that A is made of.

    `won`, (P, D), is Σ w_a v_b h_ab over the runs, for pairs in the order of
    `np.triu_indices(k, 1)`; `sums`, (k, D), the weights of all runs of a sample, and `atoms`,
    (k, D), that of its atom.
    """

    won: Floats
    sums: Floats
    atoms: Floats

    def a(self, q: float, atoms: Floats | None = None) -> Floats:
        """A of each pair and draw, (P, D), with h = q at the atoms (by default, those drawn)."""
        i, j = np.triu_indices(len(self.sums), 1)
        full = self.sums + (self.atoms if atoms is None else atoms)
        whole, runs = full[i] * full[j], self.sums[i] * self.sums[j]
        return np.asarray((self.won + q * (whole - runs)) / whole)

    def plain(self) -> Floats:
        """A without atoms."""
        return self.a(0.0, np.zeros_like(self.atoms))

    @classmethod
    def joined(cls, parts: Iterable[Draws]) -> Draws:
        """All draws of several blocks."""
        rows = zip(*((one.won, one.sums, one.atoms) for one in parts), strict=True)
        won, sums, atoms = (np.concatenate(row, axis=1) for row in rows)
        return cls(won, sums, atoms)


def drawn(groups: Groups, s: float, draws: int, rng: np.random.Generator) -> Iterator[Draws]:
    """Draws of all pairs, in blocks of bounded memory."""
    samples = [np.sort(x) for x in groups.split(groups.costs)]
    places = _places(samples)
    step = max(1, _CELLS // groups.total)
    for start in range(0, draws, step):
        size = min(step, draws - start)
        weights = rng.standard_exponential((groups.total, size))
        atom = rng.standard_gamma(s, size=(groups.k, size)) if s > 0 else np.zeros((groups.k, size))
        yield _block(groups, places, weights, atom)


def _places(samples: list[Floats]) -> Places:
    """For each sample: where the runs of all later samples stand in it, from either side."""
    out = []
    for i, own in enumerate(samples[:-1]):
        later = np.concatenate(samples[i + 1 :])
        out.append((np.searchsorted(own, later, "left"), np.searchsorted(own, later, "right")))
    return out


def _block(groups: Groups, places: Places, weights: Floats, atom: Floats) -> Draws:
    ends = (groups.starts + groups.sizes).tolist()
    won = [
        _won(weights[start:end], weights[end:], *where, groups.starts[row + 1 :] - end)
        for row, (start, end, where) in enumerate(zip(groups.starts, ends, places, strict=False))
    ]
    none = np.empty((0, weights.shape[1]))
    return Draws(np.concatenate([none, *won]), np.add.reduceat(weights, groups.starts), atom)


def _won(own: Floats, later: Floats, below: Ints, upto: Ints, starts: Ints) -> Floats:
    """Σ w_a v_b h_ab of one sample against each later one."""
    running = np.zeros((len(own) + 1, own.shape[1]))
    np.cumsum(own, axis=0, out=running[1:])
    ahead = running[below]  # the weight of the sample that is better than each later run
    if (below != upto).any():
        ahead = (ahead + running[upto]) / 2
    ahead *= later
    return np.asarray(np.add.reduceat(ahead, starts, axis=0))

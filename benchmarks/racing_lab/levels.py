"""Worlds of yes-or-no outcomes, of few levels of cost, and of rare failures.

All costs are in [0, 1], and the truth about a sample is exact. As everywhere in the laboratory,
parameters are chosen on the worlds of one half, and figures are reported on the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri
from scipy.stats import binom

from benchmarks.racing_lab.families import Family, Half
from benchmarks.racing_lab.replay import Setting
from benchmarks.racing_lab.worlds import Floats, Sample, World

SIZES = (10, 30, 100)
"""Candidates."""

ITEMS = 1000
"""Instances at most."""

Chances = Callable[[np.random.Generator, int], Floats]
"""(rng, q) → the chance of each candidate to be right."""


@dataclass(frozen=True)
class Answers:
    """Right or wrong: cost 0 with the candidate's chance, 1 otherwise.

    Attributes
    ----------
    q, rows
        Candidates, items.
    chances
        How often each is right.
    shared
        Share of the variance of a normal variable behind each answer that belongs to the item: 0
        for items that are all as hard, towards 1 the better candidate solves all that others solve.
    """

    q: int
    rows: int
    chances: Chances
    shared: float = 0.0

    def sample(self, rng: np.random.Generator) -> Sample:
        """A candidate is wrong where item and chance together are above its threshold."""
        right = self.chances(rng, self.q)
        item = np.sqrt(self.shared) * rng.standard_normal((self.rows, 1))
        own = np.sqrt(1 - self.shared) * rng.standard_normal((self.rows, self.q))
        costs = (item + own > ndtri(right)).astype(float)
        # P(i beats j) − P(j beats i) is the difference of their chances, however they depend
        return _sample(costs, 1 - right, 0.5 + (right[:, None] - right) / 2)


@dataclass(frozen=True)
class Grades:
    """The share of a few tests that fail, each by its own chance.

    Attributes
    ----------
    q, rows
        Candidates, instances.
    chances
        How often each passes a test.
    tests
        Tests of an instance: costs have one level more.
    """

    q: int
    rows: int
    chances: Chances
    tests: int

    def sample(self, rng: np.random.Generator) -> Sample:
        """Instances are independent, and all are as hard."""
        wrong = 1 - self.chances(rng, self.q)
        costs = rng.binomial(self.tests, wrong, (self.rows, self.q)) / self.tests
        levels = np.arange(self.tests + 1)
        share = binom.pmf(levels[:, None], self.tests, wrong)
        below = np.cumsum(share, axis=0) - share
        return _sample(costs, wrong, share.T @ (1 - below - share / 2))


@dataclass(frozen=True)
class RareFailures:
    """Small normal costs, and now and then a failure, which costs 1.

    Attributes
    ----------
    q, rows
        Candidates, instances.
    chances
        How often each does not fail.
    """

    q: int
    rows: int
    chances: Chances

    def sample(self, rng: np.random.Generator) -> Sample:
        """Who fails is independent of what runs cost that do not."""
        fails = 1 - self.chances(rng, self.q)
        usual = rng.uniform(0.1, 0.12, self.q)
        noise = 0.01 * rng.standard_normal((self.rows, self.q))
        costs = np.where(rng.random((self.rows, self.q)) < fails, 1.0, usual + noise)
        both = np.outer(1 - fails, 1 - fails)
        wins = both * ndtr((usual - usual[:, None]) / (0.01 * np.sqrt(2)))
        wins += np.outer(1 - fails, fails) + np.outer(fails, fails) / 2
        return _sample(costs, fails + (1 - fails) * usual, wins)


def _sample(costs: Floats, mean: Floats, wins: Floats) -> Sample:
    """From the chances that i beats j, ties half."""
    ranks = len(mean) + 0.5 - wins.sum(axis=1)
    return Sample(costs, mean, ranks, lambda i, j: float(wins[i, j]))


def _between(low: float, high: float) -> Chances:
    return lambda rng, q: rng.uniform(low, high, q)


def _worlds(q: int) -> list[tuple[str, Half, World]]:
    """The worlds with so many candidates."""
    every, accurate, safe = _between(0.3, 0.98), _between(0.92, 0.98), _between(0.9, 1.0)
    return [
        ("right in 30–98 %", "tune", Answers(q, ITEMS, every)),
        ("right in 30–98 %, hard items", "report", Answers(q, ITEMS, every, shared=0.5)),
        ("right in 92–98 %", "report", Answers(q, ITEMS, accurate)),
        ("right in 92–98 %, hard items", "tune", Answers(q, ITEMS, accurate, shared=0.5)),
        ("four levels", "report", Grades(q, ITEMS, every, tests=3)),
        ("six levels", "tune", Grades(q, ITEMS, accurate, tests=5)),
        ("rare failures", "report", RareFailures(q, ITEMS, safe)),
        ("very rare failures", "tune", RareFailures(q, ITEMS, _between(0.98, 1.0))),
    ]


def families() -> list[Family]:
    """Every world with 10, 30 and 100 candidates; the objective is the mean."""
    return [
        Family(f"{name}, {q} candidates", "synthetic", half, world, Setting(objective="mean"))
        for q in SIZES
        for name, half, world in _worlds(q)
    ]

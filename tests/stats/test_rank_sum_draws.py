"""Draws of A: the double sum over runs, from the same weights."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from racing.stats._groups import Groups
from racing.stats.dp_rank_sum import Draws, drawn

SAMPLES = ([3.0, 1.0, 2.0, 2.0], [2.0], [np.inf, 0.5, 2.0, 5.0, np.inf])


def by_summing(s, q, draws, seed):
    """A of each pair from weights drawn in the same order."""
    rng = np.random.default_rng(seed)
    samples = [np.sort(x) for x in SAMPLES]
    sizes = [len(x) for x in samples]
    weights = np.split(rng.standard_exponential((sum(sizes), draws)), np.cumsum(sizes)[:-1])
    atoms = rng.standard_gamma(s, size=(3, draws)) if s else np.zeros((3, draws))
    out = []
    for i, j in ((0, 1), (0, 2), (1, 2)):
        h = np.less.outer(samples[i], samples[j]) + np.equal.outer(samples[i], samples[j]) / 2
        w, v = weights[i], weights[j]
        won = np.einsum("ad,ab,bd->d", w, h, v)
        w0, v0, w, v = atoms[i], atoms[j], w.sum(axis=0), v.sum(axis=0)
        out.append((won + q * (w0 * v + w * v0 + w0 * v0)) / ((w + w0) * (v + v0)))
    return np.array(out)


@pytest.mark.parametrize("s", [0.0, 0.25, 1.0])
@pytest.mark.parametrize("q", [0.0, 0.5, 1.0])
def test_by_definition(s, q):
    (block,) = drawn(Groups.of(SAMPLES), s, 50, np.random.default_rng(1))
    assert block.a(q) == pytest.approx(by_summing(s, q, 50, 1))


def test_without_atoms():
    (block,) = drawn(Groups.of(SAMPLES), 1.0, 20, np.random.default_rng(1))
    bare = Draws(block.won, block.sums, np.zeros_like(block.atoms))
    assert block.plain() == pytest.approx(bare.a(0.7))


def test_blocks_add_up(monkeypatch):
    monkeypatch.setattr(sys.modules["racing.stats.dp_rank_sum"], "_CELLS", 70)
    blocks = list(drawn(Groups.of(SAMPLES), 0.5, 33, np.random.default_rng(1)))
    assert len(blocks) > 1
    joined = Draws.joined(blocks)
    assert joined.won.shape == (3, 33)
    assert joined.a(0.5).shape == (3, 33)


def test_one_sample_has_no_pair():
    (block,) = drawn(Groups.of([[1, 2]]), 0.0, 5, np.random.default_rng(1))
    assert block.plain().shape == (0, 5)

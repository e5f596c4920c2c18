"""A scrambled Sobol sequence: the same points as `scipy.stats.qmc.Sobol`, without loading it.

The import of `scipy.stats` takes several times as long as the rest of a small command.
The direction numbers (Joe and Kuo, Constructing Sobol sequences with better two-dimensional
projections, SIAM Journal on Scientific Computing 30, 2008) are read from SciPy's file.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Words = NDArray[np.uint32]

BITS = 30
"""Binary digits of a coordinate; the sequence has 2^BITS points."""


class Sobol:
    """Points of a sequence that is scrambled by a random matrix and a digital shift.

    Matoušek, On the L2-discrepancy for anchored boxes, Journal of Complexity 14, 1998.

    Parameters
    ----------
    dimension
        The number of coordinates.
    rng
        A child of it scrambles the sequence, so `rng` itself does not advance.

    Attributes
    ----------
    taken
        The number of points taken.
    """

    def __init__(self, dimension: int, rng: np.random.Generator) -> None:
        rng = rng.spawn(1)[0]  # as in SciPy
        weights = 2 ** np.arange(BITS, dtype=np.uint32)
        self._shift = rng.integers(0, 2, (dimension, BITS), dtype=np.uint32) @ weights
        matrices = np.tril(rng.integers(0, 2, (dimension, BITS, BITS), dtype=np.uint32))
        matrices[:, range(BITS), range(BITS)] = 1
        digits = _digits(directions(dimension))
        scrambled = np.einsum("dpk,djk->djp", matrices, digits) & 1
        self._directions: Words = scrambled @ weights[::-1]
        self.taken = 0

    def take(self, n: int) -> Floats:
        """(n, dimension) the next points, from 0 to 1; balanced for a total power of two."""
        places = np.arange(self.taken, self.taken + n, dtype=np.uint32)
        gray = places ^ (places >> 1)
        points = np.tile(self._shift, (n, 1))
        for bit in range(int(places[-1]).bit_length() if n else 0):
            points[(gray >> bit) & 1 == 1] ^= self._directions[:, bit]
        self.taken += n
        return points * 2.0**-BITS


def directions(dimension: int) -> Words:
    """(dimension, BITS) direction numbers, the first digit in the highest bit.

        m_k = 2 a_1 m_{k−1} ⊕ … ⊕ 2^{s−1} a_{s−1} m_{k−s+1} ⊕ 2^s m_{k−s} ⊕ m_{k−s},
        v_k = m_k / 2^k                                   (Joe and Kuo, 2008, eqs. 2 and 3)

    Raises
    ------
    ValueError
        If the table has fewer dimensions.
    """
    polynomials, starts = _table()
    if dimension > len(polynomials):
        raise ValueError(f"a Sobol sequence has at most {len(polynomials)} dimensions")
    numbers = np.ones((dimension, BITS), dtype=np.uint64)
    for j in range(1, dimension):
        polynomial = int(polynomials[j])
        s = polynomial.bit_length() - 1
        m = [int(one) for one in starts[j, :s]]
        for k in range(s, BITS):
            new = m[k - s]
            for i in range(1, s + 1):
                new ^= ((polynomial >> (s - i)) & 1) * (m[k - i] << i)
            m.append(new)
        numbers[j] = m[:BITS]
    return (numbers << np.arange(BITS - 1, -1, -1, dtype=np.uint64)).astype(np.uint32)


def _digits(words: Words) -> Words:
    """(…, BITS) the binary digits of words, the highest first."""
    places = np.arange(BITS - 1, -1, -1, dtype=np.uint32)
    return ((words[..., None] >> places) & 1).astype(np.uint32)


@cache
def _table() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Primitive polynomials, and the first direction numbers of each."""
    found = find_spec("scipy")
    assert found is not None
    assert found.origin is not None
    with np.load(Path(found.origin).parent / "stats" / "_sobol_direction_numbers.npz") as file:
        return file["poly"], file["vinit"]

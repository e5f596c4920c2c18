"""Distinct random configurations: uniform over what is active, forbidden ones rejected."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from racing.base.errors import InputError, SamplingError
from racing.space.counting import enumerated
from racing.space.encoding import Units
from racing.space.parameter import Configuration, Values

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


if TYPE_CHECKING:
    from collections.abc import Callable

    from racing.space.space import Space

_BATCH = 100  # draws at a time, at least
_LARGEST_BATCH = 20_000
_BARREN = 100_000  # draws in a row without a new configuration before giving up
_CELLS, _BARREN_CELLS = (
    2_000_000,
    30_000_000,
)  # fewer draws at a time, and in a row, of many columns
_SCARCE = 1e-4  # the least share of draws that must be allowed
_SMALL = 20_000  # spaces of at most this size are listed if nearly all members are wanted
_NAMED = 3  # clauses that an error names


def sample(
    space: Space, rng: np.random.Generator, n: int, *, exclude: Iterable[Configuration] = ()
) -> list[Values]:
    """`n` distinct configurations; see `Space.sample`."""
    seen = set(_keys(space.encoding.raw(list(exclude))))
    if n <= 0:
        return []
    if listed := _listed(space, rng, n, seen):
        return listed
    return _collect(space, rng, n, seen, lambda many: space.encoding.draw(rng, many))


def initial(
    space: Space, rng: np.random.Generator, n: int, *, exclude: Iterable[Configuration] = ()
) -> list[Values]:
    """`n` distinct configurations of a scrambled Sobol sequence; see `Space.initial`."""
    seen = set(_keys(space.encoding.raw(list(exclude))))
    if n <= 0:
        return []
    points = Sobol(space.encoding.dimension, rng)

    def draw(many: int) -> Units:  # doubling keeps the sequence balanced
        taken = min(points.taken, _largest_batch(space)) or 1 << (many - 1).bit_length()
        return space.encoding.from_points(points.take(taken))

    if space.size <= _SMALL and (listed := _listed(space, rng, n, seen)):
        return listed
    return _collect(space, rng, n, seen, draw)


def _largest_batch(space: Space) -> int:
    return max(min(_LARGEST_BATCH, _CELLS // space.encoding.dimension), _BATCH)


def _listed(
    space: Space, rng: np.random.Generator, n: int, seen: set[bytes], *, share: float = 0.25
) -> list[Values]:
    """A draw without replacement from the list of all, if so large a share is wanted; else [].

    Each draw picks a remaining one in proportion to its probability, as rejecting duplicates would
    (Efraimidis and Spirakis, Information Processing Letters 97, 2006).
    """
    if space.size > _SMALL or n + len(seen) < share * space.size:
        return []
    try:
        raw, log_weights = enumerated(space, _SMALL)
    except InputError:  # its parameters are too many to be listed, though few of them are free
        return []
    raw = raw[np.argsort(np.log(-np.log(rng.random(len(raw)))) - log_weights)]
    new = [i for i, key in enumerate(_keys(raw)) if key not in seen]
    return space.encoding.plain(raw[new[:n]])


def _collect(
    space: Space,
    rng: np.random.Generator,
    n: int,
    seen: set[bytes],
    draw: Callable[[int], Units],
) -> list[Values]:
    found: list[Units] = []
    count, tally = 0, _Tally(space)
    batch = max(n, _BATCH)
    while count < n and len(seen) < space.size:
        units = draw(min(batch, _largest_batch(space)))
        fresh = _new(space.encoding.values(units[tally.count(units)]), seen, n - count)
        found.append(fresh)
        count += len(fresh)
        if not tally.goes_on(len(fresh)):
            break
        rate = max(len(fresh), 1) / len(units)
        batch = int(1.1 * (n - count) / rate) + _BATCH
    rest = _listed(space, rng, n - count, seen, share=0.0) if count < n else []
    if count + len(rest) < n and tally.is_scarce:
        raise tally.error(n, count)
    return space.encoding.plain(np.concatenate(found)) + rest if count else rest


def _new(raw: Units, seen: set[bytes], most: int) -> Units:
    """The first `most` unseen rows; marks them as seen."""
    keys = _keys(raw)
    unique = set(keys)
    if len(unique) == len(keys) <= most and seen.isdisjoint(unique):
        seen |= unique
        return raw
    rows: list[int] = []
    for row, key in enumerate(keys):
        if len(rows) < most and key not in seen:
            seen.add(key)
            rows.append(row)
    return raw[rows]


def _keys(raw: Units) -> list[bytes]:
    """Keys that are equal exactly for equal rows."""
    plain = np.where(raw == raw, raw + 0.0, np.nan)  # one zero, one NaN
    rows = np.ascontiguousarray(plain).view(np.dtype((np.void, plain.itemsize * plain.shape[1])))
    return cast("list[bytes]", rows.ravel().tolist())


class _Tally:
    """Counts drawn, allowed and new rows."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._drawn = 0
        self._allowed = 0
        self._barren = 0
        self._refused: Any = 0
        most = _SMALL if space.size <= _SMALL else _BARREN  # the small one is listed then
        self._patience = max(min(most, _BARREN_CELLS // space.encoding.dimension), 1000)

    def count(self, units: Units) -> Any:
        """Which rows are allowed."""
        refusals = self._space.encoding.refusals(units)
        allowed = ~np.any(refusals, axis=0) if refusals else np.ones(len(units), dtype=bool)
        self._refused = self._refused + np.array([refused.sum() for refused in refusals])
        self._drawn += len(units)
        self._allowed += int(allowed.sum())
        self._barren += len(units)
        return allowed

    def goes_on(self, fresh: int) -> bool:
        """Whether to draw again."""
        if fresh:
            self._barren = 0
        return self._barren < self._patience and not self.is_scarce

    @property
    def is_scarce(self) -> bool:
        """Whether almost no draw was allowed."""
        return self._drawn >= self._patience and self._allowed < _SCARCE * self._drawn

    def error(self, wanted: int, got: int) -> SamplingError:
        """The error with the share of allowed draws, and the clauses that refuse most."""
        structure = self._space.structure
        empty = [f"an empty domain of {name}" for name in structure.bounds]
        clauses = [*structure.clause_texts(), *empty]
        worst, *others = np.argsort(-self._refused, kind="stable")[:_NAMED].tolist()
        shares = (100 * self._refused / self._drawn).tolist()
        more = [f"{clauses[k]}, {shares[k]:.4g} %" for k in others if shares[k]]
        more = [] if shares[worst] == 100 else more
        told = "; ".join([f"{clauses[worst]} refuses most, {shares[worst]:.4g} %", *more])
        return SamplingError(
            f"only {got} of {wanted} configurations were found: {self._allowed} of {self._drawn} "
            f"random ones are allowed. {told}. Make the "
            "domains narrower, or turn the clause into a bound such as integer: [min_pert, 100]"
        )

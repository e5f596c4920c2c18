"""Random streams with keys: every draw has an address, so no generator state is saved.

An address is the scenario's seed, the purpose of the draw and its place (an instance, a test, a
candidate). The same address always gives the same numbers, in any order of use.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np


class Purpose(IntEnum):
    """The purpose of a stream. Its number never changes: logs depend on it."""

    INSTANCE_SEED = 1
    INSTANCE_ORDER = 2
    VERDICT = 3
    SAMPLE = 4
    CATCH_UP = 5
    EVALUATE = 6
    CHALLENGER = 7
    PROBLEM_SEED = 8
    FRONT = 9


def _sequence(seed: int, purpose: Purpose, *place: int) -> np.random.SeedSequence:
    return np.random.SeedSequence(seed, spawn_key=(int(purpose), *place))


def stream(seed: int, purpose: Purpose, *place: int) -> np.random.Generator:
    """The random generator at an address; the same address always gives the same stream."""
    return np.random.Generator(np.random.PCG64(_sequence(seed, purpose, *place)))


def integer(seed: int, purpose: Purpose, *place: int) -> int:
    """A seed for a target at an address, from 1 to 2³¹ − 1, which every solver accepts."""
    word = int(_sequence(seed, purpose, *place).generate_state(1, np.uint32)[0])
    return word % (2**31 - 1) + 1

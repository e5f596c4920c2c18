"""Half-widths of Student's t without `scipy.special`, which takes longer to load than NumPy."""

from __future__ import annotations

import math

STEPS = 60  # halvings, each of which gives a bit


def half_width(freedom: int, confidence: float) -> float:
    """The t > 0 with P(−t ≤ T ≤ t) = confidence, for T of Student's distribution.

    Parameters
    ----------
    freedom
        Degrees of freedom, at least 1.
    confidence
        From 0 to below 1.
    """
    low, high = 0.0, math.pi / 2
    for _ in range(STEPS):
        middle = (low + high) / 2
        if _inside(middle, freedom) < confidence:
            low = middle
        else:
            high = middle
    return math.sqrt(freedom) * math.tan((low + high) / 2)


def _inside(angle: float, freedom: int) -> float:
    """P(−t ≤ T ≤ t) for t = √ν tan(angle).

    Abramowitz and Stegun (1964), Handbook of Mathematical Functions, eqs. 26.7.3 and 26.7.4.
    """
    odd = freedom % 2
    square = math.cos(angle) ** 2
    term = math.cos(angle) if odd else 1.0
    total = term if freedom > 1 else 0.0
    for k in range(2 + odd, freedom - 1, 2):  # cos²/… · 1/2 · 3/4 …, or from cos on 2/3 · 4/5 …
        term *= square * (k - 1) / k
        total += term
    whole = math.sin(angle) * total
    return 2 / math.pi * (angle + whole) if odd else whole

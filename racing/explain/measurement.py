"""How many instances a budget pays for, where some of the outcomes are there already."""

from __future__ import annotations

from collections.abc import Callable


def affordable(first: int, limit: int | None, left: int, missing: Callable[[int], int]) -> range:
    """The steps from the first on whose missing evaluations fit into what is left.

    Parameters
    ----------
    first
        The first step.
    limit
        How many instances there are; None without an end.
    left
        Evaluations that may be made.
    missing
        Step → how many evaluations it needs.
    """
    step, most = first, first + max(left, 0) * 10 + 1  # however much is known
    while step < min(most, most if limit is None else limit) and missing(step) <= left:
        left -= missing(step)
        step += 1
    return range(first, step)

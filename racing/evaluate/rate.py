"""Limits the rate of calls of a service."""

from __future__ import annotations

import math


class Rate:
    """A token bucket of one token: calls are evenly spaced, without bursts.

    Parameters
    ----------
    per_second
        The most calls that start per second; None for no limit.
    """

    def __init__(self, per_second: float | None) -> None:
        self._gap = 0.0 if per_second is None else 1 / per_second
        self._free = -math.inf  # the time of the next token

    def reserve(self, now: float) -> float:
        """Take the next token; returns the seconds to wait for it.

        Parameters
        ----------
        now
            The time of a monotonic clock, in seconds.
        """
        begins = max(now, self._free)
        self._free = begins + self._gap
        return begins - now

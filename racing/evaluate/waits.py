"""Repeats calls of a target whose service is busy, after growing waits."""

from __future__ import annotations

import random
from dataclasses import replace

from racing.base.plain import printable
from racing.evaluate.attempt import Attempt

FIRST, LONGEST = 1.0, 60.0  # seconds before the first repetition, and the most between two
JITTER = 0.5  # the largest random extension of a wait, as a share


class Waits:
    """The calls of one attempt: counts refused calls, and sums the payments.

    Parameters
    ----------
    patience
        The most seconds of all waits together.
    key
        Of the experiment: its waits are drawn from it.
    """

    def __init__(self, patience: float, key: tuple[int, int]) -> None:
        self._patience, self._key = patience, key
        self._rng: random.Random | None = None
        self._waited = 0.0
        self.refused = 0
        self.spent: dict[str, float] = {}

    def pause(self, call: Attempt) -> float | None:
        """Seconds until the next call; None for no further call."""
        for name, amount in call.spent.items():
            self.spent[name] = self.spent.get(name, 0.0) + amount
        if call.retry is None:
            return None
        self._rng = self._rng or random.Random(f"{self._key}")
        self.refused += 1
        wait = backoff(self.refused, call.retry.after, self._rng.random())
        if self._waited + wait > self._patience:
            return None
        self._waited += wait
        return wait

    def told(self, last: Attempt) -> Attempt:
        """The last attempt, with the totals of all calls."""
        if not self.refused:
            return last
        if last.retry is None:
            return replace(last, refused=self.refused, spent=self.spent)
        times = "once" if self.refused == 1 else f"{self.refused} times"
        why = f"crashed: the service was busy {times}, longer than on_failure.patience allows"
        reason = printable(str(last.retry))
        said = f"{why} ({self._patience:g} s)" + (f": {reason}" if reason else "")
        return replace(last, message=said, refused=self.refused, spent=self.spent)


def backoff(number: int, after: float | None, chance: float) -> float:
    """Seconds to wait after the service was busy for the `number`-th time, counted from 1.

    wait = d · (1 + JITTER · chance), d = after, or else min(LONGEST, FIRST · 2^(number − 1))

    Parameters
    ----------
    chance
        From 0 to 1, drawn uniformly.
    """
    due = min(LONGEST, FIRST * 2.0 ** min(number - 1, 30)) if after is None else after
    return due * (1 + JITTER * chance)

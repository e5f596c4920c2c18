"""Repeats calls of a target whose service is busy, after growing waits."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from racing.base.errors import InputError
from racing.base.plain import printable
from racing.evaluate.score import Unreadable, amounts

if TYPE_CHECKING:
    from racing.evaluate.attempt import Attempt

FIRST, LONGEST = 1.0, 60.0  # seconds before the first repetition, and the most between two
JITTER = 0.5  # the largest random extension of a wait, as a share


class Retry(Exception):
    """Raised by a target whose service is busy (such as HTTP 429 or 5xx): it is called again later.

    This counts neither as an attempt nor as a failure, for `on_failure.patience` at most.

    Parameters
    ----------
    reason
        The message of the service; shown if it never answers.
    after
        The time to wait, if the service gives it: seconds, or the text of a `Retry-After` header.
        By default waits double from 1 s to 60 s. Each wait is extended randomly by up to a half, so
        that calls do not return all at once.
    spent
        The payments for the refused call, by name: `{"usd": 0.001}`.

    Raises
    ------
    InputError
        If `after` or `spent` is invalid.

    Examples
    --------
    >>> from racing import Retry
    >>> busy = Retry("too many requests", after="2", spent={"usd": 0.001})
    >>> str(busy), busy.after, busy.spent
    ('too many requests', 2.0, {'usd': 0.001})
    """

    def __init__(
        self,
        reason: object = "",
        *,
        after: float | str | None = None,
        spent: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(str(reason))
        self.after = None if after is None else _seconds(after)
        self.spent = _amounts(spent) if spent else {}


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


def _seconds(after: float | str) -> float:
    """The seconds of a number or a header; 0 for a past date."""
    found = math.nan
    try:
        found = float(after)
    except (TypeError, ValueError):
        if isinstance(after, str):
            found = _until(after)
    if not 0 <= found < math.inf:
        raise InputError(
            f"Retry: after is {after!r:.80}; expected seconds, 0 or more, or the text of a "
            "Retry-After header"
        )
    return found


def _until(date: str) -> float:
    from email.utils import parsedate_to_datetime  # here, as its import takes long

    try:
        return max(parsedate_to_datetime(date).timestamp() - time.time(), 0.0)
    except ValueError:
        return math.nan


def _amounts(spent: Mapping[str, float]) -> dict[str, float]:
    try:
        return amounts(spent)
    except Unreadable as error:
        raise InputError(f"Retry: {error}") from None

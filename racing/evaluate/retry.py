"""The exception of a target whose service is busy."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping

from racing.base.errors import InputError, must_be
from racing.evaluate.answers import Unreadable, amounts


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
        try:
            self.spent = amounts(spent or {})
        except Unreadable as error:
            raise InputError(f"Retry: {error}") from None


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
            must_be("after", "seconds, 0 or more, or the text of a Retry-After header", after)
        )
    return found


def _until(date: str) -> float:
    from email.utils import parsedate_to_datetime  # here, as its import takes long

    try:
        return max(parsedate_to_datetime(date).timestamp() - time.time(), 0.0)
    except ValueError:
        return math.nan

"""The origin of an outcome that was taken from the log of an earlier run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Reused:
    """The data of an outcome in the log that it was taken from.

    Attributes
    ----------
    log
        That log, as the scenario names it.
    seconds
        What the evaluation took then.
    spent
        What was paid for it then, by name, such as `usd`.
    started
        When it began, in seconds since 1970 (UTC); 0 where that is not known.

    Examples
    --------
    >>> from racing.core.reused import Reused
    >>> Reused(log="runs/old.sqlite", spent={"usd": 0.003}).spent["usd"]
    0.003
    """

    log: str
    seconds: float = 0.0
    spent: Mapping[str, float] = field(default_factory=dict, hash=False)
    started: float = 0.0

"""Payments of a run, and outcomes reused from earlier runs: data first, then words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from racing.base.words import amounts, count, listed, number
from racing.core.experiment import Outcome, total


@dataclass(frozen=True, kw_only=True)
class Reuse:
    """The outcomes that a run reused from the logs of earlier runs.

    Attributes
    ----------
    logs
        Log, as the scenario names it → how many outcomes were taken from it.
    saved
        What had been paid for them, by name, such as `usd`.
    seconds
        What they had taken.
    """

    logs: Mapping[str, int] = field(default_factory=dict)
    saved: Mapping[str, float] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def outcomes(self) -> int:
        """The number of reused outcomes."""
        return sum(self.logs.values())

    @property
    def sentence(self) -> str:
        """What was reused, in words; empty without any."""
        if not self.logs:
            return ""
        again = [*amounts(self.saved), f"{number(self.seconds)} s"]
        was = "was" if self.outcomes == 1 else "were"
        return (
            f"{count(self.outcomes, 'evaluation')} {was} not made again but taken from "
            f"{listed(list(self.logs))}, which saved {listed(again)}."
        )


class ReuseTally:
    """Counts outcomes reused from earlier logs, one by one."""

    def __init__(self) -> None:
        self._logs: dict[str, int] = {}
        self._saved: dict[str, float] = {}
        self._seconds = 0.0

    def add(self, outcome: Outcome) -> None:
        """Count one outcome, if it was reused."""
        if (then := outcome.reused) is None:
            return
        self._logs[then.log] = self._logs.get(then.log, 0) + 1
        self._saved = total((self._saved, then.spent))
        self._seconds += then.seconds

    @property
    def found(self) -> Reuse:
        """The counts so far."""
        return Reuse(logs=dict(self._logs), saved=dict(self._saved), seconds=self._seconds)

"""Counts of outcomes, candidate by candidate: evaluations, failures and time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from racing.base.words import last_line
from racing.core.candidate import Candidate
from racing.core.experiment import Outcome, Status
from racing.report.failures import common, pattern
from racing.report.payment import Reuse, ReuseTally


@dataclass(frozen=True, kw_only=True)
class Expense:
    """The spending on one candidate, as far as it counts.

    Attributes
    ----------
    candidate
        The candidate.
    evaluations, failures
        How many were done, and how many of them failed.
    seconds
        The sum of their times.
    paid
        What they were charged, by name, such as `usd`.
    """

    candidate: Candidate
    evaluations: int
    failures: int
    seconds: float
    paid: Mapping[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class _Count:
    evaluations: int = 0
    failures: int = 0
    seconds: float = 0.0
    paid: dict[str, float] = field(default_factory=dict)


class Tally:
    """Counts outcomes one by one, without holding them in memory."""

    def __init__(self) -> None:
        self._counts: dict[int, _Count] = defaultdict(_Count)
        self._messages: dict[str, int] = defaultdict(int)
        self._last: dict[str, str] = {}
        self.censored = self.refused = 0
        self.paid: dict[str, float] = {}  # whatever became of it
        self._reuse = ReuseTally()

    def add(self, outcome: Outcome) -> None:
        """Count one outcome."""
        self.refused += outcome.refused
        self._reuse.add(outcome)
        count = self._counts[outcome.candidate]
        for name, amount in outcome.spent.items():
            self.paid[name] = self.paid.get(name, 0.0) + amount
            count.paid[name] = count.paid.get(name, 0.0) + amount
        count.evaluations += 1
        count.seconds += outcome.seconds
        if outcome.status is Status.OK:  # nearly always
            return
        if outcome.censored:
            self.censored += 1
        else:
            count.failures += 1
            self.add_message(outcome)

    def remove(self, outcome: Outcome) -> None:
        """Remove one outcome from the counts; its payments stay."""
        count = self._counts[outcome.candidate]
        count.evaluations -= 1
        count.failures -= outcome.failed
        count.seconds -= outcome.seconds
        for name, amount in outcome.spent.items():
            count.paid[name] -= amount
        self.censored -= outcome.censored
        if outcome.failed:
            self._messages[_first_line(outcome)] -= 1

    def add_message(self, outcome: Outcome) -> None:
        """Count why an evaluation failed."""
        if outcome.failed:
            first = _first_line(outcome)
            self._messages[first] += 1
            self._last[first] = last_line(outcome.message)

    def expense(self, candidate: Candidate) -> Expense:
        """The spending on a candidate."""
        count = self._counts[candidate.id]
        return Expense(
            candidate=candidate,
            evaluations=count.evaluations,
            failures=count.failures,
            seconds=count.seconds,
            paid=dict(count.paid),
        )

    @property
    def reuse(self) -> Reuse:
        """All outcomes reused from earlier logs."""
        return self._reuse.found

    @property
    def by_message(self) -> tuple[tuple[str, int, str], ...]:
        """First lines of messages, their counts and the last line of one, the most frequent first.

        Those that differ only in numbers, quoted names and paths are one, with … where they differ.
        """
        kinds: dict[str, dict[str, int]] = defaultdict(dict)
        for message, times in self._messages.items():
            if times:
                kinds[pattern(message)][message] = times
        found = [
            (common(alike) if len(alike) > 1 else one, sum(alike.values()), self._last[one])
            for alike in kinds.values()
            for one in [max(alike, key=lambda first: alike[first])]
        ]
        return tuple(sorted(found, key=lambda item: (-item[1], item[0])))


def _first_line(failed: Outcome) -> str:
    return failed.message.partition("\n")[0] or str(failed.status)

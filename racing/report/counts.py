"""What is counted while the outcomes of a run pass: expenses, reuse, and failures alike."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from racing.answer.head import Message
from racing.base.words import amounts, count, last_line, listed, number
from racing.core.candidate import Candidate
from racing.core.experiment import Outcome, Status, total
from racing.core.view import View
from racing.log import Log
from racing.log.recorder import at_mean_price

END = 2000
"""Characters that are kept of a message: its end is where a program says what went wrong."""

_GROUPS = 200  # distinct first lines that have a group each; the others share one
_ATTEMPT = re.compile(r"^attempt \d+ of \d+: ", re.MULTILINE)
_VARIES = re.compile(
    r"'[^']*'|\"[^\"]*\"|(?:[\w.~-]*/)+[\w.~-]+|\b0x[0-9a-fA-F]+\b|(?<![A-Za-z])[-+]?\d(?:[\d.,:]*\d)?(?:e[-+]?\d+)?"
)


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

    def and_also(self, outcome: Outcome) -> Reuse:
        """The same with one more outcome, if it was reused."""
        if (then := outcome.reused) is None:
            return self
        logs = {**self.logs, then.log: self.logs.get(then.log, 0) + 1}
        saved, seconds = total((self.saved, then.spent)), self.seconds + then.seconds
        return Reuse(logs=logs, saved=saved, seconds=seconds)


@dataclass(slots=True)
class _Count:
    evaluations: int = 0
    failures: int = 0
    seconds: float = 0.0
    paid: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, outcome: Outcome, sign: int = 1) -> None:
        self.evaluations += sign
        self.failures += sign * outcome.failed
        self.seconds += sign * outcome.seconds
        for name, amount in outcome.spent.items():
            self.paid[name] += sign * amount


class Tally:
    """Counts outcomes one by one, without holding them in memory.

    Attributes
    ----------
    paid
        What all of them were charged by name, whatever became of them.
    unanswered
        Begun and paid evaluations without an outcome: stopped, lost in a kill, or second attempts.
        `paid` has them at the mean price.
    refused, censored
        How often services were busy; how many evaluations were stopped at their bound.
    reuse
        What was taken from the logs of earlier runs.
    """

    def __init__(self) -> None:
        self._counts: dict[int, _Count] = defaultdict(_Count)
        self._firsts: dict[str, int] = defaultdict(int)
        self._last: dict[str, str] = {}
        self.censored = self.refused = self.unanswered = 0
        self.paid: dict[str, float] = {}
        self.reuse = Reuse()

    def add(self, outcome: Outcome) -> None:
        """Count one outcome."""
        self.refused += outcome.refused
        self.reuse = self.reuse.and_also(outcome)
        if outcome.spent:
            self.paid = total((self.paid, outcome.spent))
        self._counts[outcome.candidate].add(outcome)
        if outcome.status is not Status.OK:
            self.censored += outcome.censored
            self.add_message(outcome)

    def remove(self, outcome: Outcome) -> None:
        """Remove one outcome from the counts; its payments stay."""
        self._counts[outcome.candidate].add(outcome, -1)
        self.censored -= outcome.censored
        if outcome.failed:
            self._firsts[_first_line(outcome)] -= 1

    def add_message(self, outcome: Outcome) -> None:
        """Count why an evaluation failed."""
        if outcome.failed:
            first = _first_line(outcome)
            self._firsts[first] += 1
            self._last[first] = last_line(outcome.message)

    def close(self, race: View, log: Log) -> None:
        """Take out what does not count; count attempts that failed, and what has no outcome."""
        for outcome in race.uncounted:
            self.remove(outcome)
        for attempt in log.failed_attempts():
            self.add_message(attempt.outcome)
        self.unanswered = log.unanswered
        lost = at_mean_price(self.paid, race.outcomes, self.unanswered)
        self.paid = total((self.paid, lost))

    def expense(self, candidate: Candidate) -> Expense:
        """The spending on a candidate."""
        one = self._counts[candidate.id]
        return Expense(
            candidate=candidate, evaluations=one.evaluations, failures=one.failures,
            seconds=one.seconds, paid=dict(one.paid),
        )  # fmt: skip

    @property
    def messages(self) -> tuple[Message, ...]:
        """Why evaluations failed, by first lines of messages, the most frequent first.

        Those that differ only in numbers, quoted names and paths are one, with … where they differ.
        """
        kinds: dict[str, dict[str, int]] = defaultdict(dict)
        for message, times in self._firsts.items():
            if times:
                kinds[pattern(message)][message] = times
        found = [
            Message(message=common(alike) if len(alike) > 1 else one, times=sum(alike.values()),
                    last_line=self._last[one])
            for alike in kinds.values() for one in [max(alike, key=alike.__getitem__)]
        ]  # fmt: skip
        return tuple(sorted(found, key=lambda one: (-one.times, one.message)))


def _first_line(failed: Outcome) -> str:
    return _first(failed.message) or str(failed.status)


@dataclass(kw_only=True)
class Failure:
    """Evaluations with the same kind of failure.

    Attributes
    ----------
    status
        How they ended: `crashed`, `timeout`, ….
    first
        The first line of their message, without what varies; see `pattern`.
    count
        How many there were, repeated attempts included.
    candidates
        Ids of those that failed so, in the order of their first failure.
    example
        (candidate, step) of the latest.
    end
        The end of the latest message, at most `END` characters.
    """

    status: str
    first: str
    count: int = 0
    candidates: dict[int, None] = field(default_factory=dict)
    example: tuple[int, int] = (0, 0)
    end: str = ""


class FailureGroups:
    """Groups failures by how they ended and what the first lines of messages have in common."""

    def __init__(self) -> None:
        self._groups: dict[tuple[str, str], Failure] = {}

    def add(self, outcome: Outcome) -> None:
        """Note an outcome if it failed."""
        if not outcome.failed:
            return
        key = str(outcome.status), pattern(outcome.message)
        if key not in self._groups and len(self._groups) >= _GROUPS:
            key = "other", "(messages that are all different)"
        group = self._groups.setdefault(key, Failure(status=key[0], first=key[1]))
        group.count += 1
        group.candidates[outcome.candidate] = None
        group.example, group.end = outcome.key, outcome.message[-END:]

    def all(self) -> tuple[Failure, ...]:
        """Every group, the most frequent first."""
        every = self._groups.values()
        return tuple(sorted(every, key=lambda one: (-one.count, one.status, one.first)))


def pattern(message: str) -> str:
    """The first line of a message, with … for its numbers, quoted names and paths."""
    return _VARIES.sub("…", _first(message))


def common(messages: Iterable[str]) -> str:
    """The first line of messages of one pattern, with … where they differ."""
    lines = [_first(one) for one in messages]
    words = zip(*map(_VARIES.findall, lines), strict=False)
    kept = iter([word[0] if len(set(word)) == 1 else "…" for word in words])
    return _VARIES.sub(lambda _: next(kept, "…"), lines[0])


def _first(message: str) -> str:
    """The first line, of several attempts that of the last one: the others are counted alone."""
    return _ATTEMPT.split(message)[-1].partition("\n")[0][:300]

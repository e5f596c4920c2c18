"""What every log is, and the records that only logs know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import TracebackType
from typing import Literal, Protocol, Self

from racing.budget import Budget
from racing.candidate import Candidate
from racing.decider import Entrant
from racing.experiment import Instance, Outcome
from racing.objective import Objective
from racing.quantities import Direction
from racing.rules.verdict import Verdict


def now() -> str:
    """The time of day in UTC, as ISO 8601 to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(frozen=True, kw_only=True)
class Header:
    """What a run is: written once, when its log is created.

    Attributes
    ----------
    name, seed, direction, objective
        As in the scenario.
    scenario
        The whole scenario as plain data (what JSON can hold), so that a log explains itself.
    racing
        The version of this package that created the log.
    created
        When, in UTC, ISO 8601.
    """

    name: str
    seed: int
    direction: Direction = "minimize"
    objective: Objective = "rank"
    scenario: Mapping[str, object] = field(default_factory=dict)
    racing: str = ""
    created: str = field(default_factory=now)


@dataclass(frozen=True, kw_only=True)
class FailedAttempt:
    """A start of the target that did not become an outcome.

    Attributes
    ----------
    outcome
        What it came to; `attempts` counts which start it was.
    then
        `retried`: the target was started again. `stopped`: the scenario's policy ended the run, and
        a resumed run starts the experiment again.
    """

    outcome: Outcome
    then: Literal["retried", "stopped"]


@dataclass(frozen=True, kw_only=True)
class Session:
    """One stretch of work on a run, by one process.

    Attributes
    ----------
    pid, host
        Who worked.
    started, ended
        UTC, ISO 8601; `ended` is None while it lasts, and for ever if the process was killed.
    why
        Why it ended; None as `ended`.
    """

    pid: int
    host: str
    started: str
    ended: str | None = None
    why: str | None = None


@dataclass(frozen=True, kw_only=True)
class Unfinished:
    """Evaluations that were begun and ended before they had an outcome, since none could count.

    Attributes
    ----------
    evaluations
        How many.
    seconds
        For how long they ran, all together.
    """

    evaluations: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, kw_only=True)
class TargetFile:
    """A file of the target, as it was from one outcome on.

    Attributes
    ----------
    path
        Seen from the scenario's folder.
    sha256
        Of what it holds, in hexadecimal; empty where it could not be read.
    since
        The number of the first outcome that was made with it, from 1.
    """

    path: str
    sha256: str
    since: int


@dataclass(frozen=True, kw_only=True)
class Finish:
    """How a run ended: why the race stopped, and the winner's id (None without one)."""

    stopped: str
    winner: int | None


@dataclass(frozen=True, kw_only=True)
class Extension:
    """A run that was over and goes on with other limits.

    Attributes
    ----------
    after
        After how many outcomes.
    budget
        The limits from then on, counted from the start of the run.
    finish
        How the run had ended.
    """

    after: int
    budget: Budget
    finish: Finish


class Log(Protocol):
    """Remembers a run. Whatever a method was given is kept when it returns.

    A log never changes or forgets a record; an extension keeps how the run had ended before. What
    is told again must agree with what is there, except for outcomes, which are refused the second
    time: an experiment has one outcome.

    Every method that writes raises `LogError` when it cannot, and the log is then as before.
    """

    @property
    def header(self) -> Header:
        """What the run is."""

    @property
    def elapsed(self) -> float:
        """Wall-clock seconds over all sessions, as far as the records tell."""

    @property
    def finished(self) -> Finish | None:
        """How the run ended; None if it did not yet."""

    def add(self, entrants: Iterable[Entrant | Candidate]) -> None:
        """Keep entrants, or candidates given at the start, in this order.

        One that is there already must be equal, else `LogError`.
        """

    def entrants(self) -> list[Entrant]:
        """Every candidate, with when and why it entered, in the order in which they were added."""

    def candidates(self) -> list[Candidate]:
        """Every candidate, in the order in which they were added."""

    def instances(self) -> list[Instance]:
        """Every instance used so far, by step; `problem` is not kept."""

    def record(self, outcome: Outcome, instance: Instance) -> None:
        """Keep an outcome, and its instance when that is new; committed when this returns.

        Its earlier attempts are kept with it, as failed attempts that were retried.

        Raises
        ------
        LogError
            If the experiment has an outcome already (the first one stays), if its candidate is
            unknown, or if the instance is another one than the log has at that step.
        """

    def outcomes(self) -> list[Outcome]:
        """Every outcome, in the order of their commits."""

    def each_outcome(self) -> Iterator[Outcome]:
        """The same one by one, without holding all of them; nothing may be written meanwhile."""

    def record_failed_attempt(
        self, outcome: Outcome, instance: Instance, *, then: Literal["retried", "stopped"]
    ) -> None:
        """Keep a failed start of the target that is not (or not yet) the experiment's outcome."""

    def failed_attempts(self) -> list[FailedAttempt]:
        """Every failed start kept so, in the order of their commits."""

    def note_dropped(self, evaluations: int, seconds: float) -> None:
        """Keep that so many evaluations of this session were ended, since they could not count.

        Parameters
        ----------
        seconds
            For how long they ran, all together.
        """

    @property
    def dropped(self) -> Unfinished:
        """What was ended so, over all sessions."""

    def record_verdict(self, verdict: Verdict) -> None:
        """Keep the next verdict of the race.

        A session tells all verdicts from the race's first: those that the log has are compared, the
        others are added.

        Raises
        ------
        LogError
            If the log has another verdict at that place: log and code disagree.
        """

    def verdicts(self) -> list[Verdict]:
        """Every verdict, in the order given."""

    def note_target(self, files: Mapping[str, str]) -> None:
        """Keep what the target's files (path → SHA-256) are from the next outcome on.

        What the log has last of a file is not kept again.
        """

    def target_files(self) -> list[TargetFile]:
        """Every file so kept, in that order."""

    def begin_session(self, pid: int, host: str) -> None:
        """Note that a process starts to work on the run."""

    def end_session(self, why: str, *, elapsed: float | None = None) -> None:
        """Note why the session ended, and the run's wall-clock seconds by then."""

    def sessions(self) -> Sequence[Session]:
        """Every session, the first one first."""

    def finish(self, stopped: str, winner: int | None) -> None:
        """Note how the run ended. Said again it must be equal, else `LogError`."""

    def extend(self, budget: Budget) -> None:
        """Let a run that is over go on with these limits, counted from its start.

        Raises
        ------
        LogError
            If the run is not over.
        """

    def extensions(self) -> list[Extension]:
        """Every extension, the first one first."""

    def snapshot(self) -> AbstractContextManager[None]:
        """Within it, everything that is read is from one moment."""

    def close(self) -> None:
        """Let go of the log; closing twice is nothing."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
        /,
    ) -> None: ...

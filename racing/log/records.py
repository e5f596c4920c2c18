"""The records of logs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from racing.base.quantities import Direction
from racing.core.budget import Budget
from racing.core.experiment import Outcome
from racing.core.objective import Objective


def now() -> str:
    """The current time in UTC, as ISO 8601 to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(frozen=True, kw_only=True)
class Header:
    """The description of a run, written once, when its log is created.

    Attributes
    ----------
    name, seed, direction, objective
        As in the scenario.
    scenario
        The whole scenario as plain data for JSON, so that the log is complete.
    racing
        The version of this package that created the log.
    created
        The time of creation, in UTC, ISO 8601.

    Examples
    --------
    >>> from racing.log import Header, MemoryLog
    >>> log = MemoryLog(Header(name="tune", seed=1, direction="maximize"))
    >>> log.header.name, log.header.direction, log.header.objective
    ('tune', 'maximize', 'rank')
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
    """A failed start of the target without an outcome.

    Attributes
    ----------
    outcome
        How it ended; `attempts` is the number of the start.
    then
        `retried`: the target was started again. `stopped`: the failure policy ended the run, and a
        resumed run starts the experiment again.

    Examples
    --------
    >>> import racing
    >>> from racing.log import MemoryLog, header_of
    >>> race = racing.Race([{"x": 1}, {"x": 2}], range(10))
    >>> log = MemoryLog(header_of(race))
    >>> log.add(race.entrants)
    >>> experiment = race.ask()[0]
    >>> failure = experiment.failure(racing.Status.CRASHED, "no license")
    >>> log.record_failed_attempt(failure, experiment.instance, then="retried")
    >>> [(str(failed.outcome.status), failed.then) for failed in log.failed_attempts()]
    [('crashed', 'retried')]
    """

    outcome: Outcome
    then: Literal["retried", "stopped"]


@dataclass(frozen=True, kw_only=True)
class Session:
    """The work of one process on a run.

    Attributes
    ----------
    pid, host
        The process, and its machine.
    started, ended
        UTC, ISO 8601; `ended` is None while it lasts, and if the process was killed.
    why
        Why it ended; None if `ended` is.

    Examples
    --------
    >>> from racing.log import Header, MemoryLog
    >>> log = MemoryLog(Header(name="tune", seed=1))
    >>> log.begin_session(pid=4711, host="node1")
    >>> log.end_session("interrupted", elapsed=60.0)
    >>> [(session.pid, session.host, session.why) for session in log.sessions()]
    [(4711, 'node1', 'interrupted')]
    """

    pid: int
    host: str
    started: str
    ended: str | None = None
    why: str | None = None


@dataclass(frozen=True, kw_only=True)
class Unfinished:
    """Evaluations that were stopped because their outcomes could no longer count.

    Attributes
    ----------
    evaluations
        How many.
    seconds
        Their total running time.

    Examples
    --------
    >>> from racing.log import Header, MemoryLog
    >>> log = MemoryLog(Header(name="tune", seed=1))
    >>> log.begin_session(pid=4711, host="node1")
    >>> log.note_dropped(evaluations=2, seconds=3.5)
    >>> log.dropped
    Unfinished(evaluations=2, seconds=3.5)
    """

    evaluations: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, kw_only=True)
class TargetFile:
    """A version of a file of the target, or of a function given by Python code, from an outcome on.

    Attributes
    ----------
    path
        Relative to the scenario's folder; of a function, its key and the version of Python, and
        the name of what it holds.
    sha256
        Of its content, in hexadecimal; empty if it could not be read, or the function changes it.
    since
        The number of the first outcome with it, from 1.

    Examples
    --------
    >>> from racing.log import Header, MemoryLog
    >>> log = MemoryLog(Header(name="tune", seed=1))
    >>> log.note_target({"solve.py": "0a1b", "data.txt": "2c3d"})
    >>> [(file.path, file.sha256, file.since) for file in log.target_files()]
    [('solve.py', '0a1b', 1), ('data.txt', '2c3d', 1)]
    """

    path: str
    sha256: str
    since: int


@dataclass(frozen=True, kw_only=True)
class Finish:
    """How a run ended: why the race stopped, and the winner's id (None without one).

    Examples
    --------
    >>> from racing.core.stop import Stop
    >>> from racing.log import Header, MemoryLog
    >>> log = MemoryLog(Header(name="tune", seed=1))
    >>> log.finish("evaluations", winner=None)
    >>> log.finished
    Finish(stopped='evaluations', winner=None)
    >>> Stop(log.finished.stopped).meaning
    'the budget of evaluations does not cover another instance'
    """

    stopped: str
    winner: int | None


@dataclass(frozen=True, kw_only=True)
class Extension:
    """An extension of a finished run by other limits.

    Attributes
    ----------
    after
        After how many outcomes.
    budget
        The limits from then on, counted from the start of the run.
    finish
        How the run had ended.
    instances
        Those that were added, as in the list of a scenario.

    Examples
    --------
    >>> from racing import Budget
    >>> from racing.log import Header, MemoryLog
    >>> log = MemoryLog(Header(name="tune", seed=1))
    >>> log.finish("evaluations", winner=None)
    >>> log.extend(Budget(evaluations=500))
    >>> [(each.after, each.budget.evaluations) for each in log.extensions()]
    [(0, 500)]
    """

    after: int
    budget: Budget
    finish: Finish
    instances: tuple[Mapping[str, object], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Lost:
    """Paid evaluations without an outcome, found when a run was resumed: a session was killed.

    Attributes
    ----------
    after
        After how many outcomes.
    evaluations
        How many.
    spent
        What was probably paid for them, by name: at the mean price of the outcomes.

    Examples
    --------
    >>> from racing import Candidate
    >>> from racing.log import Header, MemoryLog
    >>> log = MemoryLog(Header(name="tune", seed=1))
    >>> log.add([Candidate(1, {"x": 1}), Candidate(2, {"x": 2})])
    >>> log.begin([(1, 0), (2, 0)])
    >>> log.unanswered
    2
    >>> log.note_lost(2, {"usd": 0.004})
    >>> [(lost.evaluations, lost.spent["usd"]) for lost in log.losses()]
    [(2, 0.004)]
    """

    after: int
    evaluations: int
    spent: Mapping[str, float]

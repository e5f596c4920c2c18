"""A log in memory, lost with its process: for embedded use and tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Literal, Self

from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.decider import Entrant
from racing.core.experiment import Instance, Outcome
from racing.core.verdict import Verdict
from racing.log.check import (
    check_entrant,
    check_finish,
    check_instance,
    check_over,
    check_verdict,
    entrant_of,
    refuse_outcome,
    refuse_stranger,
)
from racing.log.log import (
    Extension,
    FailedAttempt,
    Finish,
    Header,
    Lost,
    Session,
    TargetFile,
    Unfinished,
    now,
)


class MemoryLog:
    """A `Log` in plain lists, lost when the process ends.

    Examples
    --------
    >>> import racing
    >>> from racing.log import MemoryLog, Recorder, header_of
    >>> race = racing.Race([{"x": 1}, {"x": 2}], range(10))
    >>> log = MemoryLog(header_of(race))
    >>> recorder = Recorder(race, log)
    >>> for experiment in recorder.ask(3):
    ...     recorder.tell(experiment.outcome(experiment.candidate.values["x"]))
    >>> [(outcome.candidate, outcome.cost) for outcome in log.outcomes()]
    [(1, 1.0), (2, 2.0), (1, 1.0)]
    """

    def __init__(self, header: Header) -> None:
        self._header = header
        self._candidates: dict[int, Entrant] = {}
        self._instances: dict[int, Instance] = {}
        self._outcomes: dict[tuple[int, int], Outcome] = {}
        self._failed: list[FailedAttempt] = []
        self._verdicts: list[Verdict] = []
        self._verdict = 0
        self._dropped = Unfinished()
        self._target: list[TargetFile] = []
        self._sessions: list[Session] = []
        self._ended_at = 0.0
        self._finished: Finish | None = None
        self._extensions: list[Extension] = []
        self._begun: list[tuple[int, int]] = []
        self._losses: list[Lost] = []

    @property
    def header(self) -> Header:
        return self._header

    @property
    def elapsed(self) -> float:
        ended = (outcome.elapsed for outcome in self._outcomes.values())
        failed = (attempt.outcome.elapsed for attempt in self._failed)
        return max((self._ended_at, *ended, *failed))

    @property
    def finished(self) -> Finish | None:
        return self._finished

    def add(self, entrants: Iterable[Entrant | Candidate]) -> None:
        added = dict(self._candidates)
        for entrant in map(entrant_of, entrants):
            id = entrant.candidate.id
            check_entrant(added.setdefault(id, entrant), entrant, self._name)
        self._candidates = added

    def entrants(self) -> list[Entrant]:
        return list(self._candidates.values())

    def candidates(self) -> list[Candidate]:
        return [entrant.candidate for entrant in self._candidates.values()]

    def instances(self) -> list[Instance]:
        return [self._instances[step] for step in sorted(self._instances)]

    def record(self, outcome: Outcome, instance: Instance) -> None:
        self._meet(outcome, instance)
        if outcome.key in self._outcomes:
            refuse_outcome(self._outcomes[outcome.key], outcome, self._name)
        self._instances.setdefault(instance.step, replace(instance, problem=None))
        self._failed += [FailedAttempt(outcome=one, then="retried") for one in outcome.earlier]
        self._outcomes[outcome.key] = replace(outcome, earlier=())

    def outcomes(self) -> list[Outcome]:
        return list(self._outcomes.values())

    def each_outcome(self) -> Iterator[Outcome]:
        return iter(self._outcomes.values())

    def record_failed_attempt(
        self, outcome: Outcome, instance: Instance, *, then: Literal["retried", "stopped"]
    ) -> None:
        self._meet(outcome, instance)
        self._instances.setdefault(instance.step, replace(instance, problem=None))
        self._failed.append(FailedAttempt(outcome=outcome, then=then))

    def failed_attempts(self) -> list[FailedAttempt]:
        return list(self._failed)

    def note_dropped(self, evaluations: int, seconds: float) -> None:
        self._dropped = Unfinished(
            evaluations=self._dropped.evaluations + evaluations,
            seconds=self._dropped.seconds + seconds,
        )

    @property
    def dropped(self) -> Unfinished:
        return self._dropped

    def begin(self, keys: Iterable[tuple[int, int]]) -> None:
        self._begun += keys

    @property
    def unanswered(self) -> int:
        return len(self._begun) - len(self._outcomes.keys() & set(self._begun))

    def note_lost(self, evaluations: int, spent: Mapping[str, float]) -> None:
        after = len(self._outcomes)
        self._losses.append(Lost(after=after, evaluations=evaluations, spent=dict(spent)))

    def losses(self) -> list[Lost]:
        return list(self._losses)

    def record_verdict(self, verdict: Verdict) -> None:
        if self._verdict < len(self._verdicts):
            check_verdict(self._verdicts[self._verdict], verdict, self._verdict + 1, self._name)
        else:
            self._verdicts.append(verdict)
        self._verdict += 1

    def verdicts(self) -> list[Verdict]:
        return list(self._verdicts)

    @property
    def outdated(self) -> bool:
        return False

    def note_target(self, files: Mapping[str, str]) -> None:
        known = {file.path: file.sha256 for file in self._target}
        since = 1 + len(self._outcomes)
        self._target += [
            TargetFile(path=path, sha256=sha256, since=since)
            for path, sha256 in files.items()
            if known.get(path) != sha256
        ]

    def target_files(self) -> list[TargetFile]:
        return list(self._target)

    def begin_session(self, pid: int, host: str) -> None:
        self._verdict = 0
        self._sessions.append(Session(pid=pid, host=host, started=now()))

    def end_session(self, why: str, *, elapsed: float | None = None) -> None:
        if self._sessions:
            self._sessions[-1] = replace(self._sessions[-1], ended=now(), why=why)
            self._ended_at = max(self._ended_at, elapsed or 0.0)

    def sessions(self) -> list[Session]:
        return list(self._sessions)

    def finish(self, stopped: str, winner: int | None) -> None:
        finish = Finish(stopped=str(stopped), winner=winner)  # `stopped` may be an Enum
        check_finish(self._finished or finish, finish, self._name)
        self._finished = finish

    def extend(
        self,
        budget: Budget,
        instances: Sequence[Mapping[str, object]] = (),
        *,
        ending: Finish | None = None,
    ) -> None:
        finish = check_over(self._finished or ending, self._name)
        self._extensions.append(
            Extension(
                after=len(self._outcomes), budget=budget, finish=finish, instances=tuple(instances)
            )
        )
        self._finished = None

    def extensions(self) -> list[Extension]:
        return list(self._extensions)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        yield

    def close(self) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _name(self) -> str:
        return f"the log of {self._header.name}"

    def _meet(self, outcome: Outcome, instance: Instance) -> None:
        refuse_stranger(outcome, instance, self._candidates, self._name)
        check_instance(self._instances.get(instance.step, instance), instance, self._name)

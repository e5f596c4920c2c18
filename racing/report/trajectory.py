"""The trajectory of a run: survivors and leader over instances, evaluations and time."""

from __future__ import annotations

from dataclasses import dataclass

from racing.core.experiment import Outcome
from racing.core.view import View


@dataclass(frozen=True, slots=True)
class Mark:
    """The state of a run at one point.

    Attributes
    ----------
    evaluations, elapsed
        Outcomes by then, and the run's wall-clock seconds.
    instances
        How many instances were complete.
    alive
        How many survivors, of a search elites, there were.
    entered
        How many candidates had entered.
    leader
        Id of the candidate that the last verdict put first, of a search of the best elite; None
        before there is one.
    """

    evaluations: int
    elapsed: float
    instances: int
    alive: int
    entered: int
    leader: int | None


class Trajectory:
    """Follows a replay and keeps a mark whenever something changed: one pass, little memory."""

    def __init__(self) -> None:
        self.marks: list[Mark] = []
        self._outcomes = 0
        self._elapsed = 0.0
        self._seen = -1, -1

    def add(self, decider: View, outcome: Outcome) -> None:
        """Keep a mark if there are more instances or verdicts than before."""
        self._outcomes += 1
        self._elapsed = max(self._elapsed, outcome.elapsed)
        seen = decider.instances_seen, len(decider.verdicts)
        if seen != self._seen:
            self._seen = seen
            self._mark(decider)

    def end(self, decider: View) -> tuple[Mark, ...]:
        """All marks, the last one for the end."""
        if not self.marks or self.marks[-1].evaluations != self._outcomes:
            self._mark(decider)
        return tuple(self.marks)

    def _mark(self, decider: View) -> None:
        self.marks.append(
            Mark(
                evaluations=self._outcomes,
                elapsed=self._elapsed,
                instances=decider.instances_seen,
                alive=len(decider.survivors),
                entered=len(decider.entrants),
                leader=_leader(decider),
            )
        )


def _leader(decider: View) -> int | None:
    if decider.as_search is not None and decider.as_search.elites:
        return decider.as_search.elites[0].id
    return decider.verdicts[-1].leader if decider.verdicts else None

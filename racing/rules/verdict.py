"""What a rule decides, and why: every number that led to it is kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from racing.markup import table
from racing.results import Results


class Reason(StrEnum):
    """Why a candidate leaves the race."""

    INFERIOR = "inferior"
    INDISTINGUISHABLE = "indistinguishable"
    NOT_WORTHWHILE = "not worthwhile"
    SCHEDULE = "schedule"


@dataclass(frozen=True, kw_only=True)
class Gate:
    """An omnibus test that must reject before candidates are compared one with another.

    Attributes
    ----------
    test
        Its name: which gate was used matters, since some cannot reject on few instances.
    statistic, threshold
        The test's statistic and what it had to exceed.
    p_value
        The p-value, or the posterior probability of no difference; NaN where the test has none.
    passed
        Whether it rejected, so that eliminations were possible at all.
    """

    test: str
    statistic: float
    threshold: float
    p_value: float
    passed: bool


@dataclass(frozen=True, kw_only=True)
class Elimination:
    """One candidate out of the race.

    Attributes
    ----------
    candidate, against
        Ids: who leaves, and the candidate that it lost to (or could not be told from).
    reason
        Inferior, indistinguishable, and so on.
    measure
        What `value` and `threshold` are: `p-value`, `posterior`, `gain`, …
    value, threshold
        The number that decided and the one that it was held to.
    statistic
        The statistic behind it (wins of the winner, a z value, …); NaN where there is none.
    """

    candidate: int
    against: int
    reason: Reason = Reason.INFERIOR
    measure: str
    value: float
    threshold: float
    statistic: float


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What a rule said after an instance.

    Attributes
    ----------
    instances
        How many instances it judged by.
    leader
        Id of the candidate that looked best.
    eliminated
        Who leaves, with the numbers.
    gate
        The omnibus test, if the rule has one.
    about
        Ids of the candidates that it could drop; None for all survivors. The decider fills this in.
    steps
        The instances that it judged by, in order; None for the first `instances` ones. The decider
        fills this in.
    """

    instances: int
    leader: int
    eliminated: tuple[Elimination, ...] = ()
    gate: Gate | None = None
    about: tuple[int, ...] | None = None
    steps: tuple[int, ...] | None = None

    def _repr_html_(self) -> str:
        """Who leaves, for notebooks."""
        rows = (
            [f"#{e.candidate}", f"#{e.against}", e.reason, e.measure, e.value, e.threshold]
            for e in self.eliminated
        )
        head = f"After {self.instances} instances #{self.leader} leads"
        if self.gate is not None:
            said = "rejects" if self.gate.passed else "does not reject"
            head += f"; the {self.gate.test} test {said}"
        columns = ["dropped", "against", "reason", "measure", "value", "threshold"]
        return table(head, columns, rows, total=len(self.eliminated))


def eliminations(
    results: Results,
    columns: Iterable[Any],
    *,
    against: Any,
    measure: str,
    value: Any,
    threshold: Any,
    statistic: Any,
    reason: Reason = Reason.INFERIOR,
) -> tuple[Elimination, ...]:
    """Eliminations of survivors, told by their columns in `results.block`.

    Parameters
    ----------
    columns
        Which survivors leave.
    against
        The column of the survivor that they lost to: one for all, or an array of k.
    value, threshold, statistic
        Numbers, or arrays of k, one for each survivor.
    """

    def of(column: int, given: Any) -> Any:
        return given[column] if isinstance(given, np.ndarray) else given

    return tuple(
        elimination(
            results,
            column,
            of(column, against),
            reason=reason,
            measure=measure,
            value=of(column, value),
            threshold=of(column, threshold),
            statistic=of(column, statistic),
        )
        for column in map(int, columns)
    )


def elimination(
    results: Results,
    column: Any,
    against: Any,
    *,
    measure: str,
    value: Any,
    threshold: Any,
    statistic: Any,
    reason: Reason = Reason.INFERIOR,
) -> Elimination:
    """The elimination of one survivor; both are told by their columns in `results.block`."""
    return Elimination(
        candidate=results.id(int(column)),
        against=results.id(int(against)),
        reason=reason,
        measure=measure,
        value=float(value),
        threshold=float(threshold),
        statistic=float(statistic),
    )

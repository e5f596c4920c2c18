"""The decisions of rules, with every number that led to them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from racing.base.errors import InputError
from racing.base.markup import table
from racing.base.plain import known
from racing.core.results import Results


class Reason(StrEnum):
    """Why a candidate is dropped.

    Examples
    --------
    >>> from racing.rules import Reason
    >>> [reason.value for reason in Reason]
    ['inferior', 'indistinguishable', 'not worthwhile', 'schedule', 'dominated']
    """

    INFERIOR = "inferior"
    INDISTINGUISHABLE = "indistinguishable"
    NOT_WORTHWHILE = "not worthwhile"
    SCHEDULE = "schedule"
    DOMINATED = "dominated"


@dataclass(frozen=True, kw_only=True)
class Gate:
    """An omnibus test that must reject before pairs of candidates are compared.

    Attributes
    ----------
    test
        Its name; some tests cannot reject on few instances.
    statistic, threshold
        The test's statistic and its critical value.
    p_value
        The p-value, or the posterior probability of no difference; None where the test has
        none. NaN becomes None.
    passed
        Whether it rejected, so that eliminations were possible.

    Examples
    --------
    >>> from racing.rules import Gate
    >>> gate = Gate(test="friedman", statistic=9.5, threshold=5.99, p_value=0.009, passed=True)
    >>> gate.passed, gate.p_value
    (True, 0.009)
    """

    test: str
    statistic: float
    threshold: float
    p_value: float | None
    passed: bool

    def __post_init__(self) -> None:
        _refuse_nan(self, "statistic", "threshold")
        object.__setattr__(self, "p_value", known(self.p_value))


@dataclass(frozen=True, kw_only=True)
class Elimination:
    """The elimination of one candidate.

    Attributes
    ----------
    candidate, against
        Ids: the dropped candidate, and the one that it lost to (or is indistinguishable from).
    reason
        Inferior, indistinguishable, and so on.
    measure
        The kind of `value` and `threshold`: `p-value`, `posterior`, `gain`, …
    value, threshold
        The number that decided and its threshold.
    statistic
        The statistic behind it (wins of the winner, a z value, …); None without one.
        NaN becomes None.

    Examples
    --------
    >>> import racing
    >>> from racing.rules import Sign
    >>> race = racing.Race([{"x": 1}, {"x": 2}], range(20), rule=Sign())
    >>> while not race.stopped:
    ...     for experiment in race.ask():
    ...         race.tell(experiment, experiment.candidate.values["x"])
    >>> [each] = race.verdicts[-1].eliminated
    >>> each.candidate, each.against, each.reason.value
    (2, 1, 'inferior')
    >>> f"{each.measure} {each.value:.3f} below {each.threshold:.3f}"
    'p-value 0.031 below 0.050'
    """

    candidate: int
    against: int
    reason: Reason = Reason.INFERIOR
    measure: str
    value: float
    threshold: float
    statistic: float | None = None

    def __post_init__(self) -> None:
        _refuse_nan(self, "value", "threshold")
        object.__setattr__(self, "statistic", known(self.statistic))


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The verdict of a rule after an instance.

    Attributes
    ----------
    instances
        The number of instances in the test.
    leader
        Id of the best candidate in the test.
    eliminated
        The dropped candidates, with the evidence.
    gate
        The omnibus test, if the rule has one.
    about
        Ids of the candidates that it could drop; None for all survivors. The decider fills this in.
    steps
        The instances in the test, in order; None for the first `instances` ones. The decider fills
        this in.

    Examples
    --------
    >>> import racing
    >>> race = racing.Race([{"x": 1}, {"x": 2}], range(20))
    >>> while not race.stopped:
    ...     for experiment in race.ask():
    ...         race.tell(experiment, experiment.candidate.values["x"])
    >>> verdict = race.verdicts[-1]
    >>> verdict.instances, verdict.leader, [each.candidate for each in verdict.eliminated]
    (5, 1, [2])
    """

    instances: int
    leader: int
    eliminated: tuple[Elimination, ...] = ()
    gate: Gate | None = None
    about: tuple[int, ...] | None = None
    steps: tuple[int, ...] | None = None

    def _repr_html_(self) -> str:
        """The eliminations as HTML, for notebooks."""
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


def verdict_on(
    results: Results, leader: Any, eliminated: Iterable[Elimination] = (), gate: Gate | None = None
) -> Verdict:
    """The verdict of a rule; the leader is given by its column in `results.block`."""
    return Verdict(
        instances=len(results.block),
        leader=results.id(int(leader)),
        eliminated=tuple(eliminated),
        gate=gate,
    )


def eliminations(
    results: Results,
    columns: Iterable[Any],
    against: Any,
    measure: str,
    value: Any,
    threshold: Any,
    statistic: Any = None,
    reason: Any = Reason.INFERIOR,
) -> tuple[Elimination, ...]:
    """Eliminations of survivors, given by their columns in `results.block`.

    Parameters
    ----------
    columns
        The survivors that are dropped.
    against, value, threshold, statistic, reason
        As in `Elimination`; `against` is a column too. Each is one for all, or an array or a
        mapping that has one for each survivor.
    """

    def own(given: Any, column: int) -> Any:
        return given[column] if isinstance(given, np.ndarray | Mapping) else given

    return tuple(
        Elimination(
            candidate=results.id(column),
            against=results.id(int(own(against, column))),
            reason=own(reason, column),
            measure=measure,
            value=float(own(value, column)),
            threshold=float(own(threshold, column)),
            statistic=own(statistic, column),
        )
        for column in map(int, columns)
    )


def _refuse_nan(record: Gate | Elimination, *names: str) -> None:
    """Refuse NaN where a number decided.

    Raises
    ------
    InputError
        If one of the named fields is NaN.
    """
    for name in names:
        if math.isnan(getattr(record, name)):
            raise InputError(
                f"{type(record).__name__}: {name} must be the number that decided; got NaN"
            )

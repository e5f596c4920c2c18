"""What a failure counts as: what its rate shows, the worst, or a stated answer.

`worst` leaves +inf in the matrix: one more failure is worse than any difference in cost. That is
right where failures depend on the candidate, and lets chance decide where they do not. `rate`
tells the two apart, matrix by matrix:

1. If failures on an instance did not depend on the candidate, each that ran there would be as
   likely to be the one that failed. So the failures of candidate i have the distribution

       F_i = Σ_j Bernoulli(p_j),   p_j = failures on instance j / runs on instance j

   Instances on which all or none failed say nothing. A candidate is to blame if P(F_i ≥ its own)
   is `LEVEL` or less, or if it never succeeded. Its failures stay +inf.
2. Any other failure is one usual range above the worst cost of its instance: the mean range of the
   costs of an instance. So it stays the last there, and means of few failures can be compared.

The test is conditional on how hard each instance is, as that of Mantel and Haenszel (1959),
Statistical aspects of the analysis of data from retrospective studies of disease, Journal of the
National Cancer Institute 22, 719-748.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from racing.base.errors import InputError, show
from racing.base.quantities import Direction, Natural, Seconds, cost_of, unusable
from racing.base.records import (
    INVALID,
    Checked,
    Errors,
    FieldError,
    FieldErrors,
    Kind,
    Record,
    Schema,
    Short,
    argument,
)
from racing.base.records.collections import Named
from racing.base.records.leaves import Number
from racing.core.experiment import Outcome, Status

if TYPE_CHECKING:
    from racing.core.goal import Goal

Floats = NDArray[np.float64]
Penalty = float | Mapping[str, float]

LEVEL = 0.05
"""The level of the test whether a candidate is to blame for its failures."""


@dataclass(frozen=True)
class PenaltyKind(Kind):
    """The answer that a failure counts as: a number, or one for each metric."""

    allowed: str = "a number, or with several metrics a number for each, such as {time: 60}"

    def read(self, value: Any, at: str, errors: Errors) -> Any:
        kind = Named(Number(float)) if isinstance(value, Mapping) else Number(float)
        found = kind.read(value, at, Errors(plain=errors.plain))
        return self.refuse(value, at, errors) if found is INVALID else found

    def schema(self) -> Schema:
        return {"anyOf": [Number(float).schema(), Named(Number(float)).schema()]}


@dataclass(frozen=True, kw_only=True)
class OnFailure(Checked):
    """The treatment of a crash, a timeout, NaN or unreadable output.

    Attributes
    ----------
    policy
        With each, a failure is the last on its instance. In means, `worst`: one more failure is
        worse than any difference in cost. `rate`: so it is for a candidate that fails more often
        than chance explains; other failures count one usual range above the worst cost of their
        instance. `stop`: the run stops; finished evaluations are kept.
    penalty
        The answer that a failure counts as, in place of a policy: a number, in the direction of the
        scores, or with several metrics a value for each.
    retries
        The number of restarts of a failed run before it counts as a failure.
    patience
        The total time that an evaluation waits for a busy service: a Python function that raises
        `racing.Retry` is called again, after growing waits. These calls do not count as attempts;
        after this time, the evaluation fails.
    """

    policy: Literal["worst", "rate", "stop"] = "rate"
    penalty: Annotated[Penalty | None, PenaltyKind()] = None
    retries: Natural = 0
    patience: Seconds = 600.0

    def contradictions(self, given: dict[str, Any]) -> Iterable[FieldError]:
        """A penalty beside a policy that has none."""
        if given.get("penalty") is not None and given.get("policy", "rate") != "rate":
            yield FieldError("penalty", f"beside policy: {given['policy']}; keep one of them")


ON_FAILURE = Record(OnFailure, Short(((str, "policy"),), "worst, rate or stop"))
"""How files and arguments write it."""


@dataclass(frozen=True)
class Failures:
    """What a failure counts as.

    Attributes
    ----------
    policy
        `worst` or `rate`; with a penalty there are no failures left to judge.
    cost
        The cost of a failure; None without a penalty.
    metrics
        The cost of a failure in each metric, where there are several and a penalty.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.core.failures import Failures
    >>> costs = np.array([[1.0, 4.0, 3.0], [np.inf, 5.0, 4.0], [1.0, np.inf, 2.0]])
    >>> Failures("rate").judged(costs)[0].round(2).tolist()
    [[1.0, 4.0, 3.0], [6.67, 5.0, 4.0], [1.0, 3.67, 2.0]]
    """

    policy: Literal["worst", "rate"] = "worst"
    cost: float | None = None
    metrics: tuple[float, ...] = ()

    def heard(self, outcome: Outcome) -> Outcome:
        """The outcome, with the penalty for its cost if it failed."""
        if self.cost is None or not math.isinf(outcome.cost):
            return outcome
        status = outcome.status if outcome.failed else Status.CRASHED
        return replace(outcome, cost=self.cost, metrics=self.metrics, status=status)

    def judged(self, costs: Floats, metrics: Floats | None = None) -> tuple[Floats, Floats | None]:
        """Costs as rules and rankings read them.

        Parameters
        ----------
        costs : (n, m)
            +inf = failed, NaN = not run.
        metrics : (n, m, K)
            The costs of each metric.
        """
        if self.policy == "worst" or not (failed := np.isinf(costs)).any():
            return costs, metrics
        ran = ~np.isnan(costs)
        where = failed & ~to_blame(failed, ran) & (ran & ~failed).any(axis=1, keepdims=True)
        if metrics is not None:
            own = [_counted(metrics[:, :, k], where) for k in range(metrics.shape[2])]
            metrics = np.stack(own, axis=2)
        return _counted(costs, where), metrics


WORST = Failures()
"""Every failure is worse than any cost."""


def failures_of(on_failure: OnFailure, direction: Direction, goal: Goal | None = None) -> Failures:
    """What a failure counts as.

    Raises
    ------
    FieldErrors
        If the penalty is no answer of the target.
    """
    penalty, names = on_failure.penalty, () if goal is None else goal.names
    if penalty is None:
        return Failures("rate" if on_failure.policy == "rate" else "worst")
    told = penalty if isinstance(penalty, Mapping) else {"": penalty}
    if set(told) != (set(names) or {""}):
        what = f"a value of each metric ({', '.join(names)})" if names else "a number"
        raise FieldErrors([FieldError("penalty", f"must be {what}; got {show(penalty)}")])
    if whys := [why for score in told.values() if (why := unusable(score))]:
        raise FieldErrors([FieldError("penalty", why) for why in whys])
    if goal is None:
        return Failures(cost=cost_of(told[""], direction))
    costs = goal.costs(told)
    if unusable(cost := goal.cost(costs)):
        what = f"{goal.label} has no value that can be a cost for {dict(told)}"
        raise FieldErrors([FieldError("penalty", what)])
    return Failures(cost=cost, metrics=costs)


def on_failure_of(given: OnFailure | Mapping[str, Any] | str) -> OnFailure:
    """The argument `on_failure` of a race or search, in the forms of a file.

    Raises
    ------
    InputError
        If it is something else, or has keys that only a run has.
    """
    if isinstance(given, OnFailure):
        return given
    found = argument(ON_FAILURE, given, "on_failure")
    if found != OnFailure(policy=found.policy, penalty=found.penalty) or found.policy == "stop":
        raise InputError(
            "on_failure must be worst, rate, or a penalty; a race by ask and tell has no retries, "
            "patience and stop, as your own loop evaluates"
        )
    return found  # type: ignore[no-any-return]


def to_blame(failed: NDArray[np.bool_], ran: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(m,) which candidates fail too often for chance, from (n, m) what failed and what ran."""
    never = ~(ran & ~failed).any(axis=0)
    many, of = failed.sum(axis=1), ran.sum(axis=1)
    telling = (many > 0) & (many < of)
    failed, share = failed[telling], (many[telling] / of[telling])[:, None]
    chance = np.where(ran[telling], share, 0.0)
    own = failed.sum(axis=0)
    # (m, most + 1): the probability of each number of failures, the last of that many or more
    known = np.zeros((len(own), int(own.max(initial=0)) + 1))
    known[:, 0] = 1.0
    for p in chance[:, :, None]:
        more = known[:, :-1] * p
        known[:, :-1] -= more
        known[:, 1:] += more
    below = np.arange(known.shape[1]) < own[:, None]
    tail = 1 - np.where(below, known, 0.0).sum(axis=1)
    return np.asarray(never | (tail <= LEVEL))


def _counted(costs: Floats, where: NDArray[np.bool_]) -> Floats:
    """Costs with these failures one usual range above the worst cost of their instance."""
    ran = np.isfinite(costs)
    worst = np.where(ran, costs, -np.inf).max(axis=1, keepdims=True)
    best = np.where(ran, costs, np.inf).min(axis=1, keepdims=True)
    several = ran.sum(axis=1) > 1
    usual = float((worst - best)[several].mean()) if several.any() else 0.0
    return np.where(where, worst + (usual or 1.0), costs)

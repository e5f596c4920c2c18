"""The protocol of elimination rules."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from racing.base.errors import InputError
from racing.base.records import Checked
from racing.core.goal import Kind
from racing.core.objective import Objective, standing
from racing.core.results import Results
from racing.core.verdict import Elimination as Elimination
from racing.core.verdict import Gate as Gate
from racing.core.verdict import Reason as Reason
from racing.core.verdict import Verdict as Verdict
from racing.core.verdict import verdict_on

Places = NDArray[np.intp]

ASKED: dict[Kind, str] = {
    "single": "the objective is about one cost",
    "constraint": "the objective has constraints (subject_to)",
    "order": "the objective is an order of metrics",
    "front": "the objective is a front of metrics",
}
"""The kinds of objectives in messages."""

ORDERED: tuple[Kind, ...] = ("single", "constraint", "order")
"""The kinds of objectives for rules that need only the order of the survivors."""

FIRST_LOOK = 5
"""The default number of instances before the first test."""


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """The objective of the race, and its possible future.

    Attributes
    ----------
    objective
        What "best" means: `rank`, the best mean rank over instances, or `mean`, the lowest mean
        cost.
    instances
        The most further instances (the horizon); inf without an end.
    evaluations
        The evaluations left; inf without a limit.
    by_time
        The expected number of evaluations in the rest of the time, at the durations so far; inf
        without a limit of time.
    timed
        Whether there is a limit of time.
    correlation
        Of costs on instances of one group; 0 if all instances are independent.
    coming
        The groups of the further instances, as far as known; () if all are independent.
    since
        The number of instances since the last test.
    recurring
        Whether every instance is the same problem with the same seed.
    goal
        The kind of the objective (`racing.core.goal`); `single` for one cost.
    candidates, first_test
        Before a race: its number of candidates, and the instances before the first test in the
        scenario; 0 if unknown.

    Examples
    --------
    >>> from racing.rules import Outlook
    >>> Outlook(evaluations=500, by_time=320.0).affordable
    320.0
    """

    objective: Objective = "rank"
    instances: float = math.inf
    evaluations: float = math.inf
    by_time: float = math.inf
    timed: bool = False
    correlation: float = 0.0
    coming: tuple[int, ...] = ()
    since: int = 1
    recurring: bool = False
    goal: Kind = "single"
    candidates: int = 0
    first_test: int = 0

    @property
    def affordable(self) -> float:
        """The evaluations left, by their budget or by time; inf without either."""
        return min(self.evaluations, self.by_time)


class Rule(Protocol):
    """Decides, after an instance, which survivors are dropped.

    A rule has parameters and no memory. Its verdict depends on its arguments alone, relabelled
    candidates give the relabelled verdict, and it never drops all.

    A rule of several metrics says in `serves` what it can judge (`racing.core.goal.Kind`); the
    others judge one cost. A rule that does not suit every race may also have `check(outlook)`; see
    `check_outlook`. With `first_look(outlook)` a rule sets the instances before the first test
    (default 5), and with `each_look(outlook)` the distance of further tests (default 1). With
    `next_drop(results, outlook)` it says before which number of instances it certainly drops no
    candidate, so that workers need not wait for tests without effect.

    Examples
    --------
    >>> import racing
    >>> from racing.rules import Verdict
    >>> def no_candidate(results, outlook, rng):
    ...     return Verdict(instances=len(results.block), leader=results.id(0))
    >>> race = racing.Race([{"x": 1}, {"x": 2}], range(3), rule=no_candidate)
    >>> while not race.stopped:
    ...     for experiment in race.ask():
    ...         race.tell(experiment, experiment.candidate.values["x"])
    >>> len(race.survivors)
    2
    """

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict: ...


class RuleBase(Checked):
    """Base of the rules of this package: `judge` says which survivors are dropped."""

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
        """Test the survivors; `rng` is not used."""
        order = standing(results, outlook.objective)
        gate = self.omnibus(results, outlook)
        passed = gate is None or gate.passed
        out = self.judge(results, outlook, order) if passed else ()
        return verdict_on(results, order[0], out, gate)

    def omnibus(self, results: Results, outlook: Outlook) -> Gate | None:
        """The omnibus test that must reject before `judge` is asked; None without one."""
        return None

    @abstractmethod
    def judge(self, results: Results, outlook: Outlook, order: Places) -> Iterable[Elimination]:
        """The eliminations; `order` has the survivors as columns of `results.block`, best first."""


def check_outlook(rule: Rule, outlook: Outlook) -> None:
    """Call the rule's method `check`, if it has one, before the race begins.

    Parameters
    ----------
    outlook
        Of the whole race, before its start.

    Raises
    ------
    InputError
        If the rule does not suit the race.
    """
    if outlook.goal not in serves(rule):
        if outlook.goal == "front":
            raise InputError(
                f"{ASKED['front']}, which only the rules auto, bayes, bets, none and sign can "
                "judge; take one of them, or minimize a formula of the metrics"
            )
        raise InputError(
            f"{ASKED[outlook.goal]}, and this rule judges one cost; docs/rules.md says which can"
        )
    if own := getattr(rule, "check", None):
        own(outlook)


def serves(rule: Rule) -> tuple[Kind, ...]:
    """The kinds of objectives that a rule can judge: its attribute `serves`, or one cost."""
    found: tuple[Kind, ...] = getattr(rule, "serves", ("single",))
    return found


def first_look(rule: Rule, outlook: Outlook) -> int:
    """The number of instances before the first test, if the scenario does not set it.

    Five, the fewest at which an exact sign test can reach .05, unless the rule has a method
    `first_look`; never beyond the last instance.
    """
    own = getattr(rule, "first_look", None)
    return int(max(min(own(outlook) if own else FIRST_LOOK, outlook.instances), 1))


def each_look(rule: Rule, outlook: Outlook) -> int | str:
    """The distance of further tests, as a number of instances or as a growth.

    1, unless the rule has a method `each_look`.
    """
    own = getattr(rule, "each_look", None)
    found: int | str = own(outlook) if own else 1
    return found

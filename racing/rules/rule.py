"""What every elimination rule is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from racing.objective import Objective
from racing.results import Results
from racing.rules.verdict import Verdict

FIRST_LOOK = 5
"""After how many instances a rule is asked first if it does not say."""


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """What the race is after and what may still come.

    Attributes
    ----------
    objective
        What "best" means: `rank`, the best mean rank over instances, or `mean`, the lowest mean
        cost.
    instances
        How many further instances can still come: the horizon; inf without an end.
    evaluations
        How many evaluations are left; inf without a limit.
    by_time
        How many evaluations the time that is left is expected to cover, at the durations measured
        so far; inf without a limit of time.
    timed
        Whether there is a limit of time.
    correlation
        Of costs on instances of one group; 0 if all instances are independent.
    coming
        The groups of the instances that can still come, as far as they are known; () if all are
        independent.
    candidates, first_test
        Of a race that has not begun: how many candidates there are, and after how many instances
        the scenario has the rule asked first; 0 if that is not known.
    """

    objective: Objective = "rank"
    instances: float = math.inf
    evaluations: float = math.inf
    by_time: float = math.inf
    timed: bool = False
    correlation: float = 0.0
    coming: tuple[int, ...] = ()
    candidates: int = 0
    first_test: int = 0

    @property
    def affordable(self) -> float:
        """How many evaluations can still come, by their budget or by time; inf without either."""
        return min(self.evaluations, self.by_time)


class Rule(Protocol):
    """Decides, after an instance, which survivors leave the race.

    A rule is a value: it holds its parameters and no memory. What it returns depends on its
    arguments alone, relabelling candidates relabels what it returns, and it never drops them all.

    A rule that does not suit every race may also have `check(outlook)`; see `check_outlook`. One
    that wants to be asked first after another number of instances than 5 has `first_look(outlook)`.
    """

    def __call__(self, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict: ...


def check_outlook(rule: Rule, outlook: Outlook) -> None:
    """Let a rule refuse a race before it begins, if it has a method `check` for that.

    Parameters
    ----------
    outlook
        Of the whole race: nothing is spent yet.

    Raises
    ------
    InputError
        If the rule cannot judge such a race.
    """
    if own := getattr(rule, "check", None):
        own(outlook)


def first_look(rule: Rule, outlook: Outlook) -> int:
    """After how many instances a rule is asked first, where the scenario does not say.

    Five, the fewest at which an exact sign test can reach .05, unless the rule has a method
    `first_look`; never beyond the last instance.
    """
    own = getattr(rule, "first_look", None)
    return int(max(min(own(outlook) if own else FIRST_LOOK, outlook.instances), 1))

"""What every elimination rule is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from racing.objective import Objective
from racing.results import Results
from racing.rules.verdict import Verdict


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
    """

    objective: Objective = "rank"
    instances: float = math.inf
    evaluations: float = math.inf


class Rule(Protocol):
    """Decides, after an instance, which survivors leave the race.

    A rule is a value: it holds its parameters and no memory. What it returns depends on its
    arguments alone, relabelling candidates relabels what it returns, and it never drops them all.

    A rule that does not suit every race may also have `check(outlook)`; see `check`.
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

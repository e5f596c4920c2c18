"""A candidate's place in a standing, as every reader has it: in the user's direction."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from racing.base.quantities import Direction, score_of
from racing.core.candidate import Candidate
from racing.core.standing import Standing


@dataclass(frozen=True, kw_only=True)
class LimitReport:
    """Whether a constraint is met, and the mean of what it is about; None if every run failed."""

    mean: float | None
    met: bool


@dataclass(frozen=True, kw_only=True)
class Place:
    """A candidate's place in the standing; means are scores, in the user's direction."""

    candidate: Candidate
    mean_rank: float
    mean: float | None
    estimated_mean: float | None
    metrics: Mapping[str, float | None]
    limits: Mapping[str, LimitReport]
    on_front: float | None
    failures: int
    instances: int


def place(one: Standing, direction: Direction) -> Place:
    """The place of a candidate, in the user's direction."""
    plain, own = one.mean_cost, one.estimated_mean
    same = plain is None or own is None or math.isclose(plain, own, rel_tol=1e-9, abs_tol=1e-12)
    return Place(
        candidate=one.candidate, mean_rank=one.mean_rank, mean=score_of(plain, direction),
        estimated_mean=None if same else score_of(own, direction), metrics=dict(one.metrics),
        limits={of: LimitReport(mean=mean, met=met) for of, (mean, met) in one.limits.items()},
        on_front=one.on_front, failures=one.failures, instances=one.instances,
    )  # fmt: skip

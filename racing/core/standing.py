"""The ranking of the survivors of a race."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.base.plain import known
from racing.base.seeds import Purpose, stream
from racing.core.candidate import Candidate
from racing.core.fronts import UNLIKELY
from racing.core.means import plain_means
from racing.core.objective import Objective, failures, merits, standing
from racing.core.results import Results


@dataclass(frozen=True)
class Standing:
    """The standing of a survivor over the instances that all survivors have seen.

    Attributes
    ----------
    candidate
        Who.
    mean_rank
        Among all candidates of the race; 1 is best. Where some did not run, an estimate.
    mean_cost
        Lower is better; without failures, unless they have a penalty; None if all runs failed.
    failures, instances
        The number of instances on which it failed, and of all instances.
    metrics
        The mean score of each metric, in its direction, where there are several; None where every
        run failed.
    limits
        Of each constraint, the mean of what it is about, and whether it is met; the mean is None
        where every run failed.
    on_front
        The probability of being on the front of the true means (`racing.core.fronts`), among the
        survivors; None where no front is asked for, in `ranking`, and with a single instance. It is
        an order rather than a share: docs/evidence/metrics.md has how often it is right.
    estimated_mean
        By what the objective `mean` orders: the mean cost, with each failure as what it counts as
        (`racing.core.failures`), and but for heavy tails (`racing.core.means`). None for other
        objectives.

    Examples
    --------
    >>> import racing
    >>> found = racing.minimize(lambda values, *_: values["x"], [{"x": 1}, {"x": 2}], range(10))
    >>> found.ranking[0].candidate.values, found.ranking[0].mean_cost
    ({'x': 1}, 1.0)
    """

    candidate: Candidate
    mean_rank: float
    mean_cost: float | None
    failures: int
    instances: int
    metrics: Mapping[str, float | None] = field(default_factory=dict, hash=False)
    limits: Mapping[str, tuple[float | None, bool]] = field(default_factory=dict, hash=False)
    on_front: float | None = None
    estimated_mean: float | None = None


def ranking(
    results: Results, candidates: Mapping[int, Candidate], objective: Objective
) -> tuple[Standing, ...]:
    """The survivors, best first; empty before the first instance that all have seen."""
    n = len(results.block)
    if n == 0:
        return ()
    ranks = merits(results, "rank")[:, 0]
    failed, means = results.failures_seen, plain_means(results.block)
    worked = failures(results) < n  # what failed with a penalty has a cost
    several = _several(results, worked)
    by_mean = objective == "mean" and results.goal is None
    estimates = results.judged.mean_costs if by_mean else None
    return tuple(
        Standing(
            candidate=candidates[results.id(int(i))],
            mean_rank=float(ranks[i]),
            mean_cost=float(means[i]) if worked[i] else None,
            failures=int(failed[i]),
            instances=n,
            estimated_mean=None if estimates is None else known(float(estimates[i])),
            **several[i],
        )
        for i in standing(results, objective)
    )


@dataclass(frozen=True, kw_only=True)
class FrontStanding:
    """The front of a race.

    Attributes
    ----------
    front
        The survivors that no other dominates, by the first metric of the front, the best first.
    maybe
        Survivors that are dominated, but with a probability of .1 or more not by their true means;
        the most probable first.

    Examples
    --------
    >>> import racing
    >>> from racing.core.aims import Front
    >>> metrics = {"quality": racing.Metric(direction="maximize"), "time": racing.Metric()}
    >>> aim = Front(("quality", "time"))
    >>> race = racing.Race([{"x": 1}, {"x": 2}, {"x": 4}], range(9), metrics=metrics, objective=aim)
    >>> for experiment in race.ask(3):
    ...     x = experiment.candidate.values["x"]
    ...     race.tell(experiment, {"quality": x % 3, "time": x})
    >>> front = race.front_standing().front
    >>> [one.candidate.values["x"] for one in front]
    [2, 1]
    """

    front: tuple[Standing, ...] = ()
    maybe: tuple[Standing, ...] = ()


def front_standing(
    results: Results, candidates: Mapping[int, Candidate], objective: Objective, seed: int
) -> FrontStanding:
    """The front; empty before the first instance that all have seen, or if none is asked for.

    Parameters
    ----------
    seed
        Of the race; keys the draws behind the probabilities.
    """
    if results.goal is None or results.goal.kind != "front" or len(results.block) == 0:
        return FrontStanding()
    seen, rng = results.goal.trade_offs(results), stream(seed, Purpose.FRONT, len(results.block))
    order = standing(results, objective)
    chances = [known(chance) for chance in seen.probabilities(rng)[order].tolist()]
    found = ranking(results, candidates, objective)
    all_ = [replace(one, on_front=chance) for one, chance in zip(found, chances, strict=True)]
    places = np.argsort(seen.first[order], kind="stable")
    front = tuple(all_[i] for i in places if seen.front[order[i]])
    likely = (
        one
        for one, i in zip(all_, order, strict=True)
        if not seen.front[i] and (one.on_front or 0.0) >= UNLIKELY
    )
    return FrontStanding(front=front, maybe=tuple(sorted(likely, key=lambda s: -(s.on_front or 0))))


def shown_of(
    front: Sequence[Candidate], most: int, best: Candidate | None, confirmed: Collection[str] = ()
) -> list[int]:
    """The places of the members of a front that are shown.

    They are those that were confirmed, with the best compromise; else at most `most`, from end to
    end.

    Parameters
    ----------
    front
        By its first metric.
    confirmed
        What a search compared on fresh instances, in words; empty if nothing was.
    """
    if confirmed:
        return [i for i, one in enumerate(front) if one == best or str(one) in confirmed]
    return from_end_to_end(len(front), most, front.index(best) if best in front else None)


def from_end_to_end(many: int, most: int, knee: int | None) -> list[int]:
    """The places of at most `most` members of a front, evenly from end to end, with the knee.

    Examples
    --------
    >>> from_end_to_end(9, 3, knee=1)
    [0, 1, 8]
    """
    last = many - 1
    if last < most:
        return list(range(many))
    places = {round(i * last / max(most - 1, 1)) for i in range(most)}
    if knee is not None and knee not in places:
        inner = places - {0, last} or places
        places = places - {min(inner, key=lambda place: abs(place - knee))} | {knee}
    return sorted(places)


def _several(results: Results, worked: NDArray[np.bool_]) -> list[dict[str, Any]]:
    """Mean scores and constraints of each survivor, in a race of several metrics."""
    goal = results.goal
    if goal is None:
        return [{}] * len(worked)
    means, limited, missed = goal.means(results), goal.limited(results), goal.violations(results)
    return [
        {
            "metrics": {
                name: score if worked[i] else None for name, score in goal.scores(means[i]).items()
            },
            "limits": {
                text: (known(limited[j, i]), bool(missed[j, i] == 0))
                for j, text in enumerate(goal.constraints)
            },
        }
        for i in range(len(worked))
    ]

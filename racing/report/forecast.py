"""Forecasts the cost of a race, and warns of probable mistakes before it begins."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from racing.base.words import amounts, count, duration, listed
from racing.core.budget import Budget
from racing.core.objective import yes_or_no
from racing.core.view import View
from racing.evaluate.pool import size_of
from racing.race import Race
from racing.race.speculation import allowance
from racing.runner.known_seeds import with_known_seeds
from racing.runner.reuse import check_not_own, earlier_outcomes
from racing.scenario import Scenario

ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,6}$")  # an ending of a file's name, unlike `day-1.5`


@dataclass(frozen=True, kw_only=True)
class Costing:
    """The cost of a race without eliminations, and the time of the first test.

    Attributes
    ----------
    evaluations
        The most of the whole race; None if only the clock ends it.
    first_test
        The number of complete instances at the first test.
    until_test
        The number of evaluations until then.
    speculative
        The most additional evaluations by idle workers; None if that is a share of the actual ones.
    seconds, seconds_until_test
        Wall-clock time, at the speed of the trial; None without a trial or an end.
    price
        The mean payments for an evaluation by name, such as `usd`, from earlier logs or the trial.
    """

    evaluations: int | None
    first_test: int
    until_test: int
    speculative: int | None = 0
    seconds: float | None = None
    seconds_until_test: float | None = None
    price: Mapping[str, float] = field(default_factory=dict)

    def paid(self, evaluations: int | None) -> str:
        """The payments for so many evaluations as text; empty if unknown."""
        if evaluations is None or not self.price:
            return ""
        return listed(amounts({unit: evaluations * each for unit, each in self.price.items()}))


@dataclass(frozen=True, kw_only=True)
class Reusable:
    """Outcomes of earlier runs that can be taken, those that fit, and those that cannot be."""

    logs: tuple[str, ...]
    outcomes: int
    fitting: int
    failed: int
    before_a_change: int
    price: Mapping[str, float]

    @property
    def sentence(self) -> str:
        """The usable outcomes in words."""
        said = f"Earlier runs: {count(self.outcomes, 'outcome')} of this target can be taken"
        said += f"; {self.fitting} fit the given candidates, instances and seeds"
        if self.failed:
            said += f"; {count(self.failed, 'failure')} will be evaluated again if needed"
        if self.before_a_change:
            many = count(self.before_a_change, "outcome")
            said += f"; {many} from before a change of its files cannot be taken"
        return f"{said}."


def affordable(budget: Budget, price: Mapping[str, float]) -> float:
    """The number of evaluations that the limits of money and tokens cover; inf if unknown."""
    limits = ((getattr(budget, unit), price.get(unit, 0.0)) for unit in budget.paid)
    return min((limit // each for limit, each in limits if each > 0), default=math.inf)


def forecast(
    scenario: Scenario, race: Race, each: float | None, price: Mapping[str, float] | None = None
) -> Costing:
    """Forecast the cost of a race.

    Parameters
    ----------
    each
        Seconds of an evaluation; None if unknown.
    price
        The payments for an evaluation by name; empty if unknown.
    """
    price = dict(price or {})
    candidates, budget = len(race.candidates), scenario.budget
    ends = [end for end in (race.instances.limit, budget.instances) if end is not None]
    limits = [candidates * end for end in ends]
    limits += [] if budget.evaluations is None else [budget.evaluations]
    paid_for = affordable(budget, price)
    limits += [] if math.isinf(paid_for) else [int(paid_for)]
    evaluations = min(limits, default=None)
    until_test, jobs = candidates * race.schedule.first_test, size_of(scenario.execution.jobs)
    costing = Costing(
        evaluations=evaluations, first_test=race.schedule.first_test, until_test=until_test,
        speculative=_speculative(scenario, evaluations), price=price,
    )  # fmt: skip
    if each is None:
        return costing
    pace = each / min(jobs, candidates)
    times = [] if evaluations is None else [evaluations * pace]
    times += [] if budget.wall_time is None else [budget.wall_time]
    times += [] if budget.target_time is None else [budget.target_time * pace / each]
    return replace(costing, seconds=min(times, default=None), seconds_until_test=until_test * pace)


def _speculative(scenario: Scenario, evaluations: int | None) -> int | None:
    """The most additional evaluations, if at most so many count."""
    share = scenario.execution.speculate
    if size_of(scenario.execution.jobs) == 1 or share == 0:
        return 0
    return None if evaluations is None else allowance(share, scenario.budget, evaluations)


def warnings(
    scenario: Scenario, race: View, expected: Costing | None, score: float | None = None
) -> Iterator[str]:
    """Warnings of probable mistakes; `score` is that of one evaluation, if one was made."""
    if expected is not None:
        yield from _no_test(len(race.candidates), expected)
    yield from _lost_files(scenario)
    yield from no_default(scenario)
    by_rank = scenario.objective_assumed and scenario.objective == "rank"
    if by_rank and score in (0.0, 1.0):
        yield (
            f"the score is {score:g}; if scores say right or wrong, or are grades, "
            "write objective: mean: the default, rank, counts on how many instances a candidate "
            "is ahead, not by how much"
        )


def reusable(scenario: Scenario) -> Reusable | None:
    """The usable outcomes of earlier runs; None if the scenario names no logs."""
    if not scenario.reuse:
        return None

    scenario = with_known_seeds(scenario)
    check_not_own(scenario, scenario.plan.log)
    earlier = earlier_outcomes(scenario)
    return Reusable(
        logs=tuple(scenario.reuse), outcomes=len(earlier), fitting=earlier.fitting(scenario),
        failed=earlier.failed, before_a_change=earlier.others, price=dict(earlier.price),
    )  # fmt: skip


def sentences(expected: Costing) -> Iterator[str]:
    """The forecast in words."""
    whole = "without a limit"
    if expected.evaluations is not None:
        whole = f"at most {count(expected.evaluations, 'evaluation')}"
    if expected.seconds is not None:
        whole += f", about {duration(expected.seconds)} at most"
    if paid := expected.paid(expected.evaluations):
        whole += f", about {paid} at most"
    until = f"after {count(expected.first_test, 'instance')}"
    until += f" ({count(expected.until_test, 'evaluation')}"
    if expected.seconds_until_test is not None:
        until += f", about {duration(expected.seconds_until_test)}"
    if paid := expected.paid(expected.until_test):
        until += f", about {paid}"
    yield f"The whole race: {whole}, if no candidate is dropped."
    yield f"The first test: {until})."
    if expected.speculative is None or expected.speculative > 0:
        most = "a share of them" if expected.speculative is None else f"{expected.speculative}"
        yield (
            f"Speculation: {most} more at most, begun by idle workers and then not needed; "
            "execution: {speculate: 0} forbids it."
        )


def not_stated(scenario: Scenario, costs: NDArray[np.float64]) -> Iterator[str]:
    """Note right-or-wrong answers if the scenario does not state the objective."""
    if scenario.objective_assumed and scenario.objective == "rank" and yes_or_no(costs):
        yield (
            "every score is 0 or 1, and the scenario states no objective, so candidates are "
            "compared by rank; for the most right answers, and for grades, write objective: mean"
        )


def _no_test(candidates: int, expected: Costing) -> Iterator[str]:
    """Warn of a budget that ends before the first test."""
    if expected.evaluations is not None and expected.evaluations < expected.until_test:
        rows = expected.evaluations // candidates
        yield (
            f"no candidate can ever be dropped: the budget covers {count(rows, 'instance')} for "
            f"{count(candidates, 'candidate')}, and the first test comes after "
            f"{expected.first_test}; give {expected.until_test} evaluations or more, "
            "fewer candidates, or a lower race.first_test"
        )
    elif (
        expected.seconds is not None
        and expected.seconds_until_test is not None
        and expected.seconds < expected.seconds_until_test
    ):
        yield (
            "at the pace of this evaluation, the time is up before the first test, so no candidate "
            f"would be dropped: it comes after about {duration(expected.seconds_until_test)}, "
            f"and the race has {duration(expected.seconds)}"
        )


def no_default(scenario: Scenario) -> Iterator[str]:
    """Warn of a search without a configuration to compare its winner with."""
    space = scenario.space
    if scenario.search is None or space is None or scenario.plan.candidates or space.known:
        return
    if missing := space.without_default():
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        yield (
            f"there is no default (none for {', '.join(missing[:3])}{more}), so the winner is "
            "compared with no configuration of yours; state what you use now: `default:` for each "
            "parameter, an entry of `candidates: {list: [...]}`, or irace's configurationsFile"
        )


def _lost_files(scenario: Scenario) -> Iterator[str]:
    """Warn of instances with names of files that do not exist."""
    folders = {Path(scenario.folder), Path(scenario.folder, scenario.target.cwd)}
    instances = scenario.plan.instances
    names = [
        name
        for name, problem in zip(instances.names, instances.problems, strict=True)
        if problem == name
        and (os.sep in name or ENDING.search(name))
        and not any((folder / name).exists() for folder in folders)
    ]
    if names:
        look = f" and {len(names) - 1} more look" if len(names) > 1 else " looks"
        yield (
            f"{names[0]}{look} like a file, but there is none in {scenario.folder}; the target is "
            "given the name as it stands"
        )

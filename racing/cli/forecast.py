"""What a race will cost, as far as it can be said before it begins."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from racing.cli.console import count, duration

if TYPE_CHECKING:
    from racing.race import Race
    from racing.scenario import Scenario
    from racing.search import Search

ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,6}$")  # of a file's name, unlike that of `day-1.5`


@dataclass(frozen=True, kw_only=True)
class Costing:
    """What a race costs if nobody is dropped, and when somebody can be dropped first.

    Attributes
    ----------
    evaluations
        How many the whole race has at most; None if only the clock ends it.
    first_test
        How many instances are complete when candidates are compared for the first time.
    until_test
        How many evaluations that takes.
    speculative
        How many evaluations idle workers may begin beyond those at most; None if that is a share of
        those that come to be made.
    seconds, seconds_until_test
        On the clock, at the pace of the trial; None where there was none, or no end.
    """

    evaluations: int | None
    first_test: int
    until_test: int
    speculative: int | None = 0
    seconds: float | None = None
    seconds_until_test: float | None = None


def forecast(scenario: Scenario, race: Race, each: float | None) -> Costing:
    """What a race will cost.

    Parameters
    ----------
    each
        Seconds that an evaluation takes; None if that is not known.
    """
    candidates, budget = len(race.candidates), scenario.budget
    ends = [end for end in (race.instances.limit, budget.instances) if end is not None]
    limits = [candidates * end for end in ends]
    limits += [] if budget.evaluations is None else [budget.evaluations]
    evaluations = min(limits, default=None)
    until_test = candidates * race.schedule.first_test
    extra = _speculative(scenario, evaluations)
    if each is None:
        return Costing(
            evaluations=evaluations,
            first_test=race.schedule.first_test,
            until_test=until_test,
            speculative=extra,
        )
    pace = each / min(_jobs(scenario), candidates)
    times = [] if evaluations is None else [evaluations * pace]
    times += [] if budget.wall_time is None else [budget.wall_time]
    times += [] if budget.target_time is None else [budget.target_time * pace / each]
    return Costing(
        evaluations=evaluations,
        first_test=race.schedule.first_test,
        until_test=until_test,
        speculative=extra,
        seconds=min(times, default=None),
        seconds_until_test=until_test * pace,
    )


def _speculative(scenario: Scenario, evaluations: int | None) -> int | None:
    """How many evaluations may come on top, if so many decide at most."""
    from racing.race.speculation import allowance

    share = scenario.execution.speculate
    if _jobs(scenario) == 1 or share == 0:
        return 0
    return None if evaluations is None else allowance(share, scenario.budget, evaluations)


def warnings(scenario: Scenario, race: Race | Search, expected: Costing | None) -> Iterator[str]:
    """What is allowed, but hardly meant."""
    if expected is not None:
        yield from _no_test(len(race.candidates), expected)
    yield from _lost_files(scenario)


def lines(expected: Costing) -> Iterator[str]:
    """The forecast for people."""
    whole = "without a limit"
    if expected.evaluations is not None:
        whole = f"at most {count(expected.evaluations, 'evaluation')}"
    if expected.seconds is not None:
        whole += f", about {duration(expected.seconds)} at most"
    until = f"after {count(expected.first_test, 'instance')}"
    until += f" ({count(expected.until_test, 'evaluation')}"
    if expected.seconds_until_test is not None:
        until += f", about {duration(expected.seconds_until_test)}"
    yield f"The whole race: {whole}, if nobody is dropped."
    yield f"The first test: {until})."
    if expected.speculative is None or expected.speculative > 0:
        most = "a share of them" if expected.speculative is None else f"{expected.speculative}"
        yield (
            f"Speculation: {most} more at most, begun by idle workers and then not needed; "
            "execution: {speculate: 0} forbids it."
        )


def _no_test(candidates: int, expected: Costing) -> Iterator[str]:
    """The budget ends before the first test."""
    if expected.evaluations is not None and expected.evaluations < expected.until_test:
        rows = expected.evaluations // candidates
        yield (
            f"nobody can ever be dropped: the budget covers {count(rows, 'instance')} for "
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
            "at the pace of this evaluation, the time is up before the first test, so nobody "
            f"would be dropped: it comes after about {duration(expected.seconds_until_test)}, "
            f"and the race has {duration(expected.seconds)}"
        )


def _lost_files(scenario: Scenario) -> Iterator[str]:
    """Names that look like those of files, of which there are none."""
    folders = {Path(scenario.folder), Path(scenario.folder, scenario.target.cwd)}
    names = [
        name
        for name, problem in zip(*_named(scenario), strict=True)
        if problem == name
        and (os.sep in name or ENDING.search(name))
        and not any((folder / name).exists() for folder in folders)
    ]
    if names:
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        yield (
            f"the instance {names[0]}{more} looks like a file, but there is no such file, seen "
            f"from {scenario.folder}; the target is given the name as it stands"
        )


def _named(scenario: Scenario) -> tuple[list[str], list[object]]:
    instances = scenario.plan.instances
    return list(instances.names), list(instances.problems)


def _jobs(scenario: Scenario) -> int:
    jobs = scenario.execution.jobs
    return jobs if jobs > 0 else os.cpu_count() or 1

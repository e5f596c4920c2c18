"""A run under way by its log: what it does now, and a document of it."""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields

from racing.answer.document import Callout, Document, Part, Sentences, quoted, table
from racing.base.words import amounts, busy, count, duration, number, percent
from racing.core.experiment import Outcome
from racing.report.facts import Facts
from racing.report.parts import copied
from racing.report.run_tables import standing_table

WINDOW = 300.0
"""Seconds of the run, the latest ones, by which the rate is measured."""

KEPT = 3
"""Latest failures that are kept."""


@dataclass(frozen=True, kw_only=True)
class WorkerFacts:
    """One worker.

    Attributes
    ----------
    name
        As in the outcomes.
    evaluations
        How many it finished.
    busy
        The share of the time since its first evaluation in which it evaluated, up to its last;
        None if that took no time.
    last
        The last outcome that it made.
    """

    name: str
    evaluations: int
    busy: float | None
    last: Outcome


@dataclass(frozen=True, kw_only=True)
class Activity:
    """The pace of a run, its workers and its latest failures.

    Attributes
    ----------
    rate
        Evaluations per second over the latest `WINDOW` seconds of the run; None without any.
    workers
        By name.
    failures
        The latest ones, the last one first.
    """

    rate: float | None
    workers: tuple[WorkerFacts, ...]
    failures: tuple[Outcome, ...]


def activity(outcomes: Iterable[Outcome]) -> Activity:
    """The activity behind outcomes in the order in which they were recorded."""
    latest: deque[float] = deque()
    failures: deque[Outcome] = deque(maxlen=KEPT)
    workers: dict[str, tuple[float, int, float, Outcome]] = {}
    for outcome in outcomes:
        latest.append(outcome.elapsed)
        while latest[0] < outcome.elapsed - WINDOW:
            latest.popleft()
        if outcome.failed:
            failures.appendleft(outcome)
        if outcome.worker:
            new = outcome.elapsed - outcome.seconds, 0, 0.0, outcome
            begun, many, seconds, _ = workers.get(outcome.worker, new)
            workers[outcome.worker] = begun, many + 1, seconds + outcome.seconds, outcome
    took = latest[-1] - latest[0] if latest else 0.0
    return Activity(
        rate=(len(latest) - 1) / took if took > 0 else None,
        workers=tuple(_worker(*workers[name]) for name in sorted(workers, key=natural)),
        failures=tuple(failures),
    )


def _worker(begun: float, many: int, seconds: float, last: Outcome) -> WorkerFacts:
    span = max(last.elapsed - begun, seconds)
    busy = seconds / span if span > 0 else None
    return WorkerFacts(name=last.worker, evaluations=many, busy=busy, last=last)


def natural(name: str) -> list[tuple[int, str]]:
    """A key of workers' names that puts `loky-10` after `loky-9`."""
    parts = re.split(r"(\d+)", name)
    return [(int(part), "") if part.isdecimal() else (0, part) for part in parts]


# --- in words ---------------------------------------------------------------------------------

_SHOWN = 8
"""The most survivors and workers that are shown."""

_LINES = 4
"""The most lines of a failure's message that are shown: the first one, and the last of the rest."""


@dataclass(frozen=True, kw_only=True, eq=False)
class WatchReport(Facts):
    """A run, its pace and its workers; `racing watch --json` prints it."""

    rate: float | None
    workers: tuple[WorkerFacts, ...]


def watch_report(facts: Facts, doing: Activity) -> WatchReport:
    """The facts of a run under way."""
    known = copied(facts, *(one.name for one in fields(facts)))
    return WatchReport(**known, rate=doing.rate, workers=doing.workers)


def watched(told: Facts, doing: Activity) -> Document:
    """What a run does now."""
    name = f"{quoted(told.name)} ({quoted(told.run)})"
    said = (name, told.state, " · ".join(_progress(told)), *_rate(told, doing))
    step = [Callout("Next", told.next)] * (not told.state.startswith("at work: "))
    standing = standing_table(told, _SHOWN) if told.standing else ()
    return [Sentences(said), *step, *standing, *_workers(doing), *_failures(told, doing)]


def _progress(told: Facts) -> Iterator[str]:
    left, use = told.left, told.spent
    rest = f", {left['evaluations']:.0f} left" if "evaluations" in left else ""
    yield count(told.evaluations, "evaluation") + rest
    yield f"{count(told.instances, 'instance')} complete"
    if use.under_way:
        yield f"{use.under_way} on instances under way"
    if use.speculative or use.wasted:
        yield f"{use.speculative} speculative, {use.wasted} wasted"
    yield from amounts(told.paid)
    if waited := busy(told.refused):
        yield waited
    if told.reuse.outcomes:
        yield f"{told.reuse.outcomes} reused"
    yield duration(told.wall_seconds)


def _rate(facts: Facts, doing: Activity) -> Iterator[str]:
    """The pace, the expected remaining time at it, and how long the budget lasts."""
    rate, race = doing.rate, facts.race
    if race.stopped is not None or rate is None:
        return
    left = race.budget.left(race.spent)
    ends = [left.wall_time, left.evaluations / rate]
    if race.spent.target_time:
        ends.append(left.target_time * facts.wall_seconds / race.spent.target_time)
    soonest, expected = min(ends), race.expected_evaluations / rate
    pace = f"{number(rate, 3)} evaluations a second"
    said = [pace if rate >= 1 else f"{number(60 * rate, 3)} evaluations a minute"]
    said += [f"{duration(expected)} left"] if expected < soonest else []
    said += [f"the budget lasts for {duration(soonest)}"] if soonest < math.inf else []
    yield "; ".join(said)


def _workers(doing: Activity) -> Iterator[Part]:
    latest = sorted(doing.workers, key=lambda one: -one.last.elapsed)[:_SHOWN]
    more = len(doing.workers) - _SHOWN
    if not latest:
        return
    yield table(
        "workers",
        "Workers",
        ("name", ">evaluations", ">busy", "finished last"),
        (
            (quoted(one.name), one.evaluations, "–" if one.busy is None else percent(one.busy),
             f"candidate {one.last.candidate} on instance {one.last.step + 1}, {one.last.status}, "
             f"{duration(one.last.seconds)}, at {duration(one.last.elapsed)}")
            for one in doing.workers if one in latest
        ),
        notes=[f"and {more} others, which finished nothing later"] if more > 0 else (),
        cut=True,
    )  # fmt: skip


def _failures(told: Facts, doing: Activity) -> Iterator[Part]:
    if not told.failures:
        return
    said = [f"{told.failures} failed, lastly:"]
    for outcome in doing.failures:
        first, *rest = (outcome.message or str(outcome.status)).splitlines()
        said.append(f"  candidate {outcome.candidate} on instance {outcome.step + 1}: {first}")
        said += [f"    {line}" for line in rest[-(_LINES - 1) :]]
    yield Sentences(tuple(said))

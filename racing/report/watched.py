"""A run under way as a document: survivors, speed, workers and failures."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from racing.answer.document import Document, Part, Sentences, quoted, table
from racing.base.quantities import score_of
from racing.base.words import amounts, busy, count, duration, number, percent
from racing.report.activity import Activity
from racing.report.facts import Facts
from racing.report.run_document import differing, plain
from racing.report.status import state

_SHOWN = 8
"""The most survivors and workers that are shown."""

_LINES = 4
"""The most lines of a failure's message that are shown: the first one, and the last of the rest."""


def watched(facts: Facts, doing: Activity, log: Path) -> Document:
    """What a run does now."""
    return [
        Sentences(
            (
                f"{quoted(facts.header.name)} ({quoted(log)})",
                state(facts, log),
                " · ".join(_progress(facts)),
                *_rate(facts, doing),
            )
        ),
        *_standing(facts),
        *_workers(doing),
        *_failures(facts, doing),
    ]


def _progress(facts: Facts) -> Iterator[str]:
    left, use = facts.left, facts.use
    rest = f", {left.evaluations:.0f} left" if math.isfinite(left.evaluations) else ""
    yield count(facts.counted, "evaluation") + rest
    yield f"{count(facts.instances, 'instance')} complete"
    if use.under_way:
        yield f"{use.under_way} on instances under way"
    if use.speculative or use.wasted:
        yield f"{use.speculative} speculative, {use.wasted} wasted"
    yield from amounts(facts.paid)
    if waited := busy(facts.refused):
        yield waited
    if facts.reuse.outcomes:
        yield f"{facts.reuse.outcomes} reused"
    yield duration(facts.elapsed)


def _rate(facts: Facts, doing: Activity) -> Iterator[str]:
    """The pace, the expected remaining time at it, and how long the budget lasts."""
    rate, left = doing.rate, facts.left
    if facts.stopped is not None or rate is None:
        return
    ends = [left.wall_time, left.evaluations / rate]
    if facts.spent.target_time:
        ends.append(left.target_time * facts.elapsed / facts.spent.target_time)
    soonest, expected = min(ends), facts.expected / rate
    pace = f"{number(rate, 3)} evaluations a second"
    said = [pace if rate >= 1 else f"{number(60 * rate, 3)} evaluations a minute"]
    said += [f"about {duration(expected)} to go"] if expected < soonest else []
    said += [f"the budget lasts for {duration(soonest)}"] if soonest < math.inf else []
    yield "; ".join(said)


def _standing(facts: Facts) -> Iterator[Part]:
    best, more = facts.standing[:_SHOWN], len(facts.standing) - _SHOWN
    if not best:
        return
    differ = differing([one.candidate.values for one in facts.standing])
    yield table(
        "standing",
        f"{len(facts.survivors)} {'elites' if facts.search else 'left'}, the best first",
        ("candidate", ">mean rank", ">mean", "what differs"),
        (
            (quoted(f"{one.candidate!s:.16}"), f"{one.mean_rank:.2f}",
             score_of(one.mean_cost, facts.header.direction),
             quoted(plain(one.candidate.values, differ)))
            for one in best
        ),
        notes=[f"and {more} more"] if more > 0 else (),
        cut=True,
    )  # fmt: skip


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
            for one in doing.workers
            if one in latest
        ),
        notes=[f"and {more} others, which finished nothing later"] if more > 0 else (),
        cut=True,
    )  # fmt: skip


def _failures(facts: Facts, doing: Activity) -> Iterator[Part]:
    failures = sum(expense.failures for expense in facts.expenses)
    if not failures:
        return
    said = [f"{failures} failed, lastly:"]
    for outcome in doing.failures:
        first, *rest = (outcome.message or str(outcome.status)).splitlines()
        said.append(f"  candidate {outcome.candidate} on instance {outcome.step + 1}: {first}")
        said += [f"    {line}" for line in rest[-(_LINES - 1) :]]
    yield Sentences(tuple(said))

"""Watch a run from another terminal: who is left, how fast it goes, what workers did, what failed.

It only reads the log, also while that is written, and ends with the run or with Ctrl-C.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from racing.cli import exits
from racing.cli.console import add_json, count, duration, number, say_json
from racing.plain import printable

if TYPE_CHECKING:
    from racing.report import Facts
    from racing.report.activity import Activity, WorkerFacts

HELP = "watch a run from another terminal"

_SHOWN = 8
"""Survivors, and workers, that are shown."""

_LINES = 4
"""Lines of a failure's message that are shown: the first one, and the last of the rest."""

_SHARE = 20
"""Looking at a long log takes time: so many times as long nothing is done afterwards."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("run", metavar="RUN", help="the log of a run")
    parser.add_argument(
        "--every", type=float, default=2.0, metavar="SECONDS", help="between two looks (default: 2)"
    )
    parser.add_argument("--once", action="store_true", help="look once, print it, and end")
    add_json(parser)
    parser.add_argument(
        "--web",
        action="store_true",
        help="serve the page of `racing report`, and keep it up to date",
    )
    parser.add_argument(
        "--port", type=int, default=0, help="where --web listens (default: any that is free)"
    )
    parser.add_argument("--browser", action="store_true", help="with --web: open a browser")


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    log = Path(args.run)
    if args.web:
        from racing.cli.web import serve

        return serve(log, port=args.port, show=args.browser)
    if args.json:
        say_json(as_data(log))
    elif args.once or not sys.stdout.isatty():
        _follow_plainly(log, args)
    else:
        _follow_live(log, args)
    return exits.OK


def as_data(log: Path) -> dict[str, Any]:
    """What `show` tells, with the rate (null if there is none) and the workers; one look."""
    from racing.cli import show
    from racing.log.sqlite import SQLiteLog
    from racing.report import gather
    from racing.report.activity import activity

    with SQLiteLog.open(log, write=False) as book:
        facts, doing = gather(book), activity(book.each_outcome())
    workers = [
        {
            "name": one.name,
            "evaluations": one.evaluations,
            "busy": one.busy,
            "last": {"candidate": one.last.candidate, "step": one.last.step},
        }
        for one in doing.workers
    ]
    return {**show.as_data(facts, log), "rate": doing.rate, "workers": workers}


def _follow_plainly(log: Path, args: argparse.Namespace) -> None:
    """Print what there is; again whenever it has changed."""
    before: list[str] = []
    while True:
        begun = time.monotonic()
        now, over = picture(log)
        if now != before:
            print("\n".join(now), flush=True)
        if args.once or over:
            return
        before = now
        _rest(begun, args.every)
        print()


def _follow_live(log: Path, args: argparse.Namespace) -> None:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    with Live(console=Console(), auto_refresh=False, redirect_stdout=False) as live:
        over = False
        while not over:
            begun = time.monotonic()
            now, over = picture(log)
            live.update(Text("\n".join(now), overflow="ellipsis", no_wrap=True), refresh=True)
            if not over:
                _rest(begun, args.every)


def _rest(begun: float, every: float) -> None:
    took = time.monotonic() - begun
    time.sleep(max(every, _SHARE * took))


def picture(log: Path) -> tuple[list[str], bool]:
    """The lines to be shown, and whether the run is over.

    Raises
    ------
    LogError
        If there is no log, or it cannot be read.
    """
    from racing.cli.show import state
    from racing.log.sqlite import SQLiteLog
    from racing.report import gather
    from racing.report.activity import activity

    with SQLiteLog.open(log, write=False) as book:
        facts = gather(book)
        doing = activity(book.each_outcome())
    lines = [
        f"{facts.header.name} ({log})",
        state(facts, log),
        *_progress(facts, doing),
        *_standing(facts),
        *_workers(doing),
        *_failures(facts, doing),
    ]
    return [printable(line) for line in lines], facts.stopped is not None


def _progress(facts: Facts, doing: Activity) -> Iterator[str]:
    left, use = facts.left, facts.use
    parts = [count(facts.evaluations, "evaluation")]
    if math.isfinite(left.evaluations):
        parts[0] += f", {left.evaluations:.0f} left"
    parts.append(f"{count(facts.instances, 'instance')} complete")
    if use.speculative or use.wasted:
        parts.append(f"{use.speculative} speculative, {use.wasted} wasted")
    parts.append(duration(facts.elapsed))
    yield " · ".join(parts)
    if facts.stopped is None and not math.isnan(doing.rate):
        yield f"{_rate(doing.rate)}{_end(facts, doing.rate)}"


def _rate(rate: float) -> str:
    if rate >= 1:
        return f"{number(rate, 3)} evaluations a second"
    return f"{number(60 * rate, 3)} evaluations a minute"


def _end(facts: Facts, rate: float) -> str:
    """When it is expected to end at this rate, and when a limit ends it if nobody is dropped."""
    left = facts.left
    ends = [left.wall_time, left.evaluations / rate]
    if facts.spent.target_time:
        ends.append(left.target_time * facts.elapsed / facts.spent.target_time)
    soonest, expected = min(ends), facts.expected / rate
    about = f"; about {duration(expected)} to go" if expected < soonest else ""
    return about + (f"; the budget lasts for {duration(soonest)}" if soonest < math.inf else "")


def _standing(facts: Facts) -> Iterator[str]:
    from racing.report.facts import in_direction, plain

    if not facts.standing:
        return
    who = "elites" if facts.search else "left"
    yield ""
    yield f"{len(facts.survivors)} {who}, the best first:"
    for s in facts.standing[:_SHOWN]:
        mean = number(in_direction(s.mean_cost, facts.header.direction))
        yield f"  {s.candidate!s:16.16}  rank {s.mean_rank:5.2f}  mean {mean:>9}  " + plain(
            s.candidate.values
        )
    if len(facts.standing) > _SHOWN:
        yield f"  and {len(facts.standing) - _SHOWN} more"


def _workers(doing: Activity) -> Iterator[str]:
    if not doing.workers:
        return
    yield ""
    yield "workers, and what each finished last:"
    latest = sorted(doing.workers, key=lambda one: -one.last.elapsed)[:_SHOWN]
    for one in doing.workers:
        if one in latest:
            yield _worker(one)
    if len(doing.workers) > _SHOWN:
        yield f"  and {len(doing.workers) - _SHOWN} others, which finished nothing later"


def _worker(one: WorkerFacts) -> str:
    last = one.last
    busy = "" if math.isnan(one.busy) else f", busy {one.busy:.0%}"
    return (
        f"  {one.name:14} {count(one.evaluations, 'evaluation')}{busy}; last: candidate "
        f"{last.candidate} on instance {last.step + 1}, {last.status}, {duration(last.seconds)}, "
        f"at {duration(last.elapsed)}"
    )


def _failures(facts: Facts, doing: Activity) -> Iterator[str]:
    failures = sum(expense.failures for expense in facts.expenses)
    if not failures:
        return
    yield ""
    yield f"{failures} failed, lastly:"
    for outcome in doing.failures:
        first, *rest = (outcome.message or str(outcome.status)).splitlines()
        yield f"  candidate {outcome.candidate} on instance {outcome.step + 1}: {first}"
        for line in rest[-(_LINES - 1) :]:
            yield f"    {line}"

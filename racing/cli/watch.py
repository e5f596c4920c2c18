"""Watch a run from another terminal: survivors, speed, workers and failures.

It only reads the log, and ends with the run or with Ctrl-C.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from racing.base.plain import printable
from racing.base.words import amounts, busy, percent
from racing.cli import exits
from racing.cli.console import add_json, count, duration, fit, number, say, say_json
from racing.cli.differences import differing, only

if TYPE_CHECKING:
    from racing.report import Facts
    from racing.report.activity import Activity, WorkerFacts

HELP = "watch a run from another terminal"
EXAMPLES = (
    "racing watch runs/race.sqlite",
    "racing watch runs/race.sqlite --once",
    "racing watch runs/race.sqlite --web --browser",
)

_SHOWN = 8
"""The most survivors and workers that are shown."""

_LINES = 4
"""The most lines of a failure's message that are shown: the first one, and the last of the rest."""

_SHARE = 20
"""The pause after reading a log, as a multiple of the time to read it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
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


def _read(log: Path) -> tuple[Facts, Activity]:
    """The current run from its log; errors as in `picture`."""
    from racing.log.sqlite import SQLiteLog
    from racing.report import gather
    from racing.report.activity import activity

    with SQLiteLog.open(log, write=False) as book:
        return gather(book), activity(book.each_outcome())


def as_data(log: Path) -> dict[str, Any]:
    """The data of `show --json`, with the rate (null without one) and the workers."""
    from racing.answer.json import as_data as plain_data
    from racing.report.run import run_report

    facts, doing = _read(log)
    workers = [
        {
            "name": one.name,
            "evaluations": one.evaluations,
            "busy": one.busy,
            "last": {"candidate": one.last.candidate, "step": one.last.step},
        }
        for one in doing.workers
    ]
    return {**plain_data(run_report(facts, log)), "rate": doing.rate, "workers": workers}


def _follow_plainly(log: Path, args: argparse.Namespace) -> None:
    """Print the state, and print it again after each change."""
    before: list[str] = []
    while True:
        begun = time.monotonic()
        now, over = picture(log)
        if now != before:
            say("\n".join(now))
            sys.stdout.flush()
        if args.once or over:
            return
        before = now
        _rest(begun, args.every)
        say()


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
    """The lines to show, and whether the run is over.

    Raises
    ------
    LogError
        If the log does not exist, or cannot be read.
    """
    from racing.report.status import state

    facts, doing = _read(log)
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
    parts = [count(facts.counted, "evaluation")]
    if math.isfinite(left.evaluations):
        parts[0] += f", {left.evaluations:.0f} left"
    parts.append(f"{count(facts.instances, 'instance')} complete")
    if use.under_way:
        parts.append(f"{use.under_way} on instances under way")
    if use.speculative or use.wasted:
        parts.append(f"{use.speculative} speculative, {use.wasted} wasted")
    parts += amounts(facts.paid)
    parts += [waited] if (waited := busy(facts.refused)) else []
    parts += [f"{facts.reuse.outcomes} reused"] if facts.reuse.outcomes else []
    parts.append(duration(facts.elapsed))
    yield " · ".join(parts)
    if facts.stopped is None and doing.rate is not None:
        yield f"{_rate(doing.rate)}{_end(facts, doing.rate)}"


def _rate(rate: float) -> str:
    if rate >= 1:
        return f"{number(rate, 3)} evaluations a second"
    return f"{number(60 * rate, 3)} evaluations a minute"


def _end(facts: Facts, rate: float) -> str:
    """The expected remaining time at this rate, and how long the budget lasts."""
    left = facts.left
    ends = [left.wall_time, left.evaluations / rate]
    if facts.spent.target_time:
        ends.append(left.target_time * facts.elapsed / facts.spent.target_time)
    soonest, expected = min(ends), facts.expected / rate
    about = f"; about {duration(expected)} to go" if expected < soonest else ""
    return about + (f"; the budget lasts for {duration(soonest)}" if soonest < math.inf else "")


def _standing(facts: Facts) -> Iterator[str]:
    from racing.base.quantities import score_of
    from racing.report.run_document import plain

    if not facts.standing:
        return
    which = "elites" if facts.search else "left"
    yield ""
    differ = differing([s.candidate.values for s in facts.standing])
    yield f"{len(facts.survivors)} {which}, the best first, with what differs:"
    for s in facts.standing[:_SHOWN]:
        mean = number(score_of(s.mean_cost, facts.header.direction))
        values = plain(only(s.candidate.values, differ))
        yield fit(f"  {s.candidate!s:16.16}  rank {s.mean_rank:5.2f}  mean {mean:>9}  {values}")
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
    busy = "" if one.busy is None else f", busy {percent(one.busy)}"
    return fit(
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

"""Show where a run stands: who is ahead, who was dropped when and why, what the budget went into.

It only reads, so it can be used while the run goes on.
"""

from __future__ import annotations

import argparse
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from racing.cli import exits
from racing.cli.console import add_json, count, duration, number, say, say_json, table
from racing.cli.driving import (
    again,
    say_changes,
    say_failures,
    say_use,
    stopped_at_bound,
    summary,
)
from racing.cli.outcome import advice, gain_as_data, left_as_data, print_gain, unspent
from racing.cli.searching import print_changes, print_search

if TYPE_CHECKING:
    from collections.abc import Sequence

    from racing.log.log import Session
    from racing.report import Facts
    from racing.report.facts import Dropped
    from racing.rules.verdict import Gate

_ROWS = 20

HELP = "show who is ahead, who was dropped when and why, and what it took"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("run", metavar="RUN", help="the log of a run, finished or not")
    parser.add_argument(
        "--all", action="store_true", help=f"every row of long tables, not {_ROWS} of them"
    )
    add_json(parser)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    from racing.log.sqlite import SQLiteLog
    from racing.report import gather

    log = Path(args.run)
    with SQLiteLog.open(log, write=False) as book:
        facts = gather(book)
    if args.json:
        say_json(as_data(facts, log))
    else:
        _print(facts, log, rows=None if args.all else _ROWS)
    return exits.OK


def as_data(facts: Facts, log: Path) -> dict[str, Any]:
    """All that is shown, as plain data."""
    from racing.report.facts import in_direction

    direction = facts.header.direction
    return {
        **summary(facts, log),
        "state": state(facts, log),
        "lost_wal": facts.lost_wal,
        "next": advice(facts, log),
        "left": left_as_data(facts),
        "gain": gain_as_data(facts.gain, direction),
        "created": facts.header.created,
        "seed": facts.header.seed,
        "direction": direction,
        "objective": facts.header.objective,
        "tests": facts.tests,
        "standing": [
            {
                "id": s.candidate.id,
                "name": str(s.candidate),
                "mean_rank": s.mean_rank,
                "mean": in_direction(s.mean_cost, direction),
                "failures": s.failures,
                "instances": s.instances,
                "values": dict(s.candidate.values),
            }
            for s in facts.standing
        ],
        "dropped": [_dropped(d) for d in facts.dropped],
        "expenses": [
            {
                "id": e.candidate.id,
                "evaluations": e.evaluations,
                "failures": e.failures,
                "seconds": e.seconds,
            }
            for e in facts.expenses
        ],
    }


def _dropped(dropped: Dropped) -> dict[str, Any]:
    e = dropped.elimination
    return {
        "id": dropped.candidate.id,
        "name": str(dropped.candidate),
        "after_instances": dropped.after,
        "reason": str(e.reason),
        "against": dropped.against.id,
        "measure": e.measure,
        "value": e.value,
        "threshold": e.threshold,
        "statistic": e.statistic,
        "gate": _gate(dropped.gate),
    }


def _gate(gate: Gate | None) -> dict[str, Any] | None:
    if gate is None:
        return None
    return {
        "test": gate.test,
        "statistic": gate.statistic,
        "threshold": gate.threshold,
        "p_value": gate.p_value,
    }


def state(facts: Facts, log: Path) -> str:
    """Whether the run is over, at work, or can be resumed."""
    if facts.stopped is not None:
        return f"over: {facts.stopped.meaning}"
    session, resume = facts.session, again(log)
    if session is None:
        return f"not begun; {resume} begins it"
    if session.ended is None:
        return _at_work(session, resume)
    if session.why == "target_failed":
        from racing.stop import Stop

        return f"stopped: {Stop.TARGET_FAILED.meaning}; {resume} tries again"
    return f"stopped ({session.why}); {resume} goes on"


def _at_work(session: Session, resume: str) -> str:
    """What can be known of a session that has not said it ended."""
    from racing.log.opening import is_alive

    who = f"process {session.pid} on {session.host} since {session.started}"
    if session.why == "killed":
        return f"killed ({who}); {resume} goes on"
    if session.host != socket.gethostname():
        return f"at work, or killed: {who}"
    if not is_alive(session.pid):
        return f"killed ({who}); {resume} goes on"
    return f"at work: {who}"


def _print(facts: Facts, log: Path, *, rows: int | None) -> None:
    header = facts.header
    say(f"{header.name} ({log}), seed {header.seed}, {header.direction} {header.objective}")
    say(state(facts, log))
    say(
        f"{count(facts.evaluations, 'evaluation')} in {duration(facts.elapsed)}, "
        f"{duration(facts.seconds)} of target time; {count(facts.tests, 'test')}"
        f"{stopped_at_bound(facts)}{unspent(facts)}"
    )
    say_use(facts)
    if facts.lost_wal:
        say(
            f"{log}-wal is missing: if this log was copied or moved without it, the latest "
            "outcomes are lost, and will be evaluated again; fetch that file to keep them"
        )
    say_changes(facts)
    say_failures(facts)
    if facts.search is not None:
        print_search(facts)
    else:
        print_gain(facts)
    say(f"Next: {advice(facts, log)}")
    print_changes(facts)
    _print_standing(facts, rows)
    _print_dropped(facts, rows)
    _print_expenses(facts)


def _print_standing(facts: Facts, rows: int | None) -> None:
    from racing.report.facts import in_direction, plain

    if not facts.standing:
        say("\nNo instance is complete yet, so there is no standing.")
        return
    direction = facts.header.direction
    table(
        f"{'Elites' if facts.search else 'Standing'} after {count(facts.instances, 'instance')}",
        ("candidate", ">mean rank", ">mean", ">failed", "values"),
        (
            (
                s.candidate,
                f"{s.mean_rank:.2f}",
                number(in_direction(s.mean_cost, direction)),
                s.failures,
                plain(s.candidate.values),
            )
            for s in facts.standing[:rows]
        ),
    )
    _note(facts.standing, rows, "the best")


def _print_dropped(facts: Facts, rows: int | None) -> None:
    if not facts.dropped:
        return
    table(
        "Dropped",
        ("candidate", ">after", "because", "against", ">numbers"),
        _dropped_rows(facts.dropped[-(rows or 0) :]),
    )
    _note(facts.dropped, rows, "the last")


def _note(all_rows: Sequence[object], rows: int | None, which: str) -> None:
    if rows is not None and len(all_rows) > rows:
        say(f"  {which} {rows} of {len(all_rows)}; --all shows every row")


def _dropped_rows(dropped: Sequence[Dropped]) -> Iterator[tuple[object, ...]]:
    for d in dropped:
        e = d.elimination
        sign = "<" if e.value < e.threshold else ">"
        numbers = f"{e.measure} {number(e.value, 3)} {sign} {number(e.threshold, 3)}"
        yield d.candidate, d.after, e.reason, d.against, numbers


def _print_expenses(facts: Facts) -> None:
    """What the budget went into: survivors, and the dropped by when they left."""
    dropped = {d.candidate.id for d in facts.dropped}
    groups = (
        (
            "elites" if facts.search else "survivors",
            [e for e in facts.expenses if e.candidate.id not in dropped],
        ),
        ("dropped", [e for e in facts.expenses if e.candidate.id in dropped]),
    )
    total = max(facts.evaluations, 1)
    table(
        "What the budget went into",
        ("", ">candidates", ">evaluations", ">share", ">failed", ">target time"),
        (
            (
                name,
                len(group),
                sum(e.evaluations for e in group),
                f"{sum(e.evaluations for e in group) / total:.0%}",
                sum(e.failures for e in group),
                duration(sum(e.seconds for e in group)),
            )
            for name, group in groups
        ),
    )

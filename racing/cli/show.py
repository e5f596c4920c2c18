"""Show where a run stands: who is ahead, who was dropped when and why, what the budget went into.

It only reads, so it can be used while the run goes on.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from racing.cli import exits
from racing.cli.console import add_json, duration, number, say, say_json, table
from racing.cli.driving import summary

if TYPE_CHECKING:
    from racing.report import Facts
    from racing.report.facts import Dropped
    from racing.rules.verdict import Gate

HELP = "show who is ahead, who was dropped when and why, and what it took"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("run", metavar="RUN", help="the log of a run, finished or not")
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
        _print(facts, log)
    return exits.OK


def as_data(facts: Facts, log: Path) -> dict[str, Any]:
    """All that is shown, as plain data."""
    from racing.report.facts import in_direction

    direction = facts.header.direction
    return {
        **summary(facts, log),
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
        "failures_by_message": [{"message": m, "count": c} for m, c in facts.messages],
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


def _print(facts: Facts, log: Path) -> None:
    header = facts.header
    state = summary(facts, log)["why"] or "not over: it goes on, or can be resumed"
    say(
        f"{header.name} ({log}), seed {header.seed}, {header.direction} {header.objective}: {state}"
    )
    say(
        f"{facts.evaluations} evaluations in {duration(facts.elapsed)}, "
        f"{duration(facts.seconds)} of target time; {facts.tests} tests"
    )
    _print_standing(facts)
    if facts.dropped:
        table(
            "Dropped",
            ("candidate", ">after", "because", "against", ">numbers"),
            _dropped_rows(facts),
        )
    _print_expenses(facts)
    for message, count in facts.messages:
        say(f"{count} × {message}")


def _print_standing(facts: Facts) -> None:
    from racing.report.facts import in_direction, plain

    direction = facts.header.direction
    table(
        f"Standing after {facts.instances} instances",
        ("candidate", ">mean rank", ">mean", ">failed", "values"),
        (
            (
                s.candidate,
                f"{s.mean_rank:.2f}",
                number(in_direction(s.mean_cost, direction)),
                s.failures,
                plain(s.candidate.values),
            )
            for s in facts.standing
        ),
    )


def _dropped_rows(facts: Facts) -> Iterator[tuple[object, ...]]:
    for d in facts.dropped:
        e = d.elimination
        sign = "<" if e.value < e.threshold else ">"
        numbers = f"{e.measure} {number(e.value, 3)} {sign} {number(e.threshold, 3)}"
        yield d.candidate, d.after, e.reason, d.against, numbers


def _print_expenses(facts: Facts) -> None:
    """What the budget went into: survivors, and the dropped by when they left."""
    dropped = {d.candidate.id for d in facts.dropped}
    groups = (
        ("survivors", [e for e in facts.expenses if e.candidate.id not in dropped]),
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

"""What `run`, `resume` and `test` share: progress, interruption, and the summary at the end."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from racing.cli import exits
from racing.cli.console import duration, number, say, say_json, talk
from racing.cli.interrupts import Interrupts
from racing.cli.progress import Progress

if TYPE_CHECKING:
    from racing.loop import Conduct
    from racing.race import Race
    from racing.report import Facts

T = TypeVar("T")


def add_driving(parser: argparse.ArgumentParser) -> None:
    """Give a command the options about how a race is driven."""
    parser.add_argument("--jobs", type=int, metavar="N", help="how many evaluations run at once")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")


def driven(go: Callable[[Conduct], T], args: argparse.Namespace) -> T:
    """Drive something with progress on stderr, stopping cleanly on Ctrl-C."""
    from racing.loop import Conduct

    with Interrupts() as interrupted, Progress(quiet=args.quiet) as progress:
        return go(Conduct(watch=progress, interrupted=interrupted, jobs=args.jobs))


def drive(go: Callable[[Conduct], Race], log: Path, args: argparse.Namespace) -> int:
    """Drive a race to its end or to an interruption, and say what it came to."""
    from racing.log.sqlite import SQLiteLog
    from racing.report import gather

    again = f"racing resume {shlex.quote(str(log))}"
    try:
        race = driven(go, args)
    except KeyboardInterrupt:
        talk(f"abandoned; go on with: {again}")
        return exits.INTERRUPTED
    with SQLiteLog.open(log, write=False) as book:
        facts = gather(book)
    if args.json:
        say_json(summary(facts, log))
    else:
        _print(facts, log)
    if not race.done:
        talk(f"interrupted; go on with: {again}")
        return exits.INTERRUPTED
    if race.stopped == "target_failed":
        talk(f"an evaluation failed, and the scenario says to stop then; mend it, then: {again}")
        return exits.TARGET_FAILED
    return exits.OK if race.winner is not None else exits.NO_WINNER


def summary(facts: Facts, log: Path) -> dict[str, Any]:
    """What a run came to, as plain data."""
    from racing.race import Stop

    finish, winner = facts.finish, facts.winner
    return {
        "run": str(log),
        "name": facts.header.name,
        "finished": finish is not None,
        "stopped": finish.stopped if finish else None,
        "why": Stop(finish.stopped).meaning if finish else None,
        "winner": None
        if winner is None
        else {"id": winner.id, "name": str(winner), "values": dict(winner.values)},
        "survivors": [standing.candidate.id for standing in facts.standing],
        "instances": facts.instances,
        "evaluations": facts.evaluations,
        "failures": sum(expense.failures for expense in facts.expenses),
        "target_seconds": facts.seconds,
        "wall_seconds": facts.elapsed,
    }


def _print(facts: Facts, log: Path) -> None:
    """The summary for people."""
    data = summary(facts, log)
    if data["finished"]:
        say(f"The race is over: {data['why']}.")
    say(
        f"{facts.evaluations} evaluations on {facts.instances} complete instances, "
        f"{duration(facts.elapsed)} ({duration(facts.seconds)} in the target), "
        f"{data['failures']} failed."
    )
    for message, count in facts.messages[:3]:
        say(f"  {count} × {message}")
    if facts.winner is None:
        say("There is no winner: nothing told the candidates apart.")
    else:
        ahead = "Winner" if data["finished"] else "Ahead so far"
        say(f"{ahead}: {facts.winner}" + _merit(facts))
        for name, value in facts.winner.values.items():
            say(f"  {name}: {value}")
    others = [str(s.candidate) for s in facts.standing if s.candidate != facts.winner]
    if others and facts.winner is not None:
        shown = ", ".join(others[:8]) + (", …" if len(others) > 8 else "")
        say(f"Not told apart from it: {shown}")
    say(f"More: racing show {shlex.quote(str(log))}")


def _merit(facts: Facts) -> str:
    from racing.report.facts import in_direction

    for standing in facts.standing:
        if standing.candidate == facts.winner:
            mean = in_direction(standing.mean_cost, facts.header.direction)
            return f" (mean {number(mean)} over {standing.instances} instances)"
    return ""

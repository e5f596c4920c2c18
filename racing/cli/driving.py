"""What `run`, `resume` and `test` share: progress, interruption, and the summary at the end."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from racing.cli import exits
from racing.cli.console import count, duration, number, results_alone, say, say_json, talk
from racing.cli.interrupts import Interrupts
from racing.cli.json_lines import JsonLines
from racing.cli.searching import print_search, search_as_data
from racing.logs import Warnings
from racing.progress.terminal import Terminal

if TYPE_CHECKING:
    from racing.loop import RunOptions
    from racing.race import Race
    from racing.report import Facts
    from racing.search import Search

T = TypeVar("T")

_NAMES_SHOWN = 8
_MESSAGES_SHOWN = 5


def add_driving(parser: argparse.ArgumentParser) -> None:
    """Give a command the options that say how a race is driven."""
    parser.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        help="how many evaluations run at once, -1 for one per processor (default: the scenario's)",
    )
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    parser.add_argument(
        "--log-format",
        choices=("text", "json"),
        default="text",
        help="how progress is written on stderr: for people, or a JSON object a line",
    )


def add_engine(parser: argparse.ArgumentParser) -> None:
    """Give a command the option that says what runs the evaluations."""
    parser.add_argument(
        "--engine",
        choices=("loky", "dask", "ray", "threading", "in-process"),
        help="what runs the evaluations (default: the scenario's); it changes no result",
    )


def driven(go: Callable[[RunOptions], T], args: argparse.Namespace) -> T:
    """Drive something with progress on stderr, stopping cleanly on Ctrl-C."""
    from racing.loop import RunOptions

    kind = JsonLines if args.log_format == "json" else Terminal
    with (
        results_alone(),
        kind(quiet=args.quiet) as progress,
        Interrupts(progress.say) as interrupted,
        Warnings("racing.evaluate.engines", progress.say),
    ):
        return go(RunOptions(watch=progress, interrupted=interrupted, jobs=args.jobs))


def drive(go: Callable[[RunOptions], Race | Search], log: Path, args: argparse.Namespace) -> int:
    """Drive a race to its end or to an interruption, and say what it came to."""
    from racing.log.sqlite import SQLiteLog
    from racing.report import gather

    place = log.absolute()  # a target that runs in this process may change its folder
    try:
        race = driven(go, args)
    except KeyboardInterrupt:
        talk(f"abandoned what ran; everything that was done is kept: {again(log)} goes on")
        return exits.INTERRUPTED
    with SQLiteLog.open(place, write=False) as book:
        facts = gather(book)
        held_back = bool(book.header.scenario.get("test_instances"))
    data = summary(facts, log)
    if not args.json:
        _print(facts, log)
    code = _exit(race, log)
    if code == exits.OK and held_back:
        code = _tested(place, data, args)
    if args.json:
        say_json(data)
    return code


def _tested(log: Path, data: dict[str, Any], args: argparse.Namespace) -> int:
    """Test the winner on the instances that the scenario holds back."""
    from racing.cli.test import evaluate

    talk("testing the winner on the scenario's test_instances")
    found, code = evaluate(log, args)
    data["test"] = found
    return code


def _exit(race: Race | Search, log: Path) -> int:
    if not race.done:
        talk(f"interrupted; {again(log)} goes on")
        return exits.INTERRUPTED
    if race.stopped == "target_failed":
        talk(f"stopped: {race.stopped.meaning}; mend it, then {again(log)} tries again")
        return exits.TARGET_FAILED
    return exits.OK if race.winner is not None else exits.NO_WINNER


def again(log: Path) -> str:
    """How a run is gone on with."""
    return f"`racing resume {shlex.quote(str(log))}`"


def summary(facts: Facts, log: Path) -> dict[str, Any]:
    """What a run came to, as plain data."""
    stopped, winner = facts.stopped, facts.winner
    return {
        "run": str(log),
        "name": facts.header.name,
        "finished": stopped is not None,
        "stopped": None if stopped is None else str(stopped),
        "why": None if stopped is None else stopped.meaning,
        "winner": None
        if winner is None
        else {"id": winner.id, "name": str(winner), "values": dict(winner.values)},
        "search": search_as_data(facts.search),
        "survivors": [candidate.id for candidate in facts.survivors],
        "instances": facts.instances,
        "evaluations": facts.evaluations,
        "spent": asdict(facts.use),
        "failures": sum(expense.failures for expense in facts.expenses),
        "censored": facts.censored,
        "failures_by_message": [
            {"message": message, "count": times} for message, times in facts.messages
        ],
        "target_changes": [
            {"path": file.path, "after_evaluations": file.since - 1} for file in facts.changes
        ],
        "target_seconds": facts.seconds,
        "wall_seconds": facts.elapsed,
    }


def say_failures(facts: Facts) -> None:
    """Why evaluations failed, the most frequent first."""
    shown = facts.messages[:_MESSAGES_SHOWN]
    for message, times in shown:
        say(f"  {times} × {message}")
    if len(facts.messages) > len(shown):
        say(f"  and {len(facts.messages) - len(shown)} other messages: see `racing export`")


def say_use(facts: Facts) -> None:
    """What was evaluated and decided nothing, if anything was."""
    use = facts.use
    parts = [f"{use.decided} decided"]
    if use.under_way:
        parts.append(f"{use.under_way} of instances under way")
    if use.speculative:
        parts.append(f"{use.speculative} speculative, which may be needed")
    if use.wasted:
        ended = f" ({use.ended} of them ended early)" if use.ended else ""
        parts.append(f"{use.wasted} wasted{ended}")
    if use.speculative or use.wasted:
        say(f"Of the evaluations begun, {', '.join(parts)}.")


def say_changes(facts: Facts) -> None:
    """Where costs of different targets stand side by side."""
    for file in facts.changes:
        say(f"{file.path} was changed after {count(file.since - 1, 'evaluation')}.")


def _print(facts: Facts, log: Path) -> None:
    """The summary for people."""
    data = summary(facts, log)
    if data["finished"]:
        say(f"The {'search' if facts.search else 'race'} is over: {data['why']}.")
    say(
        f"{count(facts.counted, 'evaluation')} on "
        f"{count(facts.instances, 'complete instance')} in {duration(facts.elapsed)}"
        f"{_failed(data['failures'])}{stopped_at_bound(facts)}."
    )
    say_use(facts)
    say_changes(facts)
    say_failures(facts)
    _print_winner(facts, finished=data["finished"])
    if facts.search is not None:
        print_search(facts)
    say(f"More: racing show {shlex.quote(str(log))}")


def stopped_at_bound(facts: Facts) -> str:
    """How many runs were stopped at their bound, if any were."""
    return f"; {facts.censored} stopped at their bound" if facts.censored else ""


def _failed(failures: int) -> str:
    return f"; {failures} failed" if failures else ""


def _print_winner(facts: Facts, *, finished: bool) -> None:
    if facts.winner is None:
        say("There is no winner." if finished else "Nobody is ahead yet.")
        return
    say(f"{'Winner' if finished else 'Ahead so far'}: {facts.winner}{_merit(facts)}")
    for name, value in facts.winner.values.items():
        say(f"  {name}: {value}")
    others = [str(s.candidate) for s in facts.standing if s.candidate != facts.winner]
    if others:
        more = f" and {len(others) - _NAMES_SHOWN} more" if len(others) > _NAMES_SHOWN else ""
        which = "Other elites" if facts.search else "Not told apart from it"
        say(f"{which}: {', '.join(others[:_NAMES_SHOWN])}{more}")


def _merit(facts: Facts) -> str:
    from racing.report.facts import in_direction

    for standing in facts.standing:
        if standing.candidate == facts.winner:
            mean = number(in_direction(standing.mean_cost, facts.header.direction))
            without = f", {standing.failures} failed" if standing.failures else ""
            return f" (mean {mean} over {count(standing.instances, 'instance')}{without})"
    return ""

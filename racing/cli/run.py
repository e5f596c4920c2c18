"""Race or search from a scenario file to a winner.

If the scenario has test_instances, the winner is then tested on them.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from operator import attrgetter
from pathlib import Path

from racing.analysis.unseen import holdout
from racing.answer.tested import UnseenTest
from racing.cli import exits
from racing.cli.console import drop, read_or_not, say_json, talk, tell
from racing.cli.options import CHANGES, CONFIG, DRIVING, ENGINE, JSON, option
from racing.cli.scenario import stated
from racing.cli.session import driven
from racing.cli.test import unseen
from racing.core.view import View
from racing.log.sqlite import SQLiteLog
from racing.report import Facts, facts_after
from racing.report.facts import resume_command
from racing.report.forecast import no_default, not_stated
from racing.report.run_document import ended, tested
from racing.runner.loop import RunOptions
from racing.runner.run import run
from racing.runner.warm_start import start_from
from racing.scenario import Scenario

EXAMPLES = (
    "racing run race.yaml",
    "racing run race.yaml --budget 30m --jobs 4 --set rule=bets",
    "racing run race.yaml --from runs/race.sqlite --log runs/second.sqlite",
)

ARGUMENTS = (
    CONFIG,
    option(
        "--log",
        metavar="FILE",
        help="where the run is recorded (default: the scenario's log, else runs/NAME.sqlite beside "
        "it)",
    ),
    option("--force", action="store_true", help="replace the log of an earlier run, which is lost"),
    option(
        "--from",
        dest="earlier",
        metavar="RUN",
        action="append",
        default=[],
        help="start with the configurations that an earlier run found best; may be given again",
    ),
    *CHANGES,
    option("--seed", type=int, metavar="N", help="another seed than the scenario's"),
    *DRIVING,
    ENGINE,
    JSON,
)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    scenario = given = stated(args)
    if args.seed is not None:
        scenario = replace(scenario, seed=args.seed)
    if args.earlier:
        scenario = _started(scenario, args.earlier)
    for warning in no_default(scenario):
        talk(f"warning: {warning}")
    log = Path(args.log) if args.log else scenario.plan.log

    def go(options: RunOptions) -> View:
        race = run(scenario, log=log, options=options, force=args.force, pool=args.engine)
        for warning in not_stated(given, race.results.costs):
            talk(f"note: {warning}")
        return race

    return drive(go, log, args)


def _started(scenario: Scenario, logs: list[str]) -> Scenario:
    """Add the best configurations of earlier runs to the scenario, and print them."""
    earlier = start_from(scenario, logs)
    names = ", ".join(entry.name for entry in earlier.taken) or "nothing that is new"
    talk(f"from earlier runs: {names}; configurations only, their outcomes are not used")
    for left in earlier.left_out:
        talk(f"left out: {left}")
    return earlier.scenario


def drive(go: Callable[[RunOptions], View], log: Path, args: argparse.Namespace) -> int:
    """Drive a run to its end or to an interruption, and print the result."""
    place = log.absolute()  # a target in this process may change the working folder
    try:
        race = driven(go, args, begins=True)
    except KeyboardInterrupt:
        kept = "abandoned what ran; everything that was done is kept"
        talk(f"{kept}: {resume_command(log)} continues it")
        return exits.INTERRUPTED
    with SQLiteLog.open(place, write=False) as book:
        told = facts_after(race, book, run=log)
        held_back = bool(book.header.scenario.get("test_instances"))
    if not args.json:
        _print(lambda: tell(ended(told)), log)
    code = _exit(race, told, resume_command(log))
    if code == exits.OK and held_back:
        if not (known := told.tests):
            talk("testing the result on the scenario's test_instances")
        try:
            told = replace(told, test=(test := unseen(partial(holdout, place), place, args)))
            if not (args.json or _among(known, test.tested)):
                tell(tested(test))
        except KeyboardInterrupt as stop:
            code = exits.interrupted(stop)
    if args.json:
        _print(lambda: say_json(told), log)
    return code


def _among(known: Iterable[UnseenTest], test: UnseenTest | None) -> bool:
    """Whether a test was there before: it is told with the run."""
    parts = attrgetter("kind", "result", "others", "instances")
    return test is not None and parts(test) in map(parts, known)


def _print(result: Callable[[], None], log: Path) -> None:
    """Print the result of a run, which is over even if its output cannot be written."""
    try:
        with read_or_not():
            result()
    except OSError as error:
        drop(sys.stdout)
        talk(
            f"the run is recorded, but its result cannot be printed ({error.strerror}): "
            f"racing show {shlex.quote(str(log))}"
        )


def _exit(race: View, told: Facts, resume: str) -> int:
    """The exit code of a run; prints the command that resumes it, if possible."""
    if not race.done:
        talk(f"interrupted; {resume} continues it")
        return exits.INTERRUPTED
    if race.stopped == "target_failed":
        talk(f"stopped: {race.stopped.meaning}; fix it, then {resume} tries again")
        return exits.TARGET_FAILED
    if told.few_instances:
        talk(f"the budget was too small to choose; {resume[:-1]} --budget +N` goes on")
        return exits.NO_WINNER
    return exits.OK if race.winner is not None else exits.NO_WINNER

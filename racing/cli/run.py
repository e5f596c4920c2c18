"""Race or search from a scenario file to a winner.

If the scenario has test_instances, the winner is then tested on them.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from racing.analysis.unseen import holdout
from racing.cli import exits
from racing.cli.console import drop, read_or_not, say_json, talk, tell
from racing.cli.options import CHANGES, CONFIG, DRIVING, ENGINE, JSON, option
from racing.cli.scenario import stated
from racing.cli.session import driven
from racing.cli.test import unseen
from racing.core.view import View
from racing.log.sqlite import SQLiteLog
from racing.report import Facts, facts_after
from racing.report.facts import resume_command, tests_beside
from racing.report.forecast import no_default, not_stated
from racing.report.run_document import ended
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
    code, why = _exit(race, told, resume_command(log))
    try:
        if code == exits.OK and told.header.scenario.get("test_instances"):
            told = _with_test(told, place, args)
    except KeyboardInterrupt as stop:
        code = exits.interrupted(stop)
    finally:  # the run is over, whatever became of its test
        _print(lambda: say_json(told) if args.json else tell(ended(told)), log)
    if why:
        talk(why)
    return code


def _with_test(told: Facts, log: Path, args: argparse.Namespace) -> Facts:
    """Test the result of a run on the instances that its scenario holds back."""
    if not told.tests:
        talk("testing the result on the scenario's test_instances")
    test = unseen(partial(holdout, log), log, args)
    with SQLiteLog.open(log, write=False) as book:
        return replace(told, test=test, tests=tests_beside(told.race, book))


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


def _exit(race: View, told: Facts, resume: str) -> tuple[int, str]:
    """The exit code of a run, and why it is not `OK` where the command to resume it helps."""
    if not race.done:
        return exits.INTERRUPTED, f"interrupted; {resume} continues it"
    if race.stopped == "target_failed":
        why = f"stopped: {race.stopped.meaning}; fix it, then {resume} tries again"
        return exits.TARGET_FAILED, why
    if told.few_instances:
        why = f"the budget was too small to choose; {resume[:-1]} --budget +N` goes on"
        return exits.NO_WINNER, why
    return (exits.OK if race.winner is not None else exits.NO_WINNER), ""

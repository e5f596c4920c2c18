"""Evaluate a run's winner on instances that the race has not seen, against another candidate.

The evaluations are recorded beside the run, so the same command resumes an interrupted test.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from racing.base.errors import InputError, NothingToTest
from racing.base.words import percent
from racing.cli import exits
from racing.cli.console import (
    add_json,
    count,
    interval,
    number,
    say,
    say_json,
    table,
    talk,
)
from racing.cli.family_text import add_by, say_families
from racing.cli.session import add_driving, driven

if TYPE_CHECKING:
    from collections.abc import Sequence

    from racing.base.quantities import Direction
    from racing.core.candidate import Candidate
    from racing.report.data import Data
    from racing.report.families import ByFamily

HELP = "evaluate the winner on held-out instances, against another candidate"
EXAMPLES = (
    "racing test runs/race.sqlite",
    "racing test runs/race.sqlite 'held/*.cnf' --jobs 4",
    "racing test runs/race.sqlite held --against '#3'",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("run", metavar="RUN", help="the log of a run")
    parser.add_argument(
        "instances",
        metavar="INSTANCE",
        nargs="*",
        help="instances held back, or patterns or folders of them (default: the scenario's "
        "test_instances)",
    )
    parser.add_argument(
        "--against",
        metavar="NAME",
        help="name or #id of the other candidate (default: the default, else the run's first)",
    )
    parser.add_argument(
        "--portfolio",
        type=int,
        nargs="?",
        const=0,
        metavar="K",
        help="evaluate a team of K candidates, against the single best and the default, in place "
        "of the winner (default for K: as `racing portfolio` chooses it; of a search for a team, "
        "its team, which is the default without this option)",
    )
    add_by(parser)
    parser.add_argument("--log", metavar="FILE", help="where these evaluations are recorded")
    add_driving(parser)
    add_json(parser)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    data, code = evaluate(
        Path(args.run),
        args,
        instances=args.instances,
        against=args.against,
        record=args.log,
        by=args.by,
        team=args.portfolio,
    )
    if args.json and data is not None:
        say_json(data)
    return code


def evaluate(
    log: Path,
    args: argparse.Namespace,
    *,
    instances: Sequence[str] = (),
    against: str | None = None,
    record: str | None = None,
    by: str | None = None,
    team: int | None = None,
) -> tuple[Data | None, int]:
    """Test a run's winner, and print the result; returns data, None if it was interrupted.

    Of a run for a front the shown front is tested, and of a search for a team the team, unless
    `against` or `by` is given.

    Parameters
    ----------
    args
        The options of the execution and of the output.
    instances
        By default those of the scenario.
    by
        What says their families: see `racing.by_family`.
    team
        The size of a team that is tested in place of the winner; 0 for any.

    Returns
    -------
    The data and the exit code.
    """
    from racing.analysis.held_out_front import has_front
    from racing.analysis.holdout import holdout
    from racing.analysis.portfolio.unseen import searched
    from racing.log.sqlite import SQLiteLog
    from racing.report.facts import unit_of
    from racing.report.families import held_out_by_family
    from racing.report.holdout_data import holdout_data, nothing_to_test

    with SQLiteLog.open(log, write=False) as book:
        direction, folder = book.header.direction, str(book.header.scenario.get("folder") or "")
        unit = unit_of(book.header)
    if team is not None and (against or by):
        raise InputError(
            "--portfolio: not with --against or --by; the team is held to the best single "
            "candidate and to the default"
        )
    if team is not None or (against is None and by is None and searched(log) is not None):
        return _test_team(log, args, instances, record, direction, size=team or None)
    if has_front(log) and against is None:
        return _test_front(log, args, instances, record)
    try:
        found = driven(
            lambda options: holdout(
                log, instances, against=against, record=record, options=options
            ),
            args,
        )
    except NothingToTest as nothing:
        if not args.json:
            _say_nothing(nothing.candidate)
        return nothing_to_test(nothing.candidate), exits.OK
    if found is None:
        talk("interrupted; the same command again resumes it")
        return None, exits.INTERRUPTED
    families = held_out_by_family(found, by=by, folder=folder)
    data = holdout_data(found, direction, unit=unit, families=families)
    if not args.json:
        _say_holdout(data)
        _say_by_family(data, families)
    return data, exits.OK


def _test_team(
    log: Path,
    args: argparse.Namespace,
    instances: Sequence[str],
    record: str | None,
    direction: Direction,
    *,
    size: int | None,
) -> tuple[Data | None, int]:
    """Test a team, and print the result."""
    from racing.analysis.portfolio.unseen import team_on_unseen
    from racing.report.team_data import unseen_team_data

    found = driven(
        lambda options: team_on_unseen(log, instances, size=size, record=record, options=options),
        args,
    )
    if found is None:
        talk("interrupted; the same command again resumes it")
        return None, exits.INTERRUPTED
    data = unseen_team_data(found, direction)
    if not args.json:
        for sentence in data["answer"]:
            say(sentence)
    return data, exits.OK


def _test_front(
    log: Path, args: argparse.Namespace, instances: Sequence[str], record: str | None
) -> tuple[Data | None, int]:
    """Test the shown front of a run, and print the result."""
    from racing.analysis.held_out_front import front_on_unseen
    from racing.report.front_data import held_out_front_data
    from racing.report.holdout_data import nothing_to_test

    try:
        found = driven(
            lambda options: front_on_unseen(log, instances, record=record, options=options), args
        )
    except NothingToTest as nothing:
        if not args.json:
            _say_nothing(nothing.candidate)
        return nothing_to_test(nothing.candidate), exits.OK
    if found is None:
        talk("interrupted; the same command again resumes it")
        return None, exits.INTERRUPTED
    data = held_out_front_data(found)
    if not args.json:
        for sentence in data["answer"]:
            say(sentence)
        _say_front(data)
    return data, exits.OK


def _say_front(data: Data) -> None:
    """Print the means of a front, and its gains over the default."""
    table(
        "Means there",
        ("candidate", *(f">{name}" for name in data["metrics"]), ">failed", ""),
        (
            (one["name"], *(number(one["metrics"][name]) for name in data["metrics"]),
             one["failures"], _place_of(one))
            for one in data["candidates"]
        ),
    )  # fmt: skip
    gained = [one for one in data["candidates"] if one["gains"]]
    if gained:
        table(
            f"Gain over {data['default']}, above 0 is better (95 % intervals that hold all at "
            "once)",
            ("candidate", *(f">{name}" for name in data["metrics"])),
            (
                (one["name"], *(interval(one["gains"][name]) for name in data["metrics"]))
                for one in gained
            ),
        )


def _place_of(one: Data) -> str:
    words = ("best compromise of the run",) if one["knee"] else ()
    return ", ".join((*words, *(() if one["on_front"] else ("dominated here",))))


def _say_nothing(winner: Candidate) -> None:
    """Print that the default is the winner, which is no error."""
    say(
        f"The winner is {winner} itself, the default or the first candidate: nothing better "
        "was found, so there is nothing to test. --against NAME holds it to another candidate."
    )


def _say_holdout(data: Data) -> None:
    from racing.report.answer import grouped

    winner, against = data["winner"]["name"], data["against"]["name"]
    if data["against_drawn_at_random"]:
        against += ", drawn at random,"
    yes_or_no = data["right_winner"] is not None
    if not yes_or_no:
        say(
            f"On {count(data['instances'], 'instance')} that the race has not seen, {winner} has "
            f"a mean of {number(data['mean_winner'])}{_failed(data['failures_winner'])} and "
            f"{against} of {number(data['mean_against'])}{_failed(data['failures_against'])}."
        )
    if yes_or_no or data["failures_winner"] or data["failures_against"]:
        say(data["answer"][0])
    else:
        say(
            f"The median improvement is {number(data['improvement'])}{_unit(data)}, "
            f"{_interval(data)}; "
            f"{winner} is better on {data['wins']}, equal on {data['ties']}, "
            f"worse on {data['losses']} (Wilcoxon p = {number(data['wilcoxon_p'], 2)})."
        )
    if data["groups"] is not None:
        say(grouped(data["groups"]))
    for name, means in data.get("metrics", {}).items():
        pair = f"{winner} {number(means['winner'])}, {against} {number(means['against'])}"
        say(f"  mean {name}: {pair}")
    for text in data.get("limit_sentences", ()):
        say(text)
    if data["against_drawn_at_random"]:
        say(
            f"The run had no default, so this says nothing of the gain: --against NAME holds "
            f"{winner} to another candidate, and a default in the scenario to what you use now."
        )
    elif data["evidence"] == "better":
        say(f"{winner} is better on held-out instances.")
    elif data["evidence"] == "worse":
        say(f"{winner} is worse on held-out instances: the race was misled.")
    else:
        say("The instances do not tell the two apart.")


def _say_by_family(data: Data, families: ByFamily | None) -> None:
    from racing.report.family_words import family_sentences

    for sentence in family_sentences(families):
        say(sentence)
    say_families(data["families"])


def _unit(data: Data) -> str:
    return f" {data['unit']}" if data["unit"] else ""


def _interval(data: Data) -> str:
    low, high, level = data["improvement_low"], data["improvement_high"], percent(data["level"])
    if low is None:
        return f"with too few instances for a {level} interval"
    return f"{level} interval {number(low)} to {number(high)}"


def _failed(failures: int) -> str:
    return f" ({failures} failed)" if failures else ""

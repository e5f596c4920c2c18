"""Evaluate a run's winner on instances that the race has not seen, against another candidate.

The evaluations are recorded beside the run, so an interrupted test goes on where it stopped.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from racing.cli import exits
from racing.cli.console import add_json, count, number, say, say_json, talk
from racing.cli.driving import add_driving, driven
from racing.errors import NothingToTest

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from racing.candidate import Candidate
    from racing.holdout import Holdout

HELP = "evaluate the winner on held-out instances, against another candidate"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
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
    parser.add_argument("--log", metavar="FILE", help="where these evaluations are recorded")
    add_driving(parser)
    add_json(parser)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    data, code = evaluate(
        Path(args.run), args, instances=args.instances, against=args.against, record=args.log
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
) -> tuple[dict[str, Any] | None, int]:
    """Test a run's winner, and say in words what came out; as data, None if it was interrupted.

    Parameters
    ----------
    args
        How it is driven, and whether words are wanted.
    instances
        By default those of the scenario.

    Returns
    -------
    The data and the exit code.
    """
    from racing.holdout import holdout
    from racing.log.sqlite import SQLiteLog

    with SQLiteLog.open(log, write=False) as book:
        sign = -1.0 if book.header.direction == "maximize" else 1.0
    try:
        found = driven(
            lambda options: holdout(
                log, instances, against=against, record=record, options=options
            ),
            args,
        )
    except NothingToTest as nothing:
        return _nothing(nothing.candidate, args), exits.OK
    if found is None:
        talk("interrupted; the same command again goes on")
        return None, exits.INTERRUPTED
    if not args.json:
        _print(found, sign)
    return as_data(found, sign), exits.OK


def _nothing(winner: Candidate, args: argparse.Namespace) -> dict[str, Any]:
    """That the default wins is an answer, not an error."""
    if not args.json:
        say(
            f"The winner is {winner} itself, the default or the first candidate: nothing better "
            "was found, so there is nothing to test. --against NAME holds it to another candidate."
        )
    same = {"name": str(winner), "values": dict(winner.values)}
    return {"winner": same, "against": same, "instances": 0}


def as_data(found: Holdout, sign: float) -> dict[str, Any]:
    """The comparison as plain data; scores are in the user's direction."""
    (mean, failed), (other_mean, other_failed) = (_mean(costs) for costs in found.costs.T)
    return {
        "winner": {"name": str(found.winner), "values": dict(found.winner.values)},
        "against": {"name": str(found.against), "values": dict(found.against.values)},
        "instances": len(found.costs),
        "mean_winner": sign * mean,
        "mean_against": sign * other_mean,
        "failures_winner": failed,
        "failures_against": other_failed,
        "improvement": found.difference.estimate,
        "improvement_low": found.difference.low,
        "improvement_high": found.difference.high,
        "level": found.difference.level,
        "wins": found.superiority.wins,
        "ties": found.superiority.ties,
        "losses": found.superiority.losses,
        "wilcoxon_p": found.test.pvalue,
        "costs": [
            {"instance": name, "winner": sign * float(a), "against": sign * float(b)}
            for name, (a, b) in zip(found.instances, found.costs, strict=True)
        ],
    }


def _mean(costs: NDArray[np.float64]) -> tuple[float, int]:
    """The mean of the costs that are numbers (NaN without any), and how many are failures."""
    finite = [float(cost) for cost in costs if math.isfinite(cost)]
    mean = math.fsum(cost / len(finite) for cost in finite) if finite else math.nan
    return mean, len(costs) - len(finite)


def _print(found: Holdout, sign: float) -> None:
    data = as_data(found, sign)
    say(
        f"On {count(data['instances'], 'instance')} that the race has not seen, {found.winner} has "
        f"a mean of {number(data['mean_winner'])}{_failed(data['failures_winner'])} and "
        f"{found.against} of {number(data['mean_against'])}{_failed(data['failures_against'])}."
    )
    say(
        f"The median improvement is {number(data['improvement'])}, {_interval(data)}; "
        f"{found.winner} is better on {data['wins']}, equal on {data['ties']}, "
        f"worse on {data['losses']} (Wilcoxon p = {number(data['wilcoxon_p'], 2)})."
    )
    say(_verdict(found))


def _failed(failures: int) -> str:
    return f" ({failures} failed)" if failures else ""


def _interval(data: dict[str, Any]) -> str:
    low, high, level = data["improvement_low"], data["improvement_high"], f"{data['level']:.0%}"
    if math.isinf(low) and math.isinf(high):
        return f"with too few instances for a {level} interval"
    return f"{level} interval {number(low)} to {number(high)}"


def _verdict(found: Holdout) -> str:
    if found.difference.low > 0:
        return f"{found.winner} is better on held-out instances."
    if found.difference.high < 0:
        return f"{found.winner} is worse on held-out instances: the race was misled."
    return "The instances do not tell the two apart."

"""Explain a run's winner: which changes brought its gain, which parameters matter, what was missed.

It reads the log. With --budget it also evaluates configurations between the default and the winner;
these evaluations are recorded beside the run, so the same command resumes an interrupted ablation.
"""

from __future__ import annotations

import argparse
import math
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from racing.base.words import percent
from racing.cli import exits
from racing.cli.console import add_json, count, number, say, say_json, table, talk
from racing.cli.session import add_driving, driven

if TYPE_CHECKING:
    from racing.report.data import Data

_ROWS = 12
_PAIRS = 5
_LEAST_SHARE = 0.01
_SURE = 30  # evaluations to suggest for each parameter that differs

_SCALES = {"cost": "the costs", "log": "the logarithms of the costs", "rank": "the ranks"}

HELP = "say which changes brought the winner's gain, and which parameters matter"
EXAMPLES = (
    "racing explain runs/race.sqlite",
    "racing explain runs/race.sqlite --budget 300",
    "racing explain runs/race.sqlite --csv tables",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("run", metavar="RUN", help="the log of a run, finished or not")
    parser.add_argument(
        "--budget",
        type=int,
        metavar="N",
        help="evaluations for a path of changes to the winner (default: none are made)",
    )
    parser.add_argument(
        "--against",
        metavar="NAME",
        help="name or #id of the candidate that the path begins with (default: the default, else "
        "the run's first)",
    )
    parser.add_argument(
        "--csv", metavar="FOLDER", help="also write the tables as CSV files into FOLDER"
    )
    add_driving(parser)
    add_json(parser)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    from racing.analysis.explain.explanation import explain
    from racing.report.explanation_data import explanation_data, write_csv

    found = driven(
        lambda options: explain(
            Path(args.run), against=args.against, budget=args.budget, options=options
        ),
        args,
    )
    if found is None:
        talk("interrupted; the same command again resumes it")
        return exits.INTERRUPTED
    data = explanation_data(found)
    if args.json:
        say_json(data)
    else:
        _say_explanation(data)
    for file in write_csv(data, Path(args.csv)) if args.csv else ():
        (talk if args.json else say)(f"wrote {file}")
    return exits.OK


def _say_explanation(data: Data) -> None:
    """Print the winner's changes, their gains, important parameters, and unexplored regions."""
    model = data["importance"]
    if model:
        _say_trust(model)
    if data["ablation"] and data["differences"]:
        _say_path(data)
    elif data["differences"]:
        _say_differences(data)
    if model and model["r2"] > 0:
        _say_shares(model, data["winner"]["name"])
    _say_regions(data)
    for note in data["notes"]:
        say(f"Note: {note}.")


def _say_differences(data: Data) -> None:
    from racing.base.words import value_text

    against, winner, changed = data["against"]["name"], data["winner"]["name"], data["differences"]
    table(
        f"What {winner} changes",
        ("parameter", f">{against}", f">{winner}"),
        (
            (name, value_text(pair["from"]), value_text(pair["to"]))
            for name, pair in changed.items()
        ),
    )
    budget = max(_SURE * len(changed), 60)
    say(
        f"Which of these brought the gain: `racing explain {shlex.quote(data['run'])} --budget "
        f"{budget}` runs configurations in between."
    )


def _say_path(data: Data) -> None:
    """Print the path of an ablation: the gain of each change, and of all of them."""
    found = data["ablation"]
    steps, total = found["steps"], found["total"]
    table(
        f"From {data['against']['name']} to {data['winner']['name']}, one change after the other",
        (">step", "change", ">gain", ">95 % interval", ">share"),
        (
            (one["step"], one["change"], number(one["gain"]), _interval(one), _share(one["share"]))
            for one in steps
        ),
    )
    if not total["pairs"]:
        say("The budget did not suffice to measure the path; give more.")
        return
    where = (
        "that had no part in the choice of the changes"
        if found["independent"]
        else "on which they were also chosen, as there are no others: the gains are too good"
    )
    say(
        f"In all {number(total['gain'])} on average, interval {_interval(total)}, on "
        f"{count(total['pairs'], 'instance')} {where}; "
        f"{count(found['evaluations'], 'new evaluation')}."
    )
    if needed := total["instances_needed"]:
        say(
            f"That may be chance: with differences as here about {count(needed, 'instance')} would "
            f"tell, by `--budget {needed * (len(steps) + 1) * 10 // 4}`."
        )
    unsure = [str(one["step"]) for one in steps if not _is_sure(one)]
    if unsure:
        plural = "s" if len(unsure) > 1 else ""
        say(f"Changes that may have brought nothing: step{plural} {', '.join(unsure)}.")


def _interval(gain: Data) -> str:
    if gain["low"] is None or math.isinf(gain["low"]):
        return "–"
    return f"{number(gain['low'])} to {number(gain['high'])}"


def _is_sure(gain: Data) -> bool:
    """Whether the interval excludes zero."""
    return gain["low"] is not None and (gain["low"] > 0 or gain["high"] < 0)


def _share(share: float | None) -> str:
    return "–" if share is None else percent(share)


def _say_trust(model: Data) -> None:
    """Print how well the forest fits, before results that depend on it."""
    say(
        f"The forest explains {percent(max(model['r2'], 0.0))} of the variance of "
        f"{_SCALES[model['scale']]} of configurations that it was not fitted to (cross-validation)."
        f"{_trust(model)}"
    )
    if model["left_out"]:
        say(f"{count(model['left_out'], 'configuration')} that never worked: left out of it.")


def _trust(model: Data) -> str:
    """A note on the reliability of its shares."""
    if model["r2"] <= 0:
        return " So the run does not say which parameters matter."
    return " That is little: do not rely on these shares." if model["poor"] else ""


def _say_shares(model: Data, winner: str) -> None:
    parameters = model["parameters"]
    shown = [
        one for one in parameters[:_ROWS] if max(one["total"], one["local"] or 0.0) >= _LEAST_SHARE
    ]  # fmt: skip
    table(
        f"How much each parameter matters ({count(model['configurations'], 'configuration')})",
        ("parameter", ">alone", ">with others", f">near {winner}"),
        (
            (one["name"], f"{_share(one['main'])} ± {_share(one['spread'])}", _share(one["total"]),
             _share(one["local"]))
            for one in shown
        ),
    )  # fmt: skip
    if len(shown) < len(parameters):
        say(f"  {len(parameters) - len(shown)} more: --json shows all")
    for pair in model["interactions"][:_PAIRS]:
        if pair["share"] >= 2 * _LEAST_SHARE:
            say(f"  {' and '.join(pair['names'])} together: {percent(pair['share'])} more")


def _say_regions(data: Data) -> None:
    failing = [region for region in data["regions"] if region["kind"] == "failing"]
    missed = [region for region in data["regions"] if region["kind"] == "unexplored"]
    if data["failures"]:
        say(
            f"{data['failures']} of {count(data['evaluations'], 'evaluation')} failed"
            + (":" if failing else ", in no part of the space more than elsewhere.")
        )
    for one in failing:
        say(
            f"  {_where(one)}: {one['failures']} of {one['evaluations']} "
            f"({count(one['configurations'], 'configuration')}), "
            f"elsewhere {_share(one['elsewhere'])}"
        )
    if missed:
        say(f"Never tried in {count(data['configurations'], 'configuration')}:")
        for one in missed:
            say(f"  {_where(one)}")


def _where(region: Data) -> str:
    from racing.base.words import value_text

    if region["level"] is not None:
        return f"{region['name']} = {value_text(region['level'])}"
    if region["low"] is None:
        return f"{region['name']}, which was never active"
    return f"{region['name']} from {value_text(region['low'])} to {value_text(region['high'])}"

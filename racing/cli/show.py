"""Show the state of a run: the best candidate, the dropped ones and why, and the spending.

It only reads, so it can be used during the run.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from racing.base.words import percent, versus
from racing.cli import exits
from racing.cli.console import add_json, count, duration, interval, number, say, say_json, table
from racing.cli.family_text import add_by, say_families
from racing.cli.run_text import (
    paid_for,
    say_answer,
    say_evaluations,
    stopped_at_bound,
    unspent,
)
from racing.cli.search_text import say_changes, say_search
from racing.core.budget import PAID

if TYPE_CHECKING:
    from collections.abc import Sequence

    from racing.report.data import Data

_ROWS = 20

HELP = "show which candidate is ahead, which were dropped and why, and what it took"
EXAMPLES = (
    "racing show runs/race.sqlite",
    "racing show runs/race.sqlite --all",
    "racing show runs/race.sqlite --by family",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("run", metavar="RUN", help="the log of a run, finished or not")
    parser.add_argument(
        "--all",
        action="store_true",
        help=f"every row of long tables, not {_ROWS} of them, with every value",
    )
    add_by(parser)
    add_json(parser)


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    from racing.log.sqlite import SQLiteLog
    from racing.report import gather
    from racing.report.data import run_data

    log = Path(args.run)
    with SQLiteLog.open(log, write=False) as book:
        facts = gather(book, by=args.by)
    data = run_data(facts, log)
    if args.json:
        say_json(data)
    else:
        _say_all(data, None if args.all else _ROWS)
    return exits.OK


def _say_all(data: Data, rows: int | None) -> None:
    say(f"{data['name']} ({data['run']}), seed {data['seed']}, {_goal(data)}")
    say(data["state"])
    say_answer(data)
    say(
        f"{count(data['evaluations'], 'evaluation')} in {duration(data['wall_seconds'])}, "
        f"{duration(data['target_seconds'])} of target time; {count(data['tests'], 'test')}"
        f"{stopped_at_bound(data)}{paid_for(data)}{unspent(data)}"
    )
    if data["lost_wal"]:
        say(
            f"{data['run']}-wal is missing: if this log was copied or moved without it, the latest "
            "outcomes are lost, and will be evaluated again; fetch that file to keep them"
        )
    say_evaluations(data)
    if data["search"]:
        say_search(data)
    say(f"Next: {data['next']}")
    say_families(data["families"])
    say_changes(data["changes"])
    _say_front(data, rows)
    _say_front_gains(data)
    _say_standing(data, rows)
    _say_dropped(data, rows)
    _say_expenses(data)


def _goal(data: Data) -> str:
    return str(data.get("asked") or f"{data['direction']} {data['objective']}")


def _say_standing(data: Data, rows: int | None) -> None:
    from racing.report.differences import differing, only
    from racing.report.facts import plain

    standing = data["standing"]
    if not standing:
        say("\nNo instance is complete yet, so there is no standing.")
        return
    which = "Elites" if data["search"] else "Standing"
    differ = differing([one["values"] for one in standing]) if rows is not None else None
    metrics = data.get("metrics", {})
    unit = f" ({data['unit']})" if data["unit"] else ""
    estimated = any("estimated_mean" in one for one in standing)
    table(
        f"{which} after {count(data['instances'], 'instance')}",
        ("candidate", ">mean rank", *([f">estimated mean{unit}"] if estimated else []),
         f">mean{unit}", *map(_titled, metrics.items()), ">failed",
         "values" if differ is None else "values that differ"),
        (
            (s["name"], f"{s['mean_rank']:.2f}",
             *([number(s.get("estimated_mean", s["mean"]))] if estimated else []),
             number(s["mean"]), *(number(s["metrics"][name]) for name in metrics), s["failures"],
             plain(only(s["values"], differ)))
            for s in standing[:rows]
        ),
        cut_last=rows is not None,
    )  # fmt: skip
    _note(standing, rows, "the best")
    if estimated:
        say(
            "  in the order of the estimated mean: where a few instances cost far more than the "
            "others, they decide the plain mean by chance, and it is drawn to what the ranks say"
        )


def _say_front(data: Data, rows: int | None) -> None:
    """Print the front by its first metric, and what may be on it."""
    from racing.core.standing import from_end_to_end

    front = data.get("front")
    if front is None or not front["candidates"]:
        return
    found, maybe = front["candidates"], front["maybe"]
    most = len(found) + len(maybe) if rows is None else front["show"]
    metrics = {name: data["metrics"][name] for name in front["metrics"]}
    ids = [one["id"] for one in found]
    knee = ids.index(front["knee"]) if front["knee"] in ids else None
    which = [found[place] for place in from_end_to_end(len(found), most, knee)]
    _front_table(f"Front, by {front['metrics'][0]}", which, metrics, front["knee"], rows)
    if len(found) > most:
        say(f"  {most} of {len(found)}, from end to end; --all shows every row")
    if maybe:
        _front_table("Dominated, but perhaps on it", maybe[:most], metrics, None, rows)
        _note(maybe, most, "the most probable")


def _say_front_gains(data: Data) -> None:
    """Print the gains of a searched front over the default as confirmed."""
    found = data["search"]["front_gains"] if data["search"] else []
    if not found:
        return
    metrics = {name: data["metrics"][name] for name in data["front"]["metrics"]}
    table(
        f"Gain over {data['search']['baseline']} as confirmed, above 0 is better "
        "(95 % intervals that hold all at once)",
        ("candidate", ">instances", *map(_titled, metrics.items())),
        (
            (one["name"], max(gain["instances"] for gain in one["metrics"].values()),
             *(interval(one["metrics"][name]) for name in metrics))
            for one in found
        ),
    )  # fmt: skip


def _front_table(
    title: str, found: list[Data], metrics: dict[str, Data], knee: int | None, rows: int | None
) -> None:
    from racing.core.fronts import chance_words
    from racing.report.differences import differing, only
    from racing.report.facts import plain

    differ = differing([one["values"] for one in found]) if rows is not None else None
    table(
        title,
        ("candidate", ">P(on the front)", *map(_titled, metrics.items()), ">failed", "",
         "values" if differ is None else "values that differ"),
        (
            (one["name"], chance_words(one["on_front"]),
             *(number(one["metrics"][name]) for name in metrics), one["failures"],
             "best compromise" if one["id"] == knee else "", plain(only(one["values"], differ)))
            for one in found
        ),
        cut_last=rows is not None,
    )  # fmt: skip


def _titled(metric: tuple[str, Data]) -> str:
    """The head of a metric's column."""
    name, one = metric
    return f">{name} ({one['unit']})" if one.get("unit") else f">{name}"


def _say_dropped(data: Data, rows: int | None) -> None:
    dropped = data["dropped"]
    if not dropped:
        return
    names = {one["id"]: one["name"] for one in (*data["standing"], *dropped)}
    table(
        "Dropped",
        ("candidate", ">after", "because", "against", ">numbers"),
        (
            (d["name"], d["after_instances"], d["reason"],
             names.get(d["against"], f"#{d['against']}"), _numbers(d))
            for d in dropped[-(rows or 0) :]
        ),
    )  # fmt: skip
    _note(dropped, rows, "the last")


def _numbers(dropped: Data) -> str:
    from racing.report.eliminations import in_words

    value, threshold = dropped["value"], dropped["threshold"]
    if said := in_words(dropped["measure"], value):
        return f"{dropped['measure']}: {said}"
    return f"{dropped['measure']} {versus(value, threshold)}"


def _note(all_rows: Sequence[object], rows: int | None, which: str) -> None:
    if rows is not None and len(all_rows) > rows:
        say(f"  {which} {rows} of {len(all_rows)}; --all shows every row")


def _say_expenses(data: Data) -> None:
    """Print the shares of the budget for survivors and for dropped candidates."""
    dropped = {one["id"] for one in data["dropped"]}
    groups: dict[str, list[Data]] = {"elites" if data["search"] else "survivors": [], "dropped": []}
    staying, leaving = groups.values()
    for expense in data["expenses"]:
        (leaving if expense["id"] in dropped else staying).append(expense)
    total = max(sum(one["evaluations"] for one in data["expenses"]), 1)
    units = [unit for unit in PAID if unit in data["paid"]]
    table(
        "What the budget went into",
        (
            "",
            ">candidates",
            ">evaluations",
            ">share",
            ">failed",
            ">target time",
            *(f">{unit}" for unit in units),
        ),
        (
            (
                name,
                len(group),
                evaluations := sum(one["evaluations"] for one in group),
                percent(evaluations / total),
                sum(one["failures"] for one in group),
                duration(sum(one["seconds"] for one in group)),
                *(number(sum(one["paid"].get(unit, 0.0) for one in group)) for unit in units),
            )
            for name, group in groups.items()
        ),
    )

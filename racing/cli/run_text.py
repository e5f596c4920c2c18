"""The data of a run (`racing.report.data`) as text, for `run`, `resume` and `show`."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from racing.base.words import amount, amounts, busy
from racing.cli.console import count, duration, number, say
from racing.cli.search_text import say_search
from racing.core.budget import PAID

if TYPE_CHECKING:
    from racing.report.data import Data

_NAMES_SHOWN = 8
_MESSAGES_SHOWN = 5


def say_run(data: Data) -> None:
    """Print the result of a run that has just ended."""
    finished = data["finished"]
    if finished:
        say(f"The {'search' if data['search'] else 'race'} is over: {data['why']}.")
    failed = f"; {data['failures']} failed" if data["failures"] else ""
    say(
        f"{count(data['evaluations'], 'evaluation')} on "
        f"{count(data['instances'], 'complete instance')} in "
        f"{duration(data['wall_seconds'])}{failed}{stopped_at_bound(data)}{paid_for(data)}."
    )
    say_evaluations(data)
    if data["winner"] is None:
        say("There is no winner." if finished else "No candidate is ahead yet.")
    else:
        _say_winner(data)
    if data["search"]:
        say_search(data)
        for text in data["answer"]["sentences"]:
            say(text)
    say(f"More: racing show {shlex.quote(data['run'])}")


def stopped_at_bound(data: Data) -> str:
    """The number of evaluations stopped at their bound, if any."""
    return f"; {data['censored']} stopped at their bound" if data["censored"] else ""


def say_evaluations(data: Data) -> None:
    """Print wasted evaluations, changes of the target, and messages of failures."""
    _say_use(data["spent"])
    from racing.report.payment import reuse_sentence

    if taken := reuse_sentence(data["reuse"]):
        say(taken)
    for change in data["target_changes"]:
        after = count(change["after_evaluations"], "evaluation")
        say(f"{change['path']} was changed after {after}.")
    messages = data["failures_by_message"]
    for one in messages[:_MESSAGES_SHOWN]:
        last = f": {one['last_line']}" if one["last_line"] else ""
        say(f"  {one['count']} × {one['message']}{last}")
    if len(messages) > _MESSAGES_SHOWN:
        say(f"  and {len(messages) - _MESSAGES_SHOWN} other messages: see `racing export`")


def _say_use(use: dict[str, int]) -> None:
    if not (use["under_way"] or use["speculative"] or use["wasted"]):
        return
    parts = [f"{use['decided']} decided"]
    if use["under_way"]:
        parts.append(f"{use['under_way']} of instances under way")
    if use["speculative"]:
        parts.append(f"{use['speculative']} speculative, which may be needed")
    if use["wasted"]:
        ended = f" ({use['ended']} of them ended early)" if use["ended"] else ""
        parts.append(f"{use['wasted']} wasted{ended}")
    say(f"Of the evaluations begun, {', '.join(parts)}.")


def _say_winner(data: Data) -> None:
    team = data["search"] and data["search"]["team"]
    if team and team["members"]:
        _say_team(team)
        return
    winner = data["winner"]
    own = next((one for one in data["standing"] if one["id"] == winner["id"]), None)
    ahead = "Winner" if data["finished"] else "Ahead so far"
    if data["finished"] and data["answer"]["undecided"]:
        ahead = "Best so far"
    if data.get("front"):
        ahead = "Best compromise" if data["finished"] else "Best compromise so far"
    missed = {} if own is None else _missed(own)
    if data["few_instances"]:
        ahead = f"Ahead after {count(data['instances'], 'instance')}, too few to choose by"
    if missed:
        ahead = f"No candidate meets all constraints{'' if data['finished'] else ' yet'}; nearest"
    say(f"{ahead}: {winner['name']}{'' if own is None else _merit(own)}")
    for name, value in winner["values"].items():
        say(f"  {name}: {value}")
    for text, mean in missed.items():
        say(f"It misses {text}: mean {number(mean)}.")
    front = data.get("front")
    shown = data["standing"] if front is None else front["candidates"]
    others = [one["name"] for one in shown if one["id"] != winner["id"]]
    if others:
        more = f" and {len(others) - _NAMES_SHOWN} more" if len(others) > _NAMES_SHOWN else ""
        which = "Other elites" if data["search"] else "Not dropped either"
        which = which if front is None else "Also on the front"
        say(f"{which}: {', '.join(others[:_NAMES_SHOWN])}{more}")


def _missed(own: dict[str, Any]) -> dict[str, float | None]:
    """Constraint → mean of a candidate that misses it on the instances of the choice."""
    limits = own.get("limits", {}).items()
    return {text: one["mean"] for text, one in limits if not one["met"]}


def _say_team(team: Data) -> None:
    """Print the members of a team with their values."""
    many = len(team["members"])
    say(f"Team of {many}{'' if many == team['size'] else ' of ' + str(team['size'])}:")
    for one in team["members"]:
        values = ", ".join(f"{name} = {value}" for name, value in one["configuration"].items())
        say(f"  {one['name']}: {values}")


def _merit(own: dict[str, Any]) -> str:
    failed = f", {own['failures']} failed" if own["failures"] else ""
    means = [f"{name} {number(mean)}" for name, mean in own.get("metrics", {}).items()]
    mean = ", ".join(means) or f"mean {number(own['mean'])}"
    return f" ({mean} over {count(own['instances'], 'instance')}{failed})"


def say_answer(data: Data) -> None:
    """Print the result: on held-out instances first, and only confirmed gains."""
    for text in (data["answer"]["headline"], *data["answer"]["sentences"]):
        say(text)


def paid_for(data: Data) -> str:
    """Payments for all evaluations, and how often services were busy, for a line's end."""
    words = amounts(data["paid"])
    said = f"; paid: {', '.join(words)}" if words else ""
    return said + (f"; {waited}" if (waited := busy(data["refused"])) else "")


def unspent(data: Data) -> str:
    """The rest of the budget, for the end of a line."""
    left, parts = data["left"], []
    if (evaluations := left["evaluations"]) is not None:
        limit = evaluations + data["spent"]["decided"]
        rest = max(evaluations - data["spent"]["under_way"], 0)
        parts.append(f"{rest:.0f} of {count(int(limit), 'evaluation')}")
    for name, words in (("target_time", "of target time"), ("wall_time", "of wall-clock time")):
        if (seconds := left[name]) is not None:
            parts.append(f"{duration(seconds)} {words}")
    parts += [amount(unit, rest) for unit in PAID if (rest := left[unit]) is not None]
    return f"; unspent: {', '.join(parts)}" if parts else ""

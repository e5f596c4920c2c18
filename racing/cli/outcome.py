"""What a run has come to, in words: the gain over the default, what is unspent, what to do next."""

from __future__ import annotations

import math
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from racing.cli.console import count, duration, number, say

if TYPE_CHECKING:
    from racing.quantities import Direction
    from racing.report import Facts
    from racing.report.gain import WinnerGain
    from racing.report.search import SearchFacts

_FEW = 6
"""Instances below which a 95 % interval of the median difference does not exist."""


def gain_as_data(gain: WinnerGain | None, direction: Direction) -> dict[str, Any] | None:
    """The gain over the default as plain data; null without one."""
    if gain is None:
        return None
    return {
        "over": {"id": gain.against.id, "name": str(gain.against)},
        "instances": gain.instances,
        "improvement": gain.difference.estimate,
        "improvement_low": gain.difference.low,
        "improvement_high": gain.difference.high,
        "level": gain.difference.level,
        "wins": gain.superiority.wins,
        "ties": gain.superiority.ties,
        "losses": gain.superiority.losses,
        "superiority": gain.superiority.a,
        "wilcoxon_p": gain.test.pvalue,
        "chosen_on_these_instances": True,
    }


def print_gain(facts: Facts) -> None:
    """By how much the winner beats the default, and how sure that is."""
    gain = facts.gain
    if gain is None:
        if facts.winner is not None and facts.stopped is not None and len(facts.expenses) > 1:
            say(f"The winner is {facts.winner} itself, the default: nothing better was found.")
        return
    ahead = "The winner" if facts.stopped is not None else "Ahead so far"
    say(
        f"{ahead}, {gain.winner}, beats {gain.against} by {number(gain.difference.estimate)} "
        f"(median of the paired differences{_interval(gain)}): better on "
        f"{gain.superiority.wins} of {count(gain.instances, 'instance')}, equal on "
        f"{gain.superiority.ties}, worse on {gain.superiority.losses}."
    )
    say(_certainty(gain))


def _interval(gain: WinnerGain) -> str:
    low, high = gain.difference.low, gain.difference.high
    if math.isinf(low) and math.isinf(high):
        return f"; too few instances for a {gain.difference.level:.0%} interval"
    return f"; {gain.difference.level:.0%} interval {number(low)} to {number(high)}"


def _certainty(gain: WinnerGain) -> str:
    p = f"Wilcoxon p = {number(gain.test.pvalue, 2)}"
    if gain.instances < _FEW:
        return f"{p}. {count(gain.instances, 'instance')} cannot tell; more would."
    clear = gain.difference.low > 0
    word = "The difference is clear" if clear else "The difference may be chance"
    return f"{word} on these instances ({p}); they also chose the winner, so it is overstated."


def left_as_data(facts: Facts) -> dict[str, float | None]:
    """What is left of each limit of the budget; null where there is no limit."""
    left = facts.left
    limits = ("evaluations", "wall_time", "target_time", "instances")
    return {
        name: getattr(left, name) if getattr(facts.budget, name) is not None else None
        for name in limits
    }


def unspent(facts: Facts) -> str:
    """What is left of the budget, for the end of a line."""
    left = left_as_data(facts)
    parts = []
    if (evaluations := left["evaluations"]) is not None:
        parts.append(f"{evaluations:.0f} of {count(facts.budget.evaluations or 0, 'evaluation')}")
    for name, words in (("target_time", "of target time"), ("wall_time", "of wall-clock time")):
        if (seconds := left[name]) is not None:
            parts.append(f"{duration(seconds)} {words}")
    return f"; unspent: {', '.join(parts)}" if parts else ""


def advice(facts: Facts, log: Path) -> str:
    """What to do next."""
    run = shlex.quote(str(log))
    if facts.stopped is None:
        return f"`racing resume {run}`, unless it is at work"
    if facts.winner is None:
        if facts.stopped == "all_failed":
            return f"mend the target: `racing export {run}` has every message"
        return "a larger budget, or fewer candidates: no instance was completed"
    if facts.search is not None:
        return _after_search(facts, facts.search, run)
    if facts.gain is not None:
        return f"`racing test {run} INSTANCE...` measures the gain on instances that chose nobody"
    if len(facts.survivors) > 1:
        return "more instances or a larger budget, to tell the survivors apart"
    return f"`racing export {run}` for the numbers"


def _after_search(facts: Facts, search: SearchFacts, run: str) -> str:
    """What to do after a search."""
    more = f"`racing resume {run} --budget +N` searches on"
    if search.gain is None:
        return f"`racing test {run} INSTANCE...` measures the gain on further instances; {more}"
    if search.gain.low > 0 and facts.winner == search.found:
        return f"`racing export {run}` for the numbers; {more}"
    return f"the gain may be chance: {more}, and more instances tell more"

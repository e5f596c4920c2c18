"""What a search has come to, as data and in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from racing.cli.console import count, number, say, table

if TYPE_CHECKING:
    from racing.report import Facts
    from racing.report.search import SearchFacts
    from racing.search import Gain

_ORIGINS = {
    "given": "given",
    "sobol": "spread over the space",
    "enumerated": "enumerated",
    "model": "near an elite",
    "uniform": "at random",
}
_PARTS = {
    "initial": "comparing the initial configurations",
    "running": "racing challengers against the elites",
    "finish": "racing the elites against each other",
    "confirmation": "confirming the winner",
    "plain": "racing all configurations",
    "estimation": "finding out how long an evaluation takes",
    "iteration": "racing new configurations against the elites",
    "selection": "racing the elites of all iterations",
}


def search_as_data(search: SearchFacts | None) -> dict[str, Any] | None:
    """A search as plain data; null for a race."""
    if search is None:
        return None
    return {
        "phase": search.phase,
        "progress": search.progress,
        "window": search.window,
        "iterations": search.iterations,
        "tried": dict(search.tried),
        "baseline": None if search.baseline is None else str(search.baseline),
        "found": None if search.found is None else str(search.found),
        "confirmed_gain": _gain_as_data(search.gain),
        "unconfirmed": search.unconfirmed or None,
        "notes": list(search.notes),
    }


def _gain_as_data(gain: Gain | None) -> dict[str, Any] | None:
    if gain is None:
        return None
    return {
        "mean": gain.mean,
        "low": gain.low,
        "high": gain.high,
        "confidence": gain.confidence,
        "instances": gain.pairs,
        "problems": gain.problems,
        "winner_failures": gain.winner_failures,
        "baseline_failures": gain.baseline_failures,
        "training": gain.training,
        "training_instances": gain.training_pairs,
        "optimism": gain.optimism,
    }


def print_search(facts: Facts) -> None:
    """How far the search is, what it tried, and what the confirmation says."""
    search = facts.search
    assert search is not None
    say(f"{_tried(search)}.")
    if facts.stopped is None:
        say(f"Now {_PARTS[search.phase]}; {search.progress:.0%} of the budget for searching spent.")
    for note in search.notes:
        say(f"Note: {note}.")
    print_confirmation(facts)


def print_confirmation(facts: Facts) -> None:
    """The winner's gain on instances that chose nobody, or why it is not known."""
    search = facts.search
    assert search is not None
    if search.gain is not None and math.isfinite(search.gain.mean):
        say(_confirmed(facts, search.gain))
        if optimism := _optimism(search.gain):
            say(f"  {optimism}")
    elif search.gain is not None:
        say("The gain is not known: in no pair of the confirmation did both runs succeed.")
    elif search.unconfirmed and facts.winner is not None:
        say(f"The gain was not confirmed: {search.unconfirmed}.")


def print_changes(facts: Facts) -> None:
    """What the winner has otherwise than the default."""
    search, winner = facts.search, facts.winner
    if search is None or winner is None or search.baseline in (None, winner):
        return
    assert search.baseline is not None
    before, after = search.baseline.values, winner.values
    table(
        f"What {winner} changes",
        ("parameter", f">{search.baseline}", f">{winner}"),
        (
            (name, _value(before.get(name)), _value(after.get(name)))
            for name in dict.fromkeys([*before, *after])
            if before.get(name) != after.get(name)
        ),
    )


def _value(value: object) -> str:
    if value is None:
        return "–"
    return number(value, 6) if isinstance(value, float) else str(value)


def _tried(search: SearchFacts) -> str:
    how = ", ".join(f"{n} {_ORIGINS.get(name, name)}" for name, n in search.tried.items())
    total = sum(search.tried.values())
    if search.iterations is not None:
        scheme = count(search.iterations, "iteration")
    else:
        scheme = f"window {search.window}"
    return f"{count(total, 'configuration')} tried ({how}); {scheme}"


def _confirmed(facts: Facts, gain: Gain) -> str:
    search = facts.search
    assert search is not None
    failures, found = "", search.found
    if gain.winner_failures or gain.baseline_failures:
        failures = (
            f"; {found} failed {gain.winner_failures} times, "
            f"{search.baseline} {gain.baseline_failures} times"
        )
    better = "better" if gain.mean >= 0 else "worse"
    best = f"{found}, the best other," if facts.winner == search.baseline else found
    return (
        f"On {count(gain.pairs, 'instance')} that chose nobody, {best} is {better} than "
        f"{search.baseline} by {number(abs(gain.mean))} on average"
        f"{_interval(gain)}{failures}.{_who_wins(facts)}"
    )


def _who_wins(facts: Facts) -> str:
    """That the default wins, by what both have met, or that it does not for all that."""
    search = facts.search
    assert search is not None
    assert search.gain is not None
    other = search.baseline if facts.winner == search.found else search.found
    if facts.winner == search.found and search.gain.mean >= 0:
        return ""
    return f" On all instances that both have met, {facts.winner} is ahead of {other}: it wins."


def _interval(gain: Gain) -> str:
    """The interval, in the sense of the sentence: of how much better, or worse."""
    if math.isinf(gain.low):
        return f", with too few instances for a {gain.confidence:.0%} interval"
    low, high = (gain.low, gain.high) if gain.mean >= 0 else (-gain.high, -gain.low)
    return f", {gain.confidence:.0%} interval {number(low)} to {number(high)}"


def _optimism(gain: Gain) -> str:
    """What the figure on the instances that chose the winner was, and that it overstates."""
    if math.isnan(gain.training):
        return ""
    where = f"On {count(gain.training_pairs, 'instance')} that chose it, the gain was"
    if gain.optimism > 0:
        return f"{where} {number(gain.training)}: optimistic by {number(gain.optimism)}."
    return f"{where} {number(gain.training)}: not optimistic."

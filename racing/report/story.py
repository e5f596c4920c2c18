"""A run in a paragraph: who won, by how much, how sure that is, and what it took."""

from __future__ import annotations

import math
from dataclasses import dataclass

from racing.compare.words import count, number
from racing.report.history import History
from racing.report.pair import last_pair
from racing.report.pictures.names import name_of, refer

_FEW = 6
"""Instances below which a 95 % interval of the median difference does not exist."""


@dataclass(frozen=True, kw_only=True)
class Story:
    """The run in words.

    Attributes
    ----------
    headline
        Who won, in one short sentence.
    sentences
        By how much, how sure, and what it took.
    figures
        Label → a few numbers that people look for first.
    """

    headline: str
    sentences: tuple[str, ...]
    figures: dict[str, str]


def story(history: History) -> Story:
    """The story of a run, in any state."""
    sentences = (_by_how_much(history), _how_sure(history), _what_it_took(history))
    return Story(
        headline=_headline(history),
        sentences=tuple(sentence for sentence in sentences if sentence),
        figures=_figures(history),
    )


def duration(seconds: float) -> str:
    """Seconds for people."""
    if seconds < 10:
        return f"{number(seconds, 2)} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes == 0:
        return f"{rest} s"
    return (
        f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
    )


def _headline(history: History) -> str:
    facts = history.facts
    if facts.winner is None:
        if facts.stopped is not None:
            return "There is no winner."
        return "The run has not begun." if not facts.counted else "Nobody is ahead yet."
    name = name_of(history, facts.winner.id)
    return f"{name} is ahead so far." if facts.stopped is None else f"{name} wins."


def _by_how_much(history: History) -> str:
    facts = history.facts
    if facts.winner is None:
        failed = len(history.outcomes) and bool(history.outcomes.failed.all())
        return "Every evaluation failed; see the failures at the end." if failed else ""
    confirmed = facts.search.gain if facts.search is not None else None
    if confirmed is not None and math.isfinite(confirmed.mean):
        assert facts.search is not None
        found = facts.search.found
        who = "it" if found is None or found == facts.winner else f"{refer(found)}, the best other,"
        return (
            f"On {count(confirmed.pairs, 'instance')} that chose nobody, {who} is "
            f"{'better' if confirmed.mean >= 0 else 'worse'} than {refer(facts.search.baseline)} "
            f"by {number(abs(confirmed.mean), 4)} on average"
            + _interval(confirmed.low, confirmed.high)
            + "."
        )
    gain = facts.gain
    if gain is None:
        alone = len(history.candidates) == 1 or facts.search is not None
        return "" if alone else "It is the default itself: nothing better was found."
    return (
        f"It beats {refer(gain.against)} by {number(gain.difference.estimate, 4)} "
        f"(median of the paired differences{_interval(gain.difference.low, gain.difference.high)})"
        f": better on {gain.superiority.wins} of {count(gain.instances, 'instance')}, equal on "
        f"{gain.superiority.ties}, worse on {gain.superiority.losses}."
    )


def _interval(low: float, high: float) -> str:
    if math.isinf(low) and math.isinf(high):
        return ", too few instances for a 95 % interval"
    return f", 95 % interval {number(low, 4)} to {number(high, 4)}"


def _how_sure(history: History) -> str:
    facts, said = history.facts, []
    if facts.winner is None:
        return ""
    if facts.gain is not None:
        if facts.gain.instances < _FEW:
            said.append(f"{count(facts.gain.instances, 'instance')} cannot tell; more would.")
        elif facts.gain.difference.low > 0:
            said.append("That lead is clear on these instances, which also chose the winner.")
        else:
            said.append("That lead may be chance.")
    others = [one for one in facts.survivors if one != facts.winner]
    if others:
        names = _listed([refer(one) for one in others])
        said.append(f"It was not told apart from {names}.")
    pair = last_pair(history)
    if pair is not None:
        said.append(
            f"Against {name_of(history, pair.second)}, the closest other, it wins more often than "
            f"it loses with a probability of {pair.lower:.0%} to {pair.upper:.0%}."
        )
    return " ".join(said)


def _listed(names: list[str], most: int = 5) -> str:
    if len(names) > most:
        names = [*names[: most - 1], f"{len(names) - most + 1} others"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _what_it_took(history: History) -> str:
    facts = history.facts
    if not facts.counted:
        return f"{count(len(history.candidates), 'candidate')} wait for their first evaluation."
    return (
        f"The run took {count(facts.counted, 'evaluation')} on "
        f"{count(facts.instances, 'complete instance')} in {duration(facts.elapsed)}; "
        f"{len(history.out)} of {count(len(history.candidates), 'candidate')} were dropped."
    )


def _figures(history: History) -> dict[str, str]:
    facts = history.facts
    who = "Winner" if facts.stopped is not None else "Ahead"
    limit = facts.budget.evaluations
    of = f" of {limit}" if limit else ""
    return {
        who: "–" if facts.winner is None else name_of(history, facts.winner.id),
        "Left": f"{len(facts.survivors)} of {len(history.candidates)}",
        "Instances": str(facts.instances),
        "Evaluations": f"{facts.counted}{of}",
        "Failed": str(int(history.outcomes.failed.sum())),
        "Time": duration(facts.elapsed),
    }

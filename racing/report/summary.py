"""The head of a page: answer, a few numbers, the gain as a bar, the configuration to use."""

from __future__ import annotations

from dataclasses import dataclass

from racing.answer.gain import Gain
from racing.answer.words import label
from racing.base.words import (
    amount,
    amounts,
    busy,
    count,
    duration,
    listed,
    percent,
    refer,
    value_text,
)
from racing.core.budget import PAID
from racing.report.facts import Facts, Use
from racing.report.history import History
from racing.report.names import name_of
from racing.report.pair import last_pair
from racing.report.run import changes_of, what_leads
from racing.report.use_forms import UseForm, use_forms, use_title

_FEW_PAIRS = 6
"""Wins and losses from which the chance against the closest other is told."""


@dataclass(frozen=True, kw_only=True)
class Summary:
    """The head of a page.

    Attributes
    ----------
    headline, sentences
        The answer, and what it took.
    figures
        Label → a few numbers that people look for first.
    gain
        What the bar shows; None where there is no gain to be drawn.
    changes
        (parameter, value of the default, value of the winner), where they differ.
    winner, against
        The names of the two; empty where there is none.
    use, use_title
        The whole configuration of the winner, or those of a team, in the forms in which they can be
        used; and what it is.
    """

    headline: str
    sentences: tuple[str, ...]
    figures: dict[str, str]
    gain: Bar | None
    changes: tuple[tuple[str, str, str], ...]
    winner: str
    against: str
    use: tuple[UseForm, ...]
    use_title: str


@dataclass(frozen=True, kw_only=True)
class Bar:
    """A gain with its interval, drawn against 0; above 0 the winner is better.

    `low` and `high` are None where the interval has not two ends; `evidence` is that of the gain,
    and `fresh` says whether the instances had no part in the choice.
    """

    estimate: float
    low: float | None
    high: float | None
    label: str
    evidence: str
    fresh: bool


def bar(gain: Gain) -> Bar | None:
    """A gain as a bar; None where there is nothing to draw."""
    if gain.estimate is None:
        return None
    closed = gain.closed and gain.by_cost != "few"
    low, high = (gain.low, gain.high) if closed else (None, None)
    return Bar(
        estimate=gain.estimate,
        low=low,
        high=high,
        label=label(gain),
        evidence=gain.evidence,
        fresh=gain.fresh,
    )


def summary(history: History) -> Summary:
    """The summary of a run, in any state."""
    facts = history.facts
    changes = changes_of(facts)
    said = (*facts.answer.sentences, _closest(history), _what_it_took(history))
    return Summary(
        headline=facts.answer.headline,
        sentences=tuple(filter(None, said)),
        figures=_figures(history),
        gain=bar(facts.answer.gain),
        changes=tuple(
            (refer(one.parameter), refer(value_text(one.default)), refer(value_text(one.winner)))
            for one in changes
        ),
        winner="" if facts.winner is None else refer(facts.winner),
        against="" if facts.against is None else refer(facts.against),
        use=use_forms(facts),
        use_title=use_title(facts),
    )


def _closest(history: History) -> str:
    """The certainty of the winner against the closest other, where both are known well enough."""
    facts = history.facts
    if facts.stopped is None or facts.test("winner") or facts.front or facts.alike:
        return ""
    pair = last_pair(history)
    if pair is None or pair.wins + pair.losses < _FEW_PAIRS or facts.header.objective != "rank":
        return ""  # by means, wins and losses do not decide
    return (
        f"Against {name_of(history, pair.second)}, the closest other, it wins more often than "
        f"it loses with a probability of {percent(pair.lower)} to {percent(pair.upper)}."
    )


def _what_it_took(history: History) -> str:
    facts = history.facts
    if facts.all_failed:
        return ""
    if not facts.counted:
        return f"{count(len(history.candidates), 'candidate')} wait for their first evaluation."
    took = "has taken" if facts.stopped is None else "took"
    return (
        f"The run {took} {count(facts.counted, 'evaluation')} on "
        f"{count(facts.instances, 'complete instance')} in {duration(facts.elapsed)}; "
        f"{len(history.out)} of {count(len(history.candidates), 'candidate')} were dropped."
        f"{_charged(facts)}{_rest(facts.use)}"
    )


def _charged(facts: Facts) -> str:
    """Payments for evaluations, calls to busy services, and reused outcomes."""
    paid = amounts(facts.paid)
    said = f" They were charged {listed(paid)}." if paid else ""
    if waited := busy(facts.refused):
        said += f" {waited.capitalize()}."
    return said + (f" {taken}" if (taken := facts.reuse.sentence) else "")


def _rest(use: Use) -> str:
    """The evaluations that are not counted: the only place where a page has them."""
    parts = (
        (use.under_way, "on instances under way"),
        (use.speculative, "made ahead of time"),
        (use.wasted, "that came too late to count"),
    )
    said = [f"{many} {words}" for many, words in parts if many]
    return f" Further evaluations: {listed(said)}." if said else ""


def _figures(history: History) -> dict[str, str]:
    facts = history.facts
    limit = facts.budget.evaluations
    of = f" of {limit}" if limit else ""
    return {
        what_leads(facts): "–" if facts.winner is None else name_of(history, facts.winner.id),
        "Left": f"{len(facts.survivors)} of {len(history.candidates)}",
        "Instances": str(facts.instances),
        "Evaluations": f"{facts.counted}{of}",
        "Failed": str(facts.failed),
        "Time": duration(facts.elapsed),
        **_paid(facts),
    }


def _paid(facts: Facts) -> dict[str, str]:
    """Payments and their limits, if there are any."""
    limits = {unit: getattr(facts.budget, unit) for unit in PAID}
    found = {}
    for unit, name in zip(PAID, ("Paid", "Tokens"), strict=True):
        if unit in facts.paid or limits[unit] is not None:
            of = "" if limits[unit] is None else f" of {amount(unit, limits[unit])}"
            found[name] = f"{amount(unit, facts.paid.get(unit, 0.0))}{of}".replace(" tokens", "")
    return found

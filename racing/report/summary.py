"""A run in a paragraph: winner, gain, certainty and spending."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

from racing.base.words import (
    amount,
    amounts,
    busy,
    count,
    duration,
    listed,
    number,
    percent,
    value_text,
)
from racing.core.budget import PAID
from racing.core.gain import Gain
from racing.report.answer import answer
from racing.report.data import changes_data
from racing.report.facts import Facts, Use
from racing.report.history import History
from racing.report.names import name_of, refer, shown
from racing.report.pair import last_pair
from racing.report.paired import FEW
from racing.report.payment import reuse_sentence
from racing.report.search_answer import has_team
from racing.report.search_facts import SearchFacts
from racing.report.use_forms import UseForm, use_forms, use_title


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
    against
        The name of the default; empty where there is none.
    use, use_title
        The whole configuration of the winner, or those of a team, in the forms in which they can be
        used; and what it is.
    """

    headline: str
    sentences: tuple[str, ...]
    figures: dict[str, str]
    gain: GainBar | None
    changes: tuple[tuple[str, str, str], ...]
    against: str
    use: tuple[UseForm, ...]
    use_title: str


@dataclass(frozen=True, kw_only=True)
class GainBar:
    """A gain with its interval, drawn against 0; above 0 the winner is better.

    Attributes
    ----------
    estimate, low, high
        The gain, and the ends of its interval; None where it has none.
    label
        What it is.
    held_out
        Whether the instances had no part in the choice of the winner.
    """

    estimate: float
    low: float | None
    high: float | None
    label: str
    held_out: bool


def summary(history: History) -> Summary:
    """The summary of a run, in any state."""
    facts = history.facts
    found, changes = answer(facts), changes_data(facts)
    said = (*found.sentences, _closest(history), _what_it_took(history))
    rows = {} if changes is None else changes["parameters"]
    return Summary(
        headline=found.headline,
        sentences=tuple(filter(None, said)),
        figures=_figures(history),
        gain=gain_bar(facts),
        changes=tuple(
            (shown(name), value_shown(pair["from"]), value_shown(pair["to"]))
            for name, pair in rows.items()
        ),
        against="" if changes is None else refer(facts.against),
        use=use_forms(facts),
        use_title=use_title(facts),
    )


def value_shown(value: object) -> str:
    """A parameter's value for people: numbers to six digits, – where it is switched off."""
    return number(value, 6) if isinstance(value, float) else shown(value_text(value))


def gain_bar(facts: Facts) -> GainBar | None:
    """The gain of a run as a bar: on instances that had no part in the choice, where there are."""
    if facts.search is not None and has_team(facts):
        return _team_bar(facts, facts.search)
    tested, confirmed = facts.tested, facts.search.gain if facts.search else None
    if tested is None and confirmed is not None and facts.search is not None:
        name = refer(facts.search.found or facts.winner)
        return _mean_bar(facts, confirmed, f"{name} over {refer(facts.search.baseline)}")
    gain = tested or facts.gain
    if gain is None or gain.pair.gain is None or facts.alike == "all":
        return None
    interval = None if gain.pair.evidence == "few" else gain.pair.interval
    low, high = interval or (None, None)
    kind = "held-out instance" if gain.held_out else "instance"
    measure = f"median gain{in_units(facts)}" if gain.pair.right is None else "gain in share right"
    if gain.metric:
        measure = f"{measure} by {shown(gain.metric, 30)}"
    return GainBar(
        estimate=gain.pair.gain.estimate,
        low=low,
        high=high,
        label=(
            f"{measure} of {refer(gain.winner)} over {refer(gain.against)} on "
            f"{count(gain.pair.succeeded, kind)}"
            + ("" if gain.held_out else " on which it was also chosen")
        ),
        held_out=gain.held_out,
    )


def _team_bar(facts: Facts, search: SearchFacts) -> GainBar | None:
    """The gain of a team over the default; without a default, over the best single one.

    It is that over as many runs as the team has, where a test made these.
    """
    team, tested = search.team, facts.held_out_team
    assert team is not None
    gain = team.over_default if tested is None else tested.over_default
    again = None if tested is None else tested.default_repeated
    other = search.baseline
    if gain is None:
        gain = team.gain if tested is None else tested.over_single
        again = None if tested is None else tested.single_repeated
        other = team.single
    runs = "one run" if again is None else f"the best of {len(team.members)} runs"
    whose, gain = f"the team over {runs} of {refer(other)}", again or gain
    return None if gain is None else _mean_bar(facts, gain, whose)


def _mean_bar(facts: Facts, gain: Gain, whose: str) -> GainBar | None:
    if gain.mean is None:
        return None
    closed = math.isfinite(gain.low) and math.isfinite(gain.high)
    return GainBar(
        estimate=gain.mean,
        low=gain.low if closed else None,
        high=gain.high if closed else None,
        label=f"mean gain{in_units(facts)} of {whose} on {gain.where}",
        held_out=True,
    )


def in_units(facts: Facts) -> str:
    """The unit of a gain, in words; empty if unknown."""
    return f" in {shown(facts.unit, 30)}" if facts.unit else ""


def _closest(history: History) -> str:
    """The certainty of the winner against the closest other, where both are known well enough."""
    facts = history.facts
    pair = last_pair(history) if facts.stopped is not None and facts.tested is None else None
    by_mean = facts.header.objective != "rank"  # wins and losses do not decide then
    if (
        facts.front is not None
        or pair is None
        or pair.wins + pair.losses < FEW
        or facts.alike
        or by_mean
    ):
        return ""
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
    return said + (f" {taken}" if (taken := reuse_sentence(asdict(facts.reuse))) else "")


def _rest(use: Use) -> str:
    """The evaluations that are not counted: the only place where a page has them."""
    parts = (
        (use.under_way, "on instances under way"),
        (use.speculative, "that may be needed"),
        (use.wasted, "that decided nothing"),
    )
    said = [f"{many} {words}" for many, words in parts if many]
    verb = "is" if said and said[0].startswith("1 ") else "are"
    return f" Besides, there {verb} {listed(said)}." if said else ""


def _figures(history: History) -> dict[str, str]:
    facts = history.facts
    label = "Winner" if facts.stopped is not None else "Ahead"
    if has_team(facts):
        label = "Best single"
    limit = facts.budget.evaluations
    of = f" of {limit}" if limit else ""
    return {
        label: "–" if facts.winner is None else name_of(history, facts.winner.id),
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
    for unit, label in zip(PAID, ("Paid", "Tokens"), strict=True):
        if unit in facts.paid or limits[unit] is not None:
            of = "" if limits[unit] is None else f" of {amount(unit, limits[unit])}"
            found[label] = f"{amount(unit, facts.paid.get(unit, 0.0))}{of}".replace(" tokens", "")
    return found

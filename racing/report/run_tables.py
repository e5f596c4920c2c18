"""The tables of a run: what the winner changes, fronts, the standing, who was dropped, spending."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from racing.analysis.portfolio.team import Member
from racing.answer.document import Part, Sentences, TextTable, literal, quoted, table
from racing.answer.gain import Gain
from racing.answer.place import Place
from racing.answer.words import cell
from racing.base.words import count, duration, percent, value_text, versus
from racing.core.budget import PAID
from racing.core.candidate import Candidate, changes
from racing.core.fronts import LARGEST, chance_words
from racing.core.standing import shown_of
from racing.core.verdict import Elimination
from racing.core.view import View
from racing.report.facts import Facts
from racing.report.parts import FrontReport
from racing.space.parameter import Value


def changes_table(against: Candidate | None, winner: Candidate | None) -> Iterator[TextTable]:
    """The parameters in which the winner differs from what it is compared with."""
    if found := changes(against, winner):
        yield table(
            "changes",
            f"What {quoted(winner)} changes",
            ("parameter", f">{quoted(against)}", f">{quoted(winner)}"),
            (
                map(quoted, (one.parameter, value_text(one.against), value_text(one.winner)))
                for one in found
            ),
        )


def front_tables(told: Facts, front: FrontReport, rows: int | None) -> Iterator[TextTable]:
    """The front by its first metric, and what may be on it."""
    members, maybe = front.members, front.maybe
    most = len(members) + len(maybe) if rows is None else front.show
    gains = () if told.search is None or rows is None else told.search.front_gains
    confirmed = {name for one in gains for name in (one.name, one.over)}
    places = shown_of([one.candidate for one in members], most, front.best, confirmed)
    which = [members[place] for place in places]
    how = "those that were confirmed" if confirmed else "from end to end"
    note = f"{len(which)} of {len(members)}, {how}; `racing show --all` has every row"
    parts = ((f"Front, by {front.metrics[0]}", which, [note] * (len(members) > len(which))),
             ("Dominated, but perhaps on it", maybe[:most],
              _note(maybe, most, "the most probable")))  # fmt: skip
    for title, found, notes in parts:
        if not found:
            continue
        heading, differ = _values(found, rows)
        failed = any(one.failures for one in found)
        yield table(
            "front",
            title,
            ("candidate", ">P(on the front)", *_titled(told, front.metrics),
             *[">failed"] * failed, "", heading),
            (
                (one.candidate, chance_words(one.on_front),
                 *(one.metrics[name] for name in front.metrics), *[one.failures] * failed,
                 "best compromise" if one.candidate == front.best else "",
                 plain(one.candidate.values, differ))
                for one in found
            ),
            notes=notes,
            cut=rows is not None,
        )  # fmt: skip


def _titled(told: Facts, names: Iterable[str]) -> list[str]:
    """The heads of the columns of metrics."""
    units = {name: told.metrics.get(name, {}).get("unit") for name in names}
    return [f">{name} ({unit})" if unit else f">{name}" for name, unit in units.items()]


def _values(found: Sequence[Place], rows: int | None) -> tuple[str, frozenset[str] | None]:
    """The head of the last column, and the parameters that it has; None: all."""
    differ = differing([one.candidate.values for one in found]) if rows is not None else None
    return "values" if differ is None else "values that differ", differ


def team_table(members: Sequence[Member], instances: int, *, cut: bool = False) -> TextTable:
    """The members of a team; one that adds nothing to those before it says so.

    Parameters
    ----------
    instances
        On how many the team was chosen, or measured.
    cut
        Whether values are only those that differ, on one line.
    """
    differ = differing([one.candidate.values for one in members]) if cut else None
    values = "values" if differ is None else "values that differ"
    return table(
        "team", "The team",
        ("member", ">best on", ">adds", ">ran on", values),
        (
            (one.candidate, f"{percent(one.best_on / instances)}",
             one.adds if one.needed else "nothing", one.ran_on,
             literal(plain(one.candidate.values, differ)))
            for one in members
        ),
        notes=(f"best on: the share of {count(instances, 'instance')} on which it is best of them",
               "adds: by how much the team would be worse there without it"),
        cut=cut,
    )  # fmt: skip


def front_gains(gains: Sequence[Gain]) -> Iterator[TextTable]:
    """The gains of a front over the default, a row for each member, a column for each metric."""
    members: dict[str, list[Gain]] = {}
    for one in gains:
        members.setdefault(one.name, []).append(one)
    for first in [*members.values()][:1]:
        yield table(
            "front_gains",
            f"Gain over {first[0].over}, above 0 is better (95 % intervals that hold all at once)",
            ("candidate", ">instances", *(f">{one.metric}" for one in first)),
            (
                (name, max(one.pairs for one in own), *map(cell, own))
                for name, own in members.items()
            ),
        )


def standing_table(told: Facts, rows: int | None) -> Iterator[Part]:
    """The survivors in their order."""
    if not told.standing:
        yield Sentences(("No instance is complete yet, so there is no standing.",))
        return
    heading, differ = _values(told.standing, rows)
    unit, names = f" ({told.unit})" if told.unit else "", list(told.metrics)
    mean = [f">mean{unit}"] * shows_mean(told.race)
    estimated = any(one.estimated_mean is not None for one in told.standing)
    yield table(
        "standing",
        f"{'Elites' if told.search else 'Standing'} after {count(told.instances, 'instance')}",
        ("candidate", ">mean rank", *[f">estimated mean{unit}"] * estimated, *mean,
         *_titled(told, names), ">failed", heading),
        (
            (one.candidate, f"{one.mean_rank:.2f}",
             *[one.mean if one.estimated_mean is None else one.estimated_mean] * estimated,
             *[one.mean for _ in mean], *(one.metrics[name] for name in names), one.failures,
             plain(one.candidate.values, differ))
            for one in told.standing[:rows]
        ),
        notes=[*_note(told.standing, rows, "the best"), *_estimates(told.standing)],
        cut=rows is not None,
    )  # fmt: skip


def shows_mean(view: View) -> bool:
    """Whether the mean of what decides stands for itself, as it is none of the metrics."""
    goal = view.results.goal
    return goal is None or goal.label not in goal.metrics


def _estimates(standing: Sequence[Place]) -> Iterator[str]:
    """Why estimated means are not the plain ones."""
    apart = [one for one in standing if one.estimated_mean is not None]
    if any(one.failures for one in apart):
        yield "in the order of the estimated mean: failures count in it, and not in the plain mean"
    if any(not one.failures for one in apart):
        yield (
            "in the order of the estimated mean: where a few instances cost far more than the "
            "others, they decide the plain mean by chance, and it is drawn to what the ranks say"
        )


def dropped_table(told: Facts, rows: int | None) -> Iterator[TextTable]:
    """Who was dropped, because of whom, and by which numbers."""
    if told.dropped:
        yield table(
            "dropped",
            "Dropped",
            ("candidate", ">after", "because", "against", ">numbers"),
            (
                (one.candidate, one.after, str(one.elimination.reason), one.against,
                 _numbers(one.elimination))
                for one in told.dropped[-(rows or 0) :]
            ),
            notes=_note(told.dropped, rows, "the last"),
        )  # fmt: skip


def _numbers(one: Elimination) -> str:
    said = in_words(one.measure, one.value)
    return f"{one.measure}: {said}" if said else f"{one.measure} {versus(one.value, one.threshold)}"


def in_words(measure: str, value: float) -> str:
    """The deciding number in words, where a number alone is unclear; else empty."""
    return "the same on every instance" if measure == "gap" and value >= LARGEST else ""


def _note(all_rows: Sequence[object], rows: int | None, which: str) -> list[str]:
    if rows is None or len(all_rows) <= rows:
        return []
    return [f"{which} {rows} of {len(all_rows)}; `racing show --all` has every row"]


def expenses_table(told: Facts) -> TextTable:
    """The shares of the budget for survivors and for dropped candidates."""
    dropped = {one.candidate.id for one in told.dropped}
    total = max(sum(one.evaluations for one in told.expenses), 1)
    units = [unit for unit in PAID if unit in told.paid]
    groups = {
        name: [one for one in told.expenses if (one.candidate.id in dropped) == left]
        for name, left in (("elites" if told.search else "survivors", False), ("dropped", True))
    }
    return table(
        "expenses",
        "What the budget went into",
        ("", ">candidates", ">evaluations", ">share", ">failed", ">target time",
         *(f">{unit}" for unit in units)),
        (
            (name, len(group), evaluations := sum(one.evaluations for one in group),
             percent(evaluations / total), sum(one.failures for one in group),
             duration(sum(one.seconds for one in group)),
             *(math.fsum(one.paid.get(unit, 0.0) for one in group) for unit in units))
            for name, group in groups.items()
        ),
    )  # fmt: skip


def plain(values: Mapping[str, Value], names: frozenset[str] | None = None) -> str:
    """The values of a candidate on one line, numbers to four digits; only these names, if given."""
    return " ".join(
        f"{name}={value_text(value)}"
        for name, value in values.items()
        if names is None or name in names
    )


def differing(configurations: Sequence[Mapping[str, Any]]) -> frozenset[str] | None:
    """The parameters with different or missing values; None for a single configuration."""
    if len(configurations) < 2:
        return None
    first, *others = configurations
    names = dict.fromkeys(name for values in configurations for name in values)
    missing = object()
    return frozenset(
        name
        for name in names
        if any(one.get(name, missing) != first.get(name, missing) for one in others)
    )

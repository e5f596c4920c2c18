"""A run as a document, for `run`, `resume` and `show`; and a test of its result, for `test`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from racing.answer.document import Callout, Document, Part, Sentences, TextTable, table
from racing.answer.gain import Gain
from racing.answer.place import Place
from racing.answer.tested import UnseenTest
from racing.answer.words import cell, interval
from racing.base.words import (
    amount,
    amounts,
    busy,
    count,
    duration,
    listed,
    number,
    percent,
    refer,
    value_text,
    versus,
)
from racing.core.budget import PAID
from racing.core.candidate import Candidate
from racing.core.fronts import chance_words
from racing.core.standing import from_end_to_end
from racing.report.eliminations import in_words
from racing.report.facts import Dropped
from racing.report.families import ByFamily
from racing.report.run import FrontReport, RunReport, UnseenReport
from racing.report.tally import Expense
from racing.space.parameter import Value

_ROWS, _NAMES, _MESSAGES = 20, 8, 5
"""How much is shown of long tables and lists."""


# --- what `run` and `resume` print ------------------------------------------------------------


def ended(told: RunReport) -> Document:
    """The result of a run that has just ended."""
    what = "search" if told.search else "race"
    over = (f"The {what} is over: {told.why}.",) if told.finished else ()
    failed = f"; {told.failures} failed" if told.failures else ""
    took = (
        f"{count(told.evaluations, 'evaluation')} on {count(told.instances, 'complete instance')} "
        f"in {duration(told.wall_seconds)}{failed}{_at_bound(told)}{_paid(told)}."
    )
    return [
        Sentences((*over, took, *_evaluations(told), *_winner(told), *_searched(told),
                   *told.answer.sentences)),
        Callout("Next", told.next),
        Callout("More", f"`racing show {told.run}`"),
    ]  # fmt: skip


def _at_bound(told: RunReport) -> str:
    """The number of evaluations stopped at their bound, if any."""
    return f"; {told.censored} stopped at their bound" if told.censored else ""


def _paid(told: RunReport) -> str:
    """Payments for all evaluations, and how often services were busy, for a line's end."""
    words = amounts(told.paid)
    said = f"; paid: {', '.join(words)}" if words else ""
    return said + (f"; {waited}" if (waited := busy(told.refused)) else "")


def _evaluations(told: RunReport) -> Iterator[str]:
    """Wasted evaluations, reused ones, changes of the target, and messages of failures."""
    use = told.spent
    parts = [f"{use.decided} count"]
    if use.under_way:
        parts.append(f"{use.under_way} are on instances under way")
    if use.speculative:
        parts.append(f"{use.speculative} were made ahead of time")
    if use.wasted:
        stopped = f" ({use.ended} of them stopped early)" if use.ended else ""
        parts.append(f"{use.wasted} came too late to count{stopped}")
    if len(parts) > 1:
        yield f"Of all evaluations, {listed(parts)}."
    if taken := told.reuse.sentence:
        yield taken
    for change in told.target_changes:
        yield f"{change.path} was changed after {count(change.after, 'evaluation')}."
    for one in told.messages[:_MESSAGES]:
        last = f": {one.last_line}" if one.last_line else ""
        yield f"  {one.times} × {one.message}{last}"
    if len(told.messages) > _MESSAGES:
        more = len(told.messages) - _MESSAGES
        yield f"  and {more} other messages: see `racing export`"


def _winner(told: RunReport) -> Iterator[str]:
    """The winner or the team with its values, and what else is left."""
    team = told.search.team if told.search else None
    if told.winner is None:
        yield told.answer.headline
        return
    if team is not None and team.members:
        many = len(team.members)
        yield f"Team of {many}{'' if many == team.size else f' of {team.size}'}:"
        yield from (f"  {one}: {_exactly(one.values)}" for one in team.members)
        return
    own = next((one for one in told.standing if one.candidate == told.winner), None)
    missed = {} if own is None else {of: one.mean for of, one in own.limits.items() if not one.met}
    yield f"{_ahead(told, missed)}: {told.winner}{'' if own is None else _merit(own)}"
    yield from (f"  {name}: {value}" for name, value in told.winner.values.items())
    yield from (f"It misses {text}: mean {number(mean)}." for text, mean in missed.items())
    shown = told.standing if told.front is None else told.front.members
    others = [str(one.candidate) for one in shown if one.candidate != told.winner]
    if others:
        which = "Other elites" if told.search else "Not dropped either"
        which = which if told.front is None else "Also on the front"
        yield f"{which}: {listed(others, _NAMES)}"


def _ahead(told: RunReport, missed: Mapping[str, object]) -> str:
    """What the winner is, for the line that names it."""
    if missed:
        return f"No candidate meets all constraints{'' if told.finished else ' yet'}; nearest"
    if told.few_instances:
        return f"Ahead after {count(told.instances, 'instance')}, too few to choose by"
    return told.leads


def _merit(own: Place) -> str:
    failed = f", {own.failures} failed" if own.failures else ""
    means = [f"{name} {number(mean)}" for name, mean in own.metrics.items()]
    mean = ", ".join(means) or f"mean {number(own.mean)}"
    return f" ({mean} over {count(own.instances, 'instance')}{failed})"


_ORIGINS = {
    "given": "given",
    "sobol": "spread over the space",
    "enumerated": "enumerated",
    "model": "near an elite",
    "uniform": "at random",
}
_PHASES = {
    "initial": "comparing the initial configurations",
    "running": "racing challengers against the elites",
    "finish": "racing the elites against each other",
    "probe": "checking whether all instances rank configurations alike",
    "team": "running the team where it has not run yet",
    "confirmation": "confirming the winner",
    "plain": "racing all configurations",
    "estimation": "measuring how long an evaluation takes",
    "iteration": "racing new configurations against the elites",
    "selection": "racing the elites of all iterations",
}


def _searched(told: RunReport) -> Iterator[str]:
    """The state of the search, and the counts of its configurations."""
    search = told.search
    if search is None:
        return
    how = ", ".join(f"{n} {_ORIGINS.get(name, name)}" for name, n in search.tried.items())
    scheme = f"window {search.window}"
    if search.iterations is not None:
        scheme = count(search.iterations, "iteration")
    yield f"{count(sum(search.tried.values()), 'configuration')} tried ({how}); {scheme}."
    if not told.finished:
        share = percent(search.progress)
        yield f"Now {_PHASES[search.phase]}; {share} of the budget for searching spent."
    yield from (f"Note: {note}." for note in search.notes)


# --- what `show` prints -----------------------------------------------------------------------


def shown(told: RunReport, *, everything: bool = False) -> Document:
    """The state of a run: the answer, the standing, the dropped ones and why, and the spending.

    Parameters
    ----------
    everything
        Every row of long tables, with every value.
    """
    rows = None if everything else _ROWS
    lost = (
        f"{told.run}-wal is missing: if this log was copied or moved without it, the latest "
        "outcomes are lost, and will be evaluated again; fetch that file to keep them"
    )
    document: list[Part] = [
        Sentences(
            (
                f"{told.name} ({told.run}), seed {told.seed}, {told.asked}",
                told.state,
                told.answer.headline,
                *told.answer.sentences,
                f"{count(told.evaluations, 'evaluation')} in {duration(told.wall_seconds)}, "
                f"{duration(told.target_seconds)} of target time; {count(told.verdicts, 'test')}"
                f"{_at_bound(told)}{_paid(told)}{unspent(told)}",
                *([lost] if told.lost_wal else []),
                *_evaluations(told),
                *_searched(told),
            )
        ),
        Callout("Next", told.next),
        *family_table(told.families),
        *_changes(told),
    ]
    if told.front is not None and told.front.members:
        document += _front_tables(told, told.front, rows)
    document += _front_gains(() if told.search is None else told.search.front_gains)
    return [*document, *_standing(told, rows), *_dropped(told, rows), _expenses(told)]


def unspent(told: RunReport) -> str:
    """The rest of the budget, for the end of a line."""
    left, parts = told.left, []
    if "evaluations" in left:
        limit = left["evaluations"] + told.spent.decided
        rest = max(left["evaluations"] - told.spent.under_way, 0)
        parts.append(f"{rest:.0f} of {count(int(limit), 'evaluation')}")
    for name, words in (("target_time", "of target time"), ("wall_time", "of wall-clock time")):
        if name in left:
            parts.append(f"{duration(left[name])} {words}")
    parts += [amount(unit, left[unit]) for unit in PAID if unit in left]
    return f"; unspent: {', '.join(parts)}" if parts else ""


def family_table(found: ByFamily | None) -> Iterator[TextTable]:
    """The gain in each family, with intervals that hold together."""
    if found is None:
        return
    winner, over = found.names
    fresh = found.rows[0].gain.fresh
    chosen = any(row.best for row in found.rows)
    told = {"better": "better", "worse": "worse", "open": "not shown", "few": "too few"}
    yield table(
        "families",
        f"{refer(winner)} over {refer(over)} by family{' on unseen problems' if fresh else ''}",
        ("family", ">instances", f">{found.rows[0].gain.measure} gain", ">interval",
         ">better/equal/worse", "", *(("best there",) if chosen else ())),
        (
            (row.family, one.instances, one.estimate, interval(one),
             f"{one.wins}/{one.ties}/{one.losses}", told[one.evidence],
             *((row.best,) if chosen else ()))
            for row in found.rows for one in [row.gain]
        ),
        notes=(f"intervals of {percent(found.level)} for all {len(found.rows)} together",),
    )  # fmt: skip


def _changes(told: RunReport) -> Iterator[TextTable]:
    if not told.changes:
        return
    yield table(
        "changes",
        f"What {told.winner} changes",
        ("parameter", f">{told.default}", f">{told.winner}"),
        ((one.parameter, value_text(one.default), value_text(one.winner)) for one in told.changes),
    )


def _titled(told: RunReport, names: Sequence[str]) -> list[str]:
    """The heads of the columns of metrics."""
    units = [told.metrics.get(name, {}).get("unit") for name in names]
    return [
        f">{name} ({unit})" if unit else f">{name}" for name, unit in zip(names, units, strict=True)
    ]


def _front_tables(told: RunReport, front: FrontReport, rows: int | None) -> Iterator[TextTable]:
    """The front by its first metric, and what may be on it."""
    members, maybe = front.members, front.maybe
    most = len(members) + len(maybe) if rows is None else front.show
    ids = [one.candidate for one in members]
    best = ids.index(front.best) if front.best in ids else None
    which = [members[place] for place in from_end_to_end(len(members), most, best)]
    note = f"{most} of {len(members)}, from end to end; --all shows every row"
    yield _front_table(
        told, front, f"Front, by {front.metrics[0]}", which, [note] * (len(members) > most), rows
    )
    if maybe:
        yield _front_table(
            told, front, "Dominated, but perhaps on it", maybe[:most],
            _note(maybe, most, "the most probable"), rows,
        )  # fmt: skip


def _front_table(
    told: RunReport, front: FrontReport, title: str, found: Sequence[Place], notes: Sequence[str],
    rows: int | None,
) -> TextTable:  # fmt: skip
    differ = differing([one.candidate.values for one in found]) if rows is not None else None
    return table(
        "front",
        title,
        ("candidate", ">P(on the front)", *_titled(told, front.metrics), ">failed", "",
         "values" if differ is None else "values that differ"),
        (
            (one.candidate, chance_words(one.on_front),
             *(one.metrics[name] for name in front.metrics), one.failures,
             "best compromise" if one.candidate == front.best else "",
             plain(one.candidate.values, differ))
            for one in found
        ),
        notes=notes,
        cut=rows is not None,
    )  # fmt: skip


def _front_gains(gains: Sequence[Gain]) -> Iterator[TextTable]:
    """The gains of a front over the default, a row for each member, a column for each metric."""
    if not gains:
        return
    members: dict[str, list[Gain]] = {}
    for one in gains:
        members.setdefault(one.name, []).append(one)
    first = next(iter(members.values()))
    yield table(
        "front_gains",
        f"Gain over {first[0].over}, above 0 is better (95 % intervals that hold all at once)",
        ("candidate", ">instances", *(f">{one.metric}" for one in first)),
        ((name, max(one.pairs for one in own), *map(cell, own)) for name, own in members.items()),
    )


def _standing(told: RunReport, rows: int | None) -> Iterator[Part]:
    if not told.standing:
        yield Sentences(("No instance is complete yet, so there is no standing.",))
        return
    standing = told.standing
    which = "Elites" if told.search else "Standing"
    differ = differing([one.candidate.values for one in standing]) if rows is not None else None
    unit = f" ({told.unit})" if told.unit else ""
    estimated = any(one.estimated_mean is not None for one in standing)
    names = list(told.metrics)
    why = (
        "in the order of the estimated mean: where a few instances cost far more than the "
        "others, they decide the plain mean by chance, and it is drawn to what the ranks say"
    )
    yield table(
        "standing",
        f"{which} after {count(told.instances, 'instance')}",
        ("candidate", ">mean rank", *([f">estimated mean{unit}"] if estimated else []),
         f">mean{unit}", *_titled(told, names), ">failed",
         "values" if differ is None else "values that differ"),
        (
            (one.candidate, f"{one.mean_rank:.2f}",
             *([one.mean if one.estimated_mean is None else one.estimated_mean]
               if estimated else []),
             one.mean, *(one.metrics[name] for name in names), one.failures,
             plain(one.candidate.values, differ))
            for one in standing[:rows]
        ),
        notes=[*_note(standing, rows, "the best"), *([why] if estimated else [])],
        cut=rows is not None,
    )  # fmt: skip


def _dropped(told: RunReport, rows: int | None) -> Iterator[TextTable]:
    if not told.dropped:
        return
    yield table(
        "dropped",
        "Dropped",
        ("candidate", ">after", "because", "against", ">numbers"),
        (
            (one.candidate, one.after, str(one.elimination.reason), one.against, _numbers(one))
            for one in told.dropped[-(rows or 0) :]
        ),
        notes=_note(told.dropped, rows, "the last"),
    )


def _numbers(dropped: Dropped) -> str:
    e = dropped.elimination
    if said := in_words(e.measure, e.value):
        return f"{e.measure}: {said}"
    return f"{e.measure} {versus(e.value, e.threshold)}"


def _note(all_rows: Sequence[object], rows: int | None, which: str) -> list[str]:
    if rows is None or len(all_rows) <= rows:
        return []
    return [f"{which} {rows} of {len(all_rows)}; --all shows every row"]


def _expenses(told: RunReport) -> TextTable:
    """The shares of the budget for survivors and for dropped candidates."""
    dropped = {one.candidate.id for one in told.dropped}
    groups: dict[str, list[Expense]] = {"elites" if told.search else "survivors": [], "dropped": []}
    staying, leaving = groups.values()
    for expense in told.expenses:
        (leaving if expense.candidate.id in dropped else staying).append(expense)
    total = max(sum(one.evaluations for one in told.expenses), 1)
    units = [unit for unit in PAID if unit in told.paid]
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


# --- values -----------------------------------------------------------------------------------


def _exactly(values: Mapping[str, Value]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items())


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


# --- a test -----------------------------------------------------------------------------------


def tested(told: UnseenReport) -> Document:
    """A test as a document: its sentences, the means, and the tables of a front and of families."""
    found = told.tested
    if found is None:
        return [Sentences(told.sentences)]
    means = [f"{one.candidate}: {_mean_of(one, told.unit)}" for one in found.means]
    document: list[Part] = [
        Sentences((*told.sentences, *(means if found.kind == "winner" else ()))),
        *family_table(told.families),
    ]
    if found.kind == "front":
        document += [_front_means(found), *_front_gains(found.gains)]
    return document


def _mean_of(one: Place, unit: str) -> str:
    means = [f"mean {name} {number(mean)}" for name, mean in one.metrics.items()]
    mean = ", ".join(means) or f"mean {number(one.mean)}{f' {unit}' if unit else ''}"
    return f"{mean}{f', {one.failures} failed' if one.failures else ''}"


def _front_means(found: UnseenTest) -> TextTable:
    metrics = list(found.means[0].metrics)
    return table(
        "means",
        "Means there",
        ("candidate", *(f">{name}" for name in metrics), ">failed", ""),
        (
            (one.candidate, *(one.metrics[name] for name in metrics), one.failures,
             _on_front(found, one.candidate))
            for one in found.means
        ),
    )  # fmt: skip


def _on_front(found: UnseenTest, one: Candidate) -> str:
    words = ["best compromise of the run"] if one.id == found.best else []
    return ", ".join([*words, *([] if one.id in found.undominated else ["dominated here"])])

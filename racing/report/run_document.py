"""A run as a document, for `run`, `resume` and `show`; and a test of its result, for `test`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from racing.analysis.portfolio.team import enough
from racing.answer.document import Callout, Document, Part, Sentences, TextTable, table
from racing.answer.place import Place
from racing.answer.tested import UnseenTest, headline, sentences
from racing.base.words import amount, amounts, busy, count, duration, listed, number, percent
from racing.core.budget import PAID
from racing.core.candidate import Candidate
from racing.log import SQLiteLog
from racing.log.headers import units_in
from racing.report import run_tables as tables
from racing.report.facts import Facts
from racing.report.families import family_sentences, family_table, unseen_by_family
from racing.report.history import ORIGINS
from racing.report.parts import UnseenReport, folder_of, unit_of
from racing.space.parameter import Value

_ROWS, _NAMES, _MESSAGES = 20, 8, 5
"""How much is shown of long tables and lists."""


# --- what `run` and `resume` print ------------------------------------------------------------


def ended(told: Facts) -> Document:
    """The result of a run that has just ended."""
    what = "search" if told.search else "race"
    over = (f"The {what} is over: {told.why}.",) if told.finished else ()
    failed = f"; {told.failures} failed" if told.failures else ""
    said = (f"{took(told)}{failed}{_charged(told)}.", *uncounted(told), *_messages(told))
    return [
        Sentences((*over, *said, *_winner(told), *_searched(told), *_answered(told))),
        *_of_front(told.test),
        Callout("Next", told.next),
        Callout("More", f"`racing show {told.run}`"),
    ]


def _answered(told: Facts) -> Iterator[str]:
    """The answer, and of a test at once the means of two; or why there was nothing to test."""
    means = _means(told.test)
    yield from [told.answer.headline] * bool(means)
    yield from (*told.answer.sentences, *means)
    yield from told.test.sentences if told.test is not None and told.test.tested is None else ()


def took(told: Facts) -> str:
    """The evaluations that count, and their time."""
    return (
        f"{count(told.evaluations, 'evaluation')} on {count(told.instances, 'complete instance')} "
        f"in {duration(told.wall_seconds)}"
    )


def _charged(told: Facts) -> str:
    """Evaluations stopped at their bound, payments and busy services, for the end of a line."""
    bound = [f"{told.censored} stopped at their bound"] if told.censored else []
    paid = [f"paid: {', '.join(amounts(told.paid))}"] if told.paid else []
    if paid and told.unanswered:
        paid = [f"{paid[0]} ({told.unanswered} evaluations without an answer at the mean price)"]
    return "".join(f"; {one}" for one in (*bound, *paid, busy(told.refused)) if one)


def uncounted(told: Facts) -> Iterator[str]:
    """Evaluations that do not count, reused ones, and changes of the target."""
    use = told.spent
    stopped = f" ({use.ended} of them stopped early)" if use.ended else ""
    parts = (
        (use.under_way, "on instances under way"),
        (use.speculative, "made ahead of time"),
        (use.wasted, f"too late to count{stopped}"),
    )
    if said := [f"{many} {what}" for many, what in parts if many]:
        yield f"Evaluations: {listed([f'{use.decided} counted', *said])}."
    if taken := told.reuse.sentence:
        yield taken
    for change in told.target_changes:
        yield f"{change.path} was changed after {count(change.after, 'evaluation')}."


def _messages(told: Facts) -> Iterator[str]:
    """Why evaluations failed."""
    for one in told.messages[:_MESSAGES]:
        last = f": {one.last_line}" if one.last_line else ""
        yield f"  {one.times} × {one.message}{last}"
    if (more := len(told.messages) - _MESSAGES) > 0:
        yield f"  and {count(more, 'other message')}: see `racing export`"


def _winner(told: Facts) -> Iterator[str]:
    """The winner or the team with its values, and what else is left."""
    team = told.search.team if told.search else None
    if told.winner is None:
        yield told.answer.headline
        return
    if team is not None and team.members:
        many = len(team.members)
        yield f"Team of {many}{'' if many == team.size else f' of {team.size}'}:"
        for one in team.members:
            values = one.candidate.values.items()
            yield f"  {one.candidate}: {', '.join(f'{of} = {_exact(to)}' for of, to in values)}"
        yield from enough(team.members)
        return
    own = next((one for one in told.standing if one.candidate == told.winner), None)
    missed = {} if own is None else {of: one.mean for of, one in own.limits.items() if not one.met}
    yield f"{_ahead(told, missed)}: {told.winner}{'' if own is None else _merit(own)}"
    yield from (f"  {name}: {_exact(value)}" for name, value in told.winner.values.items())
    yield from (f"It misses {text}: mean {number(mean)}." for text, mean in missed.items())
    shown = told.standing if told.front is None else told.front.members
    others = [str(one.candidate) for one in shown if one.candidate != told.winner]
    if others:
        which = "Other elites" if told.search else "Not dropped either"
        which = which if told.front is None else "Also on the front"
        yield f"{which}: {listed(others, _NAMES)}"


def _exact(value: Value) -> str:
    """A value with all its digits, as a file has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _ahead(told: Facts, missed: Mapping[str, object]) -> str:
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


def _searched(told: Facts) -> Iterator[str]:
    """The state of the search, and the counts of its configurations."""
    search = told.search
    if search is None:
        return
    how = ", ".join(f"{n} {ORIGINS.get(name, name)}" for name, n in search.tried.items())
    scheme = f"window {search.window}"
    if search.iterations is not None:
        scheme = count(search.iterations, "iteration")
    yield f"{count(sum(search.tried.values()), 'configuration')} tried ({how}); {scheme}."
    if not told.finished:
        share = percent(search.progress)
        yield f"Now {_PHASES[search.phase]}; {share} of the budget for searching spent."
    yield from (f"Note: {note}." for note in search.notes)


_NO_FAMILIES = (
    "--by: there is no gain by family, which is that of one winner over another candidate."
)
"""What is said where families are asked for: of a front, a team, or a default that was kept."""

# --- what `show` prints -----------------------------------------------------------------------


def shown(told: Facts, *, everything: bool = False) -> Document:
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
                *([_NO_FAMILIES] if told.by and told.families is None else []),
                f"{count(told.evaluations, 'evaluation')} in {duration(told.wall_seconds)}, "
                f"{duration(told.target_seconds)} of target time{too_late(told)}; "
                f"{count(told.verdicts, 'test')}"
                f"{_charged(told)}{unspent(told)}",
                *([lost] if told.lost_wal else []),
                *uncounted(told),
                *_messages(told),
                *_searched(told),
            )
        ),
        Callout("Next", told.next),
        *family_table(told.families),
        *tables.changes_table(told.against, told.best),
    ]
    if told.front is not None and told.front.members:
        document += tables.front_tables(told, told.front, rows)
    if told.search and told.search.team and told.search.team.members:
        document.append(
            tables.team_table(told.search.team.members, told.search.team.instances, cut=True)
        )
    document += tables.front_gains(() if told.search is None else told.search.front_gains)
    return [
        *document,
        *tables.standing_table(told, rows),
        *tables.dropped_table(told, rows),
        tables.expenses_table(told),
    ]


def too_late(told: Facts) -> str:
    """How much of the target time is not charged to a budget of it, in brackets."""
    budget: Any = told.header.scenario.get("budget") or {}
    limit: float | None = budget.get("target_time")
    if not limit or "target_time" not in told.left or not told.spent.wasted:
        return ""
    apart = told.target_seconds - (limit - told.left["target_time"])
    if told.left["target_time"] <= 0 or apart < 0.01 * limit:
        return ""
    return f" ({duration(apart)} of it too late to count, or not counted yet)"


def unspent(told: Facts) -> str:
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


# --- a test of its result on unseen problems -------------------------------------------------


def unseen_report(
    log: Path, found: UnseenTest | Candidate, *, by: str | None = None
) -> UnseenReport:
    """A test as it is told, also by family; a candidate is the winner and what it is compared with.

    There is nothing to test then.
    """
    with SQLiteLog.open(log, write=False) as book:
        header = book.header
    told: dict[str, Any] = {"run": str(log), "direction": header.direction, "unit": unit_of(header)}
    if isinstance(found, Candidate):
        said = (
            f"The winner is {found} itself, with which others are compared: nothing better was "
            "found, so there is nothing to test. --against NAME compares it with another candidate."
        )
        return UnseenReport(**told, sentences=(said,), tested=None, families=None)
    first: tuple[str, ...] = ()
    families = None
    if found.kind == "winner":
        first, folder = (headline(found),), folder_of(header)
        families = unseen_by_family(found, by=by, folder=folder)
        families = families and families.in_units(units_in(header.scenario))
    none = [_NO_FAMILIES] if by and families is None else []
    lines = (*first, *sentences(found), *family_sentences(families), *none)
    return UnseenReport(**told, sentences=lines, tested=found, families=families)


def tested(told: UnseenReport) -> Document:
    """A test as a document: its sentences, the means, and the tables of a front and of families."""
    said = Sentences((*told.sentences, *_means(told)))
    return [said, *family_table(told.families), *_of_front(told)]


def _means(told: UnseenReport | None) -> list[str]:
    """The means of a winner and the other candidate on unseen problems."""
    found = None if told is None else told.tested
    if told is None or found is None or found.kind != "winner":
        return []
    return [f"{one.candidate}: {_mean_of(one, told.unit)}" for one in found.means]


def _of_front(told: UnseenReport | None) -> Iterator[Part]:
    """The means of a front on unseen problems, and its gains."""
    found = None if told is None else told.tested
    if found is not None and found.kind == "front":
        yield _front_means(found)
        yield from tables.front_gains(found.gains)


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

"""The winner's gain over the default, and the best candidate, in each family of instances."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.answer.document import TextTable, table
from racing.answer.gain import Gain, by_mean, gain
from racing.answer.tested import UnseenTest
from racing.answer.words import ends, interval, sized
from racing.base.words import listed, percent, refer, shown
from racing.core.candidate import Candidate
from racing.core.experiment import Instance
from racing.core.goal import Goal
from racing.core.objective import standing
from racing.core.results import Results
from racing.core.view import View, default_of
from racing.log import Log, LogOf, log_in, reading, replay
from racing.log.headers import units_in

Floats = NDArray[np.float64]

_LEVEL = 0.95
_MOST = 30
"""More families than this are shown only on request."""
_NAMED = 6
"""Families that a sentence names."""


@dataclass(frozen=True, kw_only=True)
class FamilyGain:
    """A family of instances.

    Attributes
    ----------
    family
        What it is called.
    gain
        The winner's gain over the default there.
    best
        The candidate that is best there, of those that ran on as many of these instances as the
        winner; it was chosen on them. None on unseen problems, which only two meet.
    """

    family: str
    gain: Gain
    best: Candidate | None


@dataclass(frozen=True, kw_only=True, repr=False)
class ByFamily:
    """The winner's gain over the default in each family; it prints as sentences.

    Attributes
    ----------
    rows
        A family each, by name; () if none is known.
    level
        Of all intervals together: each has 1 − (1 − level)/F of F families (Bonferroni).
    why
        Why no family is known; else empty.
    """

    rows: tuple[FamilyGain, ...]
    level: float
    why: str = field(default="", repr=False)

    def __bool__(self) -> bool:
        return bool(self.rows)

    def __str__(self) -> str:
        return self.why or " ".join(family_sentences(self))

    def __repr__(self) -> str:
        return f"<ByFamily: {self}>"

    @property
    def names(self) -> tuple[str, str]:
        """The winner and what it is compared with."""
        return self.rows[0].gain.name, self.rows[0].gain.over

    def in_units(self, units: Mapping[str, str]) -> ByFamily:
        """The same with the unit of each gain: see `Gain.in_units`."""
        rows = (replace(one, gain=one.gain.in_units(units)) for one in self.rows)
        return replace(self, rows=tuple(rows))


def by_family(log: LogOf, *, by: str | None = None) -> ByFamily:
    """The winner's gain over the default, and the best candidate, in each family of instances.

    Parameters
    ----------
    log
        The log of a run, its path, or its result. A test on held-out instances beside it comes
        first.
    by
        What says the families: `family`, which is what the scenario says, or else the folders;
        `folder`; a regular expression, whose first parenthesis is the family; or `FILE.csv:COLUMN`.
        By default what the scenario says.

    Returns
    -------
    Without rows, and with the reason, if there is no winner, it is the default itself, or no
    family is said; then it counts as false.

    Raises
    ------
    InputError
        If families are asked for and cannot be told.
    LogError
        If the log cannot be read.

    Examples
    --------
    >>> import racing
    >>> from racing.cli.init import write
    >>> race = racing.run(write(Path("kinds"))[0], log="kinds.sqlite")
    >>> found = racing.by_family("kinds.sqlite", by=r"day-(.)")
    >>> len(found.rows) > 1, found.level
    (True, 0.95)
    """
    from racing.analysis.unseen import recorded

    with reading(log) as book:
        race, folder = replay(book), str(book.header.scenario.get("folder") or "")
        where = log_in(log)
        tests = () if isinstance(where, Log) else recorded(where, race)
        found = gains_by_family(race, tests, by=by, folder=folder)
        if found is None:
            return ByFamily(rows=(), level=_LEVEL, why=_nothing_told(race, by))
        return found.in_units(units_in(book.header.scenario))


def _nothing_told(race: View, by: str | None) -> str:
    """Why no family has a gain, and what to do."""
    if race.winner is None:
        return "There is no winner."
    if race.found is None or race.found == default_of(race):
        return f"Nothing is shown to be better than {refer(race.winner)}."
    if by is not None:
        return f"The gain of {refer(race.found)} was measured on no instance."
    return (
        f"No families are known: the scenario's instances say 2 to {_MOST} of them, of two or more "
        "each, by the key `family`; else give `by`, such as by='folder' or a regular expression."
    )


def gains_by_family(
    race: View, tests: Sequence[UnseenTest] = (), *, by: str | None = None, folder: str = ""
) -> ByFamily | None:
    """The same for a run: on unseen problems after a test, else where a gain is known.

    In a race these are all instances that both ran, in a search those of its gain.

    Parameters
    ----------
    folder
        From which the names of instances are seen.
    """
    for one in tests:
        if one.kind == "winner":
            return unseen_by_family(one, by=by, folder=folder)
    search, winner, results = race.as_search, race.found, race.results
    against = default_of(race) if search is None else search.baseline
    if race.winner is None or winner is None or against is None or winner == against:
        return None
    columns = [results.candidates.index(one.id) for one in (winner, against)]
    costs, failed = results.costs[:, columns], results.lost(columns)
    ran = np.flatnonzero(~np.isnan(costs).any(axis=1)).tolist()
    steps = ran if search is None else [step for step in ran if step in search.unseen]
    told = None if search is None else search.gain
    how: dict[str, Any] = {
        "of": "choice" if told is None else told.of,
        "mean": by_mean(costs[steps], race.objective) if told is None else told.measure == "mean",
        "correlation": 0.0 if search is None else search.instances.correlation,
        "metric": results.goal.of_one if isinstance(results.goal, Goal) else "",
    }
    labels = _kinds(instances := [race.instance(step) for step in steps], by, folder)
    best = {} if labels is None else _ahead(race, by, folder)
    names = {"name": winner, "over": against}
    return _told(labels, instances, costs[steps], failed[steps], best, **names, **how)


def unseen_by_family(
    found: UnseenTest, *, by: str | None = None, folder: str = ""
) -> ByFamily | None:
    """The gain of a tested winner by family; see `by_family`."""
    noted = found.families or ("",) * len(found.instances)
    named = enumerate(zip(found.instances, noted, strict=True))
    instances = [Instance(step, name, 0, family=family) for step, (name, family) in named]
    mean = any(one.measure == "mean" for one in found.gains)
    return _told(
        _kinds(instances, by, folder), instances, found.costs, found.failed, {}, of="unseen",
        mean=mean, metric=found.gain.metric, name=found.result[0], over=found.others[0],
    )  # fmt: skip


def _told(
    labels: NDArray[np.str_] | None, instances: Sequence[Instance], costs: Floats,
    failed: NDArray[np.bool_] | None, best: Mapping[str, Candidate], **how: Any,
) -> ByFamily | None:  # fmt: skip
    """A row for each family of instances; `best` is the best candidate there."""
    if labels is None:
        return None
    families = sorted(set(labels.tolist()))
    level = 1 - (1 - _LEVEL) / len(families)  # Bonferroni

    def row(family: str) -> FamilyGain:
        own = np.flatnonzero(labels == family)
        within = how["of"] == "group"
        problems = ["" if within else instances[k].name for k in own.tolist()]
        lost = None if failed is None else failed[own]
        found = gain(costs[own], problems=problems, level=level, failed=lost, **how)
        return FamilyGain(family=family, gain=found, best=best.get(family))

    return ByFamily(rows=tuple(map(row, families)), level=_LEVEL)


def _kinds(instances: Sequence[Instance], by: str | None, folder: str) -> NDArray[np.str_] | None:
    """(n,) the family of each instance; None if no family is asked for or recorded."""
    if not instances:
        return None
    if by is not None:
        from racing.scenario.families import kinds

        return kinds(instances, by, Path(folder))
    noted = [one.family for one in instances]
    useful = 2 <= len(set(noted)) <= min(_MOST, len(noted) // 2)
    return np.array(noted) if useful and all(noted) else None


def _ahead(race: View, by: str | None, folder: str) -> dict[str, Candidate]:
    """The best candidate of each family, of those that ran wherever the winner did there."""
    assert race.winner is not None
    results, candidates = race.results, {one.id: one for one in race.candidates}
    ran = ~np.isnan(results.costs)
    steps = np.flatnonzero(ran[:, results.candidates.index(race.winner.id)])
    labels = _kinds([race.instance(step) for step in steps.tolist()], by, folder)
    found = {}
    for family in () if labels is None else sorted(set(labels.tolist())):
        rows = steps[labels == family]
        columns = np.flatnonzero(ran[rows].all(axis=0))
        there, own = np.ix_(rows, columns), tuple(columns.tolist())
        block = Results(
            results.costs[there], np.ones((len(rows), len(own)), dtype=bool), own,
            np.arange(len(own)), goal=results.goal, failures=results.failures,
            metrics=None if results.metrics is None else results.metrics[there],
        )  # fmt: skip
        best = columns[standing(block, race.objective)[0]]
        found[family] = candidates[results.candidates[best]]
    return found


def family_sentences(found: ByFamily | None) -> Iterator[str]:
    """The families where the winner is better, worse, or not shown to differ.

    Where more is asked for than one metric, a family where it is worse by that need not keep the
    other candidate.
    """
    if not found:
        return
    level = f"{percent(found.level)} for all {len(found.rows)} together"
    yield f"By family{_alone(found)}, {_where(found)} ({level})."
    name, over = map(refer, found.names)
    for row in found.rows:
        failed = row.gain.failures > row.gain.over_failures
        if row.gain.evidence == "worse" and (failed or not row.gain.metric):
            chosen = "" if row.gain.fresh else ", though it was also chosen on these instances"
            what = f"{name} {_loss(row.gain, over)}"
            yield f"On {refer(row.family)} keep {over}: there {what}{chosen}."


def _alone(found: ByFamily) -> str:
    metric = found.rows[0].gain.metric
    return f" and by {shown(metric, 30)} alone" if metric else ""


def _where(found: ByFamily) -> str:
    name, over = map(refer, found.names)
    any_better = any(row.gain.better for row in found.rows)
    words = {
        "better": f"{name} is better than {over} on",
        "worse": f"{name} is worse on" if any_better else f"{name} is worse than {over} on",
        "open": "nothing is shown on",
        "few": "there are too few instances of",
    }
    families = {evidence: [refer(row.family) for row in found.rows
                           if row.gain.evidence == evidence] for evidence in words}  # fmt: skip
    parts = (f"{words[of]} {listed(names, _NAMED)}" for of, names in families.items() if names)
    return "; ".join(parts)


def _loss(told: Gain, over: str) -> str:
    """What follows the name of the winner, of a family where it is worse."""
    if told.failures > told.over_failures:
        return f"failed on {told.failures} and {over} on {told.over_failures} of {told.instances}"
    if told.estimate is None or not told.closed:
        return f"is better on {told.wins} and worse on {told.losses}"
    return f"loses {sized(told, -told.estimate)} ({told.measure}; {ends(told)})"


def family_table(found: ByFamily | None) -> Iterator[TextTable]:
    """The gain in each family, with intervals that hold together."""
    if not found:
        return
    winner, over = found.names
    fresh = found.rows[0].gain.fresh
    chosen = any(row.best for row in found.rows)
    told = {"better": "better", "worse": "worse", "open": "not shown", "few": "too few"}
    yield table(
        "families",
        f"{refer(winner)} over {refer(over)} by family{_alone(found)}"
        f"{' on unseen problems' if fresh else ''}",
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

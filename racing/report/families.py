"""The winner's gain and the best candidate by family of instances."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from racing.core.candidate import Candidate
from racing.core.experiment import Instance
from racing.core.objective import standing
from racing.core.results import Results
from racing.core.view import View, default_of
from racing.report.family_rows import FamilyGain, Measure, Pairs, row_of
from racing.report.gain import held_out as tested
from racing.report.paired import kind_of

if TYPE_CHECKING:
    from racing.analysis.holdout import Holdout

Floats = NDArray[np.float64]

_LEVEL = 0.95
_MOST = 30
"""More families than this are shown only on request."""


@dataclass(frozen=True, kw_only=True)
class ByFamily:
    """The winner's gain over the default in each family.

    Attributes
    ----------
    winner, against
        The two.
    rows
        A family each, by name.
    level
        Of all intervals together: each has 1 − (1 − level)/F of F families (Bonferroni).
    measure
        `median` of the differences, their `mean` for a search, or `share`: of costs that are 0 or
        1, the difference of the shares that are right.
    fresh
        Whether the instances are unseen: they had no part in the choice.
    """

    winner: Candidate
    against: Candidate
    rows: tuple[FamilyGain, ...]
    level: float
    measure: Measure
    fresh: bool


def by_family(log: str | os.PathLike[str], *, by: str | None = None) -> ByFamily | None:
    """The winner's gain over the default, and the best candidate, in each family of instances.

    Parameters
    ----------
    log
        The log of a run. A test on held-out instances beside it comes first.
    by
        What says the families: `family`, which is what the scenario says, or else the folders;
        `folder`; a regular expression, whose first parenthesis is the family; or `FILE.csv:COLUMN`.
        By default what the scenario says.

    Returns
    -------
    None if there is no winner, it is the default itself, or no family is said.

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
    from racing.log import SQLiteLog, replay

    with SQLiteLog.open(Path(log), write=False) as book:
        race, folder = replay(book), str(book.header.scenario.get("folder") or "")
        return gains_by_family(race, tested(race, book), by=by, folder=folder)


def gains_by_family(
    race: View, held_out: Holdout | None = None, *, by: str | None = None, folder: str = ""
) -> ByFamily | None:
    """The same for a run: on held-out instances after a test, else where a gain is known.

    Parameters
    ----------
    folder
        From which the names of instances are seen.
    """
    if held_out is not None:
        return held_out_by_family(held_out, by=by, folder=folder)
    pairs = _raced(race)
    return None if pairs is None else _told(pairs, _ahead(race, by, folder), by, folder)


def _told(
    pairs: Pairs, best: Mapping[str, Candidate], by: str | None, folder: str
) -> ByFamily | None:
    """A row for each family; `best` is the best candidate there."""
    labels = _kinds(pairs.instances, by, folder) if len(pairs.costs) else None
    if labels is None:
        return None
    names = sorted(set(labels.tolist()))
    level = 1 - (1 - _LEVEL) / len(names)  # Bonferroni
    return ByFamily(
        winner=pairs.winner,
        against=pairs.against,
        rows=tuple(row_of(name, pairs, labels == name, level, best.get(name)) for name in names),
        level=_LEVEL,
        measure=pairs.measure,
        fresh=pairs.fresh,
    )


def held_out_by_family(
    found: Holdout, *, by: str | None = None, folder: str = ""
) -> ByFamily | None:
    """The gain of `racing.holdout` by family; see `by_family`."""
    return _told(_tested(found), {}, by, folder)


def _kinds(instances: Sequence[Instance], by: str | None, folder: str) -> NDArray[np.str_] | None:
    """(n,) the family of each instance; None if no family is asked for or recorded."""
    if by is not None:
        from racing.scenario.families import kinds

        return kinds(instances, by, Path(folder))
    noted = [one.family for one in instances]
    useful = 2 <= len(set(noted)) <= min(_MOST, len(noted) // 2)
    return np.array(noted) if useful and all(noted) else None


def _raced(race: View) -> Pairs | None:
    """The instances that count: in a race all that both ran; in a search the unseen ones."""
    search, winner = race.as_search, race.found
    against = default_of(race) if search is None else search.baseline
    if race.winner is None or winner is None or against is None or winner == against:
        return None
    columns = [race.results.candidates.index(one.id) for one in (winner, against)]
    costs = race.results.costs[:, columns]
    ran = np.flatnonzero(~np.isnan(costs).any(axis=1)).tolist()
    steps = ran if search is None else [step for step in ran if step in search.unseen]
    return Pairs(
        winner=winner,
        against=against,
        instances=[race.instance(step) for step in steps],
        costs=costs[steps],
        measure=_measure(costs[steps]) if search is None else "mean",
        fresh=search is not None,
    )


def _measure(costs: Floats) -> Measure:
    return "share" if kind_of(costs) == "shares" else "median"


def _tested(found: Holdout) -> Pairs:
    noted = found.families or ("",) * len(found.instances)
    return Pairs(
        winner=found.winner,
        against=found.against,
        instances=[
            Instance(step, name, 0, family=family)
            for step, (name, family) in enumerate(zip(found.instances, noted, strict=True))
        ],
        costs=found.costs,
        measure=_measure(found.costs),
        fresh=True,
    )


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
        block = _block(results.costs[np.ix_(rows, columns)], columns)
        best = columns[standing(block, race.objective)[0]]
        found[family] = candidates[results.candidates[best]]
    return found


def _block(costs: Floats, columns: NDArray[np.intp]) -> Results:
    """The results of a complete block of costs."""
    alive = np.ones(costs.shape, dtype=bool)
    return Results(costs, alive, tuple(columns.tolist()), np.arange(len(columns)))

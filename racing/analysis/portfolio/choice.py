"""Chooses a team of complementary candidates from logs; its gain, in figures and in words.

Also the best candidate of each family of instances, and the gain of this choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from racing.analysis.portfolio.crossfit import (
    RARE,
    Estimate,
    Size,
    folds_of,
    gain_of,
    held_out,
    held_out_teams,
    knee,
    mean_of,
    reach_of,
    sizes,
)
from racing.analysis.portfolio.table import KnownCosts, read_costs
from racing.analysis.portfolio.team import Member, certain_scores, enough, team_members
from racing.analysis.use import command_line
from racing.answer.gain import Gain
from racing.answer.json import fact
from racing.answer.words import cell, sentence
from racing.base.errors import InputError, must_be
from racing.base.quantities import cost_of, score_of
from racing.base.words import count, listed, number, percent, refer
from racing.core.candidate import Candidate
from racing.log import LogOf
from racing.scenario.families import kinds
from racing.stats.intervals import numbered

Floats = NDArray[np.float64]

MOST = 8
"""Sizes that are looked at, if no larger one is asked for."""

FEW_SEEN = 5
"""Fewer instances with the worst score say little of its share."""

_HUNDRED = 100


@dataclass(frozen=True, kw_only=True)
class FamilyChoice:
    """The candidate of a family.

    Attributes
    ----------
    family, instances
        What it is called, and how many instances there are.
    candidate
        The best one there.
    score, single_best
        Its mean score there, and that of the single best of all instances, in the direction of the
        user; both were chosen here.
    """

    family: str
    instances: int
    candidate: Candidate
    score: float
    single_best: float


@dataclass(frozen=True, kw_only=True)
class FamilyTable:
    """Family → candidate.

    Attributes
    ----------
    families
        By name.
    score
        The mean score of choosing by family, on fresh instances, in the direction of the user.
    gain
        By how much that is better than the single best.
    """

    families: tuple[FamilyChoice, ...]
    score: Estimate
    gain: Gain


@dataclass(frozen=True, kw_only=True, eq=False)
class Portfolio:
    """A team, and what it is worth; `--json` prints it, with these names.

    Scores are in the user's direction. With the objective `rank` they are places among the
    candidates, from 0, the best, to 1, whatever the direction.

    Attributes
    ----------
    size
        The team, with its value on instances that had no part in its choice.
    members
        In the order in which each adds most to those before it.
    sizes
        The best team of each size, up to one that cannot be better.
    asked
        Whether the size was asked for; else it is the smallest such that no larger team is shown to
        be better.
    single
        The best single candidate.
    virtual
        The mean of the best score of all candidates, on the instances that all of this is from: no
        team can be better there.
    by_family
        A candidate for each family; None if families were not asked for.
    known
        The costs that it was chosen from.
    scores : (n, m)
        The same as scores, lower is better: costs, or places for the objective `rank`. A cell that
        was not run has the worst score known on its instance.
    """

    size: Size
    members: tuple[Member, ...]
    sizes: tuple[Size, ...]
    asked: bool
    single: Candidate
    virtual: float
    by_family: FamilyTable | None = None
    known: KnownCosts = field(repr=False)
    scores: Floats = field(repr=False)

    def __repr__(self) -> str:
        names = [str(one.candidate) for one in self.members]
        over = f", gain over {self.single} {cell(self.size.gain)}" if len(names) > 1 else ""
        return f"<Portfolio: {listed(names, 12)}{over}>"

    @fact
    def answer(self) -> tuple[str, ...]:
        """The team, its gain over the single best, and the limits of the figures."""
        return tuple(_answer(self))

    @fact
    def measure(self) -> Literal["place", "score"]:
        """What scores are."""
        return "place" if self.known.objective == "rank" else "score"

    @fact
    def instances(self) -> int:
        """On how many instances two candidates or more ran."""
        return len(self.known.instances)

    @fact
    def candidates(self) -> int:
        """The number of candidates to choose from."""
        return len(self.known.candidates)

    @fact
    def censored(self) -> int:
        """How many outcomes that were stopped at a bound are left out."""
        return self.known.censored

    @fact
    def shown(self) -> bool:
        """Whether the team is shown to be better than the single best."""
        return self.size.gain.better

    @fact
    def complete(self) -> float:
        """The share of cells of the team that were run; the others count as the worst known."""
        ran = ~np.isnan(self.known.costs[:, list(self.size.team)])
        return float(ran.mean())

    @fact
    def closed(self) -> float | None:
        """The gain over the distance from single best to virtual best; None without a distance."""
        distance, gain = abs(self.sizes[0].score.mean - self.virtual), self.size.gain.estimate
        return gain / distance if distance > 0 and gain is not None else None

    @fact
    def commands(self) -> tuple[str, ...]:
        """A command line for each member; () where the target is no program."""
        scenario = self.known.first.header.scenario
        lines = tuple(command_line(scenario, one.candidate) for one in self.members)
        return lines if all(lines) else ()


def portfolio(
    logs: LogOf | Sequence[LogOf], *, size: int | None = None, by: str | None = None
) -> Portfolio:
    """The team of candidates with the lowest mean of the best cost, from the logs of runs.

    The team is chosen from all instances. Its value is estimated by teams of that size that are
    chosen on nine tenths of them and told on the last. Where a candidate was not run, it counts as
    the worst that ran there, which can only make the estimates worse.

    Parameters
    ----------
    logs
        One, or several of the same target and instances: paths, logs, or results of
        `racing.minimize`.
    size
        How many members; by default the smallest number such that no larger team is shown to be
        better, 1 if none is shown to be better than the single best.
    by
        What says the families of instances, as for `racing.by_family`: a candidate for each.

    Raises
    ------
    InputError
        If there are fewer candidates than members, or the logs are not of one target, or families
        cannot be told.
    LogError
        If a log cannot be read.

    Examples
    --------
    >>> import racing
    >>> from racing.cli.init import write
    >>> race = racing.run(write(Path("teams"))[0], log="teams.sqlite")
    >>> team = racing.portfolio("teams.sqlite", size=2)
    >>> len(team.members), team.size.score.mean <= team.sizes[0].score.mean
    (2, True)
    """
    return choose(read_costs(logs), size=size, by=by)


def choose(known: KnownCosts, *, size: int | None = None, by: str | None = None) -> Portfolio:
    """The team, from costs that were read; see `portfolio`."""
    m = len(known.candidates)
    if size is not None and not (isinstance(size, int) and 1 <= size <= m):
        allowed = f"a whole number from 1 to {m}, the number of candidates"
        raise InputError(must_be("the size of a team", allowed, size))
    if len(set(known.problems)) < 2:
        raise InputError(
            f"all that two candidates or more ran on is the instance {known.problems[0]}; a team "
            "is chosen on some instances and judged on others, so give the run two or more"
        )
    scores = certain_scores(known.costs, known.objective)
    found = sizes(scores, known.problems, min(max(MOST, size or 0), m), least=size or 1)
    single = known.candidates[found[0].team[0]]
    told = tuple(one.told_of(known, single) for one in found)
    chosen = knee(told, known.problems) if size is None else told[size - 1]
    own, ran = scores[:, list(chosen.team)], ~np.isnan(known.costs[:, list(chosen.team)])
    return Portfolio(
        size=chosen,
        members=team_members(chosen.members, own, ran),
        sizes=told,
        asked=size is not None,
        single=single,
        virtual=score_of(float(scores.min(axis=1).mean()), known.way),
        by_family=None if by is None else family_table(known, scores, by),
        known=known,
        scores=scores,
    )


# --- by family ----------------------------------------------------------------------------------


def family_table(known: KnownCosts, scores: Floats, by: str) -> FamilyTable:
    """The best candidate of each family.

    Raises
    ------
    InputError
        If the families cannot be told, or there is only one.
    """
    labels = kinds(known.instances, by, Path(str(known.first.header.scenario.get("folder") or "")))
    folds, single = folds_of(known.problems), int(np.argmin(scores.mean(axis=0)))

    def told(rest: Floats, own: NDArray[np.intp]) -> Floats:
        others = np.delete(labels, own)
        return np.array([scores[row, _best(rest, others == labels[row])] for row in own])

    values, own = held_out(scores, folds, told), numbered(known.problems)
    best = {family: _best(scores, labels == family) for family in sorted(set(labels.tolist()))}
    chosen = scores[np.arange(len(scores)), [best[family] for family in labels.tolist()]]
    reach = reach_of(scores, list(best.values()))
    return FamilyTable(
        families=tuple(
            FamilyChoice(
                family=family,
                instances=int(here.sum()),
                candidate=known.candidates[column],
                score=score_of(float(scores[here, column].mean()), known.way),
                single_best=score_of(float(scores[here, single].mean()), known.way),
            )
            for family, column in best.items()
            for here in [labels == family]
        ),
        score=mean_of(values, chosen, own, reach).scored(known.way),
        gain=replace(
            gain_of(held_out_teams(scores, folds, 1) - values, own, reach),
            name="the choice by family",
            over=str(known.candidates[single]),
        ),
    )


def _best(scores: Floats, rows: NDArray[np.bool_]) -> int:
    """The best candidate on some rows; on all of them where there is none."""
    return int(np.argmin((scores[rows] if rows.any() else scores).mean(axis=0)))


# --- in words -----------------------------------------------------------------------------------


def _answer(found: Portfolio) -> Iterator[str]:
    single, names = refer(found.single), [refer(one.candidate) for one in found.members]
    if len(names) == 1:
        yield _alone(found, single)
    else:
        yield (
            f"The team: {listed(names, 12)}; the single best is {single}. "
            "Each instance counts with the team's best member."
        )
        yield from enough(found.members)
        yield sentence(worth(found.size.gain, found)) + _follows(found, single)
        if found.shown:
            yield (
                f"It has {len(names)} runs on each instance and {single} one: where runs "
                f"differ by their seed, some of the gain is that. `racing test RUN --portfolio` "
                f"runs {single} as often."
            )
    yield from _rare(found)
    yield from _left_out(found)
    if found.by_family is not None:
        yield sentence(worth(found.by_family.gain, found))


def _alone(found: Portfolio, single: str) -> str:
    if len(found.sizes) == 1 < found.candidates:
        return f"The single best, {single}, is best on every instance: no team is better."
    if found.asked or len(found.sizes) == 1:
        return f"The single best is {single}."
    return (
        f"No team is shown to be better than the single best, {single}. More instances may show "
        "one; `--size` has the best team of a size."
    )


def _follows(found: Portfolio, single: str) -> str:
    """What the gain of the team is beside what is possible, or what to do where none is shown."""
    if not found.size.gain.closed:
        return ""
    if not found.shown:
        return f" Use {single} alone, or spend more: `--fill`, or `racing test RUN --portfolio`."
    share = found.closed
    return "" if share is None else f" That is {percent(min(share, 1))} of what is possible."


def worth(gain: Gain, found: Portfolio) -> Gain:
    """A gain in costs, or in places where 100 candidates are ranked on each instance."""
    if found.measure != "place" or gain.estimate is None:
        return gain
    return replace(
        gain, estimate=_HUNDRED * gain.estimate, low=_HUNDRED * gain.low,
        high=_HUNDRED * gain.high, unit=f"places of {_HUNDRED}",
    )  # fmt: skip


def _rare(found: Portfolio) -> Iterator[str]:
    """A score that several candidates share as their worst, such as a timeout's, and the team not.

    It is told where the team has it so seldom that its share is hardly known.
    """
    known, worst = found.known, cost_of(found.size.worst, found.known.way)
    shared = int(((found.scores == worst) & ~np.isnan(known.costs)).sum())
    seen, n = int((found.size.told >= worst).sum()), len(found.scores)
    if known.objective == "rank" or shared < max(2, RARE * found.scores.size) or seen >= FEW_SEEN:
        return
    who = "such a team" if len(found.members) > 1 else refer(found.single)
    yield (
        f"The worst score that is known, {number(found.size.worst, 4)}, came on {seen or 'none'} "
        f"of {n} instances with {who}: too few to say how rare it is. The interval of the score "
        "allows for as many as these instances cannot exclude."
    )


def _left_out(found: Portfolio) -> Iterator[str]:
    if found.known.metric:
        yield f"Only {found.known.metric} is looked at here, and the objective asks for more."
    if found.complete < 1:
        yield (
            f"Its members ran on {percent(found.complete)} of {count(found.instances, 'instance')} "
            "each; where one did not, it counts as the worst known there, which can only make the "
            "estimates worse. `--fill N` runs what may change the choice."
        )
    if found.censored:
        many = count(found.censored, "evaluation")
        yield f"{many} stopped at a bound have no cost, and are left out."

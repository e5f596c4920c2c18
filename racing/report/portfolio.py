"""A team for its readers: the facts, which `--json` prints, a document, and forms to use."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import yaml

from racing.analysis.portfolio import Portfolio
from racing.analysis.portfolio.by_family import FamilyTable
from racing.analysis.portfolio.crossfit import Estimate, Size
from racing.answer.document import Document, Part, Sentences, quoted, table
from racing.base.errors import InputError
from racing.base.quantities import Direction, score_of
from racing.base.words import number
from racing.core.candidate import Candidate
from racing.report.portfolio_words import team_sentences
from racing.report.use_forms import command_line


@dataclass(frozen=True, kw_only=True)
class MemberReport:
    """A member; `command` is None where the target is no program."""

    candidate: Candidate
    adds: float | None
    best_on: int
    ran_on: int
    command: str | None


@dataclass(frozen=True, kw_only=True)
class SizeReport:
    """The best team of a size; `chosen` is its score on the instances that chose it."""

    size: int
    team: tuple[Candidate, ...]
    score: Estimate
    gain: Estimate
    chosen: float


@dataclass(frozen=True, kw_only=True)
class FamilyReport:
    """The candidate of a family, its score there, and that of the single best."""

    family: str
    instances: int
    candidate: Candidate
    score: float
    single_best: float


@dataclass(frozen=True, kw_only=True)
class FamiliesReport:
    """A candidate for each family, and what it is worth to choose so."""

    families: tuple[FamilyReport, ...]
    score: Estimate
    gain: Estimate


@dataclass(frozen=True, kw_only=True)
class TeamReport:
    """A team, its members, its value and that of other sizes; scores in the user's direction.

    Gains are in the unit of the scores, above 0 where the team is better. With the objective `rank`
    scores are places among the candidates, from 0 to 1, in any direction.
    """

    size: int
    asked: bool
    answer: tuple[str, ...]
    measure: Literal["place", "score"]
    instances: int
    candidates: int
    complete: float
    censored: int
    team: tuple[MemberReport, ...]
    score: Estimate
    worst: float
    gain: Estimate
    shown: bool
    single_best: Candidate
    virtual_best: float
    closed: float | None
    sizes: tuple[SizeReport, ...]
    by_family: FamiliesReport | None


def team_report(found: Portfolio) -> TeamReport:
    """The facts of a team."""
    known, way = found.known, _way(found)
    scenario = known.scenario.to_dict()
    return TeamReport(
        size=found.size.size,
        asked=found.asked,
        answer=team_sentences(found),
        measure="place" if known.objective == "rank" else "score",
        instances=len(known.instances),
        candidates=len(known.candidates),
        complete=found.complete,
        censored=known.censored,
        team=tuple(
            MemberReport(
                candidate=one.candidate,
                adds=one.adds,
                best_on=one.best_on,
                ran_on=one.ran_on,
                command=command_line(scenario, one.candidate) or None,
            )
            for one in found.members
        ),
        score=_scored(found.size.score, way),
        worst=score_of(found.size.worst, way),
        gain=found.size.gain,
        shown=found.shown,
        single_best=found.single,
        virtual_best=score_of(found.virtual, way),
        closed=found.closed,
        sizes=tuple(_size(found, one) for one in found.sizes),
        by_family=None if found.by_family is None else _families(found.by_family, way),
    )


def _way(found: Portfolio) -> Direction:
    """Places are low where they are good, whatever the direction of the scores."""
    return "minimize" if found.known.objective == "rank" else found.known.direction


def _scored(one: Estimate, way: Direction) -> Estimate:
    low, high = sorted((score_of(one.low, way), score_of(one.high, way)))
    return replace(one, mean=score_of(one.mean, way), low=low, high=high)


def _size(found: Portfolio, one: Size) -> SizeReport:
    return SizeReport(
        size=one.size,
        team=tuple(found.known.candidates[column] for column in one.team),
        score=_scored(one.score, _way(found)),
        gain=one.gain,
        chosen=score_of(one.known, _way(found)),
    )


def _families(found: FamilyTable, way: Direction) -> FamiliesReport:
    return FamiliesReport(
        families=tuple(
            FamilyReport(
                family=one.family,
                instances=one.instances,
                candidate=one.candidate,
                score=score_of(one.mean, way),
                single_best=score_of(one.single, way),
            )
            for one in found.rows
        ),
        score=_scored(found.score, way),
        gain=found.gain,
    )


def team_document(told: TeamReport) -> Document:
    """The answer, the members, the best team of each size, and a candidate for each family."""
    members = [(quoted(one.candidate), one.adds, one.best_on, one.ran_on) for one in told.team]
    sizes = [
        (one.size, one.score.mean, _ends(one.score), one.gain.mean, _ends(one.gain),
         ", ".join(map(quoted, one.team)))
        for one in told.sizes
    ]  # fmt: skip
    return [
        Sentences(told.answer),
        table(
            "team", "The team", ("member", ">adds", ">best on", ">ran on"), members,
            notes=("adds: by how much the team would be worse without it, on the instances of the "
                   "choice",),
        ),
        table(
            "sizes",
            f"The best team of each size, by mean {told.measure}",
            (">size", ">score", ">interval", ">gain over one", ">interval", "team"),
            sizes,
            notes=("on instances that had no part in the choice; the best of all "
                   f"{told.candidates} candidates on each has {number(told.virtual_best)}",),
        ),
        *_by_family(told),
    ]  # fmt: skip


def _by_family(told: TeamReport) -> Iterator[Part]:
    if told.by_family is not None:
        yield table(
            "families",
            "A candidate for each family",
            ("family", ">instances", "candidate", ">its score", f">{quoted(told.single_best)}"),
            (
                (quoted(one.family), one.instances, quoted(one.candidate), one.score,
                 one.single_best)
                for one in told.by_family.families
            ),
            notes=("on the instances of the choice",),
        )  # fmt: skip


def _ends(one: Estimate) -> str:
    return "–" if one.low == one.high else f"{number(one.low)} to {number(one.high)}"


def team_form(told: TeamReport, form: str) -> str:
    """The team, or its table by family where there is one, as `yaml`, `json` or `commands`.

    The YAML is a list that a scenario takes as its `candidates.list`. A command line has `INSTANCE`
    and `SEED` where these belong.

    Raises
    ------
    InputError
        If command lines are asked for, and the target is no program.
    """
    if form == "commands":
        lines = [one.command for one in told.team]
        if None in lines:
            raise InputError("commands: the target is no program; export the team as yaml or json")
        return "".join(f"{line}\n" for line in lines)
    members = [one.candidate for one in told.team]
    found: object = [{"name": str(one), "values": dict(one.values)} for one in members]
    if told.by_family is not None:
        found = {one.family: dict(one.candidate.values) for one in told.by_family.families}
    if form == "json":
        return json.dumps(found, ensure_ascii=False, indent=2) + "\n"
    return yaml.safe_dump(found, sort_keys=False, allow_unicode=True)

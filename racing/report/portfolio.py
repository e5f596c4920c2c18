"""A team for its readers: the facts, which `--json` prints, a document, and forms to use."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import yaml

from racing.analysis.portfolio.by_family import FamilyTable
from racing.analysis.portfolio.choice import Portfolio
from racing.analysis.portfolio.crossfit import Estimate, Size
from racing.analysis.portfolio.team import Member
from racing.answer.document import Document, Part, Sentences, quoted, table
from racing.base.errors import InputError
from racing.base.quantities import score_of
from racing.base.words import number
from racing.core.candidate import Candidate
from racing.report.portfolio_words import team_sentences
from racing.report.run_tables import team_table
from racing.report.use_forms import command_line


@dataclass(frozen=True, kw_only=True)
class SizeReport:
    """The best team of a size; `chosen` is its score on the instances that chose it."""

    size: int
    team: tuple[Candidate, ...]
    score: Estimate
    gain: Estimate
    chosen: float


@dataclass(frozen=True, kw_only=True)
class TeamReport:
    """A team, its members, its value and that of other sizes; scores in the user's direction.

    Gains are in the unit of the scores, above 0 where the team is better. With the objective `rank`
    scores are places among the candidates, from 0 to 1, in any direction. `commands` has a command
    line for each member, and is empty where the target is no program.
    """

    size: int
    asked: bool
    answer: tuple[str, ...]
    measure: Literal["place", "score"]
    instances: int
    candidates: int
    complete: float
    censored: int
    team: tuple[Member, ...]
    commands: tuple[str, ...]
    score: Estimate
    worst: float
    gain: Estimate
    shown: bool
    single_best: Candidate
    virtual_best: float
    closed: float | None
    sizes: tuple[SizeReport, ...]
    by_family: FamilyTable | None


def team_report(found: Portfolio) -> TeamReport:
    """The facts of a team."""
    known, way = found.known, found.known.way
    scenario = known.scenario.to_dict()
    lines = tuple(command_line(scenario, one.candidate) for one in found.members)
    return TeamReport(
        size=found.size.size,
        asked=found.asked,
        answer=team_sentences(found),
        measure="place" if known.objective == "rank" else "score",
        instances=len(known.instances),
        candidates=len(known.candidates),
        complete=found.complete,
        censored=known.censored,
        team=found.members,
        commands=lines if all(lines) else (),
        score=found.size.score.scored(way),
        worst=score_of(found.size.worst, way),
        gain=found.size.gain,
        shown=found.shown,
        single_best=found.single,
        virtual_best=score_of(found.virtual, way),
        closed=found.closed,
        sizes=tuple(_size(found, one) for one in found.sizes),
        by_family=found.by_family,
    )


def _size(found: Portfolio, one: Size) -> SizeReport:
    return SizeReport(
        size=one.size,
        team=tuple(found.known.candidates[column] for column in one.team),
        score=one.score.scored(found.known.way),
        gain=one.gain,
        chosen=score_of(one.known, found.known.way),
    )


def team_document(told: TeamReport) -> Document:
    """The answer, the members, the best team of each size, and a candidate for each family."""
    sizes = [
        (one.size, one.score.mean, _ends(one.score), one.gain.mean, _ends(one.gain),
         ", ".join(map(quoted, one.team)))
        for one in told.sizes
    ]  # fmt: skip
    return [
        Sentences(told.answer),
        team_table(told.team, told.instances, cut=True),
        table(
            "sizes",
            f"The best team of each size, by mean {_measure(told)}",
            (">size", ">score", ">interval", ">gain over one", ">interval", "team"),
            sizes,
            notes=("on instances that had no part in the choice; the best of all "
                   f"{told.candidates} candidates on each has {number(told.virtual_best)}",),
        ),
        *_by_family(told),
    ]  # fmt: skip


def _measure(told: TeamReport) -> str:
    return "place (0 is the best, 1 the worst)" if told.measure == "place" else told.measure


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
        if not told.commands:
            raise InputError("commands: the target is no program; export the team as yaml or json")
        return "".join(f"{line}\n" for line in told.commands)
    members = [one.candidate for one in told.team]
    found: object = [{"name": str(one), "values": dict(one.values)} for one in members]
    if told.by_family is not None:
        found = {one.family: dict(one.candidate.values) for one in told.by_family.families}
    if form == "json":
        return json.dumps(found, ensure_ascii=False, indent=2) + "\n"
    return yaml.safe_dump(found, sort_keys=False, allow_unicode=True)

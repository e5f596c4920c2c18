"""A team for its readers: the facts, which `--json` prints, a document, and forms to use."""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import yaml

from racing.analysis.portfolio.choice import LEAST, RARE, Estimate, FamilyTable, Portfolio
from racing.analysis.portfolio.team import Member
from racing.answer.document import Document, Part, Sentences, quoted, table
from racing.base.errors import InputError, RacingError
from racing.base.quantities import score_of
from racing.base.words import count, listed, number, percent, refer
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance
from racing.report.parts import copied
from racing.report.run_tables import enough, team_table

FEW = 5
"""Fewer instances with the worst score say little of its share."""

_HUNDRED = 100
_SEED = 2**31 - 2
"""A seed that stands for any while the line is made; its digits are replaced by the word."""


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
        **copied(found, "asked", "complete", "shown", "closed", "by_family"),
        size=found.size.size,
        answer=team_sentences(found),
        measure="place" if known.objective == "rank" else "score",
        instances=len(known.instances),
        candidates=len(known.candidates),
        censored=known.censored,
        team=found.members,
        commands=lines if all(lines) else (),
        score=found.size.score.scored(way),
        worst=score_of(found.size.worst, way),
        gain=found.size.gain,
        single_best=found.single,
        virtual_best=score_of(found.virtual, way),
        sizes=tuple(
            SizeReport(
                size=one.size, team=tuple(known.candidates[column] for column in one.team),
                score=one.score.scored(way), gain=one.gain, chosen=score_of(one.known, way),
            )
            for one in found.sizes
        ),
    )  # fmt: skip


def team_document(told: TeamReport) -> Document:
    """The answer, the members, the best team of each size, and a candidate for each family."""
    measure = "place (0 is the best, 1 the worst)" if told.measure == "place" else told.measure
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
            f"The best team of each size, by mean {measure}",
            (">size", ">score", ">interval", ">gain over one", ">interval", "team"),
            sizes,
            notes=("on instances that had no part in the choice; the best of all "
                   f"{told.candidates} candidates on each has {number(told.virtual_best)}",),
        ),
        *_families(told),
    ]  # fmt: skip


def _families(told: TeamReport) -> Iterator[Part]:
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


def command_line(scenario: Mapping[str, Any], candidate: Candidate) -> str:
    """The command line of a candidate; empty if the target is no program."""
    if "command" not in scenario.get("target", {}):
        return ""
    from racing.evaluate import template
    from racing.scenario import Scenario
    from racing.scenario.plan import switches

    try:
        read = Scenario.from_dict(scenario)
        stand_in = Instance(step=0, name="INSTANCE", seed=_SEED, problem="INSTANCE", number=1)
        words = template.fill(
            template.parse(scenario["target"]["command"]),
            Experiment(candidate, stand_in),
            switches(read.space),
        )
    except (RacingError, KeyError, TypeError, ValueError):
        return ""  # a log of another version, or files that are gone
    return shlex.join(words).replace(str(_SEED), "SEED")


# --- in words -----------------------------------------------------------------------------------


def team_sentences(found: Portfolio) -> tuple[str, ...]:
    """The team, its gain over the single best, and the limits of the figures."""
    return tuple(_sentences(found))


def _sentences(found: Portfolio) -> Iterator[str]:
    single, names = refer(found.single), [refer(one.candidate) for one in found.members]
    if found.size.size == 1:
        yield _alone(found, single)
    else:
        yield f"The team: {listed(names, 12)}. Each instance counts with its best member."
        yield from enough(found.members)
        yield _gain(found, single)
        if found.shown:
            yield (
                f"It has {found.size.size} runs on each instance and {single} one: where runs "
                f"differ by their seed, some of the gain is that. `racing test RUN --portfolio` "
                f"runs {single} as often."
            )
    yield from _rare(found)
    yield from _left_out(found)
    if found.by_family is not None:
        yield _by_family(found, worth(found.by_family.gain, found), single)


def _alone(found: Portfolio, single: str) -> str:
    if len(found.sizes) == 1 < len(found.known.candidates):
        return f"The single best, {single}, is best on every instance: no team is better."
    if found.asked or len(found.sizes) == 1:
        return f"The single best is {single}."
    return (
        f"No team is shown to be better than the single best, {single}. More instances may show "
        "one; `--size` has the best team of a size."
    )


def _gain(found: Portfolio, single: str) -> str:
    """The cross-validated gain of the team; the words call it a gain only where it is shown."""
    gain = worth(found.size.gain, found)
    if math.isinf(gain.low):
        return f"With fewer than {LEAST} problems the gain of the team cannot be estimated."
    share = found.closed
    more = "" if share is None else f", {percent(min(share, 1))} of what is possible"
    where = "on instances that had no part in its choice (cross-fitted, "
    said = _better("It", f"{single}, the single best", gain, found, where, more)
    if gain.low > 0:
        return said
    return f"{said} Use {single} alone, or spend more: `--fill`, or `racing test RUN --portfolio`."


def _better(
    who: str, single: str, gain: Estimate, found: Portfolio, where: str, more: str = ""
) -> str:
    """Whether a choice is better than the single best, by how much, and where that is known."""
    size = number(abs(gain.mean), 4)
    size += f" places of {_HUNDRED}" if found.known.objective == "rank" else ""
    ends = f"{percent(gain.level)} interval {number(gain.low, 4)} to {number(gain.high, 4)})"
    if gain.low > 0:
        comma = "," if ", " in single else ""
        return f"{who} is better than {single}{comma} by {size} {where}{ends}{more}."
    side = "better" if gain.mean >= 0 else "worse"
    return f"{who} is not shown to be better than {single}: {size} {side} {where}{ends}."


def worth(gain: Estimate, found: Portfolio) -> Estimate:
    """A gain in costs, or in places where 100 candidates are ranked on each instance."""
    if found.known.objective != "rank":
        return gain
    mean, low, high = (_HUNDRED * end for end in (gain.mean, gain.low, gain.high))
    return Estimate(mean=mean, low=low, high=high, level=gain.level)


def _rare(found: Portfolio) -> Iterator[str]:
    """A score that several candidates share as their worst, such as a timeout's, and the team not.

    It is told where the team has it so seldom that its share is hardly known.
    """
    known, worst = found.known, found.size.worst
    shared = int(((found.scores == worst) & ~np.isnan(known.costs)).sum())
    seen, n = int((found.size.told >= worst).sum()), len(found.scores)
    if known.objective == "rank" or shared < max(2, RARE * found.scores.size) or seen >= FEW:
        return
    yield (
        f"The worst score that is known, {number(score_of(worst, known.direction), 4)}, came on "
        f"{seen or 'none'} of {n} instances with "
        f"{'such a team' if found.size.size > 1 else refer(found.single)}: too few to say how rare "
        "it is. The interval of the score allows for as many as these instances cannot exclude."
    )


def _left_out(found: Portfolio) -> Iterator[str]:
    if found.known.metric:
        yield f"Only {found.known.metric} is looked at here, and the objective asks for more."
    if found.complete < 1:
        instances = count(len(found.scores), "instance")
        yield (
            f"Its members ran on {percent(found.complete)} of {instances} "
            "each; where one did not, it counts as the worst known there, which can only make the "
            "estimates worse. `--fill N` runs what may change the choice."
        )
    if found.known.censored:
        many = count(found.known.censored, "evaluation")
        yield f"{many} stopped at a bound have no cost, and are left out."


def _by_family(found: Portfolio, gain: Estimate, single: str) -> str:
    if math.isinf(gain.low):
        return (
            f"With fewer than {LEAST} problems the gain of a choice by family cannot be estimated."
        )
    return _better("To choose by family", single, gain, found, "on unseen instances (")

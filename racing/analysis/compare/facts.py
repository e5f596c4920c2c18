"""A comparison as the records that `--json` prints: unrounded, with names in place of columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np

from racing.analysis.compare import words
from racing.analysis.compare.comparison import ComparedPair, Comparison, RunComparison, Three
from racing.analysis.compare.front import MetricComparison
from racing.analysis.compare.profiles import Profiles, in_scores
from racing.analysis.compare.report import ComparisonReport
from racing.analysis.compare.verdicts import Choices, Estimates, Note, Omnibus, Posterior
from racing.answer.document import bare
from racing.base.quantities import Direction
from racing.stats.brunner_munzel import RelativeEffects
from racing.stats.joint import JointStatements


@dataclass(frozen=True, kw_only=True)
class Ranked:
    """An algorithm: its place, and what is known of its scores."""

    name: str
    scores: int
    mean_rank: float
    median: float
    share: float | None
    relative_effect: Three | None


@dataclass(frozen=True, kw_only=True)
class Statement:
    """That one is better than another, or dominates it, and how probable that is."""

    better: str
    worse: str
    probability: float


@dataclass(frozen=True, kw_only=True)
class Together:
    """Statements that are all true with this probability."""

    probability: float
    draws: int
    any_difference: bool | None
    statements: tuple[Statement, ...]


@dataclass(frozen=True, kw_only=True)
class Found:
    """What the tests found, in a paired table or on one problem; matrices are in order of names."""

    problem: str
    names: tuple[str, ...]
    algorithms: tuple[Ranked, ...]
    omnibus: Omnibus | None
    critical_difference: float | None
    comparisons: tuple[ComparedPair, ...]
    groups: tuple[tuple[str, ...], ...] | None
    posterior: Posterior | None
    together: Together | None
    estimates: Estimates
    notes: tuple[Note, ...]
    sources: dict[str, str]


@dataclass(frozen=True, kw_only=True)
class _OfTable:
    """What was compared, and how."""

    source: str
    direction: Direction
    paired: bool
    left_out: tuple[str, ...]
    choices: Choices
    notes: tuple[Note, ...]
    profiles: Profiles | None


@dataclass(frozen=True, kw_only=True)
class TableFacts(_OfTable, Found):
    """A comparison of a paired table."""

    instances: int
    repetitions: int
    groups_of_instances: int | None


@dataclass(frozen=True, kw_only=True)
class MeanEffect:
    """The relative effect of an algorithm, averaged over problems."""

    name: str
    relative_effect: Three


@dataclass(frozen=True, kw_only=True)
class Over:
    """The comparison over all problems."""

    effects: tuple[MeanEffect, ...]
    paired: TableFacts | None


@dataclass(frozen=True, kw_only=True)
class RunFacts(_OfTable):
    """A comparison of runs that nothing pairs."""

    problems: tuple[Found, ...]
    over: Over | None


@dataclass(frozen=True, kw_only=True)
class MetricFacts:
    """A metric: which differences are none, and what its table left out."""

    name: str
    source: str
    direction: Direction
    rope: float
    left_out: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class OnFront:
    """An algorithm: whether it is on the front, and its means with their intervals."""

    name: str
    undominated: bool
    on_front: float
    failed: int
    means: dict[str, Three]


@dataclass(frozen=True, kw_only=True)
class FrontFacts:
    """A comparison by several metrics: who dominates whom, and who is on the front."""

    metrics: tuple[MetricFacts, ...]
    instances: int
    alpha: float
    seed: int
    algorithms: tuple[OnFront, ...]
    knee: str
    together: Together
    notes: tuple[Note, ...]


Facts: TypeAlias = TableFacts | RunFacts | FrontFacts
"""What `racing compare --json` prints."""
Record = TypeVar("Record")


def facts_of(c: ComparisonReport, profiles: Profiles | None = None) -> Facts:
    """All data of a comparison except the scores.

    Raises
    ------
    TypeError
        If it is no comparison.
    """
    match c:
        case Comparison():
            return _of_table(c, profiles)
        case RunComparison():
            problems = tuple(_taken(Found, one, **_found(one)) for one in c.problems)
            return _taken(
                RunFacts, c, c.table, problems=problems, over=_over(c), notes=said(c.notes),
                profiles=profiles and in_scores(profiles),
            )  # fmt: skip
        case MetricComparison():
            return _front_facts(c)
    raise TypeError(f"no comparison: {type(c).__name__}")


def _taken(record: type[Record], *sources: object, **own: Any) -> Record:
    """A record of what is given, and of what the sources have by the names of its fields."""
    for one in fields(cast(Any, record)):
        if one.name not in own:
            source = next(source for source in sources if hasattr(source, one.name))
            own[one.name] = getattr(source, one.name)
    return record(**own)


def _of_table(c: Comparison, profiles: Profiles | None = None) -> TableFacts:
    return _taken(
        TableFacts, c, c.table, **_found(c), instances=c.table.n,
        profiles=profiles and in_scores(profiles),
        groups_of_instances=len(set(c.table.groups)) or None,
    )  # fmt: skip


def _over(c: RunComparison) -> Over | None:
    if c.over is None:
        return None
    paired, effects = c.over.paired, c.over.effects
    return Over(
        effects=tuple(MeanEffect(name=name, relative_effect=_effect(effects, i))
                      for i, name in enumerate(c.names)),
        paired=None if paired is None else _of_table(paired),
    )  # fmt: skip


def said(notes: Sequence[Note]) -> tuple[Note, ...]:
    """Notes whose words have no marks around names."""
    return tuple(replace(note, text=bare(note.text)) for note in notes)


def _found(c: Comparison) -> dict[str, Any]:
    """What is put otherwise than a comparison has it."""
    groups = (tuple(c.names[i] for i in group) for group in c.groups or ())
    return {
        "algorithms": tuple(_ranked(c, i) for i in c.order),
        "comparisons": tuple(map(c.pair, range(c.family.first.size))),
        "groups": None if c.groups is None else tuple(groups),
        "together": c.statements and _together(c.names, c.statements),
        "notes": said(c.notes),
        "sources": words.sources(c),
    }


def _ranked(c: Comparison, i: int) -> Ranked:
    shares = c.table.paired and c.table.yes_or_no
    return Ranked(
        name=c.names[i], scores=int(c.sizes[i]), mean_rank=float(c.mean_ranks[i]),
        median=float(c.medians[i]), share=float(c.table.means[:, i].mean()) if shares else None,
        relative_effect=None if c.relative is None else _effect(c.relative, i),
    )  # fmt: skip


def _effect(found: RelativeEffects, i: int) -> Three:
    return float(found.effects[i]), float(found.low[i]), float(found.high[i])


def _together(names: Sequence[str], found: JointStatements) -> Together:
    return Together(
        probability=found.joint, draws=found.draws,
        any_difference=getattr(found, "any_difference", None),
        statements=tuple(
            Statement(better=names[b], worse=names[w], probability=p) for b, w, p in found.believed
        ),
    )  # fmt: skip


def _front_facts(c: MetricComparison) -> FrontFacts:
    """All that a comparison by several metrics holds but the scores themselves."""
    tables = zip(c.tables.items(), c.ropes, strict=True)
    means = np.stack([c.means, c.low, c.high], axis=2).tolist()
    return _taken(
        FrontFacts, c, instances=c.first.n, knee=c.names[c.knee], notes=said(c.notes),
        together=_together(c.names, c.dominance),
        metrics=tuple(
            _taken(MetricFacts, table, name=name, rope=rope) for (name, table), rope in tables
        ),
        algorithms=tuple(
            OnFront(
                name=c.names[i], undominated=bool(c.undominated[i]), failed=int(c.failed[i]),
                on_front=float(c.on_front[i]),
                means=dict(zip(c.metrics, map(tuple, means[i]), strict=True)),
            ) for i in c.order
        ),
    )  # fmt: skip

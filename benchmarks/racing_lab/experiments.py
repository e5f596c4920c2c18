"""What each table races: worlds, settings and rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.racing_lab.contenders import (
    DEFAULT,
    THE_PAPERS,
    levels,
    readings,
    standard,
    tried,
)
from benchmarks.racing_lab.families import OBSERVATIONS, ROUNDS, Family, chosen
from benchmarks.racing_lab.measure import Contender
from benchmarks.racing_lab.replay import Setting
from benchmarks.racing_lab.worlds import Floats, Matrix, Normal, Synthetic, World
from racing.core.objective import Objective

OBJECTIVES: tuple[Objective, ...] = ("rank", "mean")
PRINTED = "300 rounds of 5"
"""The reading of M = 300 that the printed table is held against."""
RANKED = 50
"""Candidates up to whom the paper's races are also run by rank: 1500 instances are many to rank."""


@dataclass(frozen=True)
class Case:
    """Rules that are raced in one world.

    Attributes
    ----------
    labels
        What tells the case apart in its table: benchmark, objective, reading.
    """

    labels: Mapping[str, str]
    world: World
    setting: Setting
    contenders: Mapping[str, Contender]

    @property
    def name(self) -> str:
        """The labels in a row."""
        return " · ".join(self.labels.values())


def small(case: Case) -> Case:
    """The case with at most 8 candidates, 30 instances and a third of the looks, to try it out."""
    world = case.world
    if isinstance(world, Matrix):
        world = replace(world, candidates=min(world.candidates or 8, 8), rows=30)
    elif isinstance(world, Normal | Synthetic):
        world = replace(world, q=8, rows=30)
    return replace(case, world=world, setting=replace(case.setting, each_test=3))


def paper() -> list[Case]:
    """Benavoli et al. (2015), Table 2, under the reading of M that fits it, and under others."""
    main, others = [], []
    for family in chosen(kind="paper"):
        world, rounds = family.world, family.setting
        assert isinstance(world, Normal)
        short, once = replace(world, rows=ROUNDS), Setting(objective="mean")
        by_rank = replace(rounds, objective="rank")
        single = replace(rounds, evaluations=ROUNDS * OBSERVATIONS)
        rules = standard(slow=0.05) | readings()
        main.append(_paper_case(family, PRINTED, world, rounds, rules))
        if world.q <= RANKED:
            others.append(_paper_case(family, "choice by mean rank", world, by_rank, _few()))
        others += [
            _paper_case(family, "300 rounds of 1", short, once, _few()),
            _paper_case(family, "300 assessments of 5", world, single, _few()),
        ]
    return main + others


def _few() -> dict[str, Contender]:
    """The paper's races and the default."""
    names = (DEFAULT, *THE_PAPERS, "bayes, equals kept")
    return {name: standard()[name] for name in names}


def _paper_case(
    family: Family, reading: str, world: World, setting: Setting, rules: dict[str, Contender]
) -> Case:
    labels = {"benchmark": family.name, "half": family.half, "reading": reading}
    return Case(labels, world, setting, rules)


def matrices() -> list[Case]:
    """Every measured matrix, for both objectives."""
    return _both_objectives("matrix")


def synthetic() -> list[Case]:
    """Every synthetic family, for both objectives."""
    return _both_objectives("synthetic")


def _both_objectives(kind: str) -> list[Case]:
    rules = standard(slow=0.1)
    rules["bets"] = replace(rules["bets"], share=0.5)
    return [
        Case(
            {"benchmark": family.name, "half": family.half, "objective": objective},
            family.world,
            replace(family.setting, objective=objective),
            rules,
        )
        for family in chosen(kind=kind)
        for objective in OBJECTIVES
    ]


FRONTIER: dict[str, Objective] = {
    "paper q=30 ρ=1": "mean",
    "paper q=100 ρ=0.1": "mean",
    "aslib_OPENML-WEKA-2017": "rank",
    "aslib_QBF-2016": "mean",
    "tsp": "rank",
    "clasp": "mean",
    "normal": "rank",
    "heavy tails": "mean",
    "near null": "rank",
    "timeouts": "mean",
}


def frontier() -> list[Case]:
    """Rules at several levels of their parameter."""
    return [
        Case(
            {"benchmark": family.name, "half": family.half, "objective": FRONTIER[family.name]},
            family.world,
            replace(family.setting, objective=FRONTIER[family.name]),
            levels(),
        )
        for family in chosen()
        if family.name in FRONTIER
    ]


WORKBENCH = ("paper q=100 ρ=1", "aslib_ASP-POTASSCO", "tsp", "normal", "sparse", "units")
"""Worlds of the tuning half on which the default rule was worked out."""


def workbench() -> list[Case]:
    """The default rule beside its forerunner and its other parameters."""
    return [
        Case(
            {"benchmark": family.name, "half": family.half, "objective": family.setting.objective},
            family.world,
            family.setting,
            tried(),
        )
        for family in chosen(half="tune")
        if family.name in WORKBENCH
    ]


def errors() -> list[Case]:
    """Worlds in which the best is easily lost, with a look after every instance."""
    return [
        Case(
            {"benchmark": name, "objective": setting.objective},
            world,
            setting,
            {
                name: replace(contender, share=0.4 if "bayes" in name else 1.0)
                for name, contender in standard().items()
                if name not in ("hoeffding", "bernstein")
            },
        )
        for name, world, setting in _perilous()
    ]


def _ahead(by: float) -> Callable[[np.random.Generator, int], Floats]:
    """All alike but for the first, which is ahead."""

    def means(rng: np.random.Generator, q: int) -> Floats:
        return np.where(np.arange(q) == 0, -by, 0.0)

    return means


def _half(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    return 0.5 * rng.standard_normal(shape)


def _sparse(rng: np.random.Generator, q: int) -> Floats:
    """Three good ones, close to one another, among many alike."""
    return np.concatenate([[0.0, 0.1, 0.2], np.ones(q - 3)])


def _perilous() -> list[tuple[str, World, Setting]]:
    families = {family.name: family for family in chosen()}
    heavy = families["heavy tails"].world
    assert isinstance(heavy, Synthetic)
    worlds: dict[str, World] = {
        "40 candidates, one ahead by .02, noise .5": Synthetic(40, 100, _ahead(0.02), _half),
        "40 alike": Synthetic(40, 100, _ahead(0.0), _half),
        "10 candidates, one ahead by .1, noise .5": Synthetic(10, 100, _ahead(0.1), _half),
        "60 candidates, 3 good": Synthetic(60, 100, _sparse, _half),
        "40 candidates, one ahead by .1, heavy tails": replace(heavy, means=_ahead(0.1)),
        "40 candidates, one ahead by .1, ties": Synthetic(
            40, 100, _ahead(0.1), _half, change=np.round
        ),
    }
    return [(name, world, Setting()) for name, world in worlds.items()]

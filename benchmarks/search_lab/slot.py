"""One elite of another level of the leading category, kept whatever its mean: what that changes.

    python -m benchmarks.search_lab.slot [--targets QAP OPT models] [--landscapes 0-7]
        [--budgets 200 500 1000 3000] [--variants usual slot …] [--out FILE]

The leading category switches most other parameters on: the algorithm (QAP, OPT: see `families`) or
the model. `slot`: where all elites are of one level, the last place has the best configuration of
another level; it is not dropped for being worse than the best, and challengers are judged beside
the best elite of their own level. `even`: besides, it is a parent in a quarter of the draws, not a
tenth. `models` is the squared error of a tree, support vectors or neighbours, fitted to 100 of the
cases of a data set and measured on others: of scikit-learn's diabetes from landscape 20 on, of its
breast cancer before. What was run is kept, and not run again.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import records
from benchmarks.search_lab.figures import scale
from benchmarks.search_lab.landscapes import Landscape
from benchmarks.search_lab.spaces import configuration, row, space_of
from racing.core.instances import Instances
from racing.search import LocalSampler, Search
from racing.search.block import Block
from racing.search.challenger import Challenger
from racing.search.elites import displaced, ranked, without_inferior
from racing.search.initial import Initial
from racing.search.main_phase import MainPhase
from racing.search.sampler import Proposal, State
from racing.space import Categorical, Configuration, Integer, Real, Space

FILE = Path(__file__).parent.parent / "results" / "search_lab" / "slot.csv"
TARGETS, BUDGETS, TESTS = ("QAP", "OPT", "models"), (200, 500, 1000, 3000), 150


# --- the slot -----------------------------------------------------------------------------------


def _levels(points: Sequence[Any]) -> list[float]:
    """The level of the leading category, which is the first parameter of every target here."""
    return [float(point[0]) for point in points]


def _with_slot(ids: Sequence[int], levels: Sequence[float], kept: int) -> list[int]:
    """The places of ranked candidates, with one of another level among those that are kept."""
    order = list(range(len(ids)))
    other = next((at for at in order if levels[at] != levels[0]), 0)
    if other >= kept > 1:
        order.insert(kept - 1, order.pop(other))
    return order


def _slotted(context: Any, ids: list[int], block: Block, kept: int) -> tuple[list[int], Block]:
    order = _with_slot(ids, _levels([context.trials.points[id] for id in ids]), kept)
    return [ids[at] for at in order], block.take(order)


class SlottedInitial(Initial):
    """Its elites have one of another level."""

    def _keep_better_half(self) -> None:
        last, m = self._last, self._settings.elites
        keep = m if last else self._kept
        ids, block = ranked(self._ids, self._block(self._ids, self.steps))
        ids, block = _slotted(self._context, ids, block, m) if last else (ids, block)
        self._decided(displaced(ids, block, keep))
        self._ids, self.elites = ids[:keep], ids[:m]


class SlottedChallenger(Challenger):
    """Is judged beside the best elite of its own level."""

    def __init__(self, number: int, id: int, draw: Any, state: State, *more: Any) -> None:
        levels = _levels(state.points)
        own = next((at for at, level in enumerate(levels) if level == float(draw.point[0])), 0)
        order = [own, *(at for at in range(len(levels)) if at != own)]
        judging = replace(
            state, elites=tuple(state.elites[at] for at in order), points=state.points[order],
            block=state.block.take(order),
        )  # fmt: skip
        super().__init__(number, id, draw, judging if own else state, *more)


class SlottedMain(MainPhase):
    """Its last elite is of another level, if all others are of one."""

    challenger = SlottedChallenger

    def _join(self, ids: list[int], block: Block) -> tuple[list[int], Block]:
        kept = self._settings.elites
        ids, block = ranked(ids, block)
        ids, block = _slotted(self._context, ids, block, kept)
        self._decided(displaced(ids, block, kept))
        return ids[:kept], block.take(range(len(ids[:kept])))

    def _without_inferior(self, ids: list[int], block: Block) -> tuple[list[int], Block]:
        ids, block = ranked(ids, block)
        levels = _levels([self._trials.points[id] for id in ids])
        slot = next((id for id, one in zip(ids, levels, strict=True) if one != levels[0]), None)
        _, _, verdict = without_inferior(ids, block, self._settings)
        gone = () if verdict is None else verdict.eliminated
        gone = tuple(one for one in gone if one.candidate != slot)
        if verdict is not None and gone:
            self._decided(replace(verdict, eliminated=gone))
        out = {one.candidate for one in gone}
        stay = [at for at, id in enumerate(ids) if id not in out]
        return [ids[at] for at in stay], block.take(stay)


class Slotted(Search):
    """A search with the slot."""

    _initial, _main = SlottedInitial, SlottedMain


@dataclass(frozen=True, kw_only=True)
class Even(LocalSampler):
    """Draws near the best elite of another level in a quarter of the cases."""

    def draw(self, state: State, choices: Any, rng: np.random.Generator) -> Proposal:
        levels = _levels(state.points)
        other = next((at for at, level in enumerate(levels) if level != levels[0]), 0)
        if other and rng.random() < 0.25:
            state = replace(state, elites=(state.elites[other],), points=state.points[[other]])
        return super().draw(state, choices, rng)


VARIANTS: Mapping[str, Callable[..., Search]] = {
    "usual": Search,
    "slot": Slotted,
    "even": lambda *a, **k: Slotted(*a, sampler=Even(), **k),
}


# --- targets ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Target:
    """A space, a default, and the cost and the true cost of a configuration."""

    space: Space
    default: Configuration
    cost: Callable[[Configuration, int, int], float]
    truth: Callable[[Configuration], float]


@cache
def target(name: str, number: int) -> Target:
    """The target of a landscape."""
    if name == "models":
        return _models("diabetes" if number >= 20 else "breast_cancer")
    land = Landscape(name, number)

    def cost(values: Configuration, instance: int, seed: int) -> float:
        return float(land.costs(row(land.family, values)[None], instance, seed)[0])

    return Target(
        space_of(land.family), configuration(land.family, land.default), cost,
        lambda values: land.truth(row(land.family, values)),
    )  # fmt: skip


@cache
def _models(data: str) -> Target:
    from sklearn import datasets, neighbors, preprocessing, svm, tree

    x, y = getattr(datasets, f"load_{data}")(return_X_y=True)
    x, y = preprocessing.scale(x), np.asarray(y, float) / np.std(y)
    makers = {
        "tree": tree.DecisionTreeRegressor, "vectors": svm.SVR,
        "neighbours": neighbors.KNeighborsRegressor,
    }  # fmt: skip
    space = Space(
        {
            "model": Categorical(list(makers), default="tree"),
            "max_depth": Integer(1, 20, default=10, when="model == tree"),
            "min_samples_leaf": Integer(1, 50, log=True, default=1, when="model == tree"),
            "max_features": Real(0.1, 1, default=1, when="model == tree"),
            "ccp_alpha": Real(1e-4, 1, log=True, default=1e-3, when="model == tree"),
            "C": Real(1e-2, 1e2, log=True, default=1, when="model == vectors"),
            "epsilon": Real(1e-3, 1, log=True, default=0.1, when="model == vectors"),
            "gamma": Real(1e-4, 10, log=True, default=1, when="model == vectors"),
            "n_neighbors": Integer(1, 60, log=True, default=2, when="model == neighbours"),
            "weights": Categorical(["uniform", "distance"], when="model == neighbours",
                                   default="uniform"),
            "p": Real(1, 3, default=2, when="model == neighbours"),
        }
    )  # fmt: skip

    def cost(values: Configuration, instance: int, seed: int) -> float:
        some = np.random.default_rng([instance, seed % 2**32]).permutation(len(x))[:250]
        train, test, own = some[:100], some[100:], dict(values)
        model = makers[str(own.pop("model"))]
        if model is tree.DecisionTreeRegressor:
            own["random_state"] = 0
        told = model(**own).fit(x[train], y[train]).predict(x[test])
        return float(np.mean((told - y[test]) ** 2))

    def truth(values: Configuration) -> float:
        return float(np.mean([cost(values, 10_000 + one, 0) for one in range(TESTS)]))

    return Target(space, space.default(), cost, truth)


# --- runs ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """A search, with the true costs of what it found, of its winner and of the default."""

    target: str
    landscape: int
    budget: int
    variant: str
    found: float
    winner: float
    default: float


def run(name: str, number: int, budget: int, variant: str) -> Run:
    """One search; the landscape is its seed, too."""
    on = target(name, number)
    search = VARIANTS[variant](
        on.space, Instances(range(1, 51), repeat=True), budget=budget, seed=number,
        known=[on.default],
    )  # fmt: skip
    while not search.done:
        for one in search.ask():
            seed = one.instance.seed
            assert seed is not None
            search.tell(one, on.cost(one.candidate.values, int(one.instance.problem), seed))
    assert search.winner is not None
    best = search.found or search.winner
    return Run(
        name, number, budget, variant,
        *(on.truth(one) for one in (best.values, search.winner.values, on.default)),
    )  # fmt: skip


def lines(runs: Sequence[Run], variants: Sequence[str]) -> Iterator[str]:
    """Regret of the winner, and the paired differences of it and of what was found."""
    yield "| target | evaluations | pairs | usual | variant | winner | found |"
    yield "| --- | ---: | ---: | ---: | --- | ---: | ---: |"
    of = {(one.target, one.budget, one.variant, one.landscape): one for one in runs}
    for name, budget, variant in product(TARGETS, BUDGETS, variants[1:]):
        both = [
            (of[name, budget, variants[0], n], one)
            for (*key, n), one in sorted(of.items())
            if key == [name, budget, variant] and (name, budget, variants[0], n) in of
        ]
        if len(both) > 1:
            best, default = _scale(name, runs, both[0][0].landscape)
            usual = np.mean([(a.winner - best) / (default - best) for a, _ in both])
            apart = [
                np.array(
                    [(getattr(b, what) - getattr(a, what)) / (default - best) for a, b in both]
                )
                for what in ("winner", "found")
            ]
            told = [f"{d.mean():+.3f} ({d.std(ddof=1) / len(d) ** 0.5:.3f})" for d in apart]
            yield (
                f"| {name} | {budget} | {len(both)} | {usual:.3f} | {variant} | "
                f"{' | '.join(told)} |".replace("-", "−")
            )


def _scale(name: str, runs: Sequence[Run], number: int) -> tuple[float, float]:
    """The best that is known, and the default: of models, the best that any run has found."""
    if name != "models":
        known = scale(name, 0)
        return known.best, known.default
    alike = [one for one in runs if one.target == name and (one.landscape < 20) == (number < 20)]
    return min(one.found for one in alike), alike[0].default


def main(arguments: list[str] | None = None) -> None:
    """Run what is missing, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--targets", nargs="+", choices=TARGETS, default=TARGETS)
    parser.add_argument("--landscapes", default="0-7")
    parser.add_argument("--budgets", type=int, nargs="+", choices=BUDGETS, default=BUDGETS)
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=tuple(VARIANTS))
    parser.add_argument("--out", type=Path, default=FILE)
    args = parser.parse_args(arguments)
    first, _, last = args.landscapes.partition("-")
    landscapes = range(int(first), int(last or first) + 1)
    runs = records.load(Run, args.out) if args.out.exists() else []
    known = {(one.target, one.landscape, one.budget, one.variant) for one in runs}
    due = [
        (name, number, budget, variant)
        for number, name, budget, variant in product(
            landscapes, args.targets, args.budgets, args.variants
        )
        if (name, number, budget, variant) not in known
    ]
    runs += records.save((run(*key) for key in due), Run, args.out)
    print(*lines([one for one in runs if one.landscape in landscapes], args.variants), sep="\n")


if __name__ == "__main__":
    main()

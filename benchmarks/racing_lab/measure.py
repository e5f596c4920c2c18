"""Thousands of races, in parallel and repeatable, summed up with standard errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from benchmarks.racing_lab.replay import Replay, Setting, replay
from benchmarks.racing_lab.worlds import Sample, World
from racing.rules import Reason, Rule

Facts = Mapping[str, NDArray[np.float64]]
"""Fact → one value a race."""

ALIKE = 0.05
"""Two candidates are truly alike if their chances to win are within this of ½."""


@dataclass(frozen=True)
class Figure:
    """A mean over races and its standard error."""

    mean: float
    error: float

    @classmethod
    def of(cls, values: Sequence[float] | NDArray[np.floating]) -> Figure:
        """From one value a race; races without one (NaN) are left out."""
        known = np.asarray(values, dtype=float)
        known = known[~np.isnan(known)]
        if len(known) == 0:
            return cls(float("nan"), float("nan"))
        spread = known.std(ddof=1) if len(known) > 1 else float("nan")
        return cls(float(known.mean()), float(spread / np.sqrt(len(known))))

    def __str__(self) -> str:
        return f"{self.mean:.4g} ± {self.error:.2g}"


@dataclass(frozen=True, kw_only=True)
class Contender:
    """A rule as it takes part in an experiment.

    Attributes
    ----------
    rule
        The rule.
    share
        In how much of the races it takes part, the first ones: less than 1 for slow rules.
    like
        Name of another contender, earlier in the experiment. This one is given as many evaluations
        as that one used in the same race, and is asked from the first possible test on.
    """

    rule: Rule
    share: float = 1.0
    like: str | None = None


def facts(sample: Sample, race: Replay, setting: Setting) -> dict[str, float]:
    """What is recorded of one race. Regrets are in the sense of the race's objective.

    `best_dropped` is about all who are truly best; `dropped_at`, the number of instances after
    which the first of them was dropped (inf if never), about a given one.
    """
    truth = sample.truth(setting.objective)
    best, spread = truth.min(), np.ptp(truth) or 1.0
    alike = [(c, e) for c, e in race.dropped if e.reason is Reason.INDISTINGUISHABLE]
    apart = [abs(sample.alike(e.candidate - 1, e.against - 1) - 0.5) for _, e in alike]
    gone = {e.candidate - 1: n for n, e in race.dropped}
    the_best = np.flatnonzero(truth == best)
    return {
        "evaluations": race.evaluations,
        "instances": race.instances,
        "regret": float(truth[race.winner] - best),
        "regret_cost": float(sample.mean[race.winner] - sample.mean.min()),
        "regret_rank": float(sample.rank[race.winner] - sample.rank.min()),
        "normalised": float((truth[race.winner] - best) / spread),
        "place": float((truth < truth[race.winner]).sum()),
        "best_dropped": float(all(i in gone for i in the_best)),
        "dropped_at": float(gone.get(int(the_best[0]), np.inf)),
        "best_won": float(truth[race.winner] == best),
        "alike": float(len(alike)),
        "alike_apart": float(np.mean(apart)) if apart else float("nan"),
        "alike_wrongly": float(sum(chance > ALIKE for chance in apart)),
        "rule_seconds": race.rule_seconds,
        "tests": float(race.tests),
    }


def _one(
    world: World, contenders: Mapping[str, Contender], setting: Setting, seed: int, part: float
) -> dict[str, dict[str, float]]:
    """One world, raced by every rule: paired, so that differences are sharper than levels."""
    sample = world.sample(np.random.default_rng(seed))
    found: dict[str, dict[str, float]] = {}
    for name, contender in contenders.items():
        if part >= contender.share:
            continue
        how = setting
        if contender.like is not None:
            budget = int(found[contender.like]["evaluations"])
            how = replace(setting, first_test=setting.each_test, evaluations=budget)
        race = replay(sample.costs, contender.rule, how, seed=seed)
        found[name] = facts(sample, race, setting)
    return found


def races(
    world: World,
    rules: Mapping[str, Rule | Contender],
    setting: Setting,
    *,
    repetitions: int,
    seed: int = 1,
    jobs: int = 2,
) -> dict[str, dict[str, NDArray[np.float64]]]:
    """Rule → fact → one value a race. All rules meet the same samples."""
    contenders = {
        name: rule if isinstance(rule, Contender) else Contender(rule=rule)
        for name, rule in rules.items()
    }
    seeds = np.random.SeedSequence(seed).generate_state(repetitions)
    results = Parallel(n_jobs=jobs)(
        delayed(_one)(world, contenders, setting, int(s), i / repetitions)
        for i, s in enumerate(seeds)
    )
    return {
        name: {
            fact: np.array([r[name][fact] for r in results if name in r])
            for fact in results[0][name]
        }
        for name in contenders
    }


def summary(
    found: Mapping[str, Mapping[str, NDArray[np.floating]]],
) -> dict[str, dict[str, Figure]]:
    """Means and standard errors of what `races` found."""
    return {
        name: {fact: Figure.of(values) for fact, values in facts_.items()}
        for name, facts_ in found.items()
    }

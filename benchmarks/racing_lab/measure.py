"""Thousands of races, in parallel and repeatable, summed up with standard errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from joblib import Parallel, delayed

from benchmarks.racing_lab.replay import Replay, Setting, replay
from benchmarks.racing_lab.worlds import Sample, World
from racing.rules import Reason, Rule


@dataclass(frozen=True)
class Figure:
    """A mean over races and its standard error."""

    mean: float
    error: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Figure:
        """From one value a race; races without one (NaN) are left out."""
        known = np.asarray(values, dtype=float)
        known = known[~np.isnan(known)]
        if len(known) == 0:
            return cls(float("nan"), float("nan"))
        spread = known.std(ddof=1) if len(known) > 1 else float("nan")
        return cls(float(known.mean()), float(spread / np.sqrt(len(known))))

    def __str__(self) -> str:
        return f"{self.mean:.4g} ± {self.error:.2g}"


def facts(sample: Sample, race: Replay, setting: Setting) -> dict[str, float]:
    """What is recorded of one race. Regrets are in the sense of the race's objective."""
    truth = sample.truth(setting.objective)
    best, spread = truth.min(), np.ptp(truth) or 1.0
    alike = [(c, e) for c, e in race.dropped if e.reason is Reason.INDISTINGUISHABLE]
    apart = [abs(sample.alike(e.candidate - 1, e.against - 1) - 0.5) for _, e in alike]
    order = np.argsort(np.argsort(truth, kind="stable"), kind="stable")
    dropped = {e.candidate - 1 for _, e in race.dropped}
    return {
        "evaluations": race.evaluations,
        "instances": race.instances,
        "regret": float(truth[race.winner] - best),
        "regret_cost": float(sample.mean[race.winner] - sample.mean.min()),
        "regret_rank": float(sample.rank[race.winner] - sample.rank.min()),
        "normalised": float((truth[race.winner] - best) / spread),
        "place": float(order[race.winner]),
        "best_dropped": float(int(np.argmin(truth)) in dropped),
        "best_won": float(truth[race.winner] == best),
        "alike": float(len(alike)),
        "alike_apart": float(np.mean(apart)) if apart else float("nan"),
        "rule_seconds": race.rule_seconds,
        "tests": float(race.tests),
    }


def _one(
    world: World, rules: Mapping[str, Rule], setting: Setting, seed: int
) -> dict[str, dict[str, float]]:
    """One world, raced by every rule: paired, so that differences are sharper than levels."""
    sample = world.sample(np.random.default_rng(seed))
    return {
        name: facts(sample, replay(sample.costs, rule, setting, seed=seed), setting)
        for name, rule in rules.items()
    }


def races(
    world: World,
    rules: Mapping[str, Rule],
    setting: Setting,
    *,
    repetitions: int,
    seed: int = 1,
    jobs: int = 2,
) -> dict[str, dict[str, np.ndarray]]:
    """Rule → fact → one value a race. All rules meet the same samples."""
    seeds = np.random.SeedSequence(seed).generate_state(repetitions)
    results = Parallel(n_jobs=jobs)(
        delayed(_one)(world, rules, setting, int(s)) for s in seeds
    )
    return {
        name: {fact: np.array([r[name][fact] for r in results]) for fact in results[0][name]}
        for name in rules
    }


def summary(found: Mapping[str, Mapping[str, np.ndarray]]) -> dict[str, dict[str, Figure]]:
    """Means and standard errors of what `races` found."""
    return {
        name: {fact: Figure.of(values) for fact, values in facts_.items()}
        for name, facts_ in found.items()
    }

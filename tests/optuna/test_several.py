"""Trials of several objectives are dropped by dominance: the rule's test in every objective."""

from __future__ import annotations

import math

import numpy as np
import optuna
import pytest
from optuna.samplers import NSGAIISampler, RandomSampler, TPESampler
from optuna.trial import FixedTrial, TrialState

from racing.base.errors import InputError
from racing.core.results import Results
from racing.optuna import RacingPruner, report, should_prune
from racing.optuna.trials import DROPPED
from racing.rules import Outlook, Sign, TTest
from racing.rules.equals import judged
from tests.optuna.kit import EFFECTS, STORAGES, N, study_in

BOTH = ("minimize", "minimize")


def values_of(x: float, step: int) -> tuple[float, float]:
    """Trade-offs where x is between 0 and 1; beyond, both get worse."""
    noise = np.random.default_rng([int(1e6 * (x + 1)), step]).normal(0, 0.05, 2) + EFFECTS[step]
    return float(abs(x) + noise[0]), float(abs(x - 1) + noise[1])


def objective(trial, *, signs: tuple[float, float] = (1.0, 1.0)) -> tuple[float, float]:
    x = trial.suggest_float("x", -1, 2)
    seen = []
    for step in range(N):
        seen.append(np.multiply(signs, values_of(x, step)))
        report(trial, seen[-1], step)
        if should_prune(trial):
            raise optuna.TrialPruned
    first, second = np.mean(seen, axis=0)
    return float(first), float(second)


def raced(folder=None, storage="memory", rule="sign", directions=BOTH, trials=15, **options):
    """A study of several objectives, after its trials."""
    fixed = {"pruner": RacingPruner(rule, instances=N), "directions": directions}
    signs = tuple(1.0 if one == "minimize" else -1.0 for one in directions)
    jobs = options.pop("n_jobs", 1)
    study = study_in(storage, folder, **fixed, **options)
    study.optimize(lambda trial: objective(trial, signs=signs), n_trials=trials, n_jobs=jobs)
    return study


@pytest.mark.parametrize("storage", STORAGES)
def test_dominated_trials_are_pruned_and_trade_offs_stay(tmp_path, storage):
    study = raced(tmp_path, storage, trials=10)
    pruned = [trial for trial in study.trials if trial.state == TrialState.PRUNED]
    assert len(pruned) >= 2
    for trial in pruned:
        told = trial.user_attrs[DROPPED]
        against = study.trials[told["against"]]
        assert told["reason"] == "dominated"
        assert len(told["objectives"]) == 2
        assert told["after"] == sum(key.startswith("racing:step:") for key in trial.user_attrs)
        assert not 0.2 < trial.params["x"] < 0.8
        assert abs(against.params["x"] - 0.5) < abs(trial.params["x"] - 0.5)


@pytest.mark.parametrize("sampler", [RandomSampler, TPESampler, NSGAIISampler])
def test_samplers_take_pruned_trials(sampler):
    study = raced(sampler=sampler(seed=2), trials=25)
    states = {trial.state for trial in study.trials}
    assert states == {TrialState.PRUNED, TrialState.COMPLETE}
    assert all(-0.3 < trial.params["x"] < 1.3 for trial in study.best_trials)


def test_the_direction_does_not_matter():
    def told(study):
        return [trial.user_attrs.get(DROPPED) for trial in study.trials]

    least = told(raced())
    assert any(least)
    for directions in (("minimize", "maximize"), ("maximize", "maximize")):
        assert told(raced(directions=directions)) == least


def test_threads_prune_too_and_a_front_is_left():
    study = raced(n_jobs=3)
    dropped = [DROPPED in trial.user_attrs for trial in study.trials]
    assert any(dropped)
    assert not any(dropped[trial.number] for trial in study.best_trials)


def asked(study: optuna.Study, costs: np.ndarray) -> bool:
    """Whether a new trial with these values, (steps, objectives), is dropped."""
    trial = study.ask()
    for step, values in enumerate(costs):
        report(trial, values, step)
    dropped = should_prune(trial)
    study.tell(trial, None if dropped else costs.mean(axis=0).tolist(),
               state=TrialState.PRUNED if dropped else TrialState.COMPLETE)  # fmt: skip
    return dropped


def drops(rule, pair: np.ndarray) -> bool:
    """Whether the rule drops the second of two columns."""
    results = Results(pair, np.ones_like(pair, dtype=bool), (0, 1), np.arange(2))
    outlook = Outlook(objective="mean", instances=30 - len(pair))
    verdict = judged(rule, results, outlook, np.random.default_rng(0))
    return 1 in [one.candidate for one in verdict.eliminated]


@pytest.mark.parametrize("rule", [Sign(), TTest()], ids=["sign", "t-test"])
@pytest.mark.parametrize("count", [2, 3])
def test_a_trial_goes_where_one_rival_beats_it_in_every_objective(rule, count):
    rng, decided = np.random.default_rng(1), set()
    for _ in range(30):
        n = int(rng.integers(6, 20))
        effects = rng.choice([0.0, 1.5], (3, 1, 1)) + rng.choice([0.0, 0.7], (3, 1, count))
        costs = rng.normal(effects, 0.5, (3, n, count))
        pruner = RacingPruner(Sign(alpha=1e-9), instances=30, first_test=1)
        study = study_in("memory", None, directions=["minimize"] * count, pruner=pruner)
        assert not asked(study, costs[0])
        assert not asked(study, costs[1])
        study.pruner = RacingPruner(rule, instances=30, first_test=1)
        pairs = [np.stack([costs[rival], costs[2]], axis=1) for rival in range(2)]
        said = any(all(drops(rule, both[:, :, k]) for k in range(count)) for both in pairs)
        assert asked(study, costs[2]) == said
        decided.add(said)
    assert decided == {True, False}


@pytest.fixture
def one_before():
    study = study_in("memory", None, directions=BOTH, pruner=RacingPruner("sign"))
    asked(study, np.zeros((10, 2)))
    return study


def test_better_or_equal_in_one_objective_is_enough_to_stay(one_before):
    assert not asked(one_before, np.tile([5.0, -0.1], (10, 1)))
    assert not asked(one_before, np.tile([5.0, 0.0], (10, 1)))
    assert asked(one_before, np.tile([5.0, 0.1], (10, 1)))


def test_a_failure_is_worst_in_every_objective(one_before):
    assert asked(one_before, np.tile([math.nan, -1.0], (10, 1)))
    assert asked(one_before, np.tile([-1.0, math.inf], (10, 1)))


def test_it_needs_the_same_instances_and_the_first_test(one_before):
    assert not asked(one_before, np.full((11, 2), 5.0))
    assert not asked(one_before, np.full((4, 2), 5.0))
    assert asked(one_before, np.full((5, 2), 5.0))


def test_who_was_dropped_judges_nobody_and_stays_dropped(one_before):
    trial = one_before.ask()
    for step in range(6):
        report(trial, (1.0, 1.0), step)
    assert should_prune(trial)
    report(trial, (-9.0, -9.0), 6)
    assert should_prune(trial)
    one_before.tell(trial, (1.0, 1.0))
    one_before.pruner = RacingPruner("sign", first_test=5)
    assert asked(one_before, np.full((6, 2), 2.0))
    assert one_before.trials[-1].user_attrs[DROPPED]["against"] == 0


def test_a_fixed_trial_is_never_pruned():
    assert objective(FixedTrial({"x": 2.0})) > (1.5, 0.5)


WRONG = [
    ((1.0,), 0, r"at step 0 must be 2 numbers, one for each objective of the study; got \(1.0,\)"),
    (1.0, 0, "must be 2 numbers"),
    ((1.0, "x"), 0, "must be 2 numbers"),
    ((1.0, -math.inf), 3, "step 3, and no value can beat an infinitely good one"),
    ((1.0, 2.0), -1, "step must be a whole number, 0 or more"),
]


@pytest.mark.parametrize(("values", "step", "words"), WRONG, ids=lambda value: str(value)[:20])
def test_what_cannot_be_reported_is_refused(one_before, values, step, words):
    with pytest.raises(InputError, match=words):
        report(one_before.ask(), values, step)


def test_a_step_is_reported_once(one_before):
    trial = one_before.ask()
    report(trial, (1.0, 2.0), 0)
    with pytest.raises(InputError, match="reported step 0 already; report each step once"):
        report(trial, (1.0, 2.0), 0)


def test_one_objective_and_other_pruners_are_refused(one_before):
    trial = study_in("memory", None).ask()
    with pytest.raises(InputError, match=r"one objective; call trial.report\(value, step\)"):
        report(trial, (1.0,), 0)
    with pytest.raises(InputError, match="one objective"):
        should_prune(trial)
    one_before.pruner = optuna.pruners.MedianPruner()
    with pytest.raises(InputError, match=r"MedianPruner; .*from a RacingPruner: optuna.create"):
        should_prune(one_before.ask())

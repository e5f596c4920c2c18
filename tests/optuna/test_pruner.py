"""Trials race by the project's rules, in every storage, in both directions and in threads."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import optuna
import pytest
from optuna.trial import FixedTrial, TrialState, create_trial

from racing.base.errors import InputError
from racing.core.results import Results
from racing.optuna import RacingPruner, confirm, confirmed, report, should_prune
from racing.optuna.trials import DROPPED, cost
from racing.rules import Keep, Outlook, Sign, TTest
from racing.rules.equals import judged
from tests.optuna.kit import STORAGES, N, maximized, objective, study_in

RULES = ("auto", "sign", "f-test", "t-test", "wilcoxon", "bayes", "mean-ranks")


def steps_of(study: optuna.Study) -> list[int]:
    return [len(trial.intermediate_values) for trial in study.get_trials(deepcopy=False)]


@pytest.mark.parametrize("storage", STORAGES)
def test_inferior_trials_are_pruned_and_the_best_is_the_same(tmp_path, storage):
    study = study_in(storage, tmp_path, pruner=RacingPruner(instances=N))
    study.optimize(objective, n_trials=12)
    bare = study_in("memory", tmp_path, pruner=RacingPruner("none"))
    bare.optimize(objective, n_trials=12)
    assert study.best_trial.number == bare.best_trial.number
    assert steps_of(bare) == [N] * 12
    assert sum(steps_of(study)) < 0.8 * 12 * N
    for trial in study.trials:
        told = trial.user_attrs.get(DROPPED)
        assert (told is not None) == (trial.state == TrialState.PRUNED)
        if told is not None:
            assert told["after"] == len(trial.intermediate_values)
            assert told["against"] < trial.number


@pytest.mark.parametrize("rule", RULES)
def test_maximizing_is_minimizing_the_opposite(tmp_path, rule):
    least = study_in("memory", tmp_path, pruner=RacingPruner(rule, instances=N))
    most = study_in(
        "memory", tmp_path, pruner=RacingPruner(rule, instances=N), direction="maximize"
    )
    least.optimize(objective, n_trials=12)
    most.optimize(maximized, n_trials=12)
    assert steps_of(least) == steps_of(most)
    assert [t.user_attrs for t in least.trials] == [t.user_attrs for t in most.trials]
    assert min(steps_of(least)) < N


@pytest.mark.parametrize("storage", STORAGES)
def test_threads_prune_too_and_never_all(tmp_path, storage):
    study = study_in(storage, tmp_path, pruner=RacingPruner(Sign(), instances=N))
    study.optimize(objective, n_trials=8, n_jobs=3)
    assert len(study.trials) == 8
    assert all(trial.state.is_finished() for trial in study.trials)
    dropped = [DROPPED in trial.user_attrs for trial in study.trials]
    assert any(dropped)
    assert not all(dropped)
    assert not dropped[study.best_trial.number]


_OTHER = """
import sys
from pathlib import Path
from optuna.samplers import RandomSampler
from racing.optuna import RacingPruner
from tests.optuna.kit import objective, study_in
study = study_in(
    sys.argv[1],
    Path(sys.argv[2]),
    study_name="shared",
    load_if_exists=True,
    sampler=RandomSampler(seed=int(sys.argv[3])),
    pruner=RacingPruner("sign"),
)
study.optimize(objective, n_trials=5, n_jobs=int(sys.argv[4]))
"""


@pytest.mark.parametrize(("storage", "n_jobs"), [("sqlite", 1), ("journal", 1), ("journal", 2)])
def test_processes_share_a_study_whose_best_trials_are_raced_afterwards(tmp_path, storage, n_jobs):
    study = study_in(storage, tmp_path, study_name="shared")
    command = [sys.executable, "-c", _OTHER, storage, tmp_path]
    both = [
        subprocess.Popen([*command, str(seed), str(n_jobs)], stderr=subprocess.PIPE)
        for seed in (1, 2)
    ]
    said = [process.communicate()[1] for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    told = [trial.user_attrs[DROPPED] for trial in study.trials if DROPPED in trial.user_attrs]
    assert len(study.trials) == 10
    assert len(told) >= 2
    assert all(one["against"] in range(10) for one in told)
    assert len(told) < 10
    assert DROPPED not in study.best_trial.user_attrs

    study.optimize(lambda trial: trial.suggest_float("x", 0, 1), n_trials=1)  # a rival for certain
    found = confirm(study, truth, instances=range(30))
    assert confirmed(study).number == found.trial.number


def truth(trial: FixedTrial, instance: int, seed: int) -> float:
    return abs(trial.suggest_float("x", 0, 1) - 0.3) + seed % 7 / 100


def by_hand(values: dict[int, list[float]]) -> optuna.Study:
    """A study with these completed trials."""
    study = study_in("memory", None)
    for costs in values.values():
        steps = dict(enumerate(map(float, costs)))
        study.add_trial(create_trial(value=float(np.mean(costs)), intermediate_values=steps))
    return study


def pruned(study: optuna.Study, pruner: RacingPruner, costs: dict[int, float]) -> bool:
    study.pruner = pruner
    trial = study.ask()
    for step, value in costs.items():
        trial.report(value, step)
    return trial.should_prune()


@pytest.mark.parametrize("rule", [Sign(), TTest()], ids=["sign", "t-test"])
def test_it_decides_as_the_rule_does_on_the_shared_instances(rule):
    rng, decided = np.random.default_rng(1), set()
    for _ in range(40):
        n, gap = int(rng.integers(5, 30)), rng.choice([0.0, 0.5, 1.5])
        matrix = rng.normal([0, 0.1, 0.2, gap], 0.4, (n, 4))
        study = by_hand({k: list(matrix[:, k]) for k in range(3)})
        alive = np.ones_like(matrix, dtype=bool)
        results = Results(matrix, alive, (0, 1, 2, 3), np.arange(4))
        outlook = Outlook(objective="mean", instances=30 - n)
        verdict = judged(rule, results, outlook, np.random.default_rng(0))
        said = 3 in [one.candidate for one in verdict.eliminated]
        pruner = RacingPruner(rule, instances=30, first_test=1)
        assert pruned(study, pruner, dict(enumerate(matrix[:, 3]))) == said
        decided.add(said)
    assert decided == {True, False}


def test_the_order_of_the_steps_does_not_matter():
    study = by_hand({0: [0.0] * 10, 1: [0.1] * 10})
    worse = {step: 1.0 + step / 9 for step in range(8)}
    backwards = dict(reversed(worse.items()))
    assert pruned(study, RacingPruner("sign"), worse)
    assert pruned(study, RacingPruner("sign"), backwards)


def test_only_trials_that_saw_all_its_instances_count():
    study = by_hand({0: [0.0] * 5, 1: [0.0] * 6})
    assert not pruned(study, RacingPruner("sign", first_test=6), dict.fromkeys(range(10), 1.0))
    study = by_hand({0: [0.0] * 10})
    assert pruned(study, RacingPruner("sign", first_test=6), dict.fromkeys(range(10), 1.0))


def test_a_trial_that_was_dropped_judges_nobody():
    study = by_hand({0: [1.0] * 10})
    study.add_trial(
        create_trial(
            value=0.0, intermediate_values=dict.fromkeys(range(10), 0.0), user_attrs={DROPPED: {}}
        )
    )
    assert not pruned(study, RacingPruner("sign"), dict.fromkeys(range(10), 0.5))


def test_a_running_trial_counts_as_far_as_it_has_come():
    study = study_in("memory", None, pruner=RacingPruner("sign", first_test=5))
    first, second = study.ask(), study.ask()
    for step in range(6):
        first.report(0.0 + step, step)
        second.report(1.0 + step, step)
        assert not first.should_prune()
        dropped = second.should_prune()
    assert dropped
    first.report(9.0, 6)
    assert not first.should_prune(), "the other one has not seen this instance"


def test_nan_and_infinite_values_are_failures():
    good = [float(step) for step in range(10)]
    study = by_hand({0: good})
    for failed in (math.nan, math.inf):
        assert pruned(study, RacingPruner("sign"), dict.fromkeys(range(8), failed))
    trial = study.ask()
    trial.report(-math.inf, 0)
    study.pruner = RacingPruner("sign", first_test=1)
    with pytest.raises(InputError, match="reported -inf at step 0, which no value can"):
        trial.should_prune()
    frozen = create_trial(value=1.0, intermediate_values={0: math.inf})
    assert cost(frozen, 0, "minimize") == math.inf


def test_the_same_configuration_again_is_dropped_as_an_equal():
    rng = np.random.default_rng(2)
    costs = {k: list(rng.normal(size=12)) for k in range(6)}
    study = by_hand(costs)
    assert pruned(study, RacingPruner(TTest(), first_test=12), dict(enumerate(costs[2])))
    assert study.trials[-1].user_attrs[DROPPED]["reason"] == "indistinguishable"
    assert study.trials[-1].user_attrs[DROPPED]["against"] == 2


@pytest.mark.parametrize(("each", "looks"), [(4, [3, 7, 11]), ("50%", [3, 4, 6, 9])])
def test_it_is_asked_when_a_test_is_due(each, looks):
    asked = []

    def rule(results, outlook, rng):
        asked.append((len(results.block), outlook.instances, outlook.objective, outlook.since))
        return Keep()(results, outlook, rng)

    rng = np.random.default_rng(2)
    study = by_hand({k: list(rng.normal(size=12)) for k in range(2)})
    study.pruner = RacingPruner(rule, instances=12, first_test=3, each_test=each, objective="rank")
    trial = study.ask()
    for step in range(12):
        trial.report(float(rng.normal()), step)
        assert not trial.should_prune()
    assert asked == [
        (n, 12 - n, "rank", n - before) for before, n in zip([0, *looks], looks, strict=False)
    ]


def test_trial_pruned_may_be_raised(tmp_path):
    def raising(trial):
        for step in range(8):
            trial.report(trial.number + step / 10, step)
            if trial.should_prune():
                raise optuna.TrialPruned
        return float(trial.number)

    study = study_in("memory", tmp_path, pruner=RacingPruner("sign"))
    study.optimize(raising, n_trials=4)
    states = [trial.state for trial in study.trials]
    assert states == [TrialState.COMPLETE, *[TrialState.PRUNED] * 3]


WRONG = [
    ({"rule": "sing"}, "unknown rule"),
    ({"rule": 5}, "rule must be one of"),
    ({"rule": "successive-halving"}, "divides a budget"),
    ({"objective": "median"}, "objective must be rank or mean"),
    ({"instances": 0}, "instances must be a whole number, 1 or more"),
    ({"first_test": 9, "instances": 8}, "first_test must be at most 8, .*; got 9"),
    ({"each_test": 0}, "each_test must be a whole number"),
    ({"each_test": "0%"}, "or a growth from 1% to 999%, such as 25%"),
    ({"seed": -1}, "seed must be a whole number, 0 or more"),
]


@pytest.mark.parametrize(("given", "words"), WRONG, ids=lambda value: str(value)[:30])
def test_what_it_cannot_be_made_of_is_refused(given, words):
    with pytest.raises(InputError, match=words):
        RacingPruner(**given)


def test_several_objectives_are_refused():
    study = study_in("memory", None, directions=["minimize", "maximize"])
    frozen = create_trial(values=[1.0, 2.0], intermediate_values=dict.fromkeys(range(9), 1.0))
    study.add_trial(frozen)
    study.add_trial(frozen)
    with pytest.raises(InputError, match="has 2 objectives; a race needs one"):
        RacingPruner().prune(study, study.trials[1])


@pytest.mark.parametrize("names", [["minimize"], ["minimize", "minimize"]])
def test_a_trial_that_has_seen_all_instances_is_kept(names):
    pruner = RacingPruner("sign", instances=9, first_test=9)
    study = optuna.create_study(directions=names, pruner=pruner)
    for worse in (0.0, 1.0):
        trial = study.ask()
        for step in range(9):
            if len(names) == 1:
                trial.report(worse, step)
            else:
                report(trial, (worse, worse), step)
        pruned = trial.should_prune() if len(names) == 1 else should_prune(trial)
        assert not pruned
        study.tell(trial, [worse] * len(names))

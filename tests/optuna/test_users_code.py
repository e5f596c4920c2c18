"""Programs as users write them, the extra that they need, and the benchmark of pruners."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import optuna
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.svm import SVC

import racing
from benchmarks.optuna_pruners import PRUNERS, main
from racing.optuna import RacingPruner, confirm, confirmed
from tests.optuna.kit import database

X, y = load_iris(return_X_y=True)
FOLDS = [*RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0).split(X, y)]


def model(trial):
    """A support vector machine or a forest, each with a parameter of its own."""
    if trial.suggest_categorical("classifier", ["SVC", "RandomForest"]) == "SVC":
        return SVC(C=trial.suggest_float("C", 1e-3, 1e3, log=True), gamma="auto")
    depth = trial.suggest_int("max_depth", 2, 16, log=True)
    return RandomForestClassifier(n_estimators=4, max_depth=depth, random_state=0)


def accuracy(trial, fold, seed=0):
    train, test = FOLDS[fold]
    return model(trial).fit(X[train], y[train]).score(X[test], y[test])


def objective(trial):
    scores = []
    for fold in range(len(FOLDS)):
        scores.append(accuracy(trial, fold))
        trial.report(scores[-1], fold)
        if trial.should_prune():
            raise optuna.TrialPruned
    return np.mean(scores)


def test_classifiers_with_conditions_are_pruned_by_folds(tmp_path):
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(
        direction="maximize",
        sampler=optuna.samplers.TPESampler(seed=1),
        pruner=RacingPruner(instances=len(FOLDS)),
    )
    study.optimize(objective, n_trials=15)
    assert study.best_value > 0.9
    assert sum(len(trial.intermediate_values) for trial in study.trials) < 15 * len(FOLDS)


def test_a_study_in_a_database_is_loaded_and_its_best_trials_are_raced(tmp_path):
    storage = database(tmp_path / "study.db")
    optuna.create_study(study_name="iris", storage=storage, direction="maximize").optimize(
        lambda trial: accuracy(trial, 0), n_trials=8
    )
    study = optuna.load_study(study_name="iris", storage=storage)
    found = confirm(study, accuracy, instances=range(1, len(FOLDS)), top=4)
    assert confirmed(study).number == found.trial.number


def test_the_same_space_without_a_study():
    def score(values, fold, seed):
        return accuracy(optuna.trial.FixedTrial(values), fold)

    space = {
        "classifier": ["SVC", "RandomForest"],
        "C": {"real": [1e-3, 1e3], "log": True, "when": "classifier == SVC"},
        "max_depth": {"integer": [2, 16], "log": True, "when": "classifier == RandomForest"},
    }
    found = racing.maximize(score, space, range(len(FOLDS)), budget=60)
    assert found.score > 0.9


def test_the_extra_is_named():
    code = "import sys; sys.modules['optuna'] = None; import racing.optuna"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    last = done.stderr.strip().splitlines()[-1]
    assert last.endswith(
        "MissingExtra: racing.optuna needs optuna, which is not installed: "
        "pip install 'racing[optuna]'"
    )


def test_every_pruner_has_its_row_and_saves_evaluations(capsys):
    main(["--small"])
    rows = [line.split("|")[1:-1] for line in capsys.readouterr().out.splitlines()[2:]]
    shares = {name.strip(): float(share.split("±")[0]) for name, share, _ in rows}
    assert set(shares) == set(PRUNERS)
    assert shares.pop("none") == 1.0
    assert all(share < 0.9 for share in shares.values())

"""The best trials race until the winner is clear, and the study keeps what came out."""

from __future__ import annotations

import json

import numpy as np
import optuna
import pytest
from optuna.distributions import CategoricalDistribution, FloatDistribution
from optuna.trial import FixedTrial, create_trial

from racing.base.errors import InputError, TargetError
from racing.base.words import number
from racing.embed import Heard
from racing.optuna import RacingPruner, confirm, confirmed
from racing.optuna.trials import CONFIRMED, DROPPED
from tests.optuna.kit import STORAGES, N, objective, study_in

X = FloatDistribution(0, 1)
FRESH = {"list": ["again"], "repeat": True}


def truth(trial: FixedTrial, instance: object, seed: int) -> float:
    """The value on one fresh instance; x = 0.3 is best."""
    rng = np.random.default_rng(seed)
    common, own = rng.normal(0, 1), rng.normal(0, 0.05, 100)
    x = trial.suggest_float("x", 0, 1)
    return float(abs(x - 0.3) + common + own[int(99 * x)])


def lucky(storage: str, folder, *, sign: float = 1.0, **options) -> optuna.Study:
    """A study whose values have the order turned round: the worst were lucky."""
    study = study_in(storage, folder, **options)
    for x in (0.3, 0.5, 0.7, 0.9):
        study.add_trial(create_trial(value=-sign * x, params={"x": x}, distributions={"x": X}))
    return study


@pytest.mark.parametrize("storage", STORAGES)
def test_the_winner_is_the_truly_best_and_the_study_says_so(tmp_path, storage):
    study = lucky(storage, tmp_path)
    before = study.get_trials()
    found = confirm(study, truth, instances=FRESH, budget=200)
    left, spent = len(found.ranking), found.result.spent.evaluations
    assert repr(found) == (
        f"<Confirmation: best trial 0 (x: 0.3), mean value {number(found.value)}; "
        f"{left} of 4 trials {'is' if left == 1 else 'are'} left; {spent} evaluations>"
    )
    assert study.best_trial.params == {"x": 0.9}
    assert found.params == {"x": 0.3}
    assert found.trial.number == 0
    assert [trial.number for trial in found.trials] == [3, 2, 1, 0]
    assert study.get_trials() == before, "no trial is changed or added"
    kept = optuna.load_study(study_name=study.study_name, storage=study._storage)
    assert confirmed(kept).params == {"x": 0.3}
    told = kept.user_attrs[CONFIRMED]
    assert told["winner"] == 0
    assert told["evaluations"] == found.result.spent.evaluations
    assert set(told["trials"]) == {"0", "1", "2", "3"}
    assert told["stopped"] == str(found.result.stopped)
    json.dumps(told, allow_nan=False)


def test_a_study_that_maximizes(tmp_path):
    study = lucky("memory", tmp_path, sign=-1.0, direction="maximize")
    found = confirm(study, lambda *told: -truth(*told), instances=FRESH, budget=200)
    same = confirm(lucky("memory", tmp_path), truth, instances=FRESH, budget=200)
    assert found.params == same.params == {"x": 0.3}
    assert found.value == -same.value
    assert found.result.direction == "maximize"
    two = confirm(study, lambda *told: -truth(*told), instances=FRESH, budget=60, top=2)
    assert [trial.value for trial in two.trials] == [0.9, 0.7], "the best values are the highest"


@pytest.mark.parametrize("options", [{}, {"jobs": 3, "execution": {"engine": "asyncio"}}])
def test_an_async_objective_is_awaited(tmp_path, options):
    async def awaited(trial, instance, seed):
        return truth(trial, instance, seed)

    study = lucky("memory", tmp_path)
    found = confirm(study, awaited, instances=FRESH, budget=200, **options)
    same = confirm(study, truth, instances=FRESH, budget=200)
    assert (found.trial, found.value) == (same.trial, same.value)


def test_after_a_study_with_the_pruner(tmp_path):
    study = study_in("memory", tmp_path, pruner=RacingPruner(instances=N))
    study.optimize(objective, n_trials=15)
    found = confirm(study, truth, instances=FRESH, top=5, budget=150)
    assert all(DROPPED not in trial.user_attrs for trial in found.trials)
    assert len(found.trials) <= 5
    best = min(found.trials, key=lambda trial: abs(trial.params["x"] - 0.3))
    assert abs(found.params["x"] - 0.3) <= abs(best.params["x"] - 0.3) + 0.02


def test_parameters_may_be_anything_and_the_same_ones_race_once(tmp_path):
    study = study_in("memory", tmp_path)
    kinds = CategoricalDistribution([None, "name", True])
    for value, kind in enumerate([None, "name", True, None]):
        study.add_trial(
            create_trial(value=value, params={"name": kind}, distributions={"name": kinds})
        )

    def on_one(trial, instance, seed):
        kind = trial.suggest_categorical("name", [None, "name", True])
        return {None: 2.0, "name": 1.0, True: 3.0}[kind] + instance

    found = confirm(study, on_one, instances=range(8))
    assert [trial.number for trial in found.trials] == [0, 1, 2]
    assert found.params == {"name": "name"}
    assert "trial 1" in found._repr_html_()


def test_other_processes_and_a_log(tmp_path):
    study, log = lucky("memory", tmp_path), tmp_path / "confirm.sqlite"
    found = confirm(study, truth, instances=FRESH, budget=80, jobs=2, log=log)
    again = confirm(study, truth, instances=FRESH, budget=80, log=log)
    assert again.params == found.params
    assert again.result.eliminations == found.result.eliminations


def test_an_interrupted_race_writes_nothing_and_goes_on(tmp_path):
    study = lucky("memory", tmp_path)

    def stop(event):
        return isinstance(event, Heard) and event.race.outcomes == 10

    part = confirm(study, truth, instances=FRESH, budget=200, callbacks=[stop])
    assert not part.result.done
    assert len(repr(part)) < 200
    assert CONFIRMED not in study.user_attrs
    assert confirmed(study) is None
    rest = confirm(study, truth, instances=FRESH, budget=200, log=part.result.log)
    whole = confirm(lucky("memory", tmp_path), truth, instances=FRESH, budget=200)
    assert rest.result.eliminations == whole.result.eliminations
    assert confirmed(study).params == {"x": 0.3}


def test_what_cannot_be_confirmed_is_refused(tmp_path):
    with pytest.raises(InputError, match=r'study must be an .* got "mine"'):
        confirm("mine", truth, instances=FRESH, budget=100)
    empty = study_in("memory", tmp_path)
    with pytest.raises(InputError, match="has 0 completed trials with different"):
        confirm(empty, truth, instances=FRESH, budget=100)
    study = lucky("memory", tmp_path)
    with pytest.raises(InputError, match="top must be a whole number, 2 or more"):
        confirm(study, truth, instances=FRESH, budget=100, top=1)
    with pytest.raises(TargetError, match="must be a function of"):
        confirm(study, lambda trial: 1.0, instances=FRESH, budget=100)
    with pytest.raises(InputError, match="instances never end, so give a limit"):
        confirm(study, truth, instances=FRESH)
    several = study_in("memory", tmp_path, directions=["minimize", "minimize"])
    with pytest.raises(InputError, match="has 2 objectives"):
        confirm(several, truth, instances=FRESH, budget=100)

"""Studies of Optuna in every storage, with the noise of the instances known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import optuna
from optuna.samplers import RandomSampler
from optuna.storages import JournalStorage, RDBStorage
from optuna.storages.journal import JournalFileBackend
from sqlalchemy.pool import NullPool

STORAGES = ("memory", "sqlite", "journal")
N = 12
EFFECTS = np.random.default_rng(7).normal(0, 0.5, N)  # of each instance, on all trials


def study_in(storage: str, folder: Path, **options) -> optuna.Study:
    """An empty study."""
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    places = {
        "memory": lambda: None,
        "sqlite": lambda: database(folder / "study.db"),
        "journal": lambda: JournalStorage(JournalFileBackend(str(folder / "study.log"))),
    }
    options = {"sampler": RandomSampler(seed=3), **options}
    return optuna.create_study(storage=places[storage](), **options)


def database(path: Path) -> RDBStorage:
    """Without a pool, since no call closes the connections that a pool keeps."""
    return RDBStorage(f"sqlite:///{path}", engine_kwargs={"poolclass": NullPool})


def value_of(x: float, step: int, trial: int = 0, *, noise: float = 0.05) -> float:
    """What a trial costs on an instance; x = 0.3 is best."""
    own = np.random.default_rng([trial, step]).normal(0, noise)
    return float(abs(x - 0.3) + EFFECTS[step] + own)


def objective(trial: optuna.Trial, *, sign: float = 1.0) -> float:
    """The mean over all instances, unless it is pruned."""
    x = trial.suggest_float("x", 0, 1)
    values = []
    for step in range(N):
        values.append(sign * value_of(x, step, trial.number))
        trial.report(values[-1], step)
        if trial.should_prune():
            raise optuna.TrialPruned
    return float(np.mean(values))


def maximized(trial: optuna.Trial) -> float:
    """The opposite."""
    return objective(trial, sign=-1.0)

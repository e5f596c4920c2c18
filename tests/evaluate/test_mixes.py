"""No evaluation sees another one in its process, and none is charged with another one's deeds."""

from __future__ import annotations

import random
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from racing.core.experiment import Outcome
from tests.evaluate.mixes import DEADLY, MIX, SPOILING, check, experiments, pool

ROOT = Path(__file__).parents[2]


@cache
def in_turn(*kinds: str) -> list[Outcome]:
    """The outcomes of evaluations of these kinds, one after the other in one worker."""
    found: list[Outcome] = []
    with pool("loky", jobs=1) as workers:
        for experiment in experiments(kinds):
            workers.submit(experiment)
            found += workers.wait(60)
    return found


@pytest.mark.parametrize("kind", [one.__name__ for one in SPOILING])
def test_an_innocent_evaluation_sees_nothing_of_the_one_before(kind: str) -> None:
    """With one worker as with a fresh process each."""
    alone, after = in_turn("nothing")[-1], in_turn(kind, "nothing")[-1]
    assert alone.status == after.status == "ok", after
    assert after.cost == alone.cost


@pytest.mark.parametrize("kind", [one.__name__ for one in DEADLY])
def test_the_death_of_a_worker_is_no_timeout_whatever_it_has_forked(kind: str) -> None:
    with pool("loky", jobs=1, timeout=120.0) as workers:
        workers.submit(experiments([kind])[0])
        (outcome,) = workers.wait(110)
    assert (outcome.status, outcome.attempts) == ("crashed", 2)
    assert outcome.seconds < 100


@pytest.mark.parametrize("seed", range(2))
def test_every_evaluation_of_a_mix_has_its_own_outcome(seed: int) -> None:
    kinds = random.Random(seed).sample(sorted(MIX) * 2, 24)
    with pool("loky", jobs=2, timeout=1.0) as workers:
        check(workers, kinds)


FORKS = """
import os
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function
from racing.evaluate.pool import open_pool
from tests.evaluate.mixes import experiments

def forks(values, instance, seed):
    os.fork()
    return 1.0

with open_pool(Evaluator(Function(forks)), engine="in-process") as workers:
    workers.submit(experiments(["nothing"])[0])
    print("answered", workers.wait()[0].cost, flush=True)
"""


def test_a_child_that_returns_ends() -> None:
    """Otherwise there would be two processes that go on with the run."""
    ran = subprocess.run([sys.executable, "-c", FORKS], stdout=subprocess.PIPE, cwd=ROOT, text=True)
    assert ran.stdout == "answered 1.0\n"

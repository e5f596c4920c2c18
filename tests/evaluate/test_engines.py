"""Engines are told by name in one registry; an executor or a pool of one's own does as well."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from racing.base.errors import InputError, RaceError
from racing.core.experiment import Experiment, Outcome
from racing.evaluate.command import Command
from racing.evaluate.engines import ENGINES
from racing.evaluate.engines.cluster import ClusterPool
from racing.evaluate.engines.in_process import InProcessPool
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function
from racing.evaluate.pool import open_pool
from racing.evaluate.work import Pool
from racing.evaluate.workers import WorkerPool
from tests.evaluate.test_pool import answers, collect, exactly, experiments, named, shell
from tests.waiting import eventually

EXECUTORS = {"threads": ThreadPoolExecutor, "processes": ProcessPoolExecutor}


@pytest.fixture(params=EXECUTORS)
def executor(request: pytest.FixtureRequest) -> Iterable[Executor]:
    with EXECUTORS[request.param](2) as opened:
        yield opened


@pytest.mark.parametrize("name", sorted({*ENGINES} - {"ray", "slurm", "asyncio"}))
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")  # of Dask's, about its sockets
def test_every_engine_in_the_registry_opens_a_pool(name: str) -> None:
    assert answers(open_pool(shell("echo $1"), engine=name), experiments(1))[1].cost == 1


class TestExecutors:
    def test_any_executor_runs_experiments(self, executor: Executor) -> None:
        found = answers(open_pool(named("double"), jobs=2, engine=executor), experiments(12))
        assert {k: one.cost for k, one in found.items()} == {i: 2.0 * i for i in range(1, 13)}
        assert {one.worker for one in found.values()} == {"executor-1", "executor-2"}
        assert all(one.started for one in found.values())

    def test_it_is_left_open(self, executor: Executor) -> None:
        for _ in range(2):
            assert answers(open_pool(named("double"), engine=executor), experiments(1))[1].cost == 2
        assert executor.submit(int, "5").result() == 5

    def test_functions_without_a_name_travel(self, executor: Executor) -> None:
        offset = 5.0
        target = Function(lambda values, instance, seed: values["alpha"] + offset)
        assert answers(open_pool(Evaluator(target), engine=executor), experiments(1))[1].cost == 6

    def test_failures_are_outcomes(self, executor: Executor) -> None:
        with open_pool(named("ill_behaved"), engine=executor) as pool:
            pool.submit(experiments(1, does="raise")[0])
            pool.submit(experiments(2)[1])
            found = collect(pool)
        assert (found[1].status, found[2].cost) == ("crashed", 4)

    def test_what_waits_can_be_dropped(self, executor: Executor) -> None:
        batch = experiments(9)
        with open_pool(shell('sleep 0.05; echo "$1"'), jobs=2, engine=executor) as pool:
            for experiment in batch:
                pool.submit(experiment)
            pool.drop(batch[5:])
            assert sorted(collect(pool)) == [1, 2, 3, 4, 5]

    def test_commands_in_threads_are_ended_when_they_are_dropped(self) -> None:
        mark = f"sleep 1005.{os.getpid()}"
        batch = experiments(2)
        with (
            ThreadPoolExecutor(1) as executor,
            open_pool(shell(f'[ "$1" -gt 1 ] || exec {mark}; echo 5'), engine=executor) as pool,
        ):
            for experiment in batch:
                pool.submit(experiment)
            assert eventually(lambda: exactly(mark))
            pool.drop(batch[:1])
            assert collect(pool)[2].cost == 5
            assert not exactly(mark)

    def test_one_that_breaks_ends_the_run_and_blames_nobody(self) -> None:
        with (
            ProcessPoolExecutor(1) as executor,
            open_pool(named("ill_behaved"), engine=executor) as pool,
        ):
            pool.submit(experiments(1, does="die")[0])
            with pytest.raises(RaceError, match="cannot be used any more"):
                collect(pool)

    def test_a_timeout_that_threads_cannot_keep_is_refused(self) -> None:
        with (
            ThreadPoolExecutor(1) as executor,
            pytest.raises(InputError, match="cannot be interrupted"),
        ):
            open_pool(named("double", timeout=1), engine=executor)


class Inline:
    """The least that is a pool: it runs an experiment when it is waited for."""

    size = 3

    def __init__(self, evaluate: Callable[[Experiment], Outcome]) -> None:
        self.evaluate = evaluate
        self.todo: list[Experiment] = []
        self.closed = False

    @property
    def running(self) -> int:
        return len(self.todo)

    def submit(self, experiment: Experiment) -> None:
        self.todo.append(experiment)

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        return [self.evaluate(self.todo.pop())] if self.todo else []

    def drop(self, experiments: Iterable[Experiment] | None = None) -> None:
        gone = None if experiments is None else {one.key for one in experiments}
        self.todo = [] if gone is None else [one for one in self.todo if one.key not in gone]

    def close(self) -> None:
        self.closed = True

    def __enter__(self) -> Inline:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class TestPoolsOfOnesOwn:
    def test_a_race_runs_on_each_and_comes_to_the_same(self, tmp_path: Path) -> None:
        from racing.runner.run import resume, run
        from racing.scenario import CandidateSource, InstanceSource, Scenario
        from tests.runs_kit import result

        scenario = Scenario(
            target=Command("sh -c 'echo $1' sh {x}"),
            candidates=CandidateSource(list=tuple({"x": i} for i in range(4))),
            instances=InstanceSource(list=tuple("abcdefgh")),
        )
        inline: list[Inline] = []

        def opened(evaluator: Evaluator, size: int) -> Any:
            inline.append(Inline(evaluator))
            return inline[-1]

        with ThreadPoolExecutor(2) as executor:
            pools = [None, "threading", executor, opened]
            for number, pool in enumerate(pools):
                run(scenario, log=tmp_path / f"{number}.sqlite", pool=pool)
        assert inline[0].closed
        results = [result(tmp_path / f"{number}.sqlite")[:3] for number in range(len(pools))]
        assert all(one == results[0] for one in results)
        again = resume(tmp_path / "0.sqlite", pool=Inline(lambda experiment: None))  # type: ignore[arg-type, return-value]
        assert again.done

    def test_what_is_no_pool_is_refused(self) -> None:
        with pytest.raises(InputError, match=r"pool must be an engine .*; got 5"):
            open_pool(named("double"), engine=5)  # type: ignore[arg-type]
        with pytest.raises(InputError, match=r'engine must be one of .*; got "celery"'):
            open_pool(named("double"), engine="celery")


@pytest.mark.parametrize("kind", [WorkerPool, ClusterPool, InProcessPool])
@pytest.mark.parametrize(
    "name", [name for name, _ in inspect.getmembers(Pool) if not name.startswith("_")]
)
def test_engines_have_every_member_with_the_same_arguments(kind: type, name: str) -> None:
    wanted, own = getattr(Pool, name), getattr(kind, name)
    assert callable(own) == callable(wanted)
    if callable(wanted):
        assert [*inspect.signature(own).parameters] == [*inspect.signature(wanted).parameters]

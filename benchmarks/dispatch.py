"""What handing out an evaluation costs, beside what the engine itself costs without racing.

    python -m benchmarks.dispatch [--evaluations 2000] [--repeats 5] [--small] [ENGINE...]

Every evaluation is trivial, so that what is left is the cost of handing it out: seconds of
processors, of all processes together, divided by the number of evaluations. Starting and ending
workers is left out: it is measured with few evaluations, and subtracted. The least of several
repeats counts, as other work on the machine only adds.

    function/loky         a pool of two worker processes, and the same function with a `submit` for
                          each call to joblib's loky, two at a time
    command/threading     `true` in two threads, and `subprocess.run` in two threads
    command/in-process    `true` one after the other, and a loop of `subprocess.run`
    function/dask         a cluster of this machine with two threads, and `Client.submit`
    function/ray          the same with Ray (`--engines` that are not installed are left out)
"""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance
from racing.evaluate.command import Command
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function
from racing.evaluate.pool import open_pool

JOBS = 2
TICKS = os.sysconf("SC_CLK_TCK")
Submit = Callable[[Any], "Future[Any]"]


def target(values: dict[str, float], instance: str, seed: int) -> float:
    """A trivial function."""
    return values["x"]


def experiment(number: int) -> Experiment:
    """One to be handed out."""
    return Experiment(Candidate(number, {"x": float(number)}), Instance(0, "a", 1))


def by_racing(evaluator: Evaluator, engine: str, jobs: int, count: int) -> float:
    """Seconds of processors for so many evaluations by a pool."""
    with open_pool(evaluator, engine=engine, jobs=jobs) as pool:
        begun, submitted = processors_used(), 0
        while submitted < count or pool.running:
            while submitted < count and pool.running < 2 * pool.size:
                submitted += 1
                pool.submit(experiment(submitted))
            pool.wait()
        return processors_used() - begun


def by_futures(submit: Submit, count: int, argument: Callable[[int], Any]) -> float:
    """Seconds of processors for so many calls by futures, two of them waiting."""
    out: set[Future[Any]] = set()
    begun, submitted = processors_used(), 0
    while submitted < count or out:
        while submitted < count and len(out) < 2 * JOBS:
            submitted += 1
            out.add(submit(argument(submitted)))
        done, out = wait(out, return_when=FIRST_COMPLETED)
        for one in done:
            one.result()
    return processors_used() - begun


@contextlib.contextmanager
def bare_loky() -> Iterator[Submit]:
    """joblib's loky."""
    from joblib.externals.loky.process_executor import ProcessPoolExecutor

    executor = ProcessPoolExecutor(max_workers=JOBS)
    try:
        yield lambda values: executor.submit(target, values, "a", 1)
    finally:
        executor.shutdown()


@contextlib.contextmanager
def bare_threads() -> Iterator[Submit]:
    """Programs in threads."""
    with ThreadPoolExecutor(JOBS) as executor:
        yield lambda values: executor.submit(program, values)


@contextlib.contextmanager
def bare_dask() -> Iterator[Submit]:
    """Dask on this machine."""
    import distributed

    options = {"dashboard_address": "127.0.0.1:0", "scheduler_kwargs": {"dashboard": False}}
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=JOBS, host="127.0.0.1", silence_logs=50, **options
        ) as cluster,
        distributed.Client(cluster) as client,
    ):

        def submit(values: object) -> Future[Any]:
            told: Future[Any] = Future()
            future = client.submit(target, values, "a", 1, pure=False)
            future.add_done_callback(lambda done: told.set_result(done.result()))
            return told

        yield submit


@contextlib.contextmanager
def bare_ray() -> Iterator[Submit]:
    """An actor of Ray on this machine, with two threads."""
    import ray

    class Actor:
        def call(self, values: Any) -> float:
            return target(values, "a", 1)

    ray.init(address="local", num_cpus=JOBS, include_dashboard=False, log_to_driver=False)
    try:
        actor = ray.remote(Actor).options(max_concurrency=JOBS).remote()
        yield lambda values: actor.call.remote(values).future()
    finally:
        ray.shutdown()


def program(values: object) -> None:
    """A trivial program, as `subprocess.run` starts it."""
    subprocess.run(["true"], capture_output=True, check=True)


def loop(count: int) -> float:
    """Seconds of processors of a bare loop over programs."""
    begun = processors_used()
    for number in range(count):
        program(number)
    return processors_used() - begun


def futures(
    kind: Callable[[], contextlib.AbstractContextManager[Submit]],
) -> Callable[[int], float]:
    """The bare cost of an engine that has futures."""

    def measure(count: int) -> float:
        with kind() as submit:
            return by_futures(submit, count, lambda number: {"x": float(number)})

    return measure


FUNCTION = Evaluator(Function(target))
COMMAND = Evaluator(Command(command=("true",), cost="time"))
ENGINES: dict[str, tuple[Evaluator, str, int, Callable[[int], float]]] = {
    "function/loky": (FUNCTION, "loky", JOBS, futures(bare_loky)),
    "command/threading": (COMMAND, "threading", JOBS, futures(bare_threads)),
    "command/in-process": (COMMAND, "in-process", 1, loop),
    "function/dask": (FUNCTION, "dask", JOBS, futures(bare_dask)),
    "function/ray": (FUNCTION, "ray", JOBS, futures(bare_ray)),
}


def processors_used() -> float:
    """Seconds of processors that this process and all below it have used, the dead ones too."""
    below: dict[int, list[int]] = {}
    used: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            words = path.read_text().rpartition(")")[2].split()
            pid = int(path.parent.name)
            below.setdefault(int(words[1]), []).append(pid)
            used[pid] = sum(map(int, words[11:15]))  # its own, and of children that were waited for
    total, queue = 0, deque([os.getpid()])
    while queue:
        pid = queue.popleft()
        total += used.get(pid, 0)
        queue.extend(below.get(pid, ()))
    return total / TICKS


def per_evaluation(measure: Callable[[int], float], count: int, repeats: int) -> float:
    """Milliseconds of processors for each evaluation, without those of starting."""
    few = max(count // 20, 2 * JOBS)
    found = [math.inf, math.inf]
    for _ in range(repeats):
        for place, n in enumerate((few, count)):
            found[place] = min(found[place], measure(n))
            time.sleep(0.01)
    return 1000 * (found[1] - found[0]) / (count - few)


def main() -> None:
    """Print a line for every engine."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("engines", nargs="*", metavar="ENGINE", help=", ".join(ENGINES))
    parser.add_argument("--evaluations", type=int, default=2000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--small", action="store_true", help="a few, once")
    args = parser.parse_args()
    count, repeats = (40, 1) if args.small else (args.evaluations, args.repeats)
    print(f"{'ms of processors per evaluation':32s} racing   bare  ratio")
    for name in args.engines or ENGINES:
        evaluator, engine, jobs, bare = ENGINES[name]
        try:
            own = per_evaluation(bare, count, repeats)
        except ImportError as error:
            print(f"{name:32s} {error}", file=sys.stderr)
            continue

        def measure(n: int, one: Evaluator = evaluator, at: str = engine, j: int = jobs) -> float:
            return by_racing(one, at, j, n)

        ours = per_evaluation(measure, count, repeats)
        print(f"{name:32s} {ours:6.3f} {own:6.3f} {ours / own:6.2f}", flush=True)


if __name__ == "__main__":
    main()

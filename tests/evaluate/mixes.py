"""Targets that spoil the process that they run in, each in another way; and innocent ones."""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
import warnings
import zlib
from collections.abc import Callable, Sequence

from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance, Outcome
from racing.evaluate import family
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function
from racing.evaluate.pool import open_pool
from racing.evaluate.work import Pool
from tests.evaluate.cluster_kit import PATIENCE, by_value


def fork_and_die() -> None:
    """The process ends, and leaves a child that holds all its pipes."""
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)
    os._exit(1)


def child_returns() -> None:
    """A child comes back from the function, as its parent does."""
    os.fork()


def child_raises() -> None:
    """A child leaves the function by an exception."""
    if os.fork() == 0:
        raise ValueError("in the child")


def stop() -> None:
    """The process stops, and cannot notice that its time is up."""
    os.kill(os.getpid(), signal.SIGSTOP)


def die() -> None:
    """The process ends."""
    os._exit(3)


def close_streams() -> None:
    """Nothing can be printed any more."""
    sys.stdout.close()
    sys.stderr.close()


def close_descriptors() -> None:
    """The same, below Python's streams."""
    os.close(1)
    os.close(2)


def go_elsewhere() -> None:
    """Another working folder."""
    os.chdir("/")


def change_environment() -> None:
    """A variable comes, and another one goes."""
    os.environ["RACING_MIX"] = "1"
    os.environ.pop("HOME", None)


def change_signals() -> None:
    """SIGTERM means something else, and an alarm is set that rings later."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, 5.0)


def use_up_randomness() -> None:
    """The random numbers of the process go on from another place."""
    random.seed(7)
    random.random()


def forbid_warnings() -> None:
    """Every warning is an error."""
    warnings.simplefilter("error")


def leave_a_thread() -> None:
    """A thread works on."""
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()


def leave_a_child() -> None:
    """A child works on."""
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)


def nothing() -> None:
    """An innocent evaluation."""


DEADLY: tuple[Callable[[], None], ...] = (fork_and_die, die)
FORKING: tuple[Callable[[], None], ...] = (child_returns, child_raises)
SPOILING: tuple[Callable[[], None], ...] = (
    close_streams, close_descriptors, go_elsewhere, change_environment, change_signals,
    use_up_randomness, forbid_warnings, leave_a_thread, leave_a_child,
)  # fmt: skip
MIX = {one.__name__: one for one in (*DEADLY, *FORKING, *SPOILING, stop, nothing)}


FAILS = {
    "fork_and_die": "crashed", "die": "crashed", "stop": "timeout", "close_streams": "crashed",
    "close_descriptors": "crashed", "forbid_warnings": "crashed",
}  # fmt: skip


def solve(values: dict[str, str], instance: str, seed: int) -> float:
    """A cost that depends on all that evaluations of a process share."""
    threads, children = threading.active_count(), family.children(os.getpid())
    environment = sorted(name for name in os.environ if not name.startswith(family.MARK))
    shared = (
        os.getcwd(), environment, signal.getsignal(signal.SIGTERM), random.random(),
        threads, len(children),
    )  # fmt: skip
    MIX[values["kind"]]()
    warnings.warn("a warning", stacklevel=1)
    print("said")
    os.fstat(1), os.fstat(2)
    time.sleep(0.06)
    return float(zlib.crc32(repr(shared).encode()))


def experiments(kinds: Sequence[str]) -> list[Experiment]:
    """Candidates of these kinds."""
    return [
        Experiment(Candidate(k, {"kind": kind}), Instance(0, "a", 5))
        for k, kind in enumerate(kinds, start=1)
    ]


def pool(engine: str, *, jobs: int = 1, timeout: float | None = None, **options: str) -> Pool:
    """A pool for such candidates."""
    target = Function(by_value(solve), timeout=timeout)
    return open_pool(Evaluator(target), engine=engine, jobs=jobs, **options)


def check(workers: Pool, kinds: Sequence[str]) -> None:
    """Submit evaluations of these kinds at once: each has its own outcome.

    Raises
    ------
    AssertionError
        If one is missing or another one than it should be.
    """
    mix, found = experiments(kinds), dict[int, Outcome]()
    for one in mix:
        workers.submit(one)
    limit = time.monotonic() + PATIENCE
    while workers.running and time.monotonic() < limit:
        found |= {outcome.candidate: outcome for outcome in workers.wait(1.0)}
    told = {k: found[k].status if k in found else "missing" for k in range(1, 1 + len(mix))}
    expected = {k: FAILS.get(kind, "ok") for k, kind in enumerate(kinds, start=1)}
    assert told == expected, [(kinds[k - 1], found.get(k)) for k in told if told[k] != expected[k]]
    costs = {outcome.cost for outcome in found.values() if not outcome.failed}
    assert len(costs) <= 1, "evaluations have seen each other"

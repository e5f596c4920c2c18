"""Runs async functions in the event loop of this process: for targets that wait on a network.

A worker is a task of the loop, so hundreds of evaluations wait at once at next to no cost. Dropping
one cancels its task. A target that blocks the loop (`time.sleep`, `requests`) blocks all others.
"""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Callable, Coroutine
from typing import Any

from racing.base.errors import InputError, named
from racing.core.experiment import Experiment, Outcome, Status
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.event_loop import LoopThread, event_loop, hide, leave_if_blocked
from racing.evaluate.function import Function
from racing.evaluate.shortage import shortage
from racing.evaluate.work import Work
from racing.evaluate.workers import Report, Tell, Worker, WorkerPool

NAME = "asyncio"


def open_(work: Work, size: int, *, rate: float | None = None) -> WorkerPool:
    """A pool of tasks.

    Parameters
    ----------
    rate
        The most calls of the target that start per second, repetitions after `Retry` included.

    Raises
    ------
    InputError
        If the target is no async function.
    """
    target = work.target if isinstance(work, Evaluator) else None
    if not (isinstance(target, Function) and target.is_async):
        raise InputError(
            f"engine {NAME} runs async functions (async def solve(values, instance, seed)); use "
            "threading for commands and loky for other functions, or leave engine out"
        )
    assert isinstance(work, Evaluator)
    evaluator, loop, turns = work, event_loop(), Rate(rate)

    async def turn() -> None:
        if rate is not None:
            await asyncio.sleep(turns.reserve(loop.loop.time()))

    async def rest(seconds: float) -> None:
        """Sleep without a slot, and wait for one."""
        free = asyncio.Event()

        def wake() -> None:
            loop.call(free.set)

        pool.rest(wake)
        try:
            await asyncio.sleep(seconds)
            pool.rested(wake)
            await free.wait()
        finally:
            pool.rise(wake)

    def spawn(name: str, tell: Tell) -> TaskWorker:
        def attempt(one: Experiment) -> Coroutine[Any, Any, Outcome]:
            return evaluator.once_async(one, name, turn=turn, rest=rest)

        return TaskWorker(name, loop, attempt, tell)

    pool = WorkerPool(
        size, retries=work.retries, engine=NAME, spawn=spawn, release=leave_if_blocked
    )
    return pool


class TaskWorker(Worker):
    """One place in the loop, for one task at a time."""

    def __init__(
        self,
        name: str,
        loop: LoopThread,
        attempt: Callable[[Experiment], Coroutine[Any, Any, Outcome]],
        tell: Tell,
    ) -> None:
        self.name = name
        self._loop, self._attempt, self._tell = loop, attempt, tell
        self._task: asyncio.Task[Outcome] | None = None
        self._killed = False
        self._free = threading.Event()
        self._free.set()

    def start(self, experiment: Experiment) -> None:
        """Begin an attempt in the loop."""
        self._free.clear()
        self._loop.call(self._begin, experiment)

    def kill(self) -> None:
        """Cancel the running attempt; a target that ignores this continues."""
        self._loop.call(self._cancel)

    def join(self, seconds: float) -> None:
        """Wait for the attempt."""
        self._free.wait(seconds)

    def gone(self) -> bool:
        """Whether its attempt has ended."""
        return self._free.is_set()

    def _begin(self, experiment: Experiment) -> None:
        self._killed = False
        self._task = self._loop.loop.create_task(self._attempt(experiment))
        hide(self._task)
        self._task.add_done_callback(lambda task: self._ended(experiment, task))

    def _cancel(self) -> None:
        if self._task is not None:
            self._killed = True
            self._task.cancel()

    def _ended(self, experiment: Experiment, task: asyncio.Task[Outcome]) -> None:
        self._task = None
        if task.cancelled() and self._killed:
            report = Report()
        elif task.cancelled():  # not by us, so it may be again
            outcome = experiment.failure(Status.CRASHED, "crashed: its task was cancelled")
            report = Report(outcome, died=True)
        elif (short := shortage(error := task.exception())) is not None:
            report = Report(short=short)
        elif error is not None:
            report = Report(experiment.failure(Status.CRASHED, f"crashed: {named(error)}"))
        else:
            report = Report(task.result())
        self._free.set()
        self._tell(self, report)


class Rate:
    """A token bucket of one token: calls are evenly spaced, without bursts.

    Parameters
    ----------
    per_second
        The most calls that start per second; None for no limit.
    """

    def __init__(self, per_second: float | None) -> None:
        self._gap = 0.0 if per_second is None else 1 / per_second
        self._free = -math.inf  # the time of the next token

    def reserve(self, now: float) -> float:
        """Take the next token; returns the seconds to wait for it.

        Parameters
        ----------
        now
            The time of a monotonic clock, in seconds.
        """
        begins = max(now, self._free)
        self._free = begins + self._gap
        return begins - now

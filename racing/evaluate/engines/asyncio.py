"""Runs async functions in an event loop in a separate thread: for targets that wait on a network.

A worker is a task of the loop, so hundreds of evaluations wait at once at next to no cost. Dropping
one cancels its task. A target that blocks the loop (`time.sleep`, `requests`) blocks all others.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

from racing.base.errors import InputError, named
from racing.base.logs import logger
from racing.core.experiment import Experiment, Outcome, Status
from racing.evaluate.coroutine import hide
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function
from racing.evaluate.groups import GRACE
from racing.evaluate.rate import Rate
from racing.evaluate.shortage import shortage
from racing.evaluate.work import Work
from racing.evaluate.worker import Report, Tell
from racing.evaluate.workers import WorkerPool

NAME = "asyncio"
_LOGGER = logger(__name__)


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
    evaluator, loop, turns = work, LoopThread(), Rate(rate)

    async def turn() -> None:
        if rate is not None:
            await asyncio.sleep(turns.reserve(loop.loop.time()))

    def spawn(name: str, tell: Tell) -> TaskWorker:
        return TaskWorker(name, loop, lambda one: evaluator.once_async(one, name, turn=turn), tell)

    return WorkerPool(size, retries=work.retries, engine=NAME, spawn=spawn, release=loop.close)


class TaskWorker:
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

    def end(self) -> None:
        """Do nothing: the worker ends with its attempt."""

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


class LoopThread:
    """An event loop in a separate thread, until it is closed."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=f"racing-{NAME}", daemon=True)
        self._thread.start()

    def call(self, function: Callable[..., object], *arguments: object) -> None:
        """Schedule a call of a function in the loop."""
        self.loop.call_soon_threadsafe(function, *arguments)

    def close(self) -> None:
        """Cancel the target's remaining tasks, and end the loop."""
        self._closed = True
        self.call(self.loop.stop)
        self._thread.join(2 * GRACE)
        if self._thread.is_alive():
            _LOGGER.warning("the target blocks the event loop, which is left behind")

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        while not self._closed:
            self._until_stopped(self.loop.run_forever)
        self._until_stopped(lambda: self.loop.run_until_complete(_leave()))
        self.loop.close()

    def _until_stopped(self, run: Callable[[], object]) -> None:
        try:
            run()
        except BaseException as error:  # SystemExit in a task of the target: the loop continues
            _LOGGER.warning("a task of the target's own ended in %s", named(error))


async def _leave() -> None:
    """Cancel all tasks in this loop."""
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    if left:
        await asyncio.wait(left, timeout=GRACE)
    await asyncio.get_running_loop().shutdown_asyncgens()

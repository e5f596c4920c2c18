"""The event loop of this process, in a thread of its own, and calls in it that end in time.

All async functions of all runs share it, so a session that a function opened in a race serves the
test after it too. It ends with the process, after `teardown`.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable, Coroutine
from multiprocessing.util import Finalize
from typing import Any, TypeVar

from racing.base.errors import named
from racing.base.logs import logger
from racing.evaluate.alarm import TimeIsUp
from racing.evaluate.groups import GRACE

T = TypeVar("T")

_LOGGER = logger("racing.evaluate.engines.asyncio")


class LoopThread:
    """An event loop in a separate thread, until it is closed."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.process = os.getpid()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="racing-asyncio", daemon=True)
        self._thread.start()

    def call(self, function: Callable[..., object], *arguments: object) -> None:
        """Schedule a call of a function in the loop."""
        self.loop.call_soon_threadsafe(function, *arguments)

    def run(self, call: Coroutine[Any, Any, T], timeout: float | None = None) -> T:
        """Run a coroutine in the loop, and wait for it; cancel it if the wait is interrupted.

        Raises
        ------
        TimeoutError
            If it takes longer than `timeout` seconds.
        """
        future = asyncio.run_coroutine_threadsafe(_hidden(call), self.loop)
        try:
            return future.result(timeout)
        except BaseException:
            future.cancel()
            raise

    def responds(self) -> bool:
        """Whether nothing blocks it; warns if something does."""
        answered = threading.Event()
        self.call(answered.set)
        if not answered.wait(2 * GRACE):
            _LOGGER.warning("the target blocks the event loop, which is left behind")
        return answered.is_set()

    def end(self) -> None:
        """Cancel the target's remaining tasks, and end the loop as soon as nothing blocks it."""
        self._closed = True
        self.call(self.loop.stop)

    def close(self) -> None:
        """End the loop, and wait for that."""
        self.end()
        self._thread.join(2 * GRACE)

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


LAST = 5
"""The priority of its end among what ends with the process: `teardown` has a higher one."""

_opening = threading.Lock()
_loop: LoopThread | None = None


def event_loop() -> LoopThread:
    """The event loop of this process; it starts at the first use."""
    global _loop
    with _opening:
        if _loop is None or _loop.process != os.getpid():  # a fork has none of its threads
            _loop = LoopThread()
            Finalize(None, _loop_end, exitpriority=LAST)
        return _loop


def leave_if_blocked() -> None:
    """Give up a loop that the target blocks: the next one to need a loop starts another."""
    global _loop
    loop = event_loop()
    if not loop.responds():
        loop.end()
        with _opening:
            _loop = None


def _loop_end() -> None:
    """End the loop, unless this is a fork of its process."""
    global _loop
    if _loop is not None and _loop.process == os.getpid():
        _loop.close()
        _loop = None


async def _hidden(call: Coroutine[Any, Any, T]) -> T:
    """Await a call in a task that the target does not see."""
    task = asyncio.current_task()
    assert task is not None
    hide(task)
    return await call


async def _leave() -> None:
    """Cancel all tasks in this loop."""
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    if left:
        await asyncio.wait(left, timeout=GRACE)
    await asyncio.get_running_loop().shutdown_asyncgens()


def in_thread(call: Callable[[], T]) -> Awaitable[T]:
    """Call a function in a thread, which may wait for the running event loop."""
    return asyncio.to_thread(call)


async def in_time(call: Awaitable[object], timeout: float | None) -> object:
    """Await a call, and cancel it when its time is up, or this task is cancelled.

    A call that ignores its cancellation for a while is left behind: nothing can end it.

    Parameters
    ----------
    timeout
        Seconds; None for no limit.

    Raises
    ------
    TimeIsUp
        If it took longer, even if it ignored the cancellation.
    """
    task = asyncio.create_task(_ended(call))
    hide(task)
    try:
        await asyncio.wait({task}, timeout=timeout)
        if task.done():
            answer, error = task.result()
            if error is not None:
                raise error
            return answer
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task}, timeout=GRACE)
            if not task.done():
                _LOGGER.warning("a call ignores that it was cancelled, and runs on")
    raise TimeIsUp


async def _ended(call: Awaitable[object]) -> tuple[object, BaseException | None]:
    """The answer of a call or its error, which ends no event loop, not even a `SystemExit`."""
    try:
        return await call, None
    except BaseException as error:
        trace = error.__traceback__
        return None, error.with_traceback(trace.tb_next if trace else None)


def hide(task: asyncio.Task[Any]) -> None:
    """Take a task out of `asyncio.all_tasks()`, as a target that cancels those means its own."""
    asyncio._unregister_task(task)
    task._log_destroy_pending = False  # type: ignore[attr-defined]


def cancelled(error: BaseException) -> bool:
    """Whether an error is a cancellation of this task from outside the target."""
    task = asyncio.current_task()
    return isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling() > 0

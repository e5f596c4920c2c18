"""The event loop of this process, in a thread of its own: all async functions of all runs share it.

So a session that a function opened in a race serves the test after it too. It ends with the
process, after `teardown`.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine
from multiprocessing.util import Finalize
from typing import Any, TypeVar

from racing.base.errors import named
from racing.base.logs import logger
from racing.evaluate.coroutine import hide
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

"""Recognises `async def` targets, and cancels them when their time is up."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from racing.base.logs import logger
from racing.evaluate.alarm import TimeIsUp
from racing.evaluate.groups import GRACE

if TYPE_CHECKING:  # slow to import
    import asyncio

_LOGGER = logger("racing.evaluate.engines.asyncio")


def is_coroutine_function(function: Callable[..., Any]) -> bool:
    """Whether a call gives a coroutine; also for callable objects and partials."""
    while isinstance(function, functools.partial):
        function = function.func
    call = getattr(type(function), "__call__", None)  # noqa: B004 (of its class)
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)


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
    import asyncio

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
    import asyncio

    asyncio._unregister_task(task)
    task._log_destroy_pending = False  # type: ignore[attr-defined]


def cancelled(error: BaseException) -> bool:
    """Whether an error is a cancellation of this task from outside the target."""
    import asyncio

    task = asyncio.current_task()
    return isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling() > 0

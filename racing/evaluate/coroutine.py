"""Recognises `async def` targets, and cancels them when their time is up."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from racing.evaluate.alarm import TimeIsUp


def is_coroutine_function(function: Callable[..., Any]) -> bool:
    """Whether a call gives a coroutine; also for callable objects and partials."""
    while isinstance(function, functools.partial):
        function = function.func
    call = getattr(type(function), "__call__", None)  # noqa: B004 (of its class)
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)


async def in_time(call: Awaitable[object], timeout: float | None) -> object:
    """Await a call, and cancel it when its time is up.

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

    limit = asyncio.timeout(timeout)
    try:
        async with limit:
            answer = await call
    except BaseException as error:
        if limit.expired() and not cancelled(error):
            raise TimeIsUp from error
        raise
    if limit.expired():
        raise TimeIsUp
    return answer


def cancelled(error: BaseException) -> bool:
    """Whether an error is a cancellation of this task from outside the target."""
    import asyncio

    task = asyncio.current_task()
    return isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling() > 0

"""What is an async function, and when it was cancelled."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from racing.evaluate.alarm import TimeIsUp
from racing.evaluate.event_loop import in_time
from racing.evaluate.function import is_coroutine_function


async def one(more: int = 0) -> int:
    return 1 + more


class Called:
    async def __call__(self) -> int:
        return 1


def test_functions_objects_and_partials() -> None:
    assert all(map(is_coroutine_function, (one, partial(one, 1), Called(), partial(Called()))))
    assert not any(map(is_coroutine_function, (len, lambda: one(), Called, partial(len))))


def test_the_answer_comes_back() -> None:
    assert asyncio.run(in_time(one(), None)) == asyncio.run(in_time(one(), 9)) == 1


def test_time_is_up() -> None:
    with pytest.raises(TimeIsUp):
        asyncio.run(in_time(asyncio.sleep(9), 0.01))


def test_a_task_that_is_cancelled_when_its_time_is_up_is_cancelled() -> None:
    async def stubborn() -> None:
        try:
            await asyncio.sleep(9)
        finally:
            await asyncio.sleep(0.05)

    async def both() -> None:
        task = asyncio.create_task(in_time(stubborn(), 0.01))
        await asyncio.sleep(0.03)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(both())

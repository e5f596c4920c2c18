"""The targets of `targets.py` as async functions, and others that only these can be."""

from __future__ import annotations

import asyncio
from typing import Any

from racing import Retry
from tests.evaluate import targets

Values = dict[str, Any]
SEEN: list[tuple[float, float]] = []  # alpha, and when a call began
SLEPT: list[float] = []  # alpha of calls that nobody cancelled in time


async def double(values: Values, instance: object, seed: int) -> float:
    """Twice alpha."""
    await asyncio.sleep(0)
    return targets.double(values, instance, seed)


async def ill_behaved(values: Values, instance: object, seed: int) -> Any:  # noqa: C901
    """Twice alpha, except for the values that misbehave."""
    await asyncio.sleep(0)
    match values.get("does"):
        case "sleep":
            await asyncio.sleep(20)
            SLEPT.append(float(values["alpha"]))
        case "ignore":
            while True:
                try:
                    await asyncio.sleep(0.6)
                    break
                except asyncio.CancelledError:
                    continue
        case "ignore for ever":
            while True:
                try:
                    await asyncio.sleep(1000)
                except asyncio.CancelledError:
                    continue
        case "cancel all":
            await asyncio.sleep(0.1)
            for task in asyncio.all_tasks():
                task.cancel()
            await asyncio.sleep(0)
        case "cancel the current":
            current = asyncio.current_task()
            assert current is not None
            current.cancel()
            await asyncio.sleep(0)
        case "cancel itself":
            raise asyncio.CancelledError
        case "time out by itself":
            raise TimeoutError("the server's")
        case "exit in a task":
            task = asyncio.create_task(_exit())
            await asyncio.sleep(0.05)
            del task
        case "leave a task":
            values["task"] = asyncio.create_task(asyncio.sleep(1000))
        case "busy":
            raise Retry("429 Too Many Requests", after=0.001, spent={"usd": 1})
        case "busy twice":
            values["calls"] = await _calls(float(values["alpha"]))
            if values["calls"] < 3:
                raise Retry("503", after=0.001, spent={"usd": 1})
            return {"cost": 1, "spent": {"usd": 2, "tokens": 5}}
    return targets.ill_behaved(values, instance, seed)


async def noted(values: Values, instance: object, seed: int) -> float:
    """Twice alpha; notes when it began."""
    SEEN.append((float(values["alpha"]), asyncio.get_running_loop().time()))
    return targets.double(values, instance, seed)


async def surroundings(values: Values, instance: object, seed: int) -> float:
    """How many calls there have been; waits until there are `together`, for a minute at most."""
    loop = asyncio.get_running_loop()
    SEEN.append((float(values["alpha"]), loop.time()))
    end = loop.time() + 60
    while (most := len(SEEN)) < values["together"] and loop.time() < end:
        await asyncio.sleep(0.2)
    await asyncio.sleep(1)  # until the others have seen it too
    return most


async def _calls(alpha: float) -> int:
    SEEN.append((alpha, 0.0))
    return sum(one == alpha for one, _ in SEEN)


async def _exit() -> None:
    raise SystemExit(3)

"""A race over coroutines: evaluations that wait for a server, a queue or a device.

    python -m examples.embed.asynchronous

A race does no I/O, so it needs no asynchronous version. `ask` hands out as many experiments as
there is room for, and outcomes are told in whatever order they come.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import racing
from examples.embed.holt import error
from examples.embed.random_search import sampled

Evaluate = Callable[[racing.Experiment], Awaitable[float]]


async def drive(race: racing.Race | racing.Search, evaluate: Evaluate, *, limit: int) -> None:
    """Drive a race or a search to its end, with at most `limit` evaluations at a time.

    If it is cancelled, or an evaluation raises, what was out is put back: the race can go on.
    """
    running: dict[asyncio.Future[float], racing.Experiment] = {}
    try:
        while not race.done:
            for experiment in race.ask(limit - len(running)):
                running[asyncio.ensure_future(evaluate(experiment))] = experiment
            finished, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for future in finished:
                race.tell(running.pop(future), future.result())
    finally:
        for future in running:
            future.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        race.lost(*race.pending)


async def measured(experiment: racing.Experiment) -> float:
    """The error of a candidate on an instance, after a wait as for a server."""
    await asyncio.sleep(0.001)
    return error(experiment.candidate.values, experiment.instance.problem)


def search(*, configurations: int = 30, limit: int = 8) -> racing.Race:
    """Race random configurations, several at a time."""
    race = racing.Race(sampled(configurations, seed=1), range(40), objective="mean")
    asyncio.run(drive(race, measured, limit=limit))
    return race


def main() -> None:
    """Search, and say what it came to."""
    race = search()
    print(f"best: {race.winner.values if race.winner else None}")
    print(f"{race.spent.evaluations} evaluations: {race.stopped.meaning if race.stopped else ''}")


if __name__ == "__main__":
    main()

"""Functions that wait on a network: threads beside asyncio, by the clock and by processor time.

    python -m benchmarks.network                 600 evaluations of 30 candidates, .5 s each
    python -m benchmarks.network --jobs 1000     how many wait at a time
    python -m benchmarks.network --rule auto     a race that drops candidates

A server on this machine takes .5 s for each call. The rule `none` keeps all candidates, so that
all evaluations decide, and 600 of them take 300 s / jobs at least. *in use* is the share of the
workers' time in evaluations, *CPU* the processor time of the whole process per evaluation, the
server included; *wasted* is the share of the evaluations begun that decided nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import threading
import time
import urllib.request
from typing import Any

from racing.core.budget import Budget
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function
from racing.evaluate.pool import open_pool
from racing.log import MemoryLog
from racing.log.records import Header
from racing.race import Race
from racing.runner.loop import drive

LATENCY = 0.5
REPLY = b"HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\n1"
PORT: list[int] = []


async def _hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        await reader.readuntil(b"\r\n\r\n")
        await asyncio.sleep(LATENCY)
        writer.write(REPLY)
    except asyncio.IncompleteReadError:  # the call was cancelled
        pass
    writer.close()


async def _serve() -> None:
    server = await asyncio.start_server(_hear, "127.0.0.1", 0, backlog=4000)
    PORT.append(server.sockets[0].getsockname()[1])


def blocking(values: Any, instance: Any, seed: int) -> float:
    """A call by a library that blocks."""
    with urllib.request.urlopen(f"http://127.0.0.1:{PORT[0]}/") as answer:
        return float(answer.read()) + _noisy(values, seed)


async def waiting(values: Any, instance: Any, seed: int) -> float:
    """The same call, awaited."""
    reader, writer = await asyncio.open_connection("127.0.0.1", PORT[0])
    writer.write(b"GET / HTTP/1.0\r\n\r\n")
    answer = await reader.read()
    writer.close()
    return float(answer.rpartition(b"\n")[2]) + _noisy(values, seed)


def _noisy(values: Any, seed: int) -> float:
    return float(values["x"]) / 30 + random.Random(f"{values} {seed}").gauss(0, 0.5)


def measured(function: Any, engine: str, jobs: int, instances: int, rule: str) -> str:
    """A row of the table."""
    race = Race(
        [{"x": i} for i in range(30)], list(range(instances)), rule=rule, objective="mean",
        budget=Budget(evaluations=30 * instances), first_test=1,
    )  # fmt: skip
    log = MemoryLog(Header(name="network", seed=1))
    log.add(race.candidates)
    begun, cpu = time.perf_counter(), time.process_time()
    with open_pool(Evaluator(Function(function)), jobs=jobs, engine=engine) as pool:
        drive(race, pool, log, speculate=1.0 if rule == "none" else 0.1)
    took, cpu = time.perf_counter() - begun, time.process_time() - cpu
    used = sum(one.seconds for one in log.outcomes())
    n, ended = race.outcomes, log.dropped.evaluations
    wasted = (race.wasted + ended) / (n + ended)
    return (
        f"| {engine} | {jobs} | {n} | {took:.1f} s | {n / took:.0f} | {1000 * cpu / n:.2f} ms "
        f"| {used / (took * jobs):.2f} | {100 * wasted:.0f} % |"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, nargs="+", default=[50, 200])
    parser.add_argument("--instances", type=int, default=20)
    parser.add_argument("--engines", nargs="+", default=["threading", "asyncio"])
    parser.add_argument("--rule", default="none")
    arguments = parser.parse_args()
    loop = asyncio.new_event_loop()
    loop.run_until_complete(_serve())
    threading.Thread(target=loop.run_forever, daemon=True).start()
    print("| engine | jobs | evaluations | took | a second | CPU each | in use | wasted |")
    print("|---|---|---|---|---|---|---|---|")
    for jobs in arguments.jobs:
        for engine in arguments.engines:
            function = waiting if engine == "asyncio" else blocking
            print(measured(function, engine, jobs, arguments.instances, arguments.rule), flush=True)


if __name__ == "__main__":
    main()

"""A disturbed run beside an undisturbed one."""

from __future__ import annotations

import random
from contextlib import nullcontext
from pathlib import Path

from racing.log import SQLiteLog, replay
from tests.chaos.processes import named
from tests.chaos.run import Chaos, Tally
from tests.chaos.world import write
from tests.evaluate.dask_kit import Dask


def check(
    folder: Path, *, search: bool, faults: int, evaluations: int, seed: int, engine: str
) -> Tally:
    """Disturb a run, and compare it with an undisturbed one.

    Raises
    ------
    AssertionError
        If it came to something else, evaluated something twice, or left a process behind.
    """
    what = {"search": search, "evaluations": evaluations}
    whole = Chaos(
        write(folder / "whole", engine="loky", **what), faults=0, every=1, rng=random.Random(seed)
    )
    whole.run()
    with Dask(folder) if engine == "dask" else nullcontext() as cluster:
        if cluster is not None:
            cluster.join("--no-nanny")
        address = None if cluster is None else cluster.address
        disturbed = Chaos(
            write(folder / "disturbed", engine=engine, address=address, **what),
            faults=faults, every=max(evaluations // (faults + 1) // 3, 1),
            rng=random.Random(seed), cluster=cluster,
        )  # fmt: skip
        disturbed.run()
    assert result(disturbed.log) == result(whole.log)
    assert not disturbed.repeated, f"evaluated again: {disturbed.repeated[:5]}"
    assert not (left := disturbed.strays()), f"processes that were left: {named(left)}"
    return disturbed.tally


def result(log: Path) -> tuple[object, ...]:
    """What a run came to: its end, its decisions, and the costs that they stand on."""
    with SQLiteLog.open(log, write=False) as book:
        race = replay(book)
        winner = None if race.winner is None else dict(race.winner.values)
        costs = race.results.costs if book.header.scenario.get("search") is None else race.ranking()
        evaluations = race.spent.evaluations
        return book.finished, book.verdicts(), winner, evaluations, repr(costs)

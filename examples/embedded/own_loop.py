"""A race inside a program that has an executor and a log of its own.

    python -m examples.embedded.own_loop history.jsonl [--workers 3]

The program sends experiments to its own threads. Some are lost, as if the machine that ran them had
been taken away, and the race hands them out again. Now and then a new candidate near the winner
joins. Who joined and what came back is written as JSON lines, each before the race hears of it. So
the program may be killed at any moment: the same command resumes where it stopped, and repeats only
what had no line yet.
"""

from __future__ import annotations

import argparse
import json
import os
import random
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict
from pathlib import Path
from typing import Any

import racing

GIVEN = [{"x": x / 10} for x in range(11)]
JOINS_EVERY = 4  # instances
JOINS = 3


def cost(experiment: racing.Experiment) -> float:
    """The squared distance of x from 0.34, with noise that depends on the instance's seed."""
    x = float(experiment.candidate.values["x"])
    noise = random.Random(f"{experiment.instance.seed} {x}").gauss(0, 0.02)
    return float((x - 0.34) ** 2 + noise)


class Machines:
    """Evaluate experiments; some of them fail to come back the first time."""

    def __init__(self) -> None:
        self.taken_away: set[tuple[int, int]] = set()

    def run(self, experiment: racing.Experiment) -> float:
        """The cost, or a `ConnectionError` if the machine is gone."""
        candidate, step = experiment.key
        if (7 * candidate + step) % 11 == 0 and experiment.key not in self.taken_away:
            self.taken_away.add(experiment.key)
            raise ConnectionError("the machine was taken away")
        return cost(experiment)


class History:
    """What happened, one JSON line each; a line that a kill has cut short is cut off."""

    def __init__(self, path: Path) -> None:
        path.touch()
        text = path.read_bytes()
        whole = text.rfind(b"\n") + 1
        os.truncate(path, whole)
        self.path = path
        self.lines: list[dict[str, Any]] = [json.loads(line) for line in text[:whole].splitlines()]

    def write(self, kind: str, what: racing.Entrant | racing.Outcome) -> None:
        """Add a line; closing the file passes it to the operating system."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({kind: asdict(what)}) + "\n")

    def tell(self, race: racing.Race) -> None:
        """Bring a new race to where the last session was: first who joined, then what came back."""
        race.restore([entrant(line["joined"]) for line in self.lines if "joined" in line])
        for line in self.lines:
            if "outcome" in line:
                race.tell(racing.Outcome(**line["outcome"]))


def entrant(written: dict[str, Any]) -> racing.Entrant:
    """An entrant from its line."""
    return racing.Entrant(**written | {"candidate": racing.Candidate(**written["candidate"])})


def invite(race: racing.Race, history: History) -> None:
    """Let a candidate near the winner join after every few instances."""
    joined = len(race.candidates) - len(GIVEN)
    if joined < JOINS and race.winner and race.instances_seen >= JOINS_EVERY * (joined + 1):
        near = float(race.winner.values["x"]) + 0.05 / (joined + 1)
        race.join({"x": round(near, 4)})
        history.write("joined", race.entrants[-1])


def drive(race: racing.Race, history: History, workers: int) -> None:
    """The loop: ask, submit, wait; write, tell."""
    machines, running = Machines(), dict[Future[float], racing.Experiment]()
    with ThreadPoolExecutor(workers) as executor:
        while not race.done:
            invite(race, history)
            for experiment in race.ask(workers - len(running)):
                running[executor.submit(machines.run, experiment)] = experiment
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                experiment = running.pop(future)
                if future.exception() is not None:
                    race.lost(experiment)
                    continue
                outcome = experiment.outcome(future.result())
                history.write("outcome", outcome)
                race.tell(outcome)


def a_race() -> racing.Race:
    """The race before anything has happened."""
    return racing.Race(GIVEN, range(40), rule="sign", budget=250, seed=3)


def main(arguments: list[str] | None = None) -> None:
    """Begin or go on, and print the end."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("history", type=Path)
    parser.add_argument("--workers", type=int, default=3)
    given = parser.parse_args(arguments)
    race, history = a_race(), History(given.history)
    history.tell(race)
    drive(race, history, given.workers)
    print(f"{race.stopped}: {race.winner} after {race.spent.evaluations} evaluations")


if __name__ == "__main__":
    main()

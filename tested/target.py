"""A small target to start from: simulated annealing for a scheduling problem.

Jobs are done one after the other on one machine. Each has a length, a due date and a weight, and
costs its weight for every hour that it is late. In which order should they be done?
"""

import math
import random

JOBS = 30
MOVES = 1500


def solve(values, instance, seed):
    """The cost of the best order found; lower is better.

    values     the parameters of one candidate: {"start": …, "end": …, "move": …}
    instance   which problem: here a name from race.yaml, often the path of a file
    seed       for the target's own randomness; every candidate gets the same on an instance
    """
    jobs = problem(instance)
    rng = random.Random(seed)
    cost = best = lateness(jobs)
    for step in range(MOVES):
        temperature = values["start"] * (values["end"] / values["start"]) ** (step / MOVES)
        neighbour = changed(jobs, values["move"], rng)
        change = lateness(neighbour) - cost
        if change <= 0 or rng.random() < math.exp(-change / temperature):
            jobs, cost = neighbour, cost + change
            best = min(best, cost)
    return best


def problem(name):
    """The jobs of an instance: (length, due date, weight) of each."""
    rng = random.Random(name)
    lengths = [rng.randint(1, 20) for _ in range(JOBS)]
    return [(length, rng.randint(1, sum(lengths)), rng.randint(1, 10)) for length in lengths]


def lateness(jobs):
    """What it costs to do the jobs in this order."""
    now = cost = 0
    for length, due, weight in jobs:
        now += length
        if now > due:
            cost += weight * (now - due)
    return cost


def changed(jobs, move, rng):
    """The jobs in a slightly different order."""
    i, j = rng.sample(range(len(jobs)), 2)
    jobs = jobs[:]
    if move == "swap":
        jobs[i], jobs[j] = jobs[j], jobs[i]
    elif move == "insert":
        jobs.insert(j, jobs.pop(i))
    else:
        i, j = min(i, j), max(i, j)
        jobs[i : j + 1] = jobs[i : j + 1][::-1]
    return jobs

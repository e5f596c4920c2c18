"""Tours to start from."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np

from .instances import SIDE, Problem


def nearest(problem: Problem, rng: Random) -> list[int]:
    """Always go on to the nearest city not yet visited, from a random one."""
    city = rng.randrange(problem.n)
    order, visited = [city], {city}
    while len(order) < problem.n:
        city = next(other for other in problem.by_nearness[city] if other not in visited)
        order.append(city)
        visited.add(city)
    return order


def greedy(problem: Problem, rng: Random) -> list[int]:
    """Take the shortest edge that closes no cycle and branches nowhere, again and again."""
    rows, columns = np.triu_indices(problem.n, k=1)
    lengths = np.asarray(problem.distance)[rows, columns]
    links: list[list[int]] = [[] for _ in range(problem.n)]
    other_end = list(range(problem.n))  # of the path that a city is an end of
    for edge in np.argsort(lengths, kind="stable").tolist():
        a, b = int(rows[edge]), int(columns[edge])
        if len(links[a]) < 2 and len(links[b]) < 2 and other_end[a] != b:
            links[a].append(b)
            links[b].append(a)
            end, far_end = other_end[a], other_end[b]
            other_end[end], other_end[far_end] = far_end, end
    return _walk(links)


def _walk(links: list[list[int]]) -> list[int]:
    city = next(city for city, linked in enumerate(links) if len(linked) < 2)
    order, previous = [city], -1
    while onward := [other for other in links[city] if other != previous]:
        previous, city = city, onward[0]
        order.append(city)
    return order


def curve(problem: Problem, rng: Random) -> list[int]:
    """In the order of a Hilbert curve (Bartholdi & Platzman 1982 take Sierpinski's)."""
    cell = (problem.points * (2**16 - 1) / max(SIDE, problem.points.max())).astype(int)
    return sorted(range(problem.n), key=lambda city: _along_hilbert(*cell[city].tolist()))


def _along_hilbert(x: int, y: int, bits: int = 16) -> int:
    place, side = 0, 1 << (bits - 1)
    while side:
        right, up = x & side > 0, y & side > 0
        place += side * side * ((3 * right) ^ up)
        if not up:
            if right:
                x, y = ~x, ~y
            x, y = y, x
        side >>= 1
    return place


def shuffled(problem: Problem, rng: Random) -> list[int]:
    """Any order."""
    order = list(range(problem.n))
    rng.shuffle(order)
    return order


STARTS: dict[str, Callable[[Problem, Random], list[int]]] = {
    "nearest": nearest,
    "greedy": greedy,
    "curve": curve,
    "random": shuffled,
}

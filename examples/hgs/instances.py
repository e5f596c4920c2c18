"""CVRP instances: read, write, and make them again from their seeds.

    python -m examples.hgs.instances            # write train/ and test/ again, byte for byte
    python -m examples.hgs.instances --check    # only compare with what is there

The generator follows the choices of Uchoa et al. (2017): the depot in the centre, in a corner or
anywhere; customers uniform or in clusters; several kinds of demand; routes of 4 to 16 customers. A
file has the format of CVRPLIB; its comment holds the cost of the best solution known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from examples.seeded import write_or_check

HERE = Path(__file__).parent
SIDE = 1000
CUSTOMERS = (100, 150)
SETS = {"train": (30, 1), "test": (30, 2)}
DEMANDS = ((1, 1), (1, 10), (5, 10), (1, 100), (50, 100))
REFERENCE = re.compile(r"^COMMENT\s*:.*\bbest known (\d+)", re.MULTILINE)


@dataclass(frozen=True)
class Problem:
    """A depot and its customers.

    Attributes
    ----------
    points, demands
        Coordinates, shape (n + 1, 2), and demands, shape (n + 1,); the depot is the first.
    capacity
        What a vehicle can carry.
    best_known
        Cost of the best solution known; None: unknown.
    """

    name: str
    points: np.ndarray
    demands: np.ndarray
    capacity: int
    best_known: int | None = None


def generate(index: int, stream: int) -> Problem:
    """The instance with the seed (`stream`, `index`)."""
    rng = np.random.default_rng([stream, index])
    n = int(rng.integers(*CUSTOMERS, endpoint=True))
    kind = ("uniform", "clustered")[index % 2]
    customers = _uniform(n, rng) if kind == "uniform" else _clustered(n, rng)
    corner, centre, anywhere = np.zeros(2, int), np.full(2, SIDE // 2), _uniform(1, rng)[0]
    depot = (corner, centre, anywhere)[int(rng.integers(3))]
    low, high = DEMANDS[int(rng.integers(len(DEMANDS)))]
    demands = np.concatenate([[0], rng.integers(low, high, size=n, endpoint=True)])
    capacity = max(int(np.ceil(rng.uniform(4, 16) * demands.sum() / n)), int(demands.max()))
    return Problem(f"{kind}-{index:02}", np.vstack([depot, customers]), demands, capacity)


def _uniform(n: int, rng: np.random.Generator) -> np.ndarray:
    return rng.integers(0, SIDE, size=(n, 2), endpoint=True)


def _clustered(n: int, rng: np.random.Generator) -> np.ndarray:
    """Customers around 3 to 8 seeds, at distances that fall off exponentially."""
    seeds = rng.uniform(0, SIDE, size=(int(rng.integers(3, 8, endpoint=True)), 2))
    angle, distance = rng.uniform(0, 2 * np.pi, n), rng.exponential(SIDE / 15, n)
    offset = distance[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    points = seeds[rng.integers(0, len(seeds), size=n)] + offset
    return np.clip(np.rint(points), 0, SIDE).astype(int)


def generate_set(name: str) -> list[Problem]:
    """The instances of a set, `train` or `test`, without their best known costs."""
    count, stream = SETS[name]
    return [generate(index, stream) for index in range(count)]


def text(problem: Problem) -> str:
    """The instance as a CVRPLIB file."""
    nodes = range(1, len(problem.points) + 1)
    points = [f"{i} {x} {y}" for i, (x, y) in zip(nodes, problem.points.tolist(), strict=True)]
    demands = [f"{i} {d}" for i, d in zip(nodes, problem.demands.tolist(), strict=True)]
    head = (
        f"NAME : {problem.name}\nCOMMENT : best known {problem.best_known}\nTYPE : CVRP\n"
        f"DIMENSION : {len(problem.points)}\nEDGE_WEIGHT_TYPE : EUC_2D\n"
        f"CAPACITY : {problem.capacity}"
    )
    tail = ["DEPOT_SECTION", "1", "-1", "EOF"]
    sections = [head, "NODE_COORD_SECTION", *points, "DEMAND_SECTION", *demands, *tail]
    return "\n".join(sections) + "\n"


@lru_cache(maxsize=256)
def read(path: str | Path) -> Problem:
    """Read a CVRPLIB file with EUC_2D distances whose depot is node 1.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it is not such a file.
    """
    path = Path(path)
    head, coordinates, rest = path.read_text(encoding="utf-8").partition("NODE_COORD_SECTION")
    body, demands, tail = rest.partition("DEMAND_SECTION")
    capacity = re.search(r"^CAPACITY\s*:\s*(\d+)\s*$", head, re.MULTILINE)
    if not (coordinates and demands and capacity and "EUC_2D" in head):
        raise ValueError(f"{path} is not a CVRPLIB file with EUC_2D distances and a capacity")
    try:
        points = np.array([[int(x), int(y)] for _, x, y in map(str.split, _lines(body))])
        loads = np.array(
            [int(load) for _, load in map(str.split, _lines(tail.partition("DEPOT_SECTION")[0]))]
        )
    except ValueError as error:
        raise ValueError(f"{path} has a node that cannot be read: {error}") from error
    if len(points) != len(loads) or len(points) < 3:
        raise ValueError(f"{path} has {len(points)} nodes and {len(loads)} demands")
    found = REFERENCE.search(head)
    return Problem(path.stem, points, loads, int(capacity[1]), int(found[1]) if found else None)


def _lines(section: str) -> list[str]:
    return [line for line in section.splitlines() if line.strip()]


def with_known_cost(problem: Problem, path: Path) -> Problem:
    """The problem with the best known cost that the file at `path` holds, if there is one."""
    known = read(path).best_known if path.exists() else None
    return Problem(problem.name, problem.points, problem.demands, problem.capacity, known)


def files() -> Iterator[tuple[Path, str]]:
    """Where each instance belongs, and its text."""
    for name in SETS:
        for problem in generate_set(name):
            path = HERE / name / f"{problem.name}.vrp"
            yield path, text(with_known_cost(problem, path))


if __name__ == "__main__":
    write_or_check("CVRP instances", files())

"""Euclidean TSP instances: read, write, and make them again from their seeds.

    python -m examples.tsp.instances            # write train/ and test/ again, byte for byte
    python -m examples.tsp.instances --check    # only compare with what is there

A third of the instances have their cities spread uniformly, the others in clusters, after the
generators of the DIMACS TSP challenge (Johnson & McGeoch 2002). A file is a TSPLIB file; its
comment holds the length of the best tour known, from which the target counts the excess.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from examples.seeded import write_or_check

HERE = Path(__file__).parent
SIDE = 10_000
CITIES = (150, 300)
SETS = {"train": (30, 1), "test": (30, 2)}
REFERENCE = re.compile(r"^COMMENT\s*:.*\bbest known (\d+)", re.MULTILINE)


@dataclass(frozen=True)
class Problem:
    """Cities in the plane, shape (n, 2), and the length of the best tour known (None: unknown)."""

    name: str
    points: np.ndarray
    best_known: int | None = None

    @property
    def n(self) -> int:
        """How many cities."""
        return len(self.points)

    @cached_property
    def distance(self) -> list[list[int]]:
        """Whole-number distances, TSPLIB's EUC_2D; lists, since Python reads them faster."""
        rows: list[list[int]] = self._matrix.tolist()
        return rows

    @cached_property
    def by_nearness(self) -> list[list[int]]:
        """For each city all others, the nearest first."""
        order = np.argsort(self._matrix + np.diag([-1] * self.n), axis=1, kind="stable")
        others: list[list[int]] = order[:, 1:].tolist()
        return others

    @cached_property
    def _matrix(self) -> np.ndarray:
        difference = self.points[:, None, :] - self.points[None, :, :]
        lengths: np.ndarray = np.floor(np.sqrt((difference**2).sum(axis=2)) + 0.5).astype(int)
        return lengths


def generate(kind: str, index: int, stream: int) -> np.ndarray:
    """Cities of one instance: `kind` is uniform or clustered, (`stream`, `index`) its seed."""
    rng = np.random.default_rng([stream, index])
    n = int(rng.integers(*CITIES, endpoint=True))
    if kind == "uniform":
        return rng.integers(0, SIDE, size=(n, 2), endpoint=True)
    centres = rng.uniform(0, SIDE, size=(int(rng.integers(4, 12, endpoint=True)), 2))
    spread = rng.normal(0, SIDE / 25, size=(n, 2))
    points = centres[rng.integers(0, len(centres), size=n)] + spread
    return np.clip(np.rint(points), 0, SIDE).astype(int)


def generate_set(name: str) -> list[Problem]:
    """The instances of a set, `train` or `test`, without their best known lengths."""
    count, stream = SETS[name]
    kinds = ["uniform" if index % 3 == 0 else "clustered" for index in range(count)]
    return [
        Problem(f"{kind}-{index:02}", generate(kind, index, stream))
        for index, kind in enumerate(kinds)
    ]


def text(problem: Problem) -> str:
    """The instance as a TSPLIB file."""
    cities = "\n".join(f"{i} {x} {y}" for i, (x, y) in enumerate(problem.points.tolist(), start=1))
    return (
        f"NAME: {problem.name}\nTYPE: TSP\nCOMMENT: best known {problem.best_known}\n"
        f"DIMENSION: {problem.n}\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n{cities}\nEOF\n"
    )


@lru_cache(maxsize=256)
def read(path: str | Path) -> Problem:
    """Read a TSPLIB file whose distances are EUC_2D.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it is not such a file.
    """
    path = Path(path)
    head, section, body = path.read_text(encoding="utf-8").partition("NODE_COORD_SECTION")
    if not section or "EUC_2D" not in head:
        raise ValueError(f"{path} is not a TSPLIB file of cities with EUC_2D distances")
    rows = [line.split() for line in body.splitlines() if line.strip() and line.strip() != "EOF"]
    try:
        points = np.array([[float(x), float(y)] for _, x, y in rows])
    except ValueError as error:
        raise ValueError(f"{path} has a city that is not `number x y`: {error}") from error
    if len(points) < 8:
        raise ValueError(f"{path} has {len(points)} cities; the search needs 8 or more")
    found = REFERENCE.search(head)
    return Problem(path.stem, points, int(found[1]) if found else None)


def with_known_length(problem: Problem, path: Path) -> Problem:
    """The problem with the best known length that the file at `path` holds, if there is one."""
    known = read(path).best_known if path.exists() else None
    return Problem(problem.name, problem.points, known)


def files() -> Iterator[tuple[Path, str]]:
    """Where each instance belongs, and its text."""
    for name in SETS:
        for problem in generate_set(name):
            path = HERE / name / f"{problem.name}.tsp"
            yield path, text(with_known_length(problem, path))


if __name__ == "__main__":
    write_or_check("TSP instances", files())

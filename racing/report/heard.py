"""Outcomes as columns: what pictures need of each, without holding its text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.experiment import Outcome

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, kw_only=True, eq=False)
class Outcomes:
    """The outcomes of a run in the order of their commits; all arrays have shape (n,).

    Attributes
    ----------
    candidate, step
        Which experiment.
    cost, seconds, elapsed, started
        As in `racing.experiment.Outcome`.
    failed, censored
        Whether it failed; whether it was stopped at its bound.
    worker
        The place of its worker in `workers`.
    workers
        Names, in the order in which they appeared; an empty name where it is not known.
    """

    candidate: Ints
    step: Ints
    cost: Floats
    seconds: Floats
    elapsed: Floats
    started: Floats
    failed: NDArray[np.bool_]
    censored: NDArray[np.bool_]
    worker: Ints
    workers: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.candidate)


class Columns:
    """Collects outcomes as they pass by."""

    def __init__(self) -> None:
        self._rows: list[tuple[int, int, float, float, float, float, bool, bool, int]] = []
        self._workers: dict[str, int] = {}

    def add(self, outcome: Outcome) -> None:
        """Note one outcome."""
        workers = self._workers
        self._rows.append(
            (
                outcome.candidate,
                outcome.step,
                outcome.cost,
                outcome.seconds,
                outcome.elapsed,
                outcome.started,
                outcome.failed,
                outcome.censored,
                workers.setdefault(outcome.worker, len(workers)),
            )
        )

    def all(self) -> Outcomes:
        """All of them as arrays."""
        table = np.array(self._rows, dtype=np.float64).reshape(-1, 9)
        return Outcomes(
            candidate=table[:, 0].astype(np.intp),
            step=table[:, 1].astype(np.intp),
            cost=table[:, 2],
            seconds=table[:, 3],
            elapsed=table[:, 4],
            started=table[:, 5],
            failed=table[:, 6].astype(np.bool_),
            censored=table[:, 7].astype(bool),
            worker=table[:, 8].astype(np.intp),
            workers=tuple(self._workers),
        )

"""Outcomes as columns for pictures, without their text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.core.experiment import Outcome

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, kw_only=True, eq=False)
class OutcomeColumns:
    """The outcomes of a run in the order of their commits; all arrays have shape (n,).

    Attributes
    ----------
    candidate, step
        Which experiment.
    cost, seconds, elapsed, started
        As in `racing.core.experiment.Outcome`.
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


_KINDS = (np.intp, np.intp, *[np.float64] * 4, np.bool_, np.bool_, np.intp)
_NAMES = tuple(OutcomeColumns.__annotations__)[: len(_KINDS)]


class ColumnCollector:
    """Collects outcomes, one by one."""

    def __init__(self) -> None:
        self._rows: list[tuple[float, ...]] = []
        self._workers: dict[str, int] = {}

    def add(self, o: Outcome) -> None:
        """Note one outcome."""
        worker = self._workers.setdefault(o.worker, len(self._workers))
        self._rows.append(
            (o.candidate, o.step, o.cost, o.seconds, o.elapsed, o.started, o.failed, o.censored,
             worker)
        )  # fmt: skip

    def all(self) -> OutcomeColumns:
        """All of them as arrays."""
        table = np.array(self._rows, dtype=np.float64).reshape(-1, len(_KINDS))
        pairs = zip(_NAMES, table.T, _KINDS, strict=True)
        named: dict[str, Any] = {name: column.astype(kind) for name, column, kind in pairs}
        return OutcomeColumns(**named, workers=tuple(self._workers))

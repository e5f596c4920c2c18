"""Runs with a time or an effort each; some were stopped before they were done (censored)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from racing.base.errors import InputError
from racing.stats._checks import Bools, Floats, as_vector


@dataclass(frozen=True, eq=False)
class Runs:
    """n runs: `effort` until each ended or was stopped, and whether it was `solved`."""

    effort: Floats
    solved: Bools

    @classmethod
    def of(cls, times: ArrayLike, *, cutoff: ArrayLike | None, solved: ArrayLike | None) -> Runs:
        """Checked runs.

        Parameters
        ----------
        times
            Shape (n,), from 0; +inf is a run that was stopped.
        cutoff
            At which effort runs are stopped: one number, or one for each run.
        solved
            Shape (n,), which runs are done. By default those with a time below the cutoff; all
            that have a finite time, if there is none.

        Raises
        ------
        InputError
            If a time is negative, a run was stopped at an unknown time, or the two disagree.
        """
        took = as_vector(times, name="times")
        if took.min() < 0:
            raise InputError(f"times: expected numbers from 0, got {took.min():g}")
        limit = _as_cutoff(cutoff, took.size)
        done = took < limit if solved is None else _as_flags(solved, took.size)
        effort = np.minimum(took, limit)
        if np.isinf(effort).any():
            raise InputError(
                f"times: position {int(np.argmax(np.isinf(effort)))} is infinite; "
                "give the cutoff at which the run was stopped"
            )
        if (done & (took > limit)).any():
            at = int(np.argmax(done & (took > limit)))
            raise InputError(
                f"times: position {at} is solved after its cutoff: {took[at]:g} > {limit[at]:g}"
            )
        return cls(effort, done)

    @property
    def n(self) -> int:
        return int(self.effort.size)


def _as_cutoff(cutoff: ArrayLike | None, n: int) -> Floats:
    if cutoff is None:
        return np.full(n, np.inf)
    limit = np.asarray(cutoff)
    if limit.dtype.kind not in "iuf" or limit.shape not in ((), (n,)) or not (limit > 0).all():
        raise InputError(
            f"cutoff: expected a positive number, or one for each of {n} runs, got {cutoff!r}"
        )
    return np.broadcast_to(limit.astype(np.float64), (n,))


def _as_flags(solved: ArrayLike, n: int) -> Bools:
    flags = np.asarray(solved)
    if flags.dtype != np.bool_ or flags.shape != (n,):
        raise InputError(f"solved: expected true or false for each of {n} runs, got {solved!r}")
    return flags

"""A pool that answers known experiments at once, and passes the others to another pool."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from racing.core.experiment import Experiment, Outcome
from racing.evaluate.work import Pool
from racing.runner.reuse import Earlier


def reusing(pool: Pool, earlier: Earlier) -> Pool:
    """A `ReusingPool` in front of this pool; the pool itself if no outcome is known."""
    return ReusingPool(pool, earlier) if earlier else pool


class ReusingPool:
    """A `Pool` that evaluates only experiments without an outcome in earlier logs.

    The race hears of an outcome that was taken as it would of one that was evaluated, so verdicts
    and winner are the same; the log says where it is from.

    Parameters
    ----------
    pool
        What evaluates; it is closed with this one.
    earlier
        What is known.
    """

    def __init__(self, pool: Pool, earlier: Earlier) -> None:
        self._pool, self._earlier = pool, earlier
        self._found: dict[tuple[int, int], Outcome] = {}

    @property
    def size(self) -> int:
        """The number of experiments that the pool behind it can run at a time."""
        return self._pool.size

    @property
    def running(self) -> int:
        """The number of experiments not returned yet, including known ones."""
        return self._pool.running + len(self._found)

    def submit(self, experiment: Experiment) -> None:
        """Answer an experiment if its outcome is known, else submit it to the pool behind."""
        if (found := self._earlier.find(experiment)) is not None:
            self._found[experiment.key] = found
        else:
            self._pool.submit(experiment)

    def copy(self, experiment: Experiment) -> None:
        """Start a second attempt in the pool behind, if it can."""
        if (copy := getattr(self._pool, "copy", None)) is not None:
            copy(experiment)

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        """All known outcomes at once; if there are none, wait for the pool behind."""
        if not self._found:
            return self._pool.wait(timeout)
        found = list(self._found.values())
        self._found.clear()
        return found

    def drop(self, experiments: Iterable[Experiment] | None = None) -> None:
        """End these experiments, by default all."""
        given = None if experiments is None else list(experiments)
        for key in list(self._found) if given is None else [one.key for one in given]:
            self._found.pop(key, None)
        self._pool.drop(given)

    def close(self) -> None:
        """Close the pool behind it."""
        self._found.clear()
        self._pool.close()

    def __enter__(self) -> Self:
        self._pool.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._found.clear()
        self._pool.__exit__(*error)

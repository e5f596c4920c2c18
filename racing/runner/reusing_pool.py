"""A pool before another one: what earlier runs know is answered at once, the rest is evaluated."""

from __future__ import annotations

from collections.abc import Iterable
from types import TracebackType
from typing import Self

from racing.core.experiment import Experiment, Outcome
from racing.evaluate.protocol import Pool
from racing.runner.reuse import Earlier


def reusing(pool: Pool, earlier: Earlier) -> Pool:
    """A pool before this one that answers what is known; the pool itself if nothing is."""
    return ReusingPool(pool, earlier) if earlier else pool


class ReusingPool:
    """A `Pool` that evaluates what no earlier log knows.

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
        """As many as the pool behind it can run at a time."""
        return self._pool.size

    @property
    def running(self) -> int:
        """What is known and was not returned yet counts too."""
        return self._pool.running + len(self._found)

    def submit(self, experiment: Experiment) -> None:
        """Answer it, or put it in line."""
        if (found := self._earlier.find(experiment)) is not None:
            self._found[experiment.key] = found
        else:
            self._pool.submit(experiment)

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        """All that is known, at once; and what the pool behind it has by then."""
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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._found.clear()
        self._pool.__exit__(kind, error, trace)

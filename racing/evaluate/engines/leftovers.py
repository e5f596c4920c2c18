"""What evaluations leave running in their processes, and whether a process is then replaced."""

from __future__ import annotations

import threading
from collections.abc import Collection

from racing.evaluate.surroundings import AT_WORK

HABIT = 3  # processes in a row whose first evaluation left the same behind


class Leftovers:
    """Threads and children that evaluations in the worker processes of one pool leave running.

    They may change what the next evaluation finds, so its process is replaced. What every first
    evaluation leaves, such as the monitor of a progress bar or the processes of a nested pool,
    belongs to the target: to replace each process for it would be in vain. A process then stays
    until it has more of them than after its first evaluation.
    """

    def __init__(self) -> None:
        self._last: frozenset[str] = frozenset()
        self._times = 0
        self._lock = threading.Lock()

    def spoil(self, left: Collection[str], *, first: bool) -> bool:
        """Whether a process must be replaced because of what an evaluation has left in it.

        Parameters
        ----------
        left
            What is new in it, in words.
        first
            Whether the evaluation was the first one in it.
        """
        found = frozenset(left)
        if not first:
            return bool(found)
        with self._lock:
            self._times = self._times + 1 if found == self._last else 1
            self._last = found
            return bool(found) and not (found <= AT_WORK and self._times > HABIT)

"""What racing lacks to start an evaluation: files, processes, memory, or the program itself.

It is no outcome of the evaluation, which waits. Where resources are short, fewer evaluations run at
a time; if none can be started for a while, the run ends.
"""

from __future__ import annotations

import errno
import os
import time

from racing.base.errors import TargetError
from racing.base.logs import logger

_LOGGER = logger("racing.evaluate.engines")  # whose warnings are printed

PATIENCE = 30.0  # seconds without any start after which a run ends
FIRST, LONGEST = 0.05, 2.0  # seconds between two tries
RESERVE = 16  # files that can be opened before a worker starts; one of loky takes 9 to 13
CALM = 10.0  # seconds without a shortage after which one more evaluation may run
_THREADS = "can't start new thread"

_CROWDED = {
    errno.EMFILE: "too many open files in this process: raise `ulimit -n`, or use fewer jobs",
    errno.ENFILE: "too many open files in the system: close some, or use fewer jobs",
    errno.EAGAIN: "the system starts no more processes or threads: raise `ulimit -u` (in a "
    "container, its limit of processes), or use fewer jobs",
    errno.ENOMEM: "the system has no memory for another process: free some, or use fewer jobs",
}


class Shortage(TargetError):
    """An evaluation could not be started, and its candidate is not the cause.

    Parameters
    ----------
    why
        What is missing, and how to fix it.
    crowded
        Whether fewer evaluations at a time need less of it.
    failure
        How an evaluation that had begun failed by it: its own failure, unless others ran in the
        same process.
    """

    def __init__(self, why: str, *, crowded: bool = False, failure: str = "") -> None:
        super().__init__(why)
        self.crowded, self.failure = crowded, failure


def shortage(error: BaseException | None, *, inside: bool = False) -> Shortage | None:
    """The shortage that an error, or one that led to it, tells of.

    Parameters
    ----------
    inside
        Whether the target raised it, not racing: there EAGAIN may be a socket that has no data.
    """
    while error is not None:
        if isinstance(error, Shortage):
            return error
        socket = inside and isinstance(error, BlockingIOError)
        number = error.errno if isinstance(error, OSError) and not socket else None
        if isinstance(error, RuntimeError) and str(error) == _THREADS:
            number = errno.EAGAIN
        if number in _CROWDED:
            return Shortage(_CROWDED[number], crowded=True)
        error = error.__cause__ or error.__context__
    return None


def spare() -> None:
    """Check that this process may open some more files, as it must for a worker and for its log.

    Raises
    ------
    OSError
        If it may not.
    """
    opened: list[int] = []
    try:
        for _ in range(RESERVE // 2):
            opened += os.pipe()
    finally:
        for file in opened:
            os.close(file)


class Supply:
    """What the system has allowed so far: how many evaluations run at a time, and from when on."""

    def __init__(self) -> None:
        self._most: int | None = None
        self._since: float | None = None
        self._wait, self._at, self._changed = FIRST, 0.0, 0.0
        self._said: set[str] = set()

    def room(self, size: int) -> int:
        """How many evaluations may run at a time in a pool of this size."""
        return size if self._most is None else min(size, self._most)

    @property
    def pause(self) -> float:
        """Seconds until the next try."""
        return max(self._at - time.monotonic(), 0.0)

    def lacks(self, short: Shortage, others: int) -> None:
        """Note a shortage while others run.

        Raises
        ------
        TargetError
            If nothing runs, and nothing could be started for too long.
        """
        now = time.monotonic()
        if short.crowded:
            self._most, self._changed = max(others, 1), now
        if self._since is None:
            self._since, self._wait = now, FIRST
        if not others and now - self._since >= PATIENCE:
            raise TargetError(
                f"no evaluation could be started for {PATIENCE:g} s: {short}; what is done is "
                "kept, and `racing resume` continues"
            ) from short
        if now >= self._at:
            self._at, self._wait = now + self._wait, min(2 * self._wait, LONGEST)
        if str(short) not in self._said:
            self._said.add(str(short))
            fewer = short.crowded and others
            then = f"only {others} run at a time" if fewer else f"it waits, {PATIENCE:g} s at most"
            _LOGGER.warning("an evaluation cannot be started, so %s: %s", then, short)

    def serves(self) -> None:
        """Note that an evaluation was started, and has ended."""
        self._since, self._at = None, 0.0
        now = time.monotonic()
        if self._most is not None and now - self._changed >= CALM:
            self._most, self._changed = self._most + 1, now

"""The live process groups, which can be ended together."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import sys
import threading
import time

from racing.evaluate import family
from racing.evaluate.watchdog import Watchdog

GRACE = 1.0  # seconds between SIGTERM and SIGKILL
SWEEP_EVERY = 1.0  # least seconds between searches for daemons of commands that ended by themselves
SWEEP_SHARE = 0.02  # the largest share of time for these searches


class Cancelled(Exception):
    """The evaluation was stopped from outside, without an outcome."""


class Groups:
    """The live process groups; safe in any thread and in signal handlers.

    Parameters
    ----------
    guarded
        Whether a watchdog kills them if this process dies. It ends at `close`.
    """

    def __init__(self, *, guarded: bool = False, guard: _Guard | None = None) -> None:
        self._guard = guard or _Guard(wanted=guarded and bool(sys.executable))
        self._lock = threading.RLock()
        self._groups: set[int] = set()
        self._families: dict[int, dict[int, str]] = {}
        self._marks: dict[int, str] = {}
        self._stopped = False

    def __reduce__(self) -> tuple[type[Groups], tuple[()]]:
        return Groups, ()  # another process has groups of its own

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called: no group may start."""
        return self._stopped

    def __len__(self) -> int:
        return len(self._groups)

    def prepare(self) -> None:
        """Call this before a group starts, so that the watchdog starts before it."""
        self._guard.prepare()

    def branch(self) -> Groups:
        """Another set of groups, stopped separately, with the same watchdog."""
        return Groups(guard=self._guard)

    def mark(self) -> str:
        """The environment variable of the next group, as `NAME=value`."""
        return self._guard.mark()

    def enter(self, group: int, mark: str = "") -> None:
        """Add a group that was started with this mark; after `stop` it is killed at once."""
        with self._lock:
            self._groups.add(group)
            self._marks[group] = mark
            if self._guard.watchdog is not None:
                self._guard.watchdog.enter(group)
            if self._stopped:
                self.note_family(group)
                send(group, signal.SIGKILL)

    def leave(self, group: int) -> None:
        """Kill the rest of a group, and of its family if that was noted.

        Call this before its leader is reaped: until then, the system does not reuse its number.
        Processes that left the family of a leader that ended by itself are killed soon afterwards.
        """
        with self._lock:
            by_force = group in self._families
            send(group, signal.SIGKILL)
            family.kill(self._families.pop(group, {}))
            self._groups.discard(group)
            if self._guard.watchdog is not None:
                self._guard.watchdog.leave(group)
            mark = self._marks.pop(group, "")
        self._guard.left(mark, now=by_force)

    def note_family(self, group: int) -> None:
        """Note the descendants of a group's leader, to be killed in `leave`.

        Call this while the leader lives: children in another session are not in its group, and
        cannot be found after its end.
        """
        with self._lock, contextlib.suppress(OSError):  # too many open files: without them then
            self._families.setdefault(group, {}).update(family.members(group))

    def stop(self) -> None:
        """Stop every group, and kill it after a grace period; the second call kills at once.

        Returns without waiting.
        """
        with self._lock:
            again, self._stopped = self._stopped, True
            for group in self._groups:
                self.note_family(group)
                send(group, signal.SIGKILL if again else signal.SIGTERM)
            if self._groups and not again:
                timer = threading.Timer(GRACE, self.stop)
                timer.daemon = True
                timer.start()

    def close(self) -> None:
        """End the watchdog of all branches; call it when nothing runs."""
        self._guard.close()


class _Guard:
    """A watchdog that is started at its first use; also kills processes that left all groups."""

    def __init__(self, *, wanted: bool) -> None:
        self._wanted = wanted
        self._lock = threading.Lock()
        self._run = os.urandom(8).hex()
        self._numbers = itertools.count(1)
        self._marks: set[str] = set()  # of groups that are alive
        self._sweep_at = time.monotonic() + SWEEP_EVERY
        self.watchdog: Watchdog | None = None

    def mark(self) -> str:
        mark = f"{family.MARK}{self._run}={next(self._numbers)}"
        self._marks.add(mark)
        return mark

    def left(self, mark: str, *, now: bool) -> None:
        """A group has ended: kill its remaining processes, now or at the next search."""
        self._marks.discard(mark)
        if mark and (now or time.monotonic() >= self._sweep_at):
            with contextlib.suppress(OSError):  # too many open files: at the next end then
                self._sweep()

    def _sweep(self) -> None:
        """Kill all marked processes without a live group."""
        begun = time.monotonic()
        for _ in range(10):  # one may start another meanwhile
            found = family.marked(self._run)
            strays = {pid: start for pid, (mark, start) in found.items() if mark not in self._marks}
            family.kill(strays)
            if not strays:
                break
        took = time.monotonic() - begun
        self._sweep_at = begun + took + max(SWEEP_EVERY, took / SWEEP_SHARE)

    def prepare(self) -> None:
        if not self._wanted or self.watchdog is not None:
            return
        with self._lock:
            if self.watchdog is None:
                watchdog = Watchdog(f"{family.MARK}{self._run}=")
                watchdog.enter(0)  # this process may die after a start and before its group enters
                self.watchdog = watchdog

    def close(self) -> None:
        with self._lock:
            watchdog, self.watchdog = self.watchdog, None
        if watchdog is not None:
            watchdog.leave(0)
            watchdog.close()
        if next(self._numbers) > 1:
            self._sweep()


def send(group: int, number: int) -> None:
    """Send a signal to a process group, which may have ended."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)

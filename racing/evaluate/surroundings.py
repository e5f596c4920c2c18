"""Restores the global state of a worker process that one evaluation must not change for the next.

Each evaluation begins with the state after the target's import and set-up. State that is cheap to
restore is restored after each evaluation. If a thread or a child is left, or something cannot be
restored, the process is replaced. Modules and their variables stay, so that a target can keep
loaded data.
"""

from __future__ import annotations

import contextlib
import gc
import locale
import os
import random
import resource
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TextIO

from racing.evaluate import family

LINGERS = 0.1  # seconds to wait for the end of threads
AT_WORK = frozenset({"a thread", "a child process"})  # what may be left behind and works on


class Facet(NamedTuple):
    """A part of a process's global state.

    Attributes
    ----------
    read
        Returns the current value.
    write
        Restores an earlier value; may raise anything.
    """

    read: Callable[[], Any]
    write: Callable[[Any], object]


class Surroundings:
    """A snapshot of the global state; create it in the main thread."""

    def __init__(self) -> None:
        self._streams = _Streams()
        self._before = {name: facet.read() for name, facet in FACETS.items()}
        self._threads = set(threading.enumerate())
        self._children = _children()

    def begin(self, seed: int) -> None:
        """Seed the shared random generators by the experiment's seed alone."""
        random.seed(seed)
        if (numpy := sys.modules.get("numpy")) is not None:
            numpy.random.seed(seed)

    def restore(self) -> tuple[str, ...]:
        """Undo the changes of an evaluation; returns in words what cannot be undone, once."""
        stays = [] if self._streams.restore() else ["its standard streams"]
        for name, facet in FACETS.items():
            if not _restored(facet, self._before[name]):
                stays.append(f"another {name}")
        limit = time.monotonic() + LINGERS
        for thread in {*threading.enumerate()} - self._threads:
            thread.join(max(limit - time.monotonic(), 0.0))
        threads, self._threads = self._threads, set(threading.enumerate())
        children, self._children = self._children, _children()
        if not self._threads <= threads:
            stays.append("a thread")
        if not self._children <= children:
            stays.append("a child process")
        return tuple(stays)


class _Streams:
    """The three standard streams, of Python and of the system."""

    def __init__(self) -> None:
        self._python = sys.stdin, sys.stdout, sys.stderr
        self._kept = [_duplicate(fd) for fd in range(3)]
        self._files = [_file(fd) for fd in range(3)]

    def restore(self) -> bool:
        """Reopen closed or replaced streams; False if that fails."""
        with contextlib.suppress(OSError, ValueError):
            for fd, kept in enumerate(self._kept):
                if kept is not None and _file(fd) != self._files[fd]:
                    os.dup2(kept, fd)
            if any(stream.closed for stream in self._python if stream is not None):
                self._python = _opened()
            sys.stdin, sys.stdout, sys.stderr = self._python
            return True
        return False


def _opened() -> tuple[TextIO, TextIO, TextIO]:
    """New streams that do not close the system's."""
    options: Any = {"errors": "backslashreplace", "closefd": False}
    return open(0, **options), open(1, "w", **options), open(2, "w", 1, **options)


def _duplicate(fd: int) -> int | None:
    with contextlib.suppress(OSError):
        return os.dup(fd)
    return None


def _file(fd: int) -> tuple[int, int] | None:
    """The identity of a descriptor's file; None if it is closed."""
    try:
        found = os.fstat(fd)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _restored(facet: Facet, before: Any) -> bool:
    """Whether a facet has its earlier value, restored if needed."""
    try:
        if facet.read() != before:
            facet.write(before)
    except Exception:
        return False
    return True


def _children() -> set[int]:
    """The live children of this process, if the system lists them."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return set()
    return family.children(os.getpid())


_SIGNALS = (  # that a program may handle
    signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGPIPE, signal.SIGCHLD,
    signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF, signal.SIGUSR1, signal.SIGUSR2,
    signal.SIGXCPU,
)  # fmt: skip
_TIMERS = signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF
_LIMITS = sorted({getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")})


def _handlers() -> dict[int, Any]:
    return {number: signal.getsignal(number) for number in _SIGNALS}


def _handle(before: Mapping[int, Any]) -> None:
    for number, handler in before.items():
        if handler is not None and signal.getsignal(number) is not handler:
            signal.signal(number, handler)


def _environ(before: Mapping[bytes, bytes]) -> None:
    os.environb.clear()
    os.environb.update(before)


def _timers() -> list[bool]:
    return [signal.getitimer(which)[0] > 0 for which in _TIMERS]


def _stop_timers(_: object) -> None:
    for which in _TIMERS:
        signal.setitimer(which, 0)


def _filter(before: list[Any]) -> None:
    warnings.resetwarnings()
    warnings.filters.extend(before)  # type: ignore[attr-defined]


def _umask() -> int:
    mask = os.umask(0o77)
    os.umask(mask)
    return mask


def _limit(before: Mapping[int, tuple[int, int]]) -> None:
    for number, limits in before.items():
        if resource.getrlimit(number) != limits:
            resource.setrlimit(number, limits)


def _collect(before: tuple[bool, tuple[int, int, int]]) -> None:
    (gc.enable if before[0] else gc.disable)()
    gc.set_threshold(*before[1])


def _numpy() -> dict[str, str] | None:
    numpy = sys.modules.get("numpy")
    return None if numpy is None else numpy.geterr()


def _set_numpy(before: Mapping[str, str] | None) -> None:
    if before is not None:
        sys.modules["numpy"].seterr(**before)


def _user() -> tuple[object, ...]:
    return os.geteuid(), os.getuid(), os.getegid(), os.getgid(), os.getgroups()


def _become(before: tuple[Any, ...]) -> None:
    os.seteuid(before[0])
    os.setegid(before[2])
    if _user() != before:
        raise PermissionError("another real user or group, or other groups")


def _stay(_: object) -> None:
    raise PermissionError("nothing leads back")


FACETS: Mapping[str, Facet] = {
    "user": Facet(_user, _become),  # first, as the others may need its rights
    "root folder": Facet(lambda: os.stat("/")[1:3], _stay),
    "timer": Facet(_timers, _stop_timers),
    "signal handler": Facet(_handlers, _handle),
    "signal mask": Facet(
        lambda: signal.pthread_sigmask(signal.SIG_BLOCK, ()),
        lambda before: signal.pthread_sigmask(signal.SIG_SETMASK, before),
    ),
    "working folder": Facet(os.getcwd, os.chdir),
    "environment": Facet(lambda: dict(os.environb), _environ),
    "file mode mask": Facet(_umask, lambda before: os.umask(before)),
    "limit of resources": Facet(lambda: {one: resource.getrlimit(one) for one in _LIMITS}, _limit),
    "priority": Facet(
        lambda: os.getpriority(os.PRIO_PROCESS, 0),
        lambda before: os.setpriority(os.PRIO_PROCESS, 0, before),
    ),
    "locale": Facet(
        lambda: locale.setlocale(locale.LC_ALL),
        lambda before: locale.setlocale(locale.LC_ALL, before),
    ),
    "warning filter": Facet(lambda: list(warnings.filters), _filter),
    "recursion limit": Facet(sys.getrecursionlimit, sys.setrecursionlimit),
    "garbage collection": Facet(lambda: (gc.isenabled(), gc.get_threshold()), _collect),
    "error handling of NumPy": Facet(_numpy, _set_numpy),
}

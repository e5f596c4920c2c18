"""Run one program to its end: bounded in time and memory, whatever it does.

The program leads a session, and so a process group, of its own. Its output is read as it comes and
only the end is kept. When the program has ended its whole group is killed, so children neither
outlive it nor hold us up by keeping its output open. Children that moved themselves into a session
of their own are killed too: at once where the program is ended from outside, and within about a
second where it ends by itself and leaves them behind (a daemon).
"""

from __future__ import annotations

import contextlib
import math
import os
import resource
import select
import shutil
import signal
import subprocess
import time
from collections.abc import Collection, Sequence
from typing import IO

from racing.evaluate import family
from racing.evaluate.ended import Ended
from racing.evaluate.running import GRACE, Running, send

STDOUT_KEPT = 64 * 1024
STDERR_KEPT = 8 * 1024
CHUNK = 64 * 1024
DRAINED = 16  # chunks read at most once the program has ended: all that a pipe can hold
PACE = 0.02  # seconds between looks at what the system does not tell us by itself
PROCESSORS = os.cpu_count() or 1


def run(
    arguments: Sequence[str],
    *,
    cwd: str,
    running: Running,
    timeout: float | None = None,
    cpu_timeout: float | None = None,
    memory: int | None = None,
) -> Ended:
    """Run a program to its end.

    Parameters
    ----------
    timeout, cpu_timeout
        Seconds on the clock, and of processors, after which it is told to end.
    memory
        Bytes that each of its processes may hold as data.

    Raises
    ------
    OSError, ValueError
        If it cannot be started.
    """
    running.prepare()
    begun = time.perf_counter()
    mark = running.mark()
    process = _start(arguments, cwd, memory, mark)
    assert process.stdout is not None
    assert process.stderr is not None
    with process.stdout, process.stderr, _Leader(process) as leader:
        out, err = _Tail(process.stdout, STDOUT_KEPT), _Tail(process.stderr, STDERR_KEPT)
        running.enter(process.pid, mark)
        try:
            limits = _Limits(process.pid, begun, timeout, cpu_timeout)
            timed_out = _watch(leader, (out, err), limits, running)
        finally:
            running.leave(process.pid)
            code, cpu, peak = leader.reap()
        seconds = time.perf_counter() - begun
        out.drain()
        err.drain()
    return Ended(
        code=code,
        stdout=out.text(),
        stderr=err.text(),
        seconds=seconds,
        cpu=cpu,
        peak=peak,
        timed_out=timed_out,
    )


def _start(
    arguments: Sequence[str], cwd: str, memory: int | None, mark: str
) -> subprocess.Popen[bytes]:
    if memory is not None and _found(arguments[0], cwd):
        arguments = [*_limited(memory), *arguments]
    return subprocess.Popen(
        arguments,
        cwd=cwd,
        bufsize=0,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env={**os.environb, **dict([mark.encode().split(b"=")])},  # bytes: nothing is decoded
    )


def _found(program: str, cwd: str) -> bool:
    """Whether there is such a program; where there is none, to start it directly says why."""
    return shutil.which(os.path.join(cwd, program) if os.sep in program else program) is not None


def _limited(memory: int) -> list[str]:
    """What in front of a command limits what each of its processes may hold as data.

    A shell sets the limit and then becomes the program: code of our own between fork and exec is
    not safe among threads, and a limit that is set from outside can come too late.

    RLIMIT_DATA counts the heap, stacks and private writable mappings. RLIMIT_AS would also count
    address space that is only reserved, of which a Java machine or a solver takes many times what
    it uses.
    """
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limit = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
    return ["/bin/sh", "-c", f'ulimit -d {limit // 1024} && exec "$@"', "sh"]


class _Tail:
    """The end of a stream of bytes."""

    def __init__(self, stream: IO[bytes], limit: int) -> None:
        self.fd = stream.fileno()
        self.limit = limit
        self.data = b""
        self.cut = False

    def read(self) -> bool:
        """Take what there is; False at the end of the stream."""
        chunk = os.read(self.fd, CHUNK)
        self.data += chunk
        if len(self.data) > self.limit:
            self.data, self.cut = self.data[-self.limit :], True
        return bool(chunk)

    def drain(self) -> None:
        """Take what the pipe still holds, without waiting for those who keep it open."""
        os.set_blocking(self.fd, False)
        with contextlib.suppress(BlockingIOError):
            for _ in range(DRAINED):
                if not self.read():
                    return

    def text(self) -> str:
        """What was kept; `…` in front says that there was more, so no number begins there."""
        return ("…" if self.cut else "") + self.data.decode("utf-8", errors="replace")


class _Leader:
    """The process that we started: notices its end without reaping it, where the system can."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.fd = -1
        self.end: tuple[int, float, int] | None = None

    def __enter__(self) -> _Leader:
        if hasattr(os, "pidfd_open"):
            with contextlib.suppress(OSError):
                self.fd = os.pidfd_open(self.process.pid)
        return self

    def __exit__(self, *_: object) -> None:
        if self.fd >= 0:
            os.close(self.fd)

    def ended(self, ready: Collection[int]) -> bool:
        """Whether it has ended, given the file descriptors that have news."""
        return self.fd in ready if self.fd >= 0 else self._wait(os.WNOHANG)

    def reap(self) -> tuple[int, float, int]:
        """Exit status, processor seconds and peak memory in bytes; waits for the end."""
        while self.end is None:
            self._wait(0)
        return self.end

    def _wait(self, options: int) -> bool:
        try:
            pid, status, usage = os.wait4(self.process.pid, options)
        except ChildProcessError:  # whoever runs us ignores SIGCHLD: the system reaped it
            self.process.returncode, self.end = 0, (0, 0.0, 0)
            return True
        if pid:
            self.process.returncode = code = os.waitstatus_to_exitcode(status)
            self.end = (code, usage.ru_utime + usage.ru_stime, _peak(usage))
        return bool(pid)


class _Limits:
    """When a program's time is up, on the clock or on the processors."""

    def __init__(
        self, pid: int, begun: float, timeout: float | None, cpu_timeout: float | None
    ) -> None:
        self.pid, self.cpu_timeout = pid, cpu_timeout
        self.end = math.inf if timeout is None else begun + timeout
        self.look = math.inf  # when the limit of processor time can be met at the earliest
        if cpu_timeout is not None:
            self.look = begun + cpu_timeout / PROCESSORS

    @property
    def next(self) -> float:
        """When there is something to be decided."""
        return min(self.end, self.look)

    def met(self, now: float) -> bool:
        """Whether its time is up."""
        if now >= self.end:
            return True
        if self.cpu_timeout is not None and now >= self.look:
            left = self.cpu_timeout - family.cpu_seconds(self.pid)
            if left <= 0:
                return True
            self.look = now + max(left / PROCESSORS, PACE)
        return False

    def grant(self, seconds: float) -> None:
        """Look again after so many seconds, and at nothing before."""
        self.end, self.look = time.perf_counter() + seconds, math.inf


def _watch(leader: _Leader, tails: tuple[_Tail, ...], limits: _Limits, running: Running) -> bool:
    """Read until the program has ended; True if it was told to because its time was up."""
    open_tails = {tail.fd: tail for tail in tails}
    poll = select.poll()
    for fd in [*open_tails, *([leader.fd] if leader.fd >= 0 else [])]:
        poll.register(fd, select.POLLIN)
    signals = iter((signal.SIGTERM, signal.SIGKILL))
    timed_out = False
    while True:
        left = min(limits.next - time.perf_counter(), math.inf if leader.fd >= 0 else PACE)
        ready = [fd for fd, _ in poll.poll(None if left == math.inf else max(left, 0) * 1000 + 1)]
        for fd in ready:
            if fd in open_tails and not open_tails[fd].read():
                poll.unregister(fd)
        if leader.ended(ready):
            return timed_out
        if limits.met(time.perf_counter()):
            number = next(signals)
            running.note_family(leader.process.pid)
            send(leader.process.pid, number)
            timed_out = True
            limits.grant(GRACE if number == signal.SIGTERM else math.inf)


def _peak(usage: resource.struct_rusage) -> int:
    """Bytes; 0 if not above our own, since a child's peak starts from its parent's at the fork."""
    ours = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return usage.ru_maxrss * 1024 if usage.ru_maxrss > ours else 0

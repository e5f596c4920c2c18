"""Runs one program to its end, within limits of time and memory.

The program leads a new session, and so a process group. Its output is read continuously, and only
the end is kept. When the program ends, its group is killed, so children neither outlive it nor keep
its output open. Children in another session (daemons) are killed too: at once if the program is
stopped, and within about a second if it ends by itself.
"""

from __future__ import annotations

import contextlib
import errno
import math
import os
import resource
import select
import shutil
import signal
import subprocess
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import IO

from racing.evaluate import family
from racing.evaluate.groups import GRACE, Groups, send

STDOUT_KEPT = 64 * 1024
STDERR_KEPT = 8 * 1024
CHUNK = 64 * 1024
DRAINED = 16  # the most chunks to read after the program has ended: the capacity of a pipe
PACE = 0.02  # seconds between checks without notification by the system
FIRST_LOOK = 0.001  # seconds from a start to the first reading of the memory that it holds
PROCESSORS = os.cpu_count() or 1
_LAUNCHER = "racing-limits"  # what the shell that sets limits calls itself
_REASONS = (
    errno.ETXTBSY, errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.E2BIG,
    errno.EACCES,
)  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Ended:
    """How a program ended.

    Attributes
    ----------
    code
        Exit status; −n if signal n killed it.
    stdout, stderr
        The last 64 and 8 KiB.
    seconds
        Wall-clock time, from its start to its end.
    cpu
        Processor seconds of it and its reaped children.
    peak
        The peak memory of one of these processes, in bytes; 0 if unknown.
    timed_out
        Whether it was stopped because its time was up.
    """

    code: int
    stdout: str
    stderr: str
    seconds: float
    cpu: float
    peak: int
    timed_out: bool


def run(
    arguments: Sequence[str],
    *,
    cwd: str,
    running: Groups,
    timeout: float | None = None,
    cpu_timeout: float | None = None,
    memory: int | None = None,
    measure_memory: bool = False,
) -> Ended:
    """Run a program to its end.

    Parameters
    ----------
    timeout, cpu_timeout
        Wall-clock and processor seconds after which it gets SIGTERM.
    memory
        The limit of data of each of its processes, in bytes.
    measure_memory
        Whether `Ended.peak` must be known even if it is less than this process holds.

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
        held = None
        try:
            held = _Held(process.pid) if measure_memory else None  # at once: it may end soon
            limits = _Limits(process.pid, begun, timeout, cpu_timeout)
            timed_out = _watch(leader, (out, err), limits, running, held)
        finally:
            running.leave(process.pid)
            code, cpu, peak = leader.reap()
        seconds = time.perf_counter() - begun
        out.drain()
        err.drain()
    said = err.text()
    if memory is not None and (error := _not_executed(code, said)) is not None:
        raise error
    return Ended(
        code=code,
        stdout=out.text(),
        stderr=said,
        seconds=seconds,
        cpu=cpu,
        peak=max(peak, held.peak if held else 0),
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
        env={**os.environb, **dict([mark.encode().split(b"=")])},  # bytes, not text
    )


def _found(program: str, cwd: str) -> bool:
    """Whether the program exists; if not, a direct start gives the reason."""
    return shutil.which(os.path.join(cwd, program) if os.sep in program else program) is not None


def _limited(memory: int) -> list[str]:
    """The prefix of a command that limits the data of each of its processes.

    A shell sets the limit and then becomes the program: own code between fork and exec is not
    thread-safe, and a limit set from outside can be too late.

    RLIMIT_DATA counts the heap, stacks and private writable mappings. RLIMIT_AS would also count
    reserved address space, of which a Java machine or a solver takes many times its use.
    """
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limit = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
    return ["/bin/sh", "-c", f'ulimit -d {limit // 1024} && exec "$@"', _LAUNCHER]


def _not_executed(code: int, stderr: str) -> OSError | None:
    """Why the shell that sets limits could not become the program; None if it did."""
    if code not in (126, 127) or not stderr.startswith(f"{_LAUNCHER}:"):
        return None
    number = next((one for one in _REASONS if os.strerror(one) in stderr), errno.ENOENT)
    return OSError(number, os.strerror(number))


class _Tail:
    """The end of a stream of bytes."""

    def __init__(self, stream: IO[bytes], limit: int) -> None:
        self.fd = stream.fileno()
        self.limit = limit
        self.data = bytearray()
        self.cut = False

    def read(self) -> bool:
        """Read the available bytes; False at the end of the stream."""
        chunk = os.read(self.fd, CHUNK)
        self.data += chunk
        if len(self.data) > 2 * self.limit:  # not at every chunk, which may be one byte
            self._cut()
        return bool(chunk)

    def drain(self) -> None:
        """Read the rest of the pipe, without waiting for processes that keep it open."""
        os.set_blocking(self.fd, False)
        with contextlib.suppress(BlockingIOError):
            for _ in range(DRAINED):
                if not self.read():
                    return

    def text(self) -> str:
        """The kept text; a leading `…` marks a cut, so no number begins there."""
        if len(self.data) > self.limit:
            self._cut()
        return ("…" if self.cut else "") + self.data.decode("utf-8", errors="replace")

    def _cut(self) -> None:
        del self.data[: -self.limit]
        self.cut = True


class _Leader:
    """The started process: detects its end without reaping it, if the system can."""

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
        """Whether it has ended, given the ready file descriptors."""
        return self.fd in ready if self.fd >= 0 else self._wait(os.WNOHANG)

    def reap(self) -> tuple[int, float, int]:
        """Exit status, processor seconds and peak memory in bytes; waits for the end."""
        while self.end is None:
            self._wait(0)
        return self.end

    def _wait(self, options: int) -> bool:
        try:
            pid, status, usage = os.wait4(self.process.pid, options)
        except ChildProcessError:  # our parent ignores SIGCHLD: the system reaped it
            self.process.returncode, self.end = 0, (0, 0.0, 0)
            return True
        if pid:
            self.process.returncode = code = os.waitstatus_to_exitcode(status)
            self.end = (code, usage.ru_utime + usage.ru_stime, _peak(usage))
        return bool(pid)


class _Limits:
    """Checks a program's limits of wall-clock and processor time."""

    def __init__(
        self, pid: int, begun: float, timeout: float | None, cpu_timeout: float | None
    ) -> None:
        self.pid, self.cpu_timeout = pid, cpu_timeout
        self.end = math.inf if timeout is None else begun + timeout
        self.look = math.inf  # when processor time can reach its limit
        if cpu_timeout is not None:
            self.look = begun + cpu_timeout / PROCESSORS

    @property
    def next(self) -> float:
        """The time of the next check."""
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
        """Make the next check after so many seconds."""
        self.end, self.look = time.perf_counter() + seconds, math.inf


class _Held:
    """The peak memory of a program's processes, by the system's own marks.

    What the system tells at a process's end is no less than its parent held when it was started. So
    a program that needs less than this process is looked at from its start on, at first often.
    """

    def __init__(self, pid: int) -> None:
        self.pid, self.peak = pid, family.held_most(pid)
        self.pause = FIRST_LOOK

    def look(self) -> None:
        """Read the marks of all its processes, and look less often from now on."""
        self.peak = max(self.peak, family.peak_memory(self.pid))
        self.pause = min(2 * self.pause, PACE)


def _watch(
    leader: _Leader,
    tails: tuple[_Tail, ...],
    limits: _Limits,
    running: Groups,
    held: _Held | None = None,
) -> bool:
    """Read until the program has ended; True if it was stopped because its time was up."""
    open_tails = {tail.fd: tail for tail in tails}
    poll = select.poll()
    for fd in [*open_tails, *([leader.fd] if leader.fd >= 0 else [])]:
        poll.register(fd, select.POLLIN)
    signals = iter((signal.SIGTERM, signal.SIGKILL))
    timed_out = False
    while True:
        if held:
            held.look()
        left = min(
            limits.next - time.perf_counter(),
            math.inf if leader.fd >= 0 else PACE,
            held.pause if held else math.inf,
        )
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
    """Peak memory in bytes; 0 if not above ours, which a child inherits at the fork."""
    ours = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return usage.ru_maxrss * 1024 if usage.ru_maxrss > ours else 0

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
from collections.abc import Sequence
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


@dataclass(frozen=True, slots=True)
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
    with process.stdout, process.stderr, _Program(process, begun, timeout, cpu_timeout) as program:
        running.enter(process.pid, mark)
        tails = _Tail(process.stdout, STDOUT_KEPT), _Tail(process.stderr, STDERR_KEPT)
        try:
            program.watch(tails, running, measure_memory=measure_memory)
        finally:
            running.leave(process.pid)
            code, cpu, peak = program.reap()
        seconds = time.perf_counter() - begun
        stdout, stderr = (tail.rest() for tail in tails)
    if memory is not None and (error := _not_executed(code, stderr)) is not None:
        raise error
    return Ended(code, stdout, stderr, seconds, cpu, max(peak, program.held), program.timed_out)


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
        self.fd, self.limit = stream.fileno(), limit
        self.data, self.cut = bytearray(), False

    def read(self) -> bool:
        """Read the available bytes; False at the end of the stream."""
        chunk = os.read(self.fd, CHUNK)
        self.data += chunk
        self._cut(2 * self.limit)  # not at every chunk, which may be one byte
        return bool(chunk)

    def rest(self) -> str:
        """Read the rest of the pipe, without waiting for processes that keep it open; the text.

        A leading `…` marks a cut, so no number begins there.
        """
        os.set_blocking(self.fd, False)
        with contextlib.suppress(BlockingIOError):
            for _ in range(DRAINED):
                if not self.read():
                    break
        self._cut(self.limit)
        return ("…" if self.cut else "") + self.data.decode("utf-8", errors="replace")

    def _cut(self, most: int) -> None:
        if len(self.data) > most:
            del self.data[: -self.limit]
            self.cut = True


class _Program:
    """A started program: watches it, and detects its end without reaping it, if the system can."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        begun: float,
        timeout: float | None,
        cpu_timeout: float | None,
    ) -> None:
        self.process, self.cpu_timeout = process, cpu_timeout
        self.over = math.inf if timeout is None else begun + timeout
        # When processor time can reach its limit.
        self.look = math.inf if cpu_timeout is None else begun + cpu_timeout / PROCESSORS
        self.timed_out, self.held = False, 0
        self.end: tuple[int, float, int] | None = None
        self.fd = family.pidfd(process.pid)

    def __enter__(self) -> _Program:
        return self

    def __exit__(self, *_: object) -> None:
        if self.fd is not None:
            os.close(self.fd)

    def watch(self, tails: Sequence[_Tail], running: Groups, *, measure_memory: bool) -> None:
        """Read until it has ended; stop it when its time is up.

        The memory that a process holds is no less than its parent's when it was started, so what
        the system tells at its end says nothing of a program that needs less than this process. It
        is looked at from its start on, at first often.
        """
        open_tails = {tail.fd: tail for tail in tails}
        poll = select.poll()
        for fd in [*open_tails, *([] if self.fd is None else [self.fd])]:
            poll.register(fd, select.POLLIN)
        signals = iter((signal.SIGTERM, signal.SIGKILL))
        pause = FIRST_LOOK if measure_memory else math.inf
        while True:
            if measure_memory:
                self.held = max(self.held, family.peak_memory(self.process.pid))
                pause = min(2 * pause, PACE)
            left = min(self.over, self.look) - time.perf_counter()
            left = min(left, pause, math.inf if self.fd is not None else PACE)
            timeout = None if left == math.inf else max(left, 0) * 1000 + 1
            ready = [fd for fd, _ in poll.poll(timeout)]
            for fd in ready:
                if fd in open_tails and not open_tails[fd].read():
                    poll.unregister(fd)
            if self.fd in ready if self.fd is not None else self._wait(os.WNOHANG):
                return
            if self._time_is_up(time.perf_counter()):
                number = next(signals)
                running.note_family(self.process.pid)
                send(self.process.pid, number)
                self.timed_out = True
                grace = GRACE if number == signal.SIGTERM else math.inf
                self.over, self.look = time.perf_counter() + grace, math.inf

    def reap(self) -> tuple[int, float, int]:
        """Exit status, processor seconds and peak memory in bytes; waits for the end."""
        while self.end is None:
            self._wait(0)
        return self.end

    def _time_is_up(self, now: float) -> bool:
        if now < self.over and self.cpu_timeout is not None and now >= self.look:
            left = self.cpu_timeout - family.cpu_seconds(self.process.pid)
            self.look = now + max(left / PROCESSORS, PACE)
            return left <= 0
        return now >= self.over

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


def _peak(usage: resource.struct_rusage) -> int:
    """Peak memory in bytes; 0 if not above ours, which a child inherits at the fork."""
    ours = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return usage.ru_maxrss * 1024 if usage.ru_maxrss > ours else 0

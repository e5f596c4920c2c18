"""One writer per log: an advisory lock on a file beside it.

The lock is not on the log itself: closing any descriptor of a database file drops every lock
that SQLite holds on it in the same process (https://sqlite.org/howtocorrupt.html, 2.2). `flock`
belongs to an open file, so the kernel releases it whenever its process ends, kill -9 included.
Over NFS, locks depend on the server, and SQLite's WAL does not work at all: keep logs on a local
disk.
"""

from __future__ import annotations

import os
import socket
from pathlib import Path

from racing.base.errors import LogBusy, LogError
from racing.log.records import now


class WriterLock:
    """A lock that is held from construction to `release`.

    Raises
    ------
    LogBusy
        If another process (or another log in this one) holds it; names its pid and host.
    LogError
        If the lock file cannot be made or the file system has no locks.
    """

    def __init__(self, log: Path) -> None:
        self._log = log
        real = Path(os.path.realpath(log))  # a log has one lock, under any name
        self._path = real.with_name(real.name + ".lock")
        self._fd: int | None = self._acquire()

    def release(self) -> None:
        """Release the lock; the lock file is removed before."""
        if self._fd is not None:
            self._path.unlink(missing_ok=True)
            os.close(self._fd)
            self._fd = None

    def _acquire(self) -> int:
        import fcntl  # Windows has none, and can read logs

        while True:
            fd = self._open()
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if self._is_current(fd):
                    who = f"process {os.getpid()} on {socket.gethostname()} since {now()}"
                    os.ftruncate(fd, 0)
                    os.pwrite(fd, who.encode(), 0)
                    return fd
            except BlockingIOError:
                holder = os.pread(fd, 1000, 0).decode(errors="replace") or "another process"
                os.close(fd)
                raise LogBusy(
                    f"{self._log} is being written by {holder}; "
                    f"wait for it or stop it, then `racing resume {self._log}`"
                ) from None
            except OSError as error:
                os.close(fd)
                raise LogError(
                    f"{self._log} cannot be locked: {error.strerror}; "
                    "keep the log on a local disk with free space"
                ) from error
            os.close(fd)  # the holder removed the file between our open and our lock: try again

    def _open(self) -> int:
        try:
            return os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise LogError(
                f"{self._log} cannot be written: {self._path.name} cannot be opened beside it "
                f"({error.strerror}); make the folder writable, or put the log elsewhere"
            ) from error

    def _is_current(self, fd: int) -> bool:
        try:
            return os.path.samestat(os.fstat(fd), os.stat(self._path))
        except FileNotFoundError:
            return False

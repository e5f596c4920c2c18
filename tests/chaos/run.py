"""One run that is disturbed until it is over."""

from __future__ import annotations

import contextlib
import os
import random
import resource
import secrets
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from racing.log import SQLiteLog
from tests.chaos.processes import marked, workers
from tests.chaos.world import IN_TARGET
from tests.evaluate.dask_kit import Dask

PATIENCE = 1800.0
FROM_OUTSIDE = ("worker", "controller", "disk", "files")
ON_A_CLUSTER = ("scheduler", "leaves", "joins")
FILES, SHORT = 8, 0.5  # that a controller may still open when they are short, and for how long
ROOM = 1 << 14  # bytes that a file may still grow by when the disk "is full"
WORKERS = 3  # that a cluster has at most


@dataclass
class Tally:
    """What was done to a run, and how often it had to be resumed."""

    faults: Counter[str] = field(default_factory=Counter)
    sessions: int = 0


class Chaos:
    """A run and its faults; `every` is the number of evaluations between two of them."""

    def __init__(
        self,
        scenario: Path,
        *,
        faults: int,
        every: int,
        rng: random.Random,
        cluster: Dask | None = None,
    ) -> None:
        self.folder, self.log = scenario.parent, scenario.parent / "log.sqlite"
        self.scenario, self.cluster = scenario, cluster
        self.left, self.every, self.rng = faults, every, rng
        self.kinds = (*IN_TARGET, *FROM_OUTSIDE, *(ON_A_CLUSTER if cluster else ()))
        self.mark = f"RACING_CHAOS={secrets.token_hex(8)}"
        self.tally = Tally()
        self.repeated: list[str] = []
        self.full = False  # whether this session's disk is
        self.short = 0.0  # until when its files are short; 0 for never

    def run(self) -> None:
        """Run, disturb and resume till the end."""
        limit = time.monotonic() + PATIENCE
        while not self._session():
            if time.monotonic() > limit:
                raise TimeoutError(f"not over after {PATIENCE:g} s: {self.tally}")

    def strays(self) -> list[int]:
        """Processes of the run that are still alive a while after its end."""
        return marked(self.mark)

    def _session(self) -> bool:
        """One controller; whether the run is over."""
        known, before, self.full, self.short = self._known(), self._done(), False, 0.0
        controller = self._start()
        self.tally.sessions += 1
        due = before + self.every
        while controller.poll() is None:
            if self.short and time.monotonic() > self.short:
                self._limit_files(controller, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
                self.short = 0.0
            if self.left and not self.full and self._done() >= due:
                self._disturb(controller)
                due = self._done() + self.every
            time.sleep(0.01)
        said = controller.communicate()[1].decode()
        self.repeated += [call for call in self._calls()[before:] if call in known]
        if controller.returncode == -signal.SIGKILL:
            return False
        if self.full and controller.returncode:
            assert "disk" in said, said
            assert "Traceback" not in said, said
            return False
        assert controller.returncode == 0, said
        return True

    def _start(self) -> subprocess.Popen[bytes]:
        words = (
            ["resume", self.log] if self.log.exists() else ["run", self.scenario, "--log", self.log]
        )
        return subprocess.Popen(
            [sys.executable, "-m", "racing", *map(str, words), "--quiet"],
            env={**os.environ, **dict([self.mark.split("=")])},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def _disturb(self, controller: subprocess.Popen[bytes]) -> None:
        kind = self.rng.choice(self.kinds)
        self.left -= 1
        self.tally.faults[kind] += 1
        if kind in IN_TARGET:
            (self.folder / f"fault-{kind}-{self.left}").touch()
        elif kind == "controller":
            controller.kill()
        elif kind == "worker":
            parents = {controller.pid, *(one.pid for one in self._members())}
            if found := workers(parents):
                os.kill(self.rng.choice(found), signal.SIGKILL)
        elif kind == "disk":
            self._fill_disk(controller)
        elif kind == "files":
            self.short = time.monotonic() + SHORT
            self._limit_files(controller)
        elif self.cluster is not None:
            self._disturb_cluster(self.cluster, kind)

    def _fill_disk(self, controller: subprocess.Popen[bytes]) -> None:
        """Let no file grow any more: writing fails as on a full file system."""
        files = (self.log, self.log.with_name(self.log.name + "-wal"))
        size = max(path.stat().st_size for path in files if path.exists())
        limit = size + ROOM, resource.RLIM_INFINITY
        try:
            resource.prlimit(controller.pid, resource.RLIMIT_FSIZE, limit)
        except ProcessLookupError:  # it has just ended
            return
        self.full = True

    def _limit_files(self, controller: subprocess.Popen[bytes], most: int = 0) -> None:
        """Let it open so many files, or but a few more than it has open: no worker can start."""
        with contextlib.suppress(OSError):  # it has just ended
            most = most or len(os.listdir(f"/proc/{controller.pid}/fd")) + FILES
            hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
            resource.prlimit(controller.pid, resource.RLIMIT_NOFILE, (most, hard))

    def _disturb_cluster(self, cluster: Dask, kind: str) -> None:
        members = self._members()
        if kind == "scheduler":
            cluster.end(cluster.scheduler, *members)
            cluster.start_scheduler()
            cluster.join("--no-nanny")
        elif kind == "leaves" and len(members) > 1:
            cluster.end(self.rng.choice(members))
        elif len(members) < WORKERS:
            cluster.join("--no-nanny")

    def _members(self) -> list[subprocess.Popen[bytes]]:
        """The workers of the cluster that are alive."""
        found = [] if self.cluster is None else self.cluster.workers
        return [one for one in found if one.poll() is None]

    def _done(self) -> int:
        """How many evaluations have ended well."""
        return len(self._calls())

    def _calls(self) -> list[str]:
        """The evaluations that have ended well, in the words of the target."""
        calls = self.folder / "calls"
        return calls.read_text().splitlines() if calls.exists() else []

    def _known(self) -> set[str]:
        """What the log has outcomes of, in the words of the target."""
        if not self.log.exists():
            return set()
        with SQLiteLog.open(self.log, write=False) as book:
            x = {one.id: one.values["x"] for one in book.candidates()}
            where = {one.step: f"{one.name} {one.seed}" for one in book.instances()}
            return {f"{x[o.candidate]!r} {where[o.step]}" for o in book.outcomes()}

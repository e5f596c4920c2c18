"""A cluster of Dask for tests: scheduler and workers are processes of their own, on loopback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Self

from tests.evaluate.cluster_kit import PATIENCE
from tests.waiting import eventually


def program(*words: object) -> subprocess.Popen[bytes]:
    """A program of Dask's, quiet and without a dashboard."""
    quiet = {"DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "critical"}
    return subprocess.Popen(
        [sys.executable, "-m", *map(str, words)],
        env={**os.environ, **quiet},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


class Dask:
    """A scheduler, and workers that come and go."""

    name = "dask"

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, 0
        self.workers: list[subprocess.Popen[bytes]] = []
        self.start_scheduler()

    def start_scheduler(self) -> None:
        """Start the scheduler, where it was before if it was started before."""
        file = self.folder / "scheduler.json"
        file.unlink(missing_ok=True)
        self.scheduler = program(
            "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", self.port,
            "--no-dashboard", "--scheduler-file", file,
        )  # fmt: skip
        assert eventually(lambda: file.exists() and file.read_text().endswith("}"), within=PATIENCE)
        self.address = str(json.loads(file.read_text())["address"])
        self.port = int(self.address.rpartition(":")[2])

    def join(self, *options: str, threads: int = 1) -> subprocess.Popen[bytes]:
        """Another worker."""
        worker = program(
            "distributed.cli.dask_worker", self.address, "--nthreads", threads, "--no-dashboard",
            "--host", "127.0.0.1", "--local-directory", self.folder, *(options or ["--no-nanny"]),
        )  # fmt: skip
        self.workers.append(worker)
        return worker

    def replace(self, lost: subprocess.Popen[bytes]) -> None:
        """Kill a worker; another one comes, with a nanny."""
        self.end(lost)
        self.join("--nanny")

    def end(self, *processes: subprocess.Popen[bytes]) -> None:
        """Kill some of them."""
        for one in processes:
            one.kill()
            one.wait()

    def close(self) -> None:
        """End everything."""
        self.end(*self.workers, self.scheduler)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

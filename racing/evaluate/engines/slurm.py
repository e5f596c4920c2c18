"""Runs experiments in jobs of Slurm (`pip install 'racing[slurm]'`), which are workers of Dask.

dask-jobqueue submits the jobs. Their resources (queue, walltime, memory, cores, …) are in its
configuration, `~/.config/dask/jobqueue.yaml` below `jobqueue.slurm`.
"""

from __future__ import annotations

import math
import shutil
import signal
import threading
from typing import Any

from racing.base.errors import TargetError, require
from racing.base.logs import logger
from racing.evaluate.engines.cluster import ClusterPool
from racing.evaluate.work import Work

_LOGGER = logger(__name__)
_DEFAULTS: dict[str, Any] = {"cores": 1, "memory": "2GB"}
"""Values of a job that dask-jobqueue requires, if its configuration lacks them."""


def open_(work: Work, size: int) -> ClusterPool:
    """A pool over jobs for `size` evaluations at a time, after the first of them runs.

    Raises
    ------
    MissingExtra
        If dask-jobqueue is not installed.
    TargetError
        If jobs cannot be submitted here.
    InputError
        If the work cannot be sent.
    """
    jobqueue = _jobqueue()
    from dask import config

    from racing.evaluate.engines.dask import over

    if shutil.which("sbatch") is None:
        raise TargetError(
            "there is no sbatch here; start this where jobs can be submitted to Slurm"
        )
    options = {
        key: config.get(f"jobqueue.slurm.{key}", None) or other for key, other in _DEFAULTS.items()
    }
    jobs = math.ceil(size / int(options["cores"]))
    cluster = jobqueue.SLURMCluster(**options)
    try:
        cluster.adapt(minimum_jobs=jobs, maximum_jobs=jobs)  # restart jobs that the queue ends
        _LOGGER.info("%d jobs are submitted to Slurm; waiting for the first one", jobs)
        cluster.wait_for_workers(1)
    except BaseException:
        cluster.close()
        raise
    return over(work, None, cluster)


def _jobqueue() -> Any:
    """dask-jobqueue; its import (0.9) has Ctrl-C end the program at once, which this undoes."""
    before = signal.getsignal(signal.SIGINT)
    try:
        return require("dask_jobqueue", extra="slurm", purpose="engine slurm")
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, before)

"""Experiments on a cluster of Dask (`pip install 'racing[dask]'`).

Dask only sends experiments to its workers and outcomes back (`dask_transport`): a child process on
the worker evaluates (`agent`), and the pool decides about retries (`cluster`). Each task is bound
to one worker, and Dask never repeats it. The pool's size is the current number of the cluster's
threads.
"""

from __future__ import annotations

from typing import Any

from racing.base.errors import require
from racing.evaluate.engines.cluster import ClusterPool
from racing.evaluate.packing import packed
from racing.evaluate.work import Work


def open_(work: Work, size: int, address: str | None = None) -> ClusterPool:
    """A pool over the cluster at an address, or over a new one on this machine.

    Raises
    ------
    MissingExtra
        If Dask is not installed.
    TargetError
        If there is no scheduler, or no worker.
    InputError
        If the work cannot be sent.
    """
    distributed: Any = require("distributed", extra="dask", purpose="engine dask")
    return over(work, address, None if address else _local(distributed, size))


def over(work: Work, address: str | None, own: Any) -> ClusterPool:
    """A pool over the cluster at an address, or over a given one, which it closes."""
    from racing.evaluate.engines.dask_transport import DaskTransport

    try:
        transport = DaskTransport(packed(work), work.timeout, address or own, own)
    except BaseException:
        if own is not None:
            own.close()
        raise
    try:
        return ClusterPool(transport, retries=work.retries)
    except BaseException:
        transport.close()
        raise


def _local(distributed: Any, size: int) -> Any:
    """A cluster on this machine in one process, with evaluations in its children."""
    return distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=size,
        processes=True,
        dashboard_address="127.0.0.1:0",  # any free port: Dask's own may be in use
        scheduler_kwargs={"dashboard": False},
        host="127.0.0.1",
        silence_logs=50,  # logging.CRITICAL
    )

"""Experiments on a cluster of Dask (`pip install 'racing[dask]'`).

Dask brings experiments to its workers and outcomes back (`dask_transport`), and nothing more: a
child process on the worker evaluates (`agent`), and the pool decides about retries (`cluster`).
Each task is bound to one worker and is never repeated by Dask. Workers may come and go: the pool's
size is the number of the cluster's threads.
"""

from __future__ import annotations

from typing import Any

from racing.errors import require
from racing.evaluate.engines.cluster import ClusterPool
from racing.evaluate.packing import packed
from racing.evaluate.work import Work


def open_(work: Work, size: int, address: str | None = None) -> ClusterPool:
    """A pool over the cluster at an address, or over one of this machine with so many threads.

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
    from racing.evaluate.engines.dask_transport import DaskTransport

    payload = packed(work)
    own = _local(distributed, size) if address is None else None
    try:
        transport = DaskTransport(payload, work.timeout, address or own, own)
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
    """A cluster of this machine, as one process: the evaluations are in children of it."""
    return distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=size,
        processes=True,
        dashboard_address="127.0.0.1:0",  # any free port: Dask's own may be in use
        scheduler_kwargs={"dashboard": False},
        host="127.0.0.1",
        silence_logs=50,  # logging.CRITICAL
    )

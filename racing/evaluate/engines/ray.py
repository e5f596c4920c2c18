"""Experiments on a cluster of Ray (`pip install 'racing[ray]'`).

Ray brings experiments to its nodes and outcomes back (`ray_transport`), and nothing more: on each
node an actor has child processes that evaluate (`agent`), and the pool decides about retries
(`cluster`). Nodes may come and go: the pool's size is the number of the cluster's processors.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import threading
from collections.abc import Iterator
from typing import Any

from racing.errors import TargetError, require
from racing.evaluate.engines.cluster import ClusterPool
from racing.evaluate.packing import packed
from racing.evaluate.work import Work, named

ANSWER = 10.0  # seconds in which somebody must listen at an address


def open_(work: Work, size: int, address: str | None = None) -> ClusterPool:
    """A pool over the cluster at an address, or over one of this machine for so many evaluations.

    A process has one connection to Ray: if there is one, it is used and left open.

    Raises
    ------
    MissingExtra
        If Ray is not installed.
    TargetError
        If there is no cluster, or no node of it is free.
    InputError
        If the work cannot be sent.
    """
    ray: Any = require("ray", extra="ray", purpose="engine ray")
    from racing.evaluate.engines.ray_transport import RayTransport

    payload = packed(work)
    own = not ray.is_initialized()
    if own:
        _connect(ray, size, address)
    transport = RayTransport(ray, payload, work.timeout, own=own)
    try:
        return ClusterPool(transport, retries=work.retries)
    except BaseException:
        transport.close()
        raise


def _connect(ray: Any, size: int, address: str | None) -> None:
    quiet = {"log_to_driver": False, "configure_logging": False}
    with _signals_kept():
        if address is None:
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # a run reports to nobody
            ray.init(
                address="local", num_cpus=size, include_dashboard=False,
                _node_ip_address="127.0.0.1", **quiet,
            )  # fmt: skip
            return
        try:
            _check_port(address)
            ray.init(address=address, **quiet)
        except (OSError, RuntimeError, ValueError) as error:
            why = f"no cluster of Ray answers at {address}: {named(error)}"
            raise TargetError(why) from error


def _check_port(address: str) -> None:
    """Refuse an address where nobody listens, for which Ray would wait for minutes."""
    if found := re.fullmatch(r"(?:ray://)?([^:/]+):(\d+)", address):
        socket.create_connection((found[1], int(found[2])), timeout=ANSWER).close()


@contextlib.contextmanager
def _signals_kept() -> Iterator[None]:
    """Have SIGTERM mean what it meant: Ray's own handler ends the process."""
    main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if main:
            signal.signal(signal.SIGTERM, before)

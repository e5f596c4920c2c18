"""Experiments on a cluster of Ray (`pip install 'racing[ray]'`).

Ray only sends experiments to its nodes and outcomes back (`ray_transport`): on each node an actor
has child processes that evaluate (`agent`), and the pool decides about retries (`cluster`). The
pool's size is the current number of the cluster's processors.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import signal
import socket
import threading
from collections.abc import Iterator
from typing import Any

from racing.base.errors import TargetError, named, require
from racing.evaluate import family
from racing.evaluate.engines.cluster import ClusterPool
from racing.evaluate.packing import packed
from racing.evaluate.watchdog import Watchdog
from racing.evaluate.work import Work

QUIET = {"log_to_driver": False, "configure_logging": False}
MODE = "RAY_AUTH_MODE"
ANSWER = 10.0  # seconds in which an address must answer


def open_(work: Work, size: int, address: str | None = None) -> ClusterPool:
    """A pool over the cluster at an address, or over a new one on this machine.

    A process has one connection to Ray: an existing one is used and left open.

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
    with contextlib.ExitStack() as ending:
        if not ray.is_initialized():
            with _signals_kept():
                if address is None:
                    _start(ray, size, ending)
                else:
                    _connect(ray, address)
            ending.callback(ray.shutdown)
        transport = RayTransport(ray, payload, work.timeout, ending=ending.pop_all())
    try:
        return ClusterPool(transport, retries=work.retries)
    except BaseException:
        transport.close()
        raise


def _connect(ray: Any, address: str) -> None:
    """Connect to a cluster that runs."""
    try:
        _check_port(address)
        ray.init(address=address, **QUIET)
    except (OSError, RuntimeError, ValueError) as error:
        why = f"no cluster of Ray answers at {address}: {named(error)}"
        raise TargetError(why) from error


def _start(ray: Any, size: int, ending: contextlib.ExitStack) -> None:
    """Start a cluster on this machine, with processes that die with this one.

    Without help they would notice its death after 15 seconds.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no usage statistics are sent
    mark = f"{family.MARK}{secrets.token_hex(8)}"
    watchdog = Watchdog(f"{mark}=")
    watchdog.enter(0)
    ending.callback(watchdog.close)
    ending.callback(_set_mode, os.environ.get(MODE))
    os.environ[mark] = "ray"
    try:
        ray.init(
            address="local", num_cpus=size, include_dashboard=False,
            _node_ip_address="127.0.0.1", **QUIET,
        )  # fmt: skip
    finally:
        del os.environ[mark]


def _set_mode(before: str | None) -> None:
    """Connect to the next cluster with the mode of authentication of this process.

    From 2.60 on, Ray sets the mode of the whole process when it starts a cluster on this machine,
    and can then use no cluster of another mode.
    """
    if os.environ.get(MODE) == before:
        return
    if before is None:
        del os.environ[MODE]
    else:
        os.environ[MODE] = before
    with contextlib.suppress(ImportError, AttributeError):  # internal parts of Ray
        from ray._raylet import AuthenticationTokenLoader, Config

        Config.initialize("")  # reads the mode again
        AuthenticationTokenLoader.instance().reset_cache()


def _check_port(address: str) -> None:
    """Refuse an address without a server, for which Ray would wait for minutes."""
    if found := re.fullmatch(r"(?:ray://)?([^:/]+):(\d+)", address):
        socket.create_connection((found[1], int(found[2])), timeout=ANSWER).close()


@contextlib.contextmanager
def _signals_kept() -> Iterator[None]:
    """Context manager that restores the handler of SIGTERM: Ray's ends the process."""
    main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if main:
            signal.signal(signal.SIGTERM, before)

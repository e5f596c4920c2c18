"""What evaluations share is restored; what cannot be restored is told.

Each case runs in a process of its own, as it changes that process.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

from racing.evaluate.surroundings import FACETS, Surroundings

CHANGES = {
    "user": "os.seteuid(65534)",
    "root folder": "os.chroot('/tmp')",
    "timer": "signal.setitimer(signal.ITIMER_REAL, 60)",
    "signal handler": "signal.signal(signal.SIGTERM, signal.SIG_IGN)",
    "signal mask": "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])",
    "working folder": "os.chdir('/')",
    "environment": "os.environ['NEW'] = '1'; del os.environ['PATH']",
    "file mode mask": "os.umask(0o123)",
    "limit of resources": "resource.setrlimit(resource.RLIMIT_NOFILE, (99, M))",
    "priority": "os.nice(1)",
    "locale": "locale.setlocale(locale.LC_ALL, 'C.UTF-8' if before == 'C' else 'C')",
    "warning filter": "warnings.simplefilter('error')",
    "recursion limit": "sys.setrecursionlimit(5000)",
    "garbage collection": "gc.disable()",
    "error handling of NumPy": "numpy.seterr(all='raise')",
}
IMPORTS = "import gc, locale, numpy, os, resource, signal, sys, warnings"


def elsewhere(function: Callable[..., object], *arguments: object) -> object:
    """What a function returns in a new process."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(function, *arguments).result(60)


def change(name: str) -> tuple[bool, tuple[str, ...], bool]:
    """Whether it was changed, what stays, and whether it is as before."""
    facet, found = FACETS[name], Surroundings()
    before = facet.read()
    maximum = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    exec(f"{IMPORTS}\n{CHANGES[name]}", {"before": before, "M": maximum})
    changed = facet.read() != before
    stays = found.restore()
    return changed, stays, facet.read() == before


@pytest.mark.parametrize("name", FACETS)
def test_each_facet_is_restored(name: str) -> None:
    if name in ("user", "root folder") and os.geteuid() != 0:
        pytest.skip("only root may change it")
    changed, stays, restored = elsewhere(change, name)  # type: ignore[misc]
    assert changed
    assert restored == (stays == ())
    assert restored or name == "root folder" or (name == "priority" and os.geteuid() != 0)


def leave(what: str) -> tuple[str, ...]:
    """What stays after that."""
    found = Surroundings()
    match what:
        case "thread":
            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        case "thread that ends":
            threading.Thread(target=time.sleep, args=(0.01,)).start()
        case "user":
            os.setgid(65534)
            os.setuid(65534)
        case "child":
            subprocess.Popen(["sleep", "60"])
        case "child that has ended":
            subprocess.Popen(["true"])
            time.sleep(0.2)
        case "streams":
            sys.stdout.close()
            os.close(2)
            sys.stdin = None
    stays = found.restore()
    os.write(2, b"it can be written to\n")
    print("and printed")
    return stays


@pytest.mark.parametrize(
    ("what", "stays"),
    [
        ("thread", ("a thread",)),
        ("thread that ends", ()),
        ("child", ("a child process",)),
        ("child that has ended", ()),
        ("streams", ()),
        pytest.param(
            "user",
            ("another user",),
            marks=pytest.mark.skipif(os.geteuid() != 0, reason="only root may become another"),
        ),
    ],
)
def test_what_is_left_behind_is_told(what: str, stays: tuple[str, ...]) -> None:
    assert elsewhere(leave, what) == stays


def draws(seed: int) -> tuple[float, float]:
    """Shared random numbers."""
    Surroundings().begin(seed)
    return random.random(), float(np.random.random())  # noqa: NPY002


def test_shared_random_numbers_depend_on_the_seed_alone() -> None:
    assert elsewhere(draws, 3) == elsewhere(draws, 3) != elsewhere(draws, 4)


def leave_twice() -> list[tuple[str, ...]]:
    """What stays after evaluations that leave a thread, nothing, a child, and another child."""
    found, stays = Surroundings(), []
    for what in ("thread", "", "child", "child"):
        if what == "thread":
            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        elif what:
            subprocess.Popen(["sleep", "60"])
        stays.append(found.restore())
    return stays


def test_what_stays_is_told_once() -> None:
    child = ("a child process",)
    assert elsewhere(leave_twice) == [("a thread",), (), child, child]


def lost() -> tuple[str, ...]:
    """What stays when the working folder is gone."""
    os.makedirs("/tmp/racing-gone", exist_ok=True)
    os.chdir("/tmp/racing-gone")
    found = Surroundings()
    os.chdir("/")
    os.rmdir("/tmp/racing-gone")
    return found.restore()


def test_what_cannot_be_restored_is_told() -> None:
    assert elsewhere(lost) == ("another working folder",)

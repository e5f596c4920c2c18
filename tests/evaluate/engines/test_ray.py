"""The engine `ray`, in a network of its own: Ray opens its sockets on every interface.

It also writes into the home directory, and starts many processes. So its tests (`ray_inside.py`)
run in namespaces of their own for network and processes, with a private home and temporary folder.
The kernel ends whatever is left in there.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from tests.evaluate.cluster_kit import PATIENCE

INSIDE = Path(__file__).parents[1] / "ray_inside.py"
ROOT = INSIDE.parents[2]
NAMESPACE = ("unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc")


def reason() -> str:
    """Why the tests cannot be run here; empty if they can."""
    if importlib.util.find_spec("ray") is None:
        return "the engine ray needs the extra racing[ray]; `make cluster` fetches it"
    if shutil.which("unshare") is None or shutil.which("ip") is None:
        return "there is no `unshare` or no `ip` for a network namespace"
    if subprocess.run([*NAMESPACE, "true"], capture_output=True).returncode != 0:
        return "namespaces are not allowed here"
    return ""


@pytest.mark.cluster
def test_races_on_ray_in_a_network_of_their_own() -> None:
    if why := reason():
        pytest.skip(why)
    with tempfile.TemporaryDirectory() as home:  # short: a socket's path has 107 characters at most
        command = [
            *NAMESPACE, "sh", "-c", 'ip link set lo up && exec "$@"', "sh",
            sys.executable, "-m", "pytest", INSIDE, "-m", "", "--verbosity=0", "-x",
            "--durations=0", "-p", "no:cacheprovider", "--basetemp", Path(home) / "p",
        ]  # fmt: skip
        own = dict.fromkeys(("HOME", "TMPDIR", "RAY_TMPDIR"), home)
        tests = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, **own, "RAY_USAGE_STATS_ENABLED": "0"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        timer = threading.Timer(10 * PATIENCE, tests.kill)
        timer.start()
        said = tests.communicate()[0]  # what they had said by then, if they were killed
        timer.cancel()
    assert tests.returncode == 0, said[-6000:]
    assert " passed" in said

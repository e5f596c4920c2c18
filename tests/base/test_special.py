"""SciPy's functions, and what is said where there is no memory for them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

_LIMITED = """
import re, resource, sys
import numpy
from racing.base.special import ndtr

size = int(re.search(r"VmSize:\\s+(\\d+)", open("/proc/self/status").read())[1]) << 10
resource.setrlimit(resource.RLIMIT_AS, (size + (int(sys.argv[1]) << 20),) * 2)
try:
    print(ndtr(0.0))
except MemoryError as error:
    print(error)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="needs the /proc of Linux")
@pytest.mark.parametrize("room", [5, 20, 60])
def test_too_little_memory_for_scipy_is_said(room):
    done = subprocess.run(
        [sys.executable, "-c", _LIMITED, str(room)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.stdout.startswith("SciPy cannot be loaded: "), done.stderr
    assert "raise `ulimit -v`" in done.stdout

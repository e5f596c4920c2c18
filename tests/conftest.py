"""How the whole suite runs."""

import os
import signal
import sys

import pytest
from hypothesis import settings

# The same examples every time; `pytest --hypothesis-profile search` looks for new ones.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None)
settings.load_profile("repeatable")

# Tests start hundreds of programs: they find compiled modules, whatever the environment says.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A shell starts what runs in the background with SIGINT ignored, and tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors, as some tests wait."""
    return (os.cpu_count() or 1) + 1

"""Children on a machine of a cluster: attempts dropped before they came, or that cannot begin."""

from __future__ import annotations

import errno
import subprocess
import sys

import pytest

from racing.evaluate.engines.agent import Agent
from racing.evaluate.engines.loky_process import WorkerProcess
from tests.evaluate.cluster_kit import experiments


def test_an_attempt_that_was_dropped_on_its_way_is_not_begun() -> None:
    """The order to kill it can come before the attempt does."""
    agent = Agent(b"no work", None)
    [experiment] = experiments(0.0)
    slot = agent._slot(0)
    slot.kill(7)
    for number in (6, 7):
        assert slot.attempt(number, experiment, "dask-1").outcome is None
    assert slot.attempt(8, experiment, "dask-1").outcome is not None
    agent.close()
    assert len(agent._running) == 0


def test_a_machine_that_starts_no_more_processes_charges_nobody_with_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(self: WorkerProcess, experiment: bytes) -> None:
        raise OSError(errno.EAGAIN, "no more processes")

    agent = Agent(b"no work", None)
    [experiment] = experiments(0.0)
    with monkeypatch.context() as patch:
        patch.setattr(WorkerProcess, "start", refuse)
        report = agent.attempt(0, 1, experiment, "ray-1")
    assert report.outcome is None
    assert "no more processes" in str(report.short)
    assert agent.attempt(0, 2, experiment, "ray-1").outcome is not None, "another child is started"
    agent.close()


def test_loky_is_imported_whole_before_there_are_threads() -> None:
    """Threads that import parts of it at once may find one that is half initialized."""
    code = (
        "import sys\n"
        "from racing.evaluate.engines.agent import Agent\n"
        "agent = Agent(b'no work', None)\n"
        "before = {name for name in sys.modules if 'loky' in name or 'resource_tracker' in name}\n"
        "from racing.evaluate.engines.loky_process import _start_trackers\n"
        "from joblib.externals.loky import BrokenProcessPool\n"
        "from joblib.externals.loky.process_executor import ProcessPoolExecutor\n"
        "from joblib.externals.loky.backend.reduction import dumps\n"
        "_start_trackers()\n"
        "after = {name for name in sys.modules if 'loky' in name or 'resource_tracker' in name}\n"
        "agent.close()\n"
        "print('joblib.externals.loky.backend.resource_tracker' in before, *(after - before))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "True\n", done.stderr

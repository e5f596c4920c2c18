"""Children on a machine of a cluster: attempts dropped before they came, or that cannot begin."""

from __future__ import annotations

import errno

import pytest

from racing.evaluate.engines.agent import Agent
from racing.evaluate.engines.loky import Process
from tests.evaluate.cluster_kit import experiments


def test_an_attempt_that_was_dropped_on_its_way_is_not_begun() -> None:
    """The order to kill it can come before the attempt does."""
    agent = Agent(b"no work", None)
    [experiment] = experiments(0.0)
    child = agent._child(0)
    child.kill(7)
    for number in (6, 7):
        assert child.attempt(experiment, number).outcome is None
    assert child.attempt(experiment, 8).outcome is not None
    agent.close()
    assert len(agent._common.running) == 0


def test_a_machine_that_starts_no_more_processes_charges_nobody_with_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(self: Process) -> None:
        raise OSError(errno.EAGAIN, "no more processes")

    agent = Agent(b"no work", None)
    [experiment] = experiments(0.0)
    with monkeypatch.context() as patch:
        patch.setattr(Process, "_starts", refuse)
        report = agent.attempt(0, 1, experiment, "ray-1")
    assert report.outcome is None
    assert "no more processes" in str(report.short)
    assert agent.attempt(0, 2, experiment, "ray-1").outcome is not None, "another child is started"
    agent.close()

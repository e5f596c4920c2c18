"""Children on a machine of a cluster: an attempt that was dropped before it came."""

from __future__ import annotations

from racing.evaluate.engines.agent import Agent
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

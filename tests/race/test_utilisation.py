"""What speculation is for: busy workers, at little waste. The benchmark has the whole table."""

from __future__ import annotations

import statistics

import pytest

from benchmarks.utilisation import Simulation, World, live


def test_idle_workers_become_busy_at_little_waste() -> None:
    """8 workers, 30 candidates: as in the documentation, over fewer races."""
    worlds = [World.of(30, seed) for seed in range(3)]
    without = Simulation(worlds[0], 8, 0.0).run()
    assert without.used < 0.65
    assert without.wasted == pytest.approx(0.0)
    default = [Simulation(world, 8, 0.1).run() for world in worlds]
    assert statistics.mean(one.used for one in default) > 0.88
    assert statistics.mean(one.wasted for one in default) < 0.08


def test_the_loop_does_what_the_simulation_says() -> None:
    """The same bound, by the real loop on threads; times are not compared."""
    world = World.of(6, 1, mean=0.0005)
    for share in (0.0, 0.1):
        found = live(world, 4, share)
        assert 0 < found.used <= 1
        assert found.wasted >= 0
        assert share or found.wasted == pytest.approx(0.0)

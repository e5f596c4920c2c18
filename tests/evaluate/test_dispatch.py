"""The benchmark of what handing out costs runs, and counts the processors of all processes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from benchmarks.dispatch import ENGINES, by_racing


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("name", ["function/loky", "command/threading", "command/in-process"])
def test_it_measures_racing_and_the_bare_engine(name: str) -> None:
    evaluator, engine, jobs, bare = ENGINES[name]
    assert by_racing(evaluator, engine, jobs, 6) >= 0
    assert bare(6) >= 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_what_children_use_is_counted() -> None:
    from benchmarks.dispatch import processors_used

    before = processors_used()
    subprocess.run([sys.executable, "-c", "sum(k * k for k in range(3_000_000))"], check=True)
    assert processors_used() > before

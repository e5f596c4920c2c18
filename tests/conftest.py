"""How the whole suite runs."""

import gc
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# Tests start hundreds of programs, which would compile every module again where
# PYTHONDONTWRITEBYTECODE is set: they share compiled modules outside the sources instead,
# and so does this process with its tests, and with hypothesis, which pytest compiles itself.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
    os.environ.setdefault("PYTHONPYCACHEPREFIX", str(ROOT / "build" / "pycache"))
    sys.pycache_prefix, sys.dont_write_bytecode = os.environ["PYTHONPYCACHEPREFIX"], False


def roomy(folder: Path) -> bool:
    """Whether tests can write there, up to 2 GB, and run programs from there."""
    return (
        os.access(folder, os.W_OK)
        and shutil.disk_usage(folder).free > 2**31
        and not os.statvfs(folder).f_flag & os.ST_NOEXEC
    )


# Tests write thousands of logs and small files, and a log waits for the disk at each outcome: they
# stand in memory where that is possible.
MEMORY = Path("/dev/shm")
if "TMPDIR" not in os.environ and roomy(MEMORY):
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)  # pytest has asked for the place already

from hypothesis import settings  # noqa: E402, after the place of compiled modules is known

from tests.runs_kit import Kept  # noqa: E402

# The same examples every time; `pytest --hypothesis-profile search` looks for new ones.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None)
settings.load_profile("repeatable")

# A shell starts what runs in the background with SIGINT ignored, and tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """Finished runs and other folders that many tests begin with."""
    return Kept(tmp_path_factory.mktemp("kept"))


LONG = (
    "analysis/test_unseen_team.py", "chaos/", "cli/test_explain.py", "cli/test_portfolio.py",
    "cli/test_program.py", "core/test_failures.py", "docs/test_cluster.py",
    "docs/test_examples.py", "docs/test_howto.py", "docs/test_paper.py", "docs/test_readme.py",
    "evaluate/engines/", "evaluate/test_dispatch.py", "evaluate/test_event_loop.py",
    "evaluate/test_mixes.py", "evaluate/test_pool.py", "evaluate/test_process.py",
    "evaluate/test_shortage.py", "evaluate/test_stops.py", "evaluate/test_surroundings.py",
    "examples/", "fuzz/", "laws/test_added_instances.py", "laws/test_capped_searches.py",
    "laws/test_copies.py", "laws/test_front_searches.py", "laws/test_goal_searches.py",
    "laws/test_history.py", "laws/test_iterated.py", "laws/test_metric_runs.py",
    "laws/test_metrics.py", "laws/test_portfolio_searches.py", "laws/test_reuse.py",
    "laws/test_unseen.py", "log/test_kept.py", "optuna/", "race/test_answer.py", "racing_lab/",
    "reference/test_corani_benavoli.py", "report/test_browser.py", "report/test_families.py",
    "report/test_figures.py", "rules/test_auto.py", "rules/test_bets.py",
    "rules/test_front_bets.py", "runner/test_chaos.py", "runner/test_run.py",
    "runner/test_search_runs.py", "search/test_evidence.py", "search_lab/", "search_live/",
    "sklearn/", "stats/test_additive.py", "stats/test_brunner_munzel.py",
    "stats/test_dominance.py", "stats/test_effects.py", "test_windows.py",
)  # fmt: skip
"""Pages, real solvers, engines and processes, experiments, whole runs: `make long` runs them."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what takes long."""
    for item in items:
        if item.nodeid.removeprefix("tests/").startswith(LONG):
            item.add_marker(pytest.mark.long)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Garbage collections need not look through thousands of collected tests again and again."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors, as some tests wait."""
    return (os.cpu_count() or 1) + 1

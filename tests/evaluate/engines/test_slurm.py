"""Jobs of Slurm are asked for as the scenario says, and given back if they do not come."""

from __future__ import annotations

import shutil
import signal
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from racing.base.errors import MissingExtra, TargetError
from racing.evaluate.engines import slurm
from racing.evaluate.work import Plain

WORK = Plain(lambda experiment: experiment.outcome(1.0))


class Cluster:
    """A cluster that notes what it is asked for."""

    made: list[Cluster] = []  # noqa: RUF012
    fails = False

    def __init__(self, **options: Any) -> None:
        self.options, self.jobs, self.closed = options, (0, 0), False
        Cluster.made.append(self)

    def adapt(self, *, minimum_jobs: int, maximum_jobs: int) -> None:
        self.jobs = minimum_jobs, maximum_jobs

    def wait_for_workers(self, many: int) -> None:
        if Cluster.fails:
            raise TimeoutError("no job has started")

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> type[Cluster]:
    pytest.importorskip("distributed", reason="Slurm needs the extra racing[slurm]")
    from racing.evaluate.engines import dask

    monkeypatch.setitem(sys.modules, "dask_jobqueue", SimpleNamespace(SLURMCluster=Cluster))
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(dask, "over", lambda work, where, cluster: cluster)
    monkeypatch.setattr(Cluster, "made", [])
    monkeypatch.setattr(Cluster, "fails", False)
    return Cluster


@pytest.mark.parametrize(("cores", "size", "jobs"), [(None, 3, 3), (4, 3, 1), (4, 9, 3)])
def test_as_many_jobs_as_hold_all_evaluations(
    cluster: type[Cluster], cores: int | None, size: int, jobs: int
) -> None:
    from dask import config

    with config.set({"jobqueue.slurm.cores": cores, "jobqueue.slurm.memory": None}):
        slurm.open_(WORK, size)
    [made] = cluster.made
    assert made.jobs == (jobs, jobs)
    assert made.options == {"cores": cores or 1, "memory": "2GB"}
    assert not made.closed


def test_jobs_that_do_not_start_are_given_back(cluster: type[Cluster]) -> None:
    cluster.fails = True
    with pytest.raises(TimeoutError):
        slurm.open_(WORK, 2)
    assert cluster.made[0].closed


def test_where_there_is_no_slurm_it_says_so(
    cluster: type[Cluster], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(TargetError, match="there is no sbatch here"):
        slurm.open_(WORK, 1)
    assert cluster.made == []


def test_without_dask_jobqueue_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dask_jobqueue", None)
    with pytest.raises(MissingExtra, match=r"racing\[slurm\]"):
        slurm.open_(WORK, 1)


def test_ctrl_c_is_left_to_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "dask_jobqueue.py").write_text(
        "import signal, sys\nsignal.signal(signal.SIGINT, lambda *_: sys.exit())\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "dask_jobqueue", raising=False)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    before = signal.getsignal(signal.SIGINT)
    try:
        with pytest.raises(TargetError, match="there is no sbatch here"):
            slurm.open_(WORK, 1)
        assert "dask_jobqueue" in sys.modules
        assert signal.getsignal(signal.SIGINT) is before
    finally:
        signal.signal(signal.SIGINT, before)
        sys.modules.pop("dask_jobqueue", None)

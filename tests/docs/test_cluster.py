"""What the page says of Slurm, run without Slurm: with stand-ins for the programs that it calls."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from racing.log import SQLiteLog
from racing.scenario import reads
from tests.docs.blocks import ROOT, blocks
from tests.scenario.bad_scenarios import scenario
from tests.waiting import eventually

PAGE = (ROOT / "docs" / "howto" / "cluster.md").read_text()
STAND_INS = {
    "dask": 'echo "dask $*" >> calls\n'
    '[ "$1" = scheduler ] && sleep 0.3 && echo "{}" > scheduler.json\n',
    "srun": 'echo "srun $*" >> calls\nexec "$@"\n',
    "racing": 'echo "racing $*" >> calls\n[ -z "$LONG" ] || exec sleep 1000\n',
}

needs_jobqueue = pytest.mark.skipif(  # without an import, which changes what Ctrl-C does here
    importlib.util.find_spec("dask_jobqueue") is None,
    reason="needs dask-jobqueue, which the extra dev brings",
)


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """The script of the page, and beside it what stands for the programs."""
    (text,) = [block.text for block in blocks(PAGE) if "#SBATCH" in block.text]
    assert text.startswith("#!/bin/sh\n"), "sbatch refuses a script without it"
    path = tmp_path / "race.sbatch"
    path.write_text(text)
    (tmp_path / "bin").mkdir()
    for name, body in STAND_INS.items():
        program = tmp_path / "bin" / name
        program.write_text(f"#!/bin/sh\n{body}")
        program.chmod(0o755)
    return path


def start(script: Path, **environment: str) -> subprocess.Popen[bytes]:
    search = f"{script.parent}/bin:{os.environ['PATH']}"
    return subprocess.Popen(
        ["sh", script],
        cwd=script.parent,
        env={**os.environ, "PATH": search, **environment},
        start_new_session=True,
    )


def calls(script: Path) -> list[str]:
    path = script.parent / "calls"
    return path.read_text().splitlines() if path.exists() else []


@pytest.mark.parametrize("again", [False, True], ids=["first", "submitted again"])
def test_it_starts_scheduler_workers_and_the_race(script: Path, again: bool) -> None:
    if again:
        (script.parent / "runs").mkdir()
        (script.parent / "runs" / "race.sqlite").touch()
    assert start(script).wait(60) == 0
    said = calls(script)
    assert "dask scheduler --scheduler-file scheduler.json --no-dashboard" in said
    assert any(line.startswith("srun dask worker --scheduler-file scheduler.json") for line in said)
    race = "racing run race.yaml --log runs/race.sqlite"
    assert said[-1] == ("racing resume runs/race.sqlite" if again else race)


def test_sigterm_reaches_the_race(script: Path) -> None:
    process = start(script, LONG="1")
    assert eventually(lambda: any("racing" in line for line in calls(script)))
    process.send_signal(signal.SIGTERM)
    process.wait(60)
    assert calls(script)[-1].startswith("racing run")


SBATCH = """#!/bin/sh
for script; do :; done
cp "$script" submitted.$$
setsid sh submitted.$$ > job.$$.log 2>&1 &
echo $! >> jobs
echo "Submitted batch job $!"
"""
RACE = """
name: queue
target: {python: target.py:cost}
space: {x: {real: [0, 1]}}
candidates: {sample: 5}
instances: {list: [a, b, c, d, e, f]}
"""


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[Path]:
    """A folder with a scenario, and a queue that begins each job at once, on this machine."""
    (tmp_path / "jobs").touch()
    (tmp_path / "bin").mkdir()
    for name, body in (("sbatch", SBATCH), ("scancel", "#!/bin/sh\n")):
        program = tmp_path / "bin" / name
        program.write_text(body)
        program.chmod(0o755)
    (tmp_path / "race.yaml").write_text(RACE)
    (tmp_path / "target.py").write_text("def cost(values, instance, seed): return values['x']\n")
    yield tmp_path
    for job in (tmp_path / "jobs").read_text().split():
        with contextlib.suppress(ProcessLookupError):
            os.killpg(int(job), signal.SIGKILL)


@needs_jobqueue
def test_jobs_of_dask_jobqueue_are_used(queue: Path) -> None:
    """With `sbatch` of our own, which runs here what it is given; scheduler on loopback."""
    (text,) = [block.text for block in blocks(PAGE) if "SLURMCluster" in block.text]
    (queue / "tune.py").write_text(text.replace("64", "2"))
    environment = {
        "PATH": f"{queue}/bin:{os.environ['PATH']}",
        "DASK_JOBQUEUE__SLURM__INTERFACE": "lo",
        "DASK_JOBQUEUE__SLURM__SCHEDULER_OPTIONS": "{'dashboard_address': '127.0.0.1:0'}",
    }
    subprocess.run(
        [sys.executable, "tune.py"], cwd=queue, env={**os.environ, **environment}, check=True,
        capture_output=True, timeout=120,
    )  # fmt: skip
    submitted = [path.read_text() for path in queue.glob("submitted.*")]
    assert len(submitted) == 2
    assert all("#SBATCH -p batch\n" in one and "-t 04:00:00\n" in one for one in submitted)
    with SQLiteLog.open(queue / "runs" / "queue.sqlite", write=False) as log:
        assert log.finished is not None
        assert {one.worker.partition("-")[0] for one in log.outcomes()} == {"dask"}


@needs_jobqueue
def test_the_engine_slurm_needs_no_script(queue: Path) -> None:
    environment = {
        "PATH": f"{queue}/bin:{os.environ['PATH']}",
        "DASK_JOBQUEUE__SLURM__INTERFACE": "lo",
        "DASK_JOBQUEUE__SLURM__QUEUE": "batch",
        "DASK_JOBQUEUE__SLURM__SCHEDULER_OPTIONS": "{'dashboard_address': '127.0.0.1:0'}",
    }
    command = [
        sys.executable,
        "-m",
        "racing",
        "run",
        "race.yaml",
        "--engine",
        "slurm",
        "--jobs",
        "2",
    ]
    subprocess.run(
        command, cwd=queue, env={**os.environ, **environment, "PYTHONPATH": str(ROOT)}, check=True,
        capture_output=True, timeout=120,
    )  # fmt: skip
    submitted = [path.read_text() for path in queue.glob("submitted.*")]
    assert len(submitted) == 2
    assert all("#SBATCH -p batch\n" in one for one in submitted)
    with SQLiteLog.open(queue / "runs" / "queue.sqlite", write=False) as log:
        assert log.finished is not None


@needs_jobqueue
def test_without_slurm_the_engine_says_so(queue: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "racing", "run", "race.yaml", "--engine", "slurm"], cwd=queue,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PATH": "/nowhere"},
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 3
    assert "there is no sbatch here" in done.stderr


def test_its_scenarios_are_sound() -> None:
    found = [block.text for block in blocks(PAGE) if block.language == "yaml"]
    values = [text.partition(":")[2].strip() for text in found]
    engines = [reads(scenario(execution=one), "race.yaml").execution.engine for one in values]
    assert engines == ["dask", "ray", "dask"]

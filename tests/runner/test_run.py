"""From a scenario to a winner, and on again after every way to be stopped."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import racing
from racing.base.errors import InputError, LogBusy, LogError, ScenarioError, TargetError
from racing.evaluate.function import Function
from racing.log import SQLiteLog
from racing.race import Stop
from racing.rules import Keep, Sign
from racing.runner.loop import RunOptions
from racing.runner.run import resume, run
from racing.scenario import CandidateSource, InstanceSource, Scenario, read
from tests.runs_kit import calls, decision, result, write_scenario
from tests.runs_kit import racing as program

BRIEF = "Objective: ", "Budget: ", "Instances: "
PATIENCE = 60.0  # seconds that a process may take before a test gives up: nothing is measured


def whole_run(tmp_path: Path, **options) -> Path:
    """The log of an uninterrupted run, one evaluation at a time."""
    options.pop("execution", None)
    options["pause"] = 0.0
    log = tmp_path / "whole" / "log.sqlite"
    run(write_scenario(tmp_path / "whole", **options), log=log)
    return log


def wait_for_calls(folder: Path, n: int, process: subprocess.Popen) -> None:
    """Wait until the target has been called so often, or the run has ended."""
    patience = time.monotonic() + PATIENCE
    while len(calls(folder)) < n and process.poll() is None:
        assert time.monotonic() < patience, "the target is not called any more"
        time.sleep(0.002)


def keys_logged(log: Path) -> set[str]:
    """What the log has an outcome of, as the target notes its calls."""
    with SQLiteLog.open(log, write=False) as book:
        x = {candidate.id: candidate.values["x"] for candidate in book.candidates()}
        seen = {i.step: f"{i.name} {i.seed}" for i in book.instances()}
        return {f"{x[o.candidate]} {seen[o.step]}" for o in book.outcomes()}


# --- killed ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("engine", "kills"), [("threading", 6), ("loky", 4)], ids=lambda value: str(value)
)
def test_kill_9_at_any_moment_then_resume_is_as_if_nothing_had_happened(tmp_path, engine, kills):
    shape = {"candidates": 6, "instances": 40, "noise": 6.0}
    folder, log = tmp_path / "killed", tmp_path / "killed" / "log.sqlite"
    scenario = write_scenario(folder, pause=0.005, execution={"jobs": 2, "engine": engine}, **shape)
    rng, known = random.Random(engine), []
    command = ("run", scenario, "--log", log, "--quiet")
    for _ in range(kills):
        before = len(calls(folder))
        process = program(*command)
        wait_for_calls(folder, before + rng.randint(1, 20), process)
        time.sleep(rng.uniform(0, 0.02))
        process.kill()
        process.communicate(timeout=PATIENCE)
        assert process.returncode == -signal.SIGKILL, "it ended before the kill"
        known.append((len(calls(folder)), keys_logged(log)))
        command = ("resume", log, "--quiet")
    write_scenario(folder, **shape)  # the same target, without its pause
    resume(log, accept_changed_target=True)
    assert result(log) == result(whole_run(tmp_path, **shape))
    for so_far, logged in known:
        assert not logged & set(calls(folder)[so_far:]), "a recorded evaluation was repeated"
    with SQLiteLog.open(log, write=False) as book:
        assert [session.ended is None for session in book.sessions()] == [True] * kills + [False]


def test_a_log_that_another_process_writes_is_refused(tmp_path):
    scenario, log = write_scenario(tmp_path, pause=0.2), tmp_path / "log.sqlite"
    first = program("run", scenario, "--log", log)
    try:
        wait_for_calls(tmp_path, 1, first)
        second = program("resume", log)
        _, said = second.communicate(timeout=PATIENCE)
        assert second.returncode == 4
        assert f"is being written by process {first.pid}" in said
        third = program("run", scenario, "--log", log)
        _, said = third.communicate(timeout=PATIENCE)
        assert third.returncode == 4
        assert "exists already" in said
        with pytest.raises(LogBusy):
            resume(log)
        assert first.poll() is None, "the first one must go on undisturbed"
    finally:
        first.kill()
        first.communicate(timeout=PATIENCE)


# --- interrupted ----------------------------------------------------------------------------------

SEATS = [("in-process", 1), ("threading", 2), ("loky", 2)]


@pytest.mark.parametrize(("engine", "jobs"), SEATS)
def test_one_ctrl_c_finishes_what_runs_and_says_how_to_go_on(tmp_path, engine, jobs):
    shape = {"candidates": 4, "instances": 8}
    folder, log = tmp_path / "stopped", tmp_path / "stopped" / "log.sqlite"
    scenario = write_scenario(
        folder, pause=0.15, execution={"jobs": jobs, "engine": engine}, **shape
    )
    process = program("run", scenario, "--log", log)
    wait_for_calls(folder, 5, process)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    out, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, said
    assert "stopping when what runs is done" in said
    assert f"`racing resume {log}` continues it" in said
    assert "Traceback" not in said
    assert "Ahead so far" in out
    assert keys_logged(log) == set(calls(folder)), "what ran was finished and recorded"
    with SQLiteLog.open(log, write=False) as book:
        assert book.finished is None
        assert book.sessions()[-1].why == "interrupted"
    write_scenario(folder, **shape)  # the same target, without its pause
    resume(log, accept_changed_target=True)
    assert result(log) == result(whole_run(tmp_path, **shape))
    assert len(set(calls(folder))) == len(calls(folder)), "no evaluation was repeated"


@pytest.mark.parametrize(("engine", "jobs"), SEATS)
@pytest.mark.parametrize("terminated", [False, True], ids=["twice", "SIGTERM"])
def test_ctrl_c_twice_or_sigterm_abandons_what_runs(tmp_path, engine, jobs, terminated):
    scenario, log = (
        write_scenario(tmp_path, pause=60.0, execution={"jobs": jobs, "engine": engine}),
        tmp_path / "log.sqlite",
    )
    process = program("run", scenario, "--log", log)
    wait_for_calls(tmp_path, jobs, process)
    if terminated:
        process.send_signal(signal.SIGTERM)  # as `kill`, Slurm and Kubernetes do
    else:
        os.killpg(process.pid, signal.SIGINT)
        line = next(line for line in process.stderr if not line.startswith(BRIEF))
        assert "once more to abandon it" in line
        os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "abandoned" in said
    assert f"`racing resume {log}` continues it" in said
    assert "Traceback" not in said
    assert keys_logged(log) == set()
    with SQLiteLog.open(log, write=False) as book:
        assert book.sessions()[-1].why.startswith("KeyboardInterrupt")


def test_wall_time_kills_programs_that_run(tmp_path):
    """Also with one job, where nothing else is needed but a program that can be killed."""
    scenario = write_scenario(tmp_path, pause=600.0, command=True, budget="1s")
    race = run(scenario, log=tmp_path / "log.sqlite")
    assert race.stopped is Stop.WALL_TIME
    assert race.winner is None
    assert len(calls(tmp_path)) <= 1
    again = resume(tmp_path / "log.sqlite")
    assert again.stopped is Stop.WALL_TIME
    assert len(calls(tmp_path)) <= 1


# --- the disk -------------------------------------------------------------------------------------


def test_a_disk_that_takes_no_more_ends_the_run_and_loses_nothing(tmp_path):
    shape = {"candidates": 8, "instances": 40, "noise": 2.0}
    folder, log = tmp_path / "full", tmp_path / "full" / "log.sqlite"
    scenario = write_scenario(folder, **shape)
    blocks = 400  # of 512 or 1024 bytes: the largest file that this process may write
    shell = f'ulimit -f {blocks}; exec "$0" -m racing run "$1" --log "$2"'
    done = subprocess.run(
        ["sh", "-c", shell, sys.executable, str(scenario), str(log)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 4, done.stderr
    assert "everything recorded before is safe" in done.stderr
    assert "cannot record" in done.stderr
    so_far, logged = len(calls(folder)), keys_logged(log)
    assert logged
    resume(log)
    assert result(log) == result(whole_run(tmp_path, **shape))
    assert not logged & set(calls(folder)[so_far:])


# --- refused --------------------------------------------------------------------------------------


def test_a_log_that_exists_is_refused_before_anything_is_evaluated(tmp_path):
    scenario, log = write_scenario(tmp_path), tmp_path / "log.sqlite"
    run(scenario, log=log)
    before = calls(tmp_path)
    with pytest.raises(LogError, match=r"exists already: continue that run with `racing resume"):
        run(scenario, log=log)
    assert calls(tmp_path) == before


def test_a_target_that_is_not_there_is_refused_before_a_log_is_made(tmp_path):
    scenario, log = write_scenario(tmp_path), tmp_path / "log.sqlite"
    (tmp_path / "target.py").unlink()
    with pytest.raises(TargetError, match="there is no file"):
        run(scenario, log=log)
    assert not log.exists()
    assert not list(tmp_path.glob("*.sqlite*"))


@pytest.mark.parametrize("jobs", [0, -2, 2.5, True, "2"])
def test_jobs_that_cannot_be_are_refused_before_a_log_is_made(tmp_path, jobs):
    scenario, log = write_scenario(tmp_path), tmp_path / "log.sqlite"
    with pytest.raises(InputError, match="jobs must be a whole number, 1 or more, or -1 for"):
        run(scenario, log=log, options=RunOptions(jobs=jobs))
    assert not log.exists()


def test_one_job_per_processor_can_be_asked_for(tmp_path):
    scenario = write_scenario(tmp_path, noise=0.3, execution={"jobs": -1, "engine": "threading"})
    log = tmp_path / "log.sqlite"
    assert run(scenario, log=log).winner.id == 1
    assert resume(log).winner.id == 1


def test_a_run_that_is_over_can_be_told_again_without_its_target(tmp_path):
    scenario, log = write_scenario(tmp_path), tmp_path / "log.sqlite"
    race = run(scenario, log=log)
    (tmp_path / "target.py").unlink()
    again = resume(log)
    assert (again.winner, again.verdicts) == (race.winner, race.verdicts)


def test_resuming_needs_the_files_of_its_instances(tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    for name in "abcdef":
        (data / f"{name}.txt").touch()
    scenario = write_scenario(tmp_path, source={"glob": "data/*.txt"})
    log = tmp_path / "log.sqlite"
    run(scenario, log=log, options=RunOptions(interrupted=lambda: len(calls(tmp_path)) >= 9))
    data.rename(tmp_path / "moved")
    before = len(calls(tmp_path))
    with pytest.raises(InputError, match=r"the instance data/a.txt and 5 more: no such file"):
        resume(log)
    assert len(calls(tmp_path)) == before, "a missing file is no failure of a candidate"
    (tmp_path / "moved").rename(data)
    assert resume(log).winner is not None
    data.rename(tmp_path / "moved")
    assert resume(log).winner is not None, "a run that is over needs them no more"


def test_resuming_needs_the_target_before_it_goes_on(tmp_path):
    scenario = write_scenario(tmp_path, target={"command": "./solver {parameters}"})
    solver, log = tmp_path / "solver", tmp_path / "log.sqlite"
    solver.write_text("#!/bin/sh\necho 1\n")
    solver.chmod(0o755)
    run(scenario, log=log, options=RunOptions(interrupted=lambda: True))
    solver.rename(tmp_path / "elsewhere")
    with pytest.raises(TargetError, match=r"'\./solver' does not exist"):
        resume(log)
    with SQLiteLog.open(log, write=False) as book:
        assert len(book.sessions()) == 1
    (tmp_path / "elsewhere").rename(solver)
    assert resume(log).done


# --- the scenario ---------------------------------------------------------------------------------


def test_the_log_is_where_the_scenario_says(tmp_path):
    run(write_scenario(tmp_path))
    assert (tmp_path / "runs" / "race.sqlite").exists()
    run(write_scenario(tmp_path, log="here.sqlite"))
    assert (tmp_path / "here.sqlite").exists()


def test_the_log_holds_the_whole_scenario(tmp_path):
    path = write_scenario(tmp_path, instances=12)
    scenario, log = read(path), tmp_path / "log.sqlite"
    run(scenario, log=log, options=RunOptions(interrupted=lambda: True))
    path.unlink()
    race = resume(log)
    assert race.done
    assert decision(log) == decision(whole_run(tmp_path, instances=12))


def test_the_number_of_jobs_decides_nothing(tmp_path):
    wanted = decision(whole_run(tmp_path))
    for jobs in (2, 5):
        folder = tmp_path / str(jobs)
        scenario = write_scenario(folder, execution={"jobs": jobs, "engine": "threading"})
        run(scenario, log=folder / "log.sqlite")
        assert decision(folder / "log.sqlite") == wanted


class Problem:
    """An instance that only Python code can give."""

    def __init__(self, k: int) -> None:
        self.k = k

    def __str__(self) -> str:
        return f"problem {self.k}"


def solve(values, instance, seed):
    return values["x"] + instance.k


def a_scenario(**parts) -> Scenario:
    return Scenario(
        target=Function(python=solve),
        candidates=CandidateSource(list=[{"x": k / 5} for k in range(5)]),
        instances=InstanceSource(list=[Problem(k) for k in range(9)]),
        **{"rule": Keep(), **parts},
    )


def test_what_only_python_can_say_is_resumed_with_the_scenario(tmp_path):
    log = tmp_path / "log.sqlite"
    told = []
    options = RunOptions(watch=lambda race, o: told.append(o), interrupted=lambda: len(told) > 11)
    assert not run(a_scenario(), log=log, options=options).done
    with pytest.raises(
        ScenarioError, match=r"call it again .*; .* racing\.resume\(log, scenario=\.\.\.\)"
    ):
        resume(log)
    race = resume(log, scenario=a_scenario())
    assert race.stopped is Stop.INSTANCES
    assert race.winner.values == {"x": 0.0}
    assert race.outcomes == 45


def test_another_scenario_is_refused(tmp_path):
    log = tmp_path / "log.sqlite"
    run(a_scenario(), log=log)
    with pytest.raises(InputError, match=r"another scenario; they differ in \['rule', 'seed'\]"):
        resume(log, scenario=a_scenario(rule=Sign(), seed=8))
    resume(log, scenario=a_scenario(log="elsewhere.sqlite"))


def test_the_public_names_are_these_functions():
    assert racing.run is run
    assert racing.resume is resume

"""The embedded race: killed at many points and gone on with, it ends like the undisturbed one."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import racing
from examples.embedded import own_loop

# The program, killed as it writes line number `left`: before it, in the midst of it, or after it.
KILLED = """
import os, signal, sys
from examples.embedded import own_loop

left, written = int(sys.argv[1]), float(sys.argv[2])
write = own_loop.History.write

def dying(history, kind, what):
    global left
    if left == 0:
        begin = history.path.stat().st_size
        write(history, kind, what)
        size = history.path.stat().st_size
        os.truncate(history.path, begin + int(written * (size - begin)))
        os.kill(os.getpid(), signal.SIGKILL)
    left -= 1
    write(history, kind, what)

own_loop.History.write = dying
own_loop.main(sys.argv[3:])
"""
KILLS = [(1, 0.0), (20, 0.5), (37, 1.0), (14, 0.9), (40, 0.0)]
"""Lines that a session writes, and how much of the next one."""


def kill(left: int, written: float, history: Path, workers: int) -> None:
    """A session that does not survive."""
    words = [str(left), str(written), str(history), "--workers", str(workers)]
    done = subprocess.run([sys.executable, "-c", KILLED, *words], capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr


def told(history: Path) -> racing.Race:
    """The race that a history comes to."""
    race = own_loop.a_race()
    own_loop.History(history).tell(race)
    return race


def facts(race: racing.Race) -> tuple[object, ...]:
    ended = race.stopped, race.winner, race.spent, tuple(race.entrants)
    return *ended, tuple(race.verdicts), race.ranking(), race.results.costs.tobytes()


def outcomes(history: Path) -> list[tuple[int, int]]:
    lines = [json.loads(line) for line in history.read_text().splitlines()]
    found = [line["outcome"] for line in lines if "outcome" in line]
    return [(one["candidate"], one["step"]) for one in found]


@pytest.mark.parametrize("workers", [1, 3])
def test_killed_at_many_points_it_ends_like_the_undisturbed_run(tmp_path: Path, workers: int):
    history, whole = tmp_path / "killed.jsonl", tmp_path / "whole.jsonl"
    for left, written in KILLS:
        kill(left, written, history, workers)
    own_loop.main([str(history), "--workers", str(workers)])
    race = told(history)
    assert race.done
    assert len(race.candidates) == len(own_loop.GIVEN) + own_loop.JOINS
    assert any(verdict.eliminated for verdict in race.verdicts)
    keys = outcomes(history)
    assert len(set(keys)) == len(keys) > sum(left for left, _ in KILLS)
    if workers == 1:  # when a candidate joins depends on how far several workers have come
        own_loop.main([str(whole), "--workers", "1"])
        assert facts(told(whole)) == facts(race)
    undisturbed = own_loop.a_race()
    undisturbed.restore(race.entrants)
    for experiment in undisturbed:
        undisturbed.tell(experiment, own_loop.cost(experiment))
    assert facts(undisturbed) == facts(race)


def test_experiments_are_lost_and_handed_out_again(tmp_path: Path):
    asked: list[tuple[int, int]] = []

    class Watched(own_loop.Machines):
        def run(self, experiment: racing.Experiment) -> float:
            asked.append(experiment.key)
            return super().run(experiment)

    machines, own_loop.Machines = own_loop.Machines, Watched  # type: ignore[misc]
    try:
        own_loop.main([str(tmp_path / "history.jsonl")])
    finally:
        own_loop.Machines = machines  # type: ignore[misc]
    twice = {key for key in asked if asked.count(key) == 2}
    assert len(twice) >= 5
    assert len(asked) == len(set(asked)) + len(twice)
    assert twice <= set(outcomes(tmp_path / "history.jsonl"))


def test_a_run_that_is_over_evaluates_nothing_more(tmp_path: Path, capsys: pytest.CaptureFixture):
    history = tmp_path / "history.jsonl"
    own_loop.main([str(history)])
    first, text = capsys.readouterr().out, history.read_bytes()
    own_loop.main([str(history)])
    assert capsys.readouterr().out == first
    assert history.read_bytes() == text

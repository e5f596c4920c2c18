"""A target that has changed since costs were made: refused, unless that is accepted."""

from __future__ import annotations

import copy
import json
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from racing.base.errors import InputError
from racing.evaluate import function
from racing.evaluate.function import Function
from racing.log import SQLiteLog, TargetFile
from racing.race import Race
from racing.report import gather
from racing.rules import Verdict
from racing.runner.loop import RunOptions
from racing.runner.preflight import as_now, changed_target, check_same
from racing.runner.run import resume, run
from racing.scenario import CandidateSource, InstanceSource, Problem, Scenario, read
from racing.scenario.settings import RaceSettings
from tests.runs_kit import calls, decision, result, write_scenario


def interrupted(folder: Path, after: int = 9, **options: Any) -> Path:
    """The log of a run that was interrupted after so many evaluations."""
    log = folder / "log.sqlite"
    scenario = write_scenario(folder, **options)
    options = RunOptions(interrupted=lambda: len(calls(folder)) >= after)
    assert not run(scenario, log=log, options=options).done
    return log


def test_a_log_that_lacks_newer_keys_is_of_the_same_scenario(tmp_path: Path) -> None:
    scenario = read(write_scenario(tmp_path))
    kept = scenario.to_dict(resolved=True)
    older = {**kept, "space": {"x": {"real": [0, 1]}}, "target": {"python": "target.py:solve"}}
    del older["on_failure"]
    assert older != kept
    check_same(scenario, older, tmp_path / "log.sqlite")
    with pytest.raises(InputError, match=r"another scenario; they differ in .*on_failure"):
        check_same(scenario, {**older, "on_failure": {"retries": 3}}, tmp_path / "log.sqlite")


def without(kept: Any, *places: str) -> Any:
    """What is kept, as a version wrote it that did not know some keys."""
    kept = copy.deepcopy(kept)
    for place in places:
        *inside, key = place.split(".")
        part = kept
        for name in inside:
            part = part[name]
        del part[key]
    return kept


def test_a_log_of_python_objects_that_lacks_newer_keys_is_of_the_same_scenario(
    tmp_path: Path,
) -> None:
    """No file can hold this scenario, so what its log has kept cannot be read back."""

    class Own:
        def __call__(self, results, outlook, rng):
            return Verdict(instances=len(results.block), leader=1)

    def a_scenario(**options: Any) -> Scenario:
        return Scenario(
            name="own",
            target=Function(len),
            candidates=[{"x": 1}, {"x": 2}],
            instances=InstanceSource(
                list=tuple(Problem(name, problem=object()) for name in "abcdef")
            ),
            rule=Own(),
            budget=10,
            **options,
        )

    scenario, log = a_scenario(), tmp_path / "log.sqlite"
    kept = json.loads(json.dumps(scenario.to_dict(resolved=True)))
    older = without(
        kept, "on_failure.retries", "race.min_survivors", "execution", "instances.repeat"
    )
    assert as_now(older) is older
    check_same(scenario, kept, log)
    check_same(scenario, older, log)
    with pytest.raises(InputError, match=r"another scenario; they differ in \['race'\]"):
        check_same(a_scenario(race=RaceSettings(each_test=2)), older, log)


def change(path: Path) -> None:
    path.write_text(path.read_text() + "\n# another program\n")


def noted(log: Path) -> list[tuple[str, int]]:
    with SQLiteLog.open(log, write=False) as book:
        return [(file.path, file.since) for file in book.target_files()]


@pytest.fixture(params=["function", "module", "script", "program"])
def kind(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[dict[str, Any], Path]:
    """How a target is given, and the file that it is."""
    match request.param:
        case "function":
            return {}, tmp_path / "target.py"
        case "module":  # imported once in a process, so each test has its own
            file = tmp_path / f"target_{tmp_path.name}.py"
            beside = 'pathlib.Path(__file__).with_name("target.py").read_text()'
            file.write_text(f"import pathlib\nexec({beside})\n")
            return {"target": {"python": f"{file.stem}:solve"}}, file
        case "script":
            return {"command": True}, tmp_path / "command.py"
        case _:
            file = tmp_path / "solve"
            file.write_text("#!/bin/sh\necho 1 >>calls.txt\necho 1\n")
            file.chmod(0o755)
            return {"target": {"command": "./solve {parameters}"}}, file


def test_a_changed_target_is_refused_and_told(kind: Any, tmp_path: Path) -> None:
    options, file = kind
    log = interrupted(tmp_path, **options)
    before, made = result(log), len(calls(tmp_path))
    content = file.read_text()
    change(file)
    with pytest.raises(InputError) as refused:
        resume(log)
    assert str(refused.value) == (
        f"{file.name} changed since the last evaluation: the {made} costs in {log} were made by "
        "the target as it was before, and cannot be compared with those of another one; put it "
        "back, or begin a new run; or, if the change alters no cost, "
        f"`racing resume {log} --accept-changed-target`, in Python accept_changed_target=True"
    )
    assert result(log) == before
    assert len(calls(tmp_path)) == made
    file.write_text(content)
    assert resume(log).done, "it was put back"
    assert noted(log)[-1][1] == 1


def test_a_change_may_be_accepted_and_is_kept(tmp_path: Path) -> None:
    log = interrupted(tmp_path / "changed")
    change(tmp_path / "changed" / "target.py")
    options = RunOptions(interrupted=lambda: len(calls(tmp_path / "changed")) >= 15)
    assert not resume(log, accept_changed_target=True, options=options).done
    with SQLiteLog.open(log, write=False) as book:
        assert [(file.path, file.after) for file in gather(book).target_changes] == [
            ("target.py", 9)
        ]
    assert resume(log).done, "what was accepted is no change any more"
    assert noted(log) == [("target.py", 1), ("target.py", 10)]
    whole = tmp_path / "whole" / "log.sqlite"
    run(write_scenario(tmp_path / "whole"), log=whole)
    assert decision(log) == decision(whole)
    assert noted(whole) == [("target.py", 1)]


def test_nothing_is_mixed_before_the_first_cost(tmp_path: Path) -> None:
    log = interrupted(tmp_path, after=0)
    change(tmp_path / "target.py")
    assert resume(log).done
    with SQLiteLog.open(log, write=False) as book:
        assert gather(book).target_changes == ()


def test_a_script_that_is_gone_is_another_target(tmp_path: Path) -> None:
    log = interrupted(tmp_path, command=True)
    (tmp_path / "command.py").rename(tmp_path / "moved.py")
    with pytest.raises(InputError, match=r"^command\.py changed"):
        resume(log)
    (tmp_path / "moved.py").rename(tmp_path / "command.py")
    assert resume(log).done


def test_a_run_that_is_over_can_be_told_again_with_another_target(tmp_path: Path) -> None:
    log = tmp_path / "log.sqlite"
    race = run(write_scenario(tmp_path), log=log)
    change(tmp_path / "target.py")
    assert resume(log).winner == race.winner


def test_a_log_without_fingerprints_goes_on_and_has_them_from_then_on(
    tmp_path: Path,
) -> None:
    """As logs of the first two versions have none once they are migrated."""
    log = interrupted(tmp_path)
    with closing(sqlite3.connect(log)) as db, db:
        db.execute("DELETE FROM target_file")
    db.close()
    change(tmp_path / "target.py")
    options = RunOptions(interrupted=lambda: len(calls(tmp_path)) >= 15)
    assert not resume(log, options=options).done
    assert noted(log) == [("target.py", 10)]
    change(tmp_path / "target.py")
    with pytest.raises(InputError, match="the 15 costs in"):
        resume(log)
    with SQLiteLog.open(log, write=False) as book:
        assert gather(book).target_changes == (), "nobody knows what made the first ones"


def test_what_the_target_writes_meanwhile_is_not_the_target(tmp_path: Path) -> None:
    command = {"command": "sh -c 'echo 1 >>calls.txt; echo 1' calls.txt {parameters}"}
    log = interrupted(tmp_path, target=command)
    assert noted(log) == []
    assert resume(log).done
    assert noted(log)[0][1] == 10


def solve(values: dict[str, Any], instance: object, seed: int) -> float:
    return float(values["x"])


def test_a_function_of_python_code_has_the_file_of_its_module(tmp_path: Path) -> None:
    log = tmp_path / "log.sqlite"
    scenario = Scenario(
        target=Function(python=solve),
        candidates=CandidateSource(list=[{"x": 1}, {"x": 2}]),
        instances=InstanceSource(list=list("abcdef")),
        folder=str(tmp_path),
    )
    race: Race = run(scenario, log=log)
    assert race.winner is not None
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert noted(log) == [(__file__, 1), (f"target.python (Python {version})", 1)]


def of_python(target: Any, folder: Path) -> Scenario:
    """A scenario with a target that Python code gives: all of these have one text in a log."""
    target.__qualname__ = "solve"
    return Scenario(
        target=Function(python=target),
        candidates=CandidateSource(list=[{"x": 1}, {"x": 2}]),
        instances=InstanceSource(list=list("abcdef")),
        rule="none",
        folder=str(folder),
        execution={"engine": "in-process"},
    )


def times(factor: float, told: list[float] | None = None) -> Any:
    def solve(values: dict[str, Any], instance: object, seed: int) -> float:
        cost = factor * values["x"]
        if told is not None:
            told.append(cost)
        return cost

    return solve


def started(scenario: Scenario, log: Path, after: int = 4) -> None:
    heard = iter(range(100))
    assert not run(scenario, log=log, options=stopping(heard, after)).done


def stopping(heard: Iterator[int], after: int) -> RunOptions:
    return RunOptions(interrupted=lambda: next(heard) >= after)


def test_another_function_of_the_same_name_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "log.sqlite"
    started(of_python(times(2), tmp_path), log)
    with pytest.raises(InputError, match=r"^factor of target\.python changed since"):
        resume(log, scenario=of_python(times(3), tmp_path))
    with pytest.raises(InputError, match=r"^target\.python changed since"):
        resume(log, scenario=of_python(lambda values, instance, seed: 3.0, tmp_path))
    assert resume(log, scenario=of_python(times(2), tmp_path)).done


def test_what_a_function_changes_itself_is_not_compared(tmp_path: Path) -> None:
    log, told = tmp_path / "log.sqlite", list[float]()
    started(of_python(times(2, told), tmp_path), log)
    assert told
    with pytest.raises(InputError, match=r"^factor of target\.python"):
        resume(log, scenario=of_python(times(3, told), tmp_path))
    options = stopping(iter(range(100)), 2)
    resume(log, scenario=of_python(times(2, told), tmp_path), options=options)
    assert resume(log, scenario=of_python(times(2, told), tmp_path)).done
    with SQLiteLog.open(log, write=False) as book:
        assert gather(book).target_changes == ()


def test_another_function_is_accepted_and_kept(tmp_path: Path) -> None:
    log, other = tmp_path / "log.sqlite", of_python(times(3), tmp_path)
    started(of_python(times(2), tmp_path), log)
    options = stopping(iter(range(100)), 2)
    assert not resume(log, scenario=other, accept_changed_target=True, options=options).done
    assert resume(log, scenario=other).done


def test_a_value_whose_change_was_accepted_is_not_compared_any_more(tmp_path: Path) -> None:
    """It differs in each process, such as the time of its start."""
    log = tmp_path / "log.sqlite"
    started(of_python(times(2), tmp_path), log)
    options = stopping(iter(range(100)), 2)
    other = of_python(times(3), tmp_path)
    assert not resume(log, scenario=other, accept_changed_target=True, options=options).done
    with pytest.raises(InputError, match=r"^target\.python changed since"):
        resume(log, scenario=of_python(lambda values, instance, seed: 3.0, tmp_path))
    assert resume(log, scenario=of_python(times(4), tmp_path)).done


def test_a_function_of_another_version_of_python_is_not_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log.sqlite"
    with monkeypatch.context() as older:
        older.setattr(function, "_GIVEN", "target.{} (Python 2.{})")
        started(of_python(times(2), tmp_path), log)
    assert resume(log, scenario=of_python(times(3), tmp_path)).done


def test_a_reference_to_another_function_than_was_given_is_changed(tmp_path: Path) -> None:
    """A log keeps the name of a function that Python code gave, and finds what has this name."""
    (tmp_path / "target.py").write_text("def solve(values, instance, seed): return 1.0\n")
    target = Function("target.py:solve", cwd=str(tmp_path))
    given = replace(of_python(times(2), tmp_path), target=target)
    name = next(iter(Function(times(2)).checksums()))
    for target, changed in ((given.plan.target.resolve(), []), (times(2), [name])):
        known = Function(target).checksums()
        files = [TargetFile(path=path, sha256=one, since=1) for path, one in known.items()]
        assert changed_target(given, files) == changed

"""Python functions as targets."""

from __future__ import annotations

import functools
import math
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from racing.base.errors import InputError, TargetError
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function
from racing.evaluate.pool import open_pool
from racing.evaluate.shortage import Shortage
from tests.evaluate.cases import experiment


@pytest.fixture(autouse=True)
def _path() -> Iterator[None]:
    """Targets put their folders first among those that imports look in."""
    before = list(sys.path)
    yield
    sys.path[:] = before


def outcome(function: Any, one: Experiment | None = None, **options: Any) -> Any:
    return Evaluator(Function(python=function, **options))(one or experiment())


def test_what_it_is_given() -> None:
    seen: list[Any] = []

    def solve(values: dict[str, Any], instance: object, seed: int) -> float:
        seen.append((values, instance, seed))
        values.clear()  # its own copy
        return 1

    one = Experiment(Candidate(1, {"alpha": 2}), Instance(0, "a", 7))
    assert outcome(solve, one).cost == 1
    assert seen == [({}, "a", 7)]
    assert one.candidate.values == {"alpha": 2}
    problem = object()
    outcome(solve, Experiment(one.candidate, Instance(0, "a", 8, problem)))
    assert seen[1] == ({}, problem, 8)


def test_seconds_are_measured_or_told() -> None:
    def slow(*_: Any) -> float:
        time.sleep(0.02)
        return 1

    assert outcome(slow).seconds >= 0.02
    assert outcome(lambda *_: {"cost": 3, "seconds": 40}).seconds == 40


def test_by_file_with_what_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "helper_of_target.py").write_text("HALF = 0.5\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "target.py").write_text(
        "from helper_of_target import HALF\n"
        "from dataclasses import dataclass\n"
        "@dataclass\nclass Answer:\n    value: 'float'\n"
        "def solve(values, instance, seed):\n    return Answer(HALF).value\n"
    )
    assert outcome("target.py:solve", cwd=str(tmp_path)).cost == 0.5
    assert outcome("../target.py:solve", cwd=str(tmp_path / "sub")).cost == 0.5
    assert outcome(f"{tmp_path}/target.py:solve").cost == 0.5


def test_the_traceback_begins_in_the_target(tmp_path: Path) -> None:
    (tmp_path / "target.py").write_text(
        "def inner():\n    return {}['key']\n"
        "def solve(values, instance, seed):\n    return inner()\n"
    )
    message = outcome("target.py:solve", cwd=str(tmp_path)).message
    headline, first, place, *_ = message.splitlines()
    assert headline == "crashed: KeyError: 'key'"
    assert first == "Traceback (most recent call last):"
    assert "target.py" in place
    assert "racing" not in message.replace(str(tmp_path), "")


def test_a_timeout_interrupts_and_is_gone_afterwards() -> None:
    def endless(*_: Any) -> float:
        while True:
            pass

    before = signal.getsignal(signal.SIGALRM)
    result = outcome(endless, timeout=0.1)
    assert (result.status, result.message) == ("timeout", "timed out after 0.1 s")
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert signal.getsignal(signal.SIGALRM) == before
    assert outcome(lambda *_: 1, timeout=5).cost == 1


def test_a_timeout_in_a_thread_is_a_clear_failure() -> None:
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(outcome(lambda *_: 1, timeout=1)))
    thread.start()
    thread.join()
    assert results[0].status == "crashed"
    assert "main thread" in results[0].message


def test_ctrl_c_is_the_users() -> None:
    def interrupted(*_: Any) -> float:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        outcome(interrupted)


def test_printing_goes_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    def chatty(*_: Any) -> float:
        print("hello")
        return 1

    threads = [threading.Thread(target=outcome, args=(chatty,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print("result")
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("result\n", "hello\n" * 8)


def test_the_function_may_stand_without_its_name() -> None:
    assert Function(a_function) == Function(python=a_function)
    assert Evaluator(Function(a_function))(experiment()).cost == 1


def test_checking() -> None:
    Function(python=lambda values, instance, seed: 1).check(["alpha"])
    Function(python=lambda *_: 1).check(["alpha"])
    with pytest.raises(TargetError, match="must be a function of"):
        Function(python=lambda: 1).check()
    with pytest.raises(InputError, match=r"python must be text such as file.py:function.*; got 5"):
        Function(python=5)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"timeout must be a time above 0.*; got -1"):
        Function(python="a:b", timeout=-1)


# --- the file that it is started from -------------------------------------------------------------


def a_function(values: dict[str, Any], instance: object, seed: int) -> float:
    return 1.0


class Callable:
    def __call__(self, values: dict[str, Any], instance: object, seed: int) -> float:
        return 1.0


HERE = Path(__file__)


@pytest.mark.parametrize(
    "function", [a_function, functools.partial(a_function), Callable(), Callable().__call__]
)
def test_the_file_of_a_function_is_its_modules(function: Any) -> None:
    assert Function(python=function).files() == [HERE]


def test_the_file_of_a_reference_is_the_one_that_it_names(tmp_path: Path) -> None:
    (tmp_path / "solving.py").write_text("from json import loads as solve\n")
    for reference in ("solving.py:solve", "solving:solve"):
        target = Function(python=reference, cwd=str(tmp_path))
        target.resolve()
        assert target.files() == [tmp_path / "solving.py"]
    del sys.modules["solving"]


def test_what_has_no_file_is_not_watched() -> None:
    assert Function(python=max).files() == []
    assert Function(python="math:hypot").files() in ([], [Path(getattr(math, "__file__", ""))])


def test_setup_runs_once_in_each_worker_and_is_not_timed(tmp_path: Path) -> None:
    (tmp_path / "solve.py").write_text(
        "import os, time\n"
        "DATA = {}\n"
        "def load():\n"
        "    time.sleep(1.5)\n"
        "    open(f'{os.path.dirname(__file__)}/{os.getpid()}', 'a').write('x')\n"
        "    DATA['n'] = 7\n"
        "def solve(values, instance, seed):\n"
        "    return DATA['n']\n"
    )
    target = Function("solve.py:solve", setup="solve.py:load", timeout=1.0, cwd=str(tmp_path))
    target.check()
    assert target.files() == [tmp_path / "solve.py"]
    with open_pool(Evaluator(target), jobs=2, engine="loky") as pool:
        for step in range(8):
            pool.submit(Experiment(Candidate(1, {}), Instance(step, "a", 1)))
        outcomes = [one for _ in range(8) if pool.running for one in pool.wait()]
        while pool.running:
            outcomes += pool.wait()
    assert [outcome.cost for outcome in outcomes] == [7.0] * 8
    assert all(outcome.seconds < 1.0 for outcome in outcomes)
    written = [one.read_text() for one in tmp_path.iterdir() if one.suffix == "" and one.is_file()]
    assert set(written) == {"x"}
    assert 1 <= len(written) <= 2


def test_a_setup_that_fails_is_no_failure_of_a_candidate() -> None:
    def broken() -> None:
        raise ValueError("no data")

    target = Function(lambda values, instance, seed: 1.0, setup=broken)
    for _ in range(2):
        with pytest.raises(Shortage, match=r"setup .* ValueError: no data"):
            target.attempt(experiment())


def test_a_setup_takes_no_arguments() -> None:
    with pytest.raises(TargetError, match=r"setup target .* no arguments"):
        Function(lambda values, instance, seed: 1.0, setup=lambda n: None).check()
    with pytest.raises(InputError, match=r'setup must be file.py:function .*; got "load"'):
        Function(lambda values, instance, seed: 1.0, setup="load")

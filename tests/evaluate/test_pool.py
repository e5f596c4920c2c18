"""What every pool keeps: each experiment comes back exactly once, and nothing is left behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

from racing.base.errors import InputError, RaceError, TargetError
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance, Outcome, Status
from racing.core.failures import OnFailure
from racing.evaluate import shortage
from racing.evaluate.command import Command
from racing.evaluate.engines import ENGINES, Engine
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function
from racing.evaluate.pool import open_pool
from racing.evaluate.work import Pool
from racing.scenario import Execution
from tests.waiting import eventually

HERE = Path(__file__).parent
KINDS: dict[str, tuple[str, int]] = {
    "in-process": ("in-process", 1),
    "threading": ("threading", 3),
    "loky": ("loky", 2),
    "asyncio": ("asyncio", 3),
}


def experiments(count: int, **values: Any) -> list[Experiment]:
    instance = Instance(0, "a.cnf", 7)
    return [Experiment(Candidate(i, {"alpha": i, **values}), instance) for i in range(1, count + 1)]


def named(function: str, **options: Any) -> Evaluator:
    return Evaluator(Function(python=f"targets.py:{function}", cwd=str(HERE), **options))


def shell(text: str, **options: Any) -> Evaluator:
    return Evaluator(Command(command=("sh", "-c", text, "sh", "{alpha}"), **options))


def collect(pool: Pool) -> dict[int, Outcome]:
    found: dict[int, Outcome] = {}
    while pool.running:
        for outcome in pool.wait():
            assert outcome.candidate not in found, "returned twice"
            found[outcome.candidate] = outcome
    return found


def answers(pool: Pool, batch: Iterable[Experiment]) -> dict[int, Outcome]:
    """The outcomes of these experiments, in a pool that is closed then."""
    with pool:
        for experiment in batch:
            pool.submit(experiment)
        return collect(pool)


def children() -> set[int]:
    """Live or unreaped children of this process, without the trackers of semaphores."""
    found = set()
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError):  # a thread, or a child, may end while we look
            for pid in (task / "children").read_text().split():
                if b"resource_tracker" not in Path(f"/proc/{pid}/cmdline").read_bytes():
                    found.add(int(pid))
    return found


def _named(pids: set[int]) -> list[str]:
    return [f"{pid}: {Path(f'/proc/{pid}/stat').read_text()[:60]}" for pid in pids]


def running(pattern: str) -> list[int]:
    """Processes with these words in their command lines."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if pattern in words and int(path.parent.name) != os.getpid():
            found.append(int(path.parent.name))
    return found


def exactly(command: str) -> list[int]:
    """Processes whose command line is just this."""
    return [pid for pid in running(command) if _words(pid) == command]


def _words(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode().replace("\0", " ").strip()
    return ""


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> tuple[str, int]:
    return KINDS[request.param]


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    before = children()
    yield
    assert eventually(lambda: children() <= before), _named(children() - before)


def opened(evaluate: Any, kind: tuple[str, int]) -> Pool:
    """A pool; what runs in an event loop is the async function of the same name."""
    if kind[0] == "asyncio":
        if not isinstance(getattr(evaluate, "target", None), Function):
            pytest.skip("engine asyncio runs async functions only")
        target = replace(evaluate.target, python=f"async_{evaluate.target.python}")
        evaluate = replace(evaluate, target=target)
    return open_pool(evaluate, engine=kind[0], jobs=kind[1])  # type: ignore[arg-type]


class TestEveryPool:
    def test_each_experiment_comes_back_exactly_once(self, kind: tuple[str, int]) -> None:
        with opened(named("double"), kind) as pool:
            assert (pool.size, pool.running) == (kind[1], 0)
            for experiment in experiments(20):
                pool.submit(experiment)
            assert pool.running == 20
            found = collect(pool)
            assert {key: one.cost for key, one in found.items()} == {
                i: 2.0 * i for i in range(1, 21)
            }
            assert all(one.status is Status.OK and one.attempts == 1 for one in found.values())

    def test_experiments_may_be_submitted_while_others_run(self, kind: tuple[str, int]) -> None:
        waiting = experiments(12)
        seen: list[int] = []
        with opened(named("double"), kind) as pool:
            while waiting or pool.running:
                while waiting and pool.running < pool.size:
                    pool.submit(waiting.pop())
                seen += [outcome.candidate for outcome in pool.wait()]
        assert sorted(seen) == list(range(1, 13))

    def test_commands(self, kind: tuple[str, int]) -> None:
        found = answers(opened(shell('echo "cost $1"'), kind), experiments(6))
        assert {k: one.cost for k, one in found.items()} == {i: float(i) for i in range(1, 7)}

    def test_failures_are_outcomes(self, kind: tuple[str, int]) -> None:
        troubles = ["raise", "exit", "fine"]
        with opened(named("ill_behaved"), kind) as pool:
            for number, does in enumerate(troubles, start=1):
                pool.submit(experiments(number, does=does)[-1])
            found = collect(pool)
        assert [found[i].status for i in (1, 2, 3)] == ["crashed", "crashed", "ok"]
        assert "ValueError: as asked" in found[1].message
        assert "SystemExit" in found[2].message

    def test_callables_that_are_no_evaluators_may_raise(self, kind: tuple[str, int]) -> None:
        def evaluate(experiment: Experiment) -> Outcome:
            if experiment.candidate.id == 1:
                raise RuntimeError("not an outcome")
            return "nonsense" if experiment.candidate.id == 2 else experiment.outcome(1.0)  # type: ignore[return-value]

        found = answers(opened(evaluate, kind), experiments(3))
        assert found[1].message == "crashed: RuntimeError: not an outcome"
        assert "not its outcome: 'nonsense'" in found[2].message
        assert found[3].cost == 1

    def test_an_outcome_tells_its_worker_and_its_start(self, kind: tuple[str, int]) -> None:
        before = time.time()
        found = answers(opened(named("double"), kind), experiments(6))
        name = {"threading": "thread"}.get(kind[0], kind[0])
        names = {name} if kind[1] == 1 else {f"{name}-{i}" for i in range(1, kind[1] + 1)}
        assert {one.worker for one in found.values()} <= names
        assert all(before <= one.started <= time.time() for one in found.values())

    def test_failed_attempts_are_repeated_and_counted(
        self, kind: tuple[str, int], tmp_path: Path
    ) -> None:
        """The second of three attempts would be enough; the third experiment fails for good."""
        target = Function(python="targets.py:ill_behaved", cwd=str(HERE))
        evaluator = Evaluator(target, on_failure=OnFailure(retries=2))
        batch = [
            Experiment(
                Candidate(number, {"alpha": number, "does": does}),
                Instance(0, str(tmp_path / f"marker-{number}"), 7),
            )
            for number, does in enumerate(["", "raise once", "raise"], start=1)
        ]
        found = answers(opened(evaluator, kind), batch)
        assert [found[i].attempts for i in (1, 2, 3)] == [1, 2, 3]
        assert [found[i].status for i in (1, 2, 3)] == ["ok", "ok", "crashed"]
        assert [len(found[i].earlier) for i in (1, 2, 3)] == [0, 1, 2]
        assert [one.attempts for one in found[3].earlier] == [1, 2]
        starts = [one.started for one in (*found[3].earlier, found[3])]
        assert starts == sorted(starts)
        assert all(one.worker and one.started for one in found[3].earlier)
        assert [line[:15] for line in found[3].message.splitlines() if "attempt" in line] == [
            f"attempt {number} of 3:" for number in (1, 2, 3)
        ]

    def test_what_is_dropped_never_comes_back(self, kind: tuple[str, int]) -> None:
        batch = experiments(10)
        with opened(shell('echo "cost $1"'), kind) as pool:
            for experiment in batch:
                pool.submit(experiment)
            pool.drop(batch[2:5])
            pool.drop(batch[2:3])  # again, and to no effect
            assert pool.running == 7
            assert sorted(collect(pool)) == [1, 2, 6, 7, 8, 9, 10]
            pool.submit(batch[3])  # it may come again
            assert sorted(collect(pool)) == [4]
            pool.submit(batch[4])
            pool.drop()
            assert (pool.running, pool.wait()) == (0, [])

    def test_after_cancelling_nothing_comes_and_nothing_may_be_submitted(
        self, kind: tuple[str, int]
    ) -> None:
        with opened(shell("sleep 1000"), kind) as pool:
            for experiment in experiments(5):
                pool.submit(experiment)
            pool.cancel()
            assert pool.running == 0
            assert pool.wait() == []
            with pytest.raises(RaceError, match="cancelled"):
                pool.submit(experiments(1)[0])
        pool.close()

    def test_what_is_printed_does_not_reach_stdout(
        self, kind: tuple[str, int], capfd: pytest.CaptureFixture[str]
    ) -> None:
        assert (
            answers(opened(named("ill_behaved"), kind), experiments(1, does="print"))[1].cost == 2
        )
        out = capfd.readouterr().out
        assert out == ("" if kind[0] == "loky" else "more chatter\n")  # fd 1 is ours otherwise

    def test_an_evaluator_can_be_used_again_after_its_pool_was_cancelled(
        self, kind: tuple[str, int]
    ) -> None:
        evaluator = shell("echo 1")
        for _ in range(2):
            assert answers(opened(evaluator, kind), experiments(1))[1].cost == 1


class TestParallelPools:
    @pytest.mark.parametrize("kind", ["threading", "loky", "asyncio"])
    def test_waiting_ends_with_the_timeout(self, kind: str) -> None:
        with opened(
            shell("sleep 99") if kind == "threading" else named("ill_behaved"), KINDS[kind]
        ) as pool:
            pool.submit(experiments(1, does="sleep")[0])
            assert pool.wait(0) == []
            assert pool.wait(0.05) == []
            assert pool.running == 1

    @pytest.mark.parametrize("kind", ["threading", "loky", "asyncio"])
    def test_cancelling_wakes_who_waits(self, kind: str) -> None:
        with opened(
            shell("sleep 99") if kind == "threading" else named("ill_behaved"), KINDS[kind]
        ) as pool:
            pool.submit(experiments(1, does="sleep")[0])
            timer = threading.Timer(0.1, pool.cancel)
            timer.start()
            assert pool.wait() == []
            timer.join()

    def test_experiments_run_side_by_side(self, tmp_path: Path) -> None:
        """Each of two waits for the other's file."""
        meet = f"touch {tmp_path}/$1; while [ ! -e {tmp_path}/$((3 - $1)) ]; do sleep 0.01; done"
        found = answers(
            opened(shell(f"{meet}; echo 1", timeout=30), ("threading", 2)), experiments(2)
        )
        assert [one.cost for one in found.values()] == [1, 1]

    @pytest.mark.parametrize("kind", ["threading", "loky"])
    def test_what_is_dropped_is_ended_and_its_place_is_free(self, kind: str) -> None:
        mark = f"sleep 1004.{os.getpid()}"
        text = f'[ "$1" -gt 2 ] || exec {mark}; echo "$1"'
        batch = experiments(4)
        with opened(shell(text), (kind, 2)) as pool:
            for experiment in batch:
                pool.submit(experiment)
            assert eventually(lambda: len(exactly(mark)) == 2)
            pool.drop(batch[:2])
            assert sorted(collect(pool)) == [3, 4]
            assert eventually(lambda: not exactly(mark))

    @pytest.mark.parametrize("kind", ["threading", "loky"])
    def test_the_size_may_change(self, kind: str, tmp_path: Path) -> None:
        """Three wait for each other, so three have to run; then one runs at a time."""
        meet = (
            f"touch {tmp_path}/$1; "
            f"while [ $(ls {tmp_path} | wc -l) -lt 3 ]; do sleep 0.01; done; echo $1"
        )
        with opened(shell(meet, timeout=60), (kind, 1)) as pool:
            for experiment in experiments(3):
                pool.submit(experiment)
            pool.resize(3)  # type: ignore[attr-defined]
            assert pool.size == 3
            assert sorted(collect(pool)) == [1, 2, 3]
            pool.resize(1)  # type: ignore[attr-defined]
            for experiment in experiments(6):
                pool.submit(experiment)
            found = collect(pool)
            assert sorted(found) == [1, 2, 3, 4, 5, 6]
            assert len({one.worker for one in found.values()}) == 1


class TestCommandsAreKilled:
    @pytest.mark.parametrize("kind", ["threading", "loky"])
    def test_on_closing(self, kind: str, tmp_path: Path) -> None:
        mark = f"sleep 1000.{os.getpid()}"
        with opened(shell(f"{mark} & {mark}"), KINDS[kind]) as pool:
            for experiment in experiments(4):
                pool.submit(experiment)
            assert eventually(lambda: len(running(mark)) >= 4)
        assert eventually(lambda: not running(mark))

    def test_even_if_they_ignore_sigterm(self) -> None:
        mark = f"sleep 0.1{os.getpid()}"
        with opened(shell(f"trap '' TERM; while :; do {mark}; done"), ("threading", 2)) as pool:
            for experiment in experiments(2):
                pool.submit(experiment)
            assert eventually(lambda: len(running(mark)) >= 2)
            pool.cancel()
        assert eventually(lambda: not running(mark))

    def test_a_sequential_command_by_an_interruption(self) -> None:
        """The user's handler raises while a command runs: it is killed, and not lost."""

        def handle(*_: object) -> None:
            raise KeyboardInterrupt

        mark = f"sleep 1001.{os.getpid()}"
        before = signal.signal(signal.SIGUSR1, handle)
        try:
            with opened(shell(mark), ("in-process", 1)) as pool:
                pool.submit(experiments(1)[0])
                timer = threading.Timer(
                    0.2,
                    lambda: (
                        eventually(lambda: running(mark)) and os.kill(os.getpid(), signal.SIGUSR1)
                    ),
                )
                timer.start()
                with pytest.raises(KeyboardInterrupt):
                    pool.wait()
                timer.join()
                assert pool.running == 1
                assert eventually(lambda: not running(mark))
        finally:
            signal.signal(signal.SIGUSR1, before)

    def test_a_sequential_command_by_cancelling_in_a_handler(self) -> None:
        mark = f"sleep 1002.{os.getpid()}"
        with opened(shell(mark), ("in-process", 1)) as pool:
            before = signal.signal(signal.SIGUSR1, lambda *_: pool.cancel())
            try:
                pool.submit(experiments(1)[0])
                timer = threading.Timer(
                    0,
                    lambda: (
                        eventually(lambda: running(mark)) and os.kill(os.getpid(), signal.SIGUSR1)
                    ),
                )
                timer.start()
                assert pool.wait() == []
                timer.join()
                assert eventually(lambda: not running(mark))
            finally:
                signal.signal(signal.SIGUSR1, before)


class TestNothingOutlivesUs:
    CONTROLLER = """
import sys
from racing.core.candidate import Candidate
from racing.evaluate.command import Command
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function
from racing.evaluate.pool import open_pool
from racing.core.experiment import Experiment, Instance

kind, jobs, mark = sys.argv[1], int(sys.argv[2]), sys.argv[3]

def solve(values, instance, seed):
    import ctypes, subprocess
    child = subprocess.Popen(mark.split())
    if kind == "locked":  # nothing else in this process can run, for as long as the test takes
        ctypes.PyDLL(None).sleep(1000)
    child.wait()

command = Command(command=("sh", "-c", f"{mark} & {mark}"))
target = Function(python=solve) if kind in ("function", "locked") else command
engine = "loky" if kind in ("function", "locked") else kind
with open_pool(Evaluator(target), jobs=jobs, engine=engine) as pool:
    for number in range(1, 3):
        pool.submit(Experiment(Candidate(number, {}), Instance(0, "a", 7)))
    pool.wait()
"""

    @pytest.mark.parametrize("kind", ["in-process", "threading", "loky", "function", "locked"])
    def test_killed_without_warning(self, kind: str) -> None:
        mark = f"sleep 1003.{os.getpid()}"
        jobs = "1" if kind == "in-process" else "2"
        script = [sys.executable, "-c", self.CONTROLLER, kind, jobs, mark]
        expected = 2 if kind in ("in-process", "function", "locked") else 4
        with subprocess.Popen(script, stderr=subprocess.DEVNULL) as controller:
            try:
                assert eventually(lambda: len(exactly(mark)) >= expected)
            finally:
                controller.kill()
        assert eventually(lambda: not exactly(mark))


class TestWorkersThatDie:
    def test_no_other_experiment_is_lost_or_blamed(self) -> None:
        troubles = {2: "die", 5: "killed", 7: "interrupt", 9: "die"}
        batch = [experiments(i, does=troubles.get(i, ""))[-1] for i in range(1, 13)]
        found = answers(opened(named("ill_behaved"), KINDS["loky"]), batch)
        assert sorted(found) == list(range(1, 13))
        for number, outcome in found.items():
            if number not in troubles:
                assert (outcome.status, outcome.cost, outcome.attempts) == ("ok", 2.0 * number, 1)
        assert [found[i].status for i in troubles] == ["crashed"] * 4
        assert [found[i].attempts for i in troubles] == [2, 2, 1, 2]
        assert found[2].message == "crashed: its worker process died twice, lastly by EXIT(3)"
        assert [one.worker != found[2].worker for one in found[2].earlier] == [True]
        assert "SIGKILL" in found[5].message
        assert "KeyboardInterrupt" in found[7].message

    def test_an_accident_is_not_held_against_an_experiment(self, tmp_path: Path) -> None:
        instance = Instance(0, str(tmp_path / "marker"), 7)
        (outcome,) = answers(
            opened(named("ill_behaved"), ("loky", 1)),
            [Experiment(Candidate(3, {"alpha": 3, "does": "die once"}), instance)],
        ).values()
        assert (outcome.cost, outcome.status, outcome.attempts) == (6, "ok", 2)
        assert outcome.earlier[0].message.startswith("crashed: its worker process died by EXIT(3)")

    def test_accidents_and_retries_are_counted_apart(self, tmp_path: Path) -> None:
        """A death allows one more attempt, beyond the retries that failures have."""
        target = Function(python="targets.py:ill_behaved", cwd=str(HERE))
        evaluator = Evaluator(target, on_failure=OnFailure(retries=1))
        for does, attempts in (("raise", 2), ("die", 3), ("die once, then raise", 3)):
            instance = Instance(0, str(tmp_path / does), 7)
            (outcome,) = answers(
                opened(evaluator, ("loky", 1)),
                [Experiment(Candidate(1, {"alpha": 1, "does": does}), instance)],
            ).values()
            assert (outcome.status, outcome.attempts) == ("crashed", attempts), does

    def test_a_worker_that_dies_while_starting_is_no_evidence(self, tmp_path: Path) -> None:
        """The first two imports end the process; then all goes well, at the first attempt."""
        (tmp_path / "fragile.py").write_text(
            "import os, pathlib\n"
            "for name in ('first', 'second'):\n"
            "    mark = pathlib.Path(__file__).with_name(name)\n"
            "    if not mark.exists():\n"
            "        mark.touch()\n"
            "        os._exit(1)\n"
            "def solve(values, instance, seed):\n    return values['alpha']\n"
        )
        target = Function(python="fragile.py:solve", cwd=str(tmp_path))
        (outcome,) = answers(opened(Evaluator(target), ("loky", 1)), experiments(1)).values()
        assert (outcome.cost, outcome.attempts, outcome.worker) == (1, 1, "loky-3")

    def test_a_target_that_no_worker_can_import_ends_the_run(self, tmp_path: Path) -> None:
        (tmp_path / "fatal.py").write_text("import os\nos._exit(7)\n")
        target = Function(python="fatal.py:solve", cwd=str(tmp_path))
        with opened(Evaluator(target), ("loky", 1)) as pool:
            pool.submit(experiments(1)[0])
            with pytest.raises(TargetError, match=r"died while they started, lastly by EXIT\(7\)"):
                pool.wait()

    def test_importing_the_target_is_no_part_of_an_evaluation(self, tmp_path: Path) -> None:
        (tmp_path / "slow.py").write_text(
            "import time\ntime.sleep(1.5)\n"
            "def solve(values, instance, seed):\n    return values['alpha']\n"
        )
        for engine in ("loky", "in-process"):
            target = Function(python="slow.py:solve", cwd=str(tmp_path), timeout=1.4)
            (outcome,) = answers(opened(Evaluator(target), (engine, 1)), experiments(1)).values()
            assert (outcome.status, outcome.cost) == ("ok", 1), engine
            assert outcome.seconds < 1.5

    def test_a_worker_killed_while_idle_is_replaced(self) -> None:
        with opened(named("surroundings"), ("loky", 1)) as pool:
            pool.submit(experiments(1)[0])
            (outcome,) = collect(pool).values()
            os.kill(int(outcome.seconds), signal.SIGKILL)
            pool.submit(experiments(2)[1])
            (outcome,) = collect(pool).values()
            assert outcome.status == "ok"

    def test_what_a_dead_worker_leaves_is_killed(self) -> None:
        before = set(running("sleep 1000"))
        (outcome,) = answers(
            opened(named("ill_behaved"), ("loky", 1)), experiments(1, does="leave a child")
        ).values()
        assert outcome.status == "crashed"
        assert eventually(lambda: set(running("sleep 1000")) <= before)

    def test_what_cannot_be_interrupted_is_killed(self) -> None:
        (outcome,) = answers(
            opened(named("ill_behaved", timeout=0.2), ("loky", 1)), experiments(1, does="stuck")
        ).values()
        assert outcome.status == "timeout"
        headline, _, where = outcome.message.partition("\n")
        assert headline == "timed out after 0.2 s, and had to be killed"
        assert "in ill_behaved" in where
        assert "threading.py" not in where


class TestWorkerProcesses:
    @pytest.mark.parametrize("does", ["die", "sleep", ""])
    def test_they_end_where_there_is_no_pgrep(
        self, does: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        before = children()
        with opened(named("ill_behaved"), ("loky", 1)) as pool:
            pool.submit(experiments(1, does=does)[0])
            pool.wait(0.5 if does == "sleep" else None)
        assert eventually(lambda: children() <= before)

    def test_they_ignore_ctrl_c_run_in_their_main_thread_and_use_one_processor(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
        assert answers(opened(named("surroundings"), ("loky", 1)), experiments(1))[1].cost == 111

    def test_the_users_own_thread_counts_hold(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("OMP_NUM_THREADS", "4")
        assert answers(opened(named("surroundings"), ("loky", 1)), experiments(1))[1].cost == 114

    def test_functions_without_a_name_can_be_sent(self) -> None:
        offset = 5.0
        target = Function(python=lambda values, instance, seed: values["alpha"] + offset)
        found = answers(
            opened(Evaluator(target, direction="maximize"), KINDS["loky"]), experiments(3)
        )
        assert {k: one.cost for k, one in found.items()} == {1: -6, 2: -7, 3: -8}

    def test_what_cannot_be_sent_is_refused(self) -> None:
        lock = threading.Lock()
        target = Function(python=lambda values, instance, seed: lock.locked())
        with pytest.raises(InputError, match="cannot be sent to worker processes"):
            opened(Evaluator(target), KINDS["loky"])

    def test_a_problem_that_cannot_be_sent_is_a_crash(self) -> None:
        bad = Experiment(Candidate(1, {"alpha": 1}), Instance(0, "x", 7, threading.Lock()))
        with opened(named("double"), KINDS["loky"]) as pool:
            pool.submit(bad)
            pool.submit(experiments(2)[1])
            found = collect(pool)
        assert found[1].status == "crashed"
        assert "could not be sent" in found[1].message
        assert found[2].cost == 4

    def test_a_target_that_is_missing_is_no_outcome(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(shortage, "PATIENCE", 0.0)
        with pytest.raises(TargetError, match=r"could be started .* has no function 'no_such'"):
            answers(opened(named("no_such"), KINDS["loky"]), experiments(1))


class TestChoice:
    def test_auto(self) -> None:
        command, function = shell("echo 1"), named("double")
        workers = {
            (command, 1): "in-process",
            (function, 1): "loky-1",
            (command, 2): "thread-1",
            (function, 2): "loky-1",
        }
        for (evaluator, jobs), worker in workers.items():
            with open_pool(evaluator, jobs=jobs) as pool:
                assert pool.size == jobs
                pool.submit(experiments(1)[0])
                assert collect(pool)[1].worker == worker

    def test_all_processors(self) -> None:
        with open_pool(shell("echo 1"), jobs=-1, engine="threading") as pool:
            assert pool.size >= 1

    @pytest.mark.parametrize(
        ("options", "says"),
        [
            ({"jobs": 0}, "jobs must be .*; got 0"),
            ({"jobs": True}, "jobs must be .*; got true"),
            ({"jobs": 1.5}, "jobs must be .*; got 1.5"),
            ({"engine": "celery"}, "engine must be one of auto, loky"),
            ({"engine": "in-process", "jobs": 2}, "one job at a time, but jobs is 2"),
            ({"engine": "threading", "jobs": 2}, "in a thread cannot be interrupted"),
        ],
    )
    def test_what_does_not_go_together_is_refused(self, options: Any, says: str) -> None:
        with pytest.raises(InputError, match=says):
            open_pool(named("double", timeout=1), **options)

    def test_a_timeout_outside_the_main_thread_is_refused(self) -> None:
        caught: list[BaseException] = []

        def attempt() -> None:
            try:
                open_pool(named("double", timeout=1), engine="in-process")
            except InputError as error:
                caught.append(error)

        thread = threading.Thread(target=attempt)
        thread.start()
        thread.join()
        assert "use engine loky" in str(caught[0])


def test_the_names_of_engines_are_those_of_the_table_the_scenario_and_the_command_line():
    from racing.cli import build_parser

    assert set(get_args(Engine)) == {"auto", *ENGINES}
    parser = build_parser("run")
    for name in get_args(Engine):
        assert parser.parse_args(["run", "race.yaml", "--engine", name]).engine == name
        assert Execution(engine=name).engine == name

"""A program is run to its end, and nothing of it remains."""

from __future__ import annotations

import mmap
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from racing.core.experiment import Status
from racing.evaluate import process
from racing.evaluate.command import Command, judge
from racing.evaluate.groups import Cancelled, Groups
from racing.evaluate.process import Ended
from tests.waiting import eventually, runs


def run(text: str, **options: object) -> Ended:
    running = Groups()
    ended = process.run(["sh", "-c", text], cwd=".", running=running, **options)  # type: ignore[arg-type]
    assert len(running) == 0
    return ended


def gone(pid: int) -> bool:
    """Whether a process ends within ten seconds."""
    return eventually(lambda: not runs(pid), within=10)


def written(file: Path) -> int:
    """The number of the process that says it in a file."""
    assert eventually(lambda: file.exists() and file.read_text().strip())
    return int(file.read_text())


linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")


@pytest.fixture(params=["pidfd", "polling"], autouse=True)
def _both_ways(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the system cannot tell that a process ended."""
    if request.param == "polling":
        monkeypatch.delattr(os, "pidfd_open", raising=False)


def test_streams_are_kept_apart() -> None:
    ended = run("echo out; echo err >&2; exit 3")
    assert (ended.stdout, ended.stderr, ended.code) == ("out\n", "err\n", 3)
    assert not ended.timed_out
    assert ended.seconds > 0


def test_only_the_end_is_kept() -> None:
    ended = run("head -c 1000000 /dev/zero | tr '\\0' 1; echo; echo 5; seq 1 20000 >&2")
    assert ended.stdout.startswith("…1111")
    assert ended.stdout.endswith("1\n5\n")
    assert len(ended.stdout) == process.STDOUT_KEPT + 1
    assert ended.stderr.endswith("19999\n20000\n")
    assert len(ended.stderr) == process.STDERR_KEPT + 1


def test_stdin_is_empty() -> None:
    assert run("cat; echo done").stdout == "done\n"


@pytest.mark.parametrize("redirect", ["", ">/dev/null 2>&1"])
def test_children_that_outlive_it_are_killed_and_not_waited_for(redirect: str) -> None:
    ended = run(f"sleep 1000 {redirect} & echo $!; (trap '' TERM HUP; sleep 1001) & echo $!")
    assert ended.seconds < 100
    assert all(gone(int(pid)) for pid in ended.stdout.split())


def test_the_whole_group_is_killed_after_a_timeout() -> None:
    ended = run("sleep 1000 & echo $!; sh -c 'trap \"\" TERM; echo $$; sleep 1000'", timeout=0.3)
    assert ended.timed_out
    assert all(gone(int(pid)) for pid in ended.stdout.split())


def test_it_may_say_goodbye_when_its_time_is_up() -> None:
    ended = run("trap 'echo goodbye; exit 0' TERM; while :; do sleep 0.01; done", timeout=0.2)
    assert (ended.timed_out, ended.stdout, ended.code) == (True, "goodbye\n", 0)
    attempt = judge(ended, Command("solve", timeout=0.2))
    assert attempt.status is Status.TIMEOUT


def test_a_daemon_that_holds_its_output_open_is_not_waited_for(tmp_path: Path) -> None:
    ended = run(
        f"setsid sh -c 'echo $$ > {tmp_path}/pid; echo 1; exec sleep 1000' & sleep 0.3; echo 2"
    )
    assert ended.stdout == "1\n2\n"
    pid = int((tmp_path / "pid").read_text())
    os.kill(pid, 9)
    assert gone(pid)


@linux
def test_children_in_sessions_of_their_own_are_killed_after_a_timeout(tmp_path: Path) -> None:
    ended = run(f"setsid sh -c 'echo $$ > {tmp_path}/pid; exec sleep 1000'; echo 1", timeout=0.5)
    assert ended.timed_out
    assert gone(int((tmp_path / "pid").read_text()))


@linux
def test_children_in_sessions_of_their_own_are_killed_when_all_is_stopped(tmp_path: Path) -> None:
    running, pid = Groups(), tmp_path / "pid"
    text = f"setsid sh -c 'echo $$ > {pid}; exec sleep 1000'; echo 1"
    thread = threading.Thread(
        target=lambda: process.run(["sh", "-c", text], cwd=".", running=running)
    )
    thread.start()
    daemon = written(pid)
    running.stop()
    thread.join(60)
    assert gone(daemon)


@linux
def test_a_command_that_is_counted_in_after_all_was_stopped_leaves_nobody(tmp_path: Path) -> None:
    running, pid = Groups(), tmp_path / "pid"
    running.stop()
    text = f"setsid sh -c 'echo $$ > {pid}; exec sleep 1000'; echo 1"
    late = subprocess.Popen(["sh", "-c", text], start_new_session=True)
    daemon = written(pid)
    running.enter(late.pid)
    running.leave(late.pid)
    late.wait()
    assert gone(daemon)


@linux
def test_processor_time_is_limited_over_the_whole_family() -> None:
    """Two children in parallel, neither of which goes over the limit by itself."""
    loop = "import time\nwhile time.process_time() < 100: pass"
    ended = run(
        f"{sys.executable} -S -c '{loop}' & {sys.executable} -S -c '{loop}' & wait",
        cpu_timeout=0.5,
    )
    assert ended.timed_out
    assert ended.seconds < 60
    assert judge(ended, Command("solve", cpu_timeout=0.5)).message.startswith(
        "timed out after 0.5 s of processor time"
    )


def test_time_asleep_is_no_processor_time() -> None:
    ended = run("sleep 0.3; echo 1", cpu_timeout=0.25)
    assert (ended.timed_out, ended.stdout) == (False, "1\n")


def test_processor_time_is_that_of_the_family() -> None:
    loop = "import time\nwhile time.process_time() < 0.2: pass"
    ended = process.run(
        ["sh", "-c", f"{sys.executable} -S -c '{loop}'; :"], cwd=".", running=Groups()
    )
    assert 0.2 <= ended.cpu < 5


@linux
def test_the_memory_limit_holds_in_children() -> None:
    grow = "x = bytearray(300 * 2**20)"
    run_it = f"{sys.executable} -S -c '{grow}' && echo 1"
    ended = run(run_it, memory=128 * 2**20)
    attempt = judge(ended, Command("solve", memory=128 * 2**20))
    assert attempt.status is Status.OUT_OF_MEMORY
    assert "MemoryError" in attempt.message
    assert run(run_it, memory=2**30).code == 0


def test_the_memory_limit_is_there_from_the_first_instruction() -> None:
    ended = run("ulimit -d", memory=128 * 2**20)
    assert ended.stdout == f"{128 * 2**10}\n"


@pytest.mark.parametrize("program", ["./no-such-program", "no-such-program"])
def test_a_missing_program_is_said_to_be_missing_under_a_limit_too(program: str) -> None:
    with pytest.raises(FileNotFoundError, match="no-such-program"):
        process.run([program], cwd="/", running=Groups(), memory=128 * 2**20)


@linux
def test_reserved_address_space_is_not_memory() -> None:
    """As Java machines and solvers do: reserve much, use little."""
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0x4000)
    reserve = f"import mmap; mmap.mmap(-1, 2**36, flags={int(flags)}, prot=0); print(1)"
    arguments = [sys.executable, "-S", "-c", reserve]
    ended = process.run(arguments, cwd=".", running=Groups(), memory=2**28)
    assert (ended.stdout, ended.code) == ("1\n", 0), ended.stderr


def test_nothing_starts_once_stopped() -> None:
    from racing.evaluate.command import Command
    from tests.evaluate.cases import experiment

    running = Groups()
    running.stop()
    with pytest.raises(Cancelled):
        Command(command="sh").attempt(experiment(), running=running, switches={})
    with subprocess.Popen(["sleep", "1000"], start_new_session=True) as late:
        running.enter(late.pid)
        assert late.wait(10) == -9


DAEMON = (
    "import os, sys, time\n"
    "if os.fork(): os.wait(), sys.exit()\n"
    "os.setsid()\n"
    "if os.fork(): os._exit(0)\n"
    "for fd in range(3): os.close(fd)\n"
    "open(sys.argv[1], 'w').write(str(os.getpid()))\n"
    "time.sleep(1000)\n"
)


def daemon_then(command: str, tmp_path: Path, running: Groups, **options: object) -> int:
    """Run a command that leaves a daemon behind; the daemon's number."""
    (tmp_path / "daemon.py").write_text(DAEMON)
    pid = tmp_path / "pid"
    text = f"{sys.executable} {tmp_path}/daemon.py {pid}; until [ -s {pid} ]; do :; done; {command}"
    process.run(["sh", "-c", text], cwd=".", running=running, **options)  # type: ignore[arg-type]
    return int(pid.read_text())


@linux
def test_daemons_are_killed_when_the_time_is_up(tmp_path: Path) -> None:
    """They have left the group, the session and their parents."""
    running = Groups()
    assert gone(daemon_then("sleep 1000", tmp_path, running, timeout=5.0))


@linux
def test_children_that_left_the_group_and_cleared_their_environment_are_killed(
    tmp_path: Path,
) -> None:
    """No mark is left in them: they are found since they descend from the command."""
    pid, running = tmp_path / "pid", Groups()
    text = f"env -i setsid sleep 1000 & echo $! > {pid}; wait"
    process.run(["sh", "-c", text], cwd=".", running=running, timeout=1.0)
    assert gone(int(pid.read_text()))


@linux
@pytest.mark.parametrize("how", ["another evaluation", "the end"])
def test_daemons_of_a_command_that_ended_by_itself_are_killed_later(
    tmp_path: Path, how: str
) -> None:
    running, other = Groups(), Groups()
    bystander = subprocess.Popen(["sleep", "1000"], env={**os.environ, "RACING_FAMILY_x": "1"})
    mine = daemon_then("echo 1", tmp_path, running)
    if how == "the end":
        running.close()
    else:
        time.sleep(1.1)  # longer than SWEEP_EVERY
        process.run(["true"], cwd=".", running=running)
    assert gone(mine)
    other.close()
    assert bystander.poll() is None, "it is none of ours"
    bystander.kill()
    bystander.wait()


def test_what_is_kept_of_an_output_depends_on_no_chunks() -> None:
    """A target may write one byte at a time; the end is what counts."""
    for size in (1, 7, 64, 1000):
        read, write = os.pipe()
        with open(read, "rb", buffering=0) as stream:
            tail = process._Tail(stream, 10)
            for start in range(0, 100, size):
                os.write(write, bytes(range(33, 133))[start : start + size])
                tail.read()
            os.close(write)
            assert tail.rest() == "…" + bytes(range(123, 133)).decode(errors="replace")
        assert len(tail.data) <= 10

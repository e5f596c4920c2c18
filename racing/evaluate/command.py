"""Targets that are programs: how to call them, and their limits."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import signal
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from racing.base.errors import InputError, TargetError
from racing.base.quantities import Bytes, ExitStatus, Factor, Seconds
from racing.base.records import Checked
from racing.core.experiment import Experiment, Status
from racing.core.metric import Metrics
from racing.evaluate import start, template
from racing.evaluate.answers import (
    OUTPUT,
    Answer,
    Attempt,
    Names,
    Unreadable,
    asked,
    ignored,
    message,
    printed,
    within,
)  # fmt: skip
from racing.evaluate.groups import Cancelled, Groups
from racing.evaluate.shortage import Shortage, shortage

if TYPE_CHECKING:
    from racing.evaluate.process import Ended

REPLACED = 3  # the most runs of a program whose files are replaced while it fails
OUT_OF_MEMORY = re.compile(
    r"MemoryError|bad_alloc|length_error|OutOfMemory|out of memory|cannot allocate memory|"
    r"allocation failed|memory exhausted",
    re.IGNORECASE,
)
NEAR = 0.9  # of the limit


@dataclass(frozen=True, kw_only=True)
class Command(Checked):
    r"""A program that is started once for every evaluation, without a shell.

    Attributes
    ----------
    command
        Program and arguments: one text that is split as in a shell, or a list of arguments. They
        contain `{instance}`, `{seed}`, `{candidate}` (its number), `{parameters}` (each parameter's
        switch and value), `{python}` (the Python that runs the race) and `{name}` for a parameter
        of that name; `{{` and `}}` are plain braces. Values are filled in after splitting, so they
        need no quotes. `{instance_id}` is the instance's place in the list of instances, from 1;
        `{instance_arguments}` is the instance split as in a shell, for instances with arguments.
        `{bound}` is the largest cost of the run in a search with `capping`; without a bound it is
        the limit, or is left out.
    output
        The place of the cost on stdout: `number`, the last word of the last line (`cost=` before it
        is allowed, a unit after it is not); `json`, an object on the last line with `cost` and
        optional `seconds`; `irace`, the cost, or the cost and the seconds, and nothing else; or a
        regular expression, whose first group is the cost, such as `'best cost: (\S+)'`. It is
        looked for in the last 64 KiB, and its last match counts. A group `(?P<seconds>…)` has the
        duration, and each of several metrics has the group of its name. stderr is never read for
        the cost.
    success
        The exit statuses of success. With any other, the evaluation failed, whatever was printed.
    cost
        The cost of an evaluation: the `answer` that the target prints, or its measured time in
        seconds: wall-clock `time` or `cpu_time`. Its output is then not read.
    penalty
        With a measured cost: a run that exceeds its limits (of time or memory) costs so many times
        its limit, and is no failure. 10 gives PAR10. By default, such a run is a failure, which
        ranks worst.
    timeout
        The wall-clock limit of an evaluation. Then the program and its children get SIGTERM, and
        SIGKILL a second later.
    cpu_timeout
        The limit of processor time of an evaluation, children included.
    memory
        The memory limit of each process of the target, for data (heap, stacks and private mappings;
        reserved address space does not count).
    cwd
        The working folder, also for relative paths.
    evaluator
        A second program, as irace's targetEvaluator: called after the command with the candidate's
        number, the instance's number, the seed, the instance, 1, and the candidate's number again.
        Its output is then the cost, and the command's own output is not read.
    """

    command: str | tuple[str, ...] = field(kw_only=False)
    output: Annotated[str, OUTPUT] = "number"
    success: tuple[ExitStatus, ...] = (0,)
    cost: Literal["answer", "time", "cpu_time"] = "answer"
    penalty: Factor | None = None
    timeout: Seconds | None = None
    cpu_timeout: Seconds | None = None
    memory: Bytes | None = None
    cwd: str = "."
    evaluator: str | None = None

    def __post_init__(self) -> None:
        if os.name != "posix":
            raise InputError("command targets need Linux, macOS or another POSIX system")
        super().__post_init__()
        if not self.success:
            raise InputError("success must be exit statuses, such as [0]; got none")
        for name in ("memory", "cpu_timeout"):
            if getattr(self, name) is not None and not sys.platform.startswith("linux"):
                raise InputError(f"{name} for command targets needs Linux; leave it out")
        if self.penalty is not None and self.answers:
            raise InputError("penalty needs cost: cpu_time or cost: time, which it multiplies")
        if self.penalty is not None and self.limit is None:
            raise InputError("penalty needs a timeout or a cpu_timeout, which it multiplies")
        _ = self.arguments

    @property
    def limit(self) -> float | None:
        """The largest measured cost without a penalty, in seconds; None for no limit."""
        if self.cost == "cpu_time" and self.cpu_timeout is not None:
            return self.cpu_timeout
        return self.timeout if self.timeout is not None else self.cpu_timeout

    @property
    def answers(self) -> bool:
        """Whether what it prints is the cost."""
        return self.cost == "answer"

    @cached_property
    def arguments(self) -> tuple[template.Argument, ...]:
        """The parsed template."""
        return template.parse(self.command)

    def check(self, parameters: Collection[str]) -> None:
        """Check that it can be run for candidates with these parameters.

        Raises
        ------
        InputError
            If a placeholder is unknown, or a parameter never reaches the program.
        TargetError
            If the program or the folder cannot be found.
        """
        template.check(self.arguments, parameters)
        if not Path(self.cwd).is_dir():
            raise TargetError(f"cwd {self.cwd!r} is not a folder")
        if not template.placeholders(self.arguments[:1]):
            start.find_program(template.plain(self.arguments[0]), Path(self.cwd))
        _ = self._own_files

    def files(self) -> list[Path]:
        """The program, if given by its path, and the first argument that is a program too.

        This is the script of an interpreter, or an executable (`nice ./solver`). Other files are
        data, which the target may write.
        """
        return start.own_files([template.plain(one) for one in self.arguments], self.cwd)

    def prepare(self, running: Groups) -> None:
        """Start a watchdog for the programs to come."""
        running.prepare()

    def attempt(
        self,
        experiment: Experiment,
        *,
        running: Groups,
        switches: Mapping[str, str],
        metrics: Metrics | None = None,
    ) -> Attempt:
        """Start it once for an experiment; again if it fails while its files are replaced.

        Parameters
        ----------
        metrics
            What is measured, where there are several metrics: the answer has those without a
            `measure`.

        Raises
        ------
        Cancelled
            If `running` was stopped meanwhile.
        Shortage
            If it cannot be started, and the candidate is not the cause.
        """
        for _ in range(REPLACED):
            before = self._stamps()
            found = self._attempt(experiment, running, switches, metrics)
            fine = found.score is not None or found.status is Status.TIMEOUT
            if fine or self._stamps() == before:
                break
        return found

    def _stamps(self) -> list[tuple[int, ...]]:
        """What changes when a file of the program is replaced."""
        try:
            files = [os.stat(path) for path in self._own_files]
        except OSError as error:
            raise shortage(error) or Shortage(f"{error.filename}: {error.strerror}") from error
        return [(one.st_ino, one.st_size, one.st_mtime_ns) for one in files]

    @cached_property
    def _own_files(self) -> tuple[Path, ...]:
        """The files that must be there, by `check`."""
        second = self.evaluator or ""
        return (*self.files(), *([Path(self.cwd, second)] if os.sep in second else []))

    def _attempt(
        self,
        experiment: Experiment,
        running: Groups,
        switches: Mapping[str, str],
        metrics: Metrics | None,
    ) -> Attempt:
        bound, names = experiment.bound, asked(metrics)
        if bound is not None and not self.answers and self.limit is not None:
            bound = bound if bound < self.limit else None  # its limit is a timeout
        shown = self.limit if bound is None else bound
        try:
            arguments = template.fill(self.arguments, experiment, switches, bound=shown)
            first = last = self._run(arguments, running, bound, metrics)
            if self.evaluator is not None:
                if failed := failure(first, self):
                    return failed
                words = template.evaluator_arguments(self.evaluator, experiment)
                last = self._run(words, running, None, None)
        except InputError as error:
            return Attempt(status=Status.CRASHED, message=str(error))
        answer = self._judged(last, bound, names)
        if last is not first:
            answer = replace(answer, seconds=first.seconds + answer.seconds)
        if metrics is None or answer.score is None:
            return answer
        taken = {"cpu_time": first.cpu, "wall_time": first.seconds, "memory": float(first.peak)}
        own = {name: taken[one.measure] for name, one in metrics.items() if one.measure is not None}
        return replace(answer, metrics={**answer.metrics, **own})

    def _run(
        self,
        arguments: list[str],
        running: Groups,
        bound: float | None,
        metrics: Metrics | None,
    ) -> Ended:
        """Run a program to its end; with a bound until its cost reaches it."""
        from racing.evaluate import process  # needs a POSIX system, as checked before

        if running.stopped:
            raise Cancelled
        timeout, cpu_timeout = self.timeout, self.cpu_timeout
        if bound is not None and self.cost == "time":
            timeout = bound
        elif bound is not None and self.cost == "cpu_time" and sys.platform.startswith("linux"):
            cpu_timeout = bound
        measured = any(one.measure == "memory" for one in (metrics or {}).values())
        try:
            ended = process.run(
                arguments, cwd=self.cwd, running=running, timeout=timeout, cpu_timeout=cpu_timeout,
                memory=self.memory, measure_memory=measured,
            )  # fmt: skip
        except (OSError, ValueError) as error:
            raise self._not_started(error, arguments) from error
        if running.stopped:
            raise Cancelled
        return ended

    def _not_started(self, error: OSError | ValueError, arguments: list[str]) -> Exception:
        """An input error if it is the candidate's: by an argument, or as it names the program."""
        if (short := shortage(error)) is not None:
            return short
        why = start.explain(error, arguments, self.cwd)
        number = error.errno if isinstance(error, OSError) else errno.E2BIG
        own = template.placeholders(self.arguments[:1]) - {"python"}
        chosen = own and arguments[0] != self.evaluator and Path(self.cwd).is_dir()
        if number == errno.E2BIG or (chosen and number != errno.ETXTBSY):
            return InputError(f"cannot be started: {why}")
        return Shortage(why)

    def _judged(self, ended: Ended, bound: float | None, names: Names) -> Attempt:
        if bound is not None and self._reached(ended, bound):
            return Attempt(score=bound, seconds=ended.seconds, status=Status.CENSORED)
        attempt = judge(ended, self, names)
        if names is not None:
            return attempt
        return within(attempt, bound) if self.answers else self._priced(attempt, ended)

    def _reached(self, ended: Ended, bound: float) -> bool:
        """Whether the measured cost of a run reached its bound."""
        by_clock = self.timeout is not None and ended.seconds >= self.timeout
        match self.cost:
            case "answer":
                return False
            case "time":
                return ended.seconds >= bound
            case "cpu_time":
                return ended.cpu >= bound or (ended.timed_out and not by_clock)

    def _priced(self, attempt: Attempt, ended: Ended) -> Attempt:
        """The attempt with its measured cost."""
        if attempt.status is Status.OK:
            return replace(attempt, score=ended.cpu if self.cost == "cpu_time" else ended.seconds)
        unsolved = attempt.status in (Status.TIMEOUT, Status.OUT_OF_MEMORY)
        if self.penalty is None or self.limit is None or not unsolved:
            return attempt
        headline, _, rest = attempt.message.partition("\n")
        why = f"{headline}; counted as {self.penalty:g} × {self.limit:g} s"
        score, why = self.penalty * self.limit, "\n".join(filter(None, (why, rest)))
        return replace(attempt, score=score, status=Status.OK, message=why)


def judge(ended: Ended, command: Command, names: Names = None) -> Attempt:
    """The attempt: the answer counts only if the program ended by itself, in time, with success.

    Parameters
    ----------
    command
        Has the limits and the form of the answer.
    names
        The metrics in the answer; None for one cost.
    """
    if failed := failure(ended, command, names):
        return failed
    if names is None and not command.answers:
        return Answer({}).attempt(ended.seconds)
    try:
        found = printed(ended.stdout, command.output, names)
    except Unreadable as error:
        return _failed(ended, Status.UNREADABLE, f"unreadable: {error}", error.shown)
    plain = names is None and command.output == "number"
    note = ignored(ended.stdout) if plain else ""
    return replace(found.attempt(ended.seconds), message=note)


def failure(ended: Ended, command: Command, names: Names = None) -> Attempt | None:
    """The failure; None if it ended by itself, in time, with success."""
    if limit := _time_is_up(ended, command):
        used = f"it had used {ended.seconds:.3g} s on the clock, {ended.cpu:.3g} s of processors"
        return _failed(ended, Status.TIMEOUT, f"timed out after {limit}", used)
    if ended.code in command.success:
        return None
    if command.memory is not None and _out_of_memory(ended, command.memory):
        limit = f"out of memory: {_how(ended)} under a limit of {command.memory / 2**20:g} MiB"
        return _failed(ended, Status.OUT_OF_MEMORY, limit)
    unused = ""
    if names is None and command.answers and ended.code >= 0:
        with contextlib.suppress(Unreadable):  # as some programs signal success by other statuses
            value = printed(ended.stdout, command.output).metrics["cost"]
            unused = (
                f"so the answer that it printed, {value:g}, does not count; if this status is not "
                f"a failure, set success: [0, {ended.code}]"
            )
    return _failed(ended, Status.CRASHED, f"crashed: {_how(ended)}", unused)


def _time_is_up(ended: Ended, command: Command) -> str:
    """The limit that was reached, as text.

    A program that ended by itself may have exceeded its time too, while this process was stopped.
    """
    if command.timeout is not None and ended.seconds >= command.timeout:
        return f"{command.timeout:g} s"
    most = command.cpu_timeout
    if most is not None and (ended.timed_out or ended.cpu > most):
        return f"{most:g} s of processor time"
    return ""


def _failed(ended: Ended, status: Status, headline: str, detail: str = "") -> Attempt:
    why = message(headline, detail, ended.stderr)
    return Attempt(seconds=ended.seconds, status=status, message=why)


def _out_of_memory(ended: Ended, memory: int) -> bool:
    said = OUT_OF_MEMORY.search(ended.stderr) or OUT_OF_MEMORY.search(ended.stdout[-2000:])
    return bool(said) or ended.peak >= NEAR * memory


def _how(ended: Ended) -> str:
    if ended.code > 0:
        return f"exit status {ended.code}"
    try:
        return f"killed by {signal.Signals(-ended.code).name}"
    except ValueError:
        return f"killed by signal {-ended.code}"

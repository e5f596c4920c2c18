"""Targets that are programs: how to call them, and their limits."""

from __future__ import annotations

import difflib
import errno
import os
import re
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Literal

from racing.base.errors import InputError, TargetError
from racing.base.quantities import Bytes, ExitStatus, Factor, Seconds
from racing.base.records import Checked
from racing.core.experiment import Experiment, Status
from racing.core.metric import Metrics
from racing.evaluate import start, template
from racing.evaluate.attempt import Attempt, within
from racing.evaluate.ended import Answer, Ended, Terms, failure, judge
from racing.evaluate.groups import Cancelled, Groups
from racing.evaluate.shortage import Shortage, shortage

REPLACED = 3  # the most runs of a program whose files are replaced while it fails
_INTERPRETER = re.compile(
    r"(python|pypy|perl|ruby|lua|luajit|tclsh|php)[\d.]*|Rscript|R|julia|node|deno|java|mono|dotnet|"
    r"octave(-cli)?|matlab|swipl|racket|guile|sbcl|awk|gawk|(ba|da|k|z|fi|c|tc)?sh"
)


@dataclass(frozen=True, kw_only=True)
class Command(Checked):
    """A program that is started once for every evaluation, without a shell.

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
        optional `seconds`; or `irace`, the cost, or the cost and the seconds, and nothing else.
        stderr is never read for the cost.
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
    output: Answer = "number"
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
        self._check_penalty()
        _ = self.arguments

    def _check_penalty(self) -> None:
        if self.penalty is None:
            return
        if self.cost == "answer":
            raise InputError("penalty needs cost: cpu_time or cost: time, which it multiplies")
        if self.limit is None:
            raise InputError("penalty needs a timeout or a cpu_timeout, which it multiplies")

    @property
    def limit(self) -> float | None:
        """The largest measured cost without a penalty, in seconds; None for no limit."""
        if self.cost == "cpu_time" and self.cpu_timeout is not None:
            return self.cpu_timeout
        return self.timeout if self.timeout is not None else self.cpu_timeout

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
        used = template.placeholders(self.arguments)
        known = [*template.BUILT_IN, *parameters]
        for name in sorted(used - set(known)):
            close = difflib.get_close_matches(name, known, n=1)
            if ":" in name and not close:
                raise template.no_name(f"{{{name}}}")
            hint = f"did you mean {{{close[0]}}}? " if close else ""
            raise InputError(
                f"command has the unknown placeholder {{{name}}}; {hint}"
                f"allowed: {', '.join(f'{{{one}}}' for one in known)}"
            )
        for name in used & {*template.OF_EXPERIMENTS} & set(parameters):
            raise InputError(
                f"{{{name}}} is the {name}, and also the name of a parameter: rename the parameter"
            )
        lost = [name for name in parameters if name not in used]
        if lost and not used & {"parameters", "candidate"}:
            raise InputError(
                f"the command has no placeholder for {', '.join(lost)}; add {{parameters}} or "
                f"{{{lost[0]}}}"
            )
        self._check_program()
        _ = self._own_files

    def files(self) -> list[Path]:
        """The program, if given by its path, and the first argument that is a program too.

        This is the script of an interpreter, or an executable (`nice ./solver`). Other files are
        data, which the target may write.
        """
        program, *rest = (
            "" if template.placeholders([argument]) else "".join(text for text, _ in argument)
            for argument in self.arguments
        )
        interpreted = not program or _INTERPRETER.fullmatch(os.path.basename(program))
        paths = (os.path.join(self.cwd, word) for word in rest if word)
        first = next(filter(os.path.isfile, paths), "")
        script = first if interpreted or os.access(first, os.X_OK) else None
        named = os.path.join(self.cwd, program) if os.sep in program else None
        return [Path(path) for path in (named, script) if path]

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
        bound = self._bound(experiment)
        shown = self.limit if bound is None else bound
        try:
            arguments = template.fill(self.arguments, experiment, switches, bound=shown)
            ended = self._run(arguments, running, bound, memory=_takes(metrics, "memory"))
            if isinstance(ended, Attempt):
                return ended
            if self.evaluator is None:
                return _with_measured(self._judged(ended, bound, metrics), ended, metrics)
            if failed := failure(ended, self._terms):
                return failed
            words = template.evaluator_arguments(self.evaluator, experiment)
        except InputError as error:
            return Attempt(status=Status.CRASHED, message=str(error))
        answer = self._judged(self._run(words, running), bound, metrics)
        both = replace(answer, seconds=ended.seconds + answer.seconds)
        return _with_measured(both, ended, metrics)

    def _bound(self, experiment: Experiment) -> float | None:
        """The bound of a run; None if its limit is reached before, which is a timeout."""
        bound = experiment.bound
        if self.cost == "answer" or bound is None or self.limit is None or bound < self.limit:
            return bound
        return None

    def _run(
        self,
        arguments: list[str],
        running: Groups,
        bound: float | None = None,
        *,
        memory: bool = False,
    ) -> Ended | Attempt:
        """Run a program: how it ended, or the failed attempt if it cannot be started."""
        from racing.evaluate import process  # needs a POSIX system, as checked before

        if running.stopped:
            raise Cancelled
        terms = self._terms_within(bound)
        try:
            ended = process.run(
                arguments,
                cwd=self.cwd,
                running=running,
                timeout=terms.timeout,
                cpu_timeout=terms.cpu_timeout,
                memory=self.memory,
                measure_memory=memory,
            )
        except (OSError, ValueError) as error:
            return self._not_started(error, arguments)
        if running.stopped:
            raise Cancelled
        return ended

    def _not_started(self, error: OSError | ValueError, arguments: list[str]) -> Attempt:
        """The failure, if it is the candidate's: by an argument, or as it names the program."""
        if (short := shortage(error)) is not None:
            raise short from error
        why = start.explain(error, arguments, self.cwd)
        number = error.errno if isinstance(error, OSError) else errno.E2BIG
        own = template.placeholders(self.arguments[:1]) - {"python"}
        chosen = own and arguments[0] != self.evaluator and Path(self.cwd).is_dir()
        if number == errno.E2BIG or (chosen and number != errno.ETXTBSY):
            return Attempt(status=Status.CRASHED, message=f"cannot be started: {why}")
        raise Shortage(why) from error

    def _judged(
        self, ended: Ended | Attempt, bound: float | None, metrics: Metrics | None = None
    ) -> Attempt:
        if isinstance(ended, Attempt):
            return ended
        if self.cost != "answer" and self._reached(ended, bound):
            return Attempt(score=bound, seconds=ended.seconds, status=Status.CENSORED)
        if metrics is not None:
            return judge(ended, self._told(metrics))
        attempt = self._priced(judge(ended, self._terms), ended)
        return within(attempt, bound) if self.cost == "answer" else attempt

    def _reached(self, ended: Ended, bound: float | None) -> bool:
        """Whether a run reached its limit."""
        if bound is None:
            return False
        if self.cost == "time":
            return ended.seconds >= bound
        by_clock = self.timeout is not None and ended.seconds >= self.timeout
        return ended.cpu >= bound or (ended.timed_out and not by_clock)

    def _terms_within(self, bound: float | None) -> Terms:
        """The terms of a run with a bound: it is stopped when its cost reaches it."""
        if bound is None or self.cost == "answer":
            return self._terms
        if self.cost == "time":
            return replace(self._terms, timeout=bound)
        watched = sys.platform.startswith("linux")
        return replace(self._terms, cpu_timeout=bound) if watched else self._terms

    def _told(self, metrics: Metrics) -> Terms:
        """The terms where there are several metrics: the answer has those not measured here."""
        told = tuple(name for name, metric in metrics.items() if metric.measure is None)
        return replace(self._terms, output=self.output if told else "none", metrics=told)

    @cached_property
    def _terms(self) -> Terms:
        return Terms(
            output=self.output if self.cost == "answer" else "none",
            success=self.success,
            timeout=self.timeout,
            cpu_timeout=self.cpu_timeout,
            memory=self.memory,
        )

    def _priced(self, attempt: Attempt, ended: Ended) -> Attempt:
        """The attempt with its measured cost, if the answer is not the cost."""
        if self.cost == "answer":
            return attempt
        if attempt.status is Status.OK:
            return replace(attempt, score=ended.cpu if self.cost == "cpu_time" else ended.seconds)
        unsolved = attempt.status in (Status.TIMEOUT, Status.OUT_OF_MEMORY)
        if self.penalty is None or self.limit is None or not unsolved:
            return attempt
        headline, _, rest = attempt.message.partition("\n")
        why = f"{headline}; counted as {self.penalty:g} × {self.limit:g} s"
        return replace(
            attempt,
            score=self.penalty * self.limit,
            status=Status.OK,
            message="\n".join(filter(None, (why, rest))),
        )

    def _check_program(self) -> None:
        folder = Path(self.cwd)
        if not folder.is_dir():
            raise TargetError(f"cwd {self.cwd!r} is not a folder")
        if not template.placeholders(self.arguments[:1]):
            start.find_program("".join(text for text, _ in self.arguments[0]), folder)


def _takes(metrics: Metrics | None, measure: str) -> bool:
    return any(metric.measure == measure for metric in (metrics or {}).values())


def _with_measured(attempt: Attempt, ended: Ended, metrics: Metrics | None) -> Attempt:
    """An attempt with the metrics that are measured here, if it did not fail."""
    if metrics is None or attempt.score is None:
        return attempt
    taken = {"cpu_time": ended.cpu, "wall_time": ended.seconds, "memory": float(ended.peak)}
    own = {name: taken[one.measure] for name, one in metrics.items() if one.measure is not None}
    return replace(attempt, metrics={**attempt.metrics, **own})

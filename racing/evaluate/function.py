"""A target that is a Python function."""

from __future__ import annotations

import contextlib
import functools
import inspect
import sys
import threading
import time
import traceback
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from racing.errors import InputError, TargetError
from racing.evaluate import score
from racing.evaluate.alarm import TimeIsUp, alarm, possible
from racing.evaluate.attempt import Attempt, message, within
from racing.evaluate.resolve import resolve, set_up
from racing.evaluate.work import may_be_the_users, named
from racing.experiment import Experiment, Status
from racing.quantities import Seconds
from racing.records import Checked


@dataclass(frozen=True, kw_only=True)
class Function(Checked):
    """A Python function `solve(values, instance, seed)` that returns a number.

    Attributes
    ----------
    python
        Which function: `file.py:function` or `package.module:function`. Python code may give the
        function itself. It takes the candidate's values (a dictionary), the instance and the seed,
        and returns the cost, or a mapping with `cost` and, if it likes, `seconds`. What it prints
        goes to stderr. A function that takes `bound` is given what its cost may come to, or None:
        when its cost is certain to reach that, it may stop and return it.
    setup
        A function without arguments, named like `python`, that is called once in each worker before
        its first evaluation: to load data, say. It is no part of an evaluation's time. What it sets
        up stays in its module, where `python` finds it.
    timeout
        The most time a call may take on the clock; it is then interrupted. Not possible with the
        `threading` engine.
    cwd
        The folder that a relative `file.py` is seen from, and modules are first looked for in.
    """

    python: str | Callable[..., Any] = field(kw_only=False)
    setup: str | Callable[[], Any] | None = None
    timeout: Seconds | None = None
    cwd: str = "."

    def __post_init__(self) -> None:
        super().__post_init__()
        for key in ("python", "setup"):
            reference = getattr(self, key)
            if isinstance(reference, str):
                where, _, name = reference.rpartition(":")
                if not where or not name.isidentifier():
                    raise InputError(
                        f"{key} is {reference!r}; expected file.py:function or module:function"
                    )

    def resolve(self) -> Callable[..., Any]:
        """The function itself.

        Raises
        ------
        TargetError
            If there is no such file, module or function, or importing it fails.
        """
        return resolve(self.python, self.cwd) if isinstance(self.python, str) else self.python

    def set_up(self) -> None:
        """Call `setup`, if there is one and it was not called in this process yet.

        Raises
        ------
        TargetError
            If it cannot be found, or fails.
        """
        if self.setup is not None:
            set_up(self.setup, self.cwd)

    def check(self, parameters: Collection[str] = ()) -> None:
        """Whether it can be called at all.

        Raises
        ------
        TargetError
            If the function cannot be found, is async, or does not take three arguments.
        """
        with _stdout_aside:
            function = self.resolve()
            prepare = resolve(self.setup, self.cwd) if isinstance(self.setup, str) else self.setup
        self._check_call(prepare, "setup", "no arguments")
        if inspect.iscoroutinefunction(function):
            raise TargetError(
                f"python target {self.python}: an async function returns no cost; "
                "let a plain function run it, with asyncio.run"
            )
        bound = {"bound": None} if takes_bound(function) else {}
        self._check_call(function, "python", "(values, instance, seed)", {}, "", 1, **bound)

    def _check_call(
        self,
        function: Callable[..., Any] | None,
        key: str,
        of: str,
        *arguments: object,
        **options: object,
    ) -> None:
        if function is None:
            return
        try:
            inspect.signature(function).bind(*arguments, **options)
        except TypeError as error:
            raise TargetError(
                f"{key} target {getattr(self, key)}: expected a function of {of}, but {error}"
            ) from error
        except ValueError:  # no signature to be had, as with some compiled functions
            return

    def check_bound(self) -> None:
        """Whether it takes a bound, as capping needs.

        Raises
        ------
        TargetError
            If it does not.
        """
        with _stdout_aside:
            function = self.resolve()
        if not takes_bound(function):
            raise TargetError(
                f"python target {self.python}: search.capping needs a function that takes `bound`, "
                "def solve(values, instance, seed, *, bound), and stops when its cost reaches it; "
                "or leave capping out"
            )

    def files(self) -> list[Path]:
        """The files of the functions' modules, where known; to be asked after `check`."""
        given = (one for one in (self.python, self.setup) if one is not None)
        return list(dict.fromkeys(file for one in given for file in self._file(one)))

    def _file(self, function: str | Callable[..., Any]) -> list[Path]:
        if isinstance(function, str):
            where = function.rpartition(":")[0]
            if where.endswith(".py"):
                return [Path(self.cwd, where)]
        else:
            inner = getattr(function, "func", function)  # of a functools.partial
            where = getattr(inner, "__module__", None) or ""
        file = getattr(sys.modules.get(where), "__file__", None)
        return [Path(file)] if file else []

    def prepare(self) -> None:
        """Import it and set up, which is no part of an evaluation; `attempt` says if that fails."""
        with _stdout_aside, contextlib.suppress(TargetError):
            self.resolve()
            self.set_up()

    def attempt(self, experiment: Experiment, **_: object) -> Attempt:
        """Call it once for an experiment."""
        if self.timeout is not None and not possible():
            why = "a timeout needs the main thread of a process; use the backend loky"
            return Attempt(status=Status.CRASHED, message=f"cannot be started: {why}")
        begun = time.perf_counter()
        try:
            with _stdout_aside:
                function = self.resolve()
                self.set_up()
                begun = time.perf_counter()
                with alarm(self.timeout):
                    answer = _call(function, experiment)
            value, seconds = score.returned(answer)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) and may_be_the_users():
                raise
            return self._failed(error, time.perf_counter() - begun)
        taken = time.perf_counter() - begun if seconds is None else seconds
        return within(Attempt(score=value, seconds=taken), experiment.bound)

    def _failed(self, error: BaseException, seconds: float) -> Attempt:
        match error:
            case TimeIsUp():
                status, why = Status.TIMEOUT, f"timed out after {self.timeout:g} s"
            case score.Unreadable():
                status, why = Status.UNREADABLE, f"unreadable: {error}"
            case TargetError():
                status, why = Status.CRASHED, f"cannot be started: {error}"
            case _:
                memory = isinstance(error, MemoryError)
                status = Status.OUT_OF_MEMORY if memory else Status.CRASHED
                why = message(f"{status}: {named(error)}", stderr=_trace(error))
        return Attempt(seconds=seconds, status=status, message=why)


def _call(function: Callable[..., Any], experiment: Experiment) -> object:
    instance = experiment.instance
    problem = instance.name if instance.problem is None else instance.problem
    bound = {"bound": experiment.bound} if takes_bound(function) else {}
    return function(dict(experiment.candidate.values), problem, instance.seed, **bound)


def takes_bound(function: Callable[..., Any]) -> bool:
    """Whether a function has a parameter `bound`."""
    try:
        return _takes_bound(function)
    except TypeError:  # it cannot be remembered
        return _takes_bound.__wrapped__(function)


@functools.lru_cache(maxsize=16)
def _takes_bound(function: Callable[..., Any]) -> bool:
    try:
        return "bound" in inspect.signature(function).parameters
    except (TypeError, ValueError):  # no signature to be had, as with some compiled functions
        return False


class _StdoutAside:
    """Sends what is printed to stderr while any target runs, in whatever thread."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.depth = 0
        self.stdout: TextIO | None = None

    def __enter__(self) -> None:
        with self.lock:
            self.depth += 1
            if self.depth == 1:
                self.stdout, sys.stdout = sys.stdout, sys.stderr

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self.depth -= 1
            if self.depth == 0 and self.stdout is not None:
                sys.stdout, self.stdout = self.stdout, None


_stdout_aside = _StdoutAside()


def _trace(error: BaseException) -> str:
    """The traceback from the target's own first line on."""
    trace = error.__traceback__
    for _ in range(2):
        trace = trace.tb_next if trace and trace.tb_next else trace
    return "".join(traceback.format_exception(type(error), error, trace))

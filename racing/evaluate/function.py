"""Targets that are Python functions."""

from __future__ import annotations

import contextlib
import functools
import inspect
import math
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO, TypeVar

from racing.base.errors import InputError, TargetError, must_be, named
from racing.base.quantities import Seconds
from racing.base.records import Checked
from racing.core.experiment import Experiment, Status
from racing.core.metric import Metrics
from racing.evaluate.alarm import TimeIsUp, alarm, possible
from racing.evaluate.answers import (
    Answer,
    Attempt,
    Retry,
    Unreadable,
    asked,
    message,
    returned,
    within,
)  # fmt: skip
from racing.evaluate.checksum import checksums
from racing.evaluate.resolve import is_set_up, resolve, set_up
from racing.evaluate.shortage import Shortage, shortage
from racing.evaluate.work import may_be_the_users

T = TypeVar("T")

_KEYS = ("python", "setup", "teardown")
_GIVEN = "target.{} (Python {}.{})"  # no name of a file


def is_given(name: str) -> bool:
    """Whether a checksum with this name is of what Python code gave, not of a file."""
    return name.rpartition(" (")[2].startswith("Python ") and name.endswith(")")


def is_held(name: str) -> bool:
    """Whether a checksum with this name is of a value that a function holds."""
    return is_given(name) and any(f" of target.{key} (" in name for key in _KEYS)


@dataclass(frozen=True, kw_only=True)
class Function(Checked):
    """A Python function `solve(values, instance, seed)` that returns a number.

    Attributes
    ----------
    python
        The function: `file.py:function` or `package.module:function`. Python code may give the
        function itself. It takes the candidate's values (a dictionary), the instance and the seed,
        and returns the cost, or a mapping with `cost` and optional `seconds` and `spent`: payments
        by name, such as `{"usd": 0.003, "tokens": 812}`. Its output goes to stderr. A function with
        a parameter `bound` gets the largest cost that matters, or None: when its cost is certain to
        reach that, it may stop and return it. Of an `async def` function, many calls run at a time
        in one thread, with the engine `asyncio`.
    setup
        A function without arguments, given like `python`, that is called once in each worker before
        its first evaluation, for example to load data. It is not in the time of an evaluation. It
        keeps its data in its module, for `python` to use. Beside an async `python` it may be async
        too, and runs in the same event loop, for example to open a session.
    teardown
        The same at the end of each worker's process, for example to close the session. Not if the
        process is killed.
    timeout
        The wall-clock limit of a call, which is then interrupted. Not possible with the
        `threading` engine.
    cwd
        The folder of a relative `file.py`, and the first folder for modules.
    """

    python: str | Callable[..., Any] = field(kw_only=False)
    setup: str | Callable[[], Any] | None = None
    teardown: str | Callable[[], Any] | None = None
    timeout: Seconds | None = None
    cwd: str = "."

    def __post_init__(self) -> None:
        super().__post_init__()
        for key in _KEYS:
            reference = getattr(self, key)
            if isinstance(reference, str):
                where, _, name = reference.rpartition(":")
                if not where or not name.isidentifier():
                    allowed = "file.py:function or module:function"
                    raise InputError(must_be(key, allowed, reference))

    def resolve(self) -> Callable[..., Any]:
        """The function itself.

        Raises
        ------
        TargetError
            If there is no such file, module or function, or importing it fails.
        """
        function: Callable[..., Any] = resolve(self.python, self.cwd)
        return function

    @functools.cached_property
    def is_async(self) -> bool:
        """Whether the function is an `async def`; False if it cannot be found."""
        try:
            with _stdout_aside:
                return is_coroutine_function(self.resolve())
        except TargetError:
            return False

    def set_up(self) -> None:
        """Call `setup`, if given, once in this process, and `teardown` at its end.

        Of an async function, both run in the event loop; do not call it there.

        Raises
        ------
        TargetError
            If one cannot be found, or `setup` fails.
        """
        if not self._is_set_up:
            set_up(self.setup, self.teardown, self.cwd, self._call_beside)

    @property
    def _is_set_up(self) -> bool:
        return self.setup is self.teardown is None or is_set_up(self.setup, self.cwd)

    def _call_beside(self, function: Callable[[], Any], seconds: float | None = None) -> None:
        """Call `setup` or `teardown`; of an async function in the event loop, for so long."""
        if not self.is_async:
            function()
            return
        from racing.evaluate.event_loop import event_loop

        async def call() -> None:
            if inspect.isawaitable(answer := function()):
                await answer

        event_loop().run(call(), seconds)

    def check(self, parameters: Collection[str] = ()) -> None:
        """Check that it can be called.

        Raises
        ------
        TargetError
            If the function cannot be found or does not take three arguments, or `setup` is async
            and it is not.
        """
        with _stdout_aside:
            function = self.resolve()
            beside = {key: resolve(getattr(self, key), self.cwd) for key in ("setup", "teardown")}
        for key, one in beside.items():
            if one is None:
                continue
            self._check_call(one, key, "no arguments")
            if is_coroutine_function(one) and not self.is_async:
                raise TargetError(
                    f"{key} target {getattr(self, key)} must not be async, as {self.python} is "
                    "not; write a plain function"
                )
        bound = {"bound": None} if takes_bound(function) else {}
        self._check_call(function, "python", "(values, instance, seed)", {}, "", 1, **bound)

    def _check_call(
        self, function: Callable[..., Any], key: str, of: str, *arguments: object, **options: object
    ) -> None:
        try:
            inspect.signature(function).bind(*arguments, **options)
        except TypeError as error:
            raise TargetError(
                f"{key} target {getattr(self, key)} must be a function of {of}; got: {error}"
            ) from error
        except ValueError:  # no signature to be had, as with some compiled functions
            return

    def check_bound(self) -> None:
        """Check that it takes a bound, as capping requires.

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
        """The files of the functions' modules, if known; valid after `check`."""
        given = (getattr(self, key) for key in _KEYS)
        found = (file for one in given if one is not None for file in self._file(one))
        return list(dict.fromkeys(found))

    def _file(self, function: str | Callable[..., Any]) -> list[Path]:
        if isinstance(function, str):
            where = function.rpartition(":")[0]
            if where.endswith(".py"):
                return [Path(self.cwd, where)]
        else:
            held = getattr(function, "__holds__", {"": function})[""]
            inner = getattr(held, "func", held)  # of a functools.partial
            where = getattr(inner, "__module__", None) or ""
        file = getattr(sys.modules.get(where), "__file__", None)
        return [Path(file)] if file else []

    def checksums(self, known: Collection[str] = ()) -> dict[str, str]:
        """Checksums of what Python code gave as functions: of their code, and of what they hold.

        Those of a reference only if it is among the `known` names: its file has all of it.
        """
        found: dict[str, str] = {}
        for key in _KEYS:
            given, name = getattr(self, key), _GIVEN.format(key, *sys.version_info)
            if given is not None and (name in known or not isinstance(given, str)):
                with _stdout_aside, contextlib.suppress(TargetError):
                    parts = checksums(resolve(given, self.cwd)).items()
                    found |= {" of ".join(filter(None, (part, name))): one for part, one in parts}
        return found

    def prepare(self, running: object = None) -> None:
        """Import it and call `setup`, outside of evaluations; `attempt` reports errors."""
        with _stdout_aside, contextlib.suppress(TargetError):
            self.resolve()
            self.set_up()
            if self.is_async:
                self._call_beside(int)  # starts the loop

    def attempt(
        self, experiment: Experiment, *, metrics: Metrics | None = None, **_: object
    ) -> Attempt:
        """Call it once for an experiment; an async function in the event loop of this process.

        Parameters
        ----------
        metrics
            The metrics, if there are several: the answer has those without a `measure`.

        Raises
        ------
        Shortage
            If it cannot be imported, `setup` fails, or it lacks files or threads of its process.
        """
        if self.is_async:
            from racing.evaluate.event_loop import event_loop

            return event_loop().run(self.attempt_async(experiment, metrics=metrics))
        if self.timeout is not None and not possible():
            why = "a timeout needs the main thread of a process; use the backend loky"
            return Attempt(status=Status.CRASHED, message=f"cannot be started: {why}")
        function = self._ready()
        begun = time.perf_counter()
        try:
            with _stdout_aside:
                timed = any(one.measure == "cpu_time" for one in (metrics or {}).values())
                processors = cpu_seconds() if timed else math.nan  # not cheap to ask for
                begun = time.perf_counter()
                with alarm(self.timeout):
                    answer = _call(function, experiment)
            taken = cpu_seconds() - processors if timed else math.nan
            return _answered(answer, metrics, begun, experiment.bound, cpu=taken)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) and may_be_the_users():
                raise
            return self._failed(error, time.perf_counter() - begun)

    async def attempt_async(
        self, experiment: Experiment, *, metrics: Metrics | None = None
    ) -> Attempt:
        """Call an async function once for an experiment, in a running event loop.

        Raises
        ------
        asyncio.CancelledError
            If the task that this runs in was cancelled.
        Shortage
            As `attempt` does.
        """
        from racing.evaluate.event_loop import cancelled, in_thread, in_time

        function = self._ready() if self._is_set_up else await in_thread(self._ready)
        begun = time.perf_counter()
        try:
            with _stdout_aside:
                answer = await in_time(_call(function, experiment), self.timeout)
            return _answered(answer, metrics, begun, experiment.bound)
        except BaseException as error:
            if cancelled(error):
                raise
            return self._failed(error, time.perf_counter() - begun)

    def _ready(self) -> Callable[..., Any]:
        """The function, after `setup`: it was there when the run began, whoever is to call it."""
        try:
            with _stdout_aside:
                function = self.resolve()
                self.set_up()
                return function
        except TargetError as error:
            raise Shortage(str(error)) from error

    def _failed(self, error: BaseException, seconds: float) -> Attempt:
        match error:
            case Retry():
                why = f"crashed: the service was busy: {error}"
                return Attempt(
                    seconds=seconds, status=Status.CRASHED, message=why,
                    retry=error, spent=error.spent,
                )  # fmt: skip
            case TimeIsUp():
                status, why = Status.TIMEOUT, f"timed out after {self.timeout:g} s"
            case Unreadable():
                status, why = Status.UNREADABLE, f"unreadable: {error}"
            case _:
                memory = isinstance(error, MemoryError)
                status = Status.OUT_OF_MEMORY if memory else Status.CRASHED
                why = message(f"{status}: {named(error)}", stderr=_trace(error))
                if (short := shortage(error, inside=True)) is not None:
                    traceback.clear_frames(error.__traceback__)  # which hold its files open
                    raise Shortage(str(short), crowded=True, failure=why) from error
        return Attempt(seconds=seconds, status=status, message=why)


def is_coroutine_function(function: Callable[..., Any]) -> bool:
    """Whether a call gives a coroutine; also for callable objects and partials."""
    while isinstance(function, functools.partial):
        function = function.func
    call = getattr(type(function), "__call__", None)  # noqa: B004 (of its class)
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)


def _answered(
    answer: object,
    metrics: Metrics | None,
    begun: float,
    bound: float | None,
    *,
    cpu: float = math.nan,
) -> Attempt:
    """The attempt with this answer, including what is measured here."""
    elapsed, names = time.perf_counter() - begun, asked(metrics)
    found = Answer({}) if names == () else returned(answer, names)
    if metrics is None:
        return within(found.attempt(elapsed), bound)
    taken = {"cpu_time": cpu, "wall_time": elapsed}
    own = {name: taken[one.measure] for name, one in metrics.items() if one.measure in taken}
    if any(map(math.isnan, own.values())):
        raise Unreadable("the processor time of an async function cannot be measured")
    return found.attempt(elapsed, own)


def cpu_seconds() -> float:
    """Processor seconds of this process and of the children that it waited for."""
    return sum(os.times()[:4])


def _call(function: Callable[..., Any], experiment: Experiment) -> Any:
    instance = experiment.instance
    problem = instance.name if instance.problem is None else instance.problem
    bound = {"bound": experiment.bound} if takes_bound(function) else {}
    process = os.getpid()
    try:
        return function(dict(experiment.candidate.values), problem, instance.seed, **bound)
    finally:
        if os.getpid() != process:  # a forked child, which must not answer again
            os._exit(0)


def takes_bound(function: Callable[..., Any]) -> bool:
    """Whether a function has a parameter `bound`."""
    try:
        return _takes_bound(function)
    except TypeError:  # it cannot be cached
        return _takes_bound.__wrapped__(function)


@functools.lru_cache(maxsize=16)
def _takes_bound(function: Callable[..., Any]) -> bool:
    try:
        return "bound" in inspect.signature(function).parameters
    except (TypeError, ValueError):  # no signature to be had, as with some compiled functions
        return False


class _StdoutAside:
    """Sends printed text to stderr while any target runs, in any thread."""

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


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] == "racing"


def _trace(error: BaseException) -> str:
    """The traceback from the target's first line on."""
    trace = error.__traceback__
    while trace and trace.tb_next and _is_ours(trace.tb_frame.f_globals.get("__name__", "")):
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(error), error, trace))

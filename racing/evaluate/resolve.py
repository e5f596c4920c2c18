"""Imports functions by `file.py:function` or `module:function`."""

from __future__ import annotations

import difflib
import functools
import hashlib
import importlib
import importlib.util
import os
import sys
import threading
import traceback
from collections.abc import Callable
from multiprocessing.util import Finalize
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

from racing.base.errors import TargetError
from racing.base.logs import logger

Beside: TypeAlias = str | Callable[[], Any] | None
"""What stands beside a function: another one, or its reference."""


def resolve(given: Any, cwd: str) -> Any:
    """The function of a reference; what is no text is returned as it is.

    Raises
    ------
    TargetError
        If there is no such file, module or function, or importing it fails.
    """
    return _imported(given, cwd) if isinstance(given, str) else given


@functools.cache
def _imported(reference: str, cwd: str) -> Callable[..., Any]:
    """The function of a reference; imported once in a process."""
    where, _, name = reference.rpartition(":")
    module = _from_file(where, cwd) if where.endswith(".py") else _from_module(where, cwd)
    function = getattr(module, name, None)
    if not callable(function):
        found = [key for key, value in vars(module).items() if callable(value)]
        close = difflib.get_close_matches(name, found, n=1)
        raise TargetError(
            f"{reference}: {where} has no function {name!r}"
            + (f"; did you mean {close[0]!r}?" if close else "")
        )
    return function  # type: ignore[no-any-return]


PATIENCE = 10.0
"""Seconds that an async teardown may take."""

_LOGGER = logger(__name__)
_setting_up = threading.Lock()
_done: set[object] = set()


def is_set_up(setup: Beside, cwd: str) -> bool:
    """Whether `set_up` has been done in this process."""
    return (setup, cwd) in _done


def set_up(setup: Beside, teardown: Beside, cwd: str, call: Callable[..., None]) -> None:
    """Call a setup function, once in a process, and a teardown function at its end.

    Parameters
    ----------
    call
        Calls a function, in so many seconds; of an async target in its event loop.

    Raises
    ------
    TargetError
        If one cannot be found, or the setup fails; the next call then repeats it.
    """
    with _setting_up:
        if is_set_up(setup, cwd):
            return
        first, last = resolve(setup, cwd), resolve(teardown, cwd)
        try:
            if first is not None:
                call(first)
        except (Exception, SystemExit) as error:
            raise TargetError(f"setup {setup} failed: {type(error).__name__}: {error}") from error
        if last is not None:
            Finalize(None, _tear_down, (call, last, os.getpid()), exitpriority=10)
        _done.add((setup, cwd))


def _tear_down(call: Callable[..., None], teardown: Callable[[], Any], process: int) -> None:
    """Call a teardown function, unless this is a fork of the process that was set up."""
    if os.getpid() == process:
        try:
            call(teardown, PATIENCE)
        except (Exception, SystemExit) as error:
            why = f"{type(error).__name__}: {error}"
            _LOGGER.warning("teardown %s failed: %s", getattr(teardown, "__name__", teardown), why)


@functools.cache
def _from_file(where: str, cwd: str) -> ModuleType:
    path = (Path(cwd) / where).resolve()
    if not path.is_file():
        raise TargetError(f"python target {where}: there is no file {str(path)!r}")
    _prefer(path.parent)
    name = f"_racing_{path.stem}_{hashlib.sha1(str(path).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise TargetError(f"python target {where}: {str(path)!r} cannot be imported")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, Exception | SystemExit):
            raise _refusal(where, error) from error
        raise
    return module


def _from_module(where: str, cwd: str) -> ModuleType:
    _prefer(Path(cwd).resolve())
    try:
        return importlib.import_module(where)
    except (Exception, SystemExit) as error:
        raise _refusal(where, error) from error


def _prefer(folder: Path) -> None:
    """Let imports find modules beside the target, as for a script."""
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


def _refusal(where: str, error: BaseException) -> TargetError:
    """The error for a failed import, which may be a `sys.exit`."""
    if isinstance(error, SyntaxError):
        place = f"{Path(error.filename or where).name}:{error.lineno}"
    else:
        frames = traceback.extract_tb(error.__traceback__)
        last = [one for one in frames if "<frozen" not in one.filename][-1]
        place = f"{Path(last.filename).name}:{last.lineno}"
    return TargetError(
        f"python target {where} cannot be imported: {type(error).__name__} at {place}: {error}"
    )

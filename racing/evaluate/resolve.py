"""Imports functions by `file.py:function` or `module:function`; checksums of functions."""

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
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from multiprocessing.util import Finalize
from pathlib import Path
from types import CellType, CodeType, FunctionType, MappingProxyType, MethodType, ModuleType
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


# --- checksums ----------------------------------------------------------------------------------

_ATOMS = {type(None), bool, int, float, complex, str, bytes, bytearray, type(...)}


def checksum(value: object) -> str:
    """A checksum of code and data, the same in every process of a version of Python.

    Globals are left out. What is nothing but an address, such as a lock, counts as its type. Empty
    for a value that cannot be taken apart.

    Examples
    --------
    >>> def times(factor):
    ...     return lambda number: factor * number
    >>> checksum(times(2)) == checksum(times(2)), checksum(times(2)) == checksum(times(3))
    (True, False)
    """
    try:
        return _Content().of(value)
    except Exception:
        return ""


def contents(values: Mapping[str, object]) -> dict[str, str]:
    """The `checksum` of each value, by its name; what several of them hold is read once."""
    content, found = _Content(), dict.fromkeys(values, "")
    for name, value in values.items():
        with suppress(Exception):
            found[name] = content.of(value)
    return found


def checksums(function: object) -> dict[str, str]:
    """A checksum of a function's code, by an empty name, and of each value that it holds, by name.

    It holds those of its closure, its defaults and its object, and what functions among them hold.
    Empty for a function that cannot be taken apart.

    Examples
    --------
    >>> [*checksums(lambda number, factor=2: factor * number)]
    ['', 'defaults']
    """
    content = _Content()
    try:
        content.of(function)
        held = {name: content.of(one) for name, one in _held(function, "", set())}
    except Exception:
        return {}
    return {"": _sum(sorted(content.code)), **held}


def _held(value: Any, name: str, met: set[int]) -> Iterator[tuple[str, object]]:
    """The names of the values that a function or an object holds, and these."""
    within: dict[str, object] = {}
    match value:
        case FunctionType():
            cells = zip(value.__code__.co_freevars, value.__closure__ or (), strict=True)
            within = {key: one for key, cell in cells for one in _filled(cell)}
            if any(defaults := (value.__defaults__, value.__kwdefaults__)):
                yield f"{name}.defaults".strip("."), defaults
        case MethodType():
            within = {"": value.__func__, "self": value.__self__}
        case functools.partial():
            within = {"": value.func, "arguments": value.args, **value.keywords}
        case _ if _is_plain(value):
            yield from ((f"{name}.{key}".strip("."), one) for key, one in vars(value).items())
        case _:
            yield name, value
    if id(value) not in met:  # it may hold itself
        met.add(id(value))
        for key, one in within.items():
            yield from _held(one, f"{name}.{key}".strip("."), met)


def _filled(cell: CellType) -> Iterator[object]:
    with suppress(ValueError):  # it is empty
        yield cell.cell_contents


def _is_plain(value: object) -> bool:
    """Whether an object has nothing but attributes."""
    if not hasattr(value, "__dict__") or isinstance(value, type | ModuleType):
        return False
    ways = ("__reduce__", "__getstate__")
    return all(getattr(type(value), one) is getattr(object, one) for one in ways)


def _sum(value: object) -> str:
    found = hashlib.sha256(type(value).__name__.encode())
    found.update(value if isinstance(value, bytes | bytearray) else repr(value).encode())
    return found.hexdigest()


class _Content:
    """Checksums of values without their addresses, and those of all code that was met."""

    def __init__(self) -> None:
        self.code: set[str] = set()
        self._met: dict[int, tuple[object, str]] = {}  # with the value, which keeps its id

    def of(self, value: object) -> str:
        if type(value) in _ATOMS:
            return _sum(value)
        if id(value) not in self._met:
            self._met[id(value)] = value, "itself"
            self._met[id(value)] = value, _sum((type(value).__qualname__, self._parts(value)))
        return self._met[id(value)][1]

    def _parts(self, value: Any) -> list[str]:
        of = self.of
        match value:
            case FunctionType():
                self.code.add(code := of(value.__code__))
                held = value.__defaults__, value.__kwdefaults__, value.__closure__
                return [code, *map(of, held)]
            case CodeType():  # without lines and files
                steps = value.co_code, getattr(value, "co_exceptiontable", b""), value.co_flags
                taken = value.co_argcount, value.co_posonlyargcount, value.co_kwonlyargcount
                names = value.co_names, value.co_varnames, value.co_freevars, value.co_cellvars
                return [repr((steps, taken, names)), *map(of, value.co_consts)]
            case MethodType() | staticmethod() | classmethod():
                return [of(value.__func__), of(getattr(value, "__self__", None))]
            case list() | tuple():
                return [repr(value)] if _is_flat(value, 2) else [*map(of, value)]
            case set() | frozenset():
                return sorted(map(of, value))
            case dict() | MappingProxyType():
                return sorted(
                    of(key) + of(one) for key, one in value.items()
                    if str(key)[:4] != "_skl"  # scikit-learn's version, and its callbacks
                )  # fmt: skip
            case CellType():
                return [*map(of, _filled(value))]
            case ModuleType():
                return [value.__name__]
            case type():
                return [value.__qualname__, of(_own(value))]
        return self._reduced(value)

    def _reduced(self, value: Any) -> list[str]:
        """What `pickle` would keep of an object; nothing if it cannot."""
        inner = getattr(value, "__wrapped__", None)
        if isinstance(inner, FunctionType) and not _is_plain(value):
            return [self.of(inner)]  # functools.cache and the like
        dtype = getattr(value, "dtype", None)
        if type(value).__module__ == "numpy" and dtype is not None and not dtype.hasobject:
            return [str(dtype), str(value.shape), _sum(value.tobytes())]
        try:
            found = value.__reduce_ex__(2)
        except Exception:
            return []
        if isinstance(found, str):
            return [found]
        items = [[*one] for one in found[3:5] if one is not None]
        return [getattr(found[0], "__name__", ""), *map(self.of, (*found[1:3], *items))]


def _is_flat(value: object, depth: int) -> bool:
    """Whether it is plain, or a list of what is: its text says all, and takes less time."""
    if type(value) in (list, tuple) and depth:
        return all(_is_flat(one, depth - 1) for one in value)  # type: ignore[attr-defined]
    return type(value) in _ATOMS


def _own(value: type) -> dict[str, object]:
    """What a class has that is in no module's file; else nothing."""
    if value.__module__ != "__main__" and "<" not in value.__qualname__:
        return {}
    return {
        name: one for name, one in vars(value).items()
        if isinstance(one, FunctionType) or not name.startswith("__")
    }  # fmt: skip

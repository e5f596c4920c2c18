"""Checksums of functions and of what they hold, so that a log notices another target.

They are the same in every process of a version of Python: no address, no line, no name of the file
of a function, and no name that `tempfile` draws is in them.
"""

from __future__ import annotations

import functools
import hashlib
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import PurePath
from types import CellType, CodeType, FunctionType, MappingProxyType, MethodType, ModuleType
from typing import Any

_ATOMS = {type(None), bool, int, float, complex, str, bytes, bytearray, type(...)}


def contents(values: Mapping[str, object]) -> dict[str, str]:
    """A checksum of each value, by its name; what several of them hold is read once.

    Globals are left out. What is nothing but an address, such as a lock, counts as its type. Empty
    for a value that cannot be taken apart.

    Examples
    --------
    >>> def times(factor):
    ...     return lambda number: factor * number
    >>> found = contents({"twice": times(2), "double": times(2), "triple": times(3)})
    >>> found["twice"] == found["double"], found["twice"] == found["triple"]
    (True, False)
    """
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
        case FunctionType() if hasattr(value, "__holds__"):  # it stands for another function
            within = value.__holds__
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
    found.update(value if isinstance(value, bytes | bytearray) else _steady(repr(value)).encode())
    return found.hexdigest()


def _steady(text: str) -> str:
    """A text without the names of temporary files and folders, which each process draws anew."""
    return _drawn().sub("", text) if tempfile.gettempdir() in text else text


@functools.cache
def _drawn() -> re.Pattern[str]:
    """What `tempfile` draws as a name: eight characters behind a prefix."""
    folder = re.escape(f"{tempfile.gettempdir()}/")
    return re.compile(rf"""(?<={folder})(?:tmp|[^/'"]*[-_.])[a-z0-9_]{{8}}(?=[./'"]|$)""")


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
        if isinstance(value, PurePath) and (steady := _steady(str(value))) != str(value):
            return [steady]
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

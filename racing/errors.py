"""Every error this package raises on purpose, in one tree.

    RacingError
    ├── InputError (ValueError)      data or arguments that cannot be used as given
    │   ├── ScenarioError            a scenario that cannot be read: each error, file, line
    │   ├── FormatError              another program's file that cannot be read: each place
    │   ├── ExpressionError          an expression that cannot be used, with the place in its text
    │   ├── SpaceError               a space that cannot be used: each error, its place
    │   ├── SamplingError            hardly any configuration of a space is allowed
    │   ├── TableError               a table of results that cannot be compared
    │   └── NothingToTest            the winner is the very candidate to hold it to by default
    ├── RaceError                    ask / tell used out of order
    ├── TargetError                  a target that cannot be started at all
    │   └── TargetFailed             every evaluation failed, or one that must not; has the result
    ├── CallbackError                a callback raised something; has the result so far
    ├── LogError                     a run's log that cannot be used
    │   ├── LogBusy                  another process is writing it
    │   ├── LogDamaged               not a log, or a truncated one
    │   └── LogVersionError          written by a newer version
    └── MissingExtra (ImportError)   an optional dependency is not installed

A message names the thing, what was expected, what was found, and how to mend it.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from types import ModuleType
from typing import Any


class RacingError(Exception):
    """Root of every error that this package raises on purpose."""


class InputError(RacingError, ValueError):
    """Data or arguments that cannot be used as given."""


class ScenarioError(InputError):
    """A scenario that cannot be used; `errors` lists everything found, each with its place."""

    def __init__(self, errors: tuple[str, ...] | str) -> None:
        self.errors = (errors,) if isinstance(errors, str) else tuple(errors)
        super().__init__("\n".join(self.errors))


class FormatError(InputError):
    """A file of another program that cannot be read; `errors` lists every one, with its place."""

    def __init__(self, errors: Iterable[str]) -> None:
        self.errors = tuple(errors)
        super().__init__("\n".join(self.errors))

    def __reduce__(self) -> Any:
        return type(self), (self.errors,)


class ExpressionError(InputError):
    """An expression that cannot be used.

    Attributes
    ----------
    reason
        What is wrong, without the place.
    text
        The expression.
    offset
        Where the error is: characters from the start of `text`, from 0.
    """

    def __init__(self, reason: str, *, text: str = "", offset: int = 0) -> None:
        self.reason = reason
        self.text = text
        self.offset = offset
        shown = f" (column {self.column} of {show(text)})" if text else ""
        super().__init__(f"{reason}{shown}")

    def __reduce__(self) -> Any:
        return _rebuilt, (type(self), self.reason, {"text": self.text, "offset": self.offset})

    @property
    def line(self) -> int:
        """The line of the error within the text, from 1."""
        return self.text.count("\n", 0, self.offset) + 1

    @property
    def column(self) -> int:
        """The column of the error within its line, from 1."""
        return self.offset - (self.text.rfind("\n", 0, self.offset) + 1) + 1


class SpaceError(InputError):
    """A space that cannot be used; `errors` lists every `PlacedError` that was found."""

    def __init__(self, errors: Iterable[Any]) -> None:
        self.errors = tuple(errors)
        super().__init__("\n".join(str(error) for error in self.errors))

    def __reduce__(self) -> Any:
        return type(self), (self.errors,)


class SamplingError(InputError):
    """Hardly any configuration of a space is allowed, so that none could be drawn."""


class TableError(InputError):
    """A table of results that cannot be compared as it stands."""


class NothingToTest(InputError):
    """The winner of a run is the very `candidate` that it would be held to by default."""

    def __init__(self, message: str, candidate: Any) -> None:
        self.candidate = candidate
        super().__init__(message)


class RaceError(RacingError):
    """`ask` and `tell` were used in a way that a race cannot follow."""


class TargetError(RacingError):
    """A target that cannot be started at all."""


class TargetFailed(TargetError):
    """Every evaluation failed, or one did that must not; `result` has what was reached."""

    def __init__(self, message: str, result: Any) -> None:
        self.result = result
        super().__init__(message)

    def __reduce__(self) -> Any:
        return type(self), (str(self), None)  # a result cannot travel between processes


class CallbackError(RacingError):
    """A callback raised something, its `__cause__`; `result` has what was reached until then."""

    result: Any = None


class LogError(RacingError):
    """A run's log that cannot be used."""


class LogBusy(LogError):
    """Another process holds the log."""


class LogDamaged(LogError):
    """A file that is not a log, or only a part of one."""


class LogVersionError(LogError):
    """A log written by a newer version of this package."""


class MissingExtra(RacingError, ImportError):
    """An optional dependency is not installed."""


def require(module: str, *, extra: str, purpose: str) -> ModuleType:
    """Import `module`, or say which extra brings it.

    Raises
    ------
    MissingExtra
        If the module cannot be imported.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtra(
            f"{purpose} needs {module.partition('.')[0]}, which is not installed: "
            f"pip install 'racing[{extra}]'"
        ) from error


def _rebuilt(kind: Any, reason: str, options: dict[str, Any]) -> Any:
    """An error with keyword-only arguments, after it travelled between processes."""
    return kind(reason, **options)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown word: the nearest known one, or all of them."""
    from difflib import get_close_matches

    known = [str(name) for name in known]
    if near := get_close_matches(word, known, n=1):
        return f"; did you mean {near[0]!r}?"
    return f"; known: {', '.join(known)}" if known else ""


def show(value: object) -> str:
    """A value for a message: text in double quotes, the rest as YAML writes it, shortened."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{_shorten(value)}"'
    return _shorten(repr(value))


def _shorten(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}… ({len(text)} characters)"


_SHOWN = 60

"""All errors of this package, in one tree.

    RacingError
    ├── InputError (ValueError)      data or arguments that cannot be used
    │   ├── ScenarioError            a scenario that cannot be read: each error, file, line
    │   ├── FormatError              another program's file that cannot be read: each place
    │   ├── ExpressionError          an expression that cannot be used, with the place in its text
    │   ├── SpaceError               a space that cannot be used: each error, its place
    │   ├── SamplingError            hardly any configuration of a space is allowed
    │   ├── TableError               a table of results that cannot be compared
    │   └── NothingToTest the winner is the default, so there is no comparison
    ├── RaceError                    ask / tell used out of order
    ├── TargetError                  a target that cannot be started at all
    │   └── TargetFailed             every evaluation failed, or one that must not; has the result
    ├── CallbackError                a callback raised something; has the result so far
    ├── LogError                     a run's log that cannot be used
    │   ├── LogBusy                  another process is writing it
    │   ├── LogDamaged               not a log, or a truncated one
    │   └── LogVersionError          written by a newer version
    └── MissingExtra (ImportError)   an optional dependency is not installed

A message names the thing, what is allowed, what was found, and how to fix it where that is not
obvious, in the one form of `must_be`: x must be Z; got Y; fix.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from types import ModuleType
from typing import Any


class RacingError(Exception):
    """The root of all errors of this package.

    Examples
    --------
    >>> import racing
    >>> try:
    ...     racing.Budget(evaluations=-5)
    ... except racing.RacingError as error:
    ...     print(error)
    evaluations must be a whole number, 1 or more; got -5
    """


class InputError(RacingError, ValueError):
    """Data or arguments that cannot be used.

    Examples
    --------
    >>> import racing
    >>> try:
    ...     racing.Race([{"x": 1}, {"x": 2}], range(9), rule="singn")
    ... except racing.InputError as error:
    ...     print(error)
    rule: unknown rule "singn"; did you mean 'sign'?
    """


class ScenarioError(InputError):
    """A scenario that cannot be used; `errors` lists each error with its place.

    Examples
    --------
    >>> from racing import ScenarioError
    >>> from racing.scenario import reads
    >>> try:
    ...     reads("seed: one", "race.yaml")
    ... except ScenarioError as error:
    ...     print(error.errors[0])
    race.yaml:1: ...
    """

    def __init__(self, errors: tuple[str, ...] | str) -> None:
        self.errors = told((errors,) if isinstance(errors, str) else errors)
        super().__init__("\n".join(self.errors))


class FormatError(InputError):
    """A file of another program that cannot be read; `errors` lists each error with its place.

    Examples
    --------
    >>> from racing import FormatError
    >>> from racing.scenario.formats.pcs import parse_pcs
    >>> try:
    ...     parse_pcs("x real [0, one] [0]", "solver.pcs")
    ... except FormatError as error:
    ...     print(error.errors[0])
    solver.pcs:1:1: x: the upper bound must be a number; got "one"
    """

    def __init__(self, errors: Iterable[str]) -> None:
        self.errors = told(errors)
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

    Examples
    --------
    >>> from racing import ExpressionError
    >>> from racing.space.expressions import parse
    >>> try:
    ...     parse("time *")
    ... except ExpressionError as error:
    ...     print(error)
    this must be a name, a number or a bracket; got the end (column 7 of "time *")
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
    """A space that cannot be used; `errors` lists every `PlacedError`.

    Examples
    --------
    >>> from racing import SpaceError
    >>> from racing.space import Integer, Space
    >>> try:
    ...     Space({"ants": Integer(5, 100, when="algoritm == aco")})
    ... except SpaceError as error:
    ...     print(error.errors[0])
    ants.when: unknown name 'algoritm'; known: ants (column 1 of "algoritm == aco")
    """

    def __init__(self, errors: Iterable[Any]) -> None:
        self.errors = tuple(errors)
        super().__init__("\n".join(str(error) for error in self.errors))

    def __reduce__(self) -> Any:
        return type(self), (self.errors,)


class SamplingError(InputError):
    """No configuration could be drawn, because almost all are forbidden.

    Examples
    --------
    >>> import numpy as np
    >>> from racing import SamplingError
    >>> from racing.space import Real, Space
    >>> space = Space({"x": Real(0, 1, default=0.5)}, forbidden=["x != 0.5"])
    >>> try:
    ...     space.sample(np.random.default_rng(1), 2)
    ... except SamplingError as error:
    ...     print(error)
    only 0 of 2 configurations were found: 0 of ... random ones are allowed. x != 0.5 refuses ...
    """


class TableError(InputError):
    """A table of results that cannot be compared.

    Examples
    --------
    >>> import racing
    >>> try:
    ...     racing.compare([[1.0, float("nan")], [2.0, 3.0]], direction="minimize")
    ... except racing.TableError as error:
    ...     print(error)
    table: 1 cell is missing: A2 on 1. Fill them, or leave out 1 of 2 instances ...
    """


class NothingToTest(InputError):
    """The winner of a run is the `candidate` that it would be compared with.

    `racing test` says so, and evaluates nothing.
    """

    def __init__(self, message: str, candidate: Any) -> None:
        self.candidate = candidate
        super().__init__(message)


class RaceError(RacingError):
    """`ask` and `tell` were used out of order.

    Examples
    --------
    >>> import racing
    >>> race = racing.Race([{"x": 1}, {"x": 2}], range(9))
    >>> experiment, *_ = race.ask()
    >>> race.tell(experiment, 1.0)
    >>> try:
    ...     race.tell(experiment, 2.0)
    ... except racing.RaceError as error:
    ...     print(error)
    the outcome of candidate 1 on instance 0 was told before, and the first one counts; ...
    """


class TargetError(RacingError):
    """A target that cannot be started at all, such as a command that does not exist.

    Examples
    --------
    >>> from racing import TargetError, TargetFailed
    >>> issubclass(TargetFailed, TargetError)
    True
    """


class TargetFailed(TargetError):
    """Every evaluation failed, or one that must not; `result` has the result so far.

    Examples
    --------
    >>> import racing
    >>> def broken(values, instance, seed):
    ...     raise ValueError("no luck")
    >>> try:
    ...     racing.minimize(broken, [{"x": 1}, {"x": 2}], range(9))
    ... except racing.TargetFailed as error:
    ...     print(error.result.failures)
    (('crashed: ValueError: no luck', 2),)
    """

    def __init__(self, message: str, result: Any) -> None:
        self.result = result
        super().__init__(message)

    def __reduce__(self) -> Any:
        return type(self), (str(self), None)  # a result cannot travel between processes


class CallbackError(RacingError):
    """A callback raised its `__cause__`; `result` has the result so far.

    Examples
    --------
    >>> import racing
    >>> def solve(values, instance, seed):
    ...     return values["x"]
    >>> def show(event):
    ...     raise ValueError("no screen")
    >>> try:
    ...     racing.minimize(solve, [{"x": 1}, {"x": 2}], range(9), callbacks=[show])
    ... except racing.CallbackError as error:
    ...     print(repr(error.__cause__))
    ValueError('no screen')
    """

    result: Any = None


class LogError(RacingError):
    """A run's log that cannot be used.

    Examples
    --------
    >>> import racing
    >>> from racing.log import SQLiteLog
    >>> try:
    ...     SQLiteLog.open("none.sqlite", write=False)
    ... except racing.LogError as error:
    ...     print(error)
    there is no log at none.sqlite; `racing run` creates one
    """


class LogBusy(LogError):
    """Another process holds the log.

    Examples
    --------
    >>> import tempfile
    >>> from racing import LogBusy
    >>> from racing.log import Header, SQLiteLog
    >>> path = tempfile.mkdtemp() + "/run.sqlite"
    >>> with SQLiteLog.create(path, Header(name="race", seed=1)):
    ...     try:
    ...         SQLiteLog.open(path, write=True)
    ...     except LogBusy as error:
    ...         print(error)
    /.../run.sqlite is being written by process ...; wait for it or stop it, ...
    """


class LogDamaged(LogError):
    """A file that is not a log, or is truncated.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from racing import LogDamaged
    >>> from racing.log import SQLiteLog
    >>> path = Path(tempfile.mkdtemp(), "run.sqlite")
    >>> _ = path.write_text("cost\\n3.5\\n")
    >>> try:
    ...     SQLiteLog.open(path, write=False)
    ... except LogDamaged as error:
    ...     print(error)
    /...run.sqlite ...
    """


class LogVersionError(LogError):
    """A log written by a newer version of this package."""


class MissingExtra(RacingError, ImportError):
    """An optional dependency is not installed.

    Examples
    --------
    >>> from racing import MissingExtra
    >>> from racing.base.errors import require
    >>> try:
    ...     require("no_such_module", extra="plot", purpose="drawing")
    ... except MissingExtra as error:
    ...     print(error)
    drawing needs no_such_module, which is not installed: pip install 'racing[plot]'
    """


def require(module: str, *, extra: str, purpose: str) -> ModuleType:
    """Import `module`, or name the extra that installs it.

    Raises
    ------
    MissingExtra
        If the module cannot be imported.

    Examples
    --------
    >>> from racing.base.errors import require
    >>> require("json", extra="plot", purpose="drawing").dumps([1])
    '[1]'
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtra(
            f"{purpose} needs {module.partition('.')[0]}, which is not installed: "
            f"pip install 'racing[{extra}]'"
        ) from error


def _rebuilt(kind: Any, reason: str, options: dict[str, Any]) -> Any:
    """Rebuild an error with keyword-only arguments after it was pickled."""
    return kind(reason, **options)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The hint of a message about an unknown word: the nearest known one, or all of them.

    Examples
    --------
    >>> from racing.base.errors import did_you_mean
    >>> did_you_mean("shwo", ["show", "run"])
    "; did you mean 'show'?"
    """
    from difflib import get_close_matches

    known = [str(name) for name in known]
    if word[:1] == "#" and word[1:].isdigit():  # the nearest number is not what was meant
        known = [name for name in known if name[:1] == "#" and name[1:].isdigit()]
        ends = sorted(known, key=lambda name: int(name[1:]))
        return f"; there are {ends[0]} to {ends[-1]}" if ends else ""
    comparable = len(word) <= _LONGEST_WORD and len(known) <= _MOST_KNOWN
    if comparable and (near := get_close_matches(word, known, n=1)):
        return f"; did you mean {near[0]!r}?"
    more = ", …" if len(known) > _MOST_LISTED else ""
    return f"; known: {', '.join(known[:_MOST_LISTED])}{more}" if known else ""


def told(errors: Iterable[str], most: int | None = None) -> tuple[str, ...]:
    """The first errors, shortened, and the number of further ones."""
    found, most = tuple(errors), most or MOST_ERRORS
    shown = found if len(found) <= most else found[: most - 1]
    more = len(found) - len(shown)
    lines = (text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…" for text in shown)
    return (*lines, f"… and {more} more errors") if more else tuple(lines)


def must_be(name: str, allowed: str, value: object, fix: str = "") -> str:
    """The message about a value that is not allowed; `fix` follows a semicolon.

    Examples
    --------
    >>> from racing.base.errors import must_be
    >>> must_be("jobs", "a whole number, 1 or more", 0)
    'jobs must be a whole number, 1 or more; got 0'
    """
    return f"{name} must be {allowed}; got {show(value)}{fix and f'; {fix}'}"


def placed(place: str, message: str) -> str:
    """A message after its place; a key whose value must be something is its subject."""
    if not place:
        return message
    return f"{place}{' ' if message.startswith('must ') else ': '}{message}"


def show(value: object) -> str:
    """A value for a message: text in double quotes, the rest as YAML writes it, shortened."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{shorten(value)}"'
    return shorten(repr(value))


def shorten(text: str, most: int = 60) -> str:
    """The beginning of a long text, and its length.

    Examples
    --------
    >>> from racing.base.errors import shorten
    >>> len(shorten("x" * 1000)) < 1000
    True
    """
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"


_LONGEST = 2_000  # characters of one error
_LONGEST_WORD, _MOST_KNOWN, _MOST_LISTED = 100, 1_000, 100
MOST_ERRORS = 50
"""The most errors that one reading reports; the last may count the others."""


def named(error: BaseException) -> str:
    """An exception as one line."""
    text = str(error).partition("\n")[0][:200]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__

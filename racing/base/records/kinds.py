"""Kinds of values: each reads, writes and describes the values of a field."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from racing.base.errors import MOST_ERRORS, InputError, placed, show, told

Schema = dict[str, Any]


class Invalid:
    """The type of `INVALID`."""

    def __repr__(self) -> str:
        return "INVALID"


INVALID = Invalid()
"""The result for an invalid value with its error noted."""


class FieldError(NamedTuple):
    """One error of a field.

    Attributes
    ----------
    path
        Where it is, seen from the record: `space.alpha.real[0]`; empty for the record itself.
    message
        What is wrong.
    offset
        The place in the text of that field, in characters from its start; None for all of it.

    Examples
    --------
    >>> from racing import Budget
    >>> from racing.base.records import FieldErrors
    >>> try:
    ...     Budget(evaluations=-5)
    ... except FieldErrors as error:
    ...     print([(each.path, each.message) for each in error.errors])
    [('evaluations', 'must be a whole number, 1 or more; got -5')]
    """

    path: str
    message: str
    offset: int | None = None

    def __str__(self) -> str:
        where = "" if self.offset is None else f" (column {self.offset + 1})"
        return placed(self.path, f"{self.message}{where}")


class FieldErrors(InputError):
    """Fields that cannot be used, or that contradict each other; `errors` has each one."""

    def __init__(self, errors: Iterable[FieldError]) -> None:
        self.errors = tuple(errors)
        super().__init__(self.errors)

    def __str__(self) -> str:
        return "\n".join(told(map(str, self.errors)))


@dataclass(slots=True)
class Errors:
    """Collects the errors of one reading.

    Attributes
    ----------
    found
        All so far.
    top
        The keys of the record that is read, to recognise one that stands further down.
    plain
        Whether the data come from a file, not from Python.
    """

    found: list[FieldError] = field(default_factory=list)
    top: frozenset[str] = frozenset()
    plain: bool = False

    @property
    def full(self) -> bool:
        """Whether more errors are noted than reported, so that further ones need no hint."""
        return len(self.found) >= MOST_ERRORS

    def add(self, at: str, message: str, offset: int | None = None) -> None:
        """Note an error at a path."""
        self.found.append(FieldError(at, message, offset))

    def include(self, at: str, errors: Iterable[FieldError]) -> None:
        """Note the errors of a part, with its path."""
        self.found.extend(error._replace(path=join(at, error.path)) for error in errors)

    def within_plain(self) -> Errors:
        """The same collection, for a part that is plain data."""
        return self if self.plain else replace(self, plain=True)


def join(at: str, path: str) -> str:
    """A path below another."""
    return f"{at}{path}" if not at or not path or path.startswith("[") else f"{at}.{path}"


class KeyDoc(NamedTuple):
    """One key of a scenario.

    Attributes
    ----------
    path
        From the top, such as `budget.wall_time`. `<name>` is any name, `[]` an item of a list,
        `target(command)` the mapping with that key, and `rule(sign)` the one with that rule.
    allowed, default, doc
        The allowed values, the default (or `required`), and the meaning.
    """

    path: str
    allowed: str
    default: str
    doc: str


class Kind(ABC):
    """One kind of value. Subclasses are frozen dataclasses."""

    allowed: str
    """The allowed values, as words after "must be"."""

    @abstractmethod
    def read(self, value: Any, at: str, errors: Errors) -> Any:
        """The value for the record; `INVALID`, with the error noted, if it is not allowed."""

    def hint(self, value: Any) -> str:
        """The probable meaning of a refused value; or ""."""
        return ""

    def write(self, value: Any) -> Any:
        """The value as plain data that `read` takes."""
        return value

    @abstractmethod
    def schema(self) -> Schema:
        """The JSON Schema of the allowed values."""

    def key_docs(self, path: str) -> Iterator[KeyDoc]:
        """The keys below a path, for the reference."""
        return iter(())

    def refuse(self, value: object, at: str, errors: Errors, hint: str = "") -> Any:
        """Note that a value is not allowed."""
        if value is not INVALID:
            hint = f" ({hint})" if hint else ""
            errors.add(at, f"must be {self.allowed}; got {shown(value)}{hint}")
        return INVALID


def shown(value: object) -> str:
    """A value for a message."""
    if isinstance(value, list | tuple):
        return "a list" if value else "an empty list"
    if isinstance(value, Mapping):
        return "a mapping" if value else "an empty mapping"
    return "nothing" if value is None else show(value)


def argument(kind: Kind, value: object, name: str) -> Any:
    """An argument of Python code, read as the kind reads it from a file.

    Raises
    ------
    FieldErrors
        If the kind does not allow it.
    """
    errors = Errors()
    found = kind.read(value, name, errors)
    if errors.found:
        raise FieldErrors(errors.found)
    return found

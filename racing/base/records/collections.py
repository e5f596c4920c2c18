"""Kinds of lists and mappings with values of one kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from racing.base.errors import show
from racing.base.records.kinds import INVALID, Errors, KeyDoc, Kind, Schema, join


@dataclass(frozen=True)
class Several(Kind):
    """A list, which becomes a tuple.

    Attributes
    ----------
    item
        What each item may be.
    least
        How many there are at least.
    distinct
        Whether items must differ.
    """

    item: Kind
    least: int = 0
    distinct: bool = False

    @property
    def allowed(self) -> str:  # type: ignore[override]
        return f"a list; each item {self.item.allowed}"

    def read(self, value: Any, at: str, errors: Errors) -> Any:
        if not isinstance(value, Sequence) or isinstance(value, str | bytes):
            alone = self.item.read(value, at, Errors(plain=errors.plain))
            return self.refuse(value, at, errors, "" if alone is INVALID else "put it in [ ]")
        if len(value) < self.least:
            errors.add(at, "the list is empty")
            return INVALID
        items = tuple(self.item.read(part, f"{at}[{i}]", errors) for i, part in enumerate(value))
        if any(item is INVALID for item in items):
            return INVALID
        seen: set[tuple[bool, Any]] = set()
        for item in items if self.distinct else ():
            key = isinstance(item, bool), item  # true is not 1, but 1.0 is
            if key in seen:
                errors.add(at, f"the value {show(item)} is given twice")
                return INVALID
            seen.add(key)
        return items

    def write(self, value: Any) -> Any:
        return [self.item.write(item) for item in value]

    def schema(self) -> Schema:
        least = {"minItems": self.least} if self.least else {}
        return {"type": "array", "items": self.item.schema(), **least}

    def key_docs(self, path: str) -> Iterator[KeyDoc]:
        return self.item.key_docs(f"{path}[]")


@dataclass(frozen=True)
class Named(Kind):
    """A mapping from names to values of one kind; with `least` 1 it may not be empty."""

    item: Kind
    allowed: str = "a mapping from names to values"
    least: int = 0

    def read(self, value: Any, at: str, errors: Errors) -> Any:
        if not isinstance(value, Mapping) or len(value) < self.least:
            return self.refuse(value, at, errors)
        if not all(isinstance(name, str) for name in value):
            return self.refuse(value, at, errors, "a name must be text")
        items = {name: self.item.read(part, join(at, name), errors) for name, part in value.items()}
        return INVALID if any(item is INVALID for item in items.values()) else items

    def write(self, value: Any) -> Any:
        return {name: self.item.write(item) for name, item in value.items()}

    def schema(self) -> Schema:
        least = {"minProperties": self.least} if self.least else {}
        return {"type": "object", "additionalProperties": self.item.schema(), **least}


@dataclass(frozen=True)
class OneOrSeveral(Kind):
    """One value, or a list of them."""

    one: Kind
    several: Several

    @property
    def least(self) -> int:
        """How many a list has at least."""
        return self.several.least

    @property
    def allowed(self) -> str:  # type: ignore[override]
        return f"{self.one.allowed} or a list of them"

    def read(self, value: Any, at: str, errors: Errors) -> Any:
        if isinstance(value, list | tuple):
            return self.several.read(value, at, errors)
        found = self.one.read(value, at, Errors(plain=errors.plain))
        return self.refuse(value, at, errors) if found is INVALID else found

    def write(self, value: Any) -> Any:
        return (self.several if isinstance(value, tuple) else self.one).write(value)

    def schema(self) -> Schema:
        return {"anyOf": [self.one.schema(), self.several.schema()]}

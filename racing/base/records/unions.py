"""Kinds that allow one of several records."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from racing.base.errors import did_you_mean, show
from racing.base.records.kinds import INVALID, Errors, KeyDoc, Kind, Schema, join
from racing.base.records.record import Record


@dataclass(frozen=True)
class OneOf(Kind):
    """One of several records, chosen by the first key of each, which is required.

    With `function` set, Python code may give only a function, as the value of that key.
    """

    records: tuple[Record, ...]
    function: str | None = None

    @property
    def by_key(self) -> dict[str, Record]:
        """The key that identifies each record → the record."""
        return {record.keys[0].name: record for record in self.records}

    @property
    def allowed(self) -> str:  # type: ignore[override]
        return f"a mapping with {self.names}"

    def read(self, value: Any, at: str, errors: Errors) -> Any:
        if value is INVALID or isinstance(value, tuple(one.record for one in self.records)):
            return value
        if self.function and callable(value) and not isinstance(value, type):
            value = {self.function: value}
        if not isinstance(value, Mapping):
            return self.refuse(value, at, errors, self.hint(value))
        found = [name for name in self.by_key if name in value]
        if len(found) == 1:
            return self.by_key[found[0]].build(value, at, errors)
        if found:
            errors.add(at, f"has both {' and '.join(found)}; keep one of them")
        else:
            words = map(str, (*value, value.get("type", "")))  # which some programs write
            near = next(filter(None, map(self.near, words)), "")
            hint = f"; did you mean {near!r}?" if near else ""
            errors.add(at, f"must have {self.names}{hint}")
        return INVALID

    @property
    def names(self) -> str:
        """The keys that identify the records, in words."""
        return " or ".join(self.by_key)

    def near(self, name: str) -> str:
        """The key that is probably meant by another one; or empty."""
        hint = did_you_mean(name, self.by_key)
        return hint.split("'")[1] if "did you mean" in hint else ""

    def hint(self, value: Any) -> str:
        if not isinstance(value, str):
            return ""
        is_place = self.function and re.fullmatch(r"[\w./-]+:\w+", value)
        return f"write {{{self.function if is_place else next(iter(self.by_key))}: {show(value)}}}"

    def write(self, value: Any) -> Any:
        return next(one for one in self.records if one.record is type(value)).write(value)

    def schema(self) -> Schema:
        return {"oneOf": [record.schema() for record in self.records]}

    def key_docs(self, path: str) -> Iterator[KeyDoc]:
        for name, record in self.by_key.items():
            yield from record.key_docs(f"{path}({name})")


@dataclass(frozen=True)
class ByName(Kind):
    """One of several records, chosen by `name`; the name alone means all its defaults.

    Python code may also give any callable with the same interface.

    Attributes
    ----------
    what
        What they are, for messages.
    registry
        Gives name → record.
    """

    what: str
    registry: Callable[[], Mapping[str, type[Any]]]

    @property
    def _names(self) -> str:
        return ", ".join(self.registry())

    @property
    def allowed(self) -> str:  # type: ignore[override]
        return f"one of {self._names}, or a mapping with name and the {self.what}'s parameters"

    def read(self, value: Any, at: str, errors: Errors) -> Any:
        if value is INVALID or (callable(value) and not isinstance(value, type)):
            return value
        parts = dict(value) if isinstance(value, Mapping) else {"name": value}
        where = join(at, "name") if isinstance(value, Mapping) else at
        if "name" not in parts:
            errors.add(where, f"must be one of {self._names}; it is missing")
            return INVALID
        name = parts.pop("name")
        if not isinstance(name, str):
            hint = f"call it: {name.__name__}()" if isinstance(name, type) else ""
            return self.refuse(name, where, errors, hint)
        if name not in self.registry():
            hint = did_you_mean(name, self.registry())
            errors.add(where, f'unknown {self.what} "{name:.60}"{hint}')
            return INVALID
        return Record(self.registry()[name]).build(parts, at, errors)

    def write(self, value: Any) -> Any:
        for name, record in self.registry().items():
            if record is type(value):
                return {"name": name, **Record(record).write(value)}
        # a user's own object: its place, which readers refuse
        return {"name": f"{type(value).__module__}:{type(value).__qualname__}"}

    def schema(self) -> Schema:
        names = {"enum": list(self.registry())}
        return {"anyOf": [names, *map(_with_name, *zip(*self.registry().items(), strict=True))]}

    def key_docs(self, path: str) -> Iterator[KeyDoc]:
        for name, record in self.registry().items():
            yield from Record(record).key_docs(f"{path}({name})")


def _with_name(name: str, record: type[Any]) -> Schema:
    schema = Record(record).schema()
    properties = {"name": {"const": name}, **schema["properties"]}
    return {**schema, "properties": properties, "required": ["name", *schema["required"]]}

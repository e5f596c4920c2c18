"""The lists of a scenario: its items in short and in full, and grids of values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from racing.errors import InputError, show
from racing.scenario.forms import Named, Schema, Several, refuse
from racing.scenario.leaves import ParameterValue
from racing.scenario.nodes import BAD, Faults, Node
from racing.scenario.records import Record
from racing.space.parameter import same


@dataclass(frozen=True)
class Items:
    """A list in which each item is a short form (text, or a mapping of values) or a full record."""

    record: type[Any]
    short: Any
    full: str

    @property
    def allowed(self) -> str:
        return f"a list; each item {self.short.allowed}, or {Record(self.record).allowed}"

    def read(self, node: Node, faults: Faults) -> Any:
        if not isinstance(node.value, list):
            return refuse(self, node, faults)
        if not node.value:
            faults.add(node, "the list is empty")
            return BAD
        items = [self._item(item, faults) for item in node.value]
        return BAD if any(item is BAD for item in items) else tuple(items)

    def _item(self, node: Node, faults: Faults) -> Any:
        if isinstance(node.value, dict) and (
            self.full in node.value or not isinstance(self.short, Named)
        ):
            return Record(self.record).read(node, faults)
        if isinstance(self.short, Named) != isinstance(node.value, dict):
            text = f"{self.short.allowed}, or {Record(self.record).allowed}"
            if node.value is not BAD:
                faults.add(node, f"must be {text}; got {node.shown}")
            return BAD
        value = self.short.read(node, faults)
        return BAD if value is BAD else self._make(value, node, faults)

    def _make(self, value: Any, node: Node, faults: Faults) -> Any:
        try:
            return self.record(value)
        except InputError as error:
            faults.add(node, str(error))
            return BAD

    def write(self, value: Any) -> Any:
        return [Record(self.record).write(item) for item in value]

    def admits(self, value: object) -> bool:
        return isinstance(value, tuple) and all(isinstance(item, self.record) for item in value)

    def schema(self) -> Schema:
        full = Record(self.record).schema()
        short = self.short.schema()
        if isinstance(self.short, Named):
            short["not"] = {"required": [self.full]}
        return {"type": "array", "minItems": 1, "items": {"anyOf": [short, full]}}


@dataclass(frozen=True)
class Grid:
    """A mapping from parameters to the lists of their values."""

    allowed: str = "a mapping from parameters to lists of values, such as {alpha: [0.5, 1, 2]}"

    def read(self, node: Node, faults: Faults) -> Any:
        if not isinstance(node.value, dict) or not node.value:
            return refuse(self, node, faults)
        columns = {name: self._column(part, faults) for name, part in node.value.items()}
        return BAD if any(column is BAD for column in columns.values()) else columns

    def _column(self, node: Node, faults: Faults) -> Any:
        if node.value == []:
            faults.add(node, "the list is empty")
            return BAD
        values = Several(ParameterValue()).read(node, faults)
        for place, value in enumerate(() if values is BAD else values):
            if any(same(value, other) for other in values[:place]):
                faults.add(node, f"the value {show(value)} stands twice")
                return BAD
        return values

    def write(self, value: Any) -> Any:
        return {name: list(column) for name, column in value.items()}

    def admits(self, value: object) -> bool:
        return isinstance(value, Mapping) and all(
            isinstance(column, list | tuple) and len(column) for column in value.values()
        )

    def schema(self) -> Schema:
        column = {**Several(ParameterValue()).schema(), "minItems": 1}
        return {"type": "object", "minProperties": 1, "additionalProperties": column}

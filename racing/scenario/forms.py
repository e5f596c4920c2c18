"""What each type of field allows, said once: for the reader, the JSON Schema and the reference.

A form reads a node into a value (or notes why it cannot), writes a value back as plain data,
checks a value that Python code gave, and describes itself to people and to editors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from racing.scenario.nodes import BAD, Faults, Node

Schema = dict[str, Any]


class Form(Protocol):
    """One kind of value that a scenario can hold."""

    @property
    def allowed(self) -> str:
        """What may stand here, in words that go after "must be"."""

    def read(self, node: Node, faults: Faults) -> Any:
        """The value of a node; `BAD`, with the fault noted, if it has none."""

    def write(self, value: Any) -> Any:
        """The value as plain data that `read` takes."""

    def admits(self, value: object) -> bool:
        """Whether Python code may give this value."""

    def schema(self) -> Schema:
        """The JSON Schema of what may stand here."""


def refuse(form: Form, node: Node, faults: Faults, hint: str = "") -> Any:
    """Note that a node is not what its form allows."""
    if node.value is not BAD:
        message = f"must be {form.allowed}; got {node.shown}"
        faults.add(node, message + (f" ({hint})" if hint else ""))
    return BAD


@dataclass(frozen=True)
class Several:
    """A list of things of one kind, which becomes a tuple."""

    item: Form

    @property
    def allowed(self) -> str:
        return f"a list; each item {self.item.allowed}"

    def read(self, node: Node, faults: Faults) -> Any:
        if not isinstance(node.value, list):
            return refuse(self, node, faults)
        items = [self.item.read(part, faults) for part in node.value]
        return BAD if any(item is BAD for item in items) else tuple(items)

    def write(self, value: Any) -> Any:
        return [self.item.write(item) for item in value]

    def admits(self, value: object) -> bool:
        return isinstance(value, list | tuple) and all(self.item.admits(item) for item in value)

    def schema(self) -> Schema:
        return {"type": "array", "items": self.item.schema()}


@dataclass(frozen=True)
class Named:
    """A mapping from names to things of one kind."""

    item: Form
    allowed: str = "a mapping from names to values"

    def read(self, node: Node, faults: Faults) -> Any:
        if not isinstance(node.value, dict):
            return refuse(self, node, faults)
        items = {name: self.item.read(part, faults) for name, part in node.value.items()}
        return BAD if any(item is BAD for item in items.values()) else items

    def write(self, value: Any) -> Any:
        return {name: self.item.write(item) for name, item in value.items()}

    def admits(self, value: object) -> bool:
        return isinstance(value, Mapping) and all(
            isinstance(name, str) and self.item.admits(item) for name, item in value.items()
        )

    def schema(self) -> Schema:
        return {"type": "object", "additionalProperties": self.item.schema()}

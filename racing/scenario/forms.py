"""What each type of field allows, said once: for the reader, the JSON Schema and the reference.

A form reads a node into a value (or notes why it cannot), writes a value back as plain data,
checks a value that Python code gave, and describes itself to people and to editors.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from racing.errors import did_you_mean
from racing.quantities import Quantity
from racing.scenario import units
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
class Text:
    """Any text."""

    allowed: str = "text"

    def read(self, node: Node, faults: Faults) -> Any:
        if isinstance(node.value, str):
            return node.value
        plain = isinstance(node.value, bool | int | float)
        hint = f'write "{node.shown}" in quotes if it is text' if plain else ""
        return refuse(self, node, faults, hint)

    def write(self, value: Any) -> Any:
        return str(value)

    def admits(self, value: object) -> bool:
        return isinstance(value, str)

    def schema(self) -> Schema:
        return {"type": "string"}


@dataclass(frozen=True)
class Flag:
    """true or false."""

    allowed: str = "true or false"

    def read(self, node: Node, faults: Faults) -> Any:
        return node.value if isinstance(node.value, bool) else refuse(self, node, faults)

    def write(self, value: Any) -> Any:
        return value

    def admits(self, value: object) -> bool:
        return isinstance(value, bool)

    def schema(self) -> Schema:
        return {"type": "boolean"}


@dataclass(frozen=True)
class Number:
    """A number of some kind, with the units that its kind is given in."""

    base: type[int] | type[float]
    quantity: Quantity | None = None

    @property
    def allowed(self) -> str:
        if self.quantity:
            return self.quantity.allowed
        return "a whole number" if self.base is int else "a number"

    def read(self, node: Node, faults: Faults) -> Any:
        value = node.value
        if isinstance(value, str):
            value = self._measured(value)
        elif self.quantity and self.quantity.unit == "memory":
            return refuse(self, node, faults, "add the unit")
        if value is None or not self.admits(value):
            return refuse(self, node, faults, self._hint(node))
        return self.base(value)  # type: ignore[arg-type]

    def _measured(self, text: str) -> float | None:
        match self.quantity.unit if self.quantity else "":
            case "time":
                return units.seconds(text)
            case "memory":
                return units.amount(text)
        return None

    def _hint(self, node: Node) -> str:
        if isinstance(node.value, str) and not (self.quantity and self.quantity.unit):
            try:
                float(node.value)
            except ValueError:
                return ""
            return "remove the quotes"
        return ""

    def write(self, value: Any) -> Any:
        if self.quantity and self.quantity.unit == "memory":
            return units.memory_text(value)
        return value

    def admits(self, value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        if not abs(value) <= 1e300 or (self.base is int and value != int(value)):
            return False
        return self.quantity is None or self.quantity.admits(value)

    def schema(self) -> Schema:
        unit = self.quantity.unit if self.quantity else ""
        if unit == "memory":
            return {"type": "string", "pattern": units.MEMORY_PATTERN}
        number = {"type": "integer" if self.base is int else "number", **self._range()}
        if unit == "time":
            return {"anyOf": [number, {"type": "string", "pattern": units.TIME_PATTERN}]}
        return number

    def _range(self) -> Schema:
        kind, limits = self.quantity, {}
        if kind and kind.low > -math.inf:
            limits["exclusiveMinimum" if kind.open_low else "minimum"] = kind.low
        if kind and kind.high < math.inf:
            limits["exclusiveMaximum" if kind.open_high else "maximum"] = kind.high
        return limits


@dataclass(frozen=True)
class Choice:
    """One of some words."""

    words: tuple[str, ...]

    @property
    def allowed(self) -> str:
        return " or ".join(filter(None, [", ".join(self.words[:-1]), self.words[-1]]))

    def read(self, node: Node, faults: Faults) -> Any:
        if self.admits(node.value):
            return node.value
        near = did_you_mean(node.value, self.words) if isinstance(node.value, str) else ""
        hint = near.removeprefix("; ") if "did you mean" in near else ""
        return refuse(self, node, faults, hint)

    def write(self, value: Any) -> Any:
        return str(value)

    def admits(self, value: object) -> bool:
        return isinstance(value, str) and value in self.words

    def schema(self) -> Schema:
        return {"enum": list(self.words)}


@dataclass(frozen=True)
class ParameterValue:
    """What a parameter of an algorithm can be set to."""

    allowed: str = "text, a finite number, true or false"

    def read(self, node: Node, faults: Faults) -> Any:
        return node.value if self.admits(node.value) else refuse(self, node, faults)

    def write(self, value: Any) -> Any:
        return value

    def admits(self, value: object) -> bool:
        if isinstance(value, float):
            return math.isfinite(value)
        return isinstance(value, str | int)

    def schema(self) -> Schema:
        return {"type": ["string", "number", "boolean"]}


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


@dataclass(frozen=True)
class TextOrList:
    """One text, or a list of texts, which becomes a tuple."""

    allowed: str = "text or a list of texts"

    def read(self, node: Node, faults: Faults) -> Any:
        form: Form = Several(Text()) if isinstance(node.value, list) else self
        if form is not self:
            return form.read(node, faults)
        return node.value if isinstance(node.value, str) else refuse(self, node, faults)

    def write(self, value: Any) -> Any:
        return value if isinstance(value, str) else list(value)

    def admits(self, value: object) -> bool:
        return isinstance(value, str) or Several(Text()).admits(value)

    def schema(self) -> Schema:
        return {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}


@dataclass(frozen=True)
class FunctionName:
    """Where a Python function is; Python code may give the function itself."""

    allowed: str = "text such as file.py:function or module:function"

    def read(self, node: Node, faults: Faults) -> Any:
        return node.value if isinstance(node.value, str) else refuse(self, node, faults)

    def write(self, value: Any) -> Any:
        if isinstance(value, str):
            return value
        return f"{getattr(value, '__module__', '')}:{getattr(value, '__qualname__', value)}"

    def admits(self, value: object) -> bool:
        return isinstance(value, str) or callable(value)

    def schema(self) -> Schema:
        return {"type": "string", "pattern": ".:[^:]+$"}

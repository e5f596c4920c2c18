"""The form of numbers, with the units that their kinds are given in."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from racing.quantities import Quantity
from racing.scenario import units
from racing.scenario.forms import Schema, refuse
from racing.scenario.nodes import Faults, Node


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
        if self.quantity and self.quantity.special is not None:
            return {"anyOf": [number, {"const": self.quantity.special}]}
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

"""Forms of what has no parts: text, flags, choices."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from racing.errors import did_you_mean
from racing.scenario.forms import Form, Schema, Several, refuse
from racing.scenario.nodes import Faults, Node


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
class Label:
    """Text that names something, so not empty."""

    allowed: str = "text, not empty"

    def read(self, node: Node, faults: Faults) -> Any:
        if isinstance(node.value, str) and not node.value.strip():
            return refuse(self, node, faults)
        return Text().read(node, faults)

    def write(self, value: Any) -> Any:
        return str(value)

    def admits(self, value: object) -> bool:
        return isinstance(value, str) and bool(value.strip())

    def schema(self) -> Schema:
        return {"type": "string", "pattern": r"\S"}


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

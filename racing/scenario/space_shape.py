"""How a scenario writes a space: `alpha: {real: [0.01, 5], log: true, default: 1.0}`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from racing.errors import InputError, did_you_mean
from racing.scenario.docstrings import attributes, summary
from racing.scenario.forms import Form, Schema, Several, refuse
from racing.scenario.leaves import Flag, ParameterValue, Text
from racing.scenario.nodes import BAD, Faults, Node
from racing.scenario.number import Number
from racing.space import Categorical, Integer, Real, Space
from racing.space.space import name_fault

KINDS: dict[str, type[Any]] = {"real": Real, "integer": Integer, "categorical": Categorical}
_DOMAIN: dict[str, tuple[Form, str]] = {
    "real": (Number(float), "[low, high]"),
    "integer": (Number(int), "[low, high]"),
    "categorical": (ParameterValue(), "a list of values"),
}


def options(kind: str) -> dict[str, Form]:
    """The keys beside the domain that a kind of parameter takes."""
    item = _DOMAIN[kind][0]
    scale: dict[str, Form] = {} if kind == "categorical" else {"log": Flag()}
    return {**scale, "default": item, "switch": Text()}


@dataclass(frozen=True)
class ParameterShape:
    """One parameter: its kind as the key of its domain, then its options."""

    allowed: str = "a mapping with real, integer or categorical, such as {real: [0, 1]}"

    def read(self, node: Node, faults: Faults) -> Any:
        if not isinstance(node.value, dict):
            return refuse(self, node, faults)
        told = [kind for kind in KINDS if kind in node.value]
        if len(told) != 1:
            hints = [did_you_mean(name, KINDS) for name in node.value if name not in KINDS]
            hint = next((text for text in hints if "did you mean" in text), "")
            what = f"has both {' and '.join(told)}; keep one" if told else (
                f"must have one of {', '.join(KINDS)}{hint}")  # fmt: skip
            faults.add(node, what)
            return BAD
        return self._build(told[0], node, faults)

    def _build(self, kind: str, node: Node, faults: Faults) -> Any:
        assert isinstance(node.value, dict)
        known = options(kind)
        for name, part in node.value.items():
            if name not in known and name != kind:
                faults.add(part, f"unknown key{did_you_mean(name, [kind, *known])}")
        parts = {
            name: form.read(node.value[name], faults)
            for name, form in known.items()
            if name in node.value
        }
        domain = self._domain(kind, node.value[kind], faults)
        if domain is BAD or any(part is BAD for part in parts.values()):
            return BAD
        try:
            return KINDS[kind](*domain, **parts)
        except InputError as error:
            faults.add(node, str(error))
            return BAD

    def _domain(self, kind: str, node: Node, faults: Faults) -> Any:
        item, words = _DOMAIN[kind]
        if kind == "categorical":
            values = Several(item).read(node, faults)
            return BAD if values is BAD else (values,)
        if not isinstance(node.value, list) or len(node.value) != 2:
            count = f"a list of {len(node.value)}" if isinstance(node.value, list) else node.shown
            if node.value is not BAD:
                faults.add(node, f"must be {words}, two numbers; got {count}")
            return BAD
        return Several(item).read(node, faults)

    def write(self, value: Any) -> Any:
        kind = next(kind for kind, record in KINDS.items() if isinstance(value, record))
        domain = value.values if kind == "categorical" else (value.low, value.high)
        chosen = {name: getattr(value, name) for name in options(kind)}
        return {
            kind: list(domain),
            **{name: part for name, part in chosen.items() if part is not None},
        }

    def admits(self, value: object) -> bool:
        return isinstance(value, tuple(KINDS.values()))

    def schema(self) -> Schema:
        return {"oneOf": [self._kind_schema(kind) for kind in KINDS]}

    def _kind_schema(self, kind: str) -> Schema:
        item, words = _DOMAIN[kind]
        docs = attributes(KINDS[kind])
        ends = {} if kind == "categorical" else {"maxItems": 2}
        domain = {"type": "array", "items": item.schema(), "minItems": 2 if ends else 1, **ends}
        rest = {n: {**f.schema(), "description": docs[n]} for n, f in options(kind).items()}
        return {
            "type": "object",
            "properties": {
                kind: {**domain, "description": f"{summary(KINDS[kind])} Domain: {words}."},
                **rest,
            },
            "required": [kind],
            "additionalProperties": False,
        }


@dataclass(frozen=True)
class SpaceShape:
    """The parameters by name."""

    allowed: str = "a mapping from parameters to their domains, such as {alpha: {real: [0, 1]}}"
    in_python: str = "a Space"

    def read(self, node: Node, faults: Faults) -> Any:
        if not isinstance(node.value, dict) or not node.value:
            return refuse(self, node, faults)
        parameters = {}
        for name, part in node.value.items():
            if fault := name_fault(name):
                faults.add(part, fault)
            parameters[name] = ParameterShape().read(part, faults)
            if fault:
                parameters[name] = BAD
        usable = all(parameter is not BAD for parameter in parameters.values())
        return Space(parameters) if usable else BAD

    def write(self, value: Any) -> Any:
        return {name: ParameterShape().write(parameter) for name, parameter in value.items()}

    def admits(self, value: object) -> bool:
        return isinstance(value, Space)

    def schema(self) -> Schema:
        return {
            "type": "object",
            "minProperties": 1,
            "propertyNames": {"pattern": r"^[^\W\d][\w.-]*$"},
            "additionalProperties": ParameterShape().schema(),
        }

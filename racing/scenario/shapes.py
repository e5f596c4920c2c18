"""The places where a file's layout is not simply a record's fields.

Each form here stands in the `Annotated` type of the field that it is for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from racing.budget import Budget
from racing.errors import InputError, did_you_mean
from racing.rules.rule import Rule
from racing.scenario.forms import Named, Schema, Text, refuse
from racing.scenario.nodes import BAD, Faults, Node
from racing.scenario.records import Record


@dataclass(frozen=True)
class OneOf:
    """One of several records, told apart by the first key of each, which is required."""

    records: tuple[type[Any], ...]

    @property
    def forms(self) -> dict[str, Record]:
        """The telling key → the record."""
        return {form.keys[0].name: form for form in map(Record, self.records)}

    @property
    def allowed(self) -> str:
        return f"a mapping with {' or '.join(self.forms)}"

    def read(self, node: Node, faults: Faults) -> Any:
        if not isinstance(node.value, dict):
            return refuse(self, node, faults)
        told = [name for name in self.forms if name in node.value]
        if len(told) == 1:
            return self.forms[told[0]].read(node, faults)
        if told:
            faults.add(node, f"has both {' and '.join(told)}; keep one of them")
        else:
            near = [did_you_mean(name, self.forms) for name in node.value]
            hint = next((text for text in near if "did you mean" in text), "")
            faults.add(node, f"must have {' or '.join(self.forms)}{hint}")
        return BAD

    def write(self, value: Any) -> Any:
        return Record(type(value)).write(value)

    def admits(self, value: object) -> bool:
        return isinstance(value, self.records)

    def schema(self) -> Schema:
        return {"oneOf": [form.schema() for form in self.forms.values()]}


@dataclass(frozen=True)
class BudgetShape:
    """A mapping of limits, or one limit alone: a count of evaluations or a wall-clock time."""

    form: Record = Record(Budget)  # noqa: RUF009 (frozen)
    allowed: str = (
        "a whole number of evaluations such as 2000, a wall-clock time such as 30m, "
        "or a mapping with evaluations, wall_time, target_time, instances"
    )

    def read(self, node: Node, faults: Faults) -> Any:
        if isinstance(node.value, dict):
            return self.form.read(node, faults)
        name = "wall_time" if isinstance(node.value, str) else "evaluations"
        key = next(key for key in self.form.keys if key.name == name)
        trial = Faults()
        value = key.form.read(node, trial)
        return refuse(self, node, faults) if value is BAD else Budget(**{name: value})

    def write(self, value: Any) -> Any:
        return self.form.write(value)

    def admits(self, value: object) -> bool:
        return isinstance(value, Budget)

    def schema(self) -> Schema:
        short = [key.form.schema() for key in self.form.keys if key.name == "evaluations"]
        times = [key.form.schema() for key in self.form.keys if key.name == "wall_time"]
        text = [form for form in times[0]["anyOf"] if form["type"] == "string"]
        return {"anyOf": [*short, *text, self.form.schema()]}


def rules() -> dict[str, type[Any]]:
    """Name → elimination rule."""
    from racing.rules import RULES

    return dict(RULES)


def default_rule() -> Rule:
    """The rule of a scenario that names none."""
    rule: Rule = rules()["sign"]()
    return rule


@dataclass(frozen=True)
class RuleShape:
    """The name of a rule, or a mapping with its name and parameters."""

    @property
    def allowed(self) -> str:
        return f"one of {', '.join(rules())}, or a mapping with name and the rule's parameters"

    def read(self, node: Node, faults: Faults) -> Any:
        named = node.value.get("name") if isinstance(node.value, dict) else node
        if named is None:
            faults.add(node, f"missing; it must be one of {', '.join(rules())}",
                       key=node.child("name"))  # fmt: skip
            return BAD
        if not isinstance(named.value, str):
            return refuse(self, named, faults)
        if named.value not in rules():
            faults.add(named, f"unknown rule {named.shown}{did_you_mean(named.value, rules())}")
            return BAD
        options = node.value if isinstance(node.value, dict) else {}
        inside = {name: part for name, part in options.items() if name != "name"}
        return Record(rules()[named.value]).read(Node(inside, node.key, node.line), faults)

    def write(self, value: Any) -> Any:
        name = next((name for name, rule in rules().items() if rule is type(value)), None)
        if name is None:
            raise InputError(
                f"a scenario file cannot hold the rule {value!r}; it knows {', '.join(rules())}"
            )
        return {"name": name, **Record(type(value)).write(value)}

    def admits(self, value: object) -> bool:
        return callable(value) and not isinstance(value, type)

    def schema(self) -> Schema:
        full = [_with_name(name, Record(rule).schema()) for name, rule in rules().items()]
        return {"anyOf": [{"enum": list(rules())}, *full]}


def _with_name(name: str, schema: Schema) -> Schema:
    properties = {"name": {"const": name}, **schema["properties"]}
    return {**schema, "properties": properties, "required": ["name", *schema["required"]]}


@dataclass(frozen=True)
class Label:
    """Text that names something, so not empty."""

    allowed: str = "text, not empty"

    def read(self, node: Node, faults: Faults) -> Any:
        if node.value == "":
            return refuse(self, node, faults)
        return Text().read(node, faults)

    def write(self, value: Any) -> Any:
        return str(value)

    def admits(self, value: object) -> bool:
        return isinstance(value, str) and value != ""

    def schema(self) -> Schema:
        return {"type": "string", "minLength": 1}


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
        from racing.scenario.forms import ParameterValue, Several

        if node.value == []:
            faults.add(node, "the list is empty")
            return BAD
        return Several(ParameterValue()).read(node, faults)

    def write(self, value: Any) -> Any:
        return {name: list(column) for name, column in value.items()}

    def admits(self, value: object) -> bool:
        return isinstance(value, Mapping) and all(
            isinstance(column, list | tuple) and len(column) for column in value.values()
        )

    def schema(self) -> Schema:
        from racing.scenario.forms import ParameterValue, Several

        column = {**Several(ParameterValue()).schema(), "minItems": 1}
        return {"type": "object", "minProperties": 1, "additionalProperties": column}

"""The places where a file's layout is not simply a record's fields.

Each form here stands in the `Annotated` type of the field that it is for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from racing.budget import Budget
from racing.errors import did_you_mean
from racing.rules.rule import Rule
from racing.scenario.forms import Schema, refuse
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

    @property
    def in_python(self) -> str:
        return " or ".join(f"a {record.__name__}" for record in self.records)

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
    in_python: str = "a Budget (evaluations, wall_time, target_time, instances)"

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


def rules() -> Mapping[str, type[Any]]:
    """Name → elimination rule."""
    from racing.rules import RULES

    return RULES


def default_rule() -> Rule:
    """The rule of a scenario that names none."""
    rule: Rule = rules()["auto"]()
    return rule


@dataclass(frozen=True)
class RuleShape:
    """The name of a rule, or a mapping with its name and parameters."""

    in_python: str = "a rule such as racing.rules.Sign()"

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
        if name is None:  # a rule of one's own: told by its name, which no reader takes
            return {"name": f"{type(value).__module__}:{type(value).__qualname__}"}
        return {"name": name, **Record(type(value)).write(value)}

    def admits(self, value: object) -> bool:
        return callable(value) and not isinstance(value, type)

    def schema(self) -> Schema:
        full = [_with_name(name, Record(rule).schema()) for name, rule in rules().items()]
        return {"anyOf": [{"enum": list(rules())}, *full]}


def _with_name(name: str, schema: Schema) -> Schema:
    properties = {"name": {"const": name}, **schema["properties"]}
    return {**schema, "properties": properties, "required": ["name", *schema["required"]]}

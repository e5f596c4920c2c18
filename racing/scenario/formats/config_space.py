"""ConfigSpace 1.x (https://github.com/automl/ConfigSpace) ↔ a space; extra `configspace`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from racing.base.errors import FormatError, InputError, must_be, require
from racing.space import Boolean, Categorical, Flag, Integer, Ordinal, Real, Space
from racing.space.expressions import (
    OPPOSITE,
    SWAPPED,
    And,
    Compare,
    Comparison,
    Member,
    Name,
    Node,
    Not,
    Number,
    Or,
    Text,
    Truth,
    constant,
    render,
)  # fmt: skip
from racing.space.parameter import Parameter, Value, Values


def _library() -> Any:
    return require("ConfigSpace", extra="configspace", purpose="a ConfigurationSpace")


# --- from ConfigSpace ---------------------------------------------------------------------------


def from_config_space(space: Any) -> Space:
    """The space of a `ConfigSpace.ConfigurationSpace`.

    Priors other than the uniform one, weights of categories and meta data are not kept; constants
    become parameters with one value.

    Raises
    ------
    MissingExtra
        If ConfigSpace is not installed.
    FormatError
        If a part cannot be translated.

    Examples
    --------
    >>> from racing.scenario.formats import from_config_space, to_config_space
    >>> from racing.space import Categorical, Integer, Space
    >>> space = Space({"ants": Integer(5, 100, log=True), "kind": Categorical(["ils", "aco"])})
    >>> sorted(from_config_space(to_config_space(space)))
    ['ants', 'kind']
    """
    library = _library()
    if not isinstance(space, library.ConfigurationSpace):
        raise InputError(must_be("space", "a ConfigSpace.ConfigurationSpace", space))
    conditions: dict[str, list[Node]] = {}
    for each in space.conditions:
        child = each.child if hasattr(each, "child") else each.components[0].child
        conditions.setdefault(child.name, []).append(_clause(each))
    parameters = {
        each.name: _parameter(each, conditions.get(each.name, ())) for each in space.values()
    }
    return Space(parameters, forbidden=[_clause(each) for each in space.forbidden_clauses])


def _parameter(each: Any, conditions: Sequence[Node]) -> Parameter:
    when = None
    if conditions:
        when = conditions[0] if len(conditions) == 1 else And(tuple(conditions))
    kind = type(each).__name__
    if kind == "Constant":
        return Categorical([_plain(each.value)], default=_plain(each.value), when=when)
    default = _plain(each.default_value)
    if kind == "CategoricalHyperparameter":
        choices = [_plain(value) for value in each.choices]
        if set(map(str, choices)) == {"True", "False"} and all(
            isinstance(c, bool) for c in choices
        ):
            return Boolean(default=bool(default), when=when)
        return Categorical(choices, default=default, when=when)
    if kind == "OrdinalHyperparameter":
        return Ordinal([_plain(value) for value in each.sequence], default=default, when=when)
    if kind.endswith("IntegerHyperparameter"):
        low, high = int(each.lower), int(each.upper)
        return Integer(low, high, log=bool(each.log), default=int(default), when=when)
    if kind.endswith("FloatHyperparameter"):
        least, most = float(each.lower), float(each.upper)
        return Real(least, most, log=bool(each.log), default=float(default), when=when)
    raise FormatError((f"{each.name}: {kind} has no counterpart here",))


_SIGNS: dict[str, Comparison] = {
    "Equals": "==", "NotEquals": "!=", "GreaterThan": ">", "GreaterThanEquals": ">=",
    "LessThan": "<", "LessThanEquals": "<=",
}  # fmt: skip
_KINDS = {sign: kind for kind, sign in _SIGNS.items()}


def _clause(each: Any) -> Node:
    """A condition or a forbidden clause."""
    kind = type(each).__name__.removeprefix("Forbidden")
    if kind in ("AndConjunction", "OrConjunction"):
        join = And if kind.startswith("And") else Or
        return join(tuple(_clause(part) for part in each.components))
    stem = kind.removesuffix("Condition").removesuffix("Clause").removesuffix("Relation")
    if kind.endswith("Relation") and stem in _SIGNS:
        return Compare(_SIGNS[stem], Name(each.left.name), Name(each.right.name))
    name = Name((each.parent if kind.endswith("Condition") else each.hyperparameter).name)
    if stem == "In":
        return Member(name, tuple(_node(value) for value in each.values))
    if stem not in _SIGNS:
        raise FormatError((f"{each}: {kind} has no counterpart here",))
    return Compare(_SIGNS[stem], name, _node(each.value))


def _plain(value: Any) -> Any:
    """A Python value from a possible scalar of numpy."""
    return value.item() if hasattr(value, "item") else value


def _node(value: Any) -> Node:
    return constant(_plain(value))


# --- to ConfigSpace -----------------------------------------------------------------------------


def to_config_space(space: Space, *, name: str | None = None, seed: int | None = None) -> Any:
    """The space as a `ConfigSpace.ConfigurationSpace`.

    Flags and booleans become categories False and True. Rounding to `digits` is not kept.
    ConfigSpace needs an allowed default: if the space has none, a random configuration is used.

    Raises
    ------
    MissingExtra
        If ConfigSpace is not installed.
    FormatError
        With all parts that ConfigSpace cannot express: bounds that depend on parameters, logit
        scales, steps, and arithmetic in conditions or clauses.

    Examples
    --------
    >>> from racing.scenario.formats import from_config_space, to_config_space
    >>> from racing.space import Categorical, Integer, Space
    >>> space = Space({"ants": Integer(5, 100, log=True), "kind": Categorical(["ils", "aco"])})
    >>> made = to_config_space(space, seed=1)
    >>> sorted(made), made["ants"].log
    (['ants', 'kind'], True)
    """
    library = _library()
    if errors := [f"{each}: {why}" for each in space for why in _obstacles(each, space)]:
        raise FormatError(errors)
    made = library.ConfigurationSpace(name=name, seed=seed)
    default = _default(space)
    parameters = {n: _hyperparameter(library, n, space[n], default.get(n)) for n in space}
    made.add(list(parameters.values()))
    writer = _Writer(library, parameters, space)
    for child in space.structure.order:
        if (when := space.structure.conditions.get(child)) is not None:
            made.add(writer.condition(parameters[child], _positive(when)))
    for clause in space.structure.forbidden:
        for alternative in _alternatives(_positive(clause)):
            made.add(writer.forbidden(alternative))
    return made


def _obstacles(name: str, space: Space) -> Iterator[str]:
    parameter: Any = space[name]
    if name in space.structure.bounds:
        yield "ConfigSpace has no bounds that depend on other parameters"
    if getattr(parameter, "logit", False):
        yield "ConfigSpace has no logit scale"
    if getattr(parameter, "step", None) is not None:
        yield "ConfigSpace has no steps; use an ordinal parameter"


def _default(space: Space) -> Values:
    if space.without_default():
        return space.sample(np.random.default_rng(0), 1)[0]
    return space.default()


def _hyperparameter(library: Any, name: str, parameter: Any, value: Value | None) -> Any:
    value = parameter.default if value is None else value
    default = {} if value is None else {"default_value": value}
    if parameter.levels is not None and parameter.size == 1:
        return library.Constant(name, parameter.levels[0])
    if isinstance(parameter, Boolean | Flag):
        return library.CategoricalHyperparameter(name, [False, True], **default)
    if isinstance(parameter, Ordinal):
        return library.OrdinalHyperparameter(name, list(parameter.levels), **default)
    if parameter.levels is not None:
        return library.CategoricalHyperparameter(name, list(parameter.levels), **default)
    kind = "Integer" if isinstance(parameter, Integer) else "Float"
    make = getattr(library, f"Uniform{kind}Hyperparameter")
    return make(name, lower=parameter.low, upper=parameter.high, log=parameter.log, **default)


def _positive(node: Node, wanted: bool = True) -> Node:
    """The equivalent clause without `not`, by De Morgan's laws."""
    match node:
        case Not(operand):
            return _positive(operand, not wanted)
        case And(operands) | Or(operands):
            join = And if isinstance(node, And) is wanted else Or
            return join(tuple(_positive(each, wanted) for each in operands))
        case Compare(sign, left, right) if not wanted:
            return Compare(OPPOSITE[sign], left, right)
        case Member(item, options) if not wanted:
            return And(tuple(Compare("!=", item, each) for each in options))
        case Name(name):
            return Compare("==", Name(name), Truth(wanted))
    if not wanted:
        raise FormatError((f"ConfigSpace cannot express not {render(node)}",))
    return node


def _alternatives(node: Node) -> list[Node]:
    """Alternative clauses, any of which forbids: ConfigSpace joins clauses by `and` only."""
    match node:
        case Or(operands):
            return [each for operand in operands for each in _alternatives(operand)]
        case And(operands):
            choices = product(*(_alternatives(each) for each in operands))
            return [And(choice) for choice in choices]
    return [node]


class _Writer:
    """Conditions and clauses without `not` → ConfigSpace's objects."""

    def __init__(self, library: Any, parameters: dict[str, Any], space: Space) -> None:
        self._library, self._parameters, self._space = library, parameters, space

    def condition(self, child: Any, node: Node) -> Any:
        match node:
            case And(operands) | Or(operands):
                join = "AndConjunction" if isinstance(node, And) else "OrConjunction"
                parts = (self.condition(child, each) for each in operands)
                return getattr(self._library, join)(*parts)
            case Member(Name(name), options):
                values = [self._value(each) for each in options]
                return self._library.InCondition(child, self._parameters[name], values)
        name, sign, value = self._comparison(node)
        parent = self._parameters[name]
        kinds = [_KINDS[sign]]
        if sign in ("<=", ">="):
            kinds = [_KINDS[sign].removesuffix("Equals"), "Equals"]
        made = [getattr(self._library, f"{kind}Condition")(child, parent, value) for kind in kinds]
        return made[0] if len(made) == 1 else self._library.OrConjunction(*made)

    def forbidden(self, node: Node) -> Any:
        match node:
            case And(operands):
                parts = (self.forbidden(each) for each in operands)
                return self._library.ForbiddenAndConjunction(*parts)
            case Member(Name(name), options):
                values = [self._value(each) for each in options]
                return self._library.ForbiddenInClause(self._parameters[name], values)
            case Compare(sign, Name(left), Name(right)) if right in self._parameters:
                return self._relation(sign, left, right)
        name, compared, value = self._comparison(node)
        if compared == "!=":
            others = [each for each in self._levels(name, node) if each != value]
            return self._library.ForbiddenInClause(self._parameters[name], others)
        make = getattr(self._library, f"Forbidden{_KINDS[compared]}Clause")
        return make(self._parameters[name], value)

    def _relation(self, sign: Comparison, left: str, right: str) -> Any:
        if sign == "!=":
            raise FormatError((f"ConfigSpace cannot forbid {left} != {right}",))
        make = getattr(self._library, f"Forbidden{_KINDS[sign]}Relation")
        return make(self._parameters[left], self._parameters[right])

    def _comparison(self, node: Node) -> tuple[str, Comparison, Value]:
        """(parameter, sign, constant) of a comparison."""
        match node:
            case Compare(sign, Name(name), Number() | Text() | Truth() as constant):
                return name, sign, self._value(constant)
            case Compare(other, Number() | Text() | Truth() as constant, Name(name)):
                return name, SWAPPED.get(other, other), self._value(constant)
        raise FormatError((f"ConfigSpace cannot express {render(node)}",))

    def _levels(self, name: str, node: Node) -> Sequence[Value]:
        levels = self._space[name].levels
        if levels is None:
            raise FormatError((f"ConfigSpace cannot forbid {render(node)}",))
        return levels

    @staticmethod
    def _value(node: Node) -> Value:
        assert isinstance(node, Number | Text | Truth)
        value = node.value
        return int(value) if isinstance(value, float) and value == int(value) else value

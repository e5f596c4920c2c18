"""Reads and writes a space in a scenario: `alpha: {real: [0.01, 5], log: true, when: rule == as}`.

`forbidden` and `known` are keys beside `space` at the top of a file, and part of the space.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, get_type_hints

from racing.base.errors import InputError, SpaceError, did_you_mean, show
from racing.base.records import INVALID, Errors, FieldError, KeyDoc, Kind, Record, Schema
from racing.base.records.collections import Named, Several
from racing.base.records.docstrings import attributes, summary
from racing.base.records.kinds import join, shown
from racing.base.records.leaves import FLAG, VALUE, Leaf, Number, Refused
from racing.base.records.record import kind_of
from racing.space import (
    Boolean,
    Categorical,
    Flag,
    Integer,
    Ordinal,
    Parameter,
    PlacedError,
    Real,
    Space,
)  # fmt: skip
from racing.space.expressions import Node, render
from racing.space.parameter import PATTERN, Clause, name_error
from racing.space.space import MOST


def _clause(value: Any) -> Any:
    if isinstance(value, Node) or (isinstance(value, str) and value.strip()):
        return value
    raise Refused


def _rendered(value: Any) -> Any:
    return render(value) if isinstance(value, Node) else value


CLAUSE = Leaf(
    "an expression, such as algorithm == ils",
    _clause,
    {"type": "string", "pattern": r"\S"},
    _rendered,
)


def _switch(value: Any) -> str | None:
    if isinstance(value, str) or value is True:
        return None if value is True else value
    raise Refused


SWITCH = Leaf(
    "its switch, such as --fast, or true for --<name>",
    _switch,
    {"anyOf": [{"const": True}, {"type": "string", "pattern": r"\S"}]},
    lambda switch: True if switch is None else switch,
)


@dataclass(frozen=True)
class End(Kind):
    """One end of an interval: a number, or an expression over other parameters."""

    number: Number

    @property
    def allowed(self) -> str:  # type: ignore[override]
        return f"{self.number.allowed} or an expression"

    def read(self, value: Any, at: str, errors: Errors) -> Any:
        if isinstance(value, str | Node):
            return CLAUSE.read(value, at, errors)
        found = self.number.read(value, at, Errors())
        if found is not INVALID:
            return found
        return self.refuse(value, at, errors, self.number.hint(value))

    def write(self, value: Any) -> Any:
        return _rendered(value)

    def schema(self) -> Schema:
        return {"anyOf": [self.number.schema(), CLAUSE.schema()]}


class Domain(NamedTuple):
    """The notation of a kind's domain: its kind of value, its fields, and its text."""

    record: type[Any]
    kind: Kind
    fields: tuple[str, ...]
    words: str
    pair: bool = False

    def spread(self, value: Any) -> dict[str, Any]:
        """The fields of a domain."""
        if len(self.fields) == 1:
            return {self.fields[0]: value}
        return dict(zip(self.fields, value, strict=False))

    def gathered(self, parameter: Any) -> Any:
        """The domain of a parameter, as plain data."""
        if isinstance(parameter, Boolean):
            return [False, True]
        parts = [getattr(parameter, name) for name in self.fields]
        return self.kind.write(parts if self.pair else parts[0])


_ENDS = ("low", "high")
DOMAINS: dict[str, Domain] = {
    "real": Domain(Real, Several(End(Number(float))), ("low", "high"), "[low, high]", pair=True),
    "integer": Domain(
        Integer, Several(End(Number(int))), ("low", "high"), "[low, high]", pair=True
    ),
    "ordinal": Domain(Ordinal, Several(VALUE), ("values",), "a list of values, in their order"),
    "categorical": Domain(Categorical, Several(VALUE), ("values",), "a list of values"),
    "boolean": Domain(Boolean, Several(FLAG), (), "[false, true]", pair=True),
    "flag": Domain(Flag, SWITCH, ("switch",), SWITCH.allowed),
}


_ALSO = {
    **dict.fromkeys(("float", "double", "number", "continuous", "uniform", "range"), "real"),
    **dict.fromkeys(("int", "discrete"), "integer"),
    **dict.fromkeys(("choice", "choices", "enum", "options", "values"), "categorical"),
    "bool": "boolean",
    "switch": "flag",
}
"""What other programs call these kinds."""


@cache
def options(kind: str) -> dict[str, Kind]:
    """The keys beside the domain of a kind of parameter."""
    domain = DOMAINS[kind]
    hints = get_type_hints(domain.record)
    return {
        field.name: CLAUSE if hints[field.name] == Clause | None else kind_of(hints[field.name])
        for field in dataclasses.fields(domain.record)
        if field.name not in domain.fields
    }


def _choice(value: object) -> str:
    """How to write a list as a choice, or two numbers as a range; empty for what is no list."""
    if not isinstance(value, list | tuple) or not value:
        return ""
    items = [show(one) for one in value[:3]] + ["…"] * (len(value) > 3)
    choice = f"a choice is {{categorical: [{', '.join(items)}]}}"
    if len(value) == 2 and all(isinstance(one, int | float) for one in value):
        return f"a range is {{real: [{', '.join(items)}]}}, {choice}"
    return choice


@dataclass(frozen=True)
class ParameterKind(Kind):
    """One parameter: its kind as the key of its domain, then its options."""

    allowed: str = f"a mapping with one of {', '.join(DOMAINS)}, such as {{real: [0, 1]}}"

    def read(self, value: Any, at: str, errors: Errors) -> Any:
        if value is INVALID or isinstance(value, Parameter):
            return value
        if not isinstance(value, Mapping):
            return self.refuse(value, at, errors, _choice(value))
        found = [kind for kind in DOMAINS if kind in value]
        if len(found) == 1:
            return self._build(found[0], value, at, errors.within_plain())
        hints = [
            f"; did you mean {_ALSO[name]!r}?"
            if name in _ALSO
            else did_you_mean(str(name), DOMAINS)
            for name in map(str, (*value, value.get("type", "")))
        ]
        hint = next((text for text in hints if "did you mean" in text), "")
        several = f"has both {' and '.join(found)}; keep one"
        errors.add(at, several if found else f"must have one of {', '.join(DOMAINS)}{hint}")
        return INVALID

    def _build(self, kind: str, value: Mapping[str, Any], at: str, errors: Errors) -> Any:
        before, known = len(errors.found), options(kind)
        for name in value:
            if name not in known and name != kind:
                hint = "" if errors.full else did_you_mean(str(name), [kind, *known])
                errors.add(join(at, str(name)), f"unknown key{hint}")
        parts = {
            name: part.read(value[name], join(at, name), errors)
            for name, part in known.items()
            if name in value
        }
        domain = self._domain(kind, value[kind], join(at, kind), errors)
        if len(errors.found) > before or domain is INVALID or INVALID in parts.values():
            return INVALID
        try:
            return DOMAINS[kind].record(**DOMAINS[kind].spread(domain), **parts)
        except InputError as error:
            errors.add(at, str(error))
            return INVALID

    def _domain(self, kind: str, value: Any, at: str, errors: Errors) -> Any:
        domain = DOMAINS[kind]
        length = len(value) if isinstance(value, list | tuple) else None
        if domain.pair and value is not INVALID and length != 2:
            got = shown(value) if length is None else f"a list of {length}"
            if kind == "boolean" and isinstance(value, bool):
                got += f" (for a default write boolean: [false, true], default: {got})"
            errors.add(at, f"must be {domain.words}; got {got}")
            return INVALID
        found = domain.kind.read(value, at, errors)
        if kind == "boolean" and found is not INVALID and set(found) != {False, True}:
            errors.add(at, f"must be {domain.words}, both values once; got {show(found[0])} twice")
            return INVALID
        return found

    def write(self, value: Any) -> Any:
        kind = next(kind for kind, domain in DOMAINS.items() if type(value) is domain.record)
        chosen = {name: (part, getattr(value, name)) for name, part in options(kind).items()}
        return {
            kind: DOMAINS[kind].gathered(value),
            **{
                name: part.write(own)
                for name, (part, own) in chosen.items()
                if own is not None and (own is not False or name in ("log", "default"))
            },
        }

    def schema(self) -> Schema:
        return {"oneOf": [_kind_schema(kind) for kind in DOMAINS]}

    def key_docs(self, path: str) -> Iterator[KeyDoc]:
        for kind, domain in DOMAINS.items():
            meaning = summary(domain.record)
            yield KeyDoc(f"{path}.{kind}", domain.words, "one of the kinds is required", meaning)
        off = {"log": "false", "logit": "false", "switch": "--<name>=", "when": "always"}
        for kind, domain in DOMAINS.items():
            docs = attributes(domain.record)
            for name, part in options(kind).items():
                allowed = "a value of the domain" if name == "default" else part.allowed
                yield KeyDoc(f"{path}({kind}).{name}", allowed, off.get(name, "none"), docs[name])


def _kind_schema(kind: str) -> Schema:
    domain = DOMAINS[kind]
    docs = attributes(domain.record)
    form = domain.kind.schema()
    if form.get("type") == "array":
        form |= {"minItems": 2, "maxItems": 2} if domain.pair else {"minItems": 1}
    words = f"{summary(domain.record)} Domain: {domain.words}."
    rest = {n: {**k.schema(), "description": docs[n]} for n, k in options(kind).items()}
    return {
        "type": "object",
        "properties": {kind: {**form, "description": words}, **rest},
        "required": [kind],
        "additionalProperties": False,
    }


class Parts(NamedTuple):
    """A space as in a file: three keys at the top, as plain data."""

    space: Any
    beside: Mapping[str, Any]


BESIDE: dict[str, Kind] = {
    "forbidden": Several(CLAUSE),
    "known": Several(Named(VALUE, "a mapping from parameters to values")),
}
"""The keys beside `space`."""


@dataclass(frozen=True)
class SpaceKind(Kind):
    """The kind of a space: parameters by name, with forbidden clauses and known configurations."""

    allowed: str = "a mapping from parameters to their domains, such as {alpha: {real: [0, 1]}}"

    def read(self, value: Any, at: str, errors: Errors) -> Any:
        if value is INVALID or isinstance(value, Space):
            return value
        parts = value if isinstance(value, Parts) else Parts(value, {})
        beside = {
            name: self._beside(name, parts.beside[name], errors)
            for name in BESIDE
            if name in parts.beside
        }
        parameters = self._parameters(parts.space, at, errors)
        if parameters is INVALID or INVALID in beside.values():
            return INVALID
        try:
            return Space(parameters, **beside)
        except SpaceError as error:
            errors.include("", (_placed(each, parameters, at) for each in error.errors))
        except InputError as error:
            errors.add(at, str(error))
        return INVALID

    def _beside(self, name: str, value: Any, errors: Errors) -> Any:
        if isinstance(value, list | tuple) and len(value) > MOST:
            errors.add(name, f"must have at most {MOST} items; got {len(value)}")
            return INVALID
        return BESIDE[name].read(value, name, errors)

    def _parameters(self, value: Any, at: str, errors: Errors) -> Any:
        if not isinstance(value, Mapping) or not value:
            return self.refuse(value, at, errors)
        if len(value) > MOST:
            errors.add(at, f"must have at most {MOST} parameters; got {len(value)}")
            return INVALID
        found = {}
        for name, part in value.items():
            found[name] = ParameterKind().read(part, join(at, str(name)), errors)
            if error := name_error(name):
                errors.add(join(at, str(name)), error)
                found[name] = INVALID
        return INVALID if INVALID in found.values() else found

    def write(self, value: Any) -> Any:
        return {name: ParameterKind().write(parameter) for name, parameter in value.items()}

    def schema(self) -> Schema:
        return {
            "type": "object",
            "minProperties": 1,
            "propertyNames": {"pattern": f"^{PATTERN}$"},
            "additionalProperties": ParameterKind().schema(),
        }

    def key_docs(self, path: str) -> Iterator[KeyDoc]:
        yield from ParameterKind().key_docs(f"{path}.<name>")


def _placed(error: PlacedError, parameters: Mapping[str, Any], at: str) -> FieldError:
    """An error of a space with its key in a file."""
    first, *rest = error.path
    if rest and isinstance(rest[0], int):  # forbidden[2], known[0].alpha
        return FieldError(error.place, error.message, error.offset)
    path = join(at, str(first))
    for part in rest:
        kind = next(k for k, d in DOMAINS.items() if type(parameters[str(first)]) is d.record)
        ends = {"low": f"{kind}[0]", "high": f"{kind}[1]"}
        path = join(path, ends.get(str(part), str(part)))
    return FieldError(path, error.message, error.offset)


@dataclass(frozen=True)
class WithSpace(Record):
    """A record with a space and the keys `forbidden` and `known` beside it."""

    def build(self, value: Mapping[str, Any], at: str, errors: Errors) -> Any:
        beside = {name: value[name] for name in BESIDE if name in value}
        if beside and "space" in value:
            value = {**value, "space": Parts(value["space"], beside)}
        for name in beside if "space" not in value else ():
            errors.add(join(at, name), "needs a space, and the scenario has none")
        rest = {name: part for name, part in value.items() if name not in BESIDE}
        built = super().build(rest, at, errors)
        return INVALID if beside and "space" not in value else built

    def write(self, value: Any) -> dict[str, Any]:
        beside = {name: getattr(value.space, name, ()) for name in BESIDE}
        return {
            **super().write(value),
            **{name: BESIDE[name].write(part) for name, part in beside.items() if part},
        }

    def schema(self) -> Schema:
        schema, docs = super().schema(), attributes(Space)
        beside = {n: {**kind.schema(), "description": docs[n]} for n, kind in BESIDE.items()}
        return {**schema, "properties": {**schema["properties"], **beside}}

    def key_docs(self, path: str) -> Iterator[KeyDoc]:
        docs = attributes(Space)
        for key_doc in super().key_docs(path):
            yield key_doc
            if key_doc.path == join(path, "space"):
                for name, kind in BESIDE.items():
                    yield KeyDoc(join(path, name), kind.allowed, "none", docs[name])

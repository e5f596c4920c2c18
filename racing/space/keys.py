"""Reads and writes a space in a scenario: `alpha: {real: [0.01, 5], log: true, when: rule == as}`.

`forbidden` and `known` are keys beside `space` at the top of a file, and part of the space.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from racing.base.errors import InputError, SpaceError, show
from racing.base.records import INVALID, Errors, FieldError, KeyDoc, Kind, Record, Schema
from racing.base.records.collections import Named, Several
from racing.base.records.docstrings import attributes, summary
from racing.base.records.kinds import join, shown
from racing.base.records.leaves import VALUE, Leaf, Refused
from racing.base.records.record import Key, keys_of
from racing.base.records.unions import OneOf
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
from racing.space.parameter import CLAUSE, PATTERN, name_error


def _both(value: Any) -> Any:
    if isinstance(value, bool):
        word = show(value)
        raise Refused(f"for a default write boolean: [false, true], default: {word}")
    two = isinstance(value, list | tuple) and len(value) == 2
    if not two or not all(isinstance(one, bool) for one in value):
        raise Refused
    if value[0] == value[1]:
        raise Refused(f"both values once; not {show(value[0])} twice")
    return value


BOTH = Leaf(
    "[false, true]",
    _both,
    {"type": "array", "items": {"type": "boolean"}, "minItems": 2, "maxItems": 2},
)


@dataclass(frozen=True)
class Ends(Several):
    """The two ends of an interval."""

    allowed = "[low, high]"

    def read(self, value: Any, at: str, errors: Errors) -> Any:
        if isinstance(value, list | tuple) and len(value) == 2:
            return super().read(value, at, errors)
        if value is not INVALID:
            got = f"a list of {len(value)}" if isinstance(value, list | tuple) else shown(value)
            errors.add(at, f"must be {self.allowed}; got {got}")
        return INVALID

    def schema(self) -> Schema:
        return {**super().schema(), "minItems": 2, "maxItems": 2}


@dataclass(frozen=True)
class Domain(Record):
    """A parameter as a mapping: the key of its kind has its domain, the others are its options.

    Attributes
    ----------
    key
        The key of the kind.
    words
        The domain in words.
    fields
        The fields that the domain gives.
    """

    key: str = ""
    words: str = ""
    fields: tuple[str, ...] = ()

    @property
    def domain(self) -> Kind:
        """What the domain may be."""
        kinds = [one.kind for one in keys_of(self.record) if one.name in self.fields]  # type: ignore[arg-type]
        return BOTH if not kinds else kinds[0] if len(kinds) == 1 else Ends(kinds[0])

    @property
    def keys(self) -> tuple[Key, ...]:
        about = f"{summary(self.record)} Domain: {self.words}."
        options = (one for one in keys_of(self.record) if one.name not in self.fields)  # type: ignore[arg-type]
        return Key(self.key, self.domain, about, required=True), *options

    def _make(self, parts: dict[str, Any], at: str, errors: Errors) -> Any:
        domain = parts.pop(self.key)
        if domain is INVALID or INVALID in parts.values():
            return INVALID
        given = domain if len(self.fields) == 2 else [domain]
        return super()._make({**dict(zip(self.fields, given, strict=False)), **parts}, at, errors)

    def write(self, value: Any) -> dict[str, Any]:
        first, *options = self.keys
        parts = [getattr(value, name) for name in self.fields] or [[False, True]]
        chosen = [(one, getattr(value, one.name)) for one in options]
        return {
            self.key: first.kind.write(parts if len(parts) == 2 else parts[0]),
            **{
                one.name: one.kind.write(own)
                for one, own in chosen
                if own is not None and (own is not False or one.name in ("log", "default"))
            },
        }

    def schema(self) -> Schema:
        schema = super().schema()
        del schema["description"]  # its domain has it
        return schema


_ENDS, _VALUES = ("low", "high"), ("values",)
DOMAINS: dict[str, Domain] = {
    one.key: one
    for one in (
        Domain(Real, key="real", words="[low, high]", fields=_ENDS),
        Domain(Integer, key="integer", words="[low, high]", fields=_ENDS),
        Domain(Ordinal, key="ordinal", words="a list of values, in their order", fields=_VALUES),
        Domain(Categorical, key="categorical", words="a list of values", fields=_VALUES),
        Domain(Boolean, key="boolean", words="[false, true]"),
        Domain(Flag, key="flag", words="its switch, such as --fast, or true for --<name>",
               fields=("switch",)),
    )
}  # fmt: skip


_ALSO = {
    **dict.fromkeys(("float", "double", "number", "continuous", "uniform", "range"), "real"),
    **dict.fromkeys(("int", "discrete"), "integer"),
    **dict.fromkeys(("choice", "choices", "enum", "options", "values"), "categorical"),
    "bool": "boolean",
    "switch": "flag",
}
"""What other programs call these kinds."""


@dataclass(frozen=True)
class ParameterKind(OneOf):
    """One parameter: its kind as the key of its domain, then its options."""

    records: tuple[Record, ...] = tuple(DOMAINS.values())

    @property
    def names(self) -> str:
        return f"one of {', '.join(DOMAINS)}"

    @property
    def allowed(self) -> str:  # type: ignore[override]
        return f"{super().allowed}, such as {{real: [0, 1]}}"

    def read(self, value: Any, at: str, errors: Errors) -> Any:
        return value if isinstance(value, Parameter) else super().read(value, at, errors)

    def near(self, name: str) -> str:
        return _ALSO.get(name) or super().near(name)

    def hint(self, value: Any) -> str:
        """How to write a list as a choice, or two numbers as a range."""
        if not isinstance(value, list | tuple) or not value:
            return ""
        items = [show(one) for one in value[:3]] + ["…"] * (len(value) > 3)
        choice = f"a choice is {{categorical: [{', '.join(items)}]}}"
        if len(value) == 2 and all(isinstance(one, int | float) for one in value):
            return f"a range is {{real: [{', '.join(items)}]}}, {choice}"
        return choice

    def key_docs(self, path: str) -> Iterator[KeyDoc]:
        for kind, domain in DOMAINS.items():
            meaning = summary(domain.record)
            yield KeyDoc(f"{path}.{kind}", domain.words, "one of the kinds is required", meaning)
        off = {"switch": "--<name>=", "when": "always"}
        for kind, domain in DOMAINS.items():
            for key in domain.keys[1:]:
                allowed = "a value of the domain" if key.name == "default" else key.kind.allowed
                without = off.get(key.name, key.without)
                yield KeyDoc(f"{path}({kind}).{key.name}", allowed, without, key.doc)


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
class SpaceKind(Named):
    """The kind of a space: parameters by name, with forbidden clauses and known configurations."""

    item: Kind = ParameterKind()
    allowed: str = "a mapping from parameters to their domains, such as {alpha: {real: [0, 1]}}"
    least: int = 1

    def read(self, value: Any, at: str, errors: Errors) -> Any:
        if value is INVALID or isinstance(value, Space):
            return value
        given = value if isinstance(value, Parts) else Parts(value, {})
        parts = {name: BESIDE[name].read(part, name, errors) for name, part in given.beside.items()}
        parts["parameters"] = found = super().read(given.space, at, errors)
        for name in given.space if isinstance(given.space, Mapping) else ():
            if error := name_error(name):
                errors.add(join(at, str(name)), error)
                parts["parameters"] = INVALID
        if INVALID in parts.values():
            return INVALID
        try:
            return Space(**parts)
        except SpaceError as error:
            errors.include("", (_placed(each, found, at) for each in error.errors))
        except InputError as error:
            errors.add(at, str(error))
        return INVALID

    def schema(self) -> Schema:
        return {**super().schema(), "propertyNames": {"pattern": f"^{PATTERN}$"}}

    def key_docs(self, path: str) -> Iterator[KeyDoc]:
        yield from self.item.key_docs(f"{path}.<name>")


def _placed(error: PlacedError, parameters: Mapping[str, Any], at: str) -> FieldError:
    """An error of a space with its key in a file."""
    first, *rest = error.path
    if rest and isinstance(rest[0], int):  # forbidden[2], known[0].alpha
        return FieldError(error.place, error.message, error.offset)
    if not rest:  # one of the arguments of a space
        return FieldError(at if first == "parameters" else str(first), error.message)
    kind = next(k for k, d in DOMAINS.items() if type(parameters[str(first)]) is d.record)
    ends = {"low": f"{kind}[0]", "high": f"{kind}[1]"}
    key = ends.get(str(rest[0]), str(rest[0]))
    return FieldError(join(at, f"{first}.{key}"), error.message, error.offset)


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

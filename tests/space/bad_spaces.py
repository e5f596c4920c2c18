"""Spaces that cannot be used; docs/bad-input.md has what is said about each.

A space is written as YAML in the shapes of docs/space.md, and read here without the scenario.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import yaml

from racing.base.errors import InputError
from racing.space import Boolean, Categorical, Flag, Integer, Ordinal, Parameter, Real, Space

_KINDS: dict[str, Callable[..., Parameter]] = {
    "real": lambda domain, **options: Real(*domain, **options),
    "integer": lambda domain, **options: Integer(*domain, **options),
    "ordinal": Ordinal,
    "categorical": Categorical,
    "boolean": lambda domain, **options: Boolean(**options),
    "flag": lambda domain, **options: Flag(switch=domain, **options),
}
BASE = "{alg: {categorical: [ils, aco]}, n: {integer: [0, 9]}, x: {real: [0, 1]}}"


@dataclass(frozen=True)
class BadSpace:
    """The parameters beside those of `BASE`, forbidden clauses and known configurations."""

    space: str
    forbidden: str = ""
    known: str = ""

    @property
    def shown(self) -> str:
        """As the docs show it."""
        keys = {"space": self.space, "forbidden": self.forbidden, "known": self.known}
        return " ".join(f"`{key}: {text}`" for key, text in keys.items() if text)

    def build(self) -> Space:
        """The space, or an error."""
        written = {**yaml.safe_load(BASE), **(yaml.safe_load(self.space) or {})}
        parameters = {name: parameter_of(shape) for name, shape in written.items()}
        forbidden = yaml.safe_load(self.forbidden or "[]")
        return Space(parameters, forbidden=forbidden, known=yaml.safe_load(self.known or "[]"))

    def said(self) -> str:
        """What is said about it; nothing if it is accepted."""
        try:
            self.build()
        except InputError as error:
            return str(error)
        return ""


def parameter_of(shape: dict[str, Any]) -> Parameter:
    """The parameter of a shape as docs/space.md has it."""
    options = dict(shape)
    kind = next(name for name in options if name in _KINDS)
    return _KINDS[kind](options.pop(kind), **options)


def parameter(text: str) -> BadSpace:
    """One more parameter, p, which is bad."""
    return BadSpace(f"{{p: {text}}}")


CASES = [
    # domains
    parameter("{real: [1, 0]}"),
    parameter("{real: [0, .inf]}"),
    parameter("{real: ['0', 1]}"),
    parameter("{real: [0, 1], log: true}"),
    parameter("{real: [0, 1], logit: true}"),
    parameter("{real: [0.1, 0.9], log: true, logit: true}"),
    parameter("{real: [0, 1], digits: 1.5}"),
    parameter("{real: [0, 1], digits: 16}"),
    parameter("{real: [0.125, 1], digits: 2}"),
    parameter("{real: [0, 1], step: 0.3}"),
    parameter("{real: [0, 1], step: -1}"),
    parameter("{real: [0, 1], step: 0.5, digits: 1}"),
    parameter("{real: [0.1, 0.9], step: 0.1, logit: true}"),
    parameter("{integer: [0.5, 2]}"),
    parameter("{integer: [0, 9], log: true}"),
    parameter("{integer: [0, 9], step: 2}"),
    parameter("{integer: [0, 9], step: 1.5}"),
    parameter("{ordinal: []}"),
    parameter("{ordinal: [low, mid, low]}"),
    parameter("{categorical: [1, 1.0]}"),
    parameter("{categorical: [null]}"),
    parameter("{flag: ''}"),
    # defaults
    parameter("{integer: [0, 9], step: 3, default: 4}"),
    parameter("{ordinal: [low, high], default: mid}"),
    parameter("{boolean: [false, true], default: 1}"),
    parameter("{flag: --fast, default: 'yes'}"),
    BadSpace("{n: {integer: [0, 9], default: 3}, p: {integer: [0, n], default: 5}}"),
    BadSpace("{n: {integer: [0, 9], default: 3}, x: {real: [0, 1], default: 0}, "
             "alg: {categorical: [ils, aco], default: ils}}", "[alg == ils and n > 2]"),
    # expressions
    parameter("{real: [0, 1], when: 3}"),
    parameter("{real: [0, 1], when: alg = ils}"),
    parameter("{real: [0, 1], when: alg == ilss}"),
    parameter("{real: [0, 1], when: algo == ils}"),
    parameter("{real: [0, 1], when: alg == 1}"),
    parameter("{real: [0, 1], when: alg == n}"),
    parameter("{real: [0, 1], when: alg < ils}"),
    parameter("{real: [0, 1], when: alg}"),
    parameter("{real: [0, 1], when: n}"),
    parameter("{real: [0, 1], when: n + 1}"),
    parameter("{real: [0, 1], when: n in 3}"),
    parameter("{real: [0, 1], when: n == 3 and}"),
    parameter("{real: [0, 1], when: 'n == 3 && x > 0'}"),
    parameter("{real: [0, 1], when: 'mni(n, 3) > 2'}"),
    parameter("{real: [0, 1], when: active(m)}"),
    parameter("{real: [0, 1], when: (n > 3) > 1}"),
    parameter("{real: [0, alg]}"),
    parameter("{real: [0, m]}"),
    parameter("{real: [0, 2 *]}"),
    parameter("{real: [0, n > 3]}"),
    # what hangs together
    parameter("{real: [0, 1], when: p > 0.5}"),
    BadSpace("{p: {real: [0, 1], when: q > 0}, q: {real: [0, p]}}"),
    parameter("{real: [0, 1], when: n > 9}"),
    parameter("{real: [0, 1], when: x > 1 or n < 0}"),
    parameter("{real: [0, 1], when: alg == ils and alg == aco}"),
    BadSpace("{p: {flag: --p, when: alg == ils}, q: {real: [0, 1], when: p and alg == aco}}"),
    parameter("{integer: [1, n]}"),
    parameter("{real: [0, x - 0.5]}"),
    parameter("{integer: [0, 10 ** (n + 16)]}"),
    parameter("{real: [-1.7e+308, 1.7e+308 * (x + 1 - x)]}"),
    parameter("{real: [x, 2], log: true}"),
    BadSpace("{}", "[n > ]"),
    BadSpace("{}", "[n >= 0]"),
    BadSpace("{}", "[n < 5, n >= 5]"),
    BadSpace("{}", "[n < 3, x < 2]"),
    BadSpace("{p: {real: [0, 1], when: n > 4}}", "[n > 3]"),
    BadSpace("{p: {real: [0, 1], when: n > 4}}", "[n > 8, n == 7, n >= 0]"),
    BadSpace("{}", "[3]"),
    BadSpace("{}", "n > x"),
    # known configurations
    BadSpace("{}", known="[{alg: ils, n: 3}]"),
    BadSpace("{}", known="[{alg: ils, n: 30, x: 0}, {alg: ils, m: 3}]"),
    BadSpace("{p: {flag: --p, when: alg == aco}}", known="[{alg: ils, n: 3, x: 0, p: true}]"),
    BadSpace("{}", "[n > 5]", "[{alg: ils, n: 6, x: 0}]"),
    BadSpace("{}", known="[3]"),
    # names
    BadSpace("{name: {real: [0, 1]}}"),
    BadSpace("{a b: {real: [0, 1]}}"),
]  # fmt: skip

"""Translates R's expressions into expressions of spaces, and back.

R compares a category with a number as text: `localsearch %in% c(1, 2)` holds for the value "1".
Here the constant becomes the parameter's value with this text, or equal to this number.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from racing.base.errors import did_you_mean, show
from racing.scenario.formats.levels import Alternatives, number_of, text_of
from racing.scenario.formats.places import Place
from racing.scenario.formats.r_syntax import RESERVED, Call, Constant, Expression, Symbol, parse
from racing.space.expressions import (
    SWAPPED,
    Active,
    And,
    Arithmetic,
    Compare,
    Member,
    Name,
    Negative,
    Node,
    Not,
    Number,
    Or,
    Text,
    Truth,
    constant,
)  # fmt: skip
from racing.space.expressions import Call as Function
from racing.space.parameter import Value

Levels = Mapping[str, Alternatives | None]
"""Parameter → its values; None for a numeric parameter."""

_COMPARE = ("==", "!=", "<=", ">=", "<", ">")
_ARITHMETIC = {
    "+": "+",
    "-": "-",
    "*": "*",
    "/": "/",
    "^": "**",
    "**": "**",
    "%%": "%",
    "%/%": "//",
}
_FUNCTIONS = {
    "min": "min", "max": "max", "abs": "abs", "round": "round", "floor": "floor",
    "ceiling": "ceil", "trunc": "trunc", "sqrt": "sqrt", "exp": "exp", "log": "log",
    "log2": "log2", "log10": "log10",
}  # fmt: skip


def condition(text: str, place: Place, levels: Levels) -> Node:
    """A condition or a forbidden clause.

    Raises
    ------
    FormatError
        If it is no such R expression, or cannot be translated; with the place.
    """
    return _Translator(text, place, levels).condition(parse(text, place))


def bound(text: str, place: Place, levels: Levels) -> Node:
    """A bound that depends on other parameters.

    Raises
    ------
    FormatError
        As `condition`.
    """
    return _Translator(text, place, levels).number(parse(text, place))


class _Translator:
    def __init__(self, text: str, place: Place, levels: Levels) -> None:
        self._text, self._start, self._levels = text, place, levels

    def condition(self, tree: Expression) -> Node:
        match tree:
            case Constant(bool(value), at=at):
                return Truth(value, at=at)
            case Call("!", (operand,), at=at):
                return Not(self.condition(operand), at=at)
            case Call("&" | "&&", (left, right), at=at):
                return And((self.condition(left), self.condition(right)), at=at)
            case Call("|" | "||", (left, right), at=at):
                return Or((self.condition(left), self.condition(right)), at=at)
            case Call("%in%", (item, options), at=at):
                return self._member(item, options, at)
            case Call("is.na", (Symbol(name, at=at),)):
                return Not(Active(self._known(name, at), at=at), at=at)
            case Call(sign, (left, right), at=at) if sign in _COMPARE:
                return self._compare(sign, left, right, at)
        raise self._error(tree, f"{_shown(tree)} is not a condition; allowed: {_ALLOWED}")

    def number(self, tree: Expression) -> Node:
        match tree:
            case Constant(int() | float() as value, at=at) if not isinstance(value, bool):
                if not abs(value) <= _LARGEST:
                    raise self._error(tree, f"{show(_shown(tree))} is not a finite number")
                return Number(float(value), at=at)
            case Symbol(name, at=at):
                return Name(self._known(name, at), at=at)
            case Call("-", (operand,), at=at):
                return Negative(self.number(operand), at=at)
            case Call("+", (operand,)):
                return self.number(operand)
            case Call(sign, (left, right), at=at) if sign in _ARITHMETIC:
                operator = _ARITHMETIC[sign]
                return Arithmetic(operator, self.number(left), self.number(right), at=at)  # type: ignore[arg-type]
            case Call(function, arguments, names, at=at) if function in _FUNCTIONS:
                self._check_arguments(tree, function, arguments, names)
                return Function(_FUNCTIONS[function], tuple(map(self.number, arguments)), at=at)
        raise self._error(tree, f"{_shown(tree)} is not a number; allowed: {_ALLOWED}")

    def _check_arguments(
        self, tree: Expression, function: str, arguments: Sequence[Expression], names: Sequence[str]
    ) -> None:
        several = function in ("min", "max")
        if any(names) or (len(arguments) < 2 if several else len(arguments) != 1):
            wanted = "two or more numbers" if several else "one number"
            raise self._error(tree, f"{function} must have {wanted} here")

    def _compare(self, sign: Any, left: Expression, right: Expression, at: int) -> Node:
        if self._category(right) is not None and self._category(left) is None:
            left, right, sign = right, left, SWAPPED.get(sign, sign)
        name = self._category(left)
        if name is None or self._category(right) is not None or not isinstance(right, Constant):
            return Compare(sign, self.number(left), self.number(right), at=at)
        level = self._level(name, right)
        if level is not None:
            return Compare(sign, Name(name, at=at), constant(level, right.at), at=at)
        if sign == "!=":  # R: true wherever the parameter is active
            return Active(name, at=at)
        if sign == "==" and (never := self._never(name, at)):
            return never
        if sign != "==" and isinstance(right.value, int | float):
            return Compare(sign, Name(name, at=at), self.number(right), at=at)
        raise self._no_level(name, right)

    def _member(self, item: Expression, options: Expression, at: int) -> Node:
        listed = options.arguments if isinstance(options, Call) and options.function == "c" else ()
        listed = (options,) if isinstance(options, Constant) else listed
        if not listed or not all(isinstance(each, Constant) for each in listed):
            raise self._error(
                options, f"after %in% must be c(...) with constants; got {_shown(options)}"
            )
        constants = [each for each in listed if isinstance(each, Constant)]
        name = self._category(item)
        if name is None:
            return Member(self.number(item), tuple(map(self.number, constants)), at=at)
        found = [(self._level(name, each), each.at) for each in constants]
        # values that the parameter does not have are left out, as in R
        known = tuple(constant(level, where) for level, where in found if level is not None)
        if not known and (never := self._never(name, at)):
            return never
        if not known:
            raise self._no_level(name, constants[0])
        return Member(Name(name, at=item.at), known, at=at)

    def _category(self, tree: Expression) -> str | None:
        """The name, if this is a parameter with listed values."""
        if not isinstance(tree, Symbol):
            return None
        return tree.name if self._levels[self._known(tree.name, tree.at)] is not None else None

    def _never(self, name: str, at: int) -> Node | None:
        """A comparison of a fixed parameter with another value: false where it is active."""
        fixed = self._levels[name]
        if fixed is None or len(fixed.values) > 1:
            return None
        return Compare("!=", Name(name, at=at), constant(fixed.values[0], at), at=at)

    def _level(self, name: str, constant: Constant) -> Value | None:
        """The value of a parameter that equals a constant in R."""
        choices, value = self._levels[name], constant.value
        if choices is None or value is None:
            return None
        texts = {text_of(value), constant.written.strip("\"'")}
        found = choices.of_text({value} if isinstance(value, str) else texts)
        return choices.of_number(number_of(value)) if found is None else found

    def _known(self, name: str, at: int) -> str:
        if name in self._levels:
            return name
        hint = did_you_mean(name, self._levels)
        raise self._start.after(self._text[:at]).error(f"there is no parameter {name!r}{hint}")

    def _no_level(self, name: str, constant: Constant) -> Exception:
        choices = self._levels[name]
        levels = [text_of(level) for level in choices.values] if choices else []
        value = text_of(constant.value) if constant.value is not None else constant.written
        return self._error(constant, f"{name} never is {value!r}{did_you_mean(value, levels)}")

    def _error(self, tree: Expression, reason: str) -> Exception:
        return self._start.after(self._text[: tree.at]).error(reason)


_LARGEST = sys.float_info.max
_ALLOWED = (
    "== != < <= > >= %in% c(...) & | ! is.na() + - * / ^ %% %/% min max abs round floor ceiling "
    "trunc sqrt exp log log2 log10"
)


def _shown(tree: Expression) -> str:
    match tree:
        case Constant(written=written):
            return written
        case Symbol(name):
            return name
    return (
        f"{tree.function}(...)" if tree.function.isidentifier() else f"the use of {tree.function}"
    )


# --- back to R ----------------------------------------------------------------------------------

_R_FUNCTIONS = {ours: theirs for theirs, ours in _FUNCTIONS.items()}


def to_r(node: Node) -> str:
    """An expression of a space in R's syntax."""
    return _render(node)[0]


def _render(node: Node) -> tuple[str, int]:
    """The text, and the precedence of its loosest operator (9: no operator)."""
    match node:
        case Number(value):
            return (f"{value:g}" if float(f"{value:g}") == value else repr(value)), 9
        case Text(value):
            return quote(value), 9
        case Truth(value):
            return str(value).upper(), 9
        case Name(name):
            return _symbol(name), 9
        case Negative(operand):
            return f"-{_wrapped(operand, 8)}", 8
    return _render_logic(node)


def _render_logic(node: Node) -> tuple[str, int]:
    match node:
        case Active(name):
            return f"!is.na({_symbol(name)})", 3
        case Not(operand):
            return f"!{_wrapped(operand, 4)}", 3
        case And(operands):
            return " & ".join(_wrapped(each, 3) for each in operands), 2
        case Or(operands):
            return " | ".join(_wrapped(each, 2) for each in operands), 1
        case Compare(sign, left, right):
            return f"{_wrapped(left, 5)} {sign} {_wrapped(right, 5)}", 4
        case Member(item, options):
            listed = ", ".join(_render(each)[0] for each in options)
            return f"{_wrapped(item, 8)} %in% c({listed})", 7
    return _render_arithmetic(node)


def _render_arithmetic(node: Node) -> tuple[str, int]:
    match node:
        case Arithmetic(sign, left, right):
            theirs = {"**": "^", "%": "%%", "//": "%/%"}.get(sign, sign)
            # brackets where R's precedence differs from ours, or is unclear to readers
            least = {"+": 5, "-": 5, "*": 6, "/": 6}.get(sign, 9)
            return f"{_wrapped(left, least)} {theirs} {_wrapped(right, least + 1)}", min(least, 7)
        case Function(function, arguments):
            listed = ", ".join(_render(each)[0] for each in arguments)
            return f"{_R_FUNCTIONS[function]}({listed})", 9
    raise TypeError(f"{node!r} has no form in R")


def _wrapped(node: Node, least: int) -> str:
    text, tightness = _render(node)
    return text if tightness >= least else f"({text})"


def _symbol(name: str) -> str:
    """A parameter in an R expression: in backticks where it is no name in R."""
    plain = re.fullmatch(r"([A-Za-z]|\.(?![0-9]))[A-Za-z0-9._]*", r_name(name))
    return r_name(name) if plain and r_name(name) not in RESERVED else f"`{r_name(name)}`"


def r_name(name: str) -> str:
    """The name of a parameter in irace, which allows no `-`."""
    return name.replace("-", ".")


def quote(text: str) -> str:
    """A text in R's quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

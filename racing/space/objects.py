"""Python objects as values: configurations have their names, functions get the objects.

A log, a report and an expression need values that can be written down. So None, a class, a
function, an estimator, a tuple or an array is a value by its name, and is looked up before a call.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any

from racing.base.errors import InputError, show
from racing.space.parameter import Parameter
from racing.space.values import Value, Values

_LISTED = ("categorical", "ordinal")
_LONGEST = 60

_INTERVALS: dict[str, tuple[str, dict[str, bool]]] = {
    "uniform": ("real", {}),
    "loguniform": ("real", {"log": True}),
    "reciprocal": ("real", {"log": True}),
    "randint": ("integer", {}),
}
"""The distributions of scipy.stats that are parameters: the kind, and its options."""


class Objects:
    """The objects that stand behind names, by parameter.

    Examples
    --------
    >>> from racing.space.objects import Objects
    >>> objects = Objects()
    >>> objects.parameters({"depth": [None, 3, 5], "metric": {"categorical": [max, min]}})
    {'depth': {'categorical': ['None', 3, 5]}, 'metric': {'categorical': ['max', 'min']}}
    >>> objects.behind({"depth": "None", "metric": "min"})
    {'depth': None, 'metric': <built-in function min>}
    """

    def __init__(self) -> None:
        self._by_name: dict[str, dict[str, Any]] = {}
        self._texts: dict[str, set[str]] = {}

    def __bool__(self) -> bool:
        return bool(self._by_name)

    @property
    def held(self) -> dict[str, Any]:
        """`parameter.name` → the object."""
        return {
            f"{parameter}.{name}": value
            for parameter, known in self._by_name.items()
            for name, value in known.items()
        }

    def behind(self, values: Mapping[str, Value]) -> dict[str, Any]:
        """The values of a configuration with objects in place of their names."""
        none: dict[str, Any] = {}
        return {
            parameter: self._by_name.get(parameter, none).get(value, value)
            if isinstance(value, str)
            else value
            for parameter, value in values.items()
        }

    def values(self, configuration: Mapping[str, Any]) -> Values:
        """A configuration with names in place of objects.

        Raises
        ------
        InputError
            If two different objects of a parameter have one name.
        """
        return {name: self._value(name, value) for name, value in configuration.items()}

    def parameters(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Parameters as in a file, from what Python code gives.

        Parameters
        ----------
        given
            Name → a `Parameter`, a mapping as in a file, a list of choices, or a distribution of
            scipy.stats (uniform, loguniform, randint). Choices may be any objects; a mapping in
            place of a list of choices names them.

        Raises
        ------
        InputError
            If two choices have one name, or a distribution is none of these.
        """
        return {name: self._parameter(name, one) for name, one in given.items()}

    def _parameter(self, name: str, given: Any) -> Any:
        if isinstance(given, Mapping):
            return self._mapping(name, given)
        if isinstance(given, list | tuple) and not _like_a_range(given):
            return {"categorical": self._choices(name, given)}
        if hasattr(given, "dist") and hasattr(given, "support"):
            return _interval(name, given)
        return given

    def _mapping(self, name: str, given: Mapping[str, Any]) -> dict[str, Any]:
        listed = next((kind for kind in _LISTED if kind in given), None)
        if listed is None or not isinstance(given[listed], Mapping | list | tuple):
            return dict(given)
        found = {**given, listed: self._choices(name, given[listed])}
        if "default" in given:
            found["default"] = self._default(name, given[listed], given["default"])
        return found

    def _default(self, parameter: str, choices: Any, default: Any) -> Value | None:
        """The name of the default; None where None is no choice."""
        if isinstance(choices, Mapping):
            if isinstance(default, str) and default in choices:
                return default
            choices = {str(name): value for name, value in choices.items()}
            return next((name for name, value in choices.items() if value is default), None)
        if default is None and not any(choice is None for choice in choices):
            return None
        return self._value(parameter, default)

    def _choices(self, parameter: str, given: Iterable[Any]) -> list[Value]:
        if isinstance(given, Mapping):
            return [self._named(parameter, str(name), value) for name, value in given.items()]
        return [self._value(parameter, value) for value in given]

    def _value(self, parameter: str, given: Any) -> Value:
        if isinstance(given, Parameter):
            raise InputError(f"{parameter}: {show(given)} is a parameter; give one of its values")
        if type(given).__module__ == "numpy" and getattr(given, "shape", None) == ():
            given = given.item()
        if isinstance(given, Enum):  # some are text or numbers too
            return self._named(parameter, given.name, given)
        if isinstance(given, str):
            return self._text(parameter, given)
        if isinstance(given, bool | int | float):
            return given
        return self._named(parameter, _name(given), given)

    def _text(self, parameter: str, text: str) -> str:
        if text in self._by_name.get(parameter, {}):
            raise InputError(_taken(parameter, text))
        self._texts.setdefault(parameter, set()).add(text)
        return text

    def _named(self, parameter: str, name: str, value: Any) -> str:
        if not name:
            raise InputError(
                f"{parameter}: {show(value)} has no name that stays the same; name the choices: "
                f"{{'categorical': {{'a name': …}}}}"
            )
        known = self._by_name.setdefault(parameter, {})
        if name in self._texts.get(parameter, ()) or not _same(known.get(name, value), value):
            raise InputError(_taken(parameter, name))
        known.setdefault(name, value)
        return name


def _taken(parameter: str, name: str) -> str:
    return (
        f"{parameter}: two different values have the name {name!r}; name the choices: "
        f"{{'categorical': {{'a name': …, 'another': …}}}}"
    )


def _name(value: Any) -> str:
    """The name of an object, the same in every process; empty if it has none."""
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    own = getattr(value, "__name__", None)
    if isinstance(own, str):
        return "" if "<" in own else own
    text = " ".join(repr(value).split()).removesuffix("()")
    if " at 0x" in text:
        return ""
    return text if len(text) <= _LONGEST else ""


def _same(one: Any, other: Any) -> bool:
    """Whether two objects of one name stand for each other: their text describes them wholly."""
    return one is other or (type(one) is type(other) and not hasattr(one, "__name__"))


def _like_a_range(given: list[Any] | tuple[Any, ...]) -> bool:
    """Whether a list may mean an interval as well as choices; the reader of parameters asks."""
    numbers = [isinstance(one, int | float) and not isinstance(one, bool) for one in given]
    return not given or (len(given) == 2 and all(numbers))


def _interval(name: str, given: Any) -> dict[str, Any]:
    kind = getattr(given.dist, "name", "")
    if kind not in _INTERVALS:
        raise InputError(
            f"{name}: the distribution {kind} is not a parameter; those of scipy.stats that are, "
            f"are {', '.join(_INTERVALS)}; others need bounds, such as {{'real': [0, 1]}}"
        )
    key, options = _INTERVALS[kind]
    low, high = (end.item() if hasattr(end, "item") else end for end in given.support())
    return {key: [low, high], **options}

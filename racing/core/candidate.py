"""A candidate: one configuration in a race; and in what two of them differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from racing.space.parameter import Value


@dataclass(frozen=True)
class Candidate:
    """One configuration.

    Attributes
    ----------
    id
        A whole number, unique within a run; candidates are counted from 1 in the order given.
    values
        Parameter name → value. Inactive parameters are left out.
    name
        A label such as `default`; `#id` by default.
    parent
        The candidate that this one was derived from, if any.

    Examples
    --------
    >>> from racing import Candidate
    >>> print(Candidate(3, {"x": 0.5}), Candidate(1, {"x": 1.0}, name="default"))
    #3 default
    """

    id: int
    values: Mapping[str, Value]
    name: str = ""
    parent: int | None = None

    def __hash__(self) -> int:
        return hash(self.id)

    def __str__(self) -> str:
        return self.name or f"#{self.id}"


@dataclass(frozen=True, kw_only=True)
class Change:
    """A parameter in which a winner differs from what it is compared with; None = switched off."""

    parameter: str
    against: Value | None
    winner: Value | None


def changes(against: Candidate | None, winner: Candidate | None) -> tuple[Change, ...]:
    """The parameters in which a winner differs from another candidate; () without one of them."""
    if against is None or winner is None:
        return ()
    return tuple(
        Change(parameter=name, against=against.values.get(name), winner=winner.values.get(name))
        for name in dict.fromkeys([*against.values, *winner.values])
        if against.values.get(name) != winner.values.get(name)
    )

"""A candidate: one configuration that a race may pick."""

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
        Parameter name → value. Parameters that are switched off are left out.
    name
        A label for people, `default` say; `#id` where none was given.
    parent
        The candidate that this one was derived from, if any.
    """

    id: int
    values: Mapping[str, Value]
    name: str = ""
    parent: int | None = None

    def __hash__(self) -> int:
        return hash(self.id)

    def __str__(self) -> str:
        return self.name or f"#{self.id}"

"""Iterated racing on the made-up targets of searches."""

from __future__ import annotations

from racing.core.budget import Budget
from racing.search.iterated.iterated_racing import IteratedRacing
from racing.search.iterated.settings import IteratedSettings
from racing.space import Space
from tests.search.kit import mixed_space


def iterated(space: Space | None = None, **given: object) -> IteratedRacing:
    """Iterated racing over `mixed_space` with 250 evaluations, unless told otherwise."""
    given.setdefault("budget", Budget(evaluations=250))
    given.setdefault("seed", 3)
    instances = given.pop("instances", range(8))
    return IteratedRacing(space or mixed_space(), instances, **given)  # type: ignore[arg-type]


def with_options(**options: object) -> IteratedRacing:
    """The same with these options."""
    return iterated(settings=IteratedSettings(**options))  # type: ignore[arg-type]

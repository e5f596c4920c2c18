"""Finds the parameters in which configurations differ; tables leave out the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def differing(configurations: Sequence[Mapping[str, Any]]) -> frozenset[str] | None:
    """The parameters with different or missing values; None for a single configuration."""
    if len(configurations) < 2:
        return None
    first, *others = configurations
    names = dict.fromkeys(name for values in configurations for name in values)
    missing = object()
    return frozenset(
        name
        for name in names
        if any(one.get(name, missing) != first.get(name, missing) for one in others)
    )


def only(values: Mapping[str, Any], names: frozenset[str] | None) -> dict[str, Any]:
    """The values of these parameters, in their order; all of them for None."""
    return {name: value for name, value in values.items() if names is None or name in names}

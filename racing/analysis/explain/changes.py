"""The next steps on a path from one configuration to another: the possible changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from racing.base.errors import InputError
from racing.space import Configuration, Space, Value, Values
from racing.space.expressions import names


@dataclass(frozen=True, kw_only=True)
class Change:
    """One step towards a configuration.

    Attributes
    ----------
    names
        The parameters that take the value that they have there. More than one where none of them
        can change alone, as the space forbids it.
    values
        The configuration after it. Parameters that the change makes active have the value of the
        configuration that it leads to; those that it makes inactive are gone.
    """

    names: tuple[str, ...]
    values: Values


def differing(
    space: Space, one: Configuration, other: Configuration
) -> dict[str, tuple[Value | None, Value | None]]:
    """Parameter → its values in two configurations, where they differ; None = inactive."""
    keys = zip(space, space.key(one), space.key(other), strict=True)
    return {name: (one.get(name), other.get(name)) for name, a, b in keys if a != b}


def changes(space: Space, current: Configuration, target: Configuration) -> list[Change]:
    """The smallest changes of a configuration that bring it nearer to another one.

    One for each parameter that can change alone. A parameter that cannot, since the configuration
    would not be allowed, changes with one that a clause, a bound or a condition joins it to, or
    with all of these. Where nothing smaller is allowed, everything changes at once.

    Parameters
    ----------
    current, target
        Two different configurations of the space.

    Returns
    -------
    list of Change
        Never empty; no two lead to the same configuration.
    """
    wanted = [name for name in differing(space, current, target) if name in target]
    related = _related(space)
    here = space.key(current)
    found: dict[tuple[object, ...], Change] = {}
    for name in wanted:
        others = [one for one in wanted if one in related[name] and one != name]
        for group in _groups(name, others):
            values = _moved(space, current, target, group)
            if values is None:
                continue  # not allowed: with others perhaps
            if (key := space.key(values)) != here:
                found.setdefault(key, Change(names=group, values=values))
            break
    if not found:
        everything = tuple(wanted) or tuple(differing(space, current, target))
        return [Change(names=everything, values=dict(target))]
    return list(found.values())


def _groups(name: str, others: list[str]) -> Iterator[tuple[str, ...]]:
    """A parameter alone, with each of the others, with all of them."""
    yield (name,)
    for other in others:
        yield name, other
    if len(others) > 1:
        yield name, *others


def _moved(
    space: Space, current: Configuration, target: Configuration, group: Iterable[str]
) -> Values | None:
    """The configuration with these parameters as the target has them; None if not allowed."""
    values = {**target, **current, **{name: target[name] for name in group}}
    try:
        return space.complete(values, lenient=True)
    except InputError:
        return None


def _related(space: Space) -> Mapping[str, set[str]]:
    """Parameter → those connected to it by clauses, bounds or conditions, also indirectly."""
    together = chain(
        (set(names(clause)) for clause in space.structure.forbidden),
        ({name, *parents} for name, parents in space.structure.parents.items()),
    )
    found = {name: {name} for name in space}
    for group in together:
        joined = set().union(*(found[name] for name in group)) if group else set()
        for name in joined:
            found[name] = joined
    return found

"""Scores of models on items, as evaluations write them, and the sheet that they make."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from racing.analysis.compare.sheets import Sheet
from racing.base.errors import TableError, did_you_mean, must_be, show

_WORDS = {"true": 1.0, "false": 0.0, "c": 1.0, "p": 0.5, "i": 0.0, "n": 0.0, "": math.nan}
"""Yes and no; correct, partial, incorrect and no answer, as Inspect writes them; a missing one."""


@dataclass(frozen=True, kw_only=True)
class Sample:
    """One score.

    Attributes
    ----------
    model, item
        Of which model (or prompt, or both), on which item.
    score
        NaN if there is none, since the model could not be asked.
    place
        File and line, or the like, for messages.
    repetition
        Which of several on one item.
    fields
        What is known of the item, for groups.
    """

    model: str
    item: str
    score: float
    place: str
    repetition: str = "1"
    fields: Mapping[str, str] = field(default_factory=dict)


def number(value: object, place: str, metric: str) -> float:
    """A score: a number, yes or no, or a letter of Inspect.

    Raises
    ------
    TableError
        If it is none.
    """
    if value is None:
        return math.nan
    if isinstance(value, bool | int | float):
        return float(value)
    word = str(value).strip()
    try:
        return float(word)
    except ValueError:
        known = _WORDS.get(word.casefold())
    if known is None:
        raise TableError(f"{place}: {must_be(metric, 'a number for each sample', word)}")
    return known


def chosen(given: str | None, found: Iterable[str], source: str) -> str:
    """The metric to be read: the one that is asked for, or the only one.

    Raises
    ------
    TableError
        If there is no such metric, or it is not said which of several.
    """
    names = list(dict.fromkeys(found))
    if given is None and len(names) == 1:
        return names[0]
    listed = ", ".join(names) or "none"
    if given is None:
        raise TableError(f"{source}: there are several metrics, {listed}; say which: --metric NAME")
    if given not in names:
        raise TableError(
            f"{source}: there is no metric {show(given)}{did_you_mean(given, names)}; "
            f"there are {listed}"
        )
    return given


def sheet_of(samples: Sequence[Sample], source: str) -> Sheet:
    """The samples as a table in the long form.

    Raises
    ------
    TableError
        If there are none.
    """
    if not samples:
        raise TableError(f"{source}: there are no samples")
    return Sheet(
        source, "", ["algorithm", "instance", "repetition", "score"],
        [[one.model, one.item, one.repetition, one.score] for one in samples],
        list(range(len(samples))), places=tuple(one.place for one in samples),
        twice="give the results of one evaluation of each model",
    )  # fmt: skip


def groups_of(samples: Sequence[Sample], group: str) -> list[str]:
    """The group of the item of each sample.

    Raises
    ------
    TableError
        If an item has no such field.
    """
    for one in samples:
        if not one.fields.get(group):
            raise TableError(
                f"{one.place}: the item has no field {show(group)}"
                f"{did_you_mean(group, one.fields)}; there are {', '.join(one.fields) or 'none'}"
            )
    return [one.fields[group] for one in samples]


def plain_fields(values: Any) -> dict[str, str]:
    """Those fields of a mapping that hold text, numbers or yes and no."""
    if not isinstance(values, Mapping):
        return {}
    return {str(k): str(v) for k, v in values.items() if isinstance(v, str | int | float)}

"""Scores of models on items, as evaluations write them, and the table that they make."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from racing.analysis.compare.result_table import Entries, ResultTable, coded, complete
from racing.base.errors import TableError, did_you_mean, show

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
    repetition: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Samples:
    """All scores of some files; `source` names these."""

    source: str
    samples: Sequence[Sample]


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
        raise TableError(f"{place}: {metric} is {show(word)}; expected a number for each sample")
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


def table_of(found: Samples, *, group: str | None, **how: Any) -> ResultTable:
    """The table of these scores, items and models in the order in which they occur.

    Raises
    ------
    TableError
        If a score stands there twice, groups are not clear, or cells are missing and refused.
    """
    samples = found.samples
    if not samples:
        raise TableError(f"{found.source}: there are no samples")
    model, models = coded([one.model for one in samples])
    item, items = coded([one.item for one in samples])
    entries = Entries(
        names=models, instances=items, algorithm=model, instance=item,
        label=coded([one.repetition for one in samples])[0],
        scores=np.array([one.score for one in samples]), place=lambda at: samples[at].place,
        fix="give the results of one evaluation of each model",
    )  # fmt: skip
    groups = () if group is None else _groups(samples, group).values()
    return complete(models, items, entries.arranged(), groups=groups, source=found.source, **how)


def _groups(samples: Sequence[Sample], group: str) -> dict[str, str]:
    """Item → its group."""
    groups: dict[str, str] = {}
    for one in samples:
        label = one.fields.get(group)
        if not label:
            raise TableError(
                f"{one.place}: the item has no field {show(group)}"
                f"{did_you_mean(group, one.fields)}; there are {', '.join(one.fields) or 'none'}"
            )
        if groups.setdefault(one.item, label) != label:
            raise TableError(
                f"{one.place}: item {one.item} is in the groups {show(groups[one.item])} and "
                f"{show(label)}; give it one"
            )
    return groups


def plain_fields(values: Any) -> dict[str, str]:
    """Those fields of a mapping that hold text, numbers or yes and no."""
    if not isinstance(values, Mapping):
        return {}
    return {str(k): str(v) for k, v in values.items() if isinstance(v, str | int | float)}

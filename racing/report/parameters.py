"""Parameter values against standing: the important parameters, and where the target fails."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from racing.base.special import betainc
from racing.report.history import History
from racing.report.scales import Scale, scale_of
from racing.space.parameter import Value
from racing.stats.ranks import rank_rows

Floats = NDArray[np.float64]

_PARTS = 4  # equal parts of a numeric parameter's values in which failures are counted
_FEWEST = 3  # candidates in a region, below which a share of failures says nothing
_LIFT = 1.5  # times the overall share of failures


@dataclass(frozen=True, kw_only=True, eq=False)
class Effect:
    """One parameter over the candidates that have it active; arrays of shape (n,).

    Attributes
    ----------
    name, kind
        The parameter; numbers, or categories (text, true and false, few distinct values).
    ids, values
        The candidates and their values.
    standing
        Mean relative place of each: 0 is the best, 1 the worst (`Matrices.standing`).
    scale
        Where its values lie on an axis.
    association
        How much of the standing goes with the parameter by itself, from 0 to 1: squared Spearman
        correlation of numbers, share of the variance of the ranks between categories (η²). An
        effect that is not monotonic, or that depends on other parameters, shows in neither.
    chance
        The probability of such an association, or a larger one, of a parameter without effect: for
        normal ranks, the association has a beta distribution.
    """

    name: str
    kind: Literal["number", "category"]
    ids: tuple[int, ...]
    values: tuple[Value, ...]
    standing: Floats
    scale: Scale
    association: float
    chance: float


@dataclass(frozen=True, kw_only=True)
class Region:
    """A part of one parameter's values where runs fail more often than elsewhere.

    Attributes
    ----------
    name, where
        The parameter, and its values in words.
    candidates, evaluations, failures
        What was run there.
    share, overall
        The share of evaluations that failed, there and in the whole run.
    """

    name: str
    where: str
    candidates: int
    evaluations: int
    failures: int
    share: float
    overall: float


def effects(history: History) -> tuple[Effect, ...]:
    """The parameters that vary, the most associated first."""
    column, standing = history.matrices.column, history.matrices.standing
    placed = [
        candidate
        for id, candidate in history.candidates.items()
        if id in column and not math.isnan(standing[column[id]])
    ]
    found = []
    for name in dict.fromkeys(name for one in placed for name in one.values):
        having = [one for one in placed if name in one.values]
        values = tuple(one.values[name] for one in having)
        if len({_key(value) for value in values}) < 2:
            continue
        own = np.array([standing[column[one.id]] for one in having])
        scale = scale_of(values, None if history.space is None else history.space.get(name))
        kind: Literal["number", "category"] = "category" if scale.levels else "number"
        association = _association(values, own, kind)
        groups = 2 if kind == "number" else len({str(value) for value in values})
        found.append(
            Effect(
                name=name,
                kind=kind,
                ids=tuple(one.id for one in having),
                values=values,
                standing=own,
                scale=scale,
                association=association,
                chance=_chance(association, groups, len(own)),
            )
        )
    return tuple(sorted(found, key=lambda one: -one.association))


def regions(history: History) -> tuple[Region, ...]:
    """Where runs fail clearly more often than overall, the worst first."""
    spent = {one.candidate.id: one for one in history.facts.expenses if one.evaluations}
    total = sum(one.evaluations for one in spent.values())
    failed = sum(one.failures for one in spent.values())
    if not failed or failed == total:
        return ()
    found = []
    for effect in effects(history):
        ids = np.array(effect.ids)
        for where, inside in _parts(effect):
            own = [spent[int(id)] for id in ids[inside] if int(id) in spent]
            runs, failures = sum(o.evaluations for o in own), sum(o.failures for o in own)
            if len(own) >= _FEWEST and failures / runs >= _LIFT * failed / total:
                found.append(
                    Region(
                        name=effect.name,
                        where=where,
                        candidates=len(own),
                        evaluations=runs,
                        failures=failures,
                        share=failures / runs,
                        overall=failed / total,
                    )
                )
    return tuple(sorted(found, key=lambda one: -one.share))


def _key(value: Value) -> tuple[str, str]:
    return type(value).__name__, str(value)


def _chance(association: float, groups: int, n: int) -> float:
    if n <= groups:
        return 1.0
    return 1 - float(betainc((groups - 1) / 2, (n - groups) / 2, association))


def _association(values: tuple[Value, ...], standing: Floats, kind: str) -> float:
    ranks = rank_rows(standing[None, :], check=False)[0]
    centred = ranks - ranks.mean()
    total = float((centred**2).sum())
    if total == 0 or len(values) < 3:
        return 0.0
    if kind == "number":
        own = rank_rows(np.array([values], dtype=np.float64), check=False)[0]
        own -= own.mean()
        return float((own * centred).sum() ** 2 / ((own**2).sum() * total))
    names = np.array([str(value) for value in values])
    between = sum(
        len(part) * float(part.mean()) ** 2
        for name in dict.fromkeys(names.tolist())
        if len(part := centred[names == name])
    )
    groups = len(set(names.tolist()))
    if groups >= len(values):
        return 0.0  # every candidate has a category of its own
    return min(between / total, 1.0)


def _parts(effect: Effect) -> list[tuple[str, NDArray[np.bool_]]]:
    """Parts of a parameter's values: each category, or four parts with equally many candidates."""
    if effect.kind == "category":
        names = np.array([str(value) for value in effect.values])
        return [(f"= {name}", names == name) for name in dict.fromkeys(names.tolist())]
    values = np.array(effect.values, dtype=np.float64)
    edges = np.unique(np.quantile(values, np.linspace(0, 1, _PARTS + 1)))
    parts = []
    for k, (low, high) in enumerate(pairwise(edges.tolist())):
        last = k == len(edges) - 2
        inside = (values >= low) & ((values <= high) if last else (values < high))
        parts.append((f"{low:.4g} to {high:.4g}", inside))
    return parts

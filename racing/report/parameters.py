"""Parameters over the candidates of a run: their scales, what matters, and where runs fail."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from racing.base.special import betainc, stdtrit
from racing.base.words import shown, value_text
from racing.report.forms import Axis, Column, category, column
from racing.report.history import Floats, History
from racing.space.parameter import Parameter, Value
from racing.stats.ranks import rank_rows

_FACTOR, _LOW = 20, 0.2  # from when on an axis is logarithmic: range, and where the median lies
_PARTS = 4  # equal parts of a numeric parameter's values in which failures are counted
_FEWEST = 3  # candidates in a region, below which a share of failures says nothing
_LIFT = 1.5  # times the overall share of failures


@dataclass(frozen=True, kw_only=True)
class Scale:
    """The positions of a parameter's values on an axis.

    Attributes
    ----------
    ends
        The least and the largest number; None for categories.
    levels
        The categories in their order; None for numbers.
    log
        Whether the axis is logarithmic.
    """

    ends: tuple[float, float] | None
    levels: tuple[Value, ...] | None
    log: bool = False

    def level(self, value: Value) -> int:
        """The place of a category; True is none of 1."""
        return [repr(one) for one in self.levels or ()].index(repr(value))

    def share(self, value: Any) -> float:
        """Where a value lies between the ends, from 0 to 1."""
        if self.ends is None:
            return round(self.level(value) / max(len(self.levels or ()) - 1, 1), 4)
        low, high, at = (math.log(v) if self.log else float(v) for v in (*self.ends, value))
        return round((at - low) / ((high - low) or 1), 4)

    def places(self, ids: Sequence[int], values: Mapping[int, Any], *, axis: int = 0) -> Column:
        """Where the values of candidates lie on an axis.

        Categories are spread a little, on each axis by other shifts, so that cells of two are
        filled; the shift of a candidate is always the same.
        """
        if self.levels is None:
            return column(values.get(id) for id in ids)
        shifts = np.random.default_rng(axis).uniform(-0.3, 0.3, max(ids, default=0) + 1).round(3)
        return tuple(self.level(values[id]) + float(shifts[id]) if id in values else None
                     for id in ids)  # fmt: skip

    def axis(self, name: str, values: Sequence[Any] = ()) -> Axis:
        """The axis of a parameter with these values."""
        if self.ends is None:
            return category([shown(value_text(one), 400) for one in self.levels or ()], name=name)
        (low, high), whole = self.ends, all(isinstance(v, int) for v in values)
        if self.log:
            room = (high / low) ** 0.03
            return Axis(name, kind="log", ends=(low / room, high * room))
        room = 0.03 * (high - low) or 0.5
        return Axis(name, ends=(low - room, high + room), whole=whole)

    def ticks(self) -> Sequence[Any]:
        """The categories; or the ends and some round values between, powers of ten if `log`."""
        if self.ends is None:
            return self.levels or ()
        low, high = map(float, self.ends)
        if self.log:
            first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
            tens = [10.0**k for k in range(first, last + 1)][:: (last - first) // 7 + 1]
            return tens if len(tens) > 1 else sorted({low, *tens, high})
        step = 10.0 ** math.floor(math.log10((high - low) / 2 or 1))
        while (high - low) / step > 6:
            step *= 2
        inner = (k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1))
        return [low, *(v for v in inner if min(v - low, high - v) > 0.6 * step), high]


def scale_of(values: Sequence[Value], parameter: Parameter | None = None) -> Scale:
    """The scale of a parameter, of which these values were tried.

    A scale from the space is the same in every run over that space.

    Parameters
    ----------
    values
        At least one.
    parameter
        Its domain; None, or one with bounds that depend on other parameters, leaves it to the
        values. Then an axis is logarithmic if they are positive, over more than an order of
        magnitude, most of them among the smallest.
    """
    levels = parameter.levels if parameter is not None else None
    if not is_numeric(values) or (levels is not None and not is_numeric(levels)):
        known = tuple(sorted(dict.fromkeys(values), key=str))
        return Scale(ends=None, levels=levels or known)
    bounds = [getattr(parameter, end, None) for end in ("low", "high")]
    stated = levels is None and is_numeric(bounds)
    numbers = np.array([*(bounds if stated else levels or ()), *values], dtype=np.float64)
    low, high, middle = float(numbers.min()), float(numbers.max()), float(np.median(numbers))
    log = low > 0 and high >= _FACTOR * low and middle - low <= _LOW * (high - low)
    return Scale(
        ends=(low, high), levels=None, log=bool(getattr(parameter, "log", False)) if stated else log
    )


def is_numeric(values: Sequence[Any]) -> bool:
    """Whether all are numbers."""
    return all(
        isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        for value in values
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Effect:
    """One parameter over the candidates that have it active.

    Attributes
    ----------
    name
        The parameter.
    of
        Id → value.
    standing : (n,)
        Mean relative place of each: 0 is the best, 1 the worst (`Matrices.standing`).
    scale
        Where its values lie on an axis.
    """

    name: str
    of: dict[int, Value]
    standing: Floats
    scale: Scale

    @property
    def values(self) -> tuple[Value, ...]:
        """The values of the candidates."""
        return tuple(self.of.values())

    @property
    def kind(self) -> Literal["number", "category"]:
        """What it has: numbers, or text, true and false, few distinct values."""
        return "category" if self.scale.levels else "number"

    @property
    def association(self) -> float:
        """How much of the standing goes with the parameter by itself, from 0 to 1.

        Squared Spearman correlation of numbers, share of the variance of the ranks between
        categories (η²). An effect that is not monotonic, or that depends on other parameters,
        shows in neither.
        """
        centred = _centred_ranks(self.standing)
        total = float((centred**2).sum())
        if total == 0 or len(self.of) < 3:
            return 0.0
        if self.kind == "number":
            own = _centred_ranks(np.array(self.values, dtype=np.float64))
            return float((own * centred).sum() ** 2 / ((own**2).sum() * total))
        names = np.array([str(value) for value in self.values])
        groups = [centred[names == name] for name in dict.fromkeys(names.tolist())]
        if len(groups) >= len(self.of):
            return 0.0  # every candidate has a category of its own
        return min(sum(len(part) * float(part.mean()) ** 2 for part in groups) / total, 1.0)

    @property
    def chance(self) -> float:
        """The probability of such an association, or a larger one, of one without effect.

        For normal ranks, the association has a beta distribution.
        """
        groups = 2 if self.kind == "number" else len({str(value) for value in self.values})
        n = len(self.of)
        if n <= groups:
            return 1.0
        return 1 - float(betainc((groups - 1) / 2, (n - groups) / 2, self.association))

    def dependence(self) -> Iterator[tuple[float, float, float, float]]:
        """The mean standing in each part of its values: where, mean, and its 95 % interval.

        What Friedman's partial dependence is without a model: the other parameters are as they were
        tried there, not held. A search that gathers changes them together. By Student's t; parts of
        one candidate have none.
        """
        for _, inside in self.parts():
            own, n = self.standing[inside], int(inside.sum())
            if n > 1:
                half = float(stdtrit(n - 1, 0.975) * own.std(ddof=1)) / math.sqrt(n)
                mean, at = float(own.mean()), self._middle(inside)
                yield at, mean, max(mean - half, 0.0), min(mean + half, 1.0)

    def _middle(self, inside: NDArray[np.bool_]) -> float:
        """Where a part lies on the axis: the median of its numbers, the place of its category."""
        own = [value for value, there in zip(self.values, inside, strict=True) if there]
        if self.kind == "category":
            return float(self.scale.level(own[0]))
        return float(np.median(np.array(own, dtype=np.float64)))

    def spread(self, groups: int = 10) -> float:
        """The standard error of the association, by a jackknife over tenths of the candidates."""
        ids = np.arange(len(self.of)) % groups
        if len(self.of) < 2 * groups:
            return math.nan
        pairs, left = [*self.of.items()], []
        for group in range(groups):
            kept = np.flatnonzero(ids != group)
            of = dict(pairs[k] for k in kept.tolist())
            left.append(replace(self, of=of, standing=self.standing[kept]).association)
        return float(np.std(left)) * math.sqrt(groups - 1)

    def parts(self) -> Iterator[tuple[str, NDArray[np.bool_]]]:
        """Parts of its values: each category, or four parts with equally many candidates."""
        if self.kind == "category":
            names = np.array([value_text(value) for value in self.values])
            yield from ((f"= {name}", names == name) for name in dict.fromkeys(names.tolist()))
            return
        values = np.array(self.values, dtype=np.float64)
        edges = np.unique(np.quantile(values, np.linspace(0, 1, _PARTS + 1))).tolist()
        for low, high in pairwise(edges):
            inside = (values >= low) & ((values <= high) if high == edges[-1] else (values < high))
            yield f"{low:.4g} to {high:.4g}", inside


def _centred_ranks(values: Floats) -> Floats:
    ranks = rank_rows(values[None, :], check=False)[0]
    return np.asarray(ranks - ranks.mean())


def effects(history: History) -> tuple[Effect, ...]:
    """The parameters that vary, the most associated first."""
    places, found = history.matrices.places, []
    placed = [one for id, one in history.candidates.items() if places.get(id, math.nan) >= 0]
    for name in dict.fromkeys(name for one in placed for name in one.values):
        of = {one.id: one.values[name] for one in placed if name in one.values}
        if len({(type(value).__name__, str(value)) for value in of.values()}) > 1:
            scale = scale_of(
                tuple(of.values()), history.space.get(name) if history.space is not None else None
            )
            own = np.array([places[id] for id in of])
            found.append(Effect(name=name, of=of, standing=own, scale=scale))
    return tuple(sorted(found, key=lambda one: -one.association))


@dataclass(frozen=True, kw_only=True)
class Region:
    """A part of one parameter's values where runs fail more often than elsewhere.

    Attributes
    ----------
    name, where
        The parameter, and its values in words.
    evaluations
        What was run there.
    share, overall
        The share of evaluations that failed, there and in the whole run.
    """

    name: str
    where: str
    evaluations: int
    share: float
    overall: float


def regions(history: History) -> tuple[Region, ...]:
    """Where runs fail clearly more often than overall, the worst first."""
    spent = {one.candidate.id: one for one in history.expenses if one.evaluations}
    total = sum(one.evaluations for one in spent.values())
    failed = sum(one.failures for one in spent.values())
    found = []
    for effect in effects(history) if 0 < failed < total else ():
        for where, inside in effect.parts():
            ids = [id for id, there in zip(effect.of, inside, strict=True) if there and id in spent]
            runs = sum(spent[id].evaluations for id in ids)
            share = sum(spent[id].failures for id in ids) / max(runs, 1)
            if len(ids) >= _FEWEST and share >= _LIFT * failed / total:
                found.append(
                    Region(name=effect.name, where=where, evaluations=runs, share=share,
                           overall=failed / total)
                )  # fmt: skip
    return tuple(sorted(found, key=lambda one: -one.share))

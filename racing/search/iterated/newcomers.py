"""Draws the new configurations of a race around the elites, none of them tried before.

The model of an elite has standard deviations of numbers and probabilities of categories.
López-Ibáñez et al. (2016), sections 3.2 and 3.4, as in irace 4.4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.base.seeds import Purpose, stream
from racing.search.coding import Coding, Draw
from racing.search.iterated.settings import IteratedSettings
from racing.search.sampler import truncated_normal
from racing.search.trials import Trials
from racing.space import Integer, Parameter, Values
from racing.space.parameter import is_number

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

_ROUNDS = 100
"""After so many draws of all missing ones, the space counts as exhausted."""


@dataclass(frozen=True, kw_only=True)
class Generation:
    """The state of iterated racing after a number of races.

    Attributes
    ----------
    races
        How many races are over.
    iterations
        The planned number of races in all.
    elites
        Ids, the best first.
    models
        Elite → the model by which configurations were drawn around it; these inherit it when they
        become elites. Empty before the second race.
    finalists
        Ids of the elites of all races so far, the latest first.
    """

    races: int = 0
    iterations: int
    elites: tuple[int, ...] = ()
    models: Mapping[int, Model] = field(default_factory=dict)
    finalists: tuple[int, ...] = ()

    def model_of(self, id: int, parent: int | None) -> Model | None:
        """The model of an elite, or else of its parent; None if it has none yet."""
        return self.models.get(id) or self.models.get(parent or 0)

    def after(self, elites: tuple[int, ...]) -> Generation:
        """The generation after another race with these elites as its best."""
        finalists = tuple(dict.fromkeys((*elites, *self.finalists)))
        races, most = self.races + 1, max(self.iterations, self.races + 1)
        return replace(self, races=races, iterations=most, elites=elites, finalists=finalists)


class Newcomers:
    """Draws new configurations and adds them to the trials.

    All of a race come from one random stream, with the key (CHALLENGER, number of the race).
    """

    def __init__(self, trials: Trials, settings: IteratedSettings) -> None:
        self._trials, self._settings, self.shape = trials, settings, Shape.of(trials.coding)

    def draw(self, generation: Generation, number: int, n: int) -> tuple[Generation, list[int]]:
        """The generation with its models, and the ids of up to `n` new configurations.

        Parameters
        ----------
        number
            Of the race.
        """
        trials, elites = self._trials, generation.elites
        rng = stream(trials.seed, Purpose.CHALLENGER, number)
        points = np.array([trials.points[id] for id in elites])
        models = [self._model(generation, id, number, n) for id in elites]
        drawn = self.drawn(points, models, n, rng)
        if touched := self._touched(points, *drawn[1:]):
            for place in touched:
                models[place] = self.shape.restarted(models[place], n)
            drawn = self.drawn(points, models, n, rng)
        ids, address = list[int](), (int(Purpose.CHALLENGER), number)
        for _ in range(_ROUNDS):
            for values, point, place in zip(*drawn, strict=True):
                for new in trials.coding.untried([values]):
                    draw = Draw(new, point, elites[int(place)], "model", address)
                    ids.append(trials.enter(draw, entered=number - 1))
            if len(ids) >= n:
                break
            drawn = self.drawn(points, models, n - len(ids), rng)
        return replace(generation, models=dict(zip(elites, models, strict=True))), ids

    def _model(self, generation: Generation, id: int, number: int, n: int) -> Model:
        """The model of an elite for this race; a new elite inherits that of its parent."""
        trials, elitist = self._trials, self._settings.elitist
        model = generation.model_of(id, trials.candidates[id].parent) or self.shape.first()
        moved = (number - 1) / max(generation.iterations, number)
        return self.shape.updated(model, trials.points[id], n, moved, elitist=elitist)

    def _touched(self, elites: Floats, points: Floats, parents: Places) -> set[int]:
        """The places of elites whose model restarts: of similar ones, and of parents of such."""
        if not self._settings.soft_restart:
            return set()
        threshold, m = self._settings.restart_threshold, len(elites)
        alike = self.shape.similar(np.vstack([elites, points]), threshold)
        return {*np.flatnonzero(alike[:m]).tolist(), *parents[alike[m:]].tolist()}

    def drawn(
        self, points: Floats, models: Sequence[Model], n: int, rng: np.random.Generator
    ) -> tuple[list[Values], Floats, Places]:
        """`n` allowed configurations around the elites; fewer if almost all are forbidden.

        Their values, their points, and the places of their parents.
        """
        encoding = self._trials.coding.space.encoding
        rows, parents = np.empty((0, points.shape[1])), np.empty(0, dtype=np.intp)
        for _ in range(_ROUNDS):
            cube, places = self.shape.around(points, models, n - len(rows), rng)
            found = encoding.from_points(cube)
            allowed = encoding.allowed(found)
            rows = np.vstack([rows, found[allowed]])
            parents = np.concatenate([parents, places[allowed]])
            if len(rows) >= n:
                break
        values = encoding.decode(rows)
        return values, encoding.encode(values), parents


# --- models and their draws ---------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Model:
    """The distribution of configurations that are drawn around an elite.

    Attributes
    ----------
    widths : (d,)
        Standard deviations on the unit scale; 0 for categorical parameters.
    weights : (d, k)
        Probabilities of the levels of categorical parameters, 0 beyond the last level; rows of
        zeros for the others.
    """

    widths: Floats
    weights: Floats


@dataclass(frozen=True, eq=False)
class Shape:
    """A space as columns on the unit scale, one for each parameter, and the models over it.

    Attributes
    ----------
    choices : (d,)
        The number of levels of a categorical parameter, 0 for any other.
    widths : (d,)
        The first standard deviations of numbers; 0 for categorical parameters.
    parameters
        N: the number of parameters with more than one value.
    """

    choices: Places
    widths: Floats
    parameters: int

    @classmethod
    def of(cls, coding: Coding) -> Shape:
        """The shape of a space."""
        space, choices = coding.space, coding.choices
        return cls(
            choices=choices,
            widths=np.where(choices > 0, 0.0, [_width(parameter) for parameter in space.values()]),
            parameters=sum(_cells(parameter) != 1 for parameter in space.values()),
        )

    # --- models -----------------------------------------------------------------------------

    def first(self) -> Model:
        """The first model: half of each domain; equal probabilities for categories."""
        there = np.arange(self.choices.max(initial=1)) < self.choices[:, None]
        return Model(self.widths, there / np.maximum(self.choices, 1)[:, None])

    def updated(
        self, model: Model, point: Floats, drawn: int, moved: float, *, elitist: bool
    ) -> Model:
        """The model of an elite for race j.

        sd ← sd · (1 / new)^(1 / N); p ← p · (1 − (j − 1) / iterations), and the elite's own
        category gets (j − 1) / iterations in addition. In elitist racing, no p exceeds 0.2^(1 / N).

        Parameters
        ----------
        point : (d,)
            The elite, on the unit scale; its inactive categories (NaN) keep their probabilities.
        drawn
            The number of new configurations in the race.
        moved
            (j − 1) / iterations.
        """
        widths = model.widths * (1 / max(drawn, 1)) ** (1 / self.parameters)
        active = np.flatnonzero((self.choices > 0) & ~np.isnan(point))
        weights = model.weights.copy()
        weights[active] *= 1 - moved
        weights[active, point[active].astype(np.intp)] += moved
        if elitist:
            weights[active] = np.minimum(weights[active], 0.2 ** (1 / self.parameters))
        weights[active] /= weights[active].sum(axis=1, keepdims=True)
        return Model(widths, weights)

    def restarted(self, model: Model, drawn: int) -> Model:
        """A wider model, for use after configurations have become similar.

        sd ← min(sd · new^(2 / N), first sd · (1 / new)^(1 / N)); p ← 0.9 p + 0.1 max p, normalised.
        """
        drawn = max(drawn, 1)
        wider = model.widths * drawn ** (2 / self.parameters)
        most = self.widths * (1 / drawn) ** (1 / self.parameters)
        there = np.arange(model.weights.shape[1]) < self.choices[:, None]
        raised = 0.9 * model.weights + 0.1 * model.weights.max(axis=1, keepdims=True)
        weights = np.where(there, raised, 0.0)
        total = weights.sum(axis=1, keepdims=True)
        return Model(np.minimum(wider, most), weights / np.where(total > 0, total, 1.0))

    # --- draws ------------------------------------------------------------------------------

    def around(
        self, points: Floats, models: Sequence[Model], n: int, rng: np.random.Generator
    ) -> tuple[Floats, Places]:
        """`n` points of the unit cube, and the place of each one's parent among the elites.

        Numbers come from a normal around the parent's value, truncated to the domain; categories by
        their probabilities. Parameters that are inactive in the parent are uniform, categories by
        their probabilities. Every column gets a value; inactive ones are removed afterwards.

        Parameters
        ----------
        points : (m, d)
            The elites on the unit scale, the best first; NaN = inactive.
        models
            Of the elites.
        """
        parents = rng.choice(len(points), size=n, p=parent_weights(len(points)))
        fresh = rng.random((n, len(self.choices)))
        widths = np.array([model.widths for model in models])[parents]
        moved = truncated_normal(points[parents], widths, fresh)
        found = np.where(np.isnan(moved), fresh, moved)
        for column in np.flatnonzero(self.choices):
            weights = np.array([model.weights[column] for model in models])[parents]
            level = (fresh[:, [column]] >= weights.cumsum(axis=1)).sum(axis=1)
            count = self.choices[column]
            found[:, column] = (np.minimum(level, count - 1) + 0.5) / count
        return found, parents

    def similar(self, points: Floats, threshold: float) -> NDArray[np.bool_]:
        """(n,) whether there is another configuration that is nearly the same.

        Two are similar if the same parameters are active, the categories are equal, and no number
        differs by more than `threshold` on the unit scale.

        Parameters
        ----------
        points : (n, d)
            On the unit scale, NaN = inactive.
        """
        found = np.zeros(len(points), dtype=bool)
        categories = self.choices > 0
        groups: dict[bytes, list[int]] = {}
        for row, point in enumerate(points):
            key = np.isnan(point).tobytes() + np.nan_to_num(point[categories]).tobytes()
            groups.setdefault(key, []).append(row)
        for rows in groups.values():
            numbers = np.nan_to_num(points[rows][:, ~categories])
            for place, row in enumerate(rows[:-1]):
                distance = np.abs(numbers[place + 1 :] - numbers[place]).max(axis=1, initial=0.0)
                near = np.array(rows[place + 1 :])[distance <= threshold]
                found[near] = True
                found[row] |= len(near) > 0
        return found


def _width(parameter: Parameter) -> float:
    """Half of the domain: (u − l) / 2, on the unit scale.

    Whole numbers and ordered levels have one cell each there: k values lie in k cells, so the
    domain from the first to the last value has length (k − 1) / k. Log scales and domains that
    depend on other parameters have 1 / 2, as in irace.
    """
    cells = _cells(parameter)
    if cells == 1:
        return 0.0
    return 0.5 * (cells - 1) / cells if cells else 0.5


def _cells(parameter: Parameter) -> int:
    """The number of values on the scale; 0 if it is infinite or depends on other parameters."""
    if parameter.levels is not None:
        return len(parameter.levels)
    low: Any = getattr(parameter, "low", None)
    high: Any = getattr(parameter, "high", None)
    if not is_number(low) or not is_number(high):
        return 0
    if low == high:
        return 1
    if isinstance(parameter, Integer) and not parameter.log:
        return (int(high) - int(low)) // (parameter.step or 1) + 1
    return 0


def parent_weights(elites: int) -> Floats:
    """(m,) (m − z + 1) / (m (m + 1) / 2) for the z-th elite: better ones are drawn more often."""
    return np.arange(elites, 0, -1) / (elites * (elites + 1) / 2)

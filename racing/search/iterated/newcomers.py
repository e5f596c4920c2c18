"""Draws the new configurations of a race around the elites, none of them tried before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from racing.base.seeds import Purpose, stream
from racing.search.coding import Coding, Draw
from racing.search.iterated.drawing import around, similar
from racing.search.iterated.model import Model, Shape, initial, restarted, updated
from racing.search.iterated.settings import IteratedSettings
from racing.search.trials import Trials
from racing.space import Values

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

    def after(self, elites: tuple[int, ...]) -> Generation:
        """The generation after another race with these elites as its best."""
        finalists = tuple(dict.fromkeys((*elites, *self.finalists)))
        races = self.races + 1
        return replace(
            self,
            races=races,
            iterations=max(self.iterations, races),
            elites=elites,
            finalists=finalists,
        )


@dataclass(frozen=True, eq=False)
class _Drawn:
    """Allowed configurations: their values, their points, and the places of their parents."""

    values: list[Values]
    points: Floats
    parents: Places


class Newcomers:
    """Draws new configurations and adds them to the trials.

    All of a race come from one random stream, with the key (CHALLENGER, number of the race).
    """

    def __init__(self, trials: Trials, shape: Shape, settings: IteratedSettings) -> None:
        self._trials, self._shape, self._settings = trials, shape, settings

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
        models = self._models(generation, points, number, n)
        drawn = draws(trials.coding, self._shape, points, models, n, rng)
        if self._settings.soft_restart:
            alike = similar(
                np.vstack([points, drawn.points]), self._shape, self._settings.restart_threshold
            )
            if alike.any():
                models = self._restarted(models, alike, drawn, n)
                drawn = draws(trials.coding, self._shape, points, models, n, rng)
        ids = self._enter(elites, points, models, drawn, n, rng, number)
        return replace(generation, models=dict(zip(elites, models, strict=True))), ids

    def _models(self, generation: Generation, points: Floats, number: int, n: int) -> list[Model]:
        """The models of the elites for this race; a new elite inherits that of its parent."""
        found = []
        for id, point in zip(generation.elites, points, strict=True):
            before = inherited(generation.models, id, self._trials.candidates[id].parent)
            found.append(
                updated(
                    before or initial(self._shape),
                    point,
                    self._shape,
                    drawn=n,
                    iteration=number,
                    iterations=max(generation.iterations, number),
                    elitist=self._settings.elitist,
                )
            )
        return found

    def _restarted(
        self, models: list[Model], alike: NDArray[np.bool_], drawn: _Drawn, n: int
    ) -> list[Model]:
        """The models, those of similar elites and of parents of similar configurations wider."""
        m = len(models)
        touched = set(np.flatnonzero(alike[:m])) | set(drawn.parents[alike[m:]])
        return [
            restarted(model, self._shape, drawn=n) if place in touched else model
            for place, model in enumerate(models)
        ]

    def _enter(
        self,
        elites: Sequence[int],
        points: Floats,
        models: list[Model],
        drawn: _Drawn,
        n: int,
        rng: np.random.Generator,
        number: int,
    ) -> list[int]:
        """Add the untried ones, and draw others for the rest."""
        trials, ids = self._trials, list[int]()
        address = (int(Purpose.CHALLENGER), number)
        for _ in range(_ROUNDS):
            for values, point, place in zip(drawn.values, drawn.points, drawn.parents, strict=True):
                if new := trials.coding.untried([values]):
                    parent = elites[int(place)]
                    draw = Draw(new[0], point, parent, "model", address)
                    ids.append(trials.enter(draw, entered=number - 1))
            if len(ids) >= n:
                break
            drawn = draws(trials.coding, self._shape, points, models, n - len(ids), rng)
        return ids


def inherited(models: Mapping[int, Model], id: int, parent: int | None) -> Model | None:
    """The model of an elite, or else of its parent; None if it has none yet."""
    if id in models:
        return models[id]
    return None if parent is None else models.get(parent)


def draws(
    coding: Coding,
    shape: Shape,
    points: Floats,
    models: Sequence[Model],
    n: int,
    rng: np.random.Generator,
) -> _Drawn:
    """`n` allowed configurations around the elites; fewer if almost all are forbidden."""
    encoding = coding.space.encoding
    rows: list[Floats] = []
    parents: list[Places] = []
    missing = n
    for _ in range(_ROUNDS):
        cube, places = around(points, models, shape, missing, rng)
        found = encoding.from_points(cube)
        allowed = encoding.allowed(found)
        rows.append(found[allowed])
        parents.append(places[allowed])
        missing -= int(allowed.sum())
        if missing <= 0:
            break
    values = encoding.decode(np.vstack(rows))
    return _Drawn(values, encoding.encode(values), np.concatenate(parents))

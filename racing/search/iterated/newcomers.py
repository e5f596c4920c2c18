"""Draws the new configurations of a race around the elites, none of them tried before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from racing.base.seeds import Purpose, stream
from racing.search.coding import Coding, Draw
from racing.search.iterated.model import (
    Model,
    Shape,
    around,
    initial,
    restarted,
    similar,
    updated,
)  # fmt: skip
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
        iterations = max(self.iterations, races)
        return replace(self, races=races, iterations=iterations, elites=elites, finalists=finalists)


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
        trials, elites, shape = self._trials, generation.elites, self._shape
        rng = stream(trials.seed, Purpose.CHALLENGER, number)
        points = np.array([trials.points[id] for id in elites])
        models = [self._model(generation, id, number, n) for id in elites]
        drawn = draws(trials.coding, shape, points, models, n, rng)
        if touched := self._touched(points, *drawn[1:]):
            for place in touched:
                models[place] = restarted(models[place], shape, drawn=n)
            drawn = draws(trials.coding, shape, points, models, n, rng)
        ids, address = list[int](), (int(Purpose.CHALLENGER), number)
        for _ in range(_ROUNDS):
            for values, point, place in zip(*drawn, strict=True):
                for new in trials.coding.untried([values]):
                    draw = Draw(new, point, elites[int(place)], "model", address)
                    ids.append(trials.enter(draw, entered=number - 1))
            if len(ids) >= n:
                break
            drawn = draws(trials.coding, shape, points, models, n - len(ids), rng)
        return replace(generation, models=dict(zip(elites, models, strict=True))), ids

    def _model(self, generation: Generation, id: int, number: int, n: int) -> Model:
        """The model of an elite for this race; a new elite inherits that of its parent."""
        parent = self._trials.candidates[id].parent
        return updated(
            inherited(generation.models, id, parent) or initial(self._shape),
            self._trials.points[id],
            self._shape,
            drawn=n,
            iteration=number,
            iterations=max(generation.iterations, number),
            elitist=self._settings.elitist,
        )

    def _touched(self, elites: Floats, points: Floats, parents: Places) -> set[int]:
        """The places of elites whose model restarts: of similar ones, and of parents of such."""
        if not self._settings.soft_restart:
            return set()
        threshold, m = self._settings.restart_threshold, len(elites)
        alike = similar(np.vstack([elites, points]), self._shape, threshold)
        return {*np.flatnonzero(alike[:m]).tolist(), *parents[alike[m:]].tolist()}


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
) -> tuple[list[Values], Floats, Places]:
    """`n` allowed configurations around the elites; fewer if almost all are forbidden.

    Their values, their points, and the places of their parents.
    """
    encoding, rows, parents = coding.space.encoding, list[Floats](), list[Places]()
    for _ in range(_ROUNDS):
        cube, places = around(points, models, shape, n - sum(map(len, rows)), rng)
        found = encoding.from_points(cube)
        allowed = encoding.allowed(found)
        rows.append(found[allowed])
        parents.append(places[allowed])
        if sum(map(len, rows)) >= n:
            break
    values = encoding.decode(np.vstack(rows))
    return values, encoding.encode(values), np.concatenate(parents)

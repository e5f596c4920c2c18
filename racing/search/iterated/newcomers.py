"""The new configurations of a race: drawn around the elites, none of them tried before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from racing.search.book import Book
from racing.search.coding import Coding, Draw
from racing.search.iterated.drawing import around
from racing.search.iterated.generation import Generation
from racing.search.iterated.model import Model, initial, restarted, updated
from racing.search.iterated.restart import similar
from racing.search.iterated.settings import IteratedSettings
from racing.search.iterated.shape import Shape
from racing.seeds import Purpose, stream
from racing.space import Values

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

_ROUNDS = 100
"""Draws of all that are missing, before the space is taken for used up."""


@dataclass(frozen=True)
class _Drawn:
    """Allowed configurations: their values, their points, and the places of their parents."""

    values: list[Values]
    points: Floats
    parents: Places


class Newcomers:
    """Draws and enters new configurations.

    All of a race come from one random stream, whose address is (CHALLENGER, number of the race).
    """

    def __init__(self, book: Book, shape: Shape, settings: IteratedSettings) -> None:
        self._book, self._shape, self._settings = book, shape, settings

    def draw(self, generation: Generation, number: int, n: int) -> tuple[Generation, list[int]]:
        """The generation with its models, and the ids of up to `n` new configurations.

        Parameters
        ----------
        number
            Of the race.
        """
        book, elites = self._book, generation.elites
        rng = stream(book.seed, Purpose.CHALLENGER, number)
        points = np.array([book.points[id] for id in elites])
        models = self._models(generation, points, number, n)
        drawn = draws(book.coding, self._shape, points, models, n, rng)
        if self._settings.soft_restart:
            alike = similar(
                np.vstack([points, drawn.points]), self._shape, self._settings.restart_threshold
            )
            if alike.any():
                models = self._restarted(models, alike, drawn, n)
                drawn = draws(book.coding, self._shape, points, models, n, rng)
        ids = self._enter(elites, points, models, drawn, n, rng, number)
        return replace(generation, models=dict(zip(elites, models, strict=True))), ids

    def _models(self, generation: Generation, points: Floats, number: int, n: int) -> list[Model]:
        """The models of the elites for this race; a new elite inherits that of its parent."""
        found = []
        for id, point in zip(generation.elites, points, strict=True):
            before = inherited(generation.models, id, self._book.candidates[id].parent)
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
        """Enter those that were not tried before, and draw others for those that were."""
        book, ids = self._book, list[int]()
        address = (int(Purpose.CHALLENGER), number)
        for _ in range(_ROUNDS):
            for values, point, place in zip(drawn.values, drawn.points, drawn.parents, strict=True):
                if new := book.coding.untried([values]):
                    parent = elites[int(place)]
                    draw = Draw(new[0], point, parent, "model", address)
                    ids.append(book.enter(draw, entered=number - 1))
            if len(ids) >= n:
                break
            drawn = draws(book.coding, self._shape, points, models, n - len(ids), rng)
        return ids


def inherited(models: Mapping[int, Model], id: int, parent: int | None) -> Model | None:
    """The model of an elite, or else of its parent; None for one that has none yet."""
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
    """`n` allowed configurations around the elites; fewer if hardly any is allowed."""
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

"""What iterated racing knows between two races."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from racing.search.iterated.model import Model


@dataclass(frozen=True, kw_only=True)
class Generation:
    """What iterated racing knows after a number of races.

    Attributes
    ----------
    races
        How many races are over.
    iterations
        How many there are going to be, as far as that is planned.
    elites
        Ids, the best first.
    models
        Elite → the model that configurations were drawn around it by; those drawn around it and not
        yet elites inherit it. Empty before the second race.
    finalists
        Ids of the elites of all races so far, the latest first.
    """

    races: int = 0
    iterations: int
    elites: tuple[int, ...] = ()
    models: Mapping[int, Model] = field(default_factory=dict)
    finalists: tuple[int, ...] = ()

    def after(self, elites: tuple[int, ...]) -> Generation:
        """The generation after another race, which these elites have won."""
        finalists = tuple(dict.fromkeys((*elites, *self.finalists)))
        races = self.races + 1
        return replace(
            self,
            races=races,
            iterations=max(self.iterations, races),
            elites=elites,
            finalists=finalists,
        )

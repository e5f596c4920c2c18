"""The answer of a race: its ranking, and whether the best wins over the default."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

import numpy as np

from racing.core.ask_tell import AskTell
from racing.core.candidate import Candidate
from racing.core.evidence import probability_worse
from racing.core.objective import Objective
from racing.core.results import Results
from racing.core.standing import FrontStanding, Standing, front_standing, ranking
from racing.race.setup import Setup
from racing.race.state import RaceState

DEFAULT = "default"
"""The name of the candidate that a winner must be better than."""


class RaceAnswer(AskTell):
    """What a race says of its candidates, by its setup and state."""

    _setup: Setup
    _state: RaceState
    _known: tuple[tuple[int, int], float] | None = None

    @property
    @abstractmethod
    def results(self) -> Results:
        """The costs on all complete instances; its survivors are those that have caught up."""

    @property
    def objective(self) -> Objective:
        """What "best" means."""
        return self._setup.objective

    # --- the order --------------------------------------------------------------------------

    def ranking(self) -> tuple[Standing, ...]:
        """The survivors that have seen the same instances.

        A default that is kept comes first, also if the rule had dropped it; then by the instances
        that it has met.

        Returns
        -------
        tuple of Standing
            The best first; empty before the first instance is complete.
        """
        found = self._ranking(self.results)
        if not self._keeps_default:
            return found
        place = self.results.candidates.index(self.baseline.id)
        alone = replace(self.results, survivors=np.array([place], dtype=np.intp))
        own = next((one for one in found if one.candidate == self.baseline), None)
        others = (one for one in found if one.candidate != self.baseline)
        return (own or self._ranking(alone)[0], *others)

    def _ranking(self, results: Results) -> tuple[Standing, ...]:
        return ranking(results, self._state.candidates, self.objective)

    @property
    def front(self) -> tuple[Standing, ...]:
        """The survivors on the front, where the objective is one: which no other survivor beats.

        By the first metric of the front, the best first; `winner` is the knee, the best compromise.
        Each with its probability of being on the front of the true means. Empty before the first
        instance is complete.
        """
        return self.front_standing().front

    def front_standing(self) -> FrontStanding:
        """The front, and what may be on it."""
        seed = self._setup.seed
        return front_standing(self.results, self._state.candidates, self.objective, seed)

    # --- the default ------------------------------------------------------------------------

    @property
    def baseline(self) -> Candidate:
        """The candidate to compare the winner with: the one named `default`, or else the first."""
        given = self._default
        return next(iter(self._state.candidates.values())) if given is None else given

    @property
    def _default(self) -> Candidate | None:
        named = (one for one in self._state.candidates.values() if one.name == DEFAULT)
        return next(named, None)

    @property
    def found(self) -> Candidate | None:
        """The best survivor so far; None before the survivors can be compared.

        It is the winner unless the default is kept; see `worse`.
        """
        settled = self._state.settled
        if len(settled) == 1:
            return self._state.candidates[settled[0]]
        ranked = self._ranking(self.results) if self._state.comparable else ()
        return ranked[0].candidate if ranked else None

    @property
    def worse(self) -> float | None:
        """The probability that `found` is truly worse than the default, of a race that is over.

        By all outcomes that count, of all candidates: see `racing.core.evidence`. None before, if
        no candidate is named `default`, and if that one is best itself; and after the only
        instance, which cannot show a probability: there the lower cost wins.
        """
        return None if self._setup.instances.limit == 1 else self._chance

    @property
    def _chance(self) -> float | None:
        """The same, and by the cost on the only instance."""
        default, state, found = self._default, self._state, self.found
        if default is None or found is None or found == default or state.stopped is None:
            return None
        key = state.rows, len(state.entrants)
        if self._known is None or self._known[0] != key:
            chance = probability_worse(
                self.results,
                self._setup.instances,
                self._setup.seed,
                found.id,
                default.id,
                objective=self.objective,
            )
            self._known = key, chance
        return self._known[1]

    @property
    def risk(self) -> float:
        """The largest probability of being worse than the default with which `found` wins."""
        return self._setup.risk

    @property
    def _keeps_default(self) -> bool:
        chance = self._chance
        return chance is not None and chance > self.risk

    @property
    def winner(self) -> Candidate | None:
        """The best survivor so far; None before the survivors can be compared.

        At the end it is the default, the candidate of this name, unless the probability that the
        best is truly worse is at most `risk`, or the only instance has a lower cost of the best.
        """
        return self.baseline if self._keeps_default else self.found

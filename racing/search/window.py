"""The challengers under way: drawn, begun when they surely fit the budget, judged rung by rung."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from racing.search.book import Book
from racing.search.flight import Flight
from racing.search.rules import Rules
from racing.search.state import State
from racing.seeds import Purpose, stream

Floats = NDArray[np.float64]


class Window:
    """Up to `rules.window` challengers, in the order of their numbers.

    Parameters
    ----------
    refused
        Whether this many evaluations do not fit into the budget, beside what is charged.
    """

    def __init__(self, book: Book, rules: Rules, *, refused: Callable[[int], bool]) -> None:
        self._book, self._rules, self._refused = book, rules, refused
        self._flights: deque[Flight] = deque()
        self._waiting: deque[Flight] = deque()
        self._by_id: dict[int, Flight] = {}
        self._reserved = 0  # by those begun
        self._first_id = max(book.candidates) + 1
        self.drawn = 0
        self.exhausted = False

    @property
    def front(self) -> Flight | None:
        """Whose decision is next, if it has begun."""
        return self._flights[0] if self._flights else None

    @property
    def waiting(self) -> Flight | None:
        """The first that has not begun."""
        return self._waiting[0] if self._waiting else None

    def launch(self, state: State, planned: int) -> None:
        """Draw a challenger from a state.

        Parameters
        ----------
        planned
            How many instances the elites are going to have met when its decision comes.
        """
        if self.exhausted:
            return
        number, rules = self.drawn, self._rules
        address = (int(Purpose.CHALLENGER), number)
        rng, coding = stream(self._book.seed, Purpose.CHALLENGER, number), self._book.coding
        draw = coding.fresh(lambda: rules.model.draw(state, coding.choices, rng), address)
        if draw is None:
            self.exhausted = True
            return
        steps = [*rng.permutation(state.instances).tolist(), *range(state.instances, planned)]
        self._waiting.append(Flight(number, self._first_id + number, draw, state, steps))
        self.drawn += 1

    def begin(self, beside: Callable[[int], int]) -> None:
        """Begin who waits, in order, as long as all that they and those before may need fits.

        Parameters
        ----------
        beside
            Number of a challenger → evaluations that rows of the elites may take before its
            decision.
        """
        while self._waiting:
            flight = self._waiting[0]
            need = len(flight.steps)
            if self._refused(self._reserved + beside(flight.number) + need):
                return
            self._reserved += need
            self._flights.append(self._waiting.popleft())
            self._by_id[flight.id] = flight
            self._book.enter(flight.draw, id=flight.id, entered=flight.state.decisions)
            self._climb(flight, np.empty(0))

    def hear(self, candidate: int) -> None:
        """Judge a challenger if its rung is complete, and let it go on."""
        flight = self._by_id.get(candidate)
        if flight is None or flight.resolved or not flight.complete or flight.beyond:
            return
        costs = self._book.costs([candidate], flight.seen)[:, 0]
        flight.judge(costs, self._rules, self._book.seed)
        if not flight.dropped:
            self._climb(flight, costs)

    def _climb(self, flight: Flight, costs: Floats) -> None:
        """Want the experiments of a challenger's next rung, after these costs."""
        flight.rung += 1
        flight.batch = self._book.want_pairs(
            [(flight.id, step) for step in flight.due],
            priority=2 * flight.number + 1,
            bound=flight.bound(costs, self._rules),
        )

    def pop(self) -> Flight:
        """Take out the front."""
        flight = self._flights.popleft()
        del self._by_id[flight.id]
        self._reserved -= len(flight.steps)
        return flight

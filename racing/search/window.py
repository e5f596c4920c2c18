"""The challengers under way: drawn, judged rung by rung, let through when the budget allows it."""

from __future__ import annotations

from bisect import insort
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

    A challenger is *prepaid* for its first instances (`Flight.prepaid`): it is drawn only if these
    fit into the budget along with those of all others under way. To go beyond them it needs room
    for all that it may need. That is asked when its turn to be decided comes, by what those before
    it have spent; it goes on at once if there is room whatever these will spend.

    Parameters
    ----------
    refused
        Whether this many evaluations do not fit into the budget, beside what is charged.
    drawn
        The number of the first challenger.
    """

    def __init__(
        self, book: Book, rules: Rules, *, refused: Callable[[int], bool], drawn: int = 0
    ) -> None:
        self._book, self._rules, self._refused = book, rules, refused
        self._flights: deque[Flight] = deque()
        self._by_id: dict[int, Flight] = {}
        self._held: list[Flight] = []  # through with what is prepaid, waiting for room; in order
        # What each may still come to in all, by its number: a ring, as numbers are consecutive.
        self._most = np.zeros(rules.window, dtype=np.int64)
        self._first_id = max(book.candidates) + 1 - drawn
        self.prepaid = 0
        self.drawn = drawn
        self.exhausted = False

    @property
    def front(self) -> Flight | None:
        """Whose decision is next."""
        return self._flights[0] if self._flights else None

    def launch(self, state: State, planned: int, reserved: int) -> bool:
        """Draw a challenger from a state; whether there was a place, room and a configuration.

        Parameters
        ----------
        planned
            How many instances the elites are going to have met when its decision comes.
        reserved
            Evaluations of the elites that are begun and not charged.
        """
        if self.exhausted or len(self._flights) >= self._rules.window:
            return False
        prepaid = self._rules.prepaid(state.instances, planned)
        if self._refused(reserved + self.prepaid + prepaid):
            return False
        flight = self._draw(state, planned)
        if flight is None:
            self.exhausted = True
            return False
        self.drawn += 1
        self.prepaid += flight.prepaid
        self._flights.append(flight)
        self._by_id[flight.id] = flight
        self._most[flight.number % len(self._most)] = flight.most
        self._book.enter(flight.draw, id=flight.id, entered=state.decisions)
        self._climb(flight, np.empty(0))
        return True

    def _draw(self, state: State, planned: int) -> Flight | None:
        """A new configuration, and the order in which it meets the instances."""
        book, model, number = self._book, self._rules.model, self.drawn
        rng = stream(book.seed, Purpose.CHALLENGER, number)
        choices, address = book.coding.choices, (int(Purpose.CHALLENGER), number)
        draw = book.coding.fresh(lambda: model.draw(state, choices, rng), address)
        if draw is None:
            return None
        steps = [*rng.permutation(state.instances).tolist(), *range(state.instances, planned)]
        prepaid = self._rules.prepaid(state.instances, planned)
        growth = self._rules.growth
        return Flight(number, self._first_id + number, draw, state, steps, prepaid, growth)

    def hear(self, candidate: int) -> None:
        """Judge a challenger if its rung is complete, and let it go on."""
        flight = self._by_id.get(candidate)
        if flight is None or flight.resolved or flight.held or not flight.complete or flight.beyond:
            return
        costs = self._book.costs([candidate], flight.seen)[:, 0]
        capped = self._book.censored(candidate, flight.seen)
        flight.judge(costs, self._rules, self._book.seed, capped=capped)
        if flight.dropped:
            self._most[flight.number % len(self._most)] = flight.most
            return
        if flight.through and not flight.paid:
            flight.held = True
            insort(self._held, flight, key=lambda one: one.number)
        else:
            self._climb(flight, costs)

    def let_on(self, rows: Callable[[int], int]) -> None:
        """Let those held go on for whom there is room whatever those before them will spend.

        If there is no room for one of them, there is none for those after it, who need more.

        Parameters
        ----------
        rows
            Number of a challenger → evaluations that rows of the elites may take by its turn; the
            later its turn, the more.
        """
        if not self._held:
            return
        each = self._rules.prepaid(self._flights[-1].state.instances, self._rules.settings.prepaid)
        after = (self._rules.window - 1) * each  # the state's instances never become fewer
        while self._held:
            flight = self._held[0]
            needed = self._most_through(flight.number) + after + rows(flight.number)
            if self._refused(needed):
                return
            self._go_on(flight)

    def _most_through(self, number: int) -> int:
        """What the challengers up to this one may still come to."""
        ring = self._most
        first, last = self._flights[0].number % len(ring), number % len(ring)
        if first <= last:
            return int(ring[first : last + 1].sum())
        return int(ring[first:].sum() + ring[: last + 1].sum())

    def turn(self, reserved: int) -> bool:
        """The front's turn has come: whether there is room for it beyond what is prepaid.

        It is asked again if it went on before: where a limit of time is far only by prediction,
        the answer must not depend on when it went on.
        """
        front = self._flights[0]
        if not front.held and not front.paid:
            return True
        if self._refused(reserved + self.prepaid - front.prepaid + front.whole):
            return False
        if front.held:
            self._go_on(front)
        return True

    def _go_on(self, flight: Flight) -> None:
        self._held.remove(flight)
        flight.held, flight.paid = False, True
        self._climb(flight, self._book.costs([flight.id], flight.seen)[:, 0])

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
        if flight.held:
            self._held.remove(flight)
        del self._by_id[flight.id]
        self.prepaid -= flight.prepaid
        return flight

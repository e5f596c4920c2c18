"""The main part of a search: decisions on challengers, applied in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from racing.search.decision import displaced, retired, unaffordable
from racing.search.elites import best_first, inferior
from racing.search.flight import Flight
from racing.search.history import Past
from racing.search.phase import Desk
from racing.search.rows import Rows
from racing.search.scores import block_scores, pooled_noise
from racing.search.state import State
from racing.search.window import Window
from racing.stop import Stop

Floats = NDArray[np.float64]


class Running:
    """Challengers race the elites, up to `window` at a time.

    Challenger c is drawn from the state after decision c − window and judged by that state; its
    decision is applied when those of all before it are, as a processor that executes out of order
    commits in order. So all that happens here follows from the outcomes, whatever their order.

    This part is over when there is no room for another challenger (`racing.search.window`).

    Parameters
    ----------
    begun
        Decisions to count as made, a multiple of K: challengers are numbered on from there.
    """

    def __init__(self, desk: Desk, elites: Sequence[int], instances: int, begun: int = 0) -> None:
        self._book, self._ledger, self._rules = desk.book, desk.ledger, desk.rules
        self._decided, self._history = desk.decided, desk.history
        every = desk.rules.settings.every
        self._first_instances = instances - begun // every
        self._rows = Rows(desk.book, lag=-(-desk.rules.window // every) * every)
        self._rows_ended = False
        self._boundary = begun  # decisions at which the elites' rows were last seen to
        self._window = Window(
            desk.book,
            desk.rules,
            refused=lambda runs: desk.ledger.refusal(runs) is not None,
            drawn=begun,
        )
        self._closing = False
        self.over = False
        self.why: Stop | None = None
        costs = desk.book.costs(elites, range(instances))
        self.state = self._state_of(list(elites), costs, begun, {})
        self._launch()
        self._go_on()

    def hear(self, candidate: int) -> None:
        """Note that an outcome of this candidate has come, and go on as far as possible."""
        self._window.hear(candidate)
        self._go_on()

    @property
    def elites(self) -> tuple[int, ...]:
        """Ids, the best first."""
        return self.state.elites

    @property
    def instances(self) -> int:
        """How many instances all elites have met."""
        return self.state.instances

    @property
    def exhausted(self) -> bool:
        """Whether the space is used up: there was no new configuration to be drawn."""
        return self._window.exhausted

    # --- decisions in order -----------------------------------------------------------------

    def _go_on(self) -> None:
        """Apply decisions while everything that they need is there."""
        while not self.over and (self._close() if self._closing else self._commit()):
            pass

    def _commit(self) -> bool:
        """Apply the next decision, or close this part; False while something is missing."""
        if not self._see_to_rows():
            return False
        front = self._window.front
        if front is None:
            self.why = None if self._window.exhausted else self._ledger.refusal(self._next_prepaid)
            self._closing = True
            return True
        if not self._window.turn(self._rows.reserved):
            front.cut()
            front.verdict = unaffordable(front, self._ledger.room)
        if not front.resolved or not self._has_all(front):
            self._window.let_on(self._rows_before)
            return False
        self._apply(front)
        return True

    def _apply(self, flight: Flight) -> None:
        """Decide on a challenger."""
        self.why = self._ledger.charge(self._book.outcomes([flight.id], self._charged(flight)))
        if self.why is not None:
            self.over = True
            return
        self._window.pop()
        self._remember(flight)
        state, standings = self.state, self._with(flight)
        if flight.verdict is not None:
            self._decided(flight.verdict)
            self.state = replace(
                state,
                decisions=state.decisions + 1,
                progress=self._ledger.progress,
                standings=standings,
                past=self._past,
            )
        else:
            ids, costs = self._join(flight.id, list(state.elites))
            self.state = self._state_of(ids, costs, state.decisions + 1, standings)
        if self.state.decisions % self._rules.settings.every:
            self._launch()

    @property
    def _past(self) -> Past:
        """All that is decided by now."""
        return Past(self._history, len(self._history))

    def _remember(self, flight: Flight) -> None:
        """Enter a challenger into the history."""
        steps = self._charged(flight)
        costs = self._book.costs([flight.id], steps)[:, 0]
        self._history.add(flight.draw.point, steps, costs)

    def _charged(self, flight: Flight) -> Sequence[int]:
        """The steps that a challenger is charged for."""
        return flight.seen if flight.dropped else range(self.state.instances + len(self._rows))

    def _join(self, id: int, ids: list[int]) -> tuple[list[int], Floats]:
        """The best m of the elites and a challenger that got through, the best first."""
        everybody = [*ids, id]
        costs = self._book.costs(everybody, range(self.state.instances))
        order = best_first(costs, self._rules.objective)
        ranked, costs = [everybody[int(i)] for i in order], costs[:, order]
        kept = self._rules.settings.elites
        self._decided(displaced(ranked, block_scores(costs, self._rules.objective), kept))
        return ranked[:kept], costs[:, :kept]

    def _has_all(self, flight: Flight) -> bool:
        """Whether a challenger that got through has met all that the elites have; else want it."""
        if flight.dropped:
            return True
        steps = range(self.state.instances + len(self._rows))
        flight.batch = self._book.want([flight.id], steps)
        return flight.complete

    def _with(self, flight: Flight) -> Mapping[int, tuple[float, ...]]:
        """The standings, with where a challenger stood on each rung."""
        standings, most = dict(self.state.standings), self._rules.settings.recent
        for stood in flight.stood:
            standings[stood.n] = (*standings.get(stood.n, ()), stood.behind)[-most:]
        return standings

    def _state_of(
        self,
        ids: list[int],
        costs: Floats,
        decisions: int,
        standings: Mapping[int, tuple[float, ...]],
    ) -> State:
        """The state with these elites, the best first, and their costs."""
        return State(
            decisions=decisions,
            progress=self._ledger.progress,
            elites=tuple(ids),
            points=np.array([self._book.points[id] for id in ids]),
            costs=costs,
            noise=pooled_noise(costs, self._rules.objective),
            standings=standings,
            past=self._past,
        )

    # --- new challengers --------------------------------------------------------------------

    def _launch(self) -> None:
        """Draw challengers from the state, as many as there are places and room for.

        The next row of the elites goes first.
        """
        while self._window.launch(self.state, self._planned, self._taken_by_rows):
            pass

    @property
    def _taken_by_rows(self) -> int:
        """Evaluations of the rows under way, and of the next."""
        next_row = 0 if self._rows_ended else self._rules.settings.elites
        return self._rows.reserved + next_row

    @property
    def _planned(self) -> int:
        """How many instances the elites will have met when the next challenger is decided on."""
        if self._rows_ended:
            return self.state.instances + len(self._rows)
        rows = self._window.drawn // self._rules.settings.every
        return int(min(self._first_instances + rows, self._rules.limit))

    @property
    def _next_prepaid(self) -> int:
        prepaid = self._rules.prepaid(self.state.instances, self._planned)
        return self._taken_by_rows + prepaid

    def _rows_before(self, number: int) -> int:
        """Evaluations that rows of the elites may take before a challenger's decision."""
        every, begun = self._rules.settings.every, self._boundary
        rows = 0 if self._rows_ended else max(number // every - begun // every, 0)
        return self._rows.reserved + rows * self._rules.settings.elites

    # --- the elites' instances --------------------------------------------------------------

    def _see_to_rows(self) -> bool:
        """After every K decisions enter the row that is due and begin another; False to wait."""
        decisions = self.state.decisions
        if decisions == self._boundary or decisions % self._rules.settings.every:
            return True
        if self._rows.due(decisions) and not self._enter_row():
            return False
        self._boundary = decisions
        self._begin_row()
        self._launch()
        return True

    def _enter_row(self) -> bool:
        """Enter a row if it is complete: the elites have met one instance more."""
        ids = list(self.state.elites)
        if not self._rows.complete(ids):
            return False
        self.why = self._ledger.charge(self._rows.enter(), self.state.instances + 1)
        if self.why is not None:
            self.over = True
            return False
        costs = self._book.costs(ids, range(self.state.instances + 1))
        order = best_first(costs, self._rules.objective)
        ids, costs = self._retire([ids[int(i)] for i in order], costs[:, order])
        self.state = self._state_of(ids, costs, self.state.decisions, self.state.standings)
        return True

    def _retire(self, ids: list[int], costs: Floats) -> tuple[list[int], Floats]:
        """Without the elites that are hardly better than the best."""
        settings, objective = self._rules.settings, self._rules.objective
        gone = inferior(costs, objective, retire=settings.retire, prior=settings.prior)
        if gone:
            self._decided(retired(ids, block_scores(costs, objective), gone, settings.retire))
        stay = [column for column in range(len(ids)) if column not in gone]
        return [ids[column] for column in stay], costs[:, stay]

    def _begin_row(self) -> None:
        """Begin a row if there is an instance and the budget covers it."""
        step, elites = self.state.instances + len(self._rows), self.state.elites
        if self._rows_ended or step >= self._rules.limit or self._refused(len(elites)):
            self._rows_ended = True
            return
        self._rows.begin(step, elites, self.state.decisions)

    def _refused(self, runs: int) -> bool:
        """Whether so many do not fit beside what is reserved and prepaid."""
        taken = self._rows.reserved + self._window.prepaid
        return self._ledger.refusal(taken + runs) is not None

    def _close(self) -> bool:
        """End this part once the rows under way are entered."""
        if self._rows:
            return self._enter_row()
        self.over = True
        return True

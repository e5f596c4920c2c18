"""The main phase: challengers race the elites, with decisions in order; then the finish."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from racing.base.seeds import Purpose
from racing.search.block import Block
from racing.search.challenger import Challenger, Window
from racing.search.elites import best, displaced, ranked, without_inferior
from racing.search.phase import Phase, SearchContext
from racing.search.sampler import Seen, State
from racing.search.settings import FEW
from racing.search.trials import REPEATS, Batch


@dataclass(slots=True)
class _Row:
    """A new instance, the elites that run on it, and the decision after which it is entered.

    It is the first multiple of K that is no less than the window after it was begun, so that
    decisions need not wait for it. A challenger that becomes an elite meanwhile meets it too.
    """

    step: int
    ids: Sequence[int]
    batch: Batch
    due: int


class MainPhase(Phase):
    """Challengers race the elites, up to `window` at a time.

    Challenger c is drawn from the state after decision c − window and tested against that state.
    Decisions are applied in the order of their numbers, so the result depends on the outcomes and
    not on the order of their arrival.

    This phase ends when the budget does not cover another challenger (`challenger.Window`).

    Parameters
    ----------
    begun
        The decisions made before, a multiple of K: challengers are numbered from there.

    Attributes
    ----------
    state
        The search after the decisions so far.
    window
        The running challengers.
    """

    name = "running"
    state: State
    challenger = Challenger
    """The class of challengers, which has their test."""

    def __init__(
        self, context: SearchContext, elites: Sequence[int], instances: int, begun: int = 0
    ) -> None:
        super().__init__(context)
        self._first_instances = instances - begun // self._settings.every
        self._begun: deque[_Row] = deque()  # new instances that the elites are running
        self._reserved = 0  # evaluations of these
        self._rows_ended = instances >= self._context.limit
        self._rows_done = begun  # decisions after which a row was last entered and begun
        self._closing = False
        self.window = Window(context, begun, self.challenger)
        self._learns: bool = getattr(self._context.sampler, "learns", False)
        self._places = np.empty((0, self._trials.coding.dimension))  # of all that is decided on
        if self._learns:
            self._note_initial(instances)
        self._become(elites, self._block(elites, range(instances)), begun, {})
        self._launch()
        self._advance()

    def update(self, candidate: int = 0) -> None:
        """Test this candidate if it is a challenger, and apply all decisions that are possible."""
        self.window.update(candidate)
        self._advance()

    # --- decisions in order -----------------------------------------------------------------

    def _advance(self) -> None:
        """Apply decisions as long as their outcomes are complete."""
        while not self.over and (self._end() if self._closing else self._decide()):
            pass

    def _decide(self) -> bool:
        """Apply the next decision, or begin to close; False if outcomes are missing."""
        if not self._update_rows():
            return False
        spent = self.window.front is None and self._settings.check_seed
        if spent and self._context.release(self._met.stop):
            self._launch()
        front = self.window.front
        if front is None:
            self.why = None if self.window.exhausted else self._account.refusal(self._next_prepaid)
            self._closing = True
            return True
        if not self.window.turn(self._reserved):
            front.refuse(self.window.needed(self._reserved), self._account.room)
        if not front.resolved or not (front.verdict or front.has_met(self._met)):
            self.window.resume_held(self._rows_before)
            return False
        self._apply(front)
        return True

    def _end(self) -> bool:
        """End this phase when the current rows are entered."""
        if self._begun:
            return self._enter_row()
        self.over = True
        return True

    @property
    def _met(self) -> range:
        """The instances that all elites have met, and those that they are running."""
        return range(int(min(self.instances + len(self._begun), self._context.limit)))

    def _apply(self, challenger: Challenger) -> None:
        """Drop a challenger by its verdict, or let it join the elites."""
        verdict = challenger.verdict
        charged = challenger.seen if verdict else sorted({*self._met, *challenger.seen})
        self.why = self._account.charge(self._trials.outcomes([challenger.id], charged))
        if self.why is not None:
            self.over = True
            return
        self.window.pop()
        if self._learns:
            self._context.met[challenger.id] = tuple(charged)
        state, standings = self.state, dict(self.state.standings)
        for duel in challenger.tested:
            latest = (*standings.get(duel.n, ()), duel.behind)
            standings[duel.n] = latest[-self._settings.recent :]
        decisions = state.decisions + 1
        if verdict is None:
            ids = [*state.elites, challenger.id]
            self._become(*self._join(ids, self._block(ids, self.steps)), decisions, standings)
        else:
            self._decided(verdict)
            progress = self._account.progress
            self.state = replace(state, decisions=decisions, progress=progress, standings=standings)
        if decisions % self._settings.every:
            self._launch()

    def _join(self, ids: list[int], block: Block) -> tuple[list[int], Block]:
        """The best m of the elites and a challenger that passed, the best first."""
        if block.of_front:
            return self._without_inferior(ids, block)
        ids, block, verdict = best(ids, block, self._settings.elites)
        self._decided(verdict)
        return ids, block

    def _without_inferior(self, ids: list[int], block: Block) -> tuple[list[int], Block]:
        """The elites and their block, without those that are hardly the best."""
        least = self._settings.elites // 2
        ids, block, verdict = without_inferior(ids, block, self._settings, least=least)
        if verdict is not None:
            self._decided(verdict)
        return ids, block

    def _become(
        self,
        ids: Sequence[int],
        block: Block,
        decisions: int,
        standings: Mapping[int, tuple[float, ...]],
    ) -> None:
        """Let these be the elites, the best first, with their block."""
        self.elites, self.instances = tuple(ids), len(block)
        self.state = State(
            decisions=decisions,
            progress=self._account.progress,
            elites=self.elites,
            points=np.array([self._trials.points[id] for id in ids]),
            block=block,
            noise=block.noise(),
            standings=standings,
            ranked=not block.of_front,
        )

    # --- new challengers --------------------------------------------------------------------

    def _launch(self) -> None:
        """Draw challengers from the state, as many as the window and the budget allow.

        The budget for the next row of the elites is left.
        """
        if self._learns:
            self.state = replace(self.state, seen=self._seen())
        while self.window.launch(self.state, self._planned, self._taken_by_rows):
            pass

    def _note_initial(self, instances: int) -> None:
        """Note what all but the challengers have met; those of an earlier phase are noted."""
        for one in self._trials.entrants:
            if one.draw[:1] != (int(Purpose.CHALLENGER),):
                rows = [o.step for o in self._trials.outcomes_of(one.candidate.id)]
                first = tuple(row for row in rows if row < instances)
                self._context.met.setdefault(one.candidate.id, first)

    def _seen(self) -> Seen:
        """All that is decided on, with the instances that all elites have met.

        What a candidate met after it was dropped is left out: it would depend on the order of
        arrival.
        """
        trials, block = self._trials, self.state.costs
        usual = np.where(np.isfinite(block).all(axis=1), block.mean(axis=1), 0.0)
        met = self._context.met
        met |= dict.fromkeys(self.state.elites, tuple(range(len(block))))
        alike: dict[tuple[int, ...], list[int]] = {}  # the places of those that met the same rows
        for place, steps in enumerate(met.values()):
            alike.setdefault(steps, []).append(place)
        ids, costs = list(met), np.full(len(met), np.nan)
        for steps, places in alike.items():
            if rows := [row for row in steps if row < len(block)]:
                own = trials.costs([ids[place] for place in places], rows)
                costs[places] = (own - usual[rows, None]).mean(axis=0)
        coding, known = trials.coding, ~np.isnan(costs)
        fresh = [trials.points[id] for id in ids[len(self._places) :]]
        if fresh:
            self._places = np.concatenate([self._places, coding.places(np.array(fresh))])
        return Seen(
            self._places[known], costs[known],
            rows=lambda cube: coding.places(coding.rows(cube)), allowed=coding.allowed,
        )  # fmt: skip

    @property
    def _taken_by_rows(self) -> int:
        """Evaluations of the current rows, and of the next."""
        few = (self._account.budget.evaluations or FEW) < FEW
        none_left = self._settings.check_seed and self._met.stop >= self._context.limit
        last = self._rows_ended or none_left or few
        return self._reserved + (0 if last else self._settings.elites)

    @property
    def _planned(self) -> int:
        """The number of instances of the elites at the next challenger's decision."""
        if self._rows_ended:
            return self._met.stop
        rows = self.window.drawn // self._settings.every
        return int(min(self._first_instances + rows, self._context.limit))

    @property
    def _next_prepaid(self) -> int:
        """Evaluations that the next challenger and the rows need."""
        return self._taken_by_rows + self._context.prepaid(self.instances, self._planned)

    def _rows_before(self, number: int) -> int:
        """Evaluations that rows of the elites may take before a challenger's decision."""
        every, done = self._settings.every, self._rows_done
        rows = 0 if self._rows_ended else max(number // every - done // every, 0)
        return self._reserved + rows * self._settings.elites

    # --- new instances for the elites -------------------------------------------------------

    def _update_rows(self) -> bool:
        """After every K decisions enter the row that is due and begin another; False to wait."""
        decisions = self.state.decisions
        if decisions == self._rows_done or decisions % self._settings.every:
            return True
        if self._begun and self._begun[0].due <= decisions and not self._enter_row():
            return False
        self._rows_done = decisions
        self._begin_row()
        self._launch()
        return True

    def _begin_row(self) -> None:
        """Begin a row if an instance is left and the budget covers it."""
        step, elites, every = self._met.stop, self.elites, self._settings.every
        taken = self._reserved + self.window.prepaid + len(elites)
        refused = self._account.refusal(taken) is not None
        if self._rows_ended or step >= self._context.limit or refused:
            self._rows_ended = True
            self._context.release(step)
            return
        self._reserved += len(elites)
        due = self.state.decisions + -(-self._context.window // every) * every
        self._begun.append(_Row(step, elites, self._trials.want(elites, [step]), due))

    def _enter_row(self) -> bool:
        """Enter a row if it is complete: the elites have then met one more instance.

        A row that only repeats known costs is charged and left out. False while former or current
        elites have not met it, and if it breaks a limit.
        """
        ids, row, instances = list(self.elites), self._begun[0], self.instances
        entered = row.step < self._context.limit
        if row.batch.complete:
            row.batch = self._trials.want(ids if entered else [], [row.step])
        if not row.batch.complete:
            return False
        self._begun.popleft()
        self._reserved -= len(row.ids)
        outcomes = self._trials.outcomes(row.ids, [row.step])
        charged = self._account.charge(outcomes, instances + entered)
        if charged is not None:  # else what ended the window remains the reason
            self.why, self.over = charged, True
            return False
        if not entered:
            return True
        if self._repeats(ids, row.step):
            self._rows_ended = True
            ids, block = ranked(ids, self._block(ids, range(int(self._context.limit))))
        else:
            ids, block = self._without_inferior(ids, self._block(ids, range(instances + 1)))
        self._become(ids, block, self.state.decisions, self.state.standings)
        return True

    def _repeats(self, ids: list[int], row: int) -> bool:
        """Whether problems that come again have the same costs, as the first such rows tell."""
        if not self._settings.check_seed:
            return False
        rows = self._trials.second_pass(row)
        return 0 < len(rows) <= REPEATS and self._context.close(ids, rows)


# --- the finish ---------------------------------------------------------------------------------


class Finish(Phase):
    """The best elites meet new instances until the share of the budget is used up.

    The others are dropped if the budget covers a row of the finalists.
    """

    name = "finish"

    def __init__(self, context: SearchContext, elites: Sequence[int], instances: int) -> None:
        super().__init__(context, list(elites), instances)
        most, left = self._settings.finalists, instances < self._context.limit
        if len(elites) > most and self._account.room >= most and left:
            self._decided(displaced(elites, self._block(elites, self.steps), most))
            self.elites = self.elites[:most]
        self._next()
        self.update()  # elites may have run the instances as challengers

    def _next(self) -> None:
        """Queue as many instances for the finalists as the budget covers, or end."""
        room = self._account.room // len(self.elites)
        rows = int(min(room, self._context.limit - self.instances))
        self.over = rows < 1 or len(self.elites) == 1
        if not self.over:
            # All at once: at each ranking, every worker waits for the last run.
            self._new = range(self.instances, self.instances + rows)
            self._want(self._trials.missing(self.elites, self._new))
        elif room < 1:
            self.why = self._account.refusal(len(self.elites))
        elif rows < 1:
            self.why = self._context.end_of_instances

    def _close(self) -> None:
        """Rank the elites on all that they have seen; drop those that are probably not the best."""
        if self._charged(self._new.stop):
            self.instances = self._new.stop
            self.elites, _, verdict = without_inferior(
                self.elites, self._block(self.elites, self.steps), self._settings
            )
            if verdict is not None:
                self._decided(verdict)
            self._next()

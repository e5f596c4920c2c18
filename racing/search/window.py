"""The running challengers: draws, tests, holds and resumes them as the budget allows."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from itertools import islice

import numpy as np

from racing.base.seeds import Purpose, stream
from racing.search.challenger import Challenger, ChallengerState
from racing.search.phase import SearchContext
from racing.search.sampler import State


class Window:
    """Up to `constants.window` challengers, in the order of their numbers.

    A challenger is *prepaid* for its first instances (`Challenger.prepaid`): it is drawn only if
    these fit into the budget with those of all other running ones. To continue beyond them, the
    budget must cover all that it may need. This is checked when its decision is due, after the
    spending of those before it; it is resumed earlier if the budget suffices in any case.

    Parameters
    ----------
    drawn
        The number of the first challenger.
    challenger
        Its class, which has the test.

    Attributes
    ----------
    challengers
        The running ones, in the order of their numbers, which are consecutive.
    prepaid
        The evaluations that are reserved for them.
    exhausted
        Whether the space has no configuration left.
    """

    def __init__(
        self,
        context: SearchContext,
        drawn: int = 0,
        challenger: type[Challenger] = Challenger,
    ) -> None:
        self._trials, self._constants = context.trials, context.constants
        self._account, self._challenger = context.account, challenger
        self.challengers: deque[Challenger] = deque()
        self._by_id: dict[int, Challenger] = {}
        self._held: set[int] = set()  # their numbers
        self._first_id = max(context.trials.candidates) + 1 - drawn
        self.prepaid = 0
        self.drawn = drawn
        self.exhausted = False

    @property
    def front(self) -> Challenger | None:
        """The challenger with the next decision."""
        return self.challengers[0] if self.challengers else None

    # --- drawn ------------------------------------------------------------------------------

    def launch(self, state: State, planned: int, reserved: int) -> bool:
        """Draw a challenger from a state; False if the window, budget or space is exhausted.

        Parameters
        ----------
        planned
            The number of instances that the elites will have met at its decision.
        reserved
            Evaluations of the elites that are begun and not charged.
        """
        if self.exhausted or len(self.challengers) >= self._constants.window:
            return False
        prepaid = self._constants.prepaid(state.instances, planned)
        if self._refused(reserved + self.prepaid + prepaid):
            return False
        challenger = self._draw(state, planned, prepaid)
        if challenger is None:
            self.exhausted = True
            return False
        self.drawn += 1
        self.prepaid += prepaid
        self.challengers.append(challenger)
        self._by_id[challenger.id] = challenger
        self._trials.enter(challenger.draw, id=challenger.id, entered=state.decisions)
        challenger.start()
        return True

    def _draw(self, state: State, planned: int, prepaid: int) -> Challenger | None:
        """A new configuration, and the order in which it meets the instances."""
        trials, constants, number = self._trials, self._constants, self.drawn
        rng = stream(trials.seed, Purpose.CHALLENGER, number)
        if state.seen is not None:
            running = [one.draw.point for one in self.challengers]
            pending = np.array(running).reshape(len(running), trials.coding.dimension)
            state = replace(state, pending=trials.coding.places(pending))
        choices, address = trials.coding.choices, (int(Purpose.CHALLENGER), number)
        draw = trials.coding.fresh(lambda: constants.sampler.draw(state, choices, rng), address)
        if draw is None:
            return None
        steps = [*rng.permutation(state.instances).tolist(), *range(state.instances, planned)]
        id = self._first_id + number
        return self._challenger(number, id, draw, state, steps, prepaid, constants, trials)

    # --- running ----------------------------------------------------------------------------

    def update(self, candidate: int) -> None:
        """Test a challenger if its rung is complete."""
        challenger = self._by_id.get(candidate)
        if challenger is not None and challenger.testable:
            challenger.test()
            if challenger.at is ChallengerState.HELD:
                self._held.add(challenger.number)

    def resume_held(self, rows: Callable[[int], int]) -> None:
        """Resume those that the budget covers whatever those before them spend.

        If it does not cover one of them, it covers none after it, which need more.

        Parameters
        ----------
        rows
            Number of a challenger → evaluations that rows of the elites may take before its
            decision; increases with the number.
        """
        if not self._held:
            return
        constants, latest = self._constants, self.challengers[-1].state
        each = constants.prepaid(latest.instances, constants.settings.prepaid)
        after = (constants.window - 1) * each  # the state's instances never become fewer
        for number in sorted(self._held):
            if self._refused(self.most_until(number) + after + rows(number)):
                return
            self._held.remove(number)
            self.challengers[number - self.challengers[0].number].resume()

    def most_until(self, number: int) -> int:
        """The most evaluations that the challengers up to this one may still need."""
        so_many = number - self.challengers[0].number + 1
        return sum(one.most for one in islice(self.challengers, so_many))

    def _refused(self, runs: int) -> bool:
        """Whether so many evaluations do not fit into the rest of the budget."""
        return self._account.refusal(runs) is not None

    # --- decided ----------------------------------------------------------------------------

    def turn(self, reserved: int) -> bool:
        """Prepare the front's decision: resume it if held; False if the budget does not cover it.

        The budget is checked again if it was resumed before: predictions of time change, and the
        result must not depend on when it was resumed.

        Parameters
        ----------
        reserved
            Evaluations of the elites that are begun and not charged.
        """
        front = self.challengers[0]
        held = front.at is ChallengerState.HELD
        if not held and not front.extended:
            return True
        self._held.discard(front.number)
        if self._refused(reserved + self.prepaid - front.prepaid + len(front.steps)):
            return False
        if held:
            front.resume()
        return True

    def pop(self) -> Challenger:
        """Take out the front."""
        challenger = self.challengers.popleft()
        del self._by_id[challenger.id]
        self.prepaid -= challenger.prepaid
        return challenger

"""Challengers: their states, the test at the end of a rung, and the window of running ones.

1. Where costs are times, its total is compared with the elites' (`Settings.capping`).
2. It is dropped if its probability of being better than the best elite is `Settings.drop` or less;
   of a front, that of being dominated by none of them (`racing.search.elites`). A rule of
   `racing.rules` may replace this test: it gets the complete block of the elites and the challenger
   on the instances so far, and its verdict on the challenger counts. Suitable rules compare
   candidates: `sign`, `mean-ranks`, `wilcoxon`, `t-test`, `f-test`, `bayes` and `auto`. Rules that
   follow a schedule (`halving`, `rejects`) drop by the progress of a race, and are not suitable;
   rules for bounded costs need many instances.
3. It is dropped unless it is in the better half of the latest challengers at this rung.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import islice
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.base.seeds import Purpose, stream
from racing.core.verdict import Elimination, Reason, Verdict
from racing.rules.rule import Outlook, Rule
from racing.search.block import Block, probability_better
from racing.search.coding import Draw
from racing.search.elites import gaps_to, probability, trade_offs
from racing.search.phase import SearchContext, rungs
from racing.search.sampler import State
from racing.search.trials import Batch

Floats = NDArray[np.float64]


class ChallengerState(Enum):
    """The states of a challenger::

    CLIMBING ── test ──▶ CLIMBING    on to the next rung
    CLIMBING ── test ──▶ DROPPED     by the screening test
    CLIMBING ── test ──▶ HELD        the next rung exceeds what is prepaid
    CLIMBING ── test ──▶ PASSED      it was the last test
    HELD ─── resume ───▶ CLIMBING or PASSED
    any ───── refuse ──▶ DROPPED     the budget is too small for what it may need
    """

    CLIMBING = "climbing"
    """It runs on the instances of a rung, which ends with a test."""

    HELD = "held"
    """It has used up what is prepaid, and waits for room in the budget."""

    PASSED = "passed"
    """It has passed all tests, and runs on the instances that the elites met meanwhile."""

    DROPPED = "dropped"
    """It has a verdict."""


@dataclass(frozen=True, slots=True)
class Duel:
    """A challenger compared with the best elite, or on a front the nearest, after n instances.

    Attributes
    ----------
    n
        On how many instances.
    against
        Id of the elite.
    behind
        Mean difference to it on these (see `Lag.behind`), negative is better; on a front, the gap.
    probability
        That the challenger is better than the best elite; on a front, than each in some metric.
    """

    n: int
    against: int
    behind: float
    probability: float


class Challenger:
    """One challenger and its state.

    Parameters
    ----------
    number
        c: the decision on it is the c-th.
    id
        Of the candidate that it is.
    state
        The state from which it was drawn, used for its tests.
    steps
        The elites' T instances in its own order, then those that the elites will have met at its
        decision.
    prepaid
        The number of instances that are reserved for it.
    limit
        The most instances to learn from, known before the first challenger.

    Attributes
    ----------
    at
        Its state.
    tested
        Its results at each test.
    verdict
        The verdict that dropped it.
    """

    def __init__(
        self,
        number: int,
        id: int,
        draw: Draw,
        state: State,
        steps: Sequence[int],
        prepaid: int,
        context: SearchContext,
        limit: float,
    ) -> None:
        self.number, self.id, self.draw, self.state = number, id, draw, state
        self.steps, self.prepaid = list(steps), prepaid
        self.at = ChallengerState.CLIMBING
        self.tested: list[Duel] = []
        self.verdict: Verdict | None = None
        self._context, self._settings, self._trials = context, context.settings, context.trials
        self._limit, self._ends = limit, rungs(state.instances, context.growth)
        self._rung = -1
        self._batch = Batch()

    # --- transitions ------------------------------------------------------------------------

    def start(self) -> None:
        """Run on the first rung."""
        self._check(self._rung < 0)
        self._climb(np.empty(0))

    def test(self) -> None:
        """Test it at the end of its rung: it is dropped, held, passes, or runs on the next rung."""
        self._check(self.testable)
        costs = self._costs()
        self.tested.append(self._duel())
        gone = self._screened(costs)
        if gone is not None:
            self._drop(gone)
        elif not self.extended and self._next_end > self.prepaid:
            self.at = ChallengerState.HELD
        else:
            self._climb(costs)

    def resume(self) -> None:
        """Run on the next rung: the budget has room for all that it may need."""
        self._check(self.at is ChallengerState.HELD)
        self._climb(self._costs())

    def refuse(self, needed: int, room: int) -> None:
        """Drop it at its last prepaid test: the budget has no more room.

        Parameters
        ----------
        needed, room
            How many evaluations would have to fit, and how many do: see `Window.needed`.
        """
        self._check(bool(self.tested))
        self.tested = [standing for standing in self.tested if standing.n <= self.prepaid]
        self._rung = len(self.tested) - 1
        last = {"statistic": self.tested[-1].behind, "reason": Reason.SCHEDULE}
        self._drop(self._out("evaluations needed", needed, room, **last))

    def _check(self, possible: bool) -> None:
        """Refuse a transition that is impossible in this state."""
        if not possible:
            raise RuntimeError(f"challenger {self.number} is {self.at.value} on rung {self._rung}")

    def _climb(self, costs: Floats) -> None:
        """Queue the experiments of the next rung, after these costs."""
        self._rung += 1
        beyond = self._rung == len(self._ends)
        self.at = ChallengerState.PASSED if beyond else ChallengerState.CLIMBING
        start = self._ends[self._rung - 1] if self._rung else 0
        self._batch = self._trials.want_pairs(
            [(self.id, step) for step in self.seen[start:]],
            priority=2 * self.number + 1,
            bound=self._bound(costs),
        )

    def _drop(self, gone: Elimination) -> None:
        """Note the verdict at its latest test."""
        self.at = ChallengerState.DROPPED
        self.verdict = Verdict(
            instances=self.tested[-1].n, leader=self.state.elites[0], eliminated=(gone,),
            about=(self.id,), steps=tuple(self.seen),
        )  # fmt: skip

    # --- queries ----------------------------------------------------------------------------

    @property
    def testable(self) -> bool:
        """Whether it is at the end of a rung, with all outcomes."""
        return self.at is ChallengerState.CLIMBING and self._batch.complete

    @property
    def resolved(self) -> bool:
        """Whether no further outcome is needed for its decision."""
        passed = self.at is ChallengerState.PASSED and self._batch.complete
        return passed or self.at is ChallengerState.DROPPED

    @property
    def seen(self) -> list[int]:
        """The steps up to the end of the current rung."""
        return self.steps if self._rung == len(self._ends) else self.steps[: self._ends[self._rung]]

    @property
    def extended(self) -> bool:
        """Whether it is beyond its prepaid evaluations."""
        return len(self.seen) > self.prepaid

    @property
    def most(self) -> int:
        """The most evaluations that it may need in all, as far as known."""
        return len(self.steps if self.verdict is None else self.verdict.steps or ())

    def has_met(self, steps: Sequence[int]) -> bool:
        """Whether it has met all of these instances; queues the missing ones."""
        self._batch = self._trials.want([self.id], steps)
        return self._batch.complete

    @property
    def _next_end(self) -> int:
        """Where the next rung ends."""
        after = self._rung + 1
        return self._ends[after] if after < len(self._ends) else len(self.steps)

    def _costs(self) -> Floats:
        """(n,) its costs on the steps seen."""
        return self._trials.costs([self.id], self.seen)[:, 0]

    # --- judging ----------------------------------------------------------------------------

    def _duel(self) -> Duel:
        """It and the best elite on the instances seen; on a front, the one that dominates it."""
        state, n, prior = self.state, len(self.seen), self._settings.prior
        own = self._trials.block([self.id], self.seen, self._context.objective)
        if not state.ranked:
            beside = trade_offs(state.block.at(self.seen).beside(own))
            gaps = gaps_to(beside, trade_offs(state.block).noise, prior)
            gap = float(gaps.max())
            return Duel(n, state.elites[int(gaps.argmax())], gap, probability(gap))
        lag = state.block.lag(own, self.seen, state.noise)
        better = probability_better(lag.d, lag.noise, prior)
        return Duel(n, state.elites[0], lag.behind, better)

    def _screened(self, costs: Floats) -> Elimination | None:
        """Its elimination at the end of its rung; None if it stays.

        If no instances are left beyond the elites', it is not tested after it has met all of them:
        its decision compares means.

        Parameters
        ----------
        costs : (n,)
            Its own.
        """
        whole, rule = len(costs) == self.state.instances, self._context.rule
        gone = self._by_total(costs)
        if gone is None and not (whole and self.state.instances >= self._limit):
            gone = self._by_probability() if rule is None else self._by_rule(rule, costs)
        return self._by_place() if gone is None and not whole else gone

    def _out(self, measure: str, value: float, threshold: float, **more: Any) -> Elimination:
        """Its elimination, against the best elite unless said otherwise."""
        given = {"candidate": self.id, "against": self.state.elites[0], **more}
        return Elimination(measure=measure, value=value, threshold=threshold, **given)

    def _by_total(self, costs: Floats) -> Elimination | None:
        """Drop it if its costs, or a bound of them, exceed the allowance; or a run was stopped."""
        if self._settings.capping is None:
            return None
        most, total = self._allowance(self._settings.capping), float(costs.sum())
        if not self._trials.censored(self.id, self.seen) and (total < most or most == 0):
            return None
        return self._out("total cost", total, most)

    def _by_probability(self) -> Elimination | None:
        """Drop it if it is probably not better than the best elite, or is dominated."""
        duel, drop = self.tested[-1], self._settings.drop
        if duel.probability > drop:
            return None
        if self.state.ranked:
            return self._out("probability better", duel.probability, drop, statistic=duel.behind)
        more = {"reason": Reason.DOMINATED, "against": duel.against}
        return self._out("probability undominated", duel.probability, drop, **more)

    def _by_rule(self, rule: Rule, costs: Floats) -> Elimination | None:
        """Drop it if the rule drops it from the complete block."""
        objective, state = self._context.objective, self.state
        own = Block(costs[:, None], objective)
        results = state.block.at(self.seen).beside(own).results((*state.elites, self.id))
        outlook = Outlook(objective=objective, instances=self._limit - len(costs))
        rng = stream(self._trials.seed, Purpose.VERDICT, self.number, len(costs))
        verdict = rule(results, outlook, rng)
        return next((one for one in verdict.eliminated if one.candidate == self.id), None)

    def _by_place(self) -> Elimination | None:
        """Drop it if it is in the worse half of the challengers tested at this rung."""
        duel, recent = self.tested[-1], self.state.standings.get(self.tested[-1].n, ())
        middle = median(recent) if len(recent) >= self._settings.least else math.inf
        if duel.behind <= middle:
            return None
        measure = "mean difference" if self.state.block.goal is None else "lag"
        return self._out(
            measure if self.state.ranked else "gap", duel.behind, middle, reason=Reason.SCHEDULE,
            against=duel.against, statistic=duel.behind if self.state.ranked else None,
        )  # fmt: skip

    def _allowance(self, capping: float) -> float:
        """The largest sum of its costs on the instances seen: κ · Σ the elites' mean cost there."""
        return float(capping * self.state.costs[self.seen].mean(axis=1).sum())

    def _bound(self, costs: Floats) -> float | None:
        """The bound of a run of the current rung, after these costs; None without one.

        There is no bound without capping, and where the elites' costs are all 0 or one is infinite.
        """
        capping = self._settings.capping
        if capping is None or self.at is ChallengerState.PASSED:
            return None
        left = self._allowance(capping) - float(costs.sum())
        return left if 0 < left < math.inf else None


# --- the running ones ---------------------------------------------------------------------------


class Window:
    """Up to `context.window` challengers, in the order of their numbers.

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
        self, context: SearchContext, drawn: int = 0, challenger: type[Challenger] = Challenger
    ) -> None:
        self._context, self._limit, self._challenger = context, context.limit, challenger
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
        if self.exhausted or len(self.challengers) >= self._context.window:
            return False
        prepaid = self._context.prepaid(state.instances, planned)
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
        self._context.trials.enter(challenger.draw, id=challenger.id, entered=state.decisions)
        challenger.start()
        return True

    def _draw(self, state: State, planned: int, prepaid: int) -> Challenger | None:
        """A new configuration, and the order in which it meets the instances."""
        context, trials, number = self._context, self._context.trials, self.drawn
        rng = stream(trials.seed, Purpose.CHALLENGER, number)
        if state.seen is not None:
            running = [one.draw.point for one in self.challengers]
            pending = np.array(running).reshape(len(running), trials.coding.dimension)
            state = replace(state, pending=trials.coding.places(pending))
        choices, address = trials.coding.choices, (int(Purpose.CHALLENGER), number)
        draw = trials.coding.fresh(lambda: context.sampler.draw(state, choices, rng), address)
        if draw is None:
            return None
        steps = [*rng.permutation(state.instances).tolist(), *range(state.instances, planned)]
        id = self._first_id + number
        return self._challenger(number, id, draw, state, steps, prepaid, context, self._limit)

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
        context, latest = self._context, self.challengers[-1].state
        each = context.prepaid(latest.instances, context.settings.prepaid)
        after = (context.window - 1) * each  # the state's instances never become fewer
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
        return self._context.account.refusal(runs) is not None

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
        if self._refused(self.needed(reserved)):
            return False
        if held:
            front.resume()
        return True

    def needed(self, reserved: int) -> int:
        """All that the front may need, beside what is reserved or prepaid for others."""
        front = self.challengers[0]
        return reserved + self.prepaid - front.prepaid + len(front.steps)

    def pop(self) -> Challenger:
        """Take out the front."""
        challenger = self.challengers.popleft()
        del self._by_id[challenger.id]
        self.prepaid -= challenger.prepaid
        return challenger

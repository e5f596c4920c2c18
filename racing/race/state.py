"""The state of a race, and all changes to it."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import replace

from racing.base.seeds import Purpose, stream
from racing.core.budget import PAID, Spent
from racing.core.candidate import Candidate
from racing.core.decider import Entrant
from racing.core.experiment import Outcome
from racing.core.results import Results
from racing.core.stop import Stop
from racing.core.verdict import Verdict
from racing.race import limits
from racing.race.judging import apply_verdict
from racing.race.row import Challengers, ExactSum, OpenRow, Row
from racing.race.setup import FARTHEST, Setup
from racing.race.speculation import WINDOW, expected, shrinkage
from racing.race.table import CostTable
from racing.rules.equals import judged, next_drop
from racing.rules.rule import Outlook

Key = tuple[int, int]


class RaceState:
    """The state of a race: a function of its setup, its candidates and the outcomes.

    It is independent of what was handed out. Only outcomes and new candidates change it::

        take(outcome)    the outcome waits in `early` until its row is open, or goes into the row
                         ↓ the row breaks a limit of time or of money: stopped
        _close           a full row goes into the table; every run failed: stopped
        _test, _judge    if a test is due, the rule drops candidates
        _admit           waiting candidates enter
        _open_next       the next row opens; it may not be begun: stopped
        stop(reason)     stopped, from outside
        enter(entrant)   the candidate waits; if the open row has not begun, or the race was stopped
        because few were left, it is admitted and a row opens again
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.entrants: list[Entrant] = []  # all, in the order of entry
        self.candidates: dict[int, Candidate] = {}  # the same by id
        self.alive: list[int] = []  # the ids of those in the race, in the order of admission
        self.table = CostTable(
            setup.group_at, setup.goal, setup.failures
        )  # the costs on closed rows
        self.rows = 0  # closed rows, those of challengers included
        self.recent: deque[tuple[int, int]] = deque(maxlen=WINDOW)  # survivors before, after a row
        self.closed = 0  # instances that all survivors but the challengers have seen
        self.spent = Spent()  # on closed rows
        self.verdicts: list[Verdict] = []
        self.outcomes = 0  # told
        self.stopped: Stop | None = None
        self.challengers = Challengers(setup.schedule)
        self._waiting: list[Entrant] = []  # not admitted yet
        self._row: OpenRow | None = None
        self._early: dict[Key, Outcome] = {}  # outcomes of no closed row and not of the open one
        self._any_success = False
        self._drop: float | None = None  # of the rule's `next_drop`; None until it is asked
        self._prices = limits.Prices()
        self._paid = {unit: ExactSum() for unit in PAID}  # by all outcomes
        self._lost = dict.fromkeys(PAID, 0.0)  # by evaluations that were killed
        self._abandoned = dict.fromkeys(PAID, 0.0)  # by those that were dropped, as expected
        self.limits = setup.limits(self._lost)
        self._prices_told = limits.Prices()

    # --- the loop ---------------------------------------------------------------------------

    def take(self, outcome: Outcome) -> None:
        """Take a new outcome, and continue as far as the outcomes allow."""
        self.outcomes += 1
        self._prices_told.add([outcome])
        for unit, amount in outcome.spent.items():
            if unit in self._paid:
                self._paid[unit].add(amount)
        row = self._row
        if self.stopped or row is None or not row.take(outcome):
            self._early[outcome.key] = outcome
        elif row.full or row.limited:
            self._move_on()

    def _move_on(self) -> None:
        """Close rows as long as they are full."""
        while self.stopped is None and self._row is not None:
            self.stopped = self._row.overspent
            if self.stopped or not self._row.full:
                return
            self._close(self._row)
            self._open_next()

    def _close(self, row: OpenRow) -> None:
        """Enter a full row into the table, and test if a test is due."""
        outcomes, late = row.outcomes, self.challengers.catching_up
        costs = [outcome.cost for outcome in outcomes]
        metrics = [outcome.metrics for outcome in outcomes]
        self.table.put(
            row.row.step, row.row.candidates, costs, metrics=metrics, late=late,
            failed=[outcome.failed for outcome in outcomes],
        )  # fmt: skip
        self.spent = limits.add(self.spent, outcomes, row.row.step)
        self._prices.add(outcomes)
        before = len(self.alive)
        self._any_success |= any(outcome.succeeded for outcome in outcomes)
        self.rows += 1
        if late:
            self.challengers.close_row()
        else:
            self.closed += 1
        tested = self.closed >= self.setup.patience
        if not self._any_success and (tested or not self.setup.one_test):
            self.stopped = limits.hopeless(outcomes, tested=tested)
        if self.stopped is None:
            self._test()
        self.recent.append((before, len(self.alive)))

    def _test(self) -> None:
        """Apply the rule, if a test is due."""
        schedule, challengers = self.setup.schedule, self.challengers
        if challengers.catching_up:
            if challengers.test_due:
                self._judge(challengers.steps_seen, about=challengers.ids)
            return
        caught_up = challengers.arrive() and self.closed >= schedule.first_test
        if caught_up or schedule.due(self.closed):
            self._judge()

    def _judge(self, steps: list[int] | None = None, *, about: tuple[int, ...] = ()) -> None:
        """Apply the rule to all survivors, or to some on some instances, and drop the losers."""
        setup = self.setup
        if len(self.alive) <= max(setup.min_survivors, 1):
            return
        results = self.table.results(self.alive, steps)
        rng = stream(setup.seed, Purpose.VERDICT, len(self.verdicts))
        protected: Set[int] = set(self.alive) - set(about) if about else set()
        outlook = self._outlook(self.closed if steps is None else len(steps))
        verdict = apply_verdict(
            judged(setup.rule, results, outlook, rng), results, objective=setup.objective,
            protected=protected, at_least=setup.min_survivors, about=about or None,
            steps=None if steps is None else tuple(steps),
        )  # fmt: skip
        self.verdicts.append(verdict)
        gone = {e.candidate for e in verdict.eliminated}
        self.alive = [id for id in self.alive if id not in gone]
        self.challengers.drop(gone)

    def _open_next(self) -> None:
        """Admit waiting candidates, and open the next row, or stop."""
        self._drop = None
        if self.stopped in (None, Stop.SURVIVORS):
            self._admit()
            self.stopped = self.refusal(0)
        row = None if self.stopped else self.planned(0)
        self._row = None if row is None else OpenRow(row, self.limits, self.spent)
        if self._row is not None and row is not None:
            for id in row.candidates:
                if early := self._early.pop((id, row.step), None):
                    self._row.take(early)

    def _admit(self) -> None:
        """Admit candidates that are due, unless others are catching up."""
        ready = [entrant for entrant in self._waiting if entrant.entered <= self.rows]
        if not ready or self.challengers.under_way:
            return
        self._waiting = [entrant for entrant in self._waiting if entrant.entered > self.rows]
        first, ids = self.table.width, [entrant.candidate.id for entrant in ready]
        for id in ids:
            self.table.add_column(id)
        self.alive += ids
        if self.closed:
            rng = stream(self.setup.seed, Purpose.CATCH_UP, first)
            self.challengers.start(ids, rng.permutation(self.closed).tolist())

    # --- changes from outside ---------------------------------------------------------------

    def enter(self, *entrants: Entrant) -> None:
        """Let candidates wait for their row, and admit those that are due.

        Raises
        ------
        RaceError
            If the race is over and cannot continue with them.
        """
        self.entrants += entrants
        self.candidates |= {entrant.candidate.id: entrant.candidate for entrant in entrants}
        self._waiting += entrants
        begun = self._row is not None and not self._row.untouched
        if not begun and any(entrant.entered <= self.rows for entrant in entrants):
            self._open_next()

    def stop(self, reason: Stop) -> None:
        """Stop, unless it has stopped already."""
        self.stopped = self.stopped or reason

    def abandon(self, candidates: Iterable[int]) -> None:
        """Note evaluations without an outcome that may have been paid for."""
        candidates = list(candidates)
        for unit in self._abandoned:
            self._abandoned[unit] += self._prices_told.expected(candidates, unit)

    def charge(self, spent: Mapping[str, float]) -> None:
        """Note payments without an outcome: what was kept to go ahead covers them first."""
        for unit in self._lost:
            self._lost[unit] += spent.get(unit, 0.0)
        self.limits = self.setup.limits(self._lost)

    def extend(self, setup: Setup) -> None:
        """Continue with the limits of another setup; the open row starts again."""
        self.setup, self.stopped, self.limits = setup, None, setup.limits(self._lost)
        self.table.group_at = setup.group_at
        if self._row is not None:
            self._early |= {outcome.key: outcome for outcome in self._row.outcomes}
            self._row = None
        self._open_next()
        self._move_on()

    # --- queries ----------------------------------------------------------------------------

    def _outlook(self, seen: int) -> Outlook:
        """The outlook for a test on this many instances."""
        by_time = self._prices.evaluations_left(self.alive, self.limits, self.spent)
        outlook = self.setup.outlook(self.closed, self.spent, by_time=by_time)
        return replace(outlook, since=self.setup.schedule.since(seen))

    @property
    def steps_begun(self) -> int:
        """The number of steps up to the last one with an outcome, of a row that is ahead too."""
        open_ = () if self._row is None else self._row.outcomes
        steps = (*(step for _, step in self._early), *(one.step for one in open_))
        return max(self.rows, 1 + max(steps, default=-1))

    @property
    def expected_evaluations(self) -> float:
        """The expected number of further evaluations."""
        if self.stopped:
            return 0.0
        field, setup = len(self.alive), self.setup
        rows = expected(
            setup.last_step - self.closed,
            field=field,
            rate=shrinkage(self.recent, field),
            enough=setup.min_survivors,
        )
        told = self.outcomes - self.spent.evaluations - self.wasted
        most = setup.budget.left(self.spent).evaluations
        return max(min(rows, most) - told, 0.0)

    @property
    def certain_steps(self) -> Collection[int]:
        """The steps of the rows up to the next test, which are needed in any case."""
        certain = self.certain_rows
        if not self.challengers.catching_up:
            return range(self.closed, self.closed + certain)
        rows = (self.planned(index) for index in range(certain))
        return {row.step for row in rows if row is not None}

    @property
    def early_steps(self) -> list[int]:
        """The steps of early outcomes that may still count, one for each."""
        alive = set(self.alive)
        return [step for id, step in self._early if id in alive]

    @property
    def uncounted(self) -> list[Outcome]:
        """The outcomes that are on no closed row, and not certain to be on one."""
        early = list(self._early.values())
        if self.stopped:
            return early + ([] if self._row is None else self._row.outcomes)
        certain, alive = self.certain_steps, set(self.alive)
        return [one for one in early if one.step not in certain or one.candidate not in alive]

    @property
    def wasted(self) -> int:
        """The number of outcomes that can no longer count: at the end, all outside closed rows."""
        if self.stopped:
            return self.outcomes - self.spent.evaluations
        return len(self._early) - len(self.early_steps)

    def expects(self, outcome: Outcome) -> bool:
        """Whether the open row lacks this outcome."""
        row = self._row
        return row is not None and row.lacks(outcome.candidate, outcome.step)

    def knows(self, key: Key) -> bool:
        """Whether the outcome of (candidate, step) was told."""
        if self._row is not None and self._row.has(*key):
            return True
        return key in self._early or self.table.has(*key)

    @property
    def untouched(self) -> bool:
        """Whether no outcome of the open row was told."""
        return self._row is None or self._row.untouched

    @property
    def settled(self) -> list[int]:
        """The ids of the survivors that have caught up: they have seen the same instances."""
        late = self.challengers.ids if self.challengers.catching_up else ()
        return [id for id in self.alive if id not in late]

    @property
    def standing(self) -> Results:
        """The costs, with the settled survivors."""
        return self.table.results(self.settled)

    @property
    def comparable(self) -> bool:
        """Whether any run succeeded, so that there is a best candidate."""
        return self._any_success

    def planned(self, index: int) -> Row | None:
        """The row that comes `index` after the closed ones, if none is dropped before it."""
        if self.challengers.catching_up:
            return self.challengers.row(index)
        return Row(self.closed + index, tuple(self.alive))

    def refusal(self, index: int) -> Stop | None:
        """The limit that prevents that row; None if it can start."""
        setup, row = self.setup, self.planned(index)
        if len(self.alive) <= setup.min_survivors:
            return Stop.SURVIVORS
        if row is None or row.step >= setup.last_step:
            budgeted = setup.last_step == setup.budget.instances
            return Stop.INSTANCE_BUDGET if budgeted else Stop.INSTANCES
        runs = row.candidates * (index + 1)
        return limits.refusal(len(runs), self.spent, self.limits) or self._prices.refusal(
            runs, self.spent, self.limits
        )

    def reserved(self, index: int) -> bool:
        """Whether the budget of money allows that row ahead of the open one.

        All payments so far for what is needed, and those expected for all that comes before, must
        fit. This changes when a row is evaluated, never whether it counts.
        """
        if not self.limits.paid or index == 0:
            return True
        if self.outcomes == 0:
            return False
        rows = [row for i in range(index + 1) if (row := self.planned(i)) is not None]
        due = [id for row in rows for id in row.candidates if not self.knows((id, row.step))]
        usd, tokens = (self._paid[unit].value - self._paid_ahead(unit) for unit in PAID)
        needed = Spent(usd=usd, tokens=tokens)
        return self._prices_told.refusal(due, needed, self.limits) is None

    def may_go_ahead(self, candidates: Sequence[int], share: float = 1.0) -> bool:
        """Whether this share of the money kept for it covers evaluations that need not be needed.

        What such evaluations were charged so far counts too, and what was lost.
        """
        for unit in self.setup.budget.paid:
            kept = self.setup.ahead * getattr(self.setup.budget, unit)
            used = self._paid_ahead(unit) + self._lost[unit] + self._abandoned[unit]
            coming = self._prices_told.expected(candidates, unit)
            if self.outcomes == 0 or used + coming > share * kept:
                return False
        return True

    def _paid_ahead(self, unit: str) -> float:
        """The payments for outcomes that need not be needed."""
        return math.fsum(one.spent.get(unit, 0.0) for one in self.uncounted)

    @property
    def certain_rows(self) -> int:
        """The number of further rows that are needed in any case.

        Those up to the next test that may drop a candidate; of an endless number, `FARTHEST`.
        """
        if self.challengers.catching_up:
            return self.challengers.rows_until_test
        if self._drop is None:
            outlook = self._outlook(self.closed)
            self._drop = next_drop(self.setup.rule, self.table.results(self.alive), outlook)
        drop = int(min(self._drop, self.closed + FARTHEST))
        return self.setup.schedule.rows_until_test(self.closed, drop)

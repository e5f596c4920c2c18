"""One race: candidates are evaluated instance by instance, and a rule drops the inferior."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace

from racing.budget import Budget, Spent
from racing.candidate import Candidate
from racing.errors import RaceError
from racing.experiment import Experiment, Instance, Outcome
from racing.instances import Instances
from racing.objective import Objective
from racing.race import limits
from racing.race.agenda import Row, Schedule
from racing.race.arguments import check_counts, check_end, check_rule, numbered, stream_of
from racing.race.handout import Handout
from racing.race.judging import spare
from racing.race.latecomers import LateComers
from racing.race.pace import Pace
from racing.race.stop import Stop
from racing.race.table import Table
from racing.results import Results
from racing.rules.auto import Auto
from racing.rules.equals import judged
from racing.rules.rule import FIRST_LOOK, Outlook, Rule, check_outlook, first_look
from racing.rules.verdict import Verdict
from racing.seeds import Purpose, stream
from racing.space.parameter import Value
from racing.standing import Standing, ranking


class Race:
    """A race, driven by ask and tell; it does no I/O, has no clock and starts no work.

        race = Race(candidates, instances, budget=Budget(evaluations=500))
        while not race.done:
            for experiment in race.ask():
                race.tell(experiment.outcome(cost_of(experiment)))
        race.winner

    Verdicts and winner are a function of the arguments and of the outcomes told, not of their
    order: an outcome that comes early waits for its row, and one that comes late for a candidate
    already dropped is kept but decides nothing.

    Parameters
    ----------
    candidates
        Candidates, or mappings of values that become candidates 1, 2, 3, …
    instances
        `Instances`, or a sequence of problems to be met in shuffled order.
    rule
        Decides who leaves; see `racing.rules`. Default: `Auto()`.
    budget
        What may be spent. A row that the rest of it is not expected to cover is not begun.
    seed
        Keys every random draw: order and seeds of the instances, and the draws of the rule.
    first_test, each_test
        The rule is asked after `first_test` instances and then after every `each_test`. Without
        `first_test`, the rule says when it is to be asked first (`racing.rules.rule.first_look`).
    min_survivors
        The race ends when no more than these are left.
    objective
        What "best" means: `rank`, the best mean rank, or `mean`, the lowest mean cost.
    """

    def __init__(
        self,
        candidates: Iterable[Candidate | Mapping[str, Value]],
        instances: Instances | Sequence[object],
        *,
        rule: Rule | None = None,
        budget: Budget | None = None,
        seed: int = 1,
        first_test: int | None = None,
        each_test: int = 1,
        min_survivors: int = 1,
        objective: Objective = "rank",
    ) -> None:
        self.rule = rule or Auto()
        self.budget = budget or Budget()
        self.seed = seed
        self.objective: Objective = objective
        self.min_survivors = min_survivors
        self.instances = stream_of(instances)
        self.verdicts: list[Verdict] = []
        self.spent = Spent()
        self.stopped: Stop | None = None
        self._pace = Pace()
        self._table = Table()
        self._candidates: dict[int, Candidate] = {}
        self._alive: list[int] = []  # ids, in order of entry
        self._closed = 0  # instances that every survivor but the late-comers has seen
        self._told: dict[tuple[int, int], Outcome] = {}
        self._any_success = False
        self._due: Row | None = None
        self._missing: set[int] = set()
        self._handout = Handout()
        check_counts(
            first_test=1 if first_test is None else first_test,
            each_test=each_test,
            min_survivors=min_survivors,
        )
        check_rule(self.rule)
        check_end(self.budget, self.instances)
        for candidate in numbered(candidates):
            self._enter(candidate)
        outlook = replace(self._outlook(), candidates=len(self._alive), first_test=first_test or 0)
        check_outlook(self.rule, outlook)
        self._schedule = Schedule(first_test or first_look(self.rule, outlook), each_test)
        self._patience = first_test or FIRST_LOOK
        self._late = LateComers(self._schedule)
        self._open_row()

    # --- the conversation -------------------------------------------------------------------

    def ask(self, limit: int | None = None, *, ahead: int = 0) -> list[Experiment]:
        """Experiments to be run next, each handed out once.

        Parameters
        ----------
        limit
            At most this many; None for all that are certain to be needed.
        ahead
            Rows beyond the next test that may be handed out too, the best candidates first. They
            keep workers busy, at the price of evaluations that are wasted on candidates which that
            test drops.
        """
        return self._handout.take(limit, lambda: self._next_experiments(ahead), self._told)

    def tell(self, outcome: Outcome) -> None:
        """Hear of an outcome, whether it was asked for here or in an earlier sitting.

        Raises
        ------
        RaceError
            If the candidate is not in the race, or the outcome was told before.
        """
        if outcome.candidate not in self._candidates:
            raise RaceError(f"candidate {outcome.candidate} is not in this race")
        if outcome.key in self._told:
            raise RaceError(
                f"the outcome of candidate {outcome.candidate} on instance {outcome.step} "
                "was told before"
            )
        self._told[outcome.key] = outcome
        self._handout.came_back(outcome.key)
        if self._due and outcome.step == self._due.step:
            self._missing.discard(outcome.candidate)
        self._advance()

    def join(self, candidate: Candidate | Mapping[str, Value]) -> Candidate:
        """Let a candidate enter, now or at the end of the row that is under way.

        It first meets the instances already seen, in an order of its own, and may be dropped there;
        the others move on once it has caught up, and cannot be dropped before.
        """
        if not isinstance(candidate, Candidate):
            candidate = Candidate(max(self._candidates) + 1, dict(candidate))
        if candidate.id in self._candidates:
            raise RaceError(f"there is a candidate {candidate.id} in this race already")
        self._candidates[candidate.id] = candidate
        self._late.wait(candidate)
        if not self._row_begun:
            self.stopped = None if self.stopped is Stop.SURVIVORS else self.stopped
            self._open_row()
        return candidate

    def end(self, reason: Stop) -> None:
        """Stop the race from outside: time is up, or the target must not fail."""
        self.stopped = self.stopped or reason

    # --- what it has come to ----------------------------------------------------------------

    @property
    def done(self) -> bool:
        """Whether the race is over; `stopped` says why."""
        return self.stopped is not None

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """Everybody who entered, in that order."""
        return tuple(self._candidates.values())

    @property
    def survivors(self) -> tuple[Candidate, ...]:
        """Who is still in, in order of entry."""
        return tuple(self._candidates[id] for id in self._alive)

    @property
    def results(self) -> Results:
        """The costs on all complete instances."""
        return self._table.results(self._alive)

    @property
    def outcomes(self) -> int:
        """How many outcomes it has heard, also of rows that are not complete."""
        return len(self._told)

    @property
    def instances_seen(self) -> int:
        """How many instances are complete."""
        return self._closed

    def ranking(self) -> tuple[Standing, ...]:
        """The survivors, best first; empty while there is no instance that all have seen."""
        return ranking(self.results, self._candidates, self.objective)

    @property
    def winner(self) -> Candidate | None:
        """The best survivor so far; None while nothing tells the survivors apart."""
        if len(self._alive) == 1:
            return self._candidates[self._alive[0]]
        ranking = self.ranking()
        return ranking[0].candidate if ranking and self._any_success else None

    def instance(self, step: int) -> Instance:
        """The instance at a step."""
        return self.instances.at(step, self.seed)

    # --- rows -------------------------------------------------------------------------------

    def _advance(self) -> None:
        """Close rows while they are full."""
        while self.stopped is None and self._due is not None:
            self.stopped = limits.overspent(self._outcomes(self._due), self.spent, self.budget)
            if self._missing or self.done:
                return
            self._close(self._due)
            self._open_row()

    def _open_row(self) -> None:
        """Admit who waits, and make the next row due, or stop."""
        self._admit()
        self._handout.restart()
        self._due = self._row(0) if self.stopped is None else None
        if self._due is not None:
            step = self._due.step
            self._missing = {id for id in self._due.candidates if (id, step) not in self._told}

    def _close(self, row: Row) -> None:
        """Enter a full row into the table, and ask the rule if a test is due."""
        outcomes = list(self._outcomes(row))
        costs, late = [outcome.cost for outcome in outcomes], self._late.catching_up
        self._table.put(row.step, row.candidates, costs, late=late)
        self.spent = limits.add(self.spent, outcomes, row.step)
        self._pace.add(outcomes)
        self._any_success |= any(map(math.isfinite, costs))
        if late:
            self._late.close_row()
        else:
            self._closed += 1
        if not self._any_success:
            tested = self._closed >= self._patience
            self.stopped = limits.hopeless(outcomes, tested=tested)
        if not self.done:
            self._test()

    def _row(self, index: int) -> Row | None:
        """The row that comes `index` after the closed ones; sets `stopped` if the first cannot."""
        row = self._planned(index)
        reason = self._refusal(row, index)
        if reason is None:
            return row
        if index == 0:
            self.stopped = reason
        return None

    def _planned(self, index: int) -> Row | None:
        if self._late.catching_up:
            return self._late.row(index)
        return Row(self._closed + index, tuple(self._alive))

    def _refusal(self, row: Row | None, index: int) -> Stop | None:
        """Why a planned row cannot be begun; None if it can."""
        if len(self._alive) <= self.min_survivors:
            return Stop.SURVIVORS
        if row is None or row.step >= self._last_step:
            budgeted = self._last_step == self.budget.instances
            return Stop.INSTANCE_BUDGET if budgeted else Stop.INSTANCES
        return limits.refusal(len(row.candidates) * (index + 1), self.spent, self.budget)

    def _next_experiments(self, ahead: int) -> list[Experiment] | None:
        """The next row to be handed out; None if it may not be begun now."""
        rows = self._handout.rows
        if self.done or rows >= self._rows_until_test() + ahead:
            return None
        row = self._row(rows)
        if row is None:
            return None
        instance = self.instance(row.step)
        ids = row.candidates if rows < self._rows_until_test() else self._safest_first(row)
        return [Experiment(self._candidates[id], instance) for id in ids]

    def _safest_first(self, row: Row) -> list[int]:
        """The candidates of a row beyond the next test, the least likely to be dropped first."""
        place = {s.candidate.id: i for i, s in enumerate(self.ranking())}
        return sorted(row.candidates, key=lambda id: place.get(id, len(place)))

    def _outcomes(self, row: Row) -> Iterator[Outcome]:
        """What has been told of a row."""
        keys = ((id, row.step) for id in row.candidates)
        return (self._told[key] for key in keys if key in self._told)

    @property
    def _last_step(self) -> float:
        """The step before which the instances, or the budget of instances, end."""
        ends = (self.instances.limit, self.budget.instances)
        return min((end for end in ends if end is not None), default=math.inf)

    # --- tests ------------------------------------------------------------------------------

    def _rows_until_test(self) -> int:
        if self._late.catching_up:
            return self._late.rows_until_test
        return self._schedule.rows_until_test(self._closed)

    def _test(self) -> None:
        """Ask the rule, if a test is due."""
        if self._late.catching_up:
            if self._late.test_due:
                self._judge(self._late.rows_seen, protected=set(self._alive) - {*self._late.ids})
            return
        caught_up = self._late.arrive() and self._closed >= self._schedule.first_test
        if caught_up or self._schedule.due(self._closed):
            self._judge()

    def _judge(self, rows: list[int] | None = None, *, protected: Set[int] = frozenset()) -> None:
        if len(self._alive) <= max(self.min_survivors, 1):
            return
        results = self._table.results(self._alive, rows)
        rng = stream(self.seed, Purpose.VERDICT, len(self.verdicts))
        verdict = spare(
            judged(self.rule, results, self._outlook(), rng),
            results,
            objective=self.objective,
            protected=protected,
            at_least=self.min_survivors,
        )
        self.verdicts.append(verdict)
        gone = {e.candidate for e in verdict.eliminated}
        self._alive = [id for id in self._alive if id not in gone]
        self._late.drop(gone)

    def _outlook(self) -> Outlook:
        return Outlook(
            objective=self.objective,
            instances=self._last_step - self._closed,
            evaluations=self.budget.left(self.spent).evaluations,
            by_time=self._pace.evaluations_left(self._alive, self.budget, self.spent),
            timed=self.budget.timed,
        )

    # --- who is in --------------------------------------------------------------------------

    @property
    def _row_begun(self) -> bool:
        begun = self._due is not None and len(self._missing) < len(self._due.candidates)
        return begun or self._handout.under_way

    def _enter(self, candidate: Candidate) -> None:
        self._candidates[candidate.id] = candidate
        self._table.add_column(candidate.id)
        self._alive.append(candidate.id)

    def _admit(self) -> None:
        """Let in who may come in between two rows."""
        first = self._table.width
        newcomers = self._late.admitted()
        for candidate in newcomers:
            self._enter(candidate)
        if newcomers and self._closed:
            rng = stream(self.seed, Purpose.CATCH_UP, first)
            self._late.catch_up(newcomers, rng.permutation(self._closed).tolist())

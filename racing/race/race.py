"""One race: candidates are evaluated instance by instance, and a rule drops the inferior."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from racing.ask_tell import AskTell
from racing.budget import Budget, Spent
from racing.candidate import Candidate
from racing.decider import Entrant
from racing.errors import RaceError
from racing.experiment import Experiment, Instance, Outcome
from racing.instances import Instances
from racing.markup import paragraph
from racing.objective import Objective
from racing.quantities import Direction
from racing.race.arguments import budget_of, check, entrants_of, rule_of, stream_of, whole
from racing.race.refusals import check_open, check_outcome
from racing.race.schedule import Schedule
from racing.race.setup import Setup
from racing.race.state import RaceState
from racing.race.supply import Supply
from racing.race.task_queue import TaskQueue
from racing.results import Results
from racing.rules.rule import FIRST_LOOK, Rule, first_look
from racing.rules.verdict import Verdict
from racing.space.parameter import Value
from racing.standing import Standing, ranking, ranking_table
from racing.stop import Stop

Given = Candidate | Mapping[str, Value] | Entrant


class Race(AskTell):
    """A race, driven by ask and tell; it does no I/O, has no clock and starts no work::

        race = Race(candidates, instances, budget=500)
        while not race.done:
            for experiment in race.ask():
                race.tell(experiment, cost_of(experiment))
        race.winner

    Verdicts and winner are a function of the arguments, of who joined, and of the outcomes told,
    not of their order: an outcome that comes early waits for its row, and one that comes late for a
    candidate already dropped is counted but decides nothing.

    It is a `Decider` (see `racing.decider` for its states). What changes it is `ask`, `tell`,
    `lost`, `join`, `restore` and `end`; what it has come to is in `racing.race.state`.

    Parameters
    ----------
    candidates
        Candidates, or mappings of values that become candidates 1, 2, 3, …
    instances
        `Instances`, or a sequence of problems to be met in shuffled order.
    rule
        Decides which candidates are dropped: the name of a rule, `{"name": "sign", "alpha": 0.01}`,
        a rule of `racing.rules`, or any callable of that form. Default: `auto`.
    budget
        What may be spent: a number of evaluations, a mapping of limits, or a `Budget`. A row that
        the rest of it is not expected to cover is not begun.
    seed
        Keys every random draw: order and seeds of the instances, and the draws of the rule.
    first_test, each_test
        The rule is asked after `first_test` instances and then after every `each_test`. Without
        `first_test`, the rule says when it is to be asked first (`racing.rules.rule.first_look`).
    min_survivors
        The race ends when no more than these are left.
    objective
        What "best" means: `rank`, the best mean rank, or `mean`, the lowest mean cost.
    direction
        Whether scores told are to be small (`minimize`) or large (`maximize`). Inside, and in every
        `Outcome`, there are costs, and lower is better.

    Raises
    ------
    InputError
        If these make no race. What a scenario file refuses is refused here in the same words.
    """

    def __init__(
        self,
        candidates: Iterable[Given],
        instances: Instances | Sequence[object],
        *,
        rule: Rule | str | Mapping[str, object] | None = None,
        budget: Budget | int | Mapping[str, float] | None = None,
        seed: int = 1,
        first_test: int | None = None,
        each_test: int = 1,
        min_survivors: int = 1,
        objective: Objective = "rank",
        direction: Direction = "minimize",
    ) -> None:
        given = None if first_test is None else whole("first_test", first_test)
        schedule = Schedule(given or 1, whole("each_test", each_test))
        self._setup = Setup(
            instances=stream_of(instances),
            rule=rule_of(rule),
            budget=budget_of(budget),
            seed=whole("seed", seed, least=0),
            schedule=schedule,
            min_survivors=whole("min_survivors", min_survivors),
            objective=objective,
            direction=direction,
        )
        entrants = entrants_of(candidates)
        outlook = self._setup.outlook(0, Spent())
        outlook = replace(outlook, candidates=len(entrants), first_test=given or 0)
        check(self._setup, outlook)
        first = given or first_look(self._setup.rule, outlook)
        self._setup = replace(
            self._setup,
            schedule=replace(schedule, first_test=first),
            patience=given or FIRST_LOOK,
        )
        self._state = RaceState(self._setup)
        self._queue = TaskQueue()
        self._supply = Supply(self._state, self._queue)
        super().__init__(direction, self._queue)
        self._state.enter(*entrants)

    # --- the conversation -------------------------------------------------------------------

    def ask(self, limit: int | None = None, *, speculate: int = 0) -> list[Experiment]:
        """Experiments to be run next, each handed out once unless it is `lost`.

        Parameters
        ----------
        limit
            At most this many; None for all that are certain to be needed.
        speculate
            So many more, within the limit, that may be needed after the next test: the most likely
            first (`racing.race.speculation`). They keep workers busy, at the price of evaluations
            that are wasted on candidates which a test drops.

        Returns
        -------
        list of Experiment
            [] when the race is done, and while everything that is certain to be needed is out:
            see `pending`.
        """
        return self._supply.take(limit, speculate)

    def _hear(self, outcome: Outcome) -> None:
        state = self._state
        if not state.expects(outcome):  # what the open row lacks can be placed
            check_outcome(outcome, state, self.instances)
        rows = state.rows
        state.take(outcome)
        self._queue.came_back(outcome.key)
        if state.rows != rows:
            self._queue.restart()

    def join(self, candidate: Candidate | Mapping[str, Value]) -> Candidate:
        """Let a candidate enter, now or at the end of the row that is under way.

        It first meets the instances already seen, in an order of its own, together with all that
        joined before the first of these began. It may be dropped on the way; the others rest until
        it has caught up, and cannot be dropped before. A race that is over since few were left
        begins again; the winner stays the winner until the newcomer has caught up and is better.

        Raises
        ------
        RaceError
            If the id is taken, or the race is over and its budget does not cover the newcomer.
        """
        if not isinstance(candidate, Candidate):
            candidate = Candidate(max(self._state.candidates) + 1, dict(candidate))
        if candidate.id in self._state.candidates:
            raise RaceError(f"there is a candidate {candidate.id} in this race already")
        check_open(candidate, self._state)
        entered = self._state.rows + self._supply.row_begun
        self._state.enter(Entrant(candidate=candidate, origin="joined", entered=entered))
        self._queue.restart()
        return candidate

    def restore(self, entrants: Sequence[Entrant]) -> None:
        """Take over the entrants of a log; before anything is told. See `Decider.restore`."""
        if self._state.outcomes:
            raise RaceError("entrants are restored before outcomes are told, not after")
        known = {entrant.candidate.id: entrant for entrant in self._state.entrants}
        for entrant in entrants:
            one = known.get(entrant.candidate.id, entrant)
            if one.candidate != entrant.candidate or one.entered != entrant.entered:
                raise RaceError(
                    f"the race has {one.candidate} as candidate {one.candidate.id}, entered at row "
                    f"{one.entered}; not {entrant.candidate}, entered at row {entrant.entered}"
                )
        self._state.enter(*(one for one in entrants if one.candidate.id not in known))
        self._queue.restart()

    def end(self, reason: Stop) -> None:
        """Stop the race from outside: time is up, or the target must not fail."""
        self._state.stop(reason)

    def extend(self, budget: Budget | int | Mapping[str, float]) -> None:
        """Go on after a budget has ended the race, with other limits, counted from the start.

        Raises
        ------
        RaceError
            If the race is not over, or was not ended by its budget.
        """
        if self.stopped is None:
            raise RaceError("the race is not over yet; extend it when it is")
        if not self.stopped.by_budget:
            raise RaceError(f"a larger budget changes nothing: {self.stopped.meaning}")
        self._setup = replace(self._setup, budget=budget_of(budget))
        self._state.extend(self._setup)
        self._queue.restart()

    # --- what it has come to ----------------------------------------------------------------

    @property
    def done(self) -> bool:
        """Whether the race is over; `stopped` says why."""
        return self._state.stopped is not None

    @property
    def stopped(self) -> Stop | None:
        """Why the race is over; None while it is not."""
        return self._state.stopped

    @property
    def unwanted(self) -> tuple[Experiment, ...]:
        """Those of `pending` that can no longer count: the candidate was dropped, say."""
        alive = () if self.done else set(self._state.alive)
        return tuple(one for one in self._queue.out if one.candidate.id not in alive)

    @property
    def entrants(self) -> Sequence[Entrant]:
        """Everybody who entered or waits to, in that order, with when and why."""
        return self._state.entrants

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """Everybody who entered or waits to, in that order."""
        return tuple(self._state.candidates.values())

    @property
    def survivors(self) -> tuple[Candidate, ...]:
        """The candidates that are in, in order of entry."""
        return self._named(self._state.alive)

    @property
    def challengers(self) -> tuple[Candidate, ...]:
        """The survivors that have yet to catch up with the others."""
        settled = set(self._state.settled)
        return self._named(id for id in self._state.alive if id not in settled)

    @property
    def results(self) -> Results:
        """The costs on all complete instances; its survivors are those that have caught up."""
        return self._state.standing

    @property
    def verdicts(self) -> Sequence[Verdict]:
        """What the rule said, in order."""
        return self._state.verdicts

    @property
    def outcomes(self) -> int:
        """How many outcomes it has heard, also of rows that are not complete."""
        return self._state.outcomes

    @property
    def spent(self) -> Spent:
        """What has been spent on complete rows."""
        return self._state.spent

    @property
    def speculative(self) -> int:
        """Evaluations, out or told, that are not certain to be needed, and may be."""
        return self._supply.speculative

    @property
    def expected_evaluations(self) -> float:
        """How many evaluations it is expected to need still, by how fast the field has shrunk.

        At most what the budget and the instances allow; see `racing.race.speculation.expected`.
        """
        return self._state.expected_evaluations

    @property
    def uncounted(self) -> Sequence[Outcome]:
        """The outcomes told that are on no complete row, and not certain to be on one."""
        return self._state.uncounted

    @property
    def wasted(self) -> int:
        """Outcomes told that can decide nothing any more, however the race goes on."""
        return self._state.wasted

    @property
    def instances_seen(self) -> int:
        """How many instances are complete."""
        return self._state.closed

    def ranking(self) -> tuple[Standing, ...]:
        """The survivors that have seen the same instances, best first; empty before the first."""
        return ranking(self._state.standing, self._state.candidates, self.objective)

    @property
    def winner(self) -> Candidate | None:
        """The best survivor so far; None while nothing tells the survivors apart."""
        settled = self._state.settled
        if len(settled) == 1:
            return self._state.candidates[settled[0]]
        ranking = self.ranking() if self._state.comparable else ()
        return ranking[0].candidate if ranking else None

    # --- what it is a function of -----------------------------------------------------------

    @property
    def instances(self) -> Instances:
        """The stream of instances."""
        return self._setup.instances

    def instance(self, step: int) -> Instance:
        """The instance at a step."""
        return self._setup.instance(step)

    @property
    def rule(self) -> Rule:
        """The rule that drops candidates."""
        return self._setup.rule

    @property
    def budget(self) -> Budget:
        """What may be spent."""
        return self._setup.budget

    @property
    def seed(self) -> int:
        """The key of every random draw."""
        return self._setup.seed

    @property
    def schedule(self) -> Schedule:
        """When the rule is asked."""
        return self._setup.schedule

    @property
    def min_survivors(self) -> int:
        """The race ends when no more than these are left."""
        return self._setup.min_survivors

    @property
    def objective(self) -> Objective:
        """What "best" means."""
        return self._setup.objective

    def __repr__(self) -> str:
        state = f"over: {self.stopped}" if self.stopped else f"{len(self.pending)} out"
        budget = self.budget.evaluations
        parts = [
            f"{len(self._state.alive)} of {len(self._state.entrants)} candidates left",
            f"{self.instances_seen} instances",
            f"{self.outcomes}{'' if budget is None else f' of {budget}'} evaluations",
            state,
        ]
        if self.winner is not None:
            parts.append(f"best {self.winner}")
        return f"<Race: {', '.join(parts)}>"

    def _repr_html_(self) -> str:
        from racing.sketches import sketches

        ranking = ranking_table(self.ranking(), self.direction)
        return paragraph(repr(self)[1:-1]) + sketches(self) + ranking

    # --- inside -----------------------------------------------------------------------------

    def _named(self, ids: Iterable[int]) -> tuple[Candidate, ...]:
        return tuple(self._state.candidates[id] for id in ids)

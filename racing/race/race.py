"""One race: candidates run instance by instance, and a rule drops the inferior ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from racing.base.errors import RaceError
from racing.base.quantities import RISK, Direction
from racing.base.records import argument
from racing.core.aims import Aim
from racing.core.budget import Budget, Spent
from racing.core.candidate import Candidate
from racing.core.decider import Entrant
from racing.core.experiment import Experiment, Instance, Outcome
from racing.core.failures import OnFailure, failures_of, on_failure_of
from racing.core.instances import Instances
from racing.core.metric import Metric
from racing.core.objective import Objective
from racing.core.results import Results
from racing.core.stop import Stop
from racing.core.verdict import Verdict
from racing.race.answer import RaceAnswer
from racing.race.arguments import (
    AHEAD,
    RISKY,
    budget_of,
    check,
    check_metrics,
    check_open,
    check_outcome,
    distance,
    entrants_of,
    goal_of,
    rule_of,
    score_word,
    stream_of,
    whole,
)
from racing.race.judging import Schedule
from racing.race.setup import Setup
from racing.race.state import RaceState
from racing.race.supply import Supply
from racing.rules.rule import FIRST_LOOK, Rule, each_look, first_look
from racing.space.parameter import Value

Given = Candidate | Mapping[str, Value] | Entrant


class Race(RaceAnswer):
    """A race, driven by ask and tell, without I/O, clock or workers::

        race = Race(candidates, instances, budget=500)
        while not race.done:
            for experiment in race.ask():
                race.tell(experiment, cost_of(experiment))
        race.winner

    Verdicts and winner are a function of the arguments, the joined candidates and the outcomes, not
    of the order of outcomes: an early outcome waits for its row, and a late one of a dropped
    candidate is counted but has no effect.

    It is a `Decider` (see `racing.core.decider` for its states). `ask`, `tell`, `lost`, `join`,
    `restore`, `end` and `extend` change it; its state is in `racing.race.state`.

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
        The limits: a number of evaluations, a mapping of limits, or a `Budget`. A row starts only
        if the rest is expected to cover it.
    seed
        Keys every random draw: order and seeds of the instances, and the draws of the rule.
    first_test, each_test
        The rule tests after `first_test` instances and then after every `each_test`: a number, or a
        growth such as "25%", with tests after 20, 25, 31, 38, … instances. By default the rule
        decides (`racing.rules.rule.first_look`, `each_look`).
    min_survivors
        The race ends when no more than these are left. A single candidate with 0 runs on all
        instances.
    risk
        Where a candidate is named `default`, another one wins only if the probability that it is
        truly worse is at most this; otherwise the default is kept. 0.5 lets the one win that is
        probably better.
    objective
        What "best" means: `rank`, the best mean rank, which is the default, or `mean`, the lowest
        mean cost. Of several metrics, what is asked of them: a formula, with or without
        constraints, an order or a front, as in a file (`racing.core.aims`).
    direction
        `minimize` or `maximize` the scores given to `tell`. Inside, and in every `Outcome`, they
        are costs, and lower is better.
    metrics
        The metrics by name, where an experiment is measured by several numbers; each a
        `racing.Metric`, or a mapping of its fields. Each has its own direction.
    on_failure
        What a failure counts as: `rate`, `worst`, or `{"penalty": 1000}`, as in a file.
    ahead
        Share of a budget of money or tokens that is kept for evaluations ahead of need, and for
        those that are lost; decisions have the rest.

    Raises
    ------
    InputError
        If an argument is invalid, with the message that a scenario file gives.

    Examples
    --------
    >>> import racing
    >>> race = racing.Race([{"x": x / 10} for x in range(11)], range(30), budget=200)
    >>> while not race.done:
    ...     for experiment in race.ask():
    ...         race.tell(experiment, abs(experiment.candidate.values["x"] - 0.3))
    >>> race.winner.values
    {'x': 0.3}
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
        each_test: int | str | None = None,
        min_survivors: int = 1,
        risk: float = RISK,
        objective: Objective | Aim | Mapping[str, object] | None = None,
        direction: Direction = "minimize",
        metrics: Mapping[str, Metric | Mapping[str, Any] | str] | None = None,
        on_failure: OnFailure | Mapping[str, Any] | str = "rate",
        ahead: float = 0.0,
    ) -> None:
        goal = goal_of(metrics, objective, direction)
        own = direction if goal is None else goal.direction
        self.on_failure = on_failure_of(on_failure)
        failures = failures_of(self.on_failure, own, goal)
        given = None if first_test is None else whole("first_test", first_test)
        each = None if each_test is None else distance("each_test", each_test)
        schedule = Schedule(given or 1, each or 1)
        entrants = entrants_of(candidates)
        self._setup = Setup(
            instances=stream_of(instances),
            rule=rule_of(rule),
            budget=budget_of(budget),
            seed=whole("seed", seed, least=0),
            schedule=schedule,
            min_survivors=whole("min_survivors", min_survivors, least=int(len(entrants) > 1)),
            risk=argument(RISKY, risk, "risk"),
            objective=score_word(goal, objective),
            direction=own,
            ahead=argument(AHEAD, ahead, "ahead"),
            goal=goal,
            failures=failures,
        )
        outlook = self._setup.outlook(0, Spent())
        outlook = replace(outlook, candidates=len(entrants), first_test=given or 0)
        check(self._setup, outlook)
        first = given or first_look(self._setup.rule, outlook)
        self._setup = replace(
            self._setup,
            schedule=Schedule(first, each or each_look(self._setup.rule, outlook)),
            patience=given or FIRST_LOOK,
            one_test=given == self._setup.last_step,
        )
        self._state = RaceState(self._setup)
        self._supply = Supply(self._state)
        super().__init__(own, self._supply, goal, failures)
        self._state.enter(*entrants)

    # --- ask and tell -----------------------------------------------------------------------

    def ask(self, limit: int | None = None, *, speculate: int = 0) -> list[Experiment]:
        """The experiments to run next, each returned once unless it is `lost`.

        Parameters
        ----------
        limit
            At most this many; None for all that are certain to be needed.
        speculate
            So many more, within the limit, that may be needed after the next test, the most likely
            first (`racing.race.speculation`). They keep workers busy; some are wasted on candidates
            that a test drops.

        Returns
        -------
        list of Experiment
            [] when the race is done, and while all experiments that are certain to be needed are
            out: see `pending`.
        """
        return self._supply.take(limit, speculate)

    def _hear(self, outcome: Outcome) -> None:
        state = self._state
        if self.goal is not None:
            check_metrics(outcome, self.goal)
        if not state.expects(outcome):  # an outcome that the open row lacks is valid
            check_outcome(outcome, state, self.instances)
        rows = state.rows
        state.take(outcome)
        self._supply.came_back(outcome.key)
        if state.rows != rows:
            self._supply.restart()

    def lost(self, *experiments: Experiment) -> None:
        """Note that these experiments will have no outcome; see `AskTell.lost`."""
        super().lost(*experiments)
        self._state.abandon(one.candidate.id for one in experiments)

    def join(self, candidate: Candidate | Mapping[str, Value]) -> Candidate:
        """Let a candidate enter, now or at the end of the current row.

        It first meets the instances already seen, in its own order, together with all that joined
        before the first of these began. It may be dropped meanwhile; the others wait until it has
        caught up, and cannot be dropped before. A race that ended because few were left continues;
        its winner stays the winner until the new candidate has caught up and is better.

        Returns
        -------
        Candidate
            The one that entered; with the next free id if values were given.

        Raises
        ------
        RaceError
            If the id is taken, or the race is over and its budget does not cover the candidate.
        """
        if not isinstance(candidate, Candidate):
            candidate = Candidate(max(self._state.candidates) + 1, dict(candidate))
        if candidate.id in self._state.candidates:
            raise RaceError(f"there is a candidate {candidate.id} in this race already")
        check_open(candidate, self._state)
        entered = self._state.rows + self._supply.row_begun
        self._state.enter(Entrant(candidate=candidate, origin="joined", entered=entered))
        self._supply.restart()
        return candidate

    def restore(self, entrants: Sequence[Entrant]) -> None:
        """Take the candidates of a log, before the first outcome. See `Decider.restore`."""
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
        logged = {entrant.candidate.id for entrant in entrants if entrant.origin == "given"}
        if logged and (apart := sorted(logged ^ known.keys())):
            where = "log" if apart[0] in logged else "race"
            raise RaceError(
                f"only the {where} has a candidate {apart[0]} from the start; give the race the "
                "candidates of the log, or name another log"
            )
        self._state.enter(*(one for one in entrants if one.candidate.id not in known))
        self._supply.restart()

    def end(self, reason: Stop) -> None:
        """Stop the race: time is up, or the target failed and must not."""
        self._state.stop(reason)

    def spare(self, experiment: Experiment) -> bool:
        """Whether the money kept for it, if any is limited, covers a second attempt; notes it."""
        return self._supply.spare(experiment)

    def charge(self, spent: Mapping[str, float]) -> None:
        """Note payments for evaluations without an outcome; see `Decider.charge`."""
        self._state.charge(spent)

    def extend(
        self,
        budget: Budget | int | Mapping[str, float],
        more: Instances | Sequence[object] | None = None,
    ) -> None:
        """Continue after a budget has ended the race, with other limits, counted from the start.

        Parameters
        ----------
        budget
            The limits; those of the race to leave them.
        more
            Instances to add: they come next, then the rest of those that the race has.

        Raises
        ------
        RaceError
            If the race is not over, or was ended neither by its budget nor, with more instances, by
            a lack of these.
        """
        if self.stopped is None:
            raise RaceError("the race is not over yet; extend it when it is")
        what = "a larger budget changes" if more is None else "more instances change"
        if not (self.stopped.by_budget or (more is not None and self.stopped.by_instances)):
            raise RaceError(f"{what} nothing: {self.stopped.meaning}; {self.stopped.instead}")
        instances = self.instances
        if more is not None:
            instances = instances.grown(stream_of(more), self._state.steps_begun)
        self._setup = replace(self._setup, budget=budget_of(budget), instances=instances)
        self._state.extend(self._setup)
        self._supply.restart()

    # --- state ------------------------------------------------------------------------------

    @property
    def done(self) -> bool:
        """Whether the race is over; `stopped` says why."""
        return self._state.stopped is not None

    @property
    def stopped(self) -> Stop | None:
        """The reason for the end of the race; None before."""
        return self._state.stopped

    @property
    def unwanted(self) -> tuple[Experiment, ...]:
        """The experiments in `pending` that can no longer count."""
        alive = () if self.done else set(self._state.alive)
        return tuple(one for one in self._supply.out if one.candidate.id not in alive)

    @property
    def entrants(self) -> Sequence[Entrant]:
        """All candidates that entered or wait to, in that order, with time and reason."""
        return self._state.entrants

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """All candidates that entered or wait to, in that order."""
        return tuple(self._state.candidates.values())

    @property
    def survivors(self) -> tuple[Candidate, ...]:
        """The candidates in the race, in order of entry."""
        return self._named(self._state.alive)

    @property
    def challengers(self) -> tuple[Candidate, ...]:
        """The survivors that are still catching up."""
        settled = set(self._state.settled)
        return self._named(id for id in self._state.alive if id not in settled)

    @property
    def results(self) -> Results:
        """The costs on all complete instances; its survivors are those that have caught up."""
        return self._state.standing

    @property
    def verdicts(self) -> Sequence[Verdict]:
        """The verdicts of the rule, in order."""
        return self._state.verdicts

    @property
    def outcomes(self) -> int:
        """The number of outcomes received, including incomplete rows."""
        return self._state.outcomes

    @property
    def spent(self) -> Spent:
        """The spending on complete rows."""
        return self._state.spent

    @property
    def speculative(self) -> int:
        """The number of evaluations, out or told, that may be needed but need not be."""
        return self._supply.speculative

    @property
    def expected_evaluations(self) -> float:
        """The expected number of further evaluations, by the rate at which candidates were dropped.

        At most what the budget and the instances allow; see `racing.race.speculation.expected`.
        """
        return self._state.expected_evaluations

    @property
    def uncounted(self) -> Sequence[Outcome]:
        """The outcomes that are on no complete row, and not certain to be on one."""
        return self._state.uncounted

    @property
    def wasted(self) -> int:
        """The number of outcomes that can no longer have an effect."""
        return self._state.wasted

    @property
    def instances_seen(self) -> int:
        """The number of complete instances."""
        return self._state.closed

    @property
    def as_search(self) -> None:
        """None, as a race is not a search."""

    # --- settings ---------------------------------------------------------------------------

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
        """The limits."""
        return self._setup.budget

    @property
    def seed(self) -> int:
        """The key of every random draw."""
        return self._setup.seed

    @property
    def ahead(self) -> float:
        """Share of a budget of money that is kept for evaluations ahead of need."""
        return self._setup.ahead

    @property
    def schedule(self) -> Schedule:
        """When the rule tests."""
        return self._setup.schedule

    @property
    def min_survivors(self) -> int:
        """The race ends when no more than these are left."""
        return self._setup.min_survivors

    def __repr__(self) -> str:
        state = f"over: {self.stopped}" if self.stopped else f"{len(self.pending)} out"
        budget = self.budget.evaluations
        parts = [
            f"{len(self._state.alive)} of {len(self._state.entrants)} candidates left",
            f"{self.instances_seen} instances",
            f"{self.spent.evaluations}{'' if budget is None else f' of {budget}'} evaluations",
            state,
        ]
        if self.winner is not None:
            parts.append(f"best {self.winner}")
        return f"<Race: {', '.join(parts)}>"

    def _repr_html_(self) -> str:
        from racing.answer.html import in_notebook

        return in_notebook(self, repr(self)[1:-1])

    # --- inside -----------------------------------------------------------------------------

    def _named(self, ids: Iterable[int]) -> tuple[Candidate, ...]:
        return tuple(self._state.candidates[id] for id in ids)

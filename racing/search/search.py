"""The search: proposes configurations near the best, races them, and confirms the winner.

`SearchBase` has what all searches share: phases in order, driven by ask and tell.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, get_args

from racing.base.errors import InputError, RaceError, must_be
from racing.base.quantities import Direction
from racing.base.records import Errors, FieldErrors
from racing.base.seeds import Purpose
from racing.core.aims import Aim
from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.decider import Entrant
from racing.core.experiment import Experiment, Outcome
from racing.core.failures import OnFailure, failures_of, on_failure_of
from racing.core.goal import Goal, Kind
from racing.core.instances import Instances
from racing.core.metric import Metric
from racing.core.objective import Objective
from racing.core.stop import Stop
from racing.core.verdict import Verdict
from racing.race.arguments import (
    budget_of,
    check_metrics,
    goal_of,
    rule_of,
    score_word,
    stream_of,
    whole,
)
from racing.rules.rule import Outlook, Rule, check_outlook
from racing.search.account import BudgetAccount
from racing.search.coding import Coding, Design
from racing.search.confirmation import Confirmation
from racing.search.initial import Initial, initial_size
from racing.search.main_phase import Finish, MainPhase
from racing.search.model_sampler import ModelSampler
from racing.search.phase import Phase, SearchContext
from racing.search.queries import SearchQueries
from racing.search.sampler import LocalSampler, Sampler
from racing.search.settings import (
    FEW_EVALUATIONS,
    FEWEST_CONFIRMED,
    LEAST_CONFIRMED,
    Settings,
    space_refusal,
    unserved,
)  # fmt: skip
from racing.search.single_race import race_instead, why_no_search
from racing.search.trials import Trials
from racing.space import Configuration, Parameter, Space
from racing.space.keys import SpaceKind

FEW_PROBLEMS = 2
"""With so many problems, and few evaluations, challengers are drawn by a model of all outcomes.

The model has the mean cost of each configuration, so it serves where that decides."""


def usual_sampler(trials: Trials, score: Objective, evaluations: float | None) -> Sampler:
    """The sampler where none is given: see `FEW_PROBLEMS`."""
    few = trials.division.problems <= FEW_PROBLEMS and (evaluations or math.inf) <= FEW_EVALUATIONS
    by_mean = score == "mean" and not (trials.several or trials.limited)
    return ModelSampler() if few and by_mean else LocalSampler()


class SearchBase(SearchQueries):
    """Base of `Search` and `IteratedRacing`.

    A subclass defines the phases by `_first`, `_after` and `_extension`. It builds them from the
    shared `_context`, and calls nothing else of this class.

    Its parameters are those of `Search`.

    Attributes
    ----------
    usual_objective
        What is averaged of a formula of metrics that does not say.
    serves
        The kinds of objectives over several metrics that it supports.
    """

    usual_objective: Objective = "mean"
    serves: tuple[Kind, ...] = Settings.serves

    def __init__(
        self,
        space: Space | Mapping[str, Parameter | Mapping[str, object]],
        instances: Instances | Sequence[object],
        *,
        budget: Budget | int | Mapping[str, float],
        seed: int = 1,
        window: int = 10,
        known: Iterable[Configuration | Candidate] = (),
        objective: Objective | Aim | Mapping[str, object] | None = None,
        direction: Direction = "minimize",
        rule: Rule | str | Mapping[str, object] | None = None,
        settings: Settings | None = None,
        sampler: Sampler | None = None,
        metrics: Mapping[str, Metric | Mapping[str, Any] | str] | None = None,
        on_failure: OnFailure | Mapping[str, Any] | str = "rate",
    ) -> None:
        space, settings = space_of(space), settings or Settings()
        goal = goal_of(metrics, objective, direction)
        score = score_word(goal, objective, self.usual_objective)
        direction = direction if goal is None else goal.direction
        if goal is not None:
            check_goal(goal, self.serves, rule=rule is not None, capped=settings.bounds_runs)
        words = ("objective", score, Objective), ("direction", direction, Direction)
        for name, value, kind in words:
            if value not in get_args(kind):
                raise InputError(must_be(name, " or ".join(get_args(kind)), value))
        self.on_failure = on_failure_of(on_failure)
        failures = failures_of(self.on_failure, direction, goal)
        limits = limited(budget)
        self.space, self.objective = space, score
        self.seed, window = whole("seed", seed, least=0), whole("window", window)
        self.instances = stream_of(instances, repeat=True)
        if goal is not None and goal.kind == "front":
            settings = settings.for_front(len(goal.front))
        coding = Coding(space)
        design = Design(coding, known, self.seed)
        aside = settings.aside if design.given else 0
        trials = Trials(coding, self.instances, self.seed, goal, failures, aside=aside)
        confirm = settings.confirmed_share(limits.evaluations) if design.given else 0.0
        verdicts = list[Verdict]()
        context = SearchContext(
            trials=trials,
            account=BudgetAccount(limits, kept=settings.finish + confirm),
            design=design,
            decided=partial(_note, verdicts, trials),
            settings=settings,
            objective=score,
            sampler=sampler or usual_sampler(trials, score, limits.evaluations),
            window=settings.at_once(window, limits.evaluations),
            rule=judging(rule),
            confirm=confirm,
        )
        super().__init__(direction, context, verdicts)
        first = max(len(design.given), 2)
        if limits.evaluations is not None and limits.evaluations < first:
            raise InputError(
                f"{limits.evaluations} evaluations do not cover one instance for the {first} "
                "configurations to begin with; give more"
            )

    # --- phases -----------------------------------------------------------------------------

    @abstractmethod
    def _first(self) -> Phase:
        """The first phase."""

    @abstractmethod
    def _after(self, phase: Phase) -> Phase:
        """The phase after this one, which has ended and has elites."""

    @abstractmethod
    def _extension(self, phase: Phase) -> Phase:
        """The first phase of an extension; `phase` is the last one before it."""

    def _judged(self, phase: Phase) -> Phase:
        """The confirmation of a search that ends in this phase: nothing more is run for it."""
        if not isinstance(phase, Confirmation):
            return self._ended(phase)
        if not phase.over:
            phase.judge()
        return phase

    def _ended(self, phase: Phase) -> Phase:
        """The confirmation in place of a phase that is not over."""
        return self._confirmation_class(
            self._context, phase.elites, phase.instances, met=phase.steps, ended=True
        )

    @property
    def _confirmation_class(self) -> type[Confirmation]:
        return Confirmation

    def _advance(self) -> None:
        """Start the next phase, as long as the current one is over."""
        while not self.done and self._phase is not None and self._phase.over:
            phase, reached = self._phase, self._context.limits_reached
            if phase.why is not None:
                reached.append(phase.why)
            if phase.why is Stop.ALL_FAILED or not phase.elites:
                self.end(phase.why or Stop.ALL_FAILED)
            elif isinstance(phase, Confirmation):
                self.end(self._reason())
            else:
                self._context.trials.queue.clear()
                self._phase = self._after(phase)

    def _reason(self) -> Stop:
        """The reason for the end after all phases: a limit, if one was broken or reached.

        Phases reach the limits of their share of the budget. Where some of the whole is left,
        a lack of instances came first.
        """
        if self._context.account.broken is not None:
            return self._context.account.broken
        reached = [why for why in self._context.limits_reached if why is not Stop.SURVIVORS]
        left_out = self._context.account.refusal(LEAST_CONFIRMED)
        if left_out is None and (none_left := self._context.end_of_instances) in reached:
            return none_left
        return reached[0] if reached else left_out or Stop.SURVIVORS

    def _begin(self) -> None:
        """Begin the first phase, once."""
        if self._phase is None and not self.done:
            self._phase = self._first()
            self._advance()

    # --- ask and tell -----------------------------------------------------------------------

    def restore(self, entrants: Sequence[Entrant]) -> None:
        """Take the candidates of a log.

        They are drawn again in their turn, and get the logged values if these differ by rounding
        only.

        Raises
        ------
        RaceError
            If the search has begun, or a candidate differs from this search's.
        """
        if self._phase is not None:
            raise RaceError("restore must come before the first ask and tell")
        self._context.trials.logged = {entrant.candidate.id: entrant for entrant in entrants}

    def ask(self, limit: int | None = None, *, speculate: int = 0) -> list[Experiment]:
        """The experiments to run next, each returned once unless it is lost.

        Parameters
        ----------
        limit
            At most this many; None for all that can be run now.
        speculate
            Ignored: the window limits how much runs at once.

        Returns
        -------
        list of Experiment
            [] when the search is done, and while it waits for experiments that are out.
        """
        self._begin()
        return self._context.trials.queue.take(limit)

    def _hear(self, outcome: Outcome) -> None:
        if self.goal is not None:
            check_metrics(outcome, self.goal)
        self._begin()
        self._context.trials.record(outcome)
        if self._phase is not None and not self.done:
            self._phase.update(outcome.candidate)
            self._advance()

    def end(self, reason: Stop) -> None:
        """Stop the search: time is up, or the target failed and must not.

        Where the winner is not chosen yet, it is by the outcomes that there are.
        """
        if not self.done:
            if self._phase and self.elites and reason is not Stop.ALL_FAILED:
                self._phase = self._judged(self._phase)
            self.stopped = reason
            self._context.trials.queue.clear()

    def spare(self, experiment: Experiment) -> bool:
        """Whether a second attempt may begin: not where money is limited, as none is kept."""
        return not self.budget.paid

    def charge(self, spent: Mapping[str, float]) -> None:
        """Note payments for evaluations without an outcome; see `Decider.charge`."""
        self._context.account.lose(spent)

    def extend(
        self,
        budget: Budget | int | Mapping[str, float],
        more: Instances | Sequence[object] | None = None,
    ) -> None:
        """Continue after the end, with other limits: challengers race the elites again.

        Parameters
        ----------
        budget
            The limits, counted from the start of the search.
        more
            Instances to add: they come next, then the rest of those that the search has. So many
            of them are set aside as makes up the share of all.

        Raises
        ------
        InputError
            If there is no limit that would end the search.
        RaceError
            If the search is not over, or has no elites to continue from; with more instances, if
            the seed changes no cost of those that it has.
        """
        if not self.done:
            raise RaceError("the search is not over yet; extend it when it is")
        limits, phase, context = limited(budget), self._phase, self._context
        if self.stopped is Stop.ALL_FAILED or phase is None or not phase.elites:
            raise RaceError("the search has no elites to continue from; start a new one")
        if more is not None:
            self.instances = context.trials.grow(stream_of(more))
        settings, left = context.settings, limits.left(context.account.spent).evaluations
        share = settings.confirmed_share(max(left, FEWEST_CONFIRMED))
        context.confirm = share if context.design.given else 0.0
        context.account.extend(limits, kept=settings.finish + context.confirm)
        context.find_limit()
        context.trials.queue.clear()
        context.limits_reached.clear()
        context.notes.clear()
        self.stopped = None
        self._phase = self._extension(phase)
        self._advance()

    def _repr_html_(self) -> str:
        from racing.answer.html import in_notebook

        return in_notebook(self, repr(self)[1:-1])

    @property
    def as_search(self) -> SearchBase:
        """The search itself; None for a race."""
        return self


class Search(SearchBase):
    """A search for a good configuration, driven by ask and tell like a race::

        search = Search(space, instances, budget=1000)
        while not search.done:
            for experiment in search.ask():
                search.tell(experiment, cost_of(experiment))
        search.winner, search.gain

    There are no iterations. The *elites* are the best configurations known, and have all seen the
    same instances. *Challengers* are drawn near an elite, one after the other, and race it on
    instances that it has seen; the best of those that pass all tests become elites. After every few
    decisions the elites meet one new instance. At the end the best is compared with the default on
    fresh instances, and the default is kept unless something is shown to be better.

    It has four phases: known configurations, the default and a Sobol sequence are halved over the
    first instances (`initial`); challengers race the elites (`running`); the best two race on with
    the rest of the budget (`finish`); the best is confirmed (`confirmation`). With fewer than 10
    evaluations, or with fewer configurations than the initial phase needs, one race replaces all
    this; `notes` says so.

    Its result is a function of the arguments and of the outcomes, not of their order. Challenger c
    depends on decisions 1 … c − window only, and decisions are applied in the order of their
    numbers; so up to `window` challengers run at once. The window is part of the scenario, not of
    the machine.

    Parameters
    ----------
    space
        The space of configurations: a `Space`, or parameters as in a file,
        `{"x": {"real": [0, 1]}}`. Its known configurations and its default take part.
    instances
        `Instances`, or a sequence of problems, to be met in shuffled order and, after the last,
        again with new seeds.
    budget
        The limits: a number of evaluations, a mapping of limits, or a `Budget`. Evaluations,
        target time or wall-clock time must be limited.
    seed
        Keys every random draw.
    window
        The most challengers that run at once: four for every worker keep all workers busy.
    known
        Configurations, or candidates with names, that enter first; missing values take their
        defaults.
    objective
        What "best" means among the elites: `mean`, the lowest mean cost, which is the default, or
        `rank`, the best mean rank, which is robust to single costs.
    direction
        `minimize` or `maximize` the values that are told. Inside, and in every `Outcome`, they are
        costs, and lower is better.
    rule
        Tests challengers instead of the screening test; see `racing.search.challenger` for suitable
        rules.
    settings
        How the budget is spent.
    sampler
        Draws the challengers; see `racing.search.sampler`.
    metrics
        As of `Race`; what is asked of them is the `objective`.
    on_failure
        As of `Race`.

    Raises
    ------
    InputError
        If an argument is invalid, or no limit ends the search.

    Examples
    --------
    >>> import racing
    >>> space = {"x": {"real": [0, 1], "default": 0.9}}
    >>> search = racing.Search(space, range(50), budget=300)
    >>> while not search.done:
    ...     for experiment in search.ask():
    ...         search.tell(experiment, abs(experiment.candidate.values["x"] - 0.3))
    >>> abs(search.winner.values["x"] - 0.3) < 0.05
    True
    """

    @property
    def settings(self) -> Settings:
        """How the budget is spent."""
        return self._context.settings

    # --- phases -----------------------------------------------------------------------------

    _initial: type[Initial] = Initial
    _main: type[MainPhase] = MainPhase

    def _first(self) -> Phase:
        """The initial phase; a single race if the budget or the space is too small for a search."""
        account, context = self._context.account, self._context
        size = initial_size(account.evaluations, self.settings)
        why = why_no_search(account.budget, self.space.size, size)
        return race_instead(context, why, size) if why else self._initial(context)

    def _after(self, phase: Phase) -> Phase:
        """Initial, main, finish, confirmation; a reached limit skips the main phase."""
        context, elites, instances = self._context, phase.elites, phase.instances
        if isinstance(phase, Initial) and phase.why is None:
            context.release(instances)
            return self._main(context, elites, instances)
        if isinstance(phase, Initial | MainPhase):
            context.account.release(1 - context.confirm)
            return Finish(context, elites, instances)
        context.account.release(1.0)
        return self._confirmation_class(context, elites, instances)

    @property
    def _confirmation_class(self) -> type[Confirmation]:
        if self.goal is None or self.goal.kind != "front":
            return Confirmation
        from racing.search.front import FrontConfirmation

        return FrontConfirmation

    def _extension(self, phase: Phase) -> Phase:
        """The main phase, with the current elites."""
        elites, instances = phase.elites, phase.instances
        if isinstance(phase, Confirmation):  # it may have chosen a winner that met other instances
            elites, instances = phase.racing, phase.raced
        elites = elites[: self.settings.elites]
        self._context.release(instances)
        return self._main(self._context, elites, instances, begun=self._begun)

    @property
    def _begun(self) -> int:
        """The number for the first challenger of an extension: the next multiple of K."""
        drawn = sum(one.draw[:1] == (int(Purpose.CHALLENGER),) for one in self.entrants)
        return -(-drawn // self.settings.every) * self.settings.every


def _note(verdicts: list[Verdict], trials: Trials, verdict: Verdict) -> None:
    """Take a verdict, in steps of the stream of all instances."""
    verdicts.append(trials.in_steps(verdict))


# --- arguments, also in the forms of a scenario file --------------------------------------------


def check_goal(goal: Goal, serves: tuple[Kind, ...], *, rule: bool, capped: bool) -> None:
    """Refuse objectives over several metrics that a search does not support; see `unserved`.

    Raises
    ------
    InputError
    """
    if why := unserved(goal.kind, serves, rule=rule):
        raise InputError(why)
    if capped:
        raise InputError("capping stops runs at a bound of their one cost, and there are metrics")


def limited(budget: object) -> Budget:
    """A budget that ends, from a number of evaluations, a mapping of limits, or a `Budget`.

    Raises
    ------
    InputError
        If it is something else, or never ends a search.
    """
    found = budget_of(budget)
    if found.endless:
        raise InputError(
            "a search has no end of its own; limit evaluations, target_time, wall_time, usd or "
            "tokens"
        )
    return found


def judging(rule: Rule | str | Mapping[str, object] | None) -> Rule | None:
    """A rule that can judge challengers; None for the screening rule.

    Raises
    ------
    InputError
        If the rule is unknown, or follows a schedule.
    """
    if rule is None:
        return None
    found = rule_of(rule)
    check_outlook(found, Outlook())
    return found


def space_of(space: object) -> Space:
    """The given space, or one from parameters as in a file.

    Raises
    ------
    InputError
        With all errors of the parameters; or if it is something else, or has one configuration.
    """
    if isinstance(space, Space):
        if why := space_refusal(space.size):
            raise InputError(f"space: {why}")
        return space
    if not isinstance(space, Mapping):
        allowed = (
            "racing.space.Space({name: parameter}), or parameters as in a file: "
            "{'x': {'real': [0, 1]}}"
        )
        raise InputError(must_be("space", allowed, space))
    errors = Errors()
    found = SpaceKind().read(space, "space", errors)
    if errors.found:
        raise FieldErrors(errors.found)
    return space_of(found)
